# SPDX-License-Identifier: GPL-2.0-or-later
"""scontrol show topology prints what Slurm's topology/block prints, byte for byte."""

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase

STOCK, OURS = "topology/block", "topology/nvl72block"


def racks(count, size, names=None):
    """BlockName lines for consecutive nodes."""
    names = names or [f"rack{number}" for number in range(1, count + 1)]
    return "".join(f"BlockName={name} Nodes=node[{start:03}-{start + size - 1:03}]\n"
                   for name, start in zip(names, range(0, count * size, size)))


class Show(LabCase):
    """Each test writes a topology.conf, starts slurmctld with both plugins in turn and compares."""

    config = "eight-by-18"
    started = False
    lengthy = ("test_levels", "test_level_left_out")

    def questions(self):
        """Command lines for the whole, for blocks, for nodes, and for what does not exist."""
        blocks = cluster.blocks()
        nodes = [members[len(members) // 2] for members in blocks.values() if members]
        names = [*blocks, *nodes, f"{nodes[0]},{nodes[-1]}", "nowhere"]
        selected = [form.format(name) for name in names for form in ("{}", "block={}", "node={}", "unit={}", "nodes={}")]
        return [(), *((name,) for name in selected)]

    def answers(self, plugin):
        """What scontrol says with one plugin, as (status, output, errors) by question."""
        cluster.use_plugin(plugin)
        cluster.ask("lab-ctl", "restart")
        found = {question: cluster.run("scontrol", "show", "topology", *question) for question in self.questions()}
        for width in ("40", "60", "500"):
            found[("SLURM_TOPO_LEN", width)] = cluster.run("scontrol", "show", "topology",
                                                           environment={"SLURM_TOPO_LEN": width})
        return found

    def compare(self, topology):
        """Fails at the first difference."""
        cluster.write_topology(topology)
        stock, ours = self.answers(STOCK), self.answers(OURS)
        self.assertIn("BlockName=", stock[()].out)
        for question, answer in stock.items():
            with self.subTest(question=question):
                self.assertEqual(ours[question], answer)

    def test_plain(self):
        self.compare(racks(8, 18) + "BlockSizes=18\n")

    def test_levels(self):
        self.compare(racks(8, 18) + "BlockSizes=18,36,72,144\n")

    def test_level_left_out(self):
        self.compare(racks(8, 18) + "BlockSizes=18,72\n")

    def test_odd_count(self):
        self.compare(racks(7, 18) + "BlockSizes=18,36,72\n")

    def test_five_blocks(self):
        self.compare(racks(5, 4) + "BlockSizes=4,8,16\n")

    def test_planning_size_below_real_size(self):
        self.compare(racks(8, 18) + "BlockSizes=16,32\n")

    def test_unequal_blocks(self):
        self.compare("BlockName=a Nodes=node[000-017]\nBlockName=b Nodes=node[018-033]\n"
                     "BlockName=c Nodes=node[034-037,050]\nBlockName=d Nodes=node[060-077]\nBlockSizes=5,10\n")

    def test_no_sizes(self):
        self.compare(racks(3, 18))

    def test_names_that_do_not_sort(self):
        self.compare(racks(4, 18, ["zeta", "alpha", "b-2", "rack10"]) + "BlockSizes=18,36\n")

    def test_nodes_outside_blocks(self):
        self.compare(racks(2, 18) + "BlockSizes=18,36\n")
