# SPDX-License-Identifier: GPL-2.0-or-later
"""What Slurm asks of the plugin without holding its node lock, while features change and nodes move.

`scontrol reboot` resolves block{...} and blockwith{...} before it locks anything, and a trigger's nodes are resolved
under the configuration and job locks alone. The plugin took every caller to hold the node lock: it read the nodes'
features while another thread freed them, and the bitmap that it had handed out was freed with the blocks that it
belonged to.
"""

import os
import re
import threading

from nvl72lab import cluster, hostlist
from nvl72lab.lab_case import LabCase, since
from test_cliques import RACKS, change, clique, configure, shown_blocks, whole_racks

# So often everything is done at least; more, e.g. beside a slurmctld under valgrind, by this variable.
TURNS = int(os.environ.get("NVL72BLOCK_LOCK_TURNS", "24"))


class WithoutLocks(LabCase):
    """Six racks of 18."""

    started = False
    options = ("--plugin", "nvl72block", "--set", "RebootProgram=/bin/true")

    def setUp(self):
        self.faults, self.turns, self.sizes = [], {}, set()

    def test_a_node_list_that_is_resolved_without_a_lock_does_not_read_features(self):
        """The new cliques count from the next decision or display on, whose callers hold the lock."""
        configure("Nvl72Clique=derive", whole_racks(), topology="BlockSizes=18\n")
        cluster.cancel(cluster.place("-N2").id)
        change(RACKS["rack1"][:9], clique(0, 1))
        mark = len(cluster.read_log())
        for nodes in ("blockwith{node000}", f"block{{{clique(0)}}}", f"block{{{clique(0, 1)}}}"):
            cluster.run("scontrol", "reboot", nodes)
        self.assertNotIn("cliques:", cluster.read_log(mark))
        self.assertEqual(len(shown_blocks()), 7)
        self.assertIn("7 cliques", cluster.read_log(mark))
        self.assertIn("node[000-008]", cluster.run("scontrol", "reboot", "blockwith{node000}").err)
        self.assertIn("node[000-008]", cluster.run("scontrol", "reboot", f"block{{{clique(0, 1)}}}").err)

    def repeat(self, work):
        """A thread that calls work(turn) until every thread has done so often enough."""
        def loop():
            try:
                while min(self.turns.values()) < TURNS and not self.faults:
                    work(self.turns[threading.current_thread()])
                    self.turns[threading.current_thread()] += 1
            except Exception as error:  # pylint: disable=broad-exception-caught
                self.faults.append(error)
        return threading.Thread(target=loop, name=work.__name__)

    def reboot(self, turn):
        """Powered down nodes are not rebooted: the command only resolves its nodes and says which."""
        rack = turn % 6
        wanted = f"block{{{clique(rack)}}}" if turn % 2 else f"blockwith{{{list(RACKS.values())[rack][0]}}}"
        said = cluster.run("scontrol", "reboot", wanted)
        nodes = re.search(r"Skipping reboot of nodes (\S+) ", said.err)
        if nodes and len(hostlist.expand(nodes[1])) not in self.sizes:
            self.faults.append(said)

    def trigger(self, turn):
        """Set, then cleared again by its user."""
        cluster.run("strigger", "--set", "--down", f"--node=block{{{clique(turn % 6)}}}", "--program=/bin/true")
        cluster.run("strigger", "--clear", "--user=root")

    def show(self, turn):
        """In 26.05 `scontrol show node` resolves node lists, too."""
        cluster.run("scontrol", "show", "node", f"block{{{clique(turn % 6)}}}")
        cluster.ask("scontrol", "show", "topology")

    def update(self, turn):
        """A rack is carved into two cliques, and whole again."""
        rack = (turn // 2) % 6
        change(list(RACKS.values())[rack][:9], clique(rack, 32766 if turn % 2 else 1))
        cluster.run("sbatch", "--test-only", "-N9", "--wrap", "true")

    def move(self, turn):
        """The last node of a rack moves to the next one, and back (25.05 and later, blocks of topology.conf)."""
        node, home = list(RACKS.values())[turn // 2 % 6][-1], turn // 2 % 6
        cluster.ask("scontrol", "update", f"nodename={node}", f"topology=default:{clique((home + (turn + 1) % 2) % 6)}")
        cluster.run("sbatch", "--test-only", "-N9", "--wrap", "true")

    def run_together(self, sizes, *works):
        """Runs all of them at once; slurmctld has to survive it and to answer, with blocks that there were."""
        self.sizes = sizes
        self.turns = {self.repeat(work): 0 for work in works}
        for thread in self.turns:
            thread.start()
        for thread in self.turns:
            thread.join()
        self.assertEqual(self.faults[:3], [])
        self.tell(", ".join(f"{turns} x {thread.name}" for thread, turns in self.turns.items()))
        self.assertEqual(cluster.run("scontrol", "ping").code, 0)

    def test_readers_without_a_lock_while_features_change(self):
        configure("Nvl72Clique=derive", whole_racks(), topology="BlockSizes=18\n")
        self.run_together({9, 18}, self.reboot, self.reboot, self.trigger, self.show, self.update)
        for rack, nodes in enumerate(RACKS.values()):
            change(nodes, clique(rack))
        self.assertEqual(len(shown_blocks()), 6)

    @since(25, 5)
    def test_readers_without_a_lock_while_nodes_move_and_features_change(self):
        lines = "".join(f"BlockName={clique(rack)} Nodes=node[{nodes[0][4:]}-{nodes[-1][4:]}]\n"
                        for rack, nodes in enumerate(RACKS.values()))
        configure("Nvl72Clique=enforce", whole_racks(), topology=f"{lines}BlockSizes=18\n")
        # One node is in the block of its neighbours at a time.
        self.run_together({17, 18, 19}, self.reboot, self.reboot, self.trigger, self.show, self.update, self.move)
        self.assertEqual(len(shown_blocks()), 6)
