# SPDX-License-Identifier: GPL-2.0-or-later
"""What a cycle of the main scheduler costs with shadow mode on, beside topology/block alone: slurmctld's CPU time, by turns."""

import statistics

from nvl72lab.scenario import EXCLUSIVE, Site

from .tally import Tally
from .trio import BLOCK, OURS

NEEDED = ("cycles",)
WARMING = 2
MOST = 1.05
RACK = 18
# Of one cycle; all of them start.
JOBS = ((f"-N{RACK}",), ("-N16", "--segment=16"), ("-N64", "--segment=16"), ("-N4",), ("-N144", "--segment=18"), ("-N2",), ("-N32", "--segment=8"),
        ("-N1",), ("-N36",), ("-N128", "--segment=16")) * 2


def site(racks):
    """Racks of 18 nodes."""
    sizes = ",".join(f"{RACK << power}" for power in range(16) if RACK << power <= RACK * racks)
    return Site((RACK,) * racks, sizes, partitions=(EXCLUSIVE,), settings=(("TopologyParam", "Nvl72Demand=16:0.8+4:0.2"),))


class CostRun:
    """Cycles on one pair."""

    def __init__(self, pair, racks, tell):
        self.pair, self.racks, self.tell, self.tally = pair, racks, tell, Tally()

    def scene(self, cycles, _numbers=None):
        """So many cycles of each, by turns."""
        self.pair.tell("open", site(self.racks))
        times = {OURS: [], BLOCK: []}
        for cycle in range(cycles + WARMING):
            for plugin in (OURS, BLOCK) if cycle % 2 else (BLOCK, OURS):
                started, nanoseconds = self.pair.runners[plugin].tell("cycle", JOBS)
                if started != len(JOBS):
                    self.tally.failures.append(f"{plugin}: {started} of {len(JOBS)} jobs started")
                if cycle >= WARMING:
                    times[plugin].append(nanoseconds / 1e6)
        self.tally.counts["cycles"] += cycles
        medians = {plugin: statistics.median(found) for plugin, found in times.items()}
        ratio = statistics.median(ours / block for ours, block in zip(times[OURS], times[BLOCK]))
        self.tell(f"{self.racks} racks, {len(JOBS)} starts per cycle, CPU time of slurmctld, median of {cycles}: {medians[OURS]:.1f} ms in shadow mode, "
                  f"{medians[BLOCK]:.1f} ms with topology/block; ratio {ratio:.3f}")
        if ratio > MOST:
            self.tally.failures.append(f"ratio {ratio:.3f}, more than {MOST}")
