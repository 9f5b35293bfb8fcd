# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the lab's tests, each beside a slurmctld of its own, a few at once, and counts them.

PATTERN is a part of test names as this command prints them, e.g. test_placement or test_show.Show.test_whole.
"""

import argparse
import importlib
import os
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import plugin_build, private_root, slurm_release
from .places import PROJECT, LabError, say

TESTS = (PROJECT / "tests/lab", PROJECT / "tests/attack")
SKIPPED = 77
TEST_SECONDS = 600
EMULATED_TEST_SECONDS = 1800
# What these lines of a test say is shown although it passed.
TOLD = "note: "
SKIP = "skipped: "
CRASH = "ended by itself"  # of a daemon: never a matter of the machine's load


def _cases(suite):
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from _cases(entry)
        else:
            yield entry


def _discover(pattern):
    found = []
    for path in sorted(path for folder in TESTS for path in folder.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        found += [case for case in _cases(unittest.defaultTestLoader.loadTestsFromModule(module))
                  if pattern in case.id()]
    return found


def _run_one(case, arguments, plugin):
    """Runs one test method; returns its id, how it ended, and what it printed."""
    wanted = ["--plugin", plugin] if plugin else case.options
    command = [PROJECT / "tests/lab/with", "--config", PROJECT / "configs" / case.config, *wanted, *arguments,
               "--", "/usr/bin/python3", "-m", "nvl72lab.run_tests", "--inside", case.id()]
    seconds = EMULATED_TEST_SECONDS if "--aarch64" in arguments or case.emulated else TEST_SECONDS
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        return case.id(), 1, f"no end after {seconds} s: {error.stderr or b''!r}"
    return case.id(), done.returncode, done.stdout + done.stderr


def inside(name):
    """The part that runs beside slurmctld: one test method."""
    result = unittest.TestResult()
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    suite.run(result)
    for _, trace in result.failures + result.errors:
        print(trace)
    for _, reason in result.skipped:
        print(f"{SKIP}{reason}")
    if not result.wasSuccessful() or result.testsRun == 0:
        return 1
    return SKIPPED if result.skipped else 0


def _tell(word, name, output):
    lines = output.splitlines()
    reason = next((f": {line[len(SKIP):]}" for line in lines if line.startswith(SKIP)), "")
    print(f"{word:8} {name}{reason if word == 'skipped' else ''}", flush=True)
    shown = [line for line in lines if line.startswith(TOLD)] if word in ("passed", "skipped") else lines
    if shown:
        print("".join(f"    {line}\n" for line in shown), end="", flush=True)


def _report(results, again=None):
    """Tells and counts results; what again() gives for the name of a failed test replaces its result."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    repeated = []
    for name, code, output in results:
        word = {0: "passed", SKIPPED: "skipped"}.get(code, "failed")
        if word == "failed" and again and CRASH not in output:
            _tell("again", name, output)
            repeated.append(name)
            continue
        counts[word] += 1
        _tell(word, name, output)
    for name in repeated:
        _, code, output = again(name)
        word = "passed" if code == 0 else "failed"
        counts[word] += 1
        _tell(word, name, output)
    if repeated:
        print(f"repeated alone after a failure: {', '.join(repeated)}")
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    print(f"{counts['passed']} passed, {counts['failed']} failed{skipped}")
    return counts


def _parse():
    parser = argparse.ArgumentParser(prog="run-tests", description=__doc__)
    parser.add_argument("pattern", nargs="?", default="", metavar="PATTERN")
    parser.add_argument("--slurm-prefix", metavar="DIR")
    parser.add_argument("--slurm-source", metavar="DIR")
    parser.add_argument("--aarch64", action="store_true", help="with Debian's Slurm for aarch64, emulated")
    parser.add_argument("--plugin", metavar="NAME", help="put another plugin to the tests, e.g. block to see what stock does")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="tests at once")
    parser.add_argument("--repeat-failed", action="store_true",
                        help="repeat a test that failed once more, alone, and tell so; not where a daemon ended by itself")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    """Entry of tests/lab/run-tests."""
    options = _parse()
    if options.inside:
        return inside(options.inside)
    started = time.monotonic()
    arguments = [f"--{name}={Path(value).absolute()}" for name, value in
                 (("slurm-prefix", options.slurm_prefix), ("slurm-source", options.slurm_source)) if value]
    arguments += ["--aarch64"] if options.aarch64 else []
    cases = _discover(options.pattern)
    if not cases:
        say(f"no test is called like {options.pattern!r}")
        return 1
    try:
        # Once, before the tests would all wait for the same build.
        release = slurm_release.find(options.slurm_prefix, options.slurm_source, options.aarch64)
        if options.plugin in (None, "nvl72block"):
            plugin_build.ensure(release)
        if any(case.id().rpartition(".")[2] in case.needs_command for case in cases):
            plugin_build.ensure_command()
        # They are built for the private root's Slurm only; with another one, these tests are skipped.
        if release.root and any(case.id().rpartition(".")[2] in case.needs_packages for case in cases):
            plugin_build.ensure_packages(release)
            plugin_build.ensure_rpms(release)
        if release.root and any(case.id().rpartition(".")[2] in case.needs_accounting for case in cases):
            private_root.ensure_accounting()
    except LabError as error:
        say(error)
        return 1
    say(f"{len(cases)} tests, {options.jobs} at once")

    def run(case):
        return _run_one(case, [*arguments, "--no-build"], options.plugin)
    by_name = {case.id(): case for case in cases}
    with ThreadPoolExecutor(options.jobs) as pool:
        counts = _report(pool.map(run, cases), (lambda name: run(by_name[name])) if options.repeat_failed else None)
    say(f"lab tests took {time.monotonic() - started:.0f} s")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
