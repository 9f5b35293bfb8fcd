# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests/lab/with runs: the arguments are the options of __main__.py, as JSON."""

import json
import sys
import time

from nvl72lab.scenario import OURS, STOCK

from .histories import Slurmctld, groups


def held(ours, stock):
    """Requests that start on the idle cluster with topology/block alone, by their numbers."""
    return [number for number, pair in enumerate(zip(ours.alone, stock.alone)) if pair == ("0", "1")]


def compare(slurmctld, site, seeds, tell, only=False):
    """The histories of one site, and what is wrong with them, told; the decisions and seconds that they took, or None."""
    begin = time.monotonic()
    ours = {history.seed: history for history in slurmctld.run(site, OURS, seeds)}
    seconds, whole = time.monotonic() - begin, True
    stock = {} if only else {history.seed: history for history in slurmctld.run(site, STOCK, seeds)}
    for seed, history in sorted(ours.items()):
        missing = held(history, stock[seed]) if seed in stock else []
        if history.fault or missing:
            whole = False
            tell(f"FAULT seed {seed}: {history.fault}{f' requests {missing} start with topology/block' if missing else ''}")
    decisions = sum(history.decisions + len(history.alone) for history in ours.values())
    return (decisions, seconds) if whole else None


def simulate(options, tell):
    """All of them; whether nothing was wrong."""
    slurmctld = Slurmctld()
    found = [compare(slurmctld, site, seeds, tell, options["only"]) for site, seeds in groups(options["first"], options["seeds"])]
    right = [pair for pair in found if pair]
    decisions, seconds = (sum(column) for column in zip(*right)) if right else (0, 1)
    tell(f"{options['seeds']} histories, {len(found) - len(right)} of {len(found)} sites with faults; {decisions} decisions, "
         f"{decisions / seconds:.0f} per second")
    return len(right) == len(found)


if __name__ == "__main__":
    sys.exit(0 if simulate(json.loads(sys.argv[1]), lambda text: print(text, flush=True)) else 1)
