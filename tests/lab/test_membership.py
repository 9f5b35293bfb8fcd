# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes that change their block (25.05 and later) while others read the topology and jobs are placed."""

import re
import threading

from nvl72lab import cluster, hostlist
from nvl72lab.daemons import wait_until
from nvl72lab.lab_case import LabCase, since
from test_cliques import RACKS, configure

READERS = 4
MOVES = 60
ALL = {f"node{number:03}" for number in range(108)}


def name_blocks(**others):
    """Rewrites slurm.conf so that the lines of the nodes name their blocks; `others` are nodes with another one."""
    path = cluster.configuration() / "slurm.conf"
    kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(("NodeName=", "GresTypes=", "SuspendTime="))]
    (cluster.configuration() / "gres.conf").unlink(missing_ok=True)
    groups = {name: [node for node in nodes if node not in others] for name, nodes in RACKS.items()}
    for node, name in others.items():
        groups.setdefault(name, []).append(node)
    kept += [f"NodeName={hostlist.compress(nodes)} CPUs=4 RealMemory=900 State=CLOUD Feature=gb200 Topology=default:{name}"
             for name, nodes in groups.items()]
    # Up to 25.11 slurmctld refuses to power a node down by command where nodes are never suspended.
    path.write_text("\n".join([*kept, "SuspendTime=86400", "SuspendTimeout=1"]) + "\n", "utf-8")


class Membership(LabCase):
    """Six racks of 18."""

    oldest = (25, 5)

    def setUp(self):
        self.done = threading.Event()
        self.answers, self.faults = 0, []

    def look(self):
        """One reader: every answer has every node exactly once."""
        while not self.done.is_set():
            answer = cluster.run("scontrol", "show", "topology")
            found = [node for nodes in re.findall(r"BlockName=\S+ BlockIndex=\d+ Nodes=(\S+)", answer.out)
                     for node in hostlist.expand(nodes)]
            if answer.code or len(found) != 108 or set(found) != ALL:
                self.faults.append(answer)
            self.answers += 1

    def test_readers_see_whole_topologies_while_nodes_move(self):
        readers = [threading.Thread(target=self.look) for _ in range(READERS)]
        for reader in readers:
            reader.start()
        try:
            for move in range(MOVES):
                cluster.ask("scontrol", "update", f"nodename=node{move % 18:03}", f"topology=default:rack{move % 6 + 1}")
                if move % 10 == 0:
                    cluster.cancel(cluster.place("-N8", "--segment=8").id)
        finally:
            self.done.set()
            for reader in readers:
                reader.join()
        self.assertEqual(self.faults, [])
        self.assertGreater(self.answers, READERS)
        self.tell(f"{self.answers} answers to {READERS} readers during {MOVES} moves")
        # The last one who spoke of a node is right.
        last = {f"node{move % 18:03}": f"rack{move % 6 + 1}" for move in range(MOVES)}
        shown = dict(re.findall(r"BlockName=(\S+) BlockIndex=\d+ Nodes=(\S+)", cluster.ask("scontrol", "show", "topology")))
        for node, rack in last.items():
            self.assertIn(node, hostlist.expand(shown[rack]))

    def shown(self):
        """The nodes of each block that scontrol shows."""
        told = re.findall(r"BlockName=(\S+) BlockIndex=\d+ Nodes=(\S+)", cluster.ask("scontrol", "show", "topology"))
        return {name: hostlist.expand(nodes) for name, nodes in told}

    def refuse(self, node, block):
        """scontrol says so as with Slurm's plugin, and the blocks are as before."""
        before = cluster.ask("scontrol", "show", "topology")
        said = cluster.run("scontrol", "update", f"nodename={node}", f"topology=default:{block}")
        self.assertIn("Requested topology configuration is not available", said.err, said)
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), before)

    def test_a_block_that_does_not_exist_is_refused(self):
        """A mistyped name moved the node into a block of its own without a word; Slurm's plugin refuses it (25.11)."""
        self.refuse("node000", "typo")
        self.assertIn("node000: there is no block typo; nothing is changed. Blocks are created for nodes only with "
                      "TopologyParam=Nvl72NewBlocks=on", cluster.read_log())
        # A node that has been moved before stays where it is now.
        cluster.ask("scontrol", "update", "nodename=node001", "topology=default:rack2")
        self.refuse("node001", "typo")
        self.assertIn("node001", self.shown()["rack2"])
        # After a refusal, a node can be taken out of its block as ever.
        self.refuse("node002", "typo")
        cluster.ask("scontrol", "update", "nodename=node002", "topology=")
        self.assertNotIn("node002", sum(self.shown().values(), []))

    def test_a_created_node_makes_a_block_only_where_that_is_wanted(self):
        create = ("scontrol", "create", "nodename=extra1", "state=cloud", "cpus=4", "realmemory=900", "topology=default:fresh")
        more = ["MaxNodeCount=200", "TreeWidth=65533"]
        configure("Nvl72Policy=pack", {}, more=more)
        cluster.run(*create)
        self.assertEqual(sorted(self.shown()), sorted(RACKS))
        self.assertIn("extra1: there is no block fresh; nothing is changed", cluster.read_log())
        cluster.run("scontrol", "delete", "nodename=extra1")
        configure("Nvl72NewBlocks=on", {}, more=more)
        cluster.ask(*create)
        self.assertEqual(self.shown()["fresh"], ["extra1"])
        self.assertIn("new block fresh for extra1 (Nvl72NewBlocks=on)", cluster.read_log())

    def test_a_wrong_block_in_slurm_conf_does_not_end_slurmctld(self):
        """The node is where topology.conf has it. A reconfigure with such a line fails, and nothing changes."""
        name_blocks(node000="typo")
        cluster.ask("lab-ctl", "restart")
        self.assertIn("node000: there is no block typo; the node's Topology= is ignored", cluster.read_log())
        self.assertIn("node000", self.shown()["rack1"])
        self.assertNotEqual(cluster.reconfigure().code, 0)
        if cluster.release() >= (25, 11):  # 25.05 loses its socket for auth/slurm when a reconfigure fails, with every plugin
            self.assertIn("node000", self.shown()["rack1"])

    def test_block_is_made_for_its_first_node_and_used(self):
        configure("Nvl72NewBlocks=on", {})
        for number in range(4):
            cluster.ask("scontrol", "update", f"nodename=node{number:03}", "topology=default:fresh")
        shown = cluster.ask("scontrol", "show", "topology", "block=fresh")
        self.assertIn("BlockName=fresh BlockIndex=6 Nodes=node[000-003] ", shown)
        self.assertEqual(cluster.read_log().count("new block fresh for node000 (Nvl72NewBlocks=on)"), 1)
        self.assertEqual(set(cluster.place("-N4", "-w", "node000").nodes), {f"node{number:03}" for number in range(4)})

    def test_no_block_is_made_with_a_name_that_files_cannot_have(self):
        """The last good topology could not be read back with such a name."""
        configure("Nvl72NewBlocks=on", {})
        self.refuse("node000", "a b")
        self.refuse("node000", "x[1-9]")
        self.assertIn("node000: no block a b is created, nothing is changed: BlockName=a b: ' ' in a name would break", cluster.read_log())
        # A slurmctld that starts goes on.
        name_blocks(node000="r1234567890123456789")
        cluster.ask("lab-ctl", "restart")
        self.assertIn("node000: no block r1234567890123456789 is created, the node's Topology= is ignored: ", cluster.read_log())
        self.assertIn("node000", self.shown()["rack1"])

    def power_down(self, node):
        """Up, then down again: what follows is what Slurm does when SuspendTimeout is over."""
        def state():
            return re.search(r"State=(\S+)", cluster.ask("scontrol", "show", "node", node))[1].split("+")

        cluster.cancel(cluster.place("-N1", "-w", node).id)
        cluster.ask("scontrol", "update", f"nodename={node}", "state=power_down_force")
        wait_until(lambda: "POWERING_DOWN" in state(), cluster.WAIT_SECONDS, f"{node} was powering down")
        wait_until(lambda: "POWERED_DOWN" in state(), cluster.WAIT_SECONDS, f"{node} was powered down")

    @since(25, 11)
    def test_a_node_whose_features_were_changed_is_powered_down_and_stays_in_its_block(self):
        """Slurm returns a node that is powered down to the block of its line in slurm.conf. An update of the features of
        some nodes splits their configuration record, and the new record has no such text (up to 26.05): Slurm took the
        node out of its block."""
        name_blocks()
        cluster.ask("lab-ctl", "restart")
        before = self.shown()
        cluster.ask("scontrol", "update", "nodename=node[000-003]", "availablefeatures=carved", "activefeatures=carved")
        # One of them, and one that is elsewhere for the time being.
        cluster.ask("scontrol", "update", "nodename=node001", "topology=default:rack2")
        for node in ("node000", "node001"):
            self.power_down(node)
        self.assertEqual(self.shown(), before)
        # An administrator can still take the node out of its block.
        cluster.cancel(cluster.place("-N1", "-w", "node000").id)
        cluster.ask("scontrol", "update", "nodename=node000", "topology=")
        self.assertNotIn("node000", sum(self.shown().values(), []))

    @since(25, 11)
    def test_a_node_is_powered_down_without_a_change_of_features(self):
        """The same where the record is whole: Slurm itself returns the node."""
        name_blocks()
        cluster.ask("lab-ctl", "restart")
        before = self.shown()
        cluster.ask("scontrol", "update", "nodename=node001", "topology=default:rack2")
        for node in ("node000", "node001"):
            self.power_down(node)
        self.assertEqual(self.shown(), before)

    @since(25, 11)
    def test_a_deleted_node_leaves_its_block(self):
        """A created node whose record was split is deleted while it is powered down: nothing of it stays in the block."""
        configure("Nvl72Policy=pack", {}, more=["MaxNodeCount=200", "TreeWidth=65533", "SuspendTimeout=1"])
        before = self.shown()
        cluster.ask("scontrol", "create", "nodename=extra[1-2]", "state=cloud", "cpus=4", "realmemory=900",
                    "topology=default:rack1")
        self.assertEqual(set(self.shown()["rack1"]) - set(before["rack1"]), {"extra1", "extra2"})
        cluster.ask("scontrol", "update", "nodename=extra1", "availablefeatures=carved", "activefeatures=carved")
        cluster.ask("scontrol", "delete", "nodename=extra1")
        self.assertEqual(set(self.shown()["rack1"]) - set(before["rack1"]), {"extra2"})
