# SPDX-License-Identifier: GPL-2.0-or-later
"""The drop-in with topology.yaml (25.05 and later): several named topologies, a partition's Topology=, show topoconf."""

import re

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario_switch import search_own_plugins

PARTITIONS = """
PartitionName=halves Nodes=ALL OverSubscribe=EXCLUSIVE MaxTime=INFINITE Topology=halves
PartitionName=anywhere Nodes=ALL OverSubscribe=EXCLUSIVE MaxTime=INFINITE Topology=anywhere
"""


def blocks(name, size, sizes):
    """The entry of a block topology of blocks of that size over the 108 nodes."""
    lines = [f"  - block: {name}{start // size + 1}\n        nodes: node[{start:03}-{start + size - 1:03}]"
             for start in range(0, 108, size)]
    return "  block:\n    block_sizes:\n" + "".join(f"      - {value}\n" for value in sizes) + "    blocks:\n" + "".join(
        f"    {line}\n" for line in lines)


def yaml(racks="rack", sizes=(18,)):
    """topology.yaml: racks of 18 by default, halves of 9, and no blocks."""
    return ("---\n- topology: racks\n  cluster_default: true\n" + blocks(racks, 18, sizes) +
            "- topology: halves\n  cluster_default: false\n" + blocks("half", 9, (9, 18)) +
            "- topology: anywhere\n  cluster_default: false\n  flat: true\n")


class Yaml(LabCase):
    """Six racks of 18; topology.conf is not looked at."""

    options = ("--dropin",)
    oldest = (25, 5)
    started = False

    def setUp(self):
        self.folder = cluster.configuration()
        with open(self.folder / "slurm.conf", "a", encoding="utf-8") as conf:
            conf.write(PARTITIONS)
        (self.folder / "topology.yaml").write_text(yaml(), "utf-8")
        cluster.ask("lab-ctl", "restart")

    def shown(self):
        """What clients see of the topologies."""
        questions = (("topology",), ("topology", "halves"), ("topology", "racks", "block=rack2"),
                     ("topology", "halves", "node=node020"), ("topoconf",))
        return [cluster.ask("scontrol", "show", *question) for question in questions]

    def test_each_partition_has_its_topology(self):
        self.assertIn("topology nvl72block plugin", cluster.read_log())
        self.assert_spread(cluster.place("-N18", "--segment=18"), [18])
        # Eighteen nodes of two halves, in racks that the default topology knows as one.
        halves = cluster.place("-N18", "-p", "halves", "--segment=9")
        self.assertEqual(len(halves.nodes), 18)
        owner = [int(node[4:]) // 9 for node in halves.nodes]
        self.assertEqual(sorted(owner.count(half) for half in set(owner)), [9, 9])
        self.assertIsNotNone(cluster.refusal("-N10", "-p", "halves", "--segment=4"))
        self.assertEqual(len(cluster.place("-N40", "-p", "anywhere").nodes), 40)

    def test_shows_what_stock_shows(self):
        ours = self.shown()
        self.assertEqual(ours[0].count("BlockName="), 6)
        self.assertEqual(ours[1].count("BlockName="), 12)
        search_own_plugins(False)
        cluster.ask("lab-ctl", "restart")
        self.assertEqual(self.shown(), ours)

    def test_membership_of_a_named_topology(self):
        cluster.ask("scontrol", "update", "nodename=node000", "topology=racks:rack2,halves:half12")
        racks, halves, _, _, conf = self.shown()
        self.assertIn("BlockName=rack1 BlockIndex=0 Nodes=node[001-017] ", racks)
        self.assertIn("BlockName=rack2 BlockIndex=1 Nodes=node[000,018-035] ", racks)
        self.assertIn("BlockName=half12 BlockIndex=11 Nodes=node[000,099-107] ", halves)
        self.assertIn("node[000,018-035]", conf)
        self.assertIn("node[000,099-107]", conf)
        self.assertIn("node000", cluster.place("-N19", "-w", "node[018-035]", "-x", "node[036-107]").nodes)

    def test_mistake_names_file_and_topology(self):
        before = self.shown()
        (self.folder / "topology.yaml").write_text(yaml(sizes=(18, 54)), "utf-8")
        mark = len(cluster.read_log())
        self.assertNotEqual(cluster.reconfigure().code, 0)
        # Slurm's own test looks for its words; the log had ours only.
        self.assertRegex(cluster.read_log(mark), "fatal: Invalid BlockSizes value in topology racks: topology.yaml, topology racks: .*54")
        # A restart has the last good one, as with topology.conf.
        cluster.ask("lab-ctl", "restart")
        self.assertEqual(self.shown()[:2], before[:2])
        self.assertRegex(cluster.read_log(mark), "LAST GOOD topology, .*racks_nvl72block_last_good_topology.conf")

    def test_a_restart_with_a_mistake_and_derive(self):
        # With topology.yaml, derive works as verify; the blocks of the last good topology were derived from the cliques.
        path = self.folder / "slurm.conf"
        conf = re.sub(r"^(NodeName=.*)$", r"\1 Feature=5bd6cbd1-5f0e-4a3c-9d2b-0c6f7a1e2d3f.7", path.read_text("utf-8"), flags=re.M)
        path.write_text(f"{conf}TopologyParam=Nvl72Clique=derive\n", "utf-8")
        cluster.ask("lab-ctl", "restart")
        before = self.shown()
        (self.folder / "topology.yaml").write_text(yaml(sizes=(18, 54)), "utf-8")
        cluster.ask("lab-ctl", "restart")
        self.assertEqual(self.shown()[:2], before[:2])

    def refuse(self, text):
        """An update of node000 that is refused changes nothing."""
        before = self.shown()
        said = cluster.run("scontrol", "update", "nodename=node000", f"topology={text}")
        self.assertIn("Requested topology configuration is not available", said.err, said)
        self.assertEqual(self.shown(), before, text)

    def test_an_update_that_one_topology_refuses_changes_nothing(self):
        """Topologies that had moved the node before another one refused kept it there if it had been in none of their blocks."""
        cluster.ask("scontrol", "update", "nodename=node000", "topology=racks:rack1")
        self.refuse("halves:half12,racks:typo")
        self.refuse("racks:rack2,halves:half12,racks:typo")
        # What was accepted before stays.
        cluster.ask("scontrol", "update", "nodename=node000", "topology=halves:half1")
        self.refuse("halves:typo")
        self.refuse("racks:rack2,halves:typo")

    def test_an_update_after_one_that_was_refused(self):
        """In 25.05 Slurm says again what it has on record only to the topologies of that text. The others took the next update, one that takes
        the node out of their blocks, for what is said again, and ignored it."""
        cluster.ask("scontrol", "update", "nodename=node000", "topology=racks:rack1")
        self.refuse("halves:half12,racks:typo")
        cluster.ask("scontrol", "update", "nodename=node000", "topology=")
        racks, halves, *_ = self.shown()
        self.assertIn("BlockName=rack1 BlockIndex=0 Nodes=node[001-017] ", racks)
        self.assertIn("BlockName=half1 BlockIndex=0 Nodes=node[001-008] ", halves)

    def test_the_same_update_after_one_that_was_refused(self):
        """What Slurm says again of a node that only the file has put where it is says nothing of blocks (25.05): the update that takes it out of
        them is the same, but later."""
        self.refuse("halves:half12,racks:typo")
        cluster.ask("scontrol", "update", "nodename=node000", "topology=")
        racks, halves, *_ = self.shown()
        self.assertIn("BlockName=rack1 BlockIndex=0 Nodes=node[001-017] ", racks)
        self.assertIn("BlockName=half1 BlockIndex=0 Nodes=node[001-008] ", halves)

    def test_topoconf_where_names_give_the_positions(self):
        """With Nvl72Aggregate=name the nodes of a block were shown as those of another one."""
        def told():
            return dict(re.findall(r'block: "?(\w+)"?\s+nodes: "?([^"\s]+)', cluster.ask("scontrol", "show", "topoconf")))

        with open(self.folder / "slurm.conf", "a", encoding="utf-8") as conf:
            conf.write("TopologyParam=Nvl72Aggregate=name\n")
        # The first of the file has the last position, the last one the first.
        text = yaml().replace("rack1\n", "rack9\n").replace("rack6\n", "rack1\n")
        (self.folder / "topology.yaml").write_text(text, "utf-8")
        cluster.ask("lab-ctl", "restart")
        before = told()
        self.assertEqual((before["rack9"], before["rack1"]), ("node[000-017]", "node[090-107]"))
        cluster.ask("scontrol", "update", "nodename=node000", "topology=racks:rack1,halves:half1")
        self.assertEqual(told(), {**before, "rack9": "node[001-017]", "rack1": "node[000,090-107]"})

    def test_a_topology_with_a_slash_in_its_name_is_saved(self):
        """Its files would have been in a folder that does not exist: there was no last good topology."""
        path = self.folder / "slurm.conf"
        path.write_text(path.read_text("utf-8").replace("Topology=halves", "Topology=half/racks"), "utf-8")
        text = yaml().replace("topology: halves", "topology: half/racks")
        (self.folder / "topology.yaml").write_text(text, "utf-8")
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "restart")
        saved = cluster.this_instance().state / "half%racks_nvl72block_last_good_topology.conf"
        cluster.wait_until(saved.exists, cluster.WAIT_SECONDS, "the topology was saved")
        self.assert_no_errors(mark)
        before = cluster.ask("scontrol", "show", "topology", "half/racks")
        (self.folder / "topology.yaml").write_text(text.replace("- 9\n      - 18\n", "- 9\n      - 27\n"), "utf-8")
        cluster.ask("lab-ctl", "restart")
        self.assertIn(f"the LAST GOOD topology, {saved}, is used", cluster.read_log(mark))
        self.assertEqual(cluster.ask("scontrol", "show", "topology", "half/racks"), before)
