# SPDX-License-Identifier: GPL-2.0-or-later
"""The long form: as many requests as wanted, on a few trios at once, without a limit of time.

    PYTHONPATH=tests/lab /usr/bin/python3 -m nvl72lab.request_space --requests 2000 --seed 1
"""

import argparse
import os
import sys
import time

from nvl72lab import plugin_build, slurm_release
from nvl72lab.places import LabError, say

from . import preload
from .campaign import REQUESTS_A_SCENE
from .crew import Crew


def _parse():
    parser = argparse.ArgumentParser(prog="request_space", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default=os.environ.get("NVL72BLOCK_SEED", "1"))
    parser.add_argument("--requests", type=int, default=2000, metavar="N")
    parser.add_argument("--trios", type=int, default=3, metavar="N", help="three slurmctld's each, at once")
    parser.add_argument("--scene", type=int, metavar="N", help="this one alone")
    parser.add_argument("--request", type=int, metavar="N", help="of the scene, this one alone")
    parser.add_argument("--shrink", type=int, default=120, metavar="SECONDS", help="to reduce the first failure of a kind")
    parser.add_argument("--exempt", action="store_true", help="tell the requests too in which a difference is right")
    parser.add_argument("--slurm-prefix", metavar="DIR")
    parser.add_argument("--slurm-source", metavar="DIR")
    return parser.parse_args()


def main():
    """Entry."""
    options = _parse()
    try:
        release = slurm_release.find(options.slurm_prefix, options.slurm_source)
        plugin_build.ensure(release)
        preload.ensure(release)
    except LabError as error:
        say(error)
        return 1
    scenes = [options.scene] if options.scene is not None else range(-(-options.requests // REQUESTS_A_SCENE))
    crew = Crew(release, options.seed, lambda text: print(text, flush=True), options.trios,
                shrink_seconds=options.shrink, tell_exempt=options.exempt)
    started = time.monotonic()
    total = crew.run(scenes, None if options.request is None else [options.request])
    seconds = time.monotonic() - started
    print(f"Slurm {release.version}, seed {options.seed}: {seconds:.0f} s, "
          f"{total.counts['requests'] * 60 / seconds:.0f} requests a minute\n{total}")
    return 0 if total.passed else 1


if __name__ == "__main__":
    sys.exit(main())
