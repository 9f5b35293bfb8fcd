# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs histories in this instance's slurmctld (forks.c) and reads what they tell."""

import re
from dataclasses import dataclass
from pathlib import Path

from nvl72lab import cluster, daemons, plugin_build, trays
from nvl72lab.scenario import OURS, install

# No rack with fewer nodes than planned, which topology/block refuses. Nodes and racks are few, so that histories are short and full; the next seed has the next site.
SETTINGS = (("SelectTypeParameters", "CR_Core"), ("SlurmctldDebug", "error"), ("MaxJobCount", "20000"))
SITES = (((4, 4, 4, 4), "4,8,16", 2, "Nvl72Policy=demand"),
         ((6, 6, 6, 6, 6, 7), "6,12", 0, "Nvl72Clique=enforce"),
         ((5, 4, 4, 4, 4, 4, 4, 4), "4,8", 3, "Nvl72Policy=pack"),
         ((18,) * 6, "18,36", 0, ""))
LIBRARY = "simulator/simulator.so"
SECONDS_PER_HISTORY = 120
EXPECTED = re.compile("is not saved")  # no thread writes in a copy of the process
OURS_IN_LOG = re.compile(r"(?i)nvl72|topology")


@dataclass(frozen=True)
class History:
    """What one history told."""

    seed: int
    decisions: int
    started: int
    refused: int
    trace: str  # the same for the same history
    alone: str  # '1' for each request that starts on the idle cluster
    fault: str


def site(number):
    """The cluster of a seed."""
    racks, sizes, outside, parameters = SITES[number % len(SITES)]
    settings = (*SETTINGS, *((("TopologyParam", parameters),) if parameters else ()))
    partitions = ("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE",)
    return trays.Grounds(racks, sizes, outside, partitions=partitions, settings=settings, trays=(trays.Tray(2, 4, 1, 1000, 4),))


class Slurmctld:
    """This instance's, with the histories' library in it."""

    def __init__(self):
        self.instance = cluster.this_instance()
        self.plain = self.instance.slurm_conf.read_text("utf-8")
        self.library = plugin_build.ensure(self.instance.release, as_it_is=True) / LIBRARY
        self.go, self.out = self.instance.run / "simulate.go", self.instance.run / "simulate.out"

    def requests(self, grounds, seed):
        """What one history asks for, as options of sbatch."""
        told = self.instance.run / "simulate.requests"
        self.run(grounds, OURS, range(seed, seed + 1), {"NVL72_SIMULATE_REQUESTS": str(told)})
        return told.read_text("ascii").splitlines()

    def run(self, grounds, plugin, seeds, more=None):
        """The histories of these seeds, which follow one another; `more` goes into slurmctld's environment."""
        cluster.ask("lab-ctl", "forget")
        install(grounds, self.plain)
        cluster.use_plugin(plugin)
        for path in (self.go, self.out):
            path.unlink(missing_ok=True)
        told = {"NVL72_SIMULATE_SIZES": grounds.sizes, "NVL72_SIMULATE_GO": str(self.go),
                "NVL72_SIMULATE_OUT": str(self.out), **(more or {})}
        if plugin == OURS and "Nvl72Clique=enforce" in dict(grounds.settings).get("TopologyParam", ""):
            told["NVL72_SIMULATE_ENFORCE"] = "yes"
        daemons.start_controller(self.instance, "-D", library=self.library, environment=told)
        draft = self.go.with_suffix(".new")
        draft.write_text(f"{seeds.start} {len(seeds)}\n", "ascii")
        draft.replace(self.go)
        try:
            return self._read(len(seeds), plugin == OURS)
        finally:
            daemons.kill_controller(self.instance)

    def _read(self, count, ours):
        daemons.wait_until(lambda: self.out.exists() and self.out.read_text("utf-8").endswith("end\n"), SECONDS_PER_HISTORY * count,
                           "the histories ended")
        return [self._history(line, ours) for line in self.out.read_text("utf-8").splitlines()[:-1]]

    def _history(self, line, ours):
        seed, decisions, started, refused, trace, alone, fault = line.split("\t")
        log = Path(f"{self.out}.{seed}.log")
        errors = [text for text in log.read_text("utf-8", "replace").splitlines() if OURS_IN_LOG.search(text) and not EXPECTED.search(text)] if log.exists() else []
        log.unlink(missing_ok=True)
        return History(int(seed), int(decisions), int(started), int(refused), trace, alone, fault or (errors[0] if errors and ours else ""))


def groups(first, count):
    """(site, seeds) for each site: a start of slurmctld for all of its seeds."""
    share = -(-count // len(SITES))
    for number in range(len(SITES)):
        seeds = range(first + number * share, min(first + (number + 1) * share, first + count))
        if seeds:
            yield site(number), seeds
