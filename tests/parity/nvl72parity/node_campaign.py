# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares where topology/block and ours would start jobs that get whole nodes, in equal states (whole_nodes.py)."""

from nvl72lab import hostlist

from . import reproducer, seen, whole_nodes
from .node_rules import NodeJudge
from .tally import Tally
from .trio import BLOCK, OURS

BOTH = (BLOCK, OURS)
NEEDED = ("scenarios", "block places")
SCENE = whole_nodes.CASES  # requests


def _place(told):
    """The nodes where a job would start now; "later" or "refused"."""
    if told.forecast == seen.STARTED:
        return told.forecast_parts[0].nodes
    return "refused" if told.forecast == seen.REFUSED else "later"


def _drops_segments(judge, stock):
    """Block places segments in no block, as ordinary nodes, where no node of a block is left; ours never does, as is listed."""
    return bool(judge.request.segment) and judge.usable == judge.outside(judge.usable) and set(stock) <= set(judge.usable)


def unlisted(judge, stock, release):
    """What block does although docs/differences-from-stock.md says that it does not."""
    request = judge.request
    if isinstance(stock, str) or not request.segment or _drops_segments(judge, stock):
        return []
    if request.segment > judge.sizes[0] and release < (25, 11):
        return ["block places segments above the base size"]
    if request.more == whole_nodes.TOTAL and request.nodes > request.segment:
        return ["block places --gpus with segments"]
    return []


def faults(judge, stock, ours):
    """Every way in which ours is wrong, or worse than block."""
    if isinstance(ours, str):
        return [] if isinstance(stock, str) or _drops_segments(judge, stock) else ["block finds a place"]
    found = judge.faults(ours)
    if found or isinstance(stock, str) or judge.faults(stock):
        return found
    if judge.outside(ours):
        return [] if judge.outside(stock) else ["block finds a place in blocks"]
    if judge.outside(stock):
        return []
    if len(stock) > len(ours):
        return ["block takes more of the range"]
    if len(stock) == len(ours) and judge.cost(stock) < judge.cost(ours):
        return [f"block's place is better: {judge.cost(stock)} before {judge.cost(ours)}"]
    return []


def figures(judge, stock, ours):
    """What a comparison is counted as."""
    found = ["scenarios", *(f"{name} places" for name, nodes in ((BLOCK, stock), ("ours", ours)) if not isinstance(nodes, str))]
    if not isinstance(ours, str):
        found += ["ours places segments above the base size"] if judge.request.segment > judge.sizes[0] else []
        found += ["ours places outside of blocks"] if judge.outside(ours) else []
    if isinstance(stock, str) or isinstance(ours, str):
        return found
    found += ["the same nodes"] if set(stock) == set(ours) else []
    if judge.faults(stock):
        return [*found, "block breaks a rule"]
    if judge.outside(stock):
        return found
    if len(stock) != len(ours):
        return [*found, "ours has more of the range"]
    found += ["ours is better"] if judge.cost(ours) < judge.cost(stock) else []
    racks = [len(judge.groups(nodes, judge.sizes[0])) for nodes in (stock, ours)]
    if judge.request.segment and racks[1] > racks[0]:
        found.append("segments: more racks to keep larger blocks whole or for weights")
    return found


class NodeRun:
    """Scenes on one trio, of which flat is not asked, and what is counted of them."""

    def __init__(self, trio, seed, tell):
        self.trio, self.seed, self.tell = trio, seed, tell
        self.tally = Tally()

    def scene(self, index, numbers=None):
        """The requests of one scene."""
        made = whole_nodes.scene(self.seed, index)
        release = self.trio.tell("open", made.site, plugins=BOTH)[OURS]
        jobs = [part.nodes for _, part in self.trio.runners[BLOCK].tell("place", made.busy)]
        # The jobs lie where block had put them.
        pinned = [(f"-N{len(nodes)}", "-w", ",".join(nodes)) for nodes in jobs]
        if [part.nodes for _, part in self.trio.runners[OURS].tell("place", pinned)] != jobs:
            raise AssertionError(f"ours does not start {pinned} on an empty cluster")
        busy = tuple(sorted(node for nodes in jobs for node in nodes))
        drained = ()
        for number, case in enumerate(made.cases):
            if numbers and number not in numbers:
                continue
            wanted = tuple(node for node in case.drained if node not in busy)
            self.trio.tell("drain", [node for node in wanted if node not in drained],
                           [node for node in drained if node not in wanted], plugins=BOTH)
            drained = wanted
            self._compare(made, number, busy, pinned, release)

    def _compare(self, made, number, busy, pinned, release):
        case = made.cases[number]
        told = self.trio.tell("forecast", case.request.options(), plugins=BOTH)
        stock, ours = _place(told[BLOCK]), _place(told[OURS])
        judge = NodeJudge(made, case, busy)
        found = unlisted(judge, stock, release) or faults(judge, stock, ours)
        self.tally.counts.update(figures(judge, stock, ours))
        if found:
            self.tally.failures.append(f"{made.index}/{number}")
            where = reproducer.Cluster(made.site, pinned, [node for node in case.drained if node not in busy])
            files = reproducer.files(where, ("sbatch --test-only " + " ".join(case.request.options()),))
            shown = [nodes if isinstance(nodes, str) else hostlist.compress(nodes) for nodes in (stock, ours)]
            self.tell("\n".join([f"seed {self.seed}, scene {made.index}, request {number}: sbatch {' '.join(case.request.options())}",
                                 *(f"  FAULT {fault}" for fault in found), f"  block      {shown[0]}", f"  nvl72block {shown[1]}",
                                 f"again with tests/parity/run --whole-nodes --seed {self.seed} --scene {made.index} --request {number}",
                                 reproducer.text(files), ""]))
