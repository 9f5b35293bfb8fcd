# SPDX-License-Identifier: GPL-2.0-or-later
"""The clusters that are measured: racks of 18 nodes with 4 GPUs each, and the states that they can be put into."""

from dataclasses import dataclass

RACK = 18
SETTINGS = """ClusterName=bench
SlurmctldHost=localhost(127.0.0.1)
TopologyPlugin=topology/timed
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SlurmctldDebug=error
MessageTimeout={limit}
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=-1
ResumeTimeout=65000
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,max_sched_time={half},bf_interval={backfill},bf_max_time={limit}
"""
NODE = "Sockets=2 ThreadsPerCore=1 RealMemory=900000 Gres=gpu:4"
QUEUES = 10
UNIFORM, MIXED, BY_GPU = "", "mixed node sizes", "DefCpuPerGPU=36"  # kinds of cluster
NO_BACKFILL = 10800  # seconds, the most that Slurm takes: else backfill places some of the jobs that are measured
CLIQUE = "b78ed242-7b98-426f-b194-{:012x}.32766"


def name(number):
    """The node's name; nodes count from 1, rack after rack."""
    return f"node{number:05}"


@dataclass(frozen=True)
class Cluster:
    """So many racks; MIXED ones have nodes of 144 and of 72 CPUs, half and half."""

    racks: int
    kind: str = UNIFORM
    cliques: str = ""  # a value of Nvl72Clique= for a cluster whose nodes name their cliques, one per rack; "": they name none
    words: str = ""  # of TopologyParam

    @property
    def nodes(self):
        """Of the whole cluster."""
        return self.racks * RACK

    def block_sizes(self):
        """18, 36, ... up to the largest block that the racks can form."""
        return ",".join(str(RACK << power) for power in range(16) if 1 << power <= self.racks)

    def _first(self, rack):
        return rack * RACK + 1

    def _rack_nodes(self, rack):
        return f"node[{self._first(rack):05}-{self._first(rack) + RACK - 1:05}]"

    def topology(self):
        """Text of topology.conf."""
        lines = [f"BlockName=rack{rack + 1:04} Nodes={self._rack_nodes(rack)}" for rack in range(self.racks)]
        return "\n".join([*lines, f"BlockSizes={self.block_sizes()}", ""])

    def in_each_rack(self, first, last):
        """The nodes first to last (from 1) of every rack, as Slurm writes a list."""
        parts = [f"{self._first(rack) + first - 1:05}-{self._first(rack) + last - 1:05}" for rack in range(self.racks)]
        return f"node[{','.join(parts)}]"

    def node_lines(self):
        """NodeName lines of slurm.conf."""
        if self.cliques:
            return "".join(self._line(self._rack_nodes(rack), 72, f" Feature=gb200,{CLIQUE.format(rack)}")
                           for rack in range(self.racks))
        if self.kind != MIXED:
            return self._line(f"node[00001-{self.nodes:05}]", 72)
        return self._line(self.in_each_rack(1, RACK // 2), 72) + self._line(self.in_each_rack(RACK // 2 + 1, RACK), 36)

    def _line(self, nodes, cores, more=""):
        return f"NodeName={nodes} CPUs={2 * cores} CoresPerSocket={cores} {NODE} State=CLOUD{more}\n"

    def write(self, folder, limit, backfill):
        """Makes the configuration folder; no answer may take longer than `limit` seconds, backfill runs once in
        `backfill` seconds."""
        folder.mkdir(parents=True, exist_ok=True)
        partitions = ["PartitionName=main Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP"]
        partitions += [f"PartitionName=queue{queue} Nodes=ALL OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP"
                       for queue in range(QUEUES)]
        # Jobs share nodes here: in `main` they have whole ones.
        partitions.append("PartitionName=shared Nodes=ALL MaxTime=INFINITE State=UP" +
                          (f" {BY_GPU}" if self.kind == BY_GPU else ""))
        words = ",".join([f"Nvl72Clique={self.cliques}"] * bool(self.cliques) + [self.words] * bool(self.words))
        topology = f"TopologyParam={words}\n" if words else ""
        text = SETTINGS.format(limit=limit, half=limit // 2, backfill=backfill) + topology + self.node_lines() + "\n".join([*partitions, ""])
        (folder / "slurm.conf").write_text(text, "utf-8")
        (folder / "topology.conf").write_text(self.topology(), "utf-8")
        (folder / "gres.conf").write_text(f"NodeName=node[00001-{self.nodes:05}] Name=gpu Count=4\n", "utf-8")
