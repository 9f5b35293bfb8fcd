# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests/lab/with runs: the arguments are the options of __main__.py, as JSON."""

import json
import re
import sys
import time

from nvl72lab.scenario import OURS, STOCK

from .histories import Slurmctld, groups


def held(ours, stock):
    """Requests that start on the idle cluster with topology/block alone, by their numbers."""
    return [number for number, pair in enumerate(zip(ours.alone, stock.alone)) if pair == ("0", "1")]


def _held_by_rule(site, request):
    """Where docs/differences-from-stock.md says so: cliques that are enforced refuse segments larger than a base block, and no segment
    has nodes in no block.
    """
    segment = re.search(r"--segment=(\d+)", request)
    if not segment:
        return False
    enforced = "Nvl72Clique=enforce" in dict(site.settings).get("TopologyParam", "")
    return " -w out" in request or (enforced and int(segment[1]) > int(site.sizes.split(",")[0]))


def _missing(slurmctld, site, history, stock):
    """What starts with topology/block alone, as requests."""
    numbers = held(history, stock) if stock else []
    asked = slurmctld.requests(site, history.seed) if numbers else []
    return [asked[number] for number in numbers if not _held_by_rule(site, asked[number])]


def compare(slurmctld, site, seeds, tell, only=False):
    """The histories of one site, and what is wrong with them, told; the decisions and seconds that they took, or None."""
    begin = time.monotonic()
    ours = {history.seed: history for history in slurmctld.run(site, OURS, seeds)}
    seconds, whole = time.monotonic() - begin, True
    stock = {} if only else {history.seed: history for history in slurmctld.run(site, STOCK, seeds)}
    for seed, history in sorted(ours.items()):
        missing = _missing(slurmctld, site, history, stock.get(seed))
        if history.fault or missing:
            whole = False
            tell(f"FAULT seed {seed}: {history.fault}{''.join(f' {request}: starts with topology/block;' for request in missing)}")
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
