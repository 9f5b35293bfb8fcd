# SPDX-License-Identifier: GPL-2.0-or-later
"""The demonstration: submits jobs to six racks of 18, shows where each landed and checks that it is right."""

import sys

from . import cluster, hostlist, rack_map
from .places import LabError

RACK = 18


class Demo:
    """The story, one method a scene; `jobs` are the jobs on the map, by letter."""

    def __init__(self):
        self.blocks = cluster.blocks()
        self.jobs = {}
        self.failures = 0

    def tell(self, text):
        """A line of the story."""
        print(f"\n{text}", flush=True)

    def check(self, right, expectation):
        """Says whether an expectation holds."""
        print(f"  {'ok   ' if right else 'WRONG'} {expectation}", flush=True)
        self.failures += not right

    def show(self):
        """The map of all racks, then each job's nodes."""
        letters = {node: letter for letter, job in self.jobs.items() for node in job.nodes}
        print(rack_map.draw(self.blocks, letters))
        for letter, job in self.jobs.items():
            print(f"  {letter} = job {job.id}: {hostlist.compress(job.nodes)}")

    def place(self, letter, *options):
        """Submits a job and shows the map with it."""
        self.tell(f"sbatch {' '.join(options)}")
        self.jobs[letter] = cluster.place(*options)
        self.show()
        return self.jobs[letter]

    def segments(self):
        """Jobs in segments, which leave the sixth rack empty."""
        one = self.place("A", "-N16", "--segment=16")
        self.check(list(cluster.spread(one.nodes).values()) == [16], "16 nodes inside one rack")
        four = self.place("B", "-N64", "--segment=16")
        self.check(list(cluster.spread(four.nodes).values()) == [16] * 4, "16 + 16 + 16 + 16 in four racks")
        self.check(not set(cluster.spread(one.nodes)) & set(cluster.spread(four.nodes)), "none of them the first job's")

    def exclusive(self):
        """A job that wants a rack for itself; returns the rack's name."""
        others = {name for job in self.jobs.values() for name in cluster.spread(job.nodes)}
        alone = self.place("C", "-N4", "--exclusive=topo")
        racks = cluster.spread(alone.nodes)
        self.check(list(racks.values()) == [4], "4 nodes in one rack")
        self.check(not set(racks) & others, "the sixth rack, where no other job is")
        return next(iter(racks))

    def refused_neighbour(self):
        """No other job gets the idle nodes beside the exclusive one."""
        options = ["-N3", "--segment=3"]
        self.tell(f"sbatch {' '.join(options)}: only the sixth rack has three idle nodes")
        number = cluster.submit(*options)
        self.check(cluster.stays_pending(number), "it waits: the other 14 nodes of that rack take no other job")
        cluster.cancel(number)

    def successor(self, rack):
        """A whole-rack job waits for the exclusive job's end and gets its rack."""
        options = ["-N18", "--segment=18"]
        self.tell(f"sbatch {' '.join(options)}")
        number = cluster.submit(*options)
        self.check(cluster.stays_pending(number), f"it waits: {cluster.job(number).reason}")
        exclusive = self.jobs.pop("C")
        self.tell(f"scancel {exclusive.id}: the exclusive job ends")
        cluster.cancel(exclusive.id)
        self.jobs["D"] = cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.show()
        self.check(cluster.spread(self.jobs["D"].nodes) == {rack: RACK}, f"18 nodes: the whole of {rack}")

    def play(self):
        """All scenes; true when everything was right."""
        version = cluster.ask("lab-ctl", "version").strip()
        plugin = next(line.split("=")[1].strip() for line in cluster.ask("scontrol", "show", "config").splitlines()
                      if line.startswith("TopologyPlugin"))
        self.tell(f"Slurm {version} with TopologyPlugin={plugin}: six racks of {RACK} nodes, all idle")
        self.show()
        self.segments()
        rack = self.exclusive()
        self.refused_neighbour()
        self.successor(rack)
        self.tell("All as it should be." if not self.failures else f"{self.failures} expectations were not met.")
        return self.failures == 0


def main():
    """Entry of tests/lab/demo."""
    try:
        return 0 if Demo().play() else 1
    except LabError as error:
        print(f"  WRONG {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
