# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs one file of the suite in namespaces of its own: one_file OPTION... ; all that it starts ends with it."""

import argparse
import os
import signal
import sys
from pathlib import Path

from nvl72lab import namespace, slurm_release

from . import configuration, stage

END_SECONDS = 120  # for pytest to put things back and to write its results after an interrupt
TIMED_OUT = (124, 137)  # the status of timeout(1), and where it had to kill
NO_TESTS = 5  # the status of pytest where -k leaves none


def parse():
    """The options, which __main__ gives."""
    parser = argparse.ArgumentParser(prog="one_file", description=__doc__)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--dropin", type=Path)
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--keyword", default="")
    parser.add_argument("name")
    slurm_release.add_options(parser.add_argument)
    return parser.parse_args()


def _pytest(options):
    """As the suite's own run-tests-python calls it; interrupted at the limit, so that the results until then are written."""
    return ["/usr/bin/timeout", "--signal=INT", f"--kill-after={END_SECONDS}", str(options.seconds),
            "/usr/bin/python3", "-m", "pytest", "-s", "-rN", "-v", "-p", "no:cacheprovider", "--disable-warnings", "--show-capture=no",
            "--color=no", "--auto-config", f"--junitxml={stage.RESULTS / options.name}.xml", f"tests/{options.name}.py",
            *(["-k", options.keyword] if options.keyword else [])]


def _wait(child):
    """The child's status; process 1 also collects whatever else ends."""
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _inside(options, release):
    folder = options.suite / "testsuite/python"
    with_blocks = not configuration.says_topology(folder / "tests" / f"{options.name}.py")
    stage.build(release, options.results, options.dropin, with_blocks)
    environment = stage.environment(release, stage.write_suite_conf(release))
    os.chdir(folder)
    command = _pytest(options)
    log = os.open(stage.RESULTS / f"{options.name}.log", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o644)
    null = os.open(os.devnull, os.O_RDONLY)
    actions = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)]
    # A shell's background jobs have SIGINT ignored.
    status = _wait(os.posix_spawn(command[0], command, environment, file_actions=actions, setsigdef=[signal.SIGINT]))
    stage.keep_logs(options.name)
    return status


def main():
    """Entry of the program that __main__ starts for each file and plugin."""
    options = parse()
    release = slurm_release.chosen(options)
    return namespace.run(lambda: _inside(options, release))


if __name__ == "__main__":
    sys.exit(main())
