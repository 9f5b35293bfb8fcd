# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a set of nodes keeps the rules of docs/placement.md, and where a request could go within them.

Written from that page, on top of node_rules.py.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice, product

from nvl72lab import hostlist

from . import whole_nodes
from .node_rules import NodeJudge
from .requests import cpus_a_task, value

DEFAULT_PARTITION = ("main",)
MOST_VECTORS = 40  # of node counts a base block, tried for a job with segments


@dataclass(frozen=True)
class Wish:
    """What a request asks for of the blocks."""

    segment: int = 0
    spread: bool = False
    consolidate: bool = False
    most_blocks: int = 0  # --switches
    least: int = 0  # of a range, with -N
    sized: bool = False  # by totals: the node count is open
    alone: bool = False  # --exclusive=topo: base blocks without other jobs
    named: tuple = ()  # -w
    excluded: tuple = ()  # -x
    partitions: tuple = ()
    raised: int = 0  # the fewest nodes that Slurm may give the job, by its options
    cpus: int = 0  # of all tasks; 0 where they share CPUs
    whole_cores: bool = False  # a CPU is a core, whatever threads it has
    tasks: int = 0
    socket_tasks: int = 0  # --ntasks-per-socket
    core_tasks: int = 0  # --ntasks-per-core
    features: tuple = ()  # of -C, where every node must have all of them
    gpus: str = ""  # of all nodes together, by --gpus or by --gpus-per-task of all tasks: "4", "h:4" or "h:2,l:2"
    cpus_a_gpu: int = 0  # --cpus-per-gpu
    memory: int = -1  # MB for each CPU; 0 where memory is asked for otherwise, -1 for slurm.conf's

    @staticmethod
    def of(options):
        """Read from sbatch's options."""
        def number(name):
            return int(re.match(r"\d+", value(options, name) or "0")[0])
        def has(*names):
            return value(options, *names) is not None
        counts = re.findall(r"\d+", value(options, "-N") or "")  # "3", "3-5" or "2,4,8"
        least, most = (counts[0], counts[-1] if len(counts) > 1 else "") if counts else ("", "")
        waits_for_few = not (value(options, "--switches") or "").endswith("@0")
        tasks, nodes = number("-n"), tuple(hostlist.expand(value(options, "-w", "--nodelist") or ""))
        named, partitions = len(nodes), value(options, "-p")
        # sbatch makes fewer tasks than nodes (a list of names counts as -N) the node count.
        fixed = 0 < tasks < (int(least) if least else named)
        # Names and --ntasks-per-node raise Slurm's minimum. A range ends with the tasks and the GPUs of --gpus. One count may be left.
        each = number("--ntasks-per-node")
        raised = max(int(least or 0), named, -(-tasks // each) if each else 0)
        gpus = re.search(r"\d+$", value(options, "--gpus") or "")
        ends = [int(end) for end in (most, tasks, gpus and gpus[0]) if most and end]
        fixed = fixed or bool(ends and raised >= min(ends))
        # slurmctld cannot tell -N from the count that --spread-job makes of as many tasks as there are names, or by --ntasks-per-node.
        # Of more nodes than tasks sbatch asks for as many as tasks.
        # With -c slurmctld is told the tasks of -N and --ntasks-per-node as if -n had named them.
        told = tasks or (int(least or 0) * each if has("-c", "--cpus-per-task") and not most else 0)
        few = 0 < told <= int(least or 0) or 0 < told == int(most or 0)
        by_tasks = has("--spread-job") and few and told == max(named, -(-told // each) if each else 0)
        # A range for all tasks from one node, or from the named ones, is what Slurm makes of --spread-job alone.
        spread = has("--spread-job") and int(least or 0) == max(1, named) and 0 < tasks <= int(most or 0)
        # For the nodes of a feature ('-C all*2') Slurm asks for the minimum.
        fewest = has("--gpus", "--gpus-per-task", "--use-min-nodes") or "*" in (value(options, "-C") or "")
        # Of several counts Slurm asks for one after the other; where GPUs are fewer than the largest, sbatch makes a range of them.
        listed = "," in (value(options, "-N") or "") and not (gpus and int(gpus[0]) < int(most))
        ranged = most and most != least and not listed and (spread or fewest)
        return Wish(number("--segment"), has("--spread-segments"), has("--consolidate-segments"),
                    number("--switches") if waits_for_few else 0, int(least or 0),
                    by_tasks or not fixed and bool(not least or ranged), value(options, "--exclusive") == "topo",
                    nodes, tuple(hostlist.expand(value(options, "-x") or "")), tuple(partitions.split(",")) if partitions else (),
                    raised, tasks * cpus_a_task(options) if not has("-O", "--overcommit") else 0,
                    value(options, "--hint") == "nomultithread" or number("--threads-per-core") == 1, tasks,
                    number("--ntasks-per-socket"), number("--ntasks-per-core"),
                    () if re.search(r"[|*\[(]", value(options, "-C") or "|") else tuple(value(options, "-C").split("&")),
                    value(options, "--gpus") or re.sub(r"\d+$", lambda each: str(int(each[0]) * tasks), value(options, "--gpus-per-task") or ""),
                    number("--cpus-per-gpu"), 0 if has("--mem", "--mem-per-gpu") else number("--mem-per-cpu") or -1)


def most_cpus(line, tray):
    """CPUs that a partition lets a job have on a node."""
    ends = [int(number) * (tray.sockets if scope == "Socket" else 1) for scope, number in re.findall(r"MaxCPUsPer(Node|Socket)=(\d+)", line)]
    return min([tray.cpus, *ends])


def _divides(counts, size, most):
    """Whether nodes in so many base blocks make segments that share none, of at most so many base blocks each."""
    if not counts:
        return True
    first, *rest = counts  # its segment takes some of the others
    return any(first + sum(rest[index] for index in chosen) == size and
               _divides([count for index, count in enumerate(rest) if index not in chosen], size, most)
               for number in range(most) for chosen in combinations(range(len(rest)), number))


@cache
def _packs(counts, size, most):
    """Whether nodes in so many blocks make segments of at most so many blocks each, which may share them."""
    if not counts:
        return True
    first, *rest = counts  # its first segment takes nodes of some of the others, too
    def left(own, chosen, amounts):
        taken = dict(zip(chosen, amounts))
        return tuple(sorted(filter(None, (first - own, *(count - taken.get(index, 0) for index, count in enumerate(rest))))))
    return any(own + sum(amounts) == size and _packs(left(own, chosen, amounts), size, most)
               for own in range(1, min(first, size) + 1) for number in range(most) for chosen in combinations(range(len(rest)), number)
               for amounts in product(*(range(1, rest[index] + 1) for index in chosen)))


class Rules:
    """The rules on one site."""

    def __init__(self, site, busy=frozenset()):
        self.site, self.busy = site, busy
        self.racks = [site.rack(number) for number in range(1, len(site.racks) + 1)]

    def judge(self, count, segment):
        """The judge of whole nodes for so many."""
        case = whole_nodes.Case((), whole_nodes.Request(count, segment=segment))
        return NodeJudge(whole_nodes.Scene(0, self.site, [], {}), case, ())

    def can_keep_within(self, count, wish):
        """Whether as few base blocks as --switches names can hold so many nodes at all; it means nothing where they cannot.

        With all nodes free that each of the job's partitions has and -x leaves, and with those of -w.
        """
        size, base = wish.segment, self.judge(count, 0).sizes[0]
        if wish.spread and count > size and count // size * -(-size // base) > wish.most_blocks:
            return False
        lines = self.site.lines_named(wish.partitions or DEFAULT_PARTITION)
        return any(self._has_cpus_within(wish, line) for line in lines) and all(self._can_keep(count, wish, line) for line in lines)

    def _fewest(self, count, wish):
        """Nodes that the job needs at least where some time it may have others than these."""
        trays = [self.site.tray(node) for node in self.site.nodes() if self._has_features(node, wish)] or [self.site.trays[0]]
        gpus = self._fewest_for_gpus(wish, trays) if wish.sized else 0
        cpus = self._fewest_for_cpus(wish, trays) if wish.cpus else 0
        if wish.sized and wish.cpus:
            return min(count, max(wish.raised, gpus, cpus))
        return min(count, max(wish.least, max(wish.raised, cpus) if wish.least else 0, gpus) or count)

    def _fewest_for_cpus(self, wish, trays):
        """Nodes of which the best have the CPUs of all tasks."""
        lines = self.site.lines_named(wish.partitions or DEFAULT_PARTITION)
        largest = max(self._cpus_for_tasks(line, tray, wish) for tray in trays for line in lines)
        by_sockets = wish.socket_tasks * max(tray.sockets for tray in trays)
        return max(-(-wish.cpus // max(1, largest)), -(-wish.tasks // by_sockets) if by_sockets else 1)

    def _cpus_for_tasks(self, line, tray, wish):
        """CPUs of a node of a partition that tasks can have; what is left of them is too few for a task."""
        cores = wish.whole_cores or "CR_ONE_TASK_PER_CORE" in dict(self.site.settings).get("SelectTypeParameters", "")
        most = min(tray.cpus // tray.threads if cores else tray.cpus, most_cpus(line, tray), self._cpus_in_memory(tray, wish))
        return most - most % max(1, wish.cpus // wish.tasks if wish.tasks else 1)

    def _cpus_in_memory(self, tray, wish):
        """CPUs of a node that there is memory for."""
        settings = dict(self.site.settings)
        counts = settings.get("SelectTypeParameters", "").split(",", maxsplit=1)[0].endswith("_Memory")
        each = int(settings.get("DefMemPerCPU", 0)) if wish.memory < 0 else wish.memory
        return tray.memory // each if counts and each else tray.cpus

    def _has_features(self, node, wish):
        return set(wish.features) <= {"all", "little" if node in self.site.small else "big"}

    def _fewest_for_gpus(self, wish, trays):
        """Nodes of which the best have all GPUs of each type that --gpus names, as far as they have the CPUs of --cpus-per-gpu."""
        found = 0
        for name, _, amount in (words.rpartition(":") for words in wish.gpus.split(",") if words):
            most = max(min(sum(count for kind, count in self.site.shares(tray) if name in ("", kind)),
                           tray.cpus // wish.cpus_a_gpu if wish.cpus_a_gpu else tray.gpus) for tray in trays)
            found = max(found, -(-int(amount) // max(1, most)))
        return found

    def _suitable(self, wish, line):
        return {node for node in set(self.site.members(line)) - set(wish.excluded) if self._has_features(node, wish)}

    def _has_cpus_within(self, wish, line):
        members = self._suitable(wish, line)
        cpus = sorted(sum(self._cpus_for_tasks(line, self.site.tray(node), wish) for node in members & set(rack)) for rack in self.racks)
        return sum(cpus[-wish.most_blocks:]) >= wish.cpus

    def _can_keep(self, count, wish, line):
        members = self._suitable(wish, line)
        sizes = [(bool(set(rack) & set(wish.named)), len(members & set(rack))) for rack in self.racks]
        return (sum(named for named, _ in sizes) <= wish.most_blocks and
                sum(size for _, size in sorted(sizes)[-wish.most_blocks:]) >= count)

    def crowds(self, nodes, wish):
        """Whether --ntasks-per-core leaves the nodes too few cores for all tasks. Slurm forecasts and starts such jobs all the same."""
        trays = [self.site.tray(node) for node in nodes]
        return 0 < wish.core_tasks * sum(tray.cpus // tray.threads for tray in trays) < wish.tasks

    def lacks_cpus(self, nodes, wish):
        """Whether the nodes, empty, have too few CPUs or sockets for all tasks."""
        return bool(wish.cpus) and self._fewest_for_cpus(wish, [self.site.tray(node) for node in nodes]) > len(nodes)

    def used(self, nodes):
        """How many nodes lie in each base block that some lie in."""
        judge = self.judge(len(nodes), 0)
        return judge.groups(nodes, judge.sizes[0])

    def level(self, nodes):
        """The smallest level with a block that holds the nodes; the whole lies above all."""
        judge = self.judge(len(nodes), 0)
        return next((number for number, size in enumerate(judge.sizes) if len(judge.groups(nodes, size)) == 1), len(judge.sizes))

    def level_allowed(self, nodes):
        """The smallest level at which rule 10 allows them: at the level of their number no more blocks than rule 1, above it any."""
        judge, level = self.judge(len(nodes), 0), self.level(nodes)
        upper = judge.bounds(len(nodes))[0]
        own = len(judge.sizes) if upper is None else judge.sizes.index(upper)
        return max(level, own + 1) if level <= own and judge.plain_faults(nodes) else level

    def faults(self, nodes, wish):
        """What is wrong with the nodes, in words."""
        count, size = len(nodes), wish.segment
        judge = self.judge(count, size if count > size else 0)
        used = judge.groups(nodes, judge.sizes[0])
        found = []
        if wish.alone and any(self.busy & set(rack) for rack in self.racks if set(nodes) & set(rack)):
            found.append("in a base block with other jobs")
        if wish.most_blocks and len(used) > wish.most_blocks and self.can_keep_within(self._fewest(count, wish), wish):
            found.append(f"in {len(used)} base blocks")
        if judge.outside(nodes):
            return found + judge.outside_faults(nodes) if not size else [*found, "segments outside of blocks"]
        if not size or count <= size:
            above = wish.sized and not size and self._has_counts(wish) and self._above(judge, nodes)  # a segment binds any count
            return found + ([] if above else judge.plain_faults(nodes))
        if count % size:
            return [*found, f"{count} nodes are no multiple of {size}"]
        return found + (judge.segment_faults(nodes) or self._unpacked(judge, nodes, size)) + self._companions(judge, nodes, wish)

    def _unpacked(self, judge, nodes, size):
        """Rule 2 of segments that no base block holds: each lies in few enough blocks of the lower level."""
        upper, lower, most = judge.bounds(size)
        parts = [[node for node in nodes if node in block] for block in self._blocks(upper)]
        counts = [tuple(sorted(judge.groups(part, lower).values())) for part in parts if part]
        return [] if all(_packs(each, size, most) for each in counts) else [f"segments of {size} in more than {most} blocks of {lower}"]

    def _has_counts(self, wish):
        """Whether the partition allows more nodes than are named, or nobody has named a number."""
        if not wish.least and wish.raised <= len(wish.named):
            return True
        limits = [re.search(r"MaxNodes=(\d+)", line) for line in self.site.lines_named(wish.partitions or DEFAULT_PARTITION)]
        return any(not limit or int(limit[1]) > max(1, len(wish.named), wish.raised) for limit in limits)

    @staticmethod
    def _above(judge, nodes):
        """Rule 10: above the level that the count alone would have, the last time in the whole, rule 1 has no say."""
        return judge.bounds(len(nodes))[0] is not None

    def _companions(self, judge, nodes, wish):
        """Rules 3 and 4."""
        count, size, base = len(nodes), wish.segment, judge.sizes[0]
        found = []
        if wish.spread and size <= base and any(taken > size for taken in judge.groups(nodes, base).values()):
            found.append("two segments in a base block")
        if wish.spread and size > base and not _divides(list(judge.groups(nodes, base).values()), size, -(-size // base)):
            found.append("no base blocks of their own for all segments")
        if wish.consolidate:
            room = count // size * -(-size // base) * base if wish.spread else count
            upper = judge.bounds(room)[0]
            if len(judge.groups(nodes, upper)) > 1:
                found.append(f"not in one block of {upper}")
        return found

    def scopes(self):
        """Every set of nodes within which a plain job of some count would keep rule 1, largest first."""
        found = set()
        for count in range(1, len(self.site.nodes()) + 1):
            upper, lower, most = self.judge(count, 0).bounds(count)
            for outer in self._blocks(upper):
                inner = [block & outer for block in self._blocks(lower) if block & outer]
                found.update(frozenset().union(*chosen) for chosen in combinations(inner, min(most, len(inner))))
                found.add(outer)
        return sorted(found, key=lambda scope: (-len(scope), sorted(scope)))

    def _blocks(self, size):
        """The node sets of the blocks of a size; None stands for the whole."""
        base = int(self.site.sizes.split(",", maxsplit=1)[0])
        width = len(self.racks) if size is None else size // base
        return [frozenset(node for rack in self.racks[first:first + width] for node in rack)
                for first in range(0, len(self.racks), width)]

    def vectors(self, count, wish):
        """Node sets of a legal number in each base block, taken from the front of `ranked` racks; for segments."""
        def legal(ranked):
            for taken in product(*(range(len(rack) + 1) for rack in ranked)):
                if sum(taken) == count:
                    nodes = [node for rack, own in zip(ranked, taken) for node in rack[:own]]
                    if not self.faults(nodes, wish):
                        yield tuple(nodes)
        return lambda ranked: islice(legal(ranked), MOST_VECTORS)
