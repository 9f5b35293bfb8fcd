# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm ends jobs for one of higher priority: only where that one starts, and none of these is held."""

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, Stage
from nvl72lab.trays import MAIN, Grounds, Tray

URGENT = (*MAIN, "PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10")
SETTINGS = (("PreemptType", "preempt/partition_prio"), ("PreemptMode", "CANCEL"))


class Preemption(LabCase):
    """Racks of its own, with jobs of one node each."""

    started = False

    def open(self, racks, sizes, *busy, small=()):
        """The jobs on the busy nodes, by these. The small nodes have one socket."""
        trays = (Tray(2, 8, 1, 1000, 2), Tray(1, 8, 1, 1000, 2))
        Stage().open(Grounds(racks, sizes, trays=trays, small=small, partitions=URGENT, settings=SETTINGS), OURS)
        return {node: cluster.place("-N1", "-w", node, "--exclusive").id for node in busy}

    def starts(self, *options):
        """The racks of an urgent job's nodes, and these."""
        job = cluster.wait_job(cluster.submit("-p", "urgent", *options), lambda job: job.placed or job.reason == "BadConstraints", "was judged")
        return {node[:2] for node in job.nodes}, set(job.nodes)

    def test_nodes_of_a_feature(self):
        # Two idle nodes lie in one rack, which has no room for four: they were taken for the feature, and around them the job could never
        # fit. It was held for good (BadConstraints), though jobs can be preempted for it (24.11.5, seed 10002).
        self.open((3, 3, 3), "3,6", "r1n01", "r1n03", "r2n02", "r2n03", "r3n01")
        racks, nodes = self.starts("-N4", "-C", "all*2")
        self.assertEqual(racks, {"r1", "r2"}, nodes)

    def test_nodes_of_a_feature_in_a_range(self):
        # Two idle nodes do for the tasks, and one to three are allowed. Around the two that were chosen for the feature three were looked for,
        # so that a job was to be preempted, and then the two were taken without it: 26.05 logged "Select plugin failed to set job resources",
        # and the job waited (26.05.3, seed 12301).
        jobs = self.open((3, 3), "3", "r1n03", "r2n03")
        job = cluster.tried(cluster.submit("-p", "urgent", "-n3", "-C", "all*2"))
        self.assertEqual(len(job.nodes), 2, job)
        self.assertTrue(all(cluster.job(number).placed for number in jobs.values()))
        self.assertNotIn("failed to set job resources", cluster.read_log())

    def test_blocks_for_itself(self):
        # Slurm preempts on the job's nodes only. In the second rack one job was left, so that the job did not start, and at each try
        # another job of that rack was preempted for nothing (24.11.5, seed 10003).
        jobs = self.open((2, 3), "2", "r2n01", "r2n03", "r1n01", "r1n02")
        racks, nodes = self.starts("-N2", "--exclusive=topo")
        self.assertEqual(racks, {"r1"}, nodes)
        self.assertTrue(all(cluster.job(jobs[node]).placed for node in ("r2n01", "r2n03")))

    def test_blocks_with_a_job_that_is_not_preempted(self):
        # The jobs lie on nodes that the urgent one cannot use, and so are not preempted for it. It was held for good (BadConstraints): it was
        # refused as if more jobs could be preempted, also when Slurm asked whether it could ever run (24.11.5, seed 11002).
        jobs = self.open((3, 3), "3", "r1n03", "r2n01", small=("r1n03", "r2n01"))
        number = cluster.submit("-p", "urgent", "-N1", "--exclusive=topo", "--sockets-per-node=2")
        self.assertEqual(cluster.tried(number).reason, "Resources")
        cluster.cancel(jobs["r1n03"])
        self.assertIn(cluster.wait_job(number, lambda job: job.placed, "had nodes").nodes[0], ("r1n01", "r1n02"))
        self.assertTrue(cluster.job(jobs["r2n01"]).placed)
