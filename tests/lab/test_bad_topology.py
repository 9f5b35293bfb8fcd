# SPDX-License-Identifier: GPL-2.0-or-later
"""A topology.conf with a mistake gives one clear message with file and line in slurmctld's log, and nothing worse.

test_check has the other mistakes, at a reconfigure.
"""

import re

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase

RACK1 = "BlockName=rack1 Nodes=node[000-017]"


class BadTopology(LabCase):
    """A mistake at a reconfigure, at a start with and at a start without an earlier good topology."""

    def attempt(self, name, command, starts):
        """Runs a command that makes slurmctld read topology.conf; returns the one line that the log has about it."""
        before = len(cluster.log().read_text("utf-8", "replace"))
        result = cluster.run(*command)
        gained = cluster.log().read_text("utf-8", "replace")[before:]
        self.assertEqual(result.code == 0, starts, f"{name}: {result}\n{gained}")
        found = [line for line in gained.splitlines() if re.search(r"topology\.conf:\d+", line)]
        self.assertEqual(len(found), 1, f"{name}: expected one message, the log says:\n{gained}")
        return found[0]

    def check(self, lines, bad, *words):
        """`bad` is the number, from 1, of the line with the mistake; the message has to have the words."""
        good = (cluster.configuration() / "topology.conf").read_text("utf-8")
        cluster.write_topology("".join(f"{line}\n" for line in lines))
        messages = [self.attempt("reconfigure", ("scontrol", "reconfigure"), False)]
        cluster.ask("lab-ctl", "kill")
        messages.append(self.attempt("start with the last good topology", ("lab-ctl", "start"), True))
        self.assertEqual(cluster.ask("scontrol", "show", "topology").count("BlockName="), 6)
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "forget")
        messages.append(self.attempt("first start", ("lab-ctl", "start"), False))
        for message in messages:
            self.assertRegex(message, rf"topology\.conf:{bad}: ")
            for word in words:
                self.assertIn(word, message)
        cluster.write_topology(good)
        cluster.ask("lab-ctl", "start")
        self.assert_spread(cluster.place("-N16", "--segment=16"), [16])

    def test_node_in_two_blocks(self):
        self.check([RACK1, "", "BlockName=rack2 Nodes=node[017-034]", "BlockSizes=18"], 3, "node017", "rack1", "rack2")


    def start_without_rack6(self):
        """slurm.conf has its nodes no more, topology.conf has; returns what slurmctld logs when it starts."""
        path = cluster.configuration() / "slurm.conf"
        path.write_text(path.read_text("utf-8").replace("NodeName=node[000-107]", "NodeName=node[000-089]"), "utf-8")
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "start")
        self.assert_spread(cluster.place("-N18", "--segment=18"), [18])
        self.assertIn("BlockName=rack6 ", cluster.ask("scontrol", "show", "topology"))
        return cluster.read_log(mark)

    def test_a_restart_after_nodes_have_gone(self):
        """The last good topology names them as well: slurmctld did not start, which it does under topology/block."""
        cluster.ask("lab-ctl", "kill")
        log = self.start_without_rack6()
        self.assertRegex(log, r"topology\.conf:7: BlockName=rack6 .*no node named node090.* the LAST GOOD topology, \S+, is used until")
        self.assertRegex(log, r"last_good_topology\.conf:6: BlockName=rack6: 18 node names that no node has yet: node\[090-107\]")

    def test_a_first_start_with_nodes_that_slurm_conf_has_not(self):
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "forget")
        log = self.start_without_rack6()
        self.assertRegex(log, r"topology\.conf:7: BlockName=rack6 .*no node named node090.* no last good topology can be used; the names that "
                              "no node has are skipped until the line is corrected and scontrol reconfigure run")
        self.assertNotIn("LAST GOOD", log)


class NodesYetToCome(LabCase):
    """Where nodes can be created later, names without a node cause one warning per line, up to a limit."""

    options = ("--plugin", "nvl72block", "--set", "MaxNodeCount=200")

    def test_one_warning_a_line(self):
        lines = [RACK1, "BlockName=rack2 Nodes=node[018-034],later[1-3]"]
        lines += [f"BlockName=new{number} Nodes=new{number}n[01-18]" for number in range(6)]
        cluster.write_topology("".join(f"{line}\n" for line in [*lines, "BlockSizes=16"]))
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "reconfigure")
        told = [line for line in cluster.read_log(mark).splitlines() if "topology.conf" in line and "warning:" in line]
        self.assertRegex(told[0], r"topology\.conf:2: BlockName=rack2: 3 node names that no node has yet: later\[1-3\]; "
                                  "create the nodes, or correct the names")
        self.assertEqual([int(re.search(r"topology\.conf:(\d+):", line)[1]) for line in told[:-1]], [2, 3, 4, 5, 6], told)
        self.assertRegex(told[-1], r"topology\.conf: 2 more lines like this; ")
        self.assert_spread(cluster.place("-N16", "--segment=16"), [16])
        self.assertEqual(cluster.ask("scontrol", "show", "topology").count("BlockName="), 8)

    def test_features_of_nodes_yet_to_come(self):
        """A feature that no node has yet was an error."""
        lines = [RACK1, "BlockName=rack2 Nodes=node[018-034]", "BlockName=new Nodes=feature{new}", "BlockSizes=16"]
        cluster.write_topology("".join(f"{line}\n" for line in lines))
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "reconfigure")
        self.assertRegex(cluster.read_log(mark), r"topology\.conf:3: BlockName=new: no node matches feature{new}; ")
        self.assertIn("BlockName=new ", cluster.ask("scontrol", "show", "topology"))


class FullNodeTable(LabCase):
    """All places of the node table are taken, some by nodes that can be deleted again."""

    options = ("--plugin", "nvl72block", "--set", "MaxNodeCount=110", "--set", "TreeWidth=65533")

    def test_nodes_yet_to_come_are_no_mistake(self):
        """Their names were errors: a reconfigure failed, and slurmctld did not start any more."""
        cluster.ask("scontrol", "create", "nodename=other[1-2]", "state=cloud", "cpus=4", "realmemory=900")
        lines = [RACK1, "BlockName=rack2 Nodes=node[018-034],later[1-3]", "BlockSizes=16"]
        cluster.write_topology("".join(f"{line}\n" for line in lines))
        for command in ("reconfigure", "restart"):
            mark = len(cluster.read_log())
            cluster.ask("lab-ctl", command)
            self.assertIn("BlockName=rack2: 3 node names that no node has yet: later[1-3]", cluster.read_log(mark))
            self.assertIn("NodeName=other2", cluster.ask("scontrol", "show", "node", "other2"))

    def create(self, node):
        """A node that can be used at once, as one that has registered."""
        cluster.ask("scontrol", "create", f"nodename={node}", "state=cloud", "cpus=4", "realmemory=900")
        cluster.ask("scontrol", "update", f"nodename={node}", "state=down", "reason=new")
        cluster.ask("scontrol", "update", f"nodename={node}", "state=resume")

    def test_a_node_in_the_place_of_a_deleted_one_is_not_in_its_block(self):
        """24.11 tells a topology plugin of neither: the new node stood in the rack of the old one, and a segment was placed over it."""
        for node in ("other1", "tray1"):
            self.create(node)
        lines = [RACK1, "BlockName=rack2 Nodes=node[018-034],tray1", "BlockSizes=18"]
        cluster.write_topology("".join(f"{line}\n" for line in lines))
        cluster.ask("lab-ctl", "reconfigure")
        self.assertIn("BlockName=rack2 BlockIndex=1 Nodes=node[018-034],tray1 ", cluster.ask("scontrol", "show", "topology"))
        cluster.ask("scontrol", "delete", "nodename=tray1")
        self.create("other2")
        self.assert_spread(cluster.place("-N18", "--segment=18"), [18])  # rack1
        number = cluster.submit("-N18", "--segment=18")
        self.assertTrue(cluster.stays_pending(number))
        self.assertIn("BlockName=rack2 BlockIndex=1 Nodes=node[018-034] ", cluster.ask("scontrol", "show", "topology"))
        # It returns; from 25.05 on the Topology= of a created node says where it is.
        if cluster.release() < (25, 5):
            cluster.ask("scontrol", "delete", "nodename=other1")
            self.create("tray1")
            self.assertIn("tray1", cluster.wait_job(number, lambda job: job.placed, "had nodes").nodes)
