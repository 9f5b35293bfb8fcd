# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs one test method of a LabCase beside a slurmctld of its own: one_test FILE CLASS.METHOD OPTION-OF-WITH...

The status is 0, SKIPPED or another one; what failed, was skipped and is told stands in the output, see lab_case.
"""

import importlib
import os
import sys
import unittest
from pathlib import Path

from . import with_slurm
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


def _fork(path, name):
    """What starts the test in an environment; its process id. A fork: another Python would cost more than most tests do."""
    def start(environment):
        child = os.fork()
        if child:
            return child
        code = 1
        try:
            code = _run(path, name, environment)
        except LabError as error:
            say(error)
        except BaseException:  # pylint: disable=broad-except # the child must never return into the caller's code
            sys.excepthook(*sys.exc_info())
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return start


def main():
    """Entry of the program that pytest_lab starts for each test."""
    path, name, *options = sys.argv[1:]
    return with_slurm.run(with_slurm.parse([*options, "--", name]), _fork(Path(path), name))


if __name__ == "__main__":
    sys.exit(main())
