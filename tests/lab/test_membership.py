# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes that change their block (25.05 and later) while others read the topology and jobs are placed."""

import re
import threading

from nvl72lab import cluster, hostlist
from nvl72lab.lab_case import LabCase

READERS = 4
MOVES = 60
ALL = {f"node{number:03}" for number in range(108)}


class Membership(LabCase):
    """Six racks of 18."""

    def setUp(self):
        self.need_line((25, 5))
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

    def test_block_is_made_for_its_first_node_and_used(self):
        for number in range(4):
            cluster.ask("scontrol", "update", f"nodename=node{number:03}", "topology=default:fresh")
        shown = cluster.ask("scontrol", "show", "topology", "block=fresh")
        self.assertIn("BlockName=fresh BlockIndex=6 Nodes=node[000-003] ", shown)
        self.assertEqual(set(cluster.place("-N4", "-w", "node000").nodes), {f"node{number:03}" for number in range(4)})
