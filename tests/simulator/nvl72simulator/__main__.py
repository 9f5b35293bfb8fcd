# SPDX-License-Identifier: GPL-2.0-or-later
"""Histories of clusters by seed, inside a slurmctld; each request that topology/block starts on the idle cluster has to start.

    tests/simulator/run --seeds 10000
    tests/simulator/run --first 4711 --seeds 1 --only       # one history again, exactly
"""

import argparse
import json
import subprocess
import sys

from nvl72lab.places import PROJECT


def main():
    """Entry."""
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200, metavar="N", help="how many")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--only", action="store_true", help="without topology/block beside it")
    parser.add_argument("--slurm-prefix", metavar="DIR", help="an installed Slurm instead of the private root's")
    parser.add_argument("--slurm-source", metavar="DIR", help="the source tree of that Slurm")
    options = vars(parser.parse_args())
    slurm = [f"--{name.replace('_', '-')}={value}" for name in ("slurm_prefix", "slurm_source") if (value := options.pop(name))]
    return subprocess.call([PROJECT / "tests/lab/with", "--config", PROJECT / "configs/crusoe-6x18", "--plugin", "nvl72block", "--stopped", *slurm,
                            "--", "/usr/bin/python3", "-m", "nvl72simulator.beside", json.dumps(options)])


if __name__ == "__main__":
    sys.exit(main())
