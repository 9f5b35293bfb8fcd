# SPDX-License-Identifier: GPL-2.0-or-later
"""What must hold at any moment, from scontrol's records and topology.conf, as docs/placement.md has it.

Nothing of the plugin or of the engine is used.
"""

import re
from collections import Counter, defaultdict

from nvl72lab import hostlist
from nvl72parity.requests import value

from .records import cpus_and_gpus

OURS_IN_LOG = re.compile(r"(?i)nvl72|topology")
LONGEST_DECISION = 1_000_000  # microseconds; most take less than 100, and the processor may be given to others meanwhile
COMPLAINTS = re.compile("error: |starts anew")  # the second: what was saved could not be read


class Blocks:
    """Base blocks in the order of topology.conf; `cliques`, where they are enforced: what each node says, or None."""

    def __init__(self, members, sizes, cliques=None):
        self.sizes, self.cliques = sizes, cliques
        self.position = {node: number for number, nodes in enumerate(members) for node in nodes}
        self.named = {self.position.get(node) for node, clique in (cliques or {}).items() if clique}

    @staticmethod
    def read(text, cliques=None):
        """topology.conf's text."""
        members = [hostlist.expand(nodes) for nodes in re.findall(r"(?m)^BlockName=\S+ Nodes=(\S+)", text)]
        return Blocks(members, [int(size) for size in re.search(r"(?m)^BlockSizes=(\S+)", text)[1].split(",")], cliques)

    def island(self, node):
        """What a segment may not leave: a clique in a block; a node without a clique whose neighbours have one is alone."""
        block, clique = self.position[node], self.cliques[node]
        return (block, clique) if clique or block not in self.named else (block, node)

    def groups(self, nodes, size):
        """How many of the nodes each block of that size has; None is the whole."""
        width = max(len(self.position), 1) if size is None else size // self.sizes[0]
        return Counter(self.position[node] // width for node in nodes if node in self.position)

    def bounds(self, count):
        """Rule 1: the size that so many nodes lie in, the size below, and how many blocks of that they may touch."""
        upper = next((size for size in self.sizes if size >= count), None)
        lower = [size for size in self.sizes if upper is None or size < upper][-1:] or self.sizes[:1]
        return upper, lower[0], -(-count // lower[0])


def _plain(blocks, nodes):
    upper, lower, most = blocks.bounds(len(nodes))
    if len(blocks.groups(nodes, upper)) > 1:
        return [f"{len(nodes)} nodes are not in one block of {upper}"]
    touched = len(blocks.groups(nodes, lower))
    return [f"{len(nodes)} nodes are in {touched} blocks of {lower}"] if touched > most else []


def _segments(blocks, nodes, size):
    upper, lower, most = blocks.bounds(size)
    found = [f"a segment of {size} is torn: a block of {upper} has {count} nodes"
             for count in blocks.groups(nodes, upper).values() if count % size]
    touched = len(blocks.groups(nodes, lower))
    if touched > len(nodes) // size * most:
        found.append(f"segments of {size} are in {touched} blocks of {lower}")
    return found


def _islands(blocks, nodes, size):
    """Rules 1 and 3 of cliques, for segments of that size or a plain job of so many nodes."""
    if blocks.cliques is None or size == 1:
        return []
    if size > blocks.sizes[0]:
        return [f"segments of {size} are larger than a clique"] if size < len(nodes) else []
    return [f"{size} nodes that belong together are not in one clique: {count} are in {where}"
            for where, count in Counter(map(blocks.island, nodes)).items() if count % size]


def _counts_by_tasks(options, count):
    """Whether slurmctld sees the count that --spread-job makes of as many tasks as there are names, or by --ntasks-per-node: it cannot tell
    it from that of -N, which sbatch lowers to the tasks. Such a job leaves its count open."""
    tasks, each = (int(value(options, name) or 0) for name in ("-n", "--ntasks-per-node"))
    least = max(len(hostlist.expand(value(options, "-w") or "")), -(-tasks // each) if each else 1)
    return value(options, "--spread-job") is not None and 0 < tasks <= min(count, least)


def placement(blocks, options, nodes):
    """Rules 1, 2 and 8 for the nodes of a job with these options. A job that leaves its node count open may lie higher (rule 10)."""
    inside = [node for node in nodes if node in blocks.position]
    segment = int(value(options, "--segment") or 0)
    if len(inside) < len(nodes):
        if segment:
            return ["has --segment and nodes in no block"]
        return ["has nodes in blocks and in none"] if inside else []
    if segment and len(nodes) > segment:
        if len(nodes) % segment:
            return [f"{len(nodes)} nodes for segments of {segment}"]
        return [*_segments(blocks, nodes, segment), *_islands(blocks, nodes, segment)]
    fixed = re.fullmatch(r"-N(\d+)(-\1)?", next((option for option in options if option.startswith("-N")), ""))
    bound = segment or fixed and not _counts_by_tasks(options, int(fixed[1]))
    return [*_plain(blocks, nodes), *_islands(blocks, nodes, len(nodes))] if bound else []


class Checker:
    """Keeps what was seen before; `options` are the components of each job by its number."""

    def __init__(self, components):
        self.components, self.judged = components, {}
        self.older = set()  # than the last change of blocks

    def options(self, job):
        """The options of a job; of a component, its own."""
        components = self.components.get(job.root)
        return components[job.id - job.root] if components and len(components) > 1 else components and components[0]

    def faults(self, jobs, blocks, moved=False, unsure=frozenset()):
        """What is wrong now; `moved`: blocks have changed since the last look, so that older jobs are not held to them.
        `unsure`: nodes whose clique has changed since then.
        """
        if moved:
            self.judged = {job.id: job.nodes for job in jobs if job.placed}
            self.older = set(self.judged)
        return [*self._given_twice(jobs), *self._placements(jobs, blocks, unsure), *self._exclusive(jobs, blocks)]

    @staticmethod
    def _given_twice(jobs):
        owners = defaultdict(set)
        for job in jobs:
            for place in job.places:
                for what in cpus_and_gpus(place):
                    owners[what].add(job.id)
        return [f"{kind} {number} of {node} is given to jobs {sorted(ids)}" for (node, kind, number), ids in owners.items() if len(ids) > 1]

    def _placements(self, jobs, blocks, unsure):
        found = []
        for job in jobs:
            options = self.options(job)
            before = self.judged.get(job.id)
            if not job.placed or options is None or before == job.nodes:
                continue
            self.judged[job.id] = job.nodes
            if job.id in self.older and set(job.nodes) < set(before):
                continue  # it gave nodes back
            if not unsure.isdisjoint(job.nodes):
                continue
            found += [f"job {job.id} ({' '.join(options)}) on {hostlist.compress(job.nodes)}: {fault}"
                      for fault in placement(blocks, options, job.nodes)]
        return found

    def _exclusive(self, jobs, blocks):
        """--exclusive=topo: no other job in its base blocks."""
        owners = defaultdict(set)
        for job in jobs:
            for node in job.nodes:
                owners[blocks.position.get(node)].add(job.id)
        return [f"job {job.id} has --exclusive=topo and shares base block {block} with {sorted(owners[block] - {job.id})}"
                for job in jobs if job.placed and job.id not in self.older and value(self.options(job) or (), "--exclusive") == "topo"
                for block in {blocks.position.get(node) for node in job.nodes} - {None}
                if any(other != job.id and not self._same(other, job, jobs) for other in owners[block])]

    @staticmethod
    def _same(number, job, jobs):
        return any(other.id == number and other.root == job.root for other in jobs)


def log_faults(lines, expected):
    """Complaints that name the plugin, but for what the churn caused on purpose."""
    return [line for line in lines if COMPLAINTS.search(line) and OURS_IN_LOG.search(line) and not any(pattern in line for pattern in expected)]


def too_long(decisions):
    """Of decisions' microseconds, those that hold slurmctld up."""
    return [f"a decision takes {took} us" for took in decisions if took > LONGEST_DECISION]
