# SPDX-License-Identifier: GPL-2.0-or-later
"""Where jobs land, each on a cluster of its own."""

import os
from unittest import mock

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase


class SixRacks(LabCase):
    """Six racks of 18, no larger blocks."""

    def test_whole_rack(self):
        self.assert_spread(cluster.place("-N18"), [18])

    def test_exclusive_topo_gets_an_empty_rack_and_keeps_it(self):
        neighbours = [cluster.place("-N2", "-w", f"node{first:03}") for first in range(0, 90, 18)]
        alone = cluster.place("-N4", "--exclusive=topo")
        self.assertEqual(cluster.spread(alone.nodes), {"rack6": 4}, neighbours)
        for _ in range(5):
            cluster.place("-N16", "--segment=16")
        self.assertTrue(cluster.stays_pending(cluster.submit("-N1")))

    def test_full_rack_waits_and_takes_the_rack_that_becomes_free(self):
        first = [cluster.place("-N18") for _ in range(6)]
        waiting = cluster.submit("-N18")
        self.assertTrue(cluster.stays_pending(waiting))
        cluster.cancel(first[2].id)
        placed = cluster.wait_job(waiting, lambda job: job.placed, "had nodes")
        self.assertEqual(set(placed.nodes), set(first[2].nodes))

    def test_segment_that_does_not_fit_is_never_placed_without_it(self):
        cluster.ask("scontrol", "update", "nodename=node[000-002,018-020,036-038,054-056,072-074,090-092]",
                    "state=drain", "reason=test")
        self.assertTrue(cluster.stays_pending(cluster.submit("-N16", "--segment=16")))
        self.assert_spread(cluster.place("-N15", "--segment=15"), [15])

    def test_nodelist_and_exclude(self):
        job = cluster.place("-N4", "--segment=4", "-w", "node040", "-x", "node[036-038]")
        self.assertIn("node040", job.nodes)
        self.assertFalse({"node036", "node037", "node038"} & set(job.nodes))
        self.assertEqual(self.block_of(job), "rack3")

    def test_gpus(self):
        job = cluster.place("-N18", "--gpus-per-node=4", "--segment=18")
        self.assert_spread(job, [18])
        self.assertIsNotNone(cluster.refusal("-N1", "--gpus-per-node=5"))


class WeightedRack(LabCase):
    """Cheaper nodes are taken first, inside the rack as between racks."""

    def test_cheaper_nodes_first(self):
        cluster.ask("scontrol", "update", "nodename=node[054-060]", "weight=1")
        cluster.ask("scontrol", "update", "nodename=node[000-053,061-107]", "weight=100")
        job = cluster.place("-N7", "--segment=7")
        self.assertEqual(set(job.nodes), {f"node{number:03}" for number in range(54, 61)})


class FourByThirtyTwo(LabCase):
    """Four blocks of 32 in one of 128."""

    config = "four-by-32"

    def test_hundred_nodes_in_the_large_block(self):
        job = cluster.place("-N100")
        self.assertEqual(len(job.nodes), 100)
        self.assertEqual(sum(cluster.spread(job.nodes).values()), 100)

    def test_exclusive_topo_of_single_segments_stays_alone(self):
        before = cluster.place("-N1")
        alone = cluster.place("-N16", "--segment=1", "--exclusive=topo")
        mine = set(cluster.spread(alone.nodes))
        self.assertEqual(len(alone.nodes), 16)
        self.assertNotIn(self.block_of(before), mine)
        for _ in range(4 - len(mine)):
            later = cluster.place("-N8", "--segment=8")
            self.assertFalse(set(cluster.spread(later.nodes)) & mine)
        # More nodes than there are outside the blocks that the exclusive job holds.
        too_large = cluster.submit(f"-N{32 * (4 - len(mine)) + 1}")
        self.assertTrue(cluster.stays_pending(too_large))


class EightRacks(LabCase):
    """Eight racks of 18 in pairs, fours and one eight."""

    config = "eight-by-18"

    def test_eight_segments_of_sixteen(self):
        self.assert_spread(cluster.place("-N128", "--segment=16"), [16] * 8)

    def test_two_racks_are_a_pair(self):
        racks = sorted(cluster.spread(cluster.place("-N36").nodes))
        self.assertIn(racks, [["rack1", "rack2"], ["rack3", "rack4"], ["rack5", "rack6"], ["rack7", "rack8"]])

    def test_whole_cluster(self):
        self.assert_spread(cluster.place("-N144"), [18] * 8)


class EngineFails(LabCase):
    """An exception is an error of that decision alone: the job waits, and is not held for good."""

    started = False

    def start(self, fault):
        """slurmctld, with a fault planted in its engine or without."""
        with mock.patch.dict(os.environ, {"NVL72BLOCK_PLANT": fault}):
            cluster.ask("lab-ctl", "restart")

    def assert_outlasts(self, reason, *options):
        """A job that is submitted while the engine fails starts when it no longer does."""
        self.start("exception")
        number, refusal = cluster.offer(*options)
        self.assertIsNotNone(number, refusal)
        self.assertTrue(cluster.stays_pending(number))
        self.assertEqual(cluster.job(number).reason, reason)
        cluster.wait_saved(number)
        self.start("")
        self.block_of(cluster.wait_job(number, lambda job: job.placed, "had nodes"))

    def test_on_idle_nodes(self):
        cluster.ask("lab-ctl", "start")
        self.assert_outlasts("Licenses", "-N4", "--segment=4")

    def test_a_job_that_slurms_own_way_cannot_spread(self):
        self.start("exception")
        cluster.ask("scontrol", "update", "nodename=node000", "state=drain", "reason=test")
        self.assertTrue(cluster.stays_pending(cluster.submit("-n8", "--gpus=8", "--spread-job")))

    def test_beside_a_running_job(self):
        cluster.ask("lab-ctl", "start")
        cluster.wait_saved(cluster.place("-N6").id)
        self.assert_outlasts("Resources", "-N4", "--segment=4")


class NodesInNoBlock(LabCase):
    """Jobs that may run on no others are placed by Slurm's own ways."""

    started = False

    def test_a_job_whose_gpus_are_counted_in_all_is_not_spread(self):
        topology, slurm = (cluster.configuration() / name for name in ("topology.conf", "slurm.conf"))
        cluster.write_topology("".join(line for line in topology.read_text("utf-8").splitlines(True) if "rack6" not in line))
        with open(slurm, "a", encoding="utf-8") as stream:
            stream.write("PartitionName=outside Nodes=node[090-107] MaxTime=INFINITE\n")
        cluster.ask("lab-ctl", "start")
        job = cluster.place("-p", "outside", "-N2", "--spread-job", "--gpus=4")
        self.assertEqual(cluster.spread(job.nodes), {})
