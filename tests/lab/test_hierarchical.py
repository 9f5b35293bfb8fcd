# SPDX-License-Identifier: GPL-2.0-or-later
"""Hierarchical resources of MODE_3 (25.11 and later): what a rack has of one bounds the nodes that a job gets there."""

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK

RACK = 3000  # what a rack has of the resource; a node of a job that asks for 1000 takes 1000
SITE = 12000


class Hierarchical(LabCase):
    """Six racks of 18."""

    oldest = (25, 11)
    started = False

    def setUp(self):
        racks = "".join(f'    - nodes:\n        - "node[{start:03}-{start + 17:03}]"\n      count: {RACK}\n'
                        for start in range(0, 108, 18))
        (cluster.configuration() / "resources.yaml").write_text(
            "---\n- resource: power\n  mode: MODE_3\n  topology: default\n  layers:\n" + racks +
            f'    - nodes:\n        - "node[000-107]"\n      count: {SITE}\n', "utf-8")

    def restart(self, plugin):
        """A fresh slurmctld with that plugin."""
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "forget")
        cluster.use_plugin(plugin)
        cluster.ask("lab-ctl", "start")

    def test_a_rack_holds_what_its_share_serves(self):
        for plugin in (OURS, STOCK):
            self.restart(plugin)
            self.assert_spread(cluster.place("-N3", "--licenses=power:1000"), [3])
            self.assert_spread(cluster.place("-N6", "--segment=3", "--licenses=power:1000"), [3, 3])
            # Nine of twelve thousand are taken, and three racks are empty: three more nodes and no fourth.
            self.assertTrue(cluster.stays_pending(cluster.submit("-N4", "--segment=2", "--licenses=power:1000")), plugin)
            self.assert_spread(cluster.place("-N3", "--segment=1", "--licenses=power:1000"), [3])
            self.assert_spread(cluster.place("-N18"), [18])

    def test_the_share_serves_the_lightest_nodes(self):
        # Of each rack the three nodes of lowest index were kept for the job, whatever their weights.
        self.restart(OURS)
        cluster.ask("scontrol", "update", "nodename=node[000-049,053-107]", "weight=9")
        cluster.ask("scontrol", "update", "nodename=node[050-052]", "weight=2")
        job = cluster.place("-N3", "--licenses=power:1000")
        self.assertEqual(set(job.nodes), {"node050", "node051", "node052"})
