# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tests of Slurm's own suite with topology/block and with the project's drop-in for it, and tells where they differ.

    tests/slurm-suite/run --slurm-prefix DIR --slurm-source DIR --suite DIR
    tests/slurm-suite/run ... -k segment test_150_1 test_150_2
"""

import argparse
import os
import sys
from pathlib import Path

from nvl72lab import plugin_build, slurm_release
from nvl72lab.places import PROJECT, LabError, say

from . import campaign, comparison, explained

HERE = Path(__file__).resolve().parents[1]


def _parse():
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slurm-prefix", required=True, metavar="DIR", help="an installed Slurm; it is not changed")
    parser.add_argument("--slurm-source", required=True, metavar="DIR", help="the source tree in which it was built")
    parser.add_argument("--suite", required=True, type=Path, metavar="DIR", help="a source tree of Slurm that has testsuite/python")
    parser.add_argument("--processes", type=int, default=2 * os.cpu_count(), metavar="N", help="files at once; they mostly wait")
    parser.add_argument("--seconds", type=int, default=900, metavar="N", help="limit of a file")
    parser.add_argument("--no-build", action="store_true", help="take the plugin as the last call built it")
    parser.add_argument("-k", dest="keyword", default="", metavar="EXPRESSION", help="only these tests, as pytest's -k")
    parser.add_argument("tests", nargs="*", metavar="TEST", help="files of the suite, as test_150_1, instead of those in tests.txt")
    options = parser.parse_args()
    options.suite, options.aarch64 = options.suite.absolute(), False
    return options


def _names(options):
    """The files to run."""
    lines = (HERE / "tests.txt").read_text("utf-8").splitlines()
    names = options.tests or [line for line in lines if line and not line.startswith("#")]
    folder = options.suite / "testsuite/python/tests"
    missing = [name for name in names if not (folder / f"{name}.py").is_file()]
    if missing:
        raise LabError(f"{folder} has no {', '.join(missing)}")
    return names


def _compare(options):
    names = _names(options)
    entries = explained.read((HERE / "explained.txt").read_text("utf-8"))
    release = slurm_release.chosen(options)
    dropin = plugin_build.ensure(release, options.no_build) / plugin_build.DROPIN
    runs = campaign.Campaign(options, release, dropin, say)
    stock, ours = runs.run(names)
    lines, well = comparison.report(stock, ours, release.version, entries)
    print("\n".join(lines))
    loaded = runs.loaded(campaign.DROPIN, names)
    print(f"the drop-in was loaded in {len(loaded)} of {len(names)} files")
    if runs.loaded(campaign.STOCK, names):
        raise LabError(f"{release.plugins}/topology_block.so is not Slurm's own: nothing was compared")
    if not loaded:
        raise LabError("no file loads topology/block: nothing was compared")
    print(f"logs: {(campaign.FOLDER / release.version).relative_to(PROJECT)}")
    return 0 if well else 1


def main():
    """Entry of tests/slurm-suite/run."""
    try:
        return _compare(_parse())
    except (LabError, explained.BadList) as error:
        say(error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
