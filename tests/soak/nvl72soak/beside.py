# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests/lab/with runs beside its slurmctld: the arguments are the options of __main__.py, as JSON."""

import json
import sys

from nvl72lab import cluster
from nvl72lab.scenario import Stage

from . import heap
from .churn import Churn, Gone, grounds
from .watch import MERGED_SECONDS, MOST_FAULTS, REPLACED, Watch

DEFAULTS = {"cliques": "verify", "enough": MOST_FAULTS, "pace": 1, "replaced": REPLACED, "rest": MERGED_SECONDS}


def soak(options, tell):
    """Runs it; whether nothing was wrong."""
    with heap.counted():
        return _soak({**DEFAULTS, **options}, tell)


def _soak(options, tell):
    site = grounds(options["racks"], options["nodes"], options["cliques"])
    Stage().open(site, f"topology/{options['plugin']}")
    churn = Churn(site, options["seed"], cluster.release(), options["plugin"] != "block")
    watch = Watch(churn, tell, options["cliques"] == "enforce", options["enough"], options["rest"])
    waiting = "?"
    try:
        watch.run(options["requests"], options["minutes"] * 60, options["pace"], options["replaced"])
        if len(watch.faults) < watch.enough:
            waiting = watch.stuck()
    except Gone as gone:
        watch.fault([f"slurmctld has ended by itself: {gone}"])
    counts = ", ".join(f"{name} {count}" for name, count in sorted(churn.counts.items()))
    number, half, most, slowest = watch.slowest()
    tell(f"{churn.asked} requests, {len(watch.faults)} faults; {waiting} jobs wait that an idle cluster does not start; "
         f"without a job, {watch.at_rest} KiB allocated after the first half and at the end; "
         f"resident over time in MiB {watch.memory_over_time()}; "
         f"{number} timed decisions, half of them within {half} ms, 9,999 of 10,000 within {most} ms, all within {slowest} ms\n{counts}")
    return not watch.faults


if __name__ == "__main__":
    sys.exit(0 if soak(json.loads(sys.argv[1]), lambda text: print(text, flush=True)) else 1)
