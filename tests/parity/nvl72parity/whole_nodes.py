# SPDX-License-Identifier: GPL-2.0-or-later
"""Random sites, states and requests, and the rules that an answer has to keep (docs/placement.md), for comparing two
plugins.
"""

import random
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from nvl72lab import hostlist
from nvl72lab.scenario import Site

CASES = 6  # scenarios a site: a start of slurmctld costs as much as several questions
# A start on nodes that have to boot is told some 190 days ahead, one behind a job without a limit at least a year.
NOW_DAYS = 300
TOTAL = ("--gpus=ALL",)  # stands for all GPUs of the job's nodes, as one number
GPUS = 4  # a node
COMPACT = (("TopologyParam", "Nvl72Policy=compact"),)
# What slurmctld learns would change with every job, so the demand is a stated one. All racks have four nodes or more.
DEMAND = (("TopologyParam", "Nvl72Policy=demand,Nvl72Demand=4:0.6+2:0.4"),)
SLOT_VALUES = {4: 255, 2: 85}  # 4 x 0.6 and 2 x 0.4, scaled


@dataclass
class Request:
    """What a job asks for."""

    nodes: int
    most: int = 0  # of a range
    segment: int = 0
    exclusive: bool = False
    required: tuple = ()
    excluded: tuple = ()
    more: tuple = ()  # options that every node of these sites can meet

    def options(self):
        """Of sbatch."""
        more = [f"--gpus={GPUS * self.nodes}"] if self.more == TOTAL else self.more
        found = [f"-N{self.nodes}-{self.most}" if self.most else f"-N{self.nodes}", *more]
        found += [f"--segment={self.segment}"] if self.segment else []
        found += ["--exclusive=topo"] if self.exclusive else []
        found += ["-w", ",".join(self.required)] if self.required else []
        found += ["-x", ",".join(self.excluded)] if self.excluded else []
        return found


@dataclass
class Case:
    """One scenario of a site: what is drained, one request."""

    drained: tuple
    request: Request


@dataclass
class Scene:
    """A site with its busy jobs and its cases."""

    index: int
    site: Site
    busy: list
    weights: dict  # of slurm.conf: --test-only knows no others
    cases: list = field(default_factory=list)


def _site(dice):
    base = dice.randint(4, 20)
    racks = tuple(dice.choice((base, base, base, min(20, base + dice.randint(0, 2)))) for _ in range(dice.randint(2, 12)))
    # Planned smaller than it is: spares.
    size = dice.choice((base, base, max(2, base - 2)))
    levels = [size] + [size << power for power in range(1, 4) if dice.random() < 0.5]
    outside, policy = dice.choice((0, 0, 0, dice.randint(1, 8))), dice.random()
    return Site(racks, ",".join(map(str, levels)), outside=outside,
                settings=COMPACT if policy < 0.5 else DEMAND if policy < 0.75 else ())


def _weighted(site, weights):
    groups = {}
    for node, weight in weights.items():
        groups.setdefault(weight, []).append(node)
    return replace(site, special=tuple((hostlist.compress(nodes), f"Weight={weight}") for weight, nodes in groups.items()))


def _busy(dice, site):
    """One-node jobs where they hurt, and a few that the plugin places."""
    single = [("-N1", "-w", node) for node in dice.sample(site.nodes(), dice.randint(1, 6))]
    return single + [(f"-N{dice.randint(2, min(site.racks))}",) for _ in range(dice.randint(0, 2))]


def _weights(dice, site):
    if dice.random() < 0.6:
        return {}
    heavy = dice.randint(1, 3)
    if dice.random() < 0.5:  # whole racks
        chosen = {number: dice.choice((1, 5, 20)) for number in range(1, len(site.racks) + 1)}
        return {node: weight for number, weight in chosen.items() for node in site.rack(number)}
    return {node: dice.choice((1, 1, 10 * heavy)) for node in site.nodes()}


def _request(dice, site, drained):
    idle = [node for node in site.nodes() if node not in drained]
    kind = dice.choice(("plain", "plain", "segment", "segment", "segment", "large", "range", "required", "excluded",
                        "exclusive"))
    nodes = dice.randint(1, max(1, min(len(idle), 3 * max(site.racks)) * 3 // 4))
    more = dice.choice(((), (), ("--gpus-per-node=4",), ("--gres=gpu:2",), ("--ntasks-per-node=2",), TOTAL))
    if kind in ("segment", "large"):
        base = int(site.sizes.split(",", maxsplit=1)[0])
        size = dice.randint(1, base) if kind == "segment" else dice.randint(base + 1, 2 * base)
        return Request(size * max(1, nodes // size), segment=size, more=more, exclusive=dice.random() < 0.1)
    if kind == "range":
        return Request(nodes, most=nodes + dice.randint(1, 6), more=more if more != TOTAL else ())
    if kind == "required":
        rack = [node for node in site.rack(dice.randint(1, len(site.racks))) if node in idle] or idle
        required = tuple(dice.sample(rack, min(len(rack), dice.randint(1, 3))))
        return Request(max(nodes, len(required)), required=required, more=more)
    excluded = tuple(dice.sample(idle, min(len(idle) // 3, 5))) if kind == "excluded" else ()
    return Request(nodes, excluded=excluded, exclusive=kind == "exclusive", more=more)


def scene(seed, index):
    """The scene of that number; it depends on nothing else."""
    dice = random.Random(f"{seed}/{index}")
    site = _site(dice)
    weights = _weights(dice, site)
    made = Scene(index, _weighted(site, weights), _busy(dice, site), weights)
    for _ in range(CASES):
        share = dice.choice((0, 0.1, 0.2, 0.4))
        outside = site.outside > 1 and dice.random() < 0.4  # little is left in blocks, and the job fits beside them
        drained = tuple(node for node in site.nodes()
                        if dice.random() < (share if not outside else 0 if node.startswith("out") else 0.9))
        request = Request(dice.randint(2, site.outside)) if outside else _request(dice, site, drained)
        made.cases.append(Case(drained, request))
    return made


def _update(nodes, *words):
    if nodes:
        cluster.ask("scontrol", "update", f"nodename={hostlist.compress(nodes)}", *words)


def set_state(case, busy):
    """Drains what the case wants, whatever was before."""
    drained = [node for node in case.drained if node not in busy]
    was = cluster.ask("sinfo", "-h", "-N", "-p", "main", "-t", "drain", "-o", "%N").split()
    _update([node for node in was if node not in drained], "state=undrain")
    _update(drained, "state=drain", "reason=test")


def answer(request):
    """The nodes where the job would start now; "later" or "refused"."""
    said = cluster.run("sbatch", "--test-only", *request.options(), "--wrap", "true")
    found = re.search(r"to start at (\S+) .*on nodes (\S+)", said.err)
    if not found:
        return "refused" if said.code else "later"
    if datetime.fromisoformat(found[1]) > datetime.now() + timedelta(days=NOW_DAYS):
        return "later"
    return tuple(hostlist.expand(found[2]))


class Judge:
    """The rules for one case; `busy` are the nodes with a job."""

    def __init__(self, made, case, busy):
        site = made.site
        self.site, self.weights, self.request = site, made.weights, case.request
        self.sizes = [int(size) for size in site.sizes.split(",")]
        taken = set(busy) | set(case.drained) | set(case.request.excluded)
        locked = {self.rack(node) for node in busy} - {None} if case.request.exclusive else set()
        self.idle = [node for node in site.nodes() if node not in busy and node not in case.drained]
        self.usable = [node for node in site.nodes() if node not in taken and self.rack(node) not in locked]

    def rack(self, node):
        """Its position, from 0; None for a node in no block."""
        found = re.match(r"r(\d+)n", node)
        return int(found[1]) - 1 if found else None

    def outside(self, nodes):
        """Those that lie in no block."""
        return [node for node in nodes if self.rack(node) is None]

    def groups(self, nodes, size):
        """Nodes in each block of that size; None stands for the whole. Nodes in no block are left out."""
        width = len(self.site.racks) if size is None else size // self.sizes[0]
        return Counter(self.rack(node) // width for node in nodes if self.rack(node) is not None)

    def bounds(self, count):
        """Rule 1 of docs/placement.md for so many nodes: the size they lie in, the size below, how many of those at most."""
        upper = next((size for size in self.sizes if size >= count), None)
        below = [size for size in self.sizes if upper is None or size < upper]
        lower = below[-1] if below else self.sizes[0]
        return upper, lower, -(-count // lower)

    def plain_faults(self, nodes):
        """Rule 1."""
        upper, lower, most = self.bounds(len(nodes))
        found = []
        if len(self.groups(nodes, upper)) > 1:
            found.append(f"not in one block of {upper}")
        if len(self.groups(nodes, lower)) > most:
            found.append(f"in {len(self.groups(nodes, lower))} blocks of {lower}")
        return found

    def segment_faults(self, nodes):
        """Rule 2: what can be seen of it in node counts, which is all for segments that a base block holds."""
        size = self.request.segment
        upper, lower, most = self.bounds(size)
        found = [f"a block of {upper} has {count}" for count in self.groups(nodes, upper).values() if count % size]
        if len(self.groups(nodes, lower)) > len(nodes) // size * most:
            found.append(f"in {len(self.groups(nodes, lower))} blocks of {lower}")
        return found

    def outside_faults(self, nodes):
        """Rule 8, for an answer with nodes in no block."""
        if self.request.segment:
            return ["segments outside of blocks"]
        return ["nodes in blocks and in none"] if len(self.outside(nodes)) < len(nodes) else []

    def unlisted(self, stock, release):
        """What stock does although docs/differences-from-stock.md says that it does not."""
        request = self.request
        if isinstance(stock, str) or not request.segment:
            return []
        if request.segment > self.sizes[0] and release < (25, 11):
            return ["stock places segments above the base size"]
        if request.more == TOTAL and request.nodes > request.segment:
            return ["stock places --gpus with segments"]
        return []

    def faults(self, nodes):
        """What is wrong with an answer, in words."""
        request = self.request
        found = [f"{node} is not usable" for node in set(nodes) - set(self.usable)]
        found += [f"{node} is required" for node in set(request.required) - set(nodes)]
        if not request.nodes <= len(nodes) <= (request.most or request.nodes):
            found.append(f"{len(nodes)} nodes")
        if self.outside(nodes):
            return found + self.outside_faults(nodes)
        if request.segment and len(nodes) > request.segment:
            return found + self.segment_faults(nodes)
        return found + self.plain_faults(nodes)

    def _broken(self, nodes):
        """Whole blocks that the answer breaks, highest level first."""
        free = self.groups(self.usable, self.sizes[0])
        left = free - self.groups(nodes, self.sizes[0])
        def whole(counts, size):
            width = size // self.sizes[0]
            starts = range(0, len(self.site.racks) - width + 1, width)
            return sum(all(counts[rack] >= self.sizes[0] for rack in range(start, start + width)) for start in starts)
        return tuple(whole(free, size) - whole(left, size) for size in reversed(self.sizes))

    def _left_over(self, nodes, size):
        used = self.groups(nodes, size)
        return sum(self.groups(self.usable, size)[block] for block in used) - len(nodes)

    def _lost_slots(self, nodes):
        """The value of the slots that the answer takes."""
        taken, before = self.groups(nodes, self.sizes[0]), self.groups(self.idle, self.sizes[0])
        return sum(value * (before[rack] // size - (before[rack] - taken[rack]) // size)
                   for rack in taken for size, value in SLOT_VALUES.items())

    def _demand_cost(self, nodes):
        """Locality, weights and slots. Which nodes are a segment's cannot be seen where it might lie in more than one rack."""
        segment, most = self.request.segment, max(self.site.racks)
        segmented = bool(segment) and len(nodes) > segment
        if segmented and segment > self.sizes[0]:
            return ()
        torn = not segmented and len(nodes) <= most and len(self.groups(nodes, self.sizes[0])) > 1
        return torn, self._heavier(nodes), 0 if self.request.exclusive else self._lost_slots(nodes)

    def _heavier(self, nodes):
        weight = self.weights
        classes = sorted({weight.get(node, 1) for node in self.usable})
        return tuple(sum(weight.get(node, 1) > limit for node in nodes) for limit in classes[:-1])

    def cost(self, nodes):
        """Preferences 1 to 5 of docs/placement.md, the smaller the better; with policy demand the first three."""
        if self.site.settings == DEMAND:
            return self._demand_cost(nodes)
        heavier = self._heavier(nodes)
        broken = (self._left_over(nodes, self.sizes[0]),) if self.request.exclusive else self._broken(nodes)
        used = tuple(len(self.groups(nodes, size)) for size in self.sizes)
        left = tuple(self._left_over(nodes, size) for size in self.sizes)
        balance = sum(count ** 2 for count in self.groups(nodes, self.sizes[0]).values())
        middle = (used, broken) if self.site.settings == COMPACT else (broken, used)
        return (heavier, *middle, left, balance)

    def figures(self, stock, ours):
        """What a comparison without a fault is counted as."""
        found = ["scenarios"]
        if self.request.segment > self.sizes[0] and not isinstance(ours, str):
            found.append("ours places segments above the base size")
        if not isinstance(ours, str) and self.outside(ours):
            found.append("ours places outside of blocks")
        found += [f"{name} places" for name, nodes in (("stock", stock), ("ours", ours)) if not isinstance(nodes, str)]
        if isinstance(stock, str) or isinstance(ours, str):
            return found
        found += ["the same nodes"] if set(stock) == set(ours) else []
        if self.faults(stock):
            return [*found, "stock breaks a rule"]
        if self.outside(stock):
            return found
        if len(stock) != len(ours):
            return [*found, "ours has more of the range"]
        found += ["ours is better"] if self.cost(ours) < self.cost(stock) else []
        racks = [len(self.groups(nodes, self.sizes[0])) for nodes in (stock, ours)]
        if self.request.segment and racks[1] > racks[0]:
            found.append("segments: more racks to keep larger blocks whole or for weights")
        return found
