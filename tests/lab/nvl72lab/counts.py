# SPDX-License-Identifier: GPL-2.0-or-later
"""What a state holds, counted from the specification (docs/placement.md, fragmentation in include/nvl72block/fragmentation.hpp) and nothing else.

`free` has the free nodes of each rack, racks in their order; `sizes` are BlockSizes, the racks have at least the first one.
"""

import re
from dataclasses import dataclass

from . import cluster, hostlist



def chunks(items, size):
    """Neighbours in groups of that size; the last one may be shorter."""
    return [items[first:first + size] for first in range(0, len(items), size)]


class Room:
    """Counts over racks of equal size."""

    def __init__(self, free, sizes, rack_nodes=18):
        self.sizes, self.counts, self.rack_nodes = sizes, [len(nodes) for nodes in free.values()], rack_nodes

    def groups(self, size):
        """The free nodes in each rack, by block of a level."""
        return chunks(self.counts, size // self.sizes[0])

    def _fit(self, counts, size):
        """In neighbouring racks: a segment lies in one block of the smallest level that holds it, and may touch both halves of that."""
        level = next((level for level in self.sizes if level >= size), self.sizes[0] * len(self.counts))
        return sum(sum(part) // size for part in chunks(counts, level // self.sizes[0]))

    def segments(self, size):
        """In all."""
        return self._fit(self.counts, size)

    def segments_in_one(self, size):
        """In the best block of each level."""
        return {level: max(self._fit(group, size) for group in self.groups(level)) for level in self.sizes}

    def blocks(self):
        """Whole, broken and incomplete blocks of each level."""
        found = {}
        for level in self.sizes:
            full = [group for group in self.groups(level) if len(group) == level // self.sizes[0]]
            whole = sum(min(group) >= self.sizes[0] for group in full)
            found[level] = (whole, len(full) - whole, len(self.groups(level)) - len(full))
        return found

    def fragmentation(self):
        """Score in usable sizes, then Slurm's."""
        broken = sum(size * count for size, (_, count, _) in self.blocks().items())
        lost = sum(self.sizes[0] - min(self.sizes[0], count) for count in self.counts)
        not_free = sum(self.rack_nodes - count for count in self.counts)
        return lost + broken, not_free + broken

    def largest_job(self):
        """Of up to the size of the highest level: by the plain rule."""
        return max((count for count in range(1, sum(self.counts) + 1) if self.holds(count)), default=0)

    def holds(self, count):
        """Whether the plain rule allows a job of so many nodes."""
        level = next((number for number, size in enumerate(self.sizes) if size >= count), len(self.sizes))
        inner = self.sizes[max(0, level - 1)]
        most = -(-count // inner)
        outer = self.groups(self.sizes[level]) if level < len(self.sizes) else [self.counts]
        for group in outer:
            inside = sorted((sum(part) for part in chunks(group, inner // self.sizes[0])), reverse=True)
            if sum(inside[:most]) >= count:
                return True
        return False


@dataclass(frozen=True)
class Shown:
    """The nodes as sinfo and scontrol show them, each in one set."""

    free: set
    busy: set
    out: set
    reserved: set

    @staticmethod
    def now(held):
        """`held` are the nodes of reservations that matter."""
        lines = [line.split() for line in cluster.ask("sinfo", "-h", "-N", "-p", "main", "-O", "NodeList:60,StateComplete:90").splitlines()]
        states = {line[0]: line[1].upper() for line in lines}
        out = {name for name, state in states.items() if re.search(r"DRAIN|FAIL|(^|\+)DOWN", state)}
        idle = {name for name, state in states.items() if state.startswith("IDLE") and "BLOCKED" not in state} - out
        return Shown(idle - set(held), set(states) - idle - out, out, idle & set(held))


def job_ends():
    """End, by time limit, and nodes of each running job."""
    found = []
    for line in cluster.ask("squeue", "-h", "-t", "running,configuring", "-o", "%i|%e|%N").splitlines():
        number, end, nodes = line.split("|")
        found.append((number, end, hostlist.expand(nodes)))
    return found
