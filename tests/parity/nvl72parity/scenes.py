# SPDX-License-Identifier: GPL-2.0-or-later
"""Random clusters: nodes, GPUs and what they are bound to, slurm.conf's settings, partitions, what runs and is drained."""

import random
from dataclasses import dataclass

from nvl72lab import hostlist
from nvl72lab.scenario import Site
from nvl72lab.trays import Grounds, Tray


SELECTIONS = ("CR_CPU", "CR_CPU_Memory", "CR_Core", "CR_Core_Memory", "CR_Socket", "CR_Socket_Memory")
SELECTION_FLAGS = ("CR_ONE_TASK_PER_CORE", "CR_LLN", "CR_PACK_NODES", "CR_CORE_DEFAULT_DIST_BLOCK", "ENFORCE_BINDING_GRES",
                   "LL_SHARED_GRES")
PARTITION_ENDS = ("", "", "", "", "OverSubscribe=EXCLUSIVE", "OverSubscribe=FORCE:2", "OverSubscribe=YES:3", "LLN=YES",
                  "ExclusiveUser=YES", "MaxNodes=2", "MaxNodes=6", "MinNodes=2")
TYPES = ("", "", "h", "h,l")  # of GPUs; one letter is one type on all
BINDINGS = ("count", "file", "cores")  # what gres.conf says beside the names


def named_nodes(options):
    """The nodes that a job's -w names."""
    return hostlist.expand(options[options.index("-w") + 1])


@dataclass(frozen=True)
class Scene:
    """A cluster with what runs on it."""

    index: int
    grounds: Grounds
    busy: tuple = ()  # options of jobs, each with its nodes
    drained: tuple = ()
    standing: tuple = ()  # options of a reservation that stays, or nothing
    suspended: tuple = ()  # first nodes of the jobs that are, once all run
    shrunk: tuple = ()  # of those that then have no other node

    def busy_nodes(self):
        """Nodes with a job, be it suspended."""
        left = ((names[:1] if names[0] in self.shrunk else names) for names in map(named_nodes, self.busy))
        return frozenset(node for names in left for node in names)

    def reserved_nodes(self):
        """Nodes of the reservation that stays."""
        return frozenset(next((hostlist.expand(word[6:]) for word in self.standing if word.startswith("Nodes=")), []))

    def later(self):
        """Whether that reservation has not begun."""
        return any(word.startswith("StartTime=now+") for word in self.standing)

    def preempts(self):
        """Whether jobs of partition urgent take the place of others."""
        return "PreemptType" in dict(self.grounds.settings)

    def taken_nodes(self):
        """Nodes with a job, or reserved."""
        return self.busy_nodes() | self.reserved_nodes()


def _tray(dice, memory):
    return Tray(sockets=dice.choice((1, 2, 2)), cores=dice.choice((2, 3, 4, 8)), threads=dice.choice((1, 2)),
                memory=memory, gpus=dice.choice((2, 4, 4)))


def _policy(seed, index, base):
    """Words of TopologyParam. What slurmctld learns would change from one request to the next, so the demand is a stated one."""
    dice = random.Random(f"space/{seed}/{index}/policy")
    demand = dice.choice((f"{base}:1", f"{base}:0.7+2:0.3", f"{max(1, base - 1)}:0.6+{base * 2}:0.4", "2:1"))
    return dice.choice((f"Nvl72Demand={demand}", f"Nvl72Demand={demand}", "Nvl72Demand=off", "Nvl72Policy=pack", "Nvl72Policy=compact"))


def _settings(dice):
    flags = [flag for flag in SELECTION_FLAGS if dice.random() < 0.12]
    if "CR_LLN" in flags and "CR_PACK_NODES" in flags:
        flags.remove("CR_LLN")
    selection = dice.choice(SELECTIONS)
    if selection.startswith("CR_CPU") and "CR_ONE_TASK_PER_CORE" in flags:
        flags.remove("CR_ONE_TASK_PER_CORE")  # refused by 26.05
    found = {"SelectTypeParameters": ",".join([selection, *flags]), "DefMemPerCPU": "0"}
    if dice.random() < 0.3:
        found["DefMemPerCPU"] = "50"
    if dice.random() < 0.1:
        found["DefMemPerGPU"] = "100"
    if dice.random() < 0.3:
        found["DefCpuPerGPU"] = f"{dice.randint(1, 3)}"
    return found


def _partitions(dice, site, tray):
    ends = dice.choice(PARTITION_ENDS)
    limit = dice.choice(("", "", "", "", f"MaxCPUsPerNode={max(1, tray.cpus // 2)}", f"MaxCPUsPerSocket={max(1, tray.cores // 2)}"))
    second = [node for node in site.nodes() if dice.random() < 0.7] or site.nodes()
    return (f"PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE {ends} {limit}".rstrip(),
            f"PartitionName=second Nodes={hostlist.compress(second)} MaxTime=INFINITE {dice.choice(PARTITION_ENDS[:8])}".rstrip())


def _busy(dice, grounds):
    """One-node jobs that leave something of their nodes."""
    found = []
    for node in grounds.nodes():
        if dice.random() < 0.35:
            tray = grounds.tray(node)
            gpus = dice.randint(0, tray.gpus - 1)
            more = (f"--gres=gpu:{gpus}",) if gpus else ()
            found.append(("-N1", "-n1", "-w", node, f"-c{dice.randint(1, max(1, tray.cpus // 2))}",
                          f"--mem={dice.randint(1, tray.memory // 2)}", *more))
    return tuple(found)


def _standing(dice, grounds):
    if dice.random() < 0.8:
        return ()
    nodes = dice.sample(grounds.nodes(), min(len(grounds.nodes()), dice.randint(2, 4)))
    return ("StartTime=now", "Duration=UNLIMITED", "Users=root", f"Nodes={hostlist.compress(nodes)}")


def scene(seed, index):
    """The scene of that number; it depends on nothing else."""
    dice = random.Random(f"space/{seed}/{index}")
    base = dice.randint(2, 5)
    racks = tuple(base + dice.choice((0, 0, 0, 1)) for _ in range(dice.randint(2, 5)))
    levels = [base] + [base << power for power in range(1, 3) if dice.random() < 0.6]
    first = _tray(dice, 1000)
    trays = (first, _tray(dice, 500)) if dice.random() < 0.4 else (first,)
    settings = {**_settings(dice), "TopologyParam": _policy(seed, index, base)}
    types, binding = dice.choice(TYPES), dice.choice(BINDINGS)
    if types and binding == "count":
        binding = "file"  # a type without files is not told apart
    site = Site(racks, ",".join(map(str, levels)))
    small = tuple(node for node in site.nodes() if dice.random() < 0.4) if len(trays) > 1 else ()
    grounds = Grounds(racks, site.sizes, settings=tuple(settings.items()), trays=trays, small=small, types=types,
                      binding=binding, partitions=_partitions(dice, site, first))
    drained = tuple(node for node in site.nodes() if dice.random() < 0.06)
    busy = _busy(dice, grounds) if dice.random() < 0.75 else ()
    # A job that boots a node when that is drained is queued again, before all that is asked for later.
    busy = tuple(options for options in busy if named_nodes(options)[0] not in drained)
    return Scene(index, grounds, busy, drained, _standing(dice, grounds))
