# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that run: two racks of four with real slurmd's."""

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase

TELL = 'echo "$SLURMD_NODENAME $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN"'


class RealJobs(LabCase):
    """srun and sbatch on real nodes."""

    config = "two-by-4-real"

    def test_srun_runs_in_one_rack_and_knows_its_address(self):
        lines = [line.split() for line in
                 cluster.ask("srun", "-N4", "--segment=4", "sh", "-c", TELL).splitlines()]
        nodes = [line[0] for line in lines]
        self.assertEqual(len(set(nodes)), 4, lines)
        racks = cluster.spread(nodes)
        self.assertEqual(list(racks.values()), [4], lines)
        rack = next(iter(racks))
        for node, address, pattern in lines:
            self.assertEqual(address, f"{rack}.{node}")
            self.assertEqual(pattern, "block.node")

    def test_two_segments_on_both_racks(self):
        nodes = cluster.ask("srun", "-N6", "--segment=3", "sh", "-c", "echo $SLURMD_NODENAME").split()
        self.assertEqual(cluster.spread(nodes), {"r1": 3, "r2": 3})

    def test_all_tasks_of_a_step_reach_every_node(self):
        nodes = cluster.ask("srun", "-N8", "--ntasks-per-node=2", "sh", "-c", "echo $SLURMD_NODENAME").split()
        self.assertEqual(len(nodes), 16)
        self.assertEqual(len(set(nodes)), 8)

    def test_running_job_survives_sigkill_of_the_controller(self):
        first = cluster.wait_job(cluster.submit("-N4", "--segment=4", "--exclusive"),
                                 lambda job: job.state == "RUNNING", "ran")
        cluster.wait_saved(first.id)
        cluster.ask("lab-ctl", "restart")
        again = cluster.wait_job(first.id, lambda job: job.state == "RUNNING", "ran")
        self.assertEqual(again.nodes, first.nodes)
        second = cluster.wait_job(cluster.submit("-N4", "--segment=4", "--exclusive"),
                                  lambda job: job.state == "RUNNING", "ran")
        self.assertEqual({self.block_of(first), self.block_of(second)}, {"r1", "r2"})
        self.assertTrue(cluster.stays_pending(cluster.submit("-N4", "--segment=4", "--exclusive")))

    def running(self, *options):
        """A job that runs."""
        return cluster.wait_job(cluster.submit(*options), lambda job: job.state == "RUNNING", "ran")

    def test_a_job_gives_nodes_back(self):
        job = self.running("-N4", "--segment=4", "--exclusive")
        waiting = cluster.submit("-N5", "--exclusive")
        self.assertTrue(cluster.stays_pending(waiting))
        cluster.ask("scontrol", "update", f"jobid={job.id}", "numnodes=2")
        kept = cluster.wait_job(job.id, lambda job: len(job.nodes) == 2, "had two nodes").nodes
        next_one = cluster.wait_job(waiting, lambda job: job.state == "RUNNING", "ran")
        self.assertEqual(len(set(kept) | set(next_one.nodes)), 7)

    def test_a_suspended_job_makes_room_and_goes_on(self):
        job = self.running("-N8", "--exclusive")
        cluster.ask("scontrol", "suspend", str(job.id))
        self.assertEqual(cluster.job(job.id).state, "SUSPENDED")
        second = cluster.submit("-N4", "--segment=4")
        cluster.tried(second)
        cluster.cancel(second)
        cluster.ask("scontrol", "resume", str(job.id))
        again = cluster.wait_job(job.id, lambda job: job.state == "RUNNING", "ran")
        self.assertEqual(again.nodes, job.nodes)
