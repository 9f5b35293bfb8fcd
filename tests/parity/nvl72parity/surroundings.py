# SPDX-License-Identifier: GPL-2.0-or-later
"""What some clusters and requests have besides: preemption, a reservation that begins later, nodes in no block, licences, time limits,
jobs that were suspended or have given nodes back, changes of a waiting job. It has dice of its own, so that all else of a seed stays
as it is without it.
"""

import random
import re
from dataclasses import replace

from nvl72lab import hostlist

from .requests import JOB, value, without
from .scenes import named_nodes

LICENCES = ("Licenses", "lic:3")
URGENT = "PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10"
MODES = ("REQUEUE", "CANCEL")
# Options that a held job can be given as well. A list of partitions makes Slurm start it, held or not.
CHANGED = ("-x", "-C", "-t", "-N", "--mincpus")
FEATURES = ("all", "big", "little", "big&all")


def _dice(*words):
    return random.Random("/".join(map(str, ("surroundings", *words))))


def _later(dice, grounds):
    """A reservation that keeps its nodes from jobs that would still run in two hours."""
    nodes = dice.sample(grounds.nodes(), min(len(grounds.nodes()), dice.randint(2, 4)))
    flags = dice.choice(((), ("Flags=MAINT",), ("Flags=IGNORE_JOBS",)))
    return ("StartTime=now+2hours", "Duration=2:00:00", "Users=root", f"Nodes={hostlist.compress(nodes)}", *flags)


def _crowd(dice, scene, grounds):
    """The jobs that run, with others that leave few nodes free: so that a job has to preempt some."""
    free = [node for node in grounds.nodes() if node not in scene.busy_nodes() and node not in scene.drained]
    return (*scene.busy, *(("-N1", "-n1", "-w", node, "-c1", "--exclusive") for node in free if dice.random() < 0.7))


def surround(seed, scene):
    """The scene with what it has besides."""
    dice = _dice(seed, scene.index)
    grounds = replace(scene.grounds, settings=(*scene.grounds.settings, LICENCES))
    if dice.random() < 0.2:
        modes = (("PreemptType", "preempt/partition_prio"), ("PreemptMode", dice.choice(MODES)))
        # Slurm looks for nodes to preempt jobs on without regard to jobs that may share theirs, and then ends others, or none.
        lines = tuple(re.sub(r"OverSubscribe=(YES|FORCE):\d", "", line).rstrip() for line in grounds.partitions)
        grounds = replace(grounds, settings=(*grounds.settings, *modes), partitions=(*lines, URGENT))
        scene = replace(scene, busy=_crowd(dice, scene, grounds))
    if dice.random() < 0.15:
        grounds = replace(grounds, outside=dice.randint(1, 3))
    standing = _later(dice, grounds) if not scene.standing and dice.random() < 0.2 else scene.standing
    around = replace(scene, grounds=grounds, standing=standing)
    return around if around.preempts() or dice.random() < 0.7 else _altered(dice, around)


def _wide(dice, scene, rack):
    """A job of some free nodes of a rack, or None."""
    taken = scene.busy_nodes() | set(scene.drained)
    free = [node for node in scene.grounds.rack(rack) if node not in taken]
    if len(free) < 2:
        return None
    names = sorted(dice.sample(free, min(len(free), dice.randint(2, 3))))
    more = dice.choice(((), ("--gpus-per-node=1",), ("--exclusive",)))
    return (f"-N{len(names)}", f"-n{len(names)}", "-w", ",".join(names), "-c1", "--mem=10", *more)


def _altered(dice, scene):
    """The scene with jobs that are suspended, and others that have given nodes back."""
    suspended = tuple(named_nodes(options)[0] for options in scene.busy if dice.random() < 0.4)
    wide = [_wide(dice, scene, rack) for rack in range(1, len(scene.grounds.racks) + 1) if dice.random() < 0.5]
    wide = tuple(options for options in wide if options)
    shrunk = tuple(named_nodes(options)[0] for options in wide)
    return replace(scene, busy=(*scene.busy, *wide), suspended=suspended, shrunk=shrunk)


def _listed(dice, options):
    """-N with counts that are not all those between."""
    least = value(options, "-N")
    if least is None or not least.isdecimal() or value(options, "--segment") is not None:
        return options
    counts = sorted({int(least) + dice.randint(0, 5) for _ in range(3)})
    return tuple(f"-N{','.join(map(str, counts))}" if option == f"-N{least}" else option for option in options)


def _limits(dice, scene):
    """Options about time and licences."""
    found = []
    if dice.random() < (0.5 if scene.later() else 0.1):
        found.append(f"-t{dice.choice((30, 60, 300))}")
        if dice.random() < 0.15:
            found.append(f"--deadline=now+{dice.randint(1, 6)}hours")
    if dice.random() < 0.03:
        found.append(f"--licenses=lic:{dice.randint(1, 4)}")
    if dice.random() < 0.01:
        found.append("--begin=now+1hour")
    return found


def _kinds(dice, options):
    """Options about the nodes' kind, and each task's CPUs in another form."""
    found = []
    if value(options, "-C") is None and dice.random() < 0.04:
        found.append(f"--prefer={dice.choice(FEATURES)}")
    if dice.random() < 0.02:
        found.append(f"--extra-node-info={dice.randint(1, 2)}:{dice.randint(1, 2)}:{dice.randint(1, 2)}")
    if value(options, "-c", "--cpus-per-gpu", "--gpus-per-task") is None and value(options, "-n") is not None and dice.random() < 0.04:
        found.append(f"--tres-per-task=cpu:{dice.randint(1, 3)}")
    return found


def widen(seed, scene, number, request):
    """The request with what it has besides."""
    if request.command != JOB:
        return request
    dice = _dice(seed, scene.index, number)
    options = request.components[0]
    if dice.random() < 0.05:
        options = _listed(dice, options)
    options = (*options, *_limits(dice, scene), *_kinds(dice, options))
    if scene.preempts() and dice.random() < 0.5:
        options = (*without(options, "-p"), "-p", "urgent")
    changed = replace(request, components=(options, *request.components[1:]))
    alone = len(request.components) == 1 and not request.has("--array")
    late = alone and dice.random() < 0.1
    return replace(changed, late=tuple(name for name in CHANGED if _can_come_late(changed, name)) if late else ())


def _can_come_late(request, name):
    """Whether `scontrol update` makes the same job of it. More nodes than tasks are lowered by sbatch alone, and it makes a task for each."""
    if name == "-N":
        least, most = request.nodes
        return 0 < least == most <= request.number("-n")
    return request.has(name)
