# SPDX-License-Identifier: GPL-2.0-or-later
"""A real slurmctld under random churn, watched by a checker.

    tests/soak/run --requests 20000 --racks 64
    tests/soak/run --plugin block          # what the same churn does to Slurm's own plugin
"""

import argparse
import json
import os
import subprocess
import sys

from nvl72lab.places import PROJECT


def main():
    """Entry."""
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2000, metavar="N", help="jobs and reservations that are asked for")
    parser.add_argument("--minutes", type=float, default=600, help="at most so long")
    parser.add_argument("--seed", default=os.environ.get("NVL72BLOCK_SEED", "1"))
    parser.add_argument("--racks", type=int, default=64)
    parser.add_argument("--nodes", type=int, default=18, help="per rack")
    parser.add_argument("--plugin", default="nvl72block", choices=("nvl72block", "block"))
    parser.add_argument("--cliques", default="verify", choices=("off", "verify", "enforce"), help="Nvl72Clique")
    parser.add_argument("--slurm-prefix", metavar="DIR", help="an installed Slurm instead of the private root's")
    parser.add_argument("--slurm-source", metavar="DIR", help="the source tree of that Slurm")
    options = vars(parser.parse_args())
    slurm = [f"--{name.replace('_', '-')}={value}" for name in ("slurm_prefix", "slurm_source") if (value := options.pop(name))]
    return subprocess.call([PROJECT / "tests/lab/with", "--config", PROJECT / "configs/crusoe-6x18", "--plugin", options["plugin"], "--stopped", *slurm,
                            "--", "/usr/bin/python3", "-m", "nvl72soak.beside", json.dumps(options)])


if __name__ == "__main__":
    sys.exit(main())
