# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes on which Slurm finds no room for a job after the plugin has: the job is tried on others, and on no others without need."""

import os
from unittest import mock

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, Site, Stage
from nvl72lab.trays import MAIN, Grounds, Tray

ELSEWHERE = "does not start where it was placed"


class TurnedDown(LabCase):
    """Each test lays out racks of its own."""

    started = False

    def open(self, site):
        """A fresh slurmctld, whose log tells decisions."""
        cluster.ask("lab-ctl", "kill")
        self.mark = len(cluster.read_log())
        Stage().open(site, OURS)

    def assert_starts(self, *request):
        """It does, after a few tries; its nodes."""
        return cluster.wait_job(cluster.submit(*request), lambda job: job.placed, "had nodes").nodes

    def test_memory_that_no_offer_shows(self):
        # Of two sockets of 8 CPUs another job has one, with 194 of 500 MB. A task gets the other with 50 MB per CPU, which Slurm sees only after
        # the plugin: "would overallocate node memory". topology/block and topology/flat happened to choose other nodes.
        self.share_a_socket_short_of_memory()
        self.assertNotIn("r1n01", self.assert_starts("--ntasks-per-node=1"))

    def share_a_socket_short_of_memory(self):
        """As in the test before."""
        self.open(Site((4, 4), "4", special=(("r[1-2]n[01-04]", "CPUs=16 Sockets=2 CoresPerSocket=8 RealMemory=500"),), partitions=MAIN,
                       settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", "50"), ("DebugFlags", "SelectType"))))
        cluster.place("-N1", "-n1", "-w", "r1n01", "-c8", "--mem=194", "--time=60")

    def test_a_component_that_backfill_tries(self):
        # The main scheduler does not come to heterogeneous jobs. It waited for good.
        self.share_a_socket_short_of_memory()
        self.assertNotIn("r1n01", self.assert_starts("--ntasks-per-node=1", ":", "-N1"))

    def test_a_component_whose_test_fails(self):
        # One more core of a node in use is beyond MaxCPUsPerNode=3, which Slurm sees only after the plugin, here in backfill's test before the
        # start. Both of Slurm's own plugins happened to choose other nodes (26.05.3, seed 10305); ours waited for good.
        self.open(Site((3, 3), "3", special=(("r[1-2]n[01-03]", "CPUs=6 Sockets=1 CoresPerSocket=3 ThreadsPerCore=2"),),
                       partitions=(f"{MAIN[0]} MaxCPUsPerNode=3",), settings=(("SelectTypeParameters", "CR_Core"), ("DebugFlags", "SelectType"))))
        cluster.place("-N1", "-n1", "-w", "r1n01", "-c2")
        self.assertNotIn("r1n01", self.assert_starts("--mincpus=2", ":", "-N1"))

    def test_a_job_that_backfill_tries(self):
        # Nor to those behind one that waits for all nodes.
        self.share_a_socket_short_of_memory()
        cluster.submit("-N8", "--exclusive", "--mem=100", "--time=60")
        self.assertNotIn("r1n01", self.assert_starts("--ntasks-per-node=1", "--time=1"))

    def test_memory_that_an_offer_shows(self):
        # 300 MB are left of r1n02, which Slurm offers for six CPUs. Two tasks have a socket each, with 400 MB. How Slurm had counted was
        # forgotten when cores of the node had been selected once, and the job was given r1n02 first.
        self.open(Site((2,), "2", special=(("r1n[01-02]", "CPUs=16 Sockets=4 CoresPerSocket=4 RealMemory=800"),), partitions=MAIN,
                       settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DebugFlags", "SelectType"))))
        cluster.place("-N1", "-n1", "-w", "r1n02", "-c4", "--mem=500")
        self.assertEqual(self.assert_starts("-N1", "-n2", "--threads-per-core=1", "--mem-per-cpu=50"), ("r1n01",))
        self.assertNotIn(ELSEWHERE, cluster.read_log(self.mark))

    def test_a_kind_of_nodes(self):
        # Slurm finds no place for tasks with GPUs each on cores of two threads of which they may use one; topology/flat happened to begin
        # with other nodes.
        threads, none = Tray(2, 4, 2, 1000, 4), Tray(1, 8, 1, 500, 4)
        self.open(Grounds((5, 5), "5", trays=(threads, none), small=("r1n01", "r2n01"), binding="cores", partitions=MAIN,
                          settings=(("SelectTypeParameters", "CR_Core"), ("DebugFlags", "SelectType"))))
        self.assert_starts("-n2", "--gpus-per-task=1", "--hint=nomultithread")

    def test_one_kind_of_several(self):
        # The plugin does not know of memory (planted). The job is given nodes of three kinds, of which one has enough for all CPUs.
        # It waited for good.
        special = (("r1n[02-03]", "CPUs=16 Sockets=2 CoresPerSocket=8 RealMemory=2000"), ("r1n04", "CPUs=16 Sockets=2 CoresPerSocket=8 RealMemory=600"))
        with mock.patch.dict(os.environ, {"NVL72BLOCK_PLANT": "memory"}):
            self.open(Site((4,), "4", special=(("r1n01", "CPUs=16 Sockets=2 CoresPerSocket=8 RealMemory=500"), *special),
                           partitions=(f"{MAIN[0]} OverSubscribe=EXCLUSIVE MaxCPUsPerSocket=2",),
                           settings=(("SelectTypeParameters", "CR_Core_Memory"), ("DefMemPerCPU", "50"), ("DebugFlags", "SelectType"))))
        self.assertEqual(self.assert_starts("-N1-4"), ("r1n02", "r1n03"))

    def test_all_cpus_of_the_only_nodes(self):
        # Slurm finds no places for tasks of two CPUs on three of each node, and there are no other nodes. topology/block gives the nodes of
        # segments all their CPUs, and so does the plugin. It did so when all nodes had been turned down, which many pairs of racks make late
        # (25.11.7, seed 12203).
        self.open(Site((2, 2), "2", special=(("r[1-2]n[01-02]", "CPUs=8 Sockets=1 CoresPerSocket=8"),), partitions=MAIN,
                       settings=(("SelectTypeParameters", "CR_Core"), ("DebugFlags", "SelectType"))))
        self.assertEqual(len(self.assert_starts("-N2", "-c2", "--segment=1", "--mincpus=3")), 2)
        self.assertNotIn(ELSEWHERE, cluster.read_log(self.mark))

    def test_a_job_that_waits_its_turn_is_tried_on_the_same_nodes(self):
        # A test whether it could ever run, on nodes in use, is no start that Slurm has turned down.
        self.open(Site((2,), "2", special=(("r1n[01-02]", "CPUs=4 CoresPerSocket=4"),), partitions=MAIN,
                       settings=(("SelectTypeParameters", "CR_Core_Memory"), ("DebugFlags", "SelectType"))))
        others = [cluster.place("-N1", "-n1", f"-w{node}", "-c3") for node in ("r1n01", "r1n02")]
        waiting = cluster.submit("-N1", "-n1", "-c4")
        for _ in range(3):
            cluster.scheduler_pass()
        cluster.cancel(others[0].id)
        self.assertEqual(cluster.wait_job(waiting, lambda job: job.placed, "had nodes").nodes, others[0].nodes)
        self.assertNotIn(ELSEWHERE, cluster.read_log(self.mark))

    def test_a_job_that_waits_for_its_switches(self):
        # It is pending though it has nodes: Slurm turned none down. It was given three smaller nodes, which no rack has, and so started there.
        self.open(Site((2, 2, 2, 2), "2", special=(("r1n[01-02],r[2-4]n01", "CPUs=6 CoresPerSocket=6"), ("r[2-4]n02", "CPUs=4 CoresPerSocket=4")),
                       partitions=MAIN, settings=(("SelectTypeParameters", "CR_Core"), ("DebugFlags", "SelectType"))))
        cluster.place("-N2", "-w", "r1n[01-02]", "--exclusive")
        waiting = cluster.submit("-n11", "--switches=1@10:00")
        for _ in range(4):
            cluster.scheduler_pass()
        self.assertFalse(cluster.job(waiting).placed)
        self.assertNotIn(ELSEWHERE, cluster.read_log(self.mark))

    def test_tasks_of_an_array_share_nodes(self):
        # A task that starts leaves the others pending under the array's number: no start that Slurm has turned down.
        self.open(Site((2,), "2", special=(("r1n[01-02]", "CPUs=4 CoresPerSocket=4"),), partitions=MAIN,
                       settings=(("SelectTypeParameters", "CR_Core_Memory"), ("DebugFlags", "SelectType"))))
        number = cluster.submit("-n1", "-c1", "--array=0-13")
        for task in range(6):
            cluster.wait_job(f"{number}_{task + 7}", lambda job: job.placed, "had nodes")
            cluster.scheduler_pass()
            cluster.cancel(f"{number}_{task}")
        self.assertNotIn(ELSEWHERE, cluster.read_log(self.mark))
