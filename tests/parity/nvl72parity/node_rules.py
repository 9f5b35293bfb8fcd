# SPDX-License-Identifier: GPL-2.0-or-later
"""The rules and preferences of docs/placement.md for the nodes of a job, written from that page."""

import re
from collections import Counter

from .whole_nodes import COMPACT, DEMAND

SLOT_VALUES = {4: 255, 2: 85}  # of whole_nodes.DEMAND: 4 x 0.6 and 2 x 0.4, scaled


class NodeJudge:
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
