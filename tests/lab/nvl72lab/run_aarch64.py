# SPDX-License-Identifier: GPL-2.0-or-later
"""Everything that is tested on aarch64 (Grace), with qemu's user-mode emulation: builds the plugin, the command and the
packages for both architectures; the engine's tests; a cluster with slurmctld on x86_64 and slurmd's on aarch64; the packages
in a root of that architecture. The last line counts: "N passed, M failed".
"""

import argparse
import os
import subprocess
import sys
import time

from . import aarch64_root, engine_on_aarch64, plugin_build, slurm_release, summary
from .places import PROJECT, LabError, say

MIXED = ("test_mixed_architectures",)
# Emulated as a whole, slurmctld included.
EMULATED = ("test_packages.Packages.test_installed_upgraded_removed", "test_packages.Packages.test_dropin",
            "test_real_jobs.RealJobs.test_srun_runs_in_one_rack_and_knows_its_address")
RESULTS = PROJECT / "build" / "aarch64-tests.xml"


def _timed(what, function):
    started = time.monotonic()
    result = function()
    say(f"{what}: {time.monotonic() - started:.0f} s")
    return result


def _packages():
    for release in (slurm_release.find(), slurm_release.on_aarch64()):
        plugin_build.ensure_packages(release)


def _lab(pattern, *options):
    """Counts of the lab's tests of that name."""
    RESULTS.unlink(missing_ok=True)
    subprocess.run([PROJECT / "tests/lab/run-tests", f"--junitxml={RESULTS}", *options, pattern], check=False)
    return summary.counts(RESULTS)


def _parse():
    parser = argparse.ArgumentParser(prog="run-aarch64", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="the mixed cluster alone, and without the command's packages")
    parser.add_argument("--prepare", action="store_true", help="only make the roots and build the plugin")
    return parser.parse_args()


def main():
    """Entry of tests/lab/run-aarch64."""
    options = _parse()
    counts = []
    os.environ[aarch64_root.ASKED_FOR] = "1"
    try:
        _timed("the root for aarch64", aarch64_root.ensure)
        if options.prepare:
            _timed("the plugin for aarch64", lambda: plugin_build.ensure(slurm_release.on_aarch64()))
            return 0
        if not options.short:
            os.environ[plugin_build.ALL_PACKAGES] = "1"
        _timed("packages for both architectures", _packages)
        counts += [_timed("the mixed cluster", lambda: _lab(name)) for name in MIXED]
        if not options.short:
            counts += [_timed(name, lambda name=name: _lab(name, "--aarch64")) for name in EMULATED]
            counts.append(_timed("the engine's tests", engine_on_aarch64.test))
    except LabError as error:
        say(error)
        counts.append((0, 1, 0))
    passed, failed, skipped = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
