# SPDX-License-Identifier: GPL-2.0-or-later
"""Sites made up by a test: racks, partitions and node attributes, on the instance that runs already."""

import re
from dataclasses import dataclass

from . import cluster, hostlist

OURS, STOCK = "topology/nvl72block", "topology/block"
EXCLUSIVE = "PartitionName=main Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE MaxTime=INFINITE"
SHARED = "PartitionName=shared Nodes=ALL MaxTime=INFINITE"
# One CPU's memory must not default to all of a node's.
SETTINGS = {"SelectTypeParameters": "CR_Core_Memory", "DefMemPerCPU": "10", "GresTypes": "gpu"}
NODE = "CPUs=16 Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:4"
PLAIN = re.compile(r"(?i)^(NodeName|PartitionName)=")


@dataclass(frozen=True)
class Site:
    """Racks r1, r2, ... with nodes r1n01, r1n02, ...; nodes out01, out02, ... lie in no block."""

    racks: tuple = (4, 4, 4, 4)
    sizes: str = "4,8,16"
    outside: int = 0
    special: tuple = ()  # (node list, "Key=Value ..."): these nodes differ from NODE in that
    partitions: tuple = (EXCLUSIVE, SHARED)
    settings: tuple = ()  # (key, value) of slurm.conf

    def rack(self, number):
        """The names of a rack's nodes; racks count from 1."""
        return [f"r{number}n{node:02}" for node in range(1, self.racks[number - 1] + 1)]

    def nodes(self):
        """All names, in the order of the file."""
        inside = [name for number in range(1, len(self.racks) + 1) for name in self.rack(number)]
        return inside + [f"out{node:02}" for node in range(1, self.outside + 1)]

    def topology(self):
        """Text of topology.conf."""
        lines = [f"BlockName=r{number} Nodes={hostlist.compress(self.rack(number))}"
                 for number in range(1, len(self.racks) + 1)]
        return "\n".join([*lines, f"BlockSizes={self.sizes}", ""])

    def _attributes(self):
        """Each node's attributes as one text, nodes with the same text together."""
        own = {name: _merge(NODE, more) for names, more in self.special for name in hostlist.expand(names)}
        groups = {}
        for name in self.nodes():
            groups.setdefault(own.get(name, NODE), []).append(name)
        return groups

    def node_lines(self):
        """NodeName lines of slurm.conf."""
        return "".join(f"NodeName={hostlist.compress(names)} {attributes} State=CLOUD\n"
                       for attributes, names in self._attributes().items())

    def gres(self):
        """Text of gres.conf."""
        return "".join(f"NodeName={hostlist.compress(names)} Name=gpu Count={attributes.split('gpu:')[1].split()[0]}\n"
                       for attributes, names in self._attributes().items() if "gpu:" in attributes)


def _merge(attributes, more):
    merged = dict(part.split("=", 1) for part in (attributes + " " + more).split())
    return " ".join(f"{key}={value}" for key, value in merged.items())


def files(site, plain):
    """Names and texts of the site's files; `plain` is slurm.conf as the instance was started with it."""
    settings = {**SETTINGS, **dict(site.settings)}
    kept = [line for line in plain.splitlines()
            if not PLAIN.match(line) and line.split("=", 1)[0].strip() not in settings]
    text = "\n".join([*kept, *(f"{key}={value}" for key, value in settings.items()), site.node_lines(),
                      *site.partitions, ""])
    return {"slurm.conf": text, "gres.conf": site.gres(), "topology.conf": site.topology()}


def exported_files(parts, plain):
    """The same of what `nvl72block shadow --export` and `nvl72block report` print, by the names of its sections."""
    lines = [f"{line} State=CLOUD" if line.startswith("NodeName=") else line for line in parts["slurm.conf"].splitlines()]
    keys = {line.split("=", 1)[0] for line in lines}
    kept = [line for line in plain.splitlines() if not PLAIN.match(line) and line.split("=", 1)[0].strip() not in keys]
    return {"slurm.conf": "\n".join([*kept, *lines, ""]), "topology.conf": parts["topology.conf"], "gres.conf": parts.get("gres.conf", "")}


def install(site, plain):
    """Writes the site's files into the instance's folder."""
    for name, text in files(site, plain).items():
        (cluster.configuration() / name).write_text(text, "utf-8")


class Stage:
    """The instance's controller, started anew for each scene."""

    def __init__(self):
        self.plain = (cluster.configuration() / "slurm.conf").read_text("utf-8")
        self.release = cluster.release()

    def open(self, site, plugin):
        """A fresh slurmctld with that site and plugin, and without a past."""
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "forget")
        install(site, self.plain)
        cluster.use_plugin(plugin)
        cluster.ask("lab-ctl", "start")

    def switch(self, plugin):
        """The same site and jobs with another plugin."""
        cluster.restart_with(plugin)
