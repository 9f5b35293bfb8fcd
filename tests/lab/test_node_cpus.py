# SPDX-License-Identifier: GPL-2.0-or-later
"""What each node of a job gives it: enough for all tasks, whatever Slurm keeps for the nodes to come."""

import os
from unittest import mock

from nvl72lab import cluster
from nvl72lab.duties import reservation, will_run
from nvl72lab.lab_case import LabCase, before, since
from nvl72lab.scenario import OURS, Site, Stage
from nvl72lab.trays import MAIN, Grounds, Tray

BIG = "CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2"


class NodeCpus(LabCase):
    """Each test lays out racks of its own."""

    started = False

    def open(self, attributes, racks=(3,), sizes="3", special=(), partitions=MAIN, **settings):
        """Nodes with these attributes, some of them special, and the settings of slurm.conf."""
        nodes = [name for number, count in enumerate(racks, 1) for name in (f"r{number}n[01-{count:02}]",)]
        site = Site(racks, sizes, special=(*((names, attributes) for names in nodes), *special), partitions=partitions,
                    settings=tuple(settings.items()))
        Stage().open(site, OURS)

    def starts(self, request, nodes, cpus=None):
        """The job starts on so many nodes, with so many CPUs, and its forecast says so."""
        with self.subTest(request=request):
            forecast, number, job = self.forecast_and_job(request)
            self.assertEqual(len(job.nodes), nodes, job)
            self.assertEqual(len(forecast), nodes, forecast)
            shown = cluster.ask("scontrol", "-o", "show", "job", str(number))
            if cpus:
                self.assertIn(f" NumCPUs={cpus} ", shown)
            cluster.cancel(number)

    def test_cpus_that_make_no_task(self):
        # Slurm keeps a socket of each node to come out of the job's eight CPUs, which left 2, 3 and 3 of them: enough in all,
        # but with two per task one task per node, three for four. The distribution of tasks then failed, and the job waited
        # forever on an idle cluster.
        self.open("CPUs=6 Sockets=2 CoresPerSocket=3", SelectTypeParameters="CR_Socket")
        self.starts("-N3 -n4 -c2", 3)
        self.starts("-N3 -n7 -c2", 3)

    def test_a_limit_of_cpus_a_node(self):
        # Of 16 CPUs a node may have, tasks of three use 15. Slurm kept a socket for each node to come, which left eight nodes the
        # job's CPUs but no room for its last tasks.
        self.open(BIG.replace("16", "32").replace("Socket=4", "Socket=8"), racks=(3, 4, 4), sizes="3",
                  partitions=(f"{MAIN[0]} MaxCPUsPerNode=16",), SelectTypeParameters="CR_Socket_Memory", DefCpuPerGPU="2")
        self.starts("-n36 -c3", 8)
        self.starts("--gpus=8 --ntasks-per-gpu=2", 2)

    def test_more_kept_for_others_than_the_job_has(self):
        # A socket of each node to come was kept out of five CPUs: the large nodes got one each, and the small one, which has
        # two, could not make up for them.
        self.open("CPUs=8 Sockets=2 CoresPerSocket=4", special=(("r1n03", "CPUs=4 Sockets=1 CoresPerSocket=2 ThreadsPerCore=2"),),
                  SelectTypeParameters="CR_Socket")
        self.starts("-N3 -n5 --segment=3 --threads-per-core=1", 3)
        self.starts("-N3 -n5 --segment=3 --threads-per-core=1 --gres=gpu:1", 3)

    def test_more_cpus_than_the_gpus_of_each_task_are_for(self):
        # A node's four GPUs are for two tasks. One CPU each of the first two nodes and three of the last were enough for five tasks, but
        # the last one's GPUs were not, and the distribution of tasks failed at each attempt.
        tray = Tray(2, 3, 1, 1000, 4)
        Stage().open(Grounds((3, 4), "3", trays=(tray,), binding="cores", partitions=(f"{MAIN[0]} LLN=YES MaxCPUsPerNode=3",),
                             settings=(("SelectTypeParameters", "CR_Core_Memory"),)), OURS)
        self.starts("--gpus-per-task=2 --use-min-nodes -n5", 3)
        self.starts("--gpus-per-task=2 -n5", 3)

    def test_tasks_that_use_the_threads_of_their_cores_for_their_gpus(self):
        # A task has two GPUs and with them two CPUs, the threads of one core. A CPU per core was counted: twice the nodes, and tasks
        # that need all cores of a node waited for good.
        tray = Tray(2, 2, 2, 1000, 4)
        Stage().open(Grounds((4, 4), "4", trays=(tray,), binding="cores", partitions=MAIN, settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        for request, nodes in (("-n4 --gpus-per-task=2", 2), ("-n3 --gpus-per-task=4", 3), ("-n4 --gpus-per-task=1", 1)):
            self.starts(f"--ntasks-per-core=1 --cpus-per-gpu=1 {request}", nodes)

    def test_one_node_more_where_one_is_too_few(self):
        # One node holds the CPUs and GPUs, but Slurm gives planes of two tasks no three GPUs there. The next question was for three
        # nodes instead of two: MIN() evaluated the step twice.
        tray = Tray(2, 2, 1, 1000, 4)
        Stage().open(Grounds((3, 3), "3", trays=(tray,), partitions=MAIN, settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        self.starts("-n3 --gpus-per-task=1 --distribution=plane=2", 2, 3)

    def test_overcommit_with_cpus_of_each_task(self):
        # Slurm heeds --cpus-per-task also with --overcommit. Four nodes were given the CPUs of a task each; the GPUs are for
        # two tasks on each.
        self.open(BIG, racks=(4, 4), sizes="4", SelectTypeParameters="CR_CPU")
        self.starts("-n8 -c5 --ntasks-per-core=1 --gpus-per-task=2 --overcommit", 4, 40)
        self.starts("-N2 -n6 -c5 --overcommit", 2, 30)

    def test_overcommit_with_one_cpu_of_each_task(self):
        # -c1 is not the same as no -c: with --overcommit Slurm then gives each task a CPU, too. Nodes were given one CPU each,
        # and the job waited forever.
        self.open("CPUs=4 Sockets=2 CoresPerSocket=2", racks=(4, 4), sizes="4", SelectTypeParameters="CR_CPU", DefCpuPerGPU="3")
        self.starts("-N2 -n3 -c1 --spread-job --segment=2 --overcommit", 2, 3)
        self.starts("-n2 -c1 --sockets-per-node=1 --gpus-per-socket=1 --spread-job --overcommit", 1, 2)
        self.starts("-n6 -c1 --overcommit", 2, 6)
        self.starts("-n6 --overcommit", 1)

    @before(26, 11, because="starts such jobs")
    def test_overcommit_with_more_tasks_than_cpus(self):
        # Refused for good, where Slurm's own plugins let the jobs wait and Slurm 26.11 starts them.
        self.open("CPUs=1 Sockets=1 CoresPerSocket=1", racks=(4, 4), sizes="4,8", SelectTypeParameters="CR_CPU")
        for request in ("-N8 -n272 -c1 -O", "-N4 -n12 -c1 -O", "-n12 -c1 -O"):
            with self.subTest(request=request):
                number, refusal = cluster.offer(*request.split())
                self.assertIsNotNone(number, refusal)
                self.assertTrue(cluster.stays_pending(number))
                cluster.cancel(number)
        self.starts("-n8 -c1 -O", 8, 8)

    def test_overcommit_with_tasks_of_a_socket(self):
        # A node for each three tasks, as with Slurm's own plugins.
        self.open("CPUs=48 Sockets=2 CoresPerSocket=24", racks=(4, 4), sizes="4,8", SelectTypeParameters="CR_Core")
        self.starts("-n8 -c3 --ntasks-per-socket=3 --exclusive=topo -O", 2)

    def test_overcommit_on_a_whole_node_with_few_cpus(self):
        # Of the node's four CPUs the partition lets a job have two, and three tasks were to have one each, also with --overcommit.
        self.open("CPUs=4 Sockets=2 CoresPerSocket=2", partitions=(f"{MAIN[0]} MaxCPUsPerSocket=1",), SelectTypeParameters="CR_Core")
        self.starts("-N1 -n3 --exclusive --overcommit", 1, 4)
        # With -c1 they still were to have one each of the two, and the job was refused (24.11.5, seed 96).
        self.starts("-N1 -n3 -c1 --exclusive --overcommit", 1, 4)
        self.starts("-N1 -n3 --gpus-per-node=1 --exclusive --overcommit", 1, 4)

    def test_overcommit_on_whole_nodes_with_few_cpus(self):
        # The limit counts two CPUs of each node, of which a whole node gives the job all four: two nodes were taken.
        self.open("CPUs=4 Sockets=2 CoresPerSocket=2", partitions=(f"{MAIN[0]} MaxCPUsPerSocket=1",), SelectTypeParameters="CR_Core")
        for options in ("-n3", "-n4", "-n3 -c1", "-n4 --gpus=1"):
            self.starts(f"{options} --exclusive --overcommit", 1, 4)

    def test_overcommit_with_limited_tasks_on_whole_nodes(self):
        # --ntasks-per-socket and --ntasks-per-core limit what a node offers, not the CPUs over which Slurm distributes the tasks of whole
        # nodes: more nodes were taken, and where there were no more the job was refused for good (26.05.3, seed 9301).
        self.open("CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2", racks=(2, 2), sizes="2", SelectTypeParameters="CR_Core")
        for options in ("-n5 --ntasks-per-socket=1", "-n3 -c2 --ntasks-per-socket=1", "-n6 --ntasks-per-core=1", "-n5 --ntasks-per-socket=1 --gpus=1"):
            self.starts(f"{options} --exclusive --overcommit", 1, 8)
        self.starts("-n10 --ntasks-per-socket=1 --exclusive --overcommit", 2, 16)
        self.starts("-n5 --threads-per-core=1 --exclusive --overcommit", 2, 16)

    def test_overcommit_with_more_tasks_than_whole_nodes_have_cpus(self):
        # The job waits, as with Slurm's own plugins, and is not forecast as if it started.
        self.open("CPUs=4 Sockets=2 CoresPerSocket=2", racks=(2, 2), sizes="2", SelectTypeParameters="CR_Core")
        for options in ("-n17", "-N2 -n9"):
            request = (*options.split(), "--exclusive", "--overcommit")
            with self.subTest(request=request):
                self.assertEqual(will_run(*request), "refused")
                number, refusal = cluster.offer(*request)
                self.assertIsNotNone(number, refusal)
                self.assertTrue(cluster.stays_pending(number))
                cluster.cancel(number)

    def test_one_thread_of_each_core_of_whole_nodes(self):
        # A whole node has a CPU per core for the tasks, not one per thread. Both were counted for a job with GPUs in all: one node was taken,
        # where the tasks never found room, and the job waited for good (25.11.7, seed 8101).
        self.open(BIG, racks=(3, 3), sizes="3", SelectTypeParameters="CR_Core,CR_ONE_TASK_PER_CORE", DefCpuPerGPU="3")
        for options, nodes in (("-n9 --gpus=1 --hint=nomultithread", 2), ("-n9 --gpus=2 --threads-per-core=1", 2),
                               ("-n8 --gpus=2 --hint=nomultithread", 1), ("-n5 -c2 --gpus=2 --hint=nomultithread", 2)):
            self.starts(f"{options} --exclusive", nodes, 16 * nodes)

    def test_overcommit_on_the_last_whole_node(self):
        # The same where the number of nodes is open and no other node is idle: the job waited (26.05.3, seed 2002).
        self.open("CPUs=4 Sockets=2 CoresPerSocket=2", partitions=(f"{MAIN[0]} MaxCPUsPerSocket=1",), SelectTypeParameters="CR_Core")
        cluster.place("-N2", "-w", "r1n[01-02]", "--exclusive")
        self.starts("-n3 -c1 --exclusive --overcommit", 1, 4)

    @before(26, 5, because="distributes all tasks")
    def test_tasks_that_are_fewer_than_the_nodes_for_the_gpus(self):
        # One task cannot lie on the two nodes that eight GPUs need, unless the nodes are whole. Slurm has no cores for the GPUs of a
        # node without a task: "gres_bit_select NULL" in slurmctld's log, and the job waited forever.
        self.open(BIG, racks=(4, 4), sizes="4", SelectTypeParameters="CR_Core")
        self.assertIn("configuration is not available", cluster.offer("-n1", "--gpus=8")[1])
        self.assertEqual(will_run("-n1", "--gpus=8"), "refused")
        self.starts("-n2 --gpus=8", 2)
        self.starts("--gpus=8", 2)
        self.starts("-n1 --gpus=8 --exclusive", 2)
        # CPUs of a GPU make up for a task, those of DefCpuPerGPU, too. Slurm takes the last for two tasks with six CPUs.
        self.starts("-n1 --gpus=8 --cpus-per-gpu=1", 2)
        self.starts("-n6 --gpus-per-node=1 --cpus-per-gpu=1 --ntasks-per-gpu=2", 3)
        self.open(BIG, racks=(4, 4), sizes="4", partitions=(f"{MAIN[0]} MinNodes=2",), SelectTypeParameters="CR_Core", DefCpuPerGPU="2")
        self.starts("-n1 --gpus=8", 2)
        self.starts("-n1", 2)

    def test_cpus_of_each_gpu_and_a_default(self):
        # With --cpus-per-gpu=4 and two GPUs per task, a task has eight CPUs. Slurm noted six, those of DefCpuPerGPU, for GPUs of
        # a type, and a node's eight CPUs were counted as six: "no set of nodes has them".
        Stage().open(Grounds((2, 2), "2", trays=(Tray(1, 8, 1, 1000, 4),), types="h,l", binding="file", partitions=MAIN,
                             settings=(("DefCpuPerGPU", "3"), ("SelectTypeParameters", "CR_Core"))), OURS)
        self.starts("--gpus-per-task=l:2 --cpus-per-gpu=4 -n1", 1, 8)
        self.starts("--gpus-per-task=l:2 --cpus-per-gpu=4 -N1 -n1", 1, 8)
        self.starts("--gpus-per-task=l:2 --cpus-per-gpu=4 -N2 -n2", 2, 16)

    def test_tasks_that_name_the_node_count(self):
        # Seven nodes are free, in three racks. One task per node leaves one node count, which bound the job to two racks: in 26.05
        # only, where Slurm makes the maximum from the tasks.
        self.open(BIG, racks=(4, 4, 4), sizes="4,16")
        cluster.ask("scontrol", "update", "nodename=r1n[01-02],r2n01,r3n[01-02]", "state=drain", "reason=test")
        self.starts("-n7 --ntasks-per-node=1", 7)

    def test_memory_of_whole_sockets(self):
        # With CR_Socket_Memory and memory per CPU Slurm offers tasks of a core each a node by the memory of their cores, then
        # gives them whole sockets. The memory of the small nodes is less than that of a socket's CPUs: a job that was placed
        # there failed to start at each attempt, although the large ones were idle.
        small = ("r1n[01-03]", f"{BIG} RealMemory=300")
        self.open(f"{BIG} RealMemory=1000", racks=(3, 4), sizes="3", special=(small,), SelectTypeParameters="CR_Socket_Memory",
                  DefMemPerCPU="50")
        self.starts("-N2 -n2 --ntasks-per-core=1", 2)
        self.starts("-N2 -n4 --ntasks-per-core=1", 2)

    def test_memory_of_several_sockets(self):
        # Tasks go round the sockets of a node. Four of nine tasks were given to a node that has memory for the CPUs of one of its
        # two sockets: "would overallocate node memory" at each attempt, where topology/block happened to choose other nodes.
        large = ("r1n01,r2n02", "CPUs=16 Sockets=2 CoresPerSocket=8 RealMemory=500")
        self.open("CPUs=4 Sockets=1 CoresPerSocket=4 RealMemory=1000", racks=(3, 3), sizes="3", special=(large,),
                  SelectTypeParameters="CR_Socket_Memory", DefMemPerCPU="50")
        self.starts("-N6 -n9 -c1", 6)
        self.starts("-N2-6 -n8 --gres=gpu:1", 6)
        self.starts("-N1 -n8 -w r1n01 -c1 --mem-per-cpu=30", 1, 16)
        self.assertEqual(will_run("-N1", "-n2", "-w", "r1n01"), "refused")
        self.assertNotEqual(reservation("tres=cpu=30"), "refused")  # for which Slurm counts no memory

    def test_memory_of_sockets_that_a_limit_hides(self):
        # MaxCPUsPerNode=2 made Slurm offer two CPUs, whose memory the small nodes have; the socket that they lie on has sixteen.
        small = ("r1n[01-03]", "CPUs=16 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=500")
        self.open("CPUs=4 Sockets=2 CoresPerSocket=2 RealMemory=1000", racks=(3, 3), sizes="3", special=(small,),
                  partitions=(f"{MAIN[0]} MaxCPUsPerNode=2",), SelectTypeParameters="CR_Socket_Memory")
        self.starts("-N1 -c2 --gres=gpu:3 --mem-per-cpu=40 --overcommit", 1)
        self.starts("-N1 -c2 --mem-per-cpu=40", 1)

    def test_memory_of_a_socket_that_others_left(self):
        # Another job has left the only idle socket of r1n01 798 MB, which Slurm offers for 14 of its 16 CPUs of 50 MB: with
        # --ntasks-per-core or --threads-per-core it counts cores there. All 16 were counted on, and the job failed at each attempt to
        # start (24.11.5, seeds 301 and 305).
        self.open("CPUs=32 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=1000", racks=(2,), sizes="2",
                  SelectTypeParameters="CR_Socket_Memory", DefMemPerCPU="50")
        other = cluster.submit("-N1", "-n1", "-w", "r1n01", "-c4", "--mem=202")
        cluster.wait_job(other, lambda job: job.placed, "had nodes")
        for request in ("-n1 --ntasks-per-core=2", "-n1 --threads-per-core=1 --mem-per-cpu=100"):
            with self.subTest(request=request):
                job = cluster.tried(cluster.submit(*request.split()))
                self.assertEqual(job.nodes, ("r1n02",), job)
                cluster.cancel(job.id)

    def test_memory_of_a_task_on_several_sockets(self):
        # Slurm gives a task that is larger than a socket its cores, not all of both sockets: nine of them, with 900 MB. The memory of
        # 32 CPUs was counted, and the job was refused (24.11.5, seed 305).
        self.open("CPUs=32 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=1000", racks=(2,), sizes="2",
                  SelectTypeParameters="CR_Socket_Memory", DefMemPerCPU="50")
        self.starts("-c17", 1)
        self.starts("-n2 -c20", 2)
        self.assertIsNotNone(cluster.refusal("-c21"))

    def test_tasks_of_a_limited_socket_with_memory_for_all(self):
        # MaxCPUsPerSocket leaves two cores of two threads for a task of three CPUs: Slurm offers three CPUs. The fourth was taken for one
        # without memory, the offer for what is left of it, and the job was refused (24.11.5, seed 601).
        self.open("CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000", racks=(2,), sizes="2",
                  partitions=(f"{MAIN[0]} MaxCPUsPerSocket=2",), SelectTypeParameters="CR_Socket_Memory,CR_ONE_TASK_PER_CORE")
        self.starts("-c3", 1)
        self.starts("-c3 --mem-per-cpu=50", 1)

    def test_memory_of_the_socket_that_is_free(self):
        # A node has memory for one of its sockets, and Slurm selects cores on both, unless another job has one. The job was refused for
        # good, where Slurm's own plugins let it wait or start it beside such a job (25.05.8, seed 8002).
        Stage().open(Grounds((3, 3), "3", trays=(Tray(2, 8, 2, 1000, 4),), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", "50"))), OURS)
        request = ("-N1", "--gpus-per-node=1", "--cpus-per-gpu=3")
        waiting = cluster.submit(*request)
        self.assertFalse(cluster.tried(waiting).placed)
        cluster.cancel(waiting)
        self.assertIn("node configuration", cluster.refusal("--gpus=1000"))  # a job that is too large is refused all the same
        cluster.place("-N1", "-w", "r1n02", "-c10", "--mem=30")
        job = cluster.tried(cluster.submit(*request))
        self.assertEqual(job.nodes, ("r1n02",), job)
        self.assertIn("node configuration", cluster.refusal("--gpus=1000"))

    def test_memory_of_the_socket_that_is_free_where_jobs_share_cores(self):
        # The same, where Slurm's first question is for the cores in use, too (24.11.5, seed 9001).
        Stage().open(Grounds((3,), "3", trays=(Tray(2, 8, 2, 1000, 4),),
                             partitions=(f"{MAIN[0]} OverSubscribe=FORCE:2 MaxCPUsPerSocket=4",),
                             settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", "50"))), OURS)
        cluster.place("-N1", "-w", "r1n02", "-c3", "--mem=160")
        job = cluster.tried(cluster.submit("-N1", "-n3"))
        self.assertEqual(job.nodes, ("r1n02",), job)
        self.assertIn("node configuration", cluster.refusal("-c9"))

    def test_memory_of_idle_nodes_where_jobs_share_cores(self):
        # Of an idle node no other job has a socket. It was counted like a node in use: a start was forecast, and the job failed at each
        # attempt ("would overallocate node memory"). Slurm's own plugins refuse it (24.11.5, seed 9603).
        Stage().open(Grounds((6, 5), "5", trays=(Tray(2, 8, 2, 1000, 4), Tray(2, 3, 2, 500, 2)), small=("r1n01", "r1n04", "r1n05", "r2n01", "r2n03"),
                             partitions=(f"{MAIN[0]} OverSubscribe=FORCE:2",), settings=(
                                 ("SelectTypeParameters", "CR_Socket_Memory,CR_LLN"), ("DefMemPerCPU", "50"), ("DebugFlags", "SelectType"))), OURS)
        self.assertEqual(will_run("-N4", "-n25"), "refused")
        number, _ = cluster.offer("-N4", "-n25")
        self.assertTrue(number is None or cluster.stays_pending(number))
        self.assertNotIn("would overallocate node", cluster.read_log())

    def test_memory_of_whole_nodes(self):
        # A limit of the partition lowers what Slurm offers of a node to CPUs that there is memory for; the job gets all of them, and more
        # memory than the first node has. It waited for good (24.11.5, seed 9401).
        small = ("r1n01", f"{BIG} RealMemory=500")
        self.open(f"{BIG} RealMemory=1000", racks=(3,), special=(small,), SelectTypeParameters="CR_Core_Memory", DefMemPerCPU="50",
                  partitions=(f"{MAIN[0]} OverSubscribe=EXCLUSIVE MaxCPUsPerSocket=2",))
        self.starts("-N2", 2)
        self.starts("-N1-3", 2)
        self.starts("-n7", 2)
        self.starts("-N3 --threads-per-core=1", 3)
        self.assertIn("node configuration", cluster.refusal("-N3"))

    def test_overcommit_on_one_core(self):
        # Slurm counts two CPUs for the GPU where one task per core can use one. The job could not have both, and waited.
        self.open(BIG, racks=(4, 4), sizes="4", SelectTypeParameters="CR_Core")
        self.starts("-N1 -n1 --gres=gpu:1 --cpus-per-gpu=2 --overcommit --ntasks-per-core=1", 1)

    @before(26, 5, because="distributes all tasks")
    def test_nodes_without_a_task_that_keep_their_cores(self):
        # Slurm makes two tasks for the partition's two nodes and asks for the CPUs of five. Three nodes have no task, but where
        # CPUs are allocated they keep their cores, and with them their GPUs. The job was refused.
        self.open(BIG, racks=(5, 5), sizes="5", partitions=(f"{MAIN[0]} MinNodes=2",), SelectTypeParameters="CR_CPU")
        self.starts("-n5 --gpus-per-node=1 --ntasks-per-gpu=1", 5)

    def test_whole_nodes_have_far_cores_too(self):
        # The nodes' GPUs are bound to cores, and first only the cores near the job's GPU counted, four CPUs a node: six nodes for 23
        # tasks, where the partition gives whole nodes of eight CPUs anyway.
        tray = Tray(2, 2, 2, 1000, 4)
        Stage().open(Grounds((5, 5), "5", trays=(tray,), binding="cores", partitions=(f"{MAIN[0]} OverSubscribe=EXCLUSIVE",),
                             settings=(("SelectTypeParameters", "CR_Core"), ("DefCpuPerGPU", "2"))), OURS)
        self.starts("-n23 -c1 --gpus-per-node=1", 3, 24)
        self.starts("-n23 -c1 --gpus-per-node=1 --exclusive", 3, 24)

    def test_whole_nodes_have_all_their_cpus(self):
        # A node counted the two CPUs of its GPU by DefCpuPerGPU, six in three nodes, too few for seven tasks. The partition gives whole
        # nodes of eight CPUs anyway, and topology/block, which counts no CPUs over segments, started the job.
        tray = Tray(2, 2, 2, 1000, 2)
        Stage().open(Grounds((5, 5), "5", trays=(tray,), partitions=(f"{MAIN[0]} OverSubscribe=EXCLUSIVE",),
                             settings=(("SelectTypeParameters", "CR_Core"), ("DefCpuPerGPU", "2"))), OURS)
        self.starts("-N3 -n7 --gres=gpu:1 --segment=1", 3, 24)
        self.starts("-N3 -n7 --gres=gpu:1 --ntasks-per-core=2", 3, 24)

    def test_gpus_of_each_socket_that_others_have(self):
        # One of the two GPUs of a node was taken, and Slurm offered it all the same where GPUs belong to no socket. Then it could not
        # give the job a GPU on each socket: "Insufficient gres/gpu allocated", at each attempt, although other nodes were idle.
        tray = Tray(2, 2, 2, 1000, 2)
        Stage().open(Grounds((4, 4), "4", trays=(tray,), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core"), ("DefCpuPerGPU", "2"))), OURS)
        for node in ("r1n01", "r1n02", "r2n01"):
            cluster.wait_job(cluster.submit("-N1", "-n1", "-w", node, "--gres=gpu:1"), lambda job: job.placed, "had nodes")
        self.starts("-N2-4 --sockets-per-node=2 --gpus-per-socket=1", 3)
        self.starts("-N3 --sockets-per-node=2 --gpus-per-socket=1", 3)
        self.starts("-N3 -n4 --sockets-per-node=1 --gpus-per-socket=1 --cpus-per-gpu=2", 3)

    def test_gpus_of_sockets_on_which_others_have_cores(self):
        # Slurm selects the three cores of five CPUs from both sockets, although one would do and they are to be filled one after the
        # other, and then wants a GPU for each. Where one was left, 24.11 started the job with "Insufficient gres/gpu allocated" in
        # its log, and 26.05 tried again and again while another node was idle (26.05.3, seed 99).
        tray = Tray(2, 3, 2, 1000, 2)
        Stage().open(Grounds((2,), "2", trays=(tray,), binding="file", types="h", partitions=MAIN, settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        cluster.wait_job(cluster.submit("-N1", "-n1", "-w", "r1n01", "--gres=gpu:1"), lambda job: job.placed, "had nodes")
        cluster.ask("scontrol", "update", "nodename=r1n02", "weight=10")
        self.starts("-n5 --sockets-per-node=1 --gpus-per-socket=1", 1)
        self.assertNotIn("Insufficient gres/gpu", cluster.read_log())

    def test_gpus_of_all_sockets_of_whole_nodes(self):
        # Cores on two sockets, and one GPU of the type on one node: slurmctld logged "Insufficient gres/gpu allocated" at each attempt, and
        # the job waited (25.11.7, seed 4003).
        few, many = Tray(2, 2, 1, 1000, 2), Tray(2, 8, 1, 500, 4)
        Stage().open(Grounds((2, 2), "2", trays=(many, few), small=("r1n02",), types="h,l", binding="file",
                             partitions=(f"{MAIN[0]} OverSubscribe=EXCLUSIVE",), settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        self.starts("-N1-4 --sockets-per-node=1 --gpus-per-socket=l:1", 3)

    def test_gpus_of_far_sockets_where_the_first_node_has_one(self):
        # With GPUs near the cores the nodes give half of their CPUs, and lie in two racks; with any GPU those of one rack are enough. It was
        # not tried, as the number of nodes was compared with that of the first node's sockets: nine nodes, not five (26.05.3, seed 10303).
        Stage().open(Grounds((6, 5), "5", trays=(Tray(2, 8, 1, 1000, 4), Tray(1, 4, 1, 500, 4)), small=("r1n01", "r1n05", "r2n02", "r2n04"),
                             types="h", binding="cores", partitions=(f"{MAIN[0]} LLN=YES",),
                             settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", "0"))), OURS)
        self.starts("-n66 --gres=gpu:1", 5)

    def test_gpus_of_more_sockets_than_are_asked_for(self):
        # Slurm gives a GPU for each socket that has cores for the job, also where fewer sockets are asked for. On a node with one
        # GPU left it allocated two: "overallocated resources by 1, (3 > 2)".
        tray = Tray(2, 2, 2, 1000, 2)
        Stage().open(Grounds((4, 4), "4", trays=(tray,), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core,ENFORCE_BINDING_GRES"),)), OURS)
        for node in ("r1n01", "r2n01"):
            cluster.wait_job(cluster.submit("-N1", "-n1", "-c4", "-w", node, "--gres=gpu:1"), lambda job: job.placed, "had nodes")
        self.starts("-N3-4 --sockets-per-node=1 --gpus-per-socket=1", 3)

    def test_gpus_of_two_sockets_on_nodes_of_two_kinds(self):
        # The two CPUs of a job are one core of a node with two threads, on one of the two sockets that it asks for: it had one GPU there, in
        # the tighter rack, and has two on a node with one thread (26.05.3, seed 9605).
        Stage().open(Grounds((2, 2), "2", trays=(Tray(2, 4, 1, 1000, 4), Tray(2, 2, 2, 500, 4)), small=("r2n02",), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_CPU_Memory"), ("DefMemPerCPU", "0"))), OURS)
        cluster.wait_job(cluster.submit("-N1", "-n1", "-w", "r2n01", "-c3", "--mem=311"), lambda job: job.placed, "had nodes")
        number = cluster.submit("-N1", "--sockets-per-node=2", "--gpus-per-socket=1")
        job = cluster.tried(number)
        self.assertNotIn("r2n02", job.nodes)
        self.assertIn("gpu:2", cluster.ask("scontrol", "-d", "show", "job", number))

    def test_gpus_of_a_socket_and_their_cpus(self):
        # The node may give two CPUs, which are for one GPU. That was taken for the number of its free GPUs, one for two sockets with
        # free cores, and the job was refused.
        tray = Tray(2, 2, 1, 1000, 4)
        Stage().open(Grounds((3, 3), "3", trays=(tray,), binding="count", partitions=(f"{MAIN[0]} MaxCPUsPerNode=2",),
                             settings=(("SelectTypeParameters", "CR_Socket_Memory"),)), OURS)
        self.starts("-N1 -n1 --sockets-per-node=1 --gpus-per-socket=1 --cpus-per-gpu=2 --mem=39", 1)

    @since(26, 5)
    def test_gpus_bound_to_cores_without_a_number_of_cpus(self):
        # Two nodes have two GPUs each, one per socket. The last of three GPUs brought the CPUs of one socket only, where Slurm's
        # own plugins give both nodes whole: fewer CPUs than without this plugin. Slurm 24.11 itself gives such a job one GPU per
        # node, and topology/block refuses it there.
        tray = Tray(2, 2, 2, 1000, 2)
        Stage().open(Grounds((2, 2), "2", trays=(tray,), binding="cores", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        self.starts("--gpus=3 --gres-flags=enforce-binding --mem=0", 2, 16)

    def test_sockets_that_gpus_leave_out(self):
        # A node has memory for one of its sockets only. Tasks go round the sockets, so that it was counted with two CPUs; but the job's
        # GPUs are bound to one socket, which holds six: three nodes instead of two.
        large, small = Tray(2, 4, 1, 1000, 4), Tray(2, 3, 2, 500, 4)
        Stage().open(Grounds((3, 3), "3,6", trays=(large, small), small=("r1n02", "r1n03", "r2n02", "r2n03"), types="h,l", binding="cores",
                             partitions=MAIN, settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", "50"))), OURS)
        self.starts("-n10 -c1 --gpus-per-node=l:2 --cores-per-socket=1", 2, 10)

    def test_fewer_cpus_than_the_least(self):
        # Slurm counts the CPUs of --mincpus on a node that has fewer left. The least loaded one was such a node; then its CPUs did
        # not suffice for the job, at each attempt.
        tray = Tray(2, 8, 1, 1000, 4)
        Stage().open(Grounds((4, 4), "4", trays=(tray,), partitions=(f"{MAIN[0]} LLN=YES MaxCPUsPerNode=8",),
                             settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        for node in ("r1n01", "r1n02", "r2n01"):
            cluster.wait_job(cluster.submit("-N1", "-n1", "-c4", "-w", node), lambda job: job.placed, "had nodes")
        self.starts("-c2 --gpus-per-node=1 --gres-flags=disable-binding --mincpus=6", 1)

    def test_fewer_cpus_than_the_least_everywhere(self):
        # The GPUs leave each node four CPUs for the job. Slurm counts the six of --mincpus, and topology/flat starts it.
        tray = Tray(2, 2, 2, 1000, 4)
        Stage().open(Grounds((3, 4), "3,12", trays=(tray,), partitions=MAIN, settings=(("SelectTypeParameters", "CR_Socket_Memory"),)), OURS)
        self.starts("-N2 -n2 --gpus=4 --ntasks-per-gpu=1 --segment=1 --mincpus=6", 2, 8)

    def test_threads_that_tasks_leave_unused(self):
        # One core of each socket, and one task on it. Slurm counts both threads of a core for --mincpus and for the tasks of GPUs: laid
        # out with one CPU per core, the jobs were turned down wherever they were placed, or took more nodes.
        tray = Tray(2, 3, 2, 1000, 4)
        Stage().open(Grounds((5, 5), "5", trays=(tray,), partitions=MAIN, settings=(("SelectTypeParameters", "CR_CPU,ENFORCE_BINDING_GRES"),)),
                     OURS)
        self.starts("--gpus-per-node=1 --cpus-per-gpu=1 --hint=memory_bound --mincpus=3", 1, 3)
        self.starts("-N2 --gpus-per-node=2 --cpus-per-gpu=1 --ntasks-per-gpu=2 --hint=memory_bound", 2, 8)
        Stage().open(Grounds((4, 4), "4,8", trays=(Tray(1, 2, 2, 1000, 2), Tray(2, 2, 2, 500, 2)), small=("r1n01", "r2n01", "r2n02"), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_CPU_Memory"),)), OURS)
        self.starts("--ntasks-per-socket=1 --gpus=8 --mem-per-gpu=1 --mincpus=2", 4)

    def test_tasks_of_gpus_need_more_cpus_than_the_least(self):
        # Slurm's minimum of such a job is the two CPUs of one task, and nodes were reduced to it: no place for the second task of the GPU.
        # The job was refused; topology/block starts it with --segment.
        for tray in (Tray(1, 4, 1, 1000, 4), Tray(2, 8, 2, 1000, 4)):
            Stage().open(Grounds((3, 3), "3", trays=(tray,), partitions=MAIN, settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
            self.starts("-c2 --gpus=1 --ntasks-per-gpu=2", 1, 4)
            self.starts("-N1 -c2 --gpus=1 --ntasks-per-gpu=2 --segment=1", 1, 4)

    def test_cores_for_tasks_that_leave_threads_unused(self):
        # Each task has two cores for its three CPUs. The second node was given the cores of one socket, with eight CPUs for its two GPUs,
        # of which the tasks can have six: Slurm held the job for good ("sync loop not progressing").
        tray = Tray(2, 4, 2, 1000, 4)
        Stage().open(Grounds((3, 3), "3", trays=(tray,), binding="cores", partitions=MAIN, settings=(
            ("SelectTypeParameters", "CR_Socket_Memory,CR_ONE_TASK_PER_CORE"), ("DefCpuPerGPU", "3"))), OURS)
        self.starts("-N2 --ntasks-per-node=2 --gpus-per-task=1", 2, 32)
        # Where sockets are filled one after the other, Slurm gives the job what there is.
        Stage().open(Grounds((3, 3), "3", trays=(Tray(2, 4, 1, 1000, 4), tray), small=("r1n01", "r1n02", "r2n01", "r2n02"), binding="file",
                             partitions=MAIN, settings=(("SelectTypeParameters", "CR_CPU_Memory"), ("DefCpuPerGPU", "3"))), OURS)
        self.starts("-N2 --ntasks-per-core=1 --gpus-per-task=1", 2)

    @before(26, 5, because="refuses it with all of its plugins")
    def test_tasks_that_slurm_finds_cpus_for(self):
        # The one task of each node's GPU made three CPUs a node, too few for seven tasks: refused. Slurm's own algorithms count
        # all CPUs of the nodes.
        self.open("CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:2", racks=(3, 3), SelectTypeParameters="CR_Socket")
        self.starts("-n7 -c3 --gres=gpu:1 --ntasks-per-gpu=1 --gres-flags=enforce-binding", 6)

    @since(25, 11)  # which adds a task for each node
    @before(26, 5, because="starts such a job on one node, with fewer GPUs")
    def test_a_task_on_each_node_of_the_gpus(self):
        # Of one task nothing seemed to be left for the second and third node, which Slurm gives one each: refused.
        self.open("CPUs=2 Sockets=1 CoresPerSocket=2 Gres=gpu:4", racks=(2, 2), sizes="2", SelectTypeParameters="CR_Socket")
        self.starts("-n1 --ntasks-per-node=1 --gpus=9", 3)

    def test_segments_share_cpus_evenly(self):
        # topology/block gives each segment its share of the CPUs, and leaves the rest out: one CPU each of three. The sum of the two
        # offers is two, so the job was refused; a whole node gives all its CPUs.
        self.open("CPUs=3 Sockets=1 CoresPerSocket=3", partitions=(f"{MAIN[0]} OverSubscribe=EXCLUSIVE",), SelectTypeParameters="CR_Core")
        self.starts("-N2 -n3 --ntasks-per-socket=1 --segment=1", 2, 6)

    def test_named_nodes_that_come_last(self):
        # Slurm keeps a socket's CPUs back for each node to come. In the order of the nodes none of the job's six CPUs were left for a
        # named one, and no block of three holds fewer nodes than four with both: refused (26.05.3, seed 2005).
        large, small = Tray(1, 8, 2, 1000, 2), Tray(2, 3, 2, 500, 4)
        Stage().open(Grounds((3, 3, 4), "3", trays=(large, small), small=("r1n01", "r2n01", "r2n02", "r3n01", "r3n02"), types="h,l",
                             binding="file", partitions=MAIN, settings=(("SelectTypeParameters", "CR_Socket_Memory"),)), OURS)
        number, refusal = cluster.offer("-N2-4", "-c3", "--gpus-per-node=1", "-w", "r1n02,r3n01", "--gres-flags=enforce-binding")
        self.assertIsNotNone(number, refusal)
        self.assertEqual(len(cluster.tried(number).nodes), 4)

    def test_more_cpus_than_the_partition_allows(self):
        # The partition lets a job have three CPUs of a node, yet Slurm counts the four of --mincpus and gives it both sockets. The job was
        # placed with three, which Slurm then found too few: it waited forever (24.11.5, seed 1).
        self.open("CPUs=6 Sockets=2 CoresPerSocket=3", partitions=(f"{MAIN[0]} MaxCPUsPerNode=3",), SelectTypeParameters="CR_Socket")
        self.starts("--mincpus=4", 1, 6)
        self.starts("-N2 --mincpus=4 --ntasks-per-core=1", 2, 12)

    def test_contiguous_nodes_with_more_cpus_than_the_partition_allows(self):
        # Slurm's own way is asked of the two nodes that were chosen, and does not find r1n01 beside r1n02 if it looks for neighbours. The job was
        # refused, where topology/block, which ignores --contiguous, and topology/flat start it (24.11.5, seed 11002).
        few, many = Tray(1, 4, 1, 1000, 4), Tray(2, 8, 2, 500, 4)
        Stage().open(Grounds((4, 4), "4", trays=(few, many), small=("r1n02", "r2n04"), partitions=(f"{MAIN[0]} MaxCPUsPerNode=2",),
                             settings=(("SelectTypeParameters", "CR_Socket,ENFORCE_BINDING_GRES"),)), OURS)
        self.assertIn("r1n02", cluster.place("-N2", "--gres=gpu:1", "-w", "r1n02", "--contiguous").nodes)

    def test_mincpus_above_a_limit_make_up_for_other_nodes(self):
        # Slurm offers two CPUs of each node. It keeps a socket back for each node to come, and counts the three of --mincpus then: eleven on
        # four nodes, which get all of their sockets. The job was refused (25.11.7, seed 11201, where topology/flat starts it).
        self.open("CPUs=4 Sockets=1 CoresPerSocket=4", racks=(4, 2), sizes="4", partitions=(f"{MAIN[0]} MaxCPUsPerNode=2",),
                  SelectTypeParameters="CR_Socket")
        self.starts("-N4 -n11 --mincpus=3", 4, 16)
        self.starts("-N2 -n5 --mincpus=3", 2, 8)

    @before(25, 11, because="gives the two GPUs of one socket; later, Slurm refuses them at each attempt")
    def test_too_few_gpus_for_the_sockets_everywhere(self):
        # Cores on two sockets, and two GPUs for each: no node has four of the type. Slurm 24.11 and 25.05 start the job with the two of
        # one socket, as many as --sockets-per-node names; this plugin refused it.
        tray = Tray(2, 8, 2, 1000, 4)
        Stage().open(Grounds((5, 5), "5", trays=(tray,), types="h,l", binding="file", partitions=(f"{MAIN[0]} MaxCPUsPerSocket=4",),
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        self.starts("-N5-8 -n5 --sockets-per-node=1 --gpus-per-socket=l:2 --cpus-per-gpu=2", 5, 40)

    def test_gpus_of_each_socket_of_which_others_have_some_everywhere(self):
        # Three tasks need both sockets of the second node, of whose two GPUs another job has one. With no other node left Slurm was
        # offered it all the same, and allocated two: "overallocated resources by 1, (3 > 2)". The job waits for the other one.
        # With File= in gres.conf, but neither Cores= nor Type=, it did so again (24.11.5, seed 9803).
        for binding in ("count", "file"):
            with self.subTest(binding=binding):
                Stage().open(Grounds((2,), "2", trays=(Tray(2, 2, 2, 1000, 2),), partitions=MAIN, binding=binding,
                                     settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
                other = self._job_with_a_gpu()
                self.starts("-N2 -n20 --sockets-per-node=1 --gpus-per-socket=1 --overcommit", 2)  # one CPU of each node
                self._waits_for(other, "-N2", "-n7", "-c2")

    def test_cpus_of_gpus_on_sockets_of_which_others_have_some(self):
        # Two nodes of two CPUs for three tasks; but for DefCpuPerGPU the second node gives both in any case, on two sockets.
        Stage().open(Grounds((2,), "2", trays=(Tray(2, 8, 1, 1000, 2),), partitions=MAIN, binding="file",
                             settings=(("SelectTypeParameters", "CR_CPU"), ("DefCpuPerGPU", "1"))), OURS)
        self._waits_for(self._job_with_a_gpu(), "-n3")

    @staticmethod
    def _job_with_a_gpu():
        number = cluster.submit("-N1", "-n1", "-w", "r1n02", "--gres=gpu:1")
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        return number

    def _waits_for(self, other, *options):
        """A job with GPUs of sockets does not start with the other's."""
        number = cluster.submit(*options, "--sockets-per-node=1", "--gpus-per-socket=1")
        self.assertTrue(cluster.stays_pending(number))
        self.assertNotIn("overallocated", cluster.read_log())
        cluster.cancel(other)
        cluster.wait_job(number, lambda job: job.placed, "had nodes")

    def test_overcommit_with_as_many_tasks_as_nodes_may_have(self):
        # Since 25.11 Slurm distributes as many tasks as --ntasks-per-node lets the nodes have, whatever -n says: 16 of three CPUs here.
        # The nodes were counted with the CPUs of four, and the distribution failed at each attempt.
        self.open("CPUs=32 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", racks=(4, 4), sizes="4", SelectTypeParameters="CR_Core")
        self.starts("-N2 -n4 -c3 --ntasks-per-node=8 --overcommit --segment=2", 2)

    def test_a_total_of_gpus_on_nodes_of_two_kinds(self):
        # Some nodes' GPUs are bound to cores, the others' are not. Slurm offered all four of a bound node but allocated the two of the
        # socket in use, and ended at the first node of the other kind: the job started with 26 of 34 GPUs.
        bound, loose = Tray(2, 4, 2, 1000, 4), Tray(1, 2, 1, 500, 4)
        Stage().open(Grounds((5, 5, 5, 5), "5,20", trays=(bound, loose), small=("r1n02", "r1n03", "r2n03", "r2n04", "r3n02"), binding="cores",
                             partitions=(f"{MAIN[0]} MaxCPUsPerNode=8",),
                             settings=(("SelectTypeParameters", "CR_Socket,CR_CORE_DEFAULT_DIST_BLOCK"),)), OURS)
        number, _ = cluster.offer("--ntasks-per-node=1", "--gpus=34")
        if number:  # topology/block refuses it
            cluster.wait_job(number, lambda job: job.placed, "had nodes")
            self.assertRegex(cluster.ask("scontrol", "-d", "-o", "show", "job", str(number)), r" JOB_GRES=gpu:(3[4-9]|[4-9]\d)\b")

    def test_switches_where_jobs_share_cores(self):
        # One idle node in each rack: --switches=1 waited for a second one. Slurm would have tried the cores that the partition lets jobs
        # share next, on two nodes of one rack, but ends with the first nodes that a plugin accepts.
        tray = Tray(1, 2, 2, 1000, 2)
        Stage().open(Grounds((3, 3), "3", trays=(tray,), partitions=(f"{MAIN[0]} OverSubscribe=FORCE:2",),
                             settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        for node in ("r1n01", "r1n02", "r2n01", "r2n02"):
            cluster.wait_job(cluster.submit("-N1", "-n1", "-c4", "-w", node), lambda job: job.placed, "had nodes")
        number = cluster.submit("-N2", "-n2", "-c3", "--switches=1@600", "--segment=1")
        job = cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertEqual(len({node[:2] for node in job.nodes}), 1, job)

    def test_switches_with_far_cores(self):
        # On the two cores near its GPU a node has two of seven CPUs: four nodes, of two racks. The job waited for fewer racks, although with
        # all its cores one rack holds it (24.11.5, seed 601).
        Stage().open(Grounds((3, 3), "3", trays=(Tray(2, 2, 1, 1000, 2),), binding="cores", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        number = cluster.submit("-n7", "--gres=gpu:1", "--switches=1@600")
        job = cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertEqual(len({node[:2] for node in job.nodes}), 1, job)

    def test_switches_that_the_cpus_of_no_rack_can_keep(self):
        # Two nodes lie in one rack, but none has their ten CPUs: the job waited all its time, and its forecast was refused (25.11.7, seed 9501).
        Stage().open(Site((2, 2), "2", special=(("r[1-2]n01", "CPUs=3 CoresPerSocket=3"), ("r[1-2]n02", "CPUs=6 CoresPerSocket=6")),
                          partitions=MAIN, settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        self.assertEqual(len(will_run("-n10", "--switches=1@600")), 2)
        self.assertEqual(len(cluster.place("-n10", "--switches=1@600").nodes), 2)

    def test_switches_that_the_cpus_of_a_partition_cannot_keep(self):
        # The partition lets a job have four of 16 CPUs of each node, and tasks of a socket are counted, too: no rack of three nodes has
        # room for 13 tasks. All CPUs of its nodes were counted, and the jobs waited all their time (26.05.3, seed 9902).
        tray = Tray(2, 4, 2, 1000, 2)
        Stage().open(Grounds((3, 3), "3", trays=(tray,), partitions=(f"{MAIN[0]} MaxCPUsPerSocket=2", MAIN[0].replace("main", "all").replace("Default=YES ", "")),
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        for request in ("-N1-4 -n13", "-p all -N1-4 -n13 --ntasks-per-socket=2"):
            with self.subTest(request=request):
                self.assertGreater(len(will_run(*request.split(), "--switches=1@600")), 3)
                job = cluster.tried(cluster.submit(*request.split(), "--switches=1@600"))
                self.assertGreater(len(job.nodes), 3)
                cluster.cancel(job.id)
        cluster.place("-N1", "--exclusive", "-w", "r1n01")
        cluster.place("-N1", "--exclusive", "-w", "r2n01")
        self.assertTrue(cluster.stays_pending(cluster.submit("-N1-4", "-n12", "--switches=1@600")))

    def test_cpus_of_gpus_above_a_limit(self):
        # The CPUs of two GPUs, six, are above the partition's limit of four. Slurm gives them all the same; while no more than the selected
        # ones counted, the job got four.
        tray = Tray(2, 2, 2, 1000, 4)
        Stage().open(Grounds((4, 4), "4", trays=(tray,), types="h,l", binding="file", partitions=(f"{MAIN[0]} MaxCPUsPerNode=4",),
                             settings=(("SelectTypeParameters", "CR_Core,CR_ONE_TASK_PER_CORE"), ("DefCpuPerGPU", "3"))), OURS)
        self.starts("-N1 --sockets-per-node=1 --gpus-per-socket=1", 1, 6)

    def test_tasks_above_a_limit_beside_gpus(self):
        # Three nodes may give the job three CPUs each, too few for ten tasks, but Slurm gives each node the four of its GPU's cores: refused,
        # where topology/flat starts the job (26.05.3, seed 2001).
        tray = Tray(1, 3, 2, 1000, 4)
        Stage().open(Grounds((2, 3), "2", trays=(tray,), binding="file", partitions=(f"{MAIN[0]} MaxCPUsPerNode=3",),
                             settings=(("SelectTypeParameters", "CR_Socket"), ("DefCpuPerGPU", "3"))), OURS)
        self.starts("-N3 -n10 --gres=gpu:1 --segment=1", 3)

    def test_a_total_of_gpus_on_few_nodes_with_cpus_for_their_tasks(self):
        # --ntasks-per-gpu makes four tasks of seven CPUs, while Slurm counts those of -n2. Kept for each of three nodes, they left the
        # first node one task and one GPU, and the job got four nodes; Slurm's own plugins keep CPUs for the least nodes only.
        Stage().open(Grounds((4, 4), "4", trays=(Tray(2, 8, 2, 1000, 4),), binding="cores", partitions=(f"{MAIN[0]} MaxCPUsPerNode=16",),
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        # Slurm 25.05 and later give a node two of these tasks, with every plugin.
        self.starts("-n2 -c7 --gpus=4 --ntasks-per-gpu=1 --mem=0", *((2, 28) if cluster.release() >= (25, 5) else (3, 30)))

    def test_cpus_of_gpus_on_one_core_with_one_task(self):
        # Slurm selects one core, whose two threads are the CPUs of two GPUs. With --ntasks-per-core=1 the one task uses one of them, and
        # only that was counted: refused on an idle cluster, where Slurm's own plugins start the job.
        tray = Tray(2, 2, 2, 1000, 4)
        Stage().open(Grounds((4, 4), "4", trays=(tray,), types="h,l", binding="cores", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core_Memory"),)), OURS)
        self.starts("-N1 -n1 --ntasks-per-core=1 --gpus=h:2 --cpus-per-gpu=1 --mem-per-cpu=44", 1)
        self.starts("-N2 -n2 --ntasks-per-core=1 --gpus=h:4 --cpus-per-gpu=1", 2)

    def test_tasks_without_a_core_each(self):
        # The CPUs of a node's GPU are those of two cores: five tasks, one per core, fit on no two nodes. Slurm counts the CPUs, finds no
        # places for the tasks and lets the job wait (topology/block: holds it for good). With three nodes there are enough.
        tray = Tray(2, 3, 2, 1000, 4)
        Stage().open(Grounds((4, 4), "4", trays=(tray,), types="h,l", partitions=MAIN, settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        request = "-n5 --ntasks-per-core=1 --gpus-per-node=1 --cpus-per-gpu=2"
        self.assertIn("node configuration", cluster.refusal("-N2", *request.split()))
        self.starts(f"-N3 {request}", 3)

    def test_one_task_on_no_more_nodes_than_the_partition_asks_for(self):
        # Two nodes are the least here, and no two hold the GPUs of one task. Slurm's algorithm laid it out on three nodes, with one CPU
        # in all, and slurmctld logged "tasks_per_node not set" as the job started. Slurm's own plugins refuse it.
        Stage().open(Grounds((4, 4), "4", trays=(Tray(2, 3, 2, 1000, 4),), binding="cores", settings=(("SelectTypeParameters", "CR_CPU"),),
                             partitions=(f"{MAIN[0]} MinNodes=2",)), OURS)
        self.assertIsNotNone(cluster.refusal("-n1", "--gpus-per-task=2"))

    @since(26, 5)
    def test_default_cpus_of_gpus_on_one_node_with_a_thread_per_core(self):
        # The default names more CPUs than the one node has without the threads that --hint leaves out, which were counted: both of Slurm's
        # plugins start the job there, and it was refused for good (26.05.3, seed 9402).
        self.open(BIG, SelectTypeParameters="CR_Socket", DefCpuPerGPU="3")
        for options in ("--gpus=3 --hint=nomultithread", "--gpus=4 --threads-per-core=1", "-N1 --gpus=3 --hint=compute_bound"):
            self.starts(f"-n1 {options}", 1)
        self.assertIn("node configuration", cluster.refusal("-n1", "--gpus=3", "--cpus-per-gpu=3", "--hint=nomultithread"))

    @since(26, 5)
    def test_more_cpus_than_the_cores_of_a_gpu_on_one_node(self):
        # For one node Slurm selects the cores of the GPU's three CPUs, and starts the job with the four of --mincpus. Three were laid out,
        # and the job waited for good.
        Stage().open(Grounds((5, 5), "5", trays=(Tray(2, 8, 1, 1000, 2),), binding="file", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_CPU"), ("DefCpuPerGPU", "3"))), OURS)
        self.starts("-N1 --gres=gpu:1 --mincpus=4", 1, 4)
        self.starts("-N1 --gres=gpu:2 --mincpus=9", 1, 9)

    def test_overcommit_on_few_cores_near_the_gpu(self):
        # The cores near a GPU are four. A task of five CPUs counted five, and slurmctld logged "b_min > nboards_nb" at each attempt.
        Stage().open(Grounds((4, 4), "4", trays=(Tray(2, 4, 1, 1000, 2),), binding="cores", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        self.starts("-N2 -c5 --gpus-per-node=1 --gres-flags=enforce-binding --overcommit", 2, 8)

    def test_one_task_with_one_gpu_on_a_core_to_itself(self):
        # The task has two cores for its three CPUs, one on each socket, where all four threads count: refused, where Slurm's own plugins
        # start it. Three tasks they hold for good, two of them on a node of four cores, whose threads are enough for two alone.
        Stage().open(Grounds((4, 4), "4", trays=(Tray(2, 2, 2, 1000, 4),), binding="file", partitions=MAIN, settings=(
            ("SelectTypeParameters", "CR_Core_Memory,CR_ONE_TASK_PER_CORE"), ("DefCpuPerGPU", "3"))), OURS)
        self.starts("-n1 --gpus-per-task=1", 1, 4)
        self.starts("-n2 --gpus-per-task=1", 1, 8)
        self.starts("-n3 --gpus-per-task=1", 2)
        self.starts("-N3 -n3 --gpus-per-task=1", 3, 12)
        # Whole nodes have all of their cores (25.05.8, seed 7001).
        Stage().open(Grounds((4, 3), "3", trays=(Tray(2, 3, 2, 1000, 4),), binding="file", partitions=MAIN, settings=(
            ("SelectTypeParameters", "CR_Core,CR_ONE_TASK_PER_CORE"), ("DefCpuPerGPU", "3"))), OURS)
        self.starts("-N2 -n3 --gpus-per-task=1 --exclusive", 2, 24)

    def test_two_tasks_on_a_core_where_slurm_puts_them(self):
        # Each node's GPU has one CPU, and Slurm counts both threads of its core, for two tasks, --ntasks-per-core or not. One thread was
        # counted, and the job waited for a node more than there are.
        Stage().open(Grounds((2, 4), "2", trays=(Tray(2, 8, 2, 1000, 4),), binding="file", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_CPU_Memory"),)), OURS)
        self.starts("-N2 -n4 --ntasks-per-core=1 --gres=gpu:1 --cpus-per-gpu=1", 2, 4)

    def test_a_counted_feature_of_too_few_cores(self):
        # Slurm wants one node of the feature, and none has seven cores. One was given CPUs for seven tasks on six cores, and Slurm held the
        # job for good ("sync loop not progressing"). With Slurm's own plugins it waits.
        Stage().open(Grounds((3, 4), "3", trays=(Tray(1, 2, 2, 1000, 4), Tray(2, 3, 2, 500, 4)), small=("r1n01", "r1n03", "r2n01"), binding="file",
                             partitions=MAIN, settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        job = cluster.tried(cluster.submit("-n7", "--gres=gpu:1", "--threads-per-core=1", "-C", "all*1"))
        self.assertEqual((job.state, job.reason), ("PENDING", "Resources"))

    def test_tasks_per_node_on_the_cores_of_a_gpu(self):
        # The fifth GPU's node was given the two cores near it, whose four threads counted for three tasks with cores to themselves: Slurm
        # held the job for good ("sync loop not progressing"), and starts it with its own plugins (25.11.7, seed 7101).
        Stage().open(Grounds((5, 4), "4", trays=(Tray(2, 2, 2, 1000, 4),), binding="cores", partitions=MAIN, settings=(
            ("SelectTypeParameters", "CR_Core"), ("DefCpuPerGPU", "1"))), OURS)
        self.starts("--ntasks-per-node=3 --gpus=5 --hint=memory_bound", 2, 16)

    def test_as_many_cpus_as_there_are_gpus_for_their_sockets(self):
        # A node has the GPUs of one socket, and was given three of five tasks, whose cores are on two: Slurm found too few GPUs at each
        # attempt, and starts the job with its own plugins (25.11.7, seed 7101). The second job's two tasks it tries on one node first; the
        # two nodes that could hold it lie in two racks.
        Stage().open(Grounds((2, 2), "2", trays=(Tray(2, 3, 2, 1000, 4), Tray(2, 4, 2, 500, 2)), small=("r1n01", "r2n01"), types="h,l",
                             binding="file", partitions=MAIN, settings=(("SelectTypeParameters", "CR_Core_Memory"),)), OURS)
        self.starts("-N2 -n5 --sockets-per-node=1 --gpus-per-socket=2", 2, 6)
        self.assertIn("node configuration", cluster.refusal("-N2", "--sockets-per-node=1", "--gpus-per-socket=l:2", "-C", "all*1"))
        self.assertNotIn("_set_sock_bits: Insufficient", cluster.read_log())

    def test_cpus_of_whole_sockets_that_are_filled(self):
        # A node has one GPU of the type, for one of its sockets, and the job's tasks there fill one socket. They were thought to go round the
        # sockets, so that each node got one task (24.11.5, seed 9603), and smaller nodes of one socket were taken instead.
        large, small = Tray(2, 4, 1, 1000, 2), Tray(1, 2, 1, 500, 4)
        for trays, part, nodes in (((large,), f"{MAIN[0]} MaxCPUsPerSocket=2", 2), ((large,), MAIN[0], 1), ((large, small), MAIN[0], 1)):
            Stage().open(Grounds((4, 4), "4", trays=trays, small=("r1n01", "r1n02", "r1n03") if small in trays else (), types="h,l", binding="file",
                                 partitions=(part,), settings=(("SelectTypeParameters", "CR_Socket"),)), OURS)
            self.starts("-n4 --sockets-per-node=1 --gpus-per-socket=l:1 --distribution=*:block", nodes, 4 * nodes)
        self.assertNotIn("_set_sock_bits: Insufficient", cluster.read_log())

    @since(25, 11)  # before, Slurm's algorithm counts each node by itself
    def test_least_loaded_nodes_of_two_kinds(self):
        # Slurm's algorithm counts a node with the CPUs of the one that it has looked at last. The plugin, which uses it where it finds no layout
        # of its own (planted), took over the counts: one job waited, the other was refused.
        few, more = Tray(2, 4, 1, 1000, 2), Tray(2, 3, 2, 1000, 4)
        large, small = Tray(2, 8, 2, 1000, 4), Tray(2, 3, 1, 1000, 4)
        for trays, names, binding, request in (
                ((few, more), ("r1n01", "r1n02", "r2n01", "r2n02", "r2n03"), "cores", "-n20 --gpus-per-node=1 --cpus-per-gpu=2"),
                ((large, small), ("r1n03", "r2n02"), "file", "-N3 -n13 --gpus=3 --cpus-per-gpu=2 --ntasks-per-core=1")):
            with mock.patch.dict(os.environ, {"NVL72BLOCK_PLANT": "layout"}):
                Stage().open(Grounds((3, 3), "3,6", trays=trays, small=names, binding=binding, partitions=(f"{MAIN[0]} LLN=YES",),
                                     settings=(("SelectTypeParameters", "CR_Socket"),)), OURS)
            with self.subTest(request=request):
                number, refusal = cluster.offer(*request.split())
                self.assertIsNotNone(number, refusal)
                self.assertTrue(cluster.tried(number).placed)

    def test_no_forecast_below_the_least_of_a_partition(self):
        # It waits for good: the partition gives two nodes at least. A start was forecast (25.11.7, seed 7101).
        self.open(BIG, racks=(3, 3), sizes="3", partitions=(f"{MAIN[0]} MinNodes=2",), SelectTypeParameters="CR_Socket")
        self.assertEqual(will_run("-N1"), "refused")
        self.assertEqual(will_run("-N1", "-n2"), "refused")
        self.starts("-n2", 2)

    def test_overcommitted_tasks_of_a_range_of_nodes(self):
        # With -c each task has its CPU, --overcommit or not, and each node of the range its two tasks. Two nodes were given CPUs for those of
        # one, which Slurm turned down: the forecast was refused, and the job started at its second try (25.05.8, seed 7001).
        Stage().open(Grounds((4, 4), "4", trays=(Tray(2, 3, 1, 1000, 2),), binding="file", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Socket"),)), OURS)
        self.starts("-N1-2 -c1 --ntasks-per-node=2 --sockets-per-node=1 --gpus-per-socket=1 --overcommit", 2, 12)

    def test_tasks_bound_to_the_gpu_of_one_socket(self):
        # Slurm offers the GPUs of both sockets, puts the six CPUs of two tasks on one of them and finds one GPU there: 24.11 started the
        # job with fewer GPUs, 26.05 tried it on the same nodes for good (26.05.3, seed 9605). Nodes with two GPUs on a socket hold it.
        Stage().open(Grounds((5, 5, 6), "5", trays=(Tray(2, 8, 1, 1000, 2), Tray(2, 8, 2, 500, 4)), types="h,l", binding="cores",
                             small=("r2n01", "r2n03", "r3n02", "r3n04", "r3n05"), partitions=(f"{MAIN[0]} MaxCPUsPerNode=8",),
                             settings=(("SelectTypeParameters", "CR_Socket,CR_PACK_NODES,ENFORCE_BINDING_GRES"),)), OURS)
        self.starts("-n7 -c3 --gpus-per-task=1", 4)
        self.assertNotIn("Insufficient gres/gpu", cluster.read_log())

    def test_tasks_bound_to_more_gpus_of_one_socket_than_of_the_other(self):
        # Of the lighter node three GPUs are free, two of them on the socket of which Slurm selects one core: 24.11 started the job there
        # with two GPUs.
        Stage().open(Grounds((2,), "2", trays=(Tray(2, 8, 1, 1000, 4),), types="h,l", binding="cores", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        cluster.place("-N1", "-n1", "-w", "r1n02", "--gres=gpu:l:1")
        cluster.ask("scontrol", "update", "nodename=r1n01", "weight=10")
        self.starts("-n3 --gpus-per-task=1 --gres-flags=enforce-binding", 1)
        self.starts("-n2 --gpus-per-task=1 --gres-flags=enforce-binding", 1)
        self.assertNotIn("Insufficient gres/gpu", cluster.read_log())

    def test_cpus_of_mincpus_that_are_threads(self):
        # One GPU was left for the last node, and one core for its GPU. Both threads counted for --mincpus, so that two tasks were put on
        # that core, despite --ntasks-per-core=1, with "b_min > nboards_nb" in the log (26.05.3, seed 12301; 24.11.5 as well).
        Stage().open(Grounds((4, 4), "4", trays=(Tray(2, 4, 2, 1000, 4),), types="h", binding="file", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_CPU"), ("DefCpuPerGPU", "1"))), OURS)
        self.starts("-n6 --ntasks-per-core=1 --gpus=5 --mincpus=2", 2, 8)
        self.starts("-n5 --ntasks-per-core=1 --gpus=5 --mincpus=2", 2)
        self.starts("-N2 -n2 --ntasks-per-core=1 --gpus=2 --mincpus=2", 2)
        self.assertNotIn("b_min > nboards_nb", cluster.read_log())

    def test_segments_whose_gpus_lie_in_one(self):
        # topology/block keeps CPUs and GPUs for the nodes of the same segment only: two CPUs with both GPUs on the first node. Here each
        # node was given one, too few for three tasks, and the job waited for good.
        self.open("CPUs=4 Sockets=1 CoresPerSocket=4", racks=(2, 2), sizes="2", SelectTypeParameters="CR_Core")
        self.starts("-N2 -n3 --gpus=2 --cpus-per-gpu=1 --segment=1", 2, 3)

    def test_a_range_that_least_loaded_nodes_hold(self):
        # r1n02 offers one CPU, the others two, and Slurm's algorithm for the least loaded nodes finds seven on four of these, six with r1n02.
        # All nodes of the first try were left out then, and the job was held for good when it could not start at once. With topology/flat it
        # waits (24.11.5, seed 9603).
        Stage().open(Grounds((2, 3), "2", trays=(Tray(2, 4, 2, 500, 4), Tray(1, 8, 2, 1000, 4)), small=("r1n02",), types="h,l", binding="cores",
                             partitions=(f"{MAIN[0]} LLN=YES MaxCPUsPerSocket=4",), settings=(
                                 ("SelectTypeParameters", "CR_CPU_Memory"), ("DefMemPerCPU", "0"), ("DefCpuPerGPU", "1"))), OURS)
        other = cluster.place("-N1", "-n1", "-w", "r2n02", "-c5", "--mem=15", "--gres=gpu:3")
        cluster.place("-N1", "-n1", "-w", "r1n02", "-c1", "--exclusive")
        number = cluster.submit("-N1-4", "-n7", "--ntasks-per-socket=1", "--gres=gpu:l:1", "--threads-per-core=1")
        job = cluster.tried(number)
        self.assertEqual(job.state, "PENDING")
        self.assertNotEqual(job.reason, "BadConstraints")
        cluster.cancel(other.id)
        self.assertEqual(len(cluster.wait_job(number, lambda job: job.placed, "had nodes").nodes), 4)

    @before(26, 5, because="Slurm lets it wait with topology/flat, and topology/block alone starts it")
    def test_a_range_of_which_one_count_has_the_tasks(self):
        # Slurm's algorithm takes two nodes for the tasks of their GPUs, and neither four, three nor one. Two were not tried, and the job was
        # refused, which topology/block starts (25.05.8, seed 11111).
        Stage().open(Grounds((5, 5), "5", trays=(Tray(2, 4, 1, 1000, 2),), binding="cores",
                             partitions=(f"{MAIN[0]} OverSubscribe=FORCE:2 MaxCPUsPerSocket=2",),
                             settings=(("SelectTypeParameters", "CR_Socket,CR_ONE_TASK_PER_CORE"), ("DefMemPerCPU", "0"))), OURS)
        self.starts("-N1-4 -n5 --gres=gpu:1 --ntasks-per-gpu=2", 2, 8)

    def test_a_node_whose_gpus_have_cores_that_no_task_fills(self):
        # Of r1n02 Slurm counts four threads for two GPUs, which tasks of three CPUs do not fill. A fourth node was taken in its place, where
        # the other three have the GPUs (26.05.3, seed 12301).
        Stage().open(Grounds((4, 3), "3", trays=(Tray(2, 3, 1, 1000, 4), Tray(2, 3, 2, 500, 2)), small=("r1n02", "r2n03"), types="h,l",
                             binding="cores", partitions=MAIN, settings=(("SelectTypeParameters", "CR_Core,ENFORCE_BINDING_GRES"),)), OURS)
        cluster.ask("scontrol", "update", "nodename=r1n01", "state=drain", "reason=test")
        self.starts("-c3 --ntasks-per-core=1 --gpus=h:5", 3, 9)

    def test_memory_of_the_sockets_of_overcommitted_tasks(self):
        # A node has memory for one socket. The task lies on one, whatever CPUs --cores-per-socket makes of it with --overcommit: the job was
        # refused. Nodes of two racks were refused for now, as if others' jobs could help, and the job was held (24.11.5, seed 12003).
        Stage().open(Grounds((4, 4), "4", trays=(Tray(2, 8, 2, 1000, 2),), types="h", binding="file", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", "50"))), OURS)
        self.starts("-N1 --overcommit --cores-per-socket=3", 1, 16)
        self.assertIn("node configuration", cluster.refusal("-N2", "-w", "r1n01,r2n01"))
