# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs whose node count follows from tasks, CPUs or named hosts, and reservations of cores: as few nodes as hold them,
and a forecast that says what then happens."""

import re
import tempfile
from pathlib import Path

from nvl72lab import cluster, hostlist
from nvl72lab.duties import reservation, will_run
from nvl72lab.lab_case import LabCase, before, since
from nvl72lab.scenario import OURS, Stage
from nvl72lab.trays import MAIN, Grounds, Tray


class Counts(LabCase):
    """Eight racks of 18 nodes with 144 CPUs and 4 GPUs."""

    config = "eight-by-18"

    def check(self, request, nodes):
        """The job takes so many nodes, and its forecast names the same."""
        with self.subTest(request=request):
            forecast, number, job = self.forecast_and_job(request)
            self.assertEqual(len(job.nodes), nodes, job)
            self.assertEqual(sorted(job.nodes), sorted(forecast))
            cluster.cancel(number)

    def test_tasks_decide_how_many_nodes(self):
        # A maximum that Slurm made from the tasks, or that the user does not want to reach, was taken for a range: forecasts
        # named 7, 6 (or none) and 10 nodes, and --spread-job took 20. In the last, Slurm raises the minimum above the maximum.
        self.check("-n7", 1)
        self.check("-n6 --ntasks-per-gpu=2", 1)
        self.check("-N2-10 -n500 --use-min-nodes", 4)
        self.check("-n20 --spread-job", 1)
        self.check("-n8 --ntasks-per-node=2", 4)
        self.check("-n5 --ntasks-per-node=2 --spread-job", 3)  # 5 nodes: the minimum was taken for that of -N
        self.check("-N6 -n42 --ntasks-per-node=2 --exclusive --segment=6", 6)
        self.check("-N4 -n20 --ntasks-per-node=2 --exclusive", 4)

    def test_a_partition_of_too_few_nodes(self):
        # The forecast named four nodes, more than the partition allows, and the job waited.
        cluster.ask("scontrol", "update", "partitionname=main", "maxnodes=2")
        self.assertEqual(will_run("-n8", "--ntasks-per-node=2"), "refused")
        self.assertTrue(cluster.stays_pending(cluster.submit("-n8", "--ntasks-per-node=2")))

    def test_the_limit_of_one_partition_of_several(self):
        # The forecast named two nodes for three, those that the first partition allows; then the job did not start there.
        cluster.ask("scontrol", "create", "partitionname=second", "nodes=ALL")
        cluster.ask("scontrol", "update", "partitionname=main", "maxnodes=2")
        request = ("-N3", "-p", "main,second")
        forecast = will_run(*request)
        job = cluster.tried(cluster.submit(*request))
        self.assertEqual((len(forecast), len(job.nodes)), (3, 3), (forecast, job))

    def test_overcommit_on_whole_nodes(self):
        # On whole nodes Slurm wants a CPU for each task all the same; on a single node the job waited forever.
        self.check("-n200 --overcommit --exclusive", 2)
        self.check("-n200 --overcommit", 1)

    def test_nodes_of_a_feature_hold_all_tasks(self):
        # Slurm first has the nodes of the feature chosen, and asks for one CPU on each. With only those it had no place for the
        # third task, and the job waited forever.
        cluster.ask("scontrol", "update", "nodename=node[000-017]", "availablefeatures=big", "activefeatures=big")
        for request in ("-N2 -n3 -C big*2", "-N1-4 -n5 --gpus-per-node=1 --spread-job -C big*2"):
            with self.subTest(request=request):
                job = cluster.tried(cluster.submit(*request.split()))
                self.assertEqual(len(job.nodes), 2, job)
                cluster.cancel(job.id)

    def test_nodes_of_a_feature_leave_room_for_the_others(self):
        # The two nodes of the feature were put where they fit best, in the rack with a drained node. There was no room around them for
        # the other 34: the job waited on an otherwise idle cluster.
        cluster.ask("scontrol", "update", "nodename=node[000-143]", "availablefeatures=big", "activefeatures=big")
        cluster.ask("scontrol", "update", "nodename=node000", "state=drain", "reason=test")
        # With --ntasks-per-node Slurm reduces the tasks to those of the two nodes, which looked like too few for 36.
        for more in ((), ("-n36", "--ntasks-per-node=1")):
            job = cluster.tried(cluster.submit("-N36", "-C", "big*2", *more))
            self.assertEqual(len(job.nodes), 36, job)
            cluster.cancel(job.id)

    def test_nodes_of_features_lie_where_all_of_them_fit(self):
        # Slurm asks for the nodes of each feature alone. Those of one were put into the rack where they left the fewest nodes free, and
        # the others, which only node[018-035] have beside them, found no room: the job was held for good, or waited on an idle cluster.
        cluster.ask("scontrol", "update", "nodename=node[004-017,039-053]", "state=drain", "reason=test")
        cluster.ask("scontrol", "update", "nodename=node[000-002,018-019]", "availablefeatures=a", "activefeatures=a")
        cluster.ask("scontrol", "update", "nodename=node[020-021,036-038]", "availablefeatures=b", "activefeatures=b")
        for request in (("-N5", "-C", "a*2"), ("-N4", "-C", "[a*2&b*2]"), ("-C", "[a*2&b*2]")):
            with self.subTest(request=request):
                job = cluster.tried(cluster.submit(*request))
                self.assertTrue(job.placed and all("node018" <= node <= "node035" for node in job.nodes), job)
                cluster.cancel(job.id)

    def test_named_nodes_are_among_those_of_their_feature(self):
        # Slurm asks for the nodes of the feature without the named ones: two others were one node too many for -N2, which was held for
        # good, and where they lay in another rack than the named one they had no room around it.
        for nodes, feature in (("node[000-143]", "big"), ("node[022-023,040]", "big,a")):
            cluster.ask("scontrol", "update", f"nodename={nodes}", f"availablefeatures={feature}", f"activefeatures={feature}")
        cluster.place("-N1", "-w", "node001", "--exclusive")
        for request, names in ((("-N2", "-w", "node040", "-C", "big*2"), ("node040",)),
                               (("-N1-2", "-w", "node040,node045", "-C", "big*2"), ("node040", "node045")),
                               (("-N3", "-w", "node020", "-C", "a*2"), ("node020", "node022", "node023"))):
            with self.subTest(request=request):
                job = cluster.tried(cluster.submit(*request))
                self.assertTrue(job.placed and set(names) <= set(job.nodes), job)
                cluster.cancel(job.id)

    def test_backfill_asks_for_a_feature_and_then_for_the_rest(self):
        # The two nodes that it asks for besides those of the feature were taken for all that a limit allows: such a job never started
        # behind another one, nor as a component of a heterogeneous job, which only backfill starts.
        cluster.ask("scontrol", "update", "nodename=node[000-143]", "availablefeatures=big", "activefeatures=big")
        number = cluster.submit("-N4", "-t5", "-C", "big*2", ":", "-N2", "-t5")
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        cluster.cancel(number)
        cluster.place("-N138", "-t60", "-x", "node[000-005]", "--exclusive")
        cluster.submit("-N144", "-t60", "--exclusive")
        number = cluster.submit("-N4", "-n4", "--ntasks-per-node=1", "-t5", "-C", "big*2")
        self.assertEqual(len(cluster.wait_job(number, lambda job: job.placed, "had nodes").nodes), 4)

    def test_named_nodes_raise_the_minimum_of_spread_job(self):
        # The two nodes made the range that Slurm makes of --spread-job look like the user's: as many nodes as fit, and where the
        # named ones lie in racks that no block of that count has together, the job was refused.
        job = cluster.tried(cluster.submit("-n500", "--spread-job", "-w", "node000,node143"))
        self.assertEqual((len(job.nodes), job.nodes[0], job.nodes[-1]), (4, "node000", "node143"), job)
        cluster.cancel(job.id)
        # As many tasks as names left one count, which was taken for that of -N: refused for good, and started without --spread-job.
        for tasks in ("-n2", "--sockets-per-node=1"):
            job = cluster.tried(cluster.submit(tasks, "--spread-job", "-w", "node000,node143"))
            self.assertEqual(len(job.nodes), 2, (tasks, job))
            cluster.cancel(job.id)

    def test_gpus_bound_to_cores_decide_how_many_nodes(self):
        # --contiguous means nothing under block topology (sbatch's manual: topology/flat only); this took 4 nodes.
        self.check("-n6 --gpus=3 --cpus-per-gpu=1 --gres-flags=enforce-binding --contiguous", 2)

    def test_a_range_still_takes_the_most(self):
        self.check("-N4-8", 8)
        self.check("-N4-8 --spread-job -n100", 8)

    def test_reservations_of_cores_take_few_nodes(self):
        # They were spread over as many nodes as there are, ten cores over ten.
        for words, nodes in (("tres=cpu=300", 3), ("corecnt=10", 1), ("nodecnt=4", 4)):
            with self.subTest(words=words):
                taken = reservation(words)
                cluster.ask("scontrol", "delete", "reservation", "asked")
                self.assertEqual(len(taken), nodes)

    def test_switches_that_can_never_do_are_not_waited_for(self):
        # Forty nodes never lie in two racks of 18; the job waited all its time. Thirty do, once the racks are repaired.
        job = cluster.tried(cluster.submit("-N40", "--switches=2@60"))
        self.assertEqual(len(job.nodes), 40, job)
        cluster.cancel(job.id)
        broken = ",".join(f"node[{first:03}-{first + 4:03}]" for first in range(0, 144, 18))
        # Nodes that the job excludes are never repaired for it: it waited all its time.
        job = cluster.tried(cluster.submit("-N16", "--segment=4", "--switches=1@60", "-x", broken))
        self.assertEqual(len(job.nodes), 16, job)
        cluster.cancel(job.id)
        cluster.ask("scontrol", "update", f"nodename={broken}", "state=drain", "reason=test")
        self.assertTrue(cluster.stays_pending(cluster.submit("-N30", "--switches=2@60")))

    def test_switches_of_nodes_with_a_feature(self):
        # No rack has sixteen nodes of the feature, and none ever will; the job waited all its time.
        few = ",".join(f"node[{first:03}-{first + 11:03}]" for first in range(0, 144, 18))
        rest = ",".join(f"node[{first + 12:03}-{first + 17:03}]" for first in range(0, 144, 18))
        for nodes, feature in ((few, "few"), (rest, "rest")):
            cluster.ask("scontrol", "update", f"nodename={nodes}", f"availablefeatures={feature}", f"activefeatures={feature}")
        job = cluster.tried(cluster.submit("-N16", "--segment=4", "--switches=1@60", "-C", "few"))
        self.assertEqual(len(job.nodes), 16, job)
        cluster.cancel(job.id)
        # Of features of which a job wants one for all its nodes, Slurm does not tell which nodes have them.
        self.assertTrue(cluster.stays_pending(cluster.submit("-N16", "--segment=4", "--switches=1@60", "-C", "[few|rest]")))

    def test_switches_where_jobs_share_cores_refuse_nothing(self):
        # Three racks could hold the job but for its feature. Where jobs share cores the plugin gave the nodes in four up, also when Slurm
        # asked whether the job could ever run: sbatch refused it (BadConstraints).
        cluster.ask("scontrol", "update", "partitionname=main", "oversubscribe=force:2")
        twelve = ",".join(f"node[{first:03}-{first + 11:03}]" for first in range(0, 144, 18))
        cluster.ask("scontrol", "update", f"nodename={twelve}", "availablefeatures=big", "activefeatures=big")
        number = cluster.submit("-N37", "-C", "big", "--switches=3@00:03")
        self.assertEqual(len(cluster.wait_job(number, lambda job: job.placed, "had nodes").nodes), 37)

    @before(26, 5, because="places it with topology/block, too")
    def test_hosts_and_their_tasks_by_a_hostfile(self):
        # Refused, although Slurm's own plugin places such a job up to 25.11.
        hosts = ["node003", "node004", "node004", "node004", "node001"]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "hosts"
            path.write_text("\n".join(hosts) + "\n", "utf-8")
            done = cluster.run("sbatch", "--parsable", "-n5", "-m", "arbitrary", "--output=/dev/null", "--wrap", "sleep 100",
                               environment={"SLURM_HOSTFILE": str(path)})
        self.assertEqual(done.code, 0, done.err)
        job = cluster.tried(int(done.out))
        self.assertEqual(set(job.nodes), set(hosts))
        shown = cluster.ask("scontrol", "show", "job", "-d", str(job.id))
        cpus = {node: len(hostlist.expand(f"c[{ids}]")) for nodes, ids in
                re.findall(r"(?m)^\s+Nodes=(\S+) CPU_IDs=(\S+)", shown) for node in hostlist.expand(nodes)}
        self.assertEqual(cpus, {node: hosts.count(node) for node in hosts})


class FeaturesAndRooms(LabCase):
    """Racks of its own."""

    started = False

    def test_nodes_of_a_feature_are_no_lasting_obstacle(self):
        # Only the third rack has two idle nodes, for the feature; around these the job can never fit. It was held for good (BadConstraints).
        Stage().open(Grounds((2, 2, 3), "2,4", trays=(Tray(1, 4, 1, 1000, 4),), partitions=(
            "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=EXCLUSIVE",)), OURS)
        holders = [cluster.place("-N1", "-w", node).id for node in ("r1n01", "r2n02")]
        job = cluster.tried(cluster.submit("-N4", "-C", "all*2"))
        self.assertFalse(job.placed, job)
        self.assertNotIn("BadConstraints", job.reason)
        cluster.cancel(*holders)
        self.assertEqual(cluster.wait_job(job.id, lambda job: job.placed, "had nodes").nodes, ("r1n01", "r1n02", "r2n01", "r2n02"))

    def test_gpus_in_all_and_tasks_of_each_node_of_a_feature(self):
        # Slurm asks for the two nodes of the feature with their tasks only, and for the GPUs of all nodes. Nodes beyond those tasks were
        # taken for nodes without a task: refused at submission, where Slurm's own plugins start the jobs.
        Stage().open(Grounds((6, 6), "6", trays=(Tray(2, 2, 1, 1000, 4),), binding="cores", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_CPU"),)), OURS)
        for request, nodes in (("-N4 -n4 --ntasks-per-node=1 --gpus=16", 4), ("-N6 -n12 --ntasks-per-node=2 -c2 --gpus=24", 6)):
            with self.subTest(request=request):
                number, refusal = cluster.offer(*request.split(), "-C", "all*2")
                self.assertIsNotNone(number, refusal)
                job = cluster.tried(number)
                self.assertEqual(len(job.nodes), nodes, job)
                cluster.cancel(number)

    def test_what_no_nodes_of_a_feature_can_hold(self):
        # The nodes that were chosen first for the feature were blamed for whatever was in the way: such jobs waited forever.
        Stage().open(Grounds((5, 5), "5", trays=(Tray(1, 4, 1, 1000, 4),), partitions=MAIN), OURS)
        for request in ("-N1-3 -n4 --ntasks-per-node=1", "-N1-3 -n4 --gres=gpu:1 --ntasks-per-gpu=1", "-N3 -n13"):
            with self.subTest(request=request):
                self.assertIn("node configuration", cluster.refusal(*request.split(), "-C", "all*2"))
        self.assertTrue(cluster.tried(cluster.submit("-N1-4", "-n4", "--ntasks-per-node=1", "-C", "all*2")).placed)

    @before(25, 11, because="distributes as many tasks as the nodes may have")
    def test_forced_to_share(self):
        # The partition makes the job share its node, with the CPU of one task, when it starts; its forecast named a node for it, and the
        # job was refused for good (24.11.5, seed 10003).
        shares = "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=FORCE:2"
        Stage().open(Grounds((4, 4), "4", trays=(Tray(1, 8, 2, 1000, 4),), partitions=(shares,)), OURS)
        request = ("-N1", "-n4", "--ntasks-per-node=1", "--exclusive")
        self.assertIsNone(cluster.offer(*request)[0])
        self.assertEqual(will_run(*request), "refused")


class PreferredNodes(LabCase):
    """--prefer: Slurm asks for nodes of these features first, and takes a refusal at submission for one of the job."""

    started = False

    def test_preferred_nodes_that_no_block_holds_together(self):
        # Two nodes per rack have the feature. Four of them lie in no one rack, and the job was refused on an idle cluster.
        Stage().open(Grounds((4, 4, 4), "4", trays=(Tray(1, 4, 1, 1000, 4), Tray(1, 4, 1, 1000, 4)),
                             small=("r1n01", "r1n02", "r2n01", "r2n02", "r3n01", "r3n02"),
                             partitions=("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE",)), OURS)
        number, refusal = cluster.offer("-N4", "--prefer=little")
        self.assertIsNotNone(number, refusal)
        self.assertEqual(len({node[:2] for node in cluster.tried(number).nodes}), 1)
        self.assertIn("node configuration", cluster.refusal("-N4", "-C", "little"))

    def test_preferred_nodes_are_those_of_either_feature(self):
        # Every node has one of the two and none can hold the job: it was held for good, as if it preferred nodes with both features.
        Stage().open(Grounds((4, 4), "4", trays=(Tray(1, 4, 1, 1000, 4), Tray(1, 4, 1, 1000, 4)), small=("r1n01", "r2n01"),
                             partitions=("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE MaxCPUsPerSocket=2",)), OURS)
        self.assertIn("node configuration", cluster.refusal("-c3", "--gpus-per-node=1", "--prefer=big|little"))


class WholeSockets(LabCase):
    """The same, where Slurm gives whole sockets to a job."""

    config = "eight-by-18"
    options = ("--plugin", "nvl72block", "--set", "SelectTypeParameters=CR_Socket")
    check = Counts.check

    def test_few_cpus_a_socket(self):
        # Slurm's helper keeps a socket's CPUs back for each node to come, more than the partition allows a job there. So two
        # nodes seemed to have too few CPUs, and the forecast (which knows nothing of the partition's exclusive nodes) named four.
        cluster.ask("scontrol", "update", "partitionname=main", "oversubscribe=exclusive", "maxcpuspersocket=1")
        self.check("-n4", 2)
        self.check("-n9", 5)

    @before(25, 11, because="starts such a job with the tasks that the nodes may have")
    def test_more_tasks_than_the_nodes_may_have(self):
        # Nodes were found, Slurm had no place for all tasks, and the job kept others from starting forever; its forecast was
        # refused. From 25.11 on Slurm distributes as many tasks as the nodes may have.
        request = ("-N3", "-n12", "--ntasks-per-node=3", "--gpus=12", "--cpus-per-gpu=1")
        self.assertEqual(will_run(*request), "refused")
        number, refusal = cluster.offer(*request)
        self.assertIsNone(number)
        self.assertIn("Requested node configuration is not available", refusal)
        self.check("-N3 -n9 --ntasks-per-node=3 --gpus=12 --cpus-per-gpu=1", 3)

    @before(26, 5, because="refuses it with all of its plugins")
    def test_more_tasks_than_gpus_on_whole_nodes(self):
        # One GPU and a task for each made one node the most, too few for all tasks: refused, where topology/flat starts the job. On whole
        # nodes it has all of their GPUs.
        Stage().open(Grounds((5, 5), "5", trays=(Tray(2, 4, 2, 1000, 2),), binding="cores", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Socket_Memory"),)), OURS)
        self.check("-n17 --gpus=1 --ntasks-per-gpu=1 --exclusive", 2)

    def test_named_nodes_as_many_as_a_partition_allows(self):
        # Nobody has named a number of nodes, and MaxNodes leaves one: such a job was refused for good where its nodes lie in no block of that
        # size, although more nodes than these may. topology/flat starts it (26.05.3, seed 10301; 25.05.8, seed 3001).
        self._two_nodes_at_most()
        self.check("-w r1n03,r2n04", 2)
        self.check("-n2 -w r1n03,r2n04", 2)
        self.assertIn("configuration is not available", cluster.refusal("-N2", "-w", "r1n03,r2n04"))

    @before(26, 5, because="lets it wait before it asks any plugin (PartitionNodeLimit)")
    def test_tasks_on_named_nodes_as_many_as_a_partition_allows(self):
        self._two_nodes_at_most()
        self.check("-n6 -w r1n03,r2n04", 2)

    @staticmethod
    def _two_nodes_at_most():
        Stage().open(Grounds((5, 5), "4", trays=(Tray(2, 8, 2, 1000, 2),), partitions=(f"{MAIN[0]} MaxNodes=2",),
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)

    @before(26, 5, because="lets it wait before it asks any plugin (PartitionNodeLimit)")
    def test_a_job_that_fits_on_no_nodes_that_are_all_alike(self):
        # Two nodes are the most, and no two give three tasks their GPUs. One after the other was left out, until the questions ended, and
        # the job waited for good, as it had not been proven that others do not fit. Slurm's own plugins refuse it.
        Stage().open(Grounds((5, 5, 5), "5", trays=(Tray(1, 2, 1, 1000, 2),), partitions=(f"{MAIN[0]} MaxNodes=2",),
                             settings=(("SelectTypeParameters", "CR_Core"),)), OURS)
        self.assertIn("node configuration", cluster.refusal("-n3", "--gpus-per-task=1", "--overcommit"))

    def test_segments_with_too_few_cpus_for_the_tasks(self):
        # The GPUs leave each node one CPU. Slurm counts a segment's share of the CPUs when it chooses nodes, and all tasks when it distributes
        # them: the job waited for good, as with topology/block; topology/flat refuses it (25.05.8, seed 11111).
        Stage().open(Grounds((2, 3), "2", trays=(Tray(1, 4, 1, 1000, 4),), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core"), ("DefCpuPerGPU", "1"))), OURS)
        self.assertIn("node configuration", cluster.refusal("-N2", "-n3", "--gres=gpu:1", "--segment=1"))
        self.assertEqual(len(cluster.place("-N2", "-n4", "--gres=gpu:2", "--segment=1").nodes), 2)

    @since(25, 11)  # distributes as many tasks as --ntasks-per-node lets the nodes have; before, the job waits for good
    def test_more_tasks_than_tasks_per_node_allow(self):
        # The GPUs bring four CPUs a node, enough for all tasks. The job was refused (25.11.7, seed 11211).
        Stage().open(Grounds((3, 2), "2", trays=(Tray(2, 2, 1, 1000, 4),), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Socket"), ("DefCpuPerGPU", "2"))), OURS)
        self.assertEqual(len(cluster.place("-N1", "-n3", "--ntasks-per-node=1", "--gpus=2").nodes), 1)
        self.assertIn("node configuration", cluster.refusal("-N1", "-n3", "--ntasks-per-node=1"))

    @before(25, 5, because="has no such division from 25.05.8 on")
    def test_a_node_without_a_task(self):
        # Slurm took the two tasks of the feature's nodes for those of the job, divided by the tasks of its third node, and ended by a signal,
        # as with topology/flat; topology/block refuses it (24.11.5, seed 10011).
        Stage().open(Grounds((2, 3), "2", trays=(Tray(1, 4, 1, 1000, 4),), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core_Memory"), ("DefCpuPerGPU", "1"))), OURS)
        self.assertIn("node configuration", cluster.refusal("-N3", "--ntasks-per-node=1", "--gpus-per-task=1", "-C", "all*2"))
        self.assertEqual(len(cluster.place("-N3", "--ntasks-per-node=1", "--gpus-per-node=1", "-C", "all*2").nodes), 3)

    @before(25, 5, because="Slurm refuses one of them with each plugin")
    def test_more_nodes_than_tasks_for_a_total_of_gpus(self):
        # Slurm divides by no node's tasks, as no GPU is a task's: refused, or left waiting after a refused forecast, for fear of the above.
        # topology/flat starts both, topology/block the first (24.11.5, seed 12001).
        Stage().open(Grounds((3, 3), "3", trays=(Tray(2, 2, 2, 1000, 2),), binding="cores", partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Socket,ENFORCE_BINDING_GRES"),)), OURS)
        for request, nodes in (("-n1 -c2 --ntasks-per-node=3 --gpus=5", 3), ("-n1 --ntasks-per-node=1 --gpus=5", 5)):
            with self.subTest(request=request):
                job = cluster.place(*request.split())
                self.assertEqual(len(job.nodes), nodes, job)
                cluster.cancel(job.id)
