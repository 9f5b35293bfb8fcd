# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs test methods of LabCases, each in a fork beside a slurmctld of its own.

Each line of standard input is a list in JSON: the seconds that a test may take, its FILE, CLASS.METHOD, and options of tests/lab/with.
Each line of standard output is its status, 0, SKIPPED or another one, and what it printed; what failed, was skipped and is told stands
there, see lab_case.
"""

import importlib
import json
import os
import select
import signal
import sys
import tempfile
import unittest
import unittest.mock  # tests import it, and it takes longer than all else
from pathlib import Path

from . import namespace, with_slurm
from .places import LabError, say

SKIPPED = 77
SKIP = "skipped: "


def _verdict(result):
    """The status of a test; its failures and reasons to skip are printed."""
    for _, trace in result.failures + result.errors:
        print(trace)
    for _, reason in result.skipped:
        print(f"{SKIP}{reason}")
    if not result.wasSuccessful() or result.testsRun == 0:
        return 1
    return SKIPPED if result.skipped else 0


def _run(path, name, environment):
    os.environ.update(environment)
    sys.path.insert(0, str(path.parent))
    case, method = name.split(".")
    result = unittest.TestResult()
    unittest.TestSuite([getattr(importlib.import_module(path.stem), case)(method)]).run(result)
    return _verdict(result)


def _leave(function):
    """Ends this process, a fork, with the status that the function returns: it must never return into the caller's code."""
    code = 1
    try:
        code = function()
    except LabError as error:
        say(error)
    except BaseException:  # pylint: disable=broad-except
        sys.excepthook(*sys.exc_info())
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _fork(path, name):
    """What starts the test in an environment; its process id. A fork: another Python would cost more than most tests do."""
    def start(environment):
        child = os.fork()
        if child == 0:
            _leave(lambda: _run(path, name, environment))
        return child
    return start


def _begin(path, name, *options):
    """The status of a test; its output is standard output."""
    return with_slurm.run(with_slurm.parse([*options, "--", name]), _fork(Path(path), name))


def _in_fork(seconds, words):
    """The status of a test and its output, from a process that ends with this one."""
    runner = os.getpid()
    with tempfile.TemporaryFile() as output, open(os.devnull, "rb") as nothing:
        child = os.fork()
        if child == 0:
            namespace.end_with(runner)
            for descriptor, file in enumerate((nothing, output, output)):
                os.dup2(file.fileno(), descriptor)
            _leave(lambda: _begin(*words))
        ended = os.pidfd_open(child)
        late = not select.select([ended], [], [], seconds)[0]
        os.close(ended)
        os.kill(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return status, f"no end after {seconds} s\n{text}" if late else text


def main():
    """Entry of the program that pytest_lab starts for each of its threads."""
    for line in sys.stdin:
        seconds, *words = json.loads(line)
        print(json.dumps(_in_fork(seconds, words)), flush=True)


if __name__ == "__main__":
    main()
