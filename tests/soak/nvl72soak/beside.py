# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests/lab/with runs beside its slurmctld: the arguments are the options of __main__.py, as JSON."""

import json
import sys

from nvl72lab import cluster
from nvl72lab.scenario import Stage

from .churn import Churn, grounds
from .watch import Watch


def soak(options, tell):
    """Runs it; whether nothing was wrong."""
    site = grounds(options["racks"], options["nodes"])
    Stage().open(site, f"topology/{options['plugin']}")
    churn = Churn(site, options["seed"], cluster.release(), options["plugin"] != "block")
    watch = Watch(churn, tell)
    watch.run(options["requests"], options["minutes"] * 60, options.get("pace", 1))
    waiting = watch.stuck()
    counts = ", ".join(f"{name} {count}" for name, count in sorted(churn.counts.items()))
    tell(f"{churn.asked} requests, {len(watch.faults)} faults; {waiting} jobs wait that an idle cluster does not start; "
         f"memory {watch.memory[-1]} KiB, {watch.growth():+} KiB in the last quarter against the one before\n{counts}")
    return not watch.faults


if __name__ == "__main__":
    sys.exit(0 if soak(json.loads(sys.argv[1]), lambda text: print(text, flush=True)) else 1)
