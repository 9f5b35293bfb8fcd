# SPDX-License-Identifier: GPL-2.0-or-later
"""Random clusters in use and random jobs that wait in them, for the judge of `nvl72block why`; and what can be counted without it."""

import re
from collections import Counter

from . import cluster, hostlist
from .mess import configure, configure_shared

UNUSABLE = {"DOWN", "DRAIN", "FAIL", "POWERING_DOWN", "REBOOT_ISSUED"}
OFF = {"POWERED_DOWN", "POWERING_UP"}
MOST_RUNNING = 14


class Cluster:
    """A cluster that changes from request to request."""

    racks, whole = 0, False

    def __init__(self, rng):
        self.rng = rng
        self.running, self.drained = [], set()

    def start(self):
        raise NotImplementedError

    def nodes(self, rack):
        return [f"node{number:03}" for number in range(18 * rack, 18 * rack + 18)]

    def change(self):
        """One of: a job ends, a node is drained or comes back, some jobs start."""
        kind = self.rng.choice(("end", "drain", "back", "start", "start", "start"))
        if kind == "end" and self.running:
            cluster.cancel(self.running.pop(self.rng.randrange(len(self.running))))
        elif kind == "drain" and len(self.drained) < 8:
            node = self.rng.choice(self.nodes(self.rng.randrange(self.racks)))
            cluster.ask("scontrol", "update", f"nodename={node}", "state=drain", "reason=bad NVLink tray")
            self.drained.add(node)
        elif kind == "back" and self.drained:
            node = self.rng.choice(sorted(self.drained))
            self.drained.remove(node)
            cluster.ask("scontrol", "update", f"nodename={node}", "state=resume")
        else:
            self.run()

    def run(self):
        """A job more, if it gets its nodes."""
        if len(self.running) >= MOST_RUNNING:
            cluster.cancel(self.running.pop(self.rng.randrange(len(self.running))))
        number, _ = cluster.offer(*self.job(), f"-t{self.rng.choice((20, 60, 90, 300, 600))}", "--priority=4000000000",
                                  "--no-requeue")  # after a failed node, it would wait before all others
        if number is None:
            return
        if cluster.tried(number).placed:
            self.running.append(number)
        else:
            cluster.cancel(number)

    def job(self):
        """Options of a job that runs."""
        raise NotImplementedError

    def request(self):
        """Options of a job that may wait."""
        raise NotImplementedError

    def common(self):
        """Options that any request may have."""
        options = [f"-t{self.rng.choice((10, 60, 240, 600))}"] if self.rng.random() < .7 else []
        if self.rng.random() < .1:
            options.append("-x" + ",".join(self.rng.sample(self.nodes(self.rng.randrange(self.racks)), self.rng.randint(1, 6))))
        return options

    def segments(self):
        """--nodes with segments that divide it, or without; an empty cluster could have them."""
        size = self.rng.choice((0, 0, 2, 3, 4, 6, 8, 9, 12, 16, 18))
        nodes = self.rng.randint(1, self.racks * (18 // max(size, 1))) * max(size, 1)
        return [f"-N{nodes}", *([f"--segment={size}"] if size else [])]


class WholeNodes(Cluster):
    """Twelve racks of 18 nodes that no two jobs share."""

    racks, whole = 12, True

    def start(self):
        configure()
        for _ in range(12):
            self.run()

    def job(self):
        return [f"-N{self.rng.choice((1, 3, 8, 12, 18, 18, 30, 36))}"]

    def request(self):
        kind = self.rng.random()
        if kind < .6:
            options = self.segments()
        elif kind < .75:
            least = self.rng.randint(1, 150)
            options = [f"-N{least}-{least + self.rng.randint(1, 60)}"]
        elif kind < .9:
            options = [f"-N{self.rng.randint(1, 40)}", "--exclusive=topo"]
        else:
            nodes = self.rng.randint(2, 120)
            options = [f"-N{nodes}", f"-n{nodes * self.rng.randint(1, 4)}"]
        return options + self.common()


class SharedNodes(Cluster):
    """Four racks of 18 nodes with 8 CPUs, 4 GPUs and 900 MB each, which jobs share."""

    racks = 4

    def start(self):
        configure_shared()
        for _ in range(8):
            self.run()

    def job(self):
        nodes = self.rng.choice((1, 4, 9, 18, 18))
        return [f"-N{nodes}", *self.rng.choice(((f"-n{nodes}", "-c4"), (f"-n{nodes}", "-c6", "--gpus-per-node=2"), ("--exclusive",),
                                                (f"-n{nodes}", "--mem=500"), (f"-n{nodes}", "--gpus-per-node=3")))]

    def request(self):
        kind = self.rng.random()
        if kind < .25:
            options = [*self.segments(), "--exclusive"]
        elif kind < .4:
            options = self.segments()
        elif kind < .5:
            options = [f"-n{self.rng.randint(2, 200)}", f"-c{self.rng.randint(1, 4)}"]
        else:
            nodes = self.rng.randint(1, 60)
            options = [f"-N{nodes}", *self.rng.choice(((f"-n{nodes * 2}", "-c2"), (f"-n{nodes}", "-c6"), (f"--gpus={nodes * 2}",),
                                                       ("--gpus-per-node=2",), ("--gpus-per-node=4",), ("--mem=600",),
                                                       ("--ntasks-per-node=4",), ("--mem-per-cpu=100", f"-n{nodes * 2}"),
                                                       ("--exclusive=topo",)))]
        return options + self.common()


def in_use():
    """The nodes' states and the jobs that have nodes: what an answer depends on."""
    return (cluster.ask("squeue", "-h", "-t", "running,configuring,completing", "-o", "%i %N", "--sort=i"),
            sorted((name, sorted(words - {"PLANNED"})) for name, words in _records()))


# ---- Numbers --------------------------------------------------------------------------------------


def _records():
    for line in cluster.ask("scontrol", "-o", "show", "node").splitlines():
        yield re.search(r"NodeName=(\S+)", line)[1], set(re.search(r" State=(\S+)", line)[1].split("+"))


def _is_out(words):
    """A node that is off or booting does not respond, and is used all the same."""
    return bool(words & UNUSABLE) or ("NOT_RESPONDING" in words and not words & OFF)


def _excluded(options):
    return {node for each in options if each.startswith("-x") for node in hostlist.expand(each[2:])}


def false_numbers(sentence, options, racks, whole):
    """Numbers of a refusal that differ from what scontrol shows of the nodes; `whole`: jobs share none."""
    states = dict(_records())
    out = {name for name, words in states.items() if _is_out(words)}
    usable = {name for name, words in states.items() if "IDLE" in words} - out - _excluded(options)
    busy = {name for name, words in states.items() if words & {"ALLOCATED", "MIXED", "COMPLETING"}}
    if "--exclusive=topo" in options:
        usable -= {node for rack in racks if busy & set(rack) for node in rack}
    free = [len(usable & set(rack)) for rack in racks]
    expected = [(r", (\d+) drained", len(out))]
    if whole:
        expected += [(r"(\d+) nodes? (?:is|are) usable", len(usable)), (r"; (\d+) (?:is|are) free", len(usable))]
        if fits := re.search(r"segments? of (\d+) nodes?; only (\d+) fits? in the whole cluster", sentence):
            expected.append((r"only (\d+) fits? in", sum(each // int(fits[1]) for each in free)))
        if best := re.search(r"in one block of (\d+); the best block has", sentence):
            joined = max(int(best[1]) // len(racks[0]), 1)
            expected.append((r"the best block has (\d+)", max(sum(free[first:first + joined]) for first in range(0, len(free), joined))))
    found = []
    for pattern, count in expected:
        told = re.search(pattern, sentence)
        if told and int(told[1]) != count:
            found.append(f"number: {told[0]!r}, counted {count}; {Counter('+'.join(sorted(words)) for words in states.values())}")
    return found
