# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes one thing that the lab's tests need: prepare STEP OPTION-OF-WITH... ; quick where it is there already."""

import argparse
import sys

from . import plugin_build, private_root, slurm_release
from .places import LabError, say


def _packages(release):
    # They are built for the private root's Slurm only; with another one, the tests of packages are skipped.
    if release.root:
        plugin_build.ensure_packages(release)
        plugin_build.ensure_rpms(release)


# What a step makes, in the order in which they are made; a test that needs a step names it.
STEPS = {
    "root": lambda release: None,
    "plugin": plugin_build.ensure,
    "accounting": lambda release: release.root and private_root.ensure_accounting(),
    "command": lambda release: plugin_build.ensure_command(),
    "packages": _packages,
}


def main():
    """Entry of the program that pytest_lab starts for each step."""
    parser = argparse.ArgumentParser(prog="prepare", description=__doc__)
    parser.add_argument("step", choices=STEPS)
    slurm_release.add_options(parser.add_argument)
    options = parser.parse_args()
    try:
        STEPS[options.step](slurm_release.chosen(options))
    except LabError as error:
        say(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
