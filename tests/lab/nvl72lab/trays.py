# SPDX-License-Identifier: GPL-2.0-or-later
"""Made-up clusters whose nodes have CPUs, memory and GPUs of one or two sizes."""

from dataclasses import dataclass

from . import hostlist
from .scenario import Site

MAIN = ("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE",)  # one partition of all nodes, which jobs share


@dataclass(frozen=True)
class Tray:
    """One size of nodes."""

    sockets: int
    cores: int  # a socket
    threads: int
    memory: int
    gpus: int

    @property
    def cpus(self):
        """Of the node."""
        return self.sockets * self.cores * self.threads


@dataclass(frozen=True)
class Grounds(Site):
    """A site whose nodes have one of two sizes."""

    trays: tuple = ()
    small: tuple = ()  # nodes of the second size
    types: str = ""
    binding: str = "count"

    def tray(self, node):
        """The size of a node."""
        return self.trays[1 if node in self.small else 0]

    def lines_of(self, request):
        """The partitions of a request, as slurm.conf has them."""
        return self.lines_named((request.value("-p") or "main").split(","))

    def lines_named(self, names):
        """The partitions of these names, as slurm.conf has them."""
        return [line for line in self.partitions if line.split()[0].partition("=")[2] in names]

    def members(self, line):
        """The nodes of a partition, given as slurm.conf has it."""
        named = hostlist.expand(line.split("Nodes=")[1].split()[0])
        return self.nodes() if named == ["ALL"] else named

    def gives_whole_sockets(self):
        """Whether a job has all CPUs of the sockets that it is on: more on an idle node than on a busy one."""
        return dict(self.settings).get("SelectTypeParameters", "").startswith("CR_Socket")

    def picks_least_loaded(self, request):
        """Whether Slurm gives a job the nodes with the most idle CPUs, by CR_LLN or in any of its partitions."""
        chosen = "CR_LLN" in dict(self.settings).get("SelectTypeParameters", "").split(",")
        return chosen or any("LLN=YES" in line for line in self.lines_of(request))

    def gives_whole_nodes(self, request):
        """Whether a job has its nodes to itself, in whichever of its partitions."""
        exclusive = request.has("--exclusive") and request.value("--exclusive") in ("", "topo")
        return exclusive or all("OverSubscribe=EXCLUSIVE" in line for line in self.lines_of(request))

    def _groups(self):
        chosen = set(self.small)
        groups = ((self.trays[0], [node for node in self.nodes() if node not in chosen]),
                  (self.trays[-1], [node for node in self.nodes() if node in chosen]))
        return [(tray, nodes) for tray, nodes in groups if nodes]

    def shares(self, tray):
        """How many GPUs of each type a node has."""
        names = self.types.split(",")
        if len(names) == 1:
            return ((names[0], tray.gpus),)
        return ((names[0], tray.gpus - tray.gpus // 2), (names[1], tray.gpus // 2))

    def node_lines(self):
        lines = []
        for number, (tray, nodes) in enumerate(self._groups()):
            gres = ",".join(f"gpu:{name}:{count}" if name else f"gpu:{count}" for name, count in self.shares(tray) if count)
            lines.append(f"NodeName={hostlist.compress(nodes)} CPUs={tray.cpus} Sockets={tray.sockets} "
                         f"CoresPerSocket={tray.cores} ThreadsPerCore={tray.threads} RealMemory={tray.memory} Gres={gres} "
                         f"Feature=all,{'big' if number == 0 else 'little'} State=CLOUD\n")
        return "".join(lines)

    def gres(self):
        lines = []
        for tray, nodes in self._groups():
            first = 0
            for name, count in self.shares(tray):
                lines += [f"NodeName={hostlist.compress(nodes)} Name=gpu{f' Type={name}' if name else ''} {rest}\n"
                          for rest in self._devices(tray, first, count)]
                first += count
        return "".join(lines)

    def _devices(self, tray, first, count):
        """gres.conf's words for some GPUs: with Cores, each half of a node's GPUs belongs to one socket."""
        if not count:
            return []
        if self.binding == "count":
            return [f"Count={count}"]
        numbers = range(first, first + count)
        if self.binding == "file" or tray.sockets == 1 or tray.gpus == 1:
            return [f"File=/dev/nvidia{hostlist.compress([f'{number}' for number in numbers])}"]
        found = []
        for socket in range(2):
            own = [f"{number}" for number in numbers if number * 2 // tray.gpus == socket]
            if own:
                cores = f"{socket * tray.cores}-{(socket + 1) * tray.cores - 1}"
                found.append(f"File=/dev/nvidia{hostlist.compress(own)} Cores={cores}")
        return found
