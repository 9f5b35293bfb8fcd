# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that ask for GPUs in total, or whose CPUs follow from their GPUs: they start, on few nodes, with what they asked for."""

import re

from nvl72lab import cluster
from nvl72lab.duties import will_run
from nvl72lab.lab_case import LabCase, before
from nvl72lab.scenario import OURS, STOCK, Stage
from nvl72lab.trays import MAIN, Grounds, Tray


def given(job):
    """CPUs and GPUs of a job that has its nodes."""
    shown = cluster.ask("scontrol", "show", "job", "-d", str(job.id))
    return int(re.search(r"AllocTRES=cpu=(\d+)", shown)[1]), int(re.search(r"JOB_GRES=gpu:(\d+)", shown)[1])


def questions_told(text):
    """Questions of each decision that the log tells of."""
    return [int(found) for found in re.findall(r"(\d+) questions, \d+ us", text)]


class Checked(LabCase):
    """Eight racks of 18 nodes with 144 CPUs and 4 GPUs."""

    config = "eight-by-18"

    def check(self, request, nodes, cpus, gpus):
        """The job has so many nodes, CPUs between these two and at least so many GPUs; a forecast says the same."""
        with self.subTest(request=request):
            said = cluster.run("sbatch", "--test-only", *request.split(), "--wrap", "true").err
            number, refusal = cluster.offer(*request.split())
            self.assertIsNotNone(number, refusal)
            job = cluster.tried(number)
            self.assertTrue(job.placed, job)
            self.assertEqual(len(job.nodes), nodes)
            has_cpus, has_gpus = given(job)
            self.assertTrue(cpus[0] <= has_cpus <= cpus[1], has_cpus)
            self.assertGreaterEqual(has_gpus, gpus)
            self.assertIn(f"on nodes {cluster.run('squeue', '-h', '-j', str(number), '-o', '%N').out.strip()} ", said)
            cluster.cancel(number)


class Totals(Checked):
    """36 CPUs to a GPU unless the job says more."""

    options = ("--plugin", "nvl72block", "--set", "DefCpuPerGPU=36")

    def test_tasks_that_need_more_cpus_than_their_gpus_bring(self):
        # The cores of a node were selected when the nodes before it had taken most GPUs, which left it one GPU and 36 CPUs:
        # these jobs were held forever on an idle cluster, and the last had 6 nodes.
        self.check("-N2 -n200 --gpus=4", 2, (200, 288), 4)
        self.check("-N4 -n400 --gpus=8", 4, (400, 576), 8)
        self.check("-N18 -n2000 --gpus=36", 18, (2000, 2592), 36)
        self.check("-N8 -n8 --gpus-per-task=2 --ntasks-per-node=2", 8, (8, 1152), 16)
        self.check("-n200 --gpus=4", 2, (200, 288), 4)

    def test_cpus_are_those_of_the_gpus_where_the_tasks_need_no_more(self):
        # Slurm's own plugin gives this job 576.
        self.check("-N4 --gpus=10", 4, (360, 360), 10)

    def test_spread_jobs_have_what_others_have(self):
        self.check("-N20 --gpus=80", 20, (2880, 2880), 80)
        self.check("-N20 --gpus=80 --spread-job", 20, (2880, 2880), 80)

    def test_a_range_takes_the_fewest_nodes_that_hold_the_gpus(self):
        # It took eight nodes with a GPU each.
        self.check("-N1-8 --gpus=8", 2, (288, 288), 8)
        self.check("-N1-8 --gpus=8 --exclusive", 2, (288, 288), 8)
        self.check("-N3-8 --gpus=8", 3, (288, 288), 8)

    def test_what_one_node_teaches_counts_for_its_like(self):
        # Each of the 144 nodes was tried in turn to find that a GPU brings 36 CPUs and not 144.
        cluster.ask("scontrol", "setdebugflags", "+SelectType")
        mark = len(cluster.read_log())
        self.check("-n64 --gpus-per-node=1", 2, (72, 72), 2)
        self.check("-n2000 --gpus-per-node=2", 28, (2016, 2016), 56)
        counts = questions_told(cluster.read_log(mark))
        self.assertTrue(counts)
        self.assertLessEqual(max(counts), 3)


class WholeNodes(Checked):
    """A partition gives them, which Slurm notes in a job when it starts it, and in no forecast."""

    options = ("--plugin", "nvl72block", "--set", "TopologyParam=Nvl72Policy=pack")

    def test_forecasts_have_as_many_nodes_as_starts(self):
        # One GPU of each node was counted: sixteen nodes were forecast for the second, which started on four.
        cluster.ask("scontrol", "update", "partitionname=main", "oversubscribe=exclusive")
        for request, nodes, gpus in (("--gpus=8 --ntasks-per-gpu=1", 2, 8), ("-n16 --gpus-per-task=1", 4, 16), ("--gpus=52 --ntasks-per-gpu=1", 13, 52),
                                     ("-n5 --gpus=5", 2, 8), ("-n6 --gpus-per-task=2", 3, 12)):
            self.check(request, nodes, (nodes * 144, nodes * 144), gpus)


class DefaultBeyondTheNode(Checked):
    """DefCpuPerGPU names more CPUs for four GPUs than a node has."""

    options = ("--plugin", "nvl72block", "--set", "DefCpuPerGPU=37")

    def test_one_task_with_all_gpus_of_a_node(self):
        # 26.05 allows one task one node. Slurm's own plugins started it there, ours refused it.
        if cluster.release() < (26, 5):
            self.check("-n1 --gpus=4", 2, (148, 148), 4)
            return
        for request in ("-n1 --gpus=4", "-N1 -n2 --gpus=4"):
            self.check(request, 1, (111, 144), 4)
        self.assertIn("configuration is not available", cluster.offer("-n1", "--gpus=4", "--cpus-per-gpu=37")[1])


class OneTaskPerCore(LabCase):
    """The same without DefCpuPerGPU, a core for each task."""

    config = "eight-by-18"
    options = ("--plugin", "nvl72block", "--set", "SelectTypeParameters=CR_Core,CR_ONE_TASK_PER_CORE")

    def test_gpus_in_total(self):
        # Held forever on an idle cluster.
        for request, nodes in (("-N8 -n64 --gpus=18", 8), ("-N12 -n72 --gpus=14 --cpus-per-gpu=3 --hint=nomultithread", 12)):
            with self.subTest(request=request):
                job = cluster.tried(cluster.submit(*request.split()))
                self.assertEqual(len(job.nodes), nodes, job)
                cluster.cancel(job.id)


class FewCpus(LabCase):
    """Two racks of three nodes, of which a job may have two CPUs each."""

    def test_more_tasks_than_the_gpus_are_for(self):
        # Two tasks belong to the one GPU, and for the CPUs of -n3 the job had a second node: without a GPU, so that slurmctld logged
        # "no resources selected". Slurm's own plugins refuse it.
        main = ("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE MaxCPUsPerSocket=1",)
        Stage().open(Grounds((3, 3), "3", trays=(Tray(2, 3, 1, 1000, 4),), partitions=main,
                             settings=(("SelectTypeParameters", "CR_CPU"), ("DefCpuPerGPU", "2"))),
                     OURS)
        for request in (("--gpus=1", "--ntasks-per-gpu=2", "-n3"), ("--gpus=2", "--ntasks-per-gpu=1", "-n5")):
            self.assertEqual(will_run(*request), "refused")
            self.assertIn("configuration is not available", cluster.offer(*request)[1])
        for request, nodes in (("--gpus=2 --ntasks-per-gpu=2 -n4", 2), ("-n6 --ntasks-per-gpu=2", 3)):
            job = cluster.tried(cluster.submit(*request.split()))
            self.assertEqual(len(job.nodes), nodes, (request, job))
            cluster.cancel(job.id)
        self.assertNotIn("no resources selected", cluster.read_log())


class GpusOfSockets(LabCase):
    """Three racks of two nodes, whose GPUs belong to their two sockets."""

    started = False

    def test_one_rack_where_its_nodes_have_the_gpus_on_either_socket(self):
        # Near the GPUs' cores a node has 16 CPUs: three or four nodes of two racks were taken (25.11.7, seed 9403), as by topology/flat.
        parts = ("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE", "PartitionName=least Nodes=r2n02,r3n[01-02] MaxTime=INFINITE LLN=YES")
        Stage().open(Grounds((2, 2, 2), "2", trays=(Tray(2, 8, 2, 1000, 4),), binding="cores", partitions=parts,
                             settings=(("SelectTypeParameters", "CR_Socket"),)), OURS)
        for request in ("-n33 --gpus=2", "-n33 --gres=gpu:1", "-n60 --gpus=5", "-n49 --gpus=2 -w r1n01", "-n45 --gpus=5 -p least",
                        "-n33 --gpus=2 --exclusive=topo"):
            with self.subTest(request=request):
                job = cluster.place(*request.split())
                self.assertEqual((len(job.nodes), len({node[:2] for node in job.nodes})), (2, 1), job)
                cluster.cancel(job.id)
        # One rack does not hold these, and a range is for as many nodes as there are.
        for request, nodes in (("-n65 --gpus=2", 5), ("-n40 --gpus=2 --gres-flags=enforce-binding", 3), ("-N2-6 --gres=gpu:1", 6)):
            with self.subTest(request=request):
                job = cluster.place(*request.split())
                self.assertEqual(len(job.nodes), nodes, job)
                cluster.cancel(job.id)


class TwoKindsOfNodes(LabCase):
    """The GPUs of one node of each rack belong to its sockets, those of the other to none."""

    started = False

    def test_gpus_of_tasks_are_no_total(self):
        main = ("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE",)
        trays = (Tray(2, 3, 1, 1000, 4), Tray(1, 4, 1, 1000, 4))
        Stage().open(Grounds((2, 2), "2", trays=trays, small=("r1n02", "r2n02"), binding="cores", partitions=main,
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        job = cluster.place("-n2", "--ntasks-per-node=1", "--gpus-per-task=3")
        self.assert_spread(job, [2])
        self.assertEqual(given(job), (2, 6))

    def check(self, request, nodes, gpus):
        """The job starts on so many nodes with so many GPUs in all, and slurmctld has no error to log of them."""
        with self.subTest(request=request):
            mark = len(cluster.read_log())
            job = cluster.place(*request.split())
            self.assertEqual((len(job.nodes), given(job)[1]), (nodes, gpus), job)
            self.assertNotIn("gres_bit_select NULL", cluster.read_log(mark))
            cluster.cancel(job.id)

    def test_a_total_on_few_nodes_of_both_kinds(self):
        # What the sockets in use lack Slurm takes from others, up to the first node of the other kind. It was not counted, and the
        # first job refused (25.11.7, seed 7101).
        bound, loose, main = Tray(2, 3, 2, 1000, 4), Tray(1, 8, 1, 500, 4), ("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE",)
        Stage().open(Grounds((6,), "6", trays=(bound, loose), small=("r1n03", "r1n05", "r1n06"), binding="cores", partitions=main,
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        self.check("-N6 --gpus=19", 6, 19)
        # Of a node without sockets' GPUs Slurm takes all that are free. As many counted as the layout had needed: four nodes for nine
        # GPUs (26.05.3, seed 6104).
        Stage().open(Grounds((5,), "5", trays=(Tray(1, 3, 1, 1000, 4), Tray(2, 8, 1, 500, 4)), small=("r1n02",), binding="cores",
                             partitions=main, settings=(("SelectTypeParameters", "CR_Socket"),)), OURS)
        self.check("--gpus=9", 3, 9)
        # Where three nodes give too few, five of one rack give nine. Four and six of both racks were tried (25.11.7, seed 6103).
        Stage().open(Grounds((5, 3), "3", trays=(Tray(1, 8, 2, 1000, 2), Tray(2, 3, 2, 500, 4)), small=("r1n03", "r1n04", "r2n01", "r2n03"),
                             binding="cores", partitions=main, settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        self.check("--gpus=9", 5, 9)
        # Seven tasks are divided over four nodes, and reach one socket of most. Beside other jobs seven GPUs were given (26.05.3, seed 8201).
        Stage().open(Grounds((4, 5, 4, 5, 4), "4", trays=(Tray(2, 4, 2, 1000, 2), Tray(1, 4, 2, 500, 4)), small=("r1n02", "r4n02", "r4n03", "r5n04"),
                             binding="cores", partitions=main, settings=(("SelectTypeParameters", "CR_CPU_Memory"),)), OURS)
        self.assertEqual(given(cluster.place("-n7", "--gpus=9", "-x", "r1n01,r1n[03-04],r3n04,r4n03,r5n04"))[1], 9)


class TwoTypes(LabCase):
    """Two racks of ten nodes with two GPUs of each type."""

    started = False

    def test_the_scarcer_type_says_how_many_nodes(self):
        # Both types were one sum: of 14 GPUs on nodes that offer three, five nodes hold them, which was too few by the first type; then
        # six and eight were tried.
        grounds = Grounds((10, 10), "10", trays=(Tray(1, 8, 1, 1000, 4),), types="h,l", binding="file", settings=(("SelectTypeParameters", "CR_Core"),),
                          partitions=("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE",))
        for plugin in (STOCK, OURS):
            Stage().open(grounds, plugin)
            for request, nodes in (("--gpus=h:13,l:1", 7), ("--gpus=h:2,l:9", 5), ("--gpus=h:4,l:4", 2)):
                with self.subTest(plugin=plugin, request=request):
                    job = cluster.place(*request.split())
                    self.assertEqual(len(job.nodes), nodes, job)
                    cluster.cancel(job.id)


class FewTasks(LabCase):
    """Cores are not allocated, CPUs are."""

    started = False

    @before(26, 5, because="Slurm refuses more nodes than tasks")
    def test_gpus_of_nodes_without_a_task(self):
        # A node without a task gives the job no GPUs: it was started with four of eight (25.11.7, seed 7101).
        main = ("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE",)
        Stage().open(Grounds((4,), "4", trays=(Tray(1, 3, 2, 1000, 4),), binding="file", partitions=main,
                             settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        self.assertIsNotNone(cluster.refusal("-n1", "--gpus=8"))
        self.assertEqual(given(cluster.place("-n2", "--gpus=8"))[1], 8)

    @before(26, 5, because="Slurm lets it wait with each plugin")
    def test_whole_nodes_for_more_gpus_than_tasks(self):
        # The task's cores on a socket are for one GPU; whole nodes have both. Five nodes were taken, as if only the GPUs near these cores
        # counted, or the job waited for a rack that has as many (25.05.8, seed 11111).
        for plugin in (STOCK, OURS):
            Stage().open(Grounds((4, 5), "4", trays=(Tray(2, 3, 2, 1000, 4),), types="h,l", binding="cores", partitions=MAIN,
                                 settings=(("SelectTypeParameters", "CR_Socket"), ("DefCpuPerGPU", "2"))), plugin)
            job = cluster.place("-n1", "--ntasks-per-socket=1", "--gpus=h:5", "--exclusive")
            self.assertEqual(len(job.nodes), 3, (plugin, job))

    @before(26, 5, because="Slurm refuses more nodes than tasks")
    def test_more_nodes_than_tasks_by_node(self):
        # GPUs of DefCpuPerGPU have CPUs on a node without a task. It was refused with 24.11, as if its GPUs were those of tasks (seed 12001).
        Stage().open(Grounds((3, 3), "3", trays=(Tray(2, 3, 1, 1000, 4),), binding="file", partitions=MAIN, settings=(
            ("SelectTypeParameters", "CR_Core_Memory"), ("DefMemPerCPU", "0"), ("DefCpuPerGPU", "1"))), OURS)
        for request, nodes in (("-n3 --ntasks-per-node=1 --gpus=13", 4), ("-n1 --ntasks-per-node=1 --gpus=5", 2)):
            job = cluster.place(*request.split())
            self.assertEqual(len(job.nodes), nodes, job)
            cluster.cancel(job.id)

    def test_counts_that_steps_left_out(self):
        # Each node before the last ones gives one GPU, as CPUs are kept for the others. Eight, nine and eleven nodes were too few, and the
        # next count tried was 15, where topology/flat takes 12 (24.11.5, seed 12001).
        Stage().open(Grounds((5, 5, 6, 5, 5), "5,10,20", trays=(Tray(1, 3, 2, 1000, 2),), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        nodes = 8 if cluster.release() >= (25, 5) else 12  # Slurm 25.05 and later give a node the CPUs of both GPUs
        self.assertEqual(len(cluster.place("-n8", "-c2", "--gpus=16", "--ntasks-per-gpu=1").nodes), nodes)

    def test_cpus_of_a_large_node_before_small_ones(self):
        # Slurm keeps a socket's CPUs back for each later node, by the size of the one in hand: r1n02, with threads, was left one CPU and so one
        # socket and one GPU of two (26.05.3, seed 12304).
        Stage().open(Grounds((2, 2), "2", trays=(Tray(2, 4, 1, 1000, 4), Tray(2, 4, 2, 500, 2)), small=("r1n02", "r2n02"), binding="file",
                             partitions=MAIN, settings=(("SelectTypeParameters", "CR_Socket"),)), OURS)
        self.assertEqual(given(cluster.place("-N3-3", "-n12", "--sockets-per-node=2", "--gpus-per-socket=1"))[1], 6)
