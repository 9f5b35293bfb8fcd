# SPDX-License-Identifier: GPL-2.0-or-later
"""Orders that follow the blocks: the node table under BlockAsNodeRank, the tasks of a job over several blocks."""

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK

NODES = [f"node{number:03}" for number in range(108)]
# Blocks that do not follow the nodes' names: every third node, and one rack that comes first although it is named last.
BLOCKS = {"c": NODES[90:], "a": NODES[0:90:3], "b": NODES[1:90:3]}
OUTSIDE = NODES[2:90:3]


class NodeRank(LabCase):
    """TopologyParam=BlockAsNodeRank."""

    options = ("--plugin", "nvl72block", "--set", "TopologyParam=BlockAsNodeRank")

    def order(self, plugin):
        """The node table's order with a plugin."""
        cluster.restart_with(plugin)
        return [line.split()[0].split("=")[1] for line in cluster.ask("scontrol", "-o", "show", "node").splitlines()]

    def test_nodes_stand_block_by_block(self):
        lines = [f"BlockName={name} Nodes={','.join(nodes)}" for name, nodes in BLOCKS.items()]
        cluster.write_topology("\n".join([*lines, "BlockSizes=18", ""]))
        ours = self.order(OURS)
        self.assertEqual(ours, OUTSIDE + BLOCKS["c"] + BLOCKS["a"] + BLOCKS["b"])
        stock = self.order(STOCK)
        self.assertEqual(stock, ours if cluster.release() >= (25, 11) else NODES)


class TaskOrder(LabCase):
    """Two racks of four real nodes that do not follow the nodes' names."""

    config = "two-by-4-real"
    oldest = (26, 5)

    def tasks(self, plugin):
        """The node of each task of a job over both racks."""
        cluster.restart_with(plugin)
        lines = cluster.ask("srun", "-N8", "sh", "-c", "echo $SLURM_PROCID $SLURMD_NODENAME").splitlines()
        return [node for _, node in sorted((int(line.split()[0]), line.split()[1]) for line in lines)]

    def test_tasks_stand_block_by_block(self):
        cluster.write_topology("BlockName=a Nodes=r1n[01-02],r2n[01-02]\nBlockName=b Nodes=r1n[03-04],r2n[03-04]\n"
                               "BlockSizes=4\n")
        ours = self.tasks(OURS)
        self.assertEqual(ours, ["r1n01", "r1n02", "r2n01", "r2n02", "r1n03", "r1n04", "r2n03", "r2n04"])
        self.assertEqual(self.tasks(STOCK), ours)
