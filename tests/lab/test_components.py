# SPDX-License-Identifier: GPL-2.0-or-later
"""Components of a heterogeneous job: each where the others have room, too."""

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, Site, Stage
from nvl72lab.trays import MAIN, Grounds, Tray


class Components(LabCase):
    """Each test lays out racks of its own."""

    started = False

    def starts(self, *components):
        """Each component's nodes. Only backfill starts them, all together; they are cancelled then."""
        options = " : ".join(components).split()
        number = int(cluster.ask("sbatch", "--parsable", "--wrap", "true", *options).split(";")[0])
        parts = [cluster.wait_job(number + offset, lambda job: job.placed, "had nodes") for offset in range(len(components))]
        nodes = [node for part in parts for node in part.nodes]
        self.assertEqual(len(nodes), len(set(nodes)), parts)
        cluster.cancel(*(part.id for part in parts))
        return [part.nodes for part in parts]

    def racks(self, *nodes):
        return {node[:2] for node in nodes}

    def test_a_range(self):
        # The range took six of seven nodes, and the other component waited for two. Slurm's own plugin starts both.
        Stage().open(Site((2, 3, 2), "2", partitions=MAIN), OURS)
        self.assertEqual([len(nodes) for nodes in self.starts("-N2-6", "-N2 --exclusive")], [2, 2])

    def test_blocks_for_itself(self):
        # One with --exclusive=topo is started only in racks whose nodes are all in service. The rack with a drained node would leave
        # fewest nodes unused; there it was tried again and again, beside an idle rack.
        Stage().open(Site((4, 4), "4", partitions=MAIN), OURS)
        cluster.ask("scontrol", "update", "nodename=r1n04", "state=drain", "reason=test")
        first, second = self.starts("-N1 --exclusive=topo", "-N2")
        self.assertEqual((len(first), len(second)), (1, 2))
        self.assertEqual(len(self.racks(*first, *second)), 2)

    def test_one_after_it_has_racks_for_itself(self):
        # Four nodes of the second rack are idle, but another job is there. The first component took the first rack, and the job waited
        # for good, where Slurm's own plugins start it (26.05.3, seed 10303).
        Stage().open(Site((3, 5), "2", partitions=MAIN, special=(("r2n[01-05]", "Weight=10"),)), OURS)
        cluster.place("-N1", "-w", "r2n01")
        first, second = self.starts("-N3", "-N3 --exclusive=topo")
        self.assertEqual((self.racks(*first), self.racks(*second)), ({"r2"}, {"r1"}))

    def test_one_before_it_has_racks_for_itself(self):
        # The second component can lie on one node only. In that rack the first one would leave one node fewer unused.
        second = "PartitionName=second Nodes=r1n02 MaxTime=INFINITE"
        Stage().open(Site((2, 3), "2", partitions=(*MAIN, second)), OURS)
        first, other = self.starts("-N1 --exclusive=topo", "-N1 -p second")
        self.assertEqual((self.racks(*first), other), ({"r2"}, ("r1n02",)))

    def test_room_in_another_partition(self):
        # Only the first rack has three nodes of the second partition. The first component fits there as well as in the last rack, and
        # the job waited for good, where Slurm's own plugins start it (26.05.3, seed 8201).
        second = "PartitionName=second Nodes=r1n[02-04],r2n[02,04],r3n[02-03] MaxTime=INFINITE"
        Stage().open(Site((4, 5, 4), "4", partitions=(*MAIN, second), settings=(("TopologyParam", "Nvl72Policy=pack"),)), OURS)
        first, second = self.starts("-N2", "-N3 -p second")
        self.assertEqual(second, ("r1n02", "r1n03", "r1n04"))
        self.assertNotIn("r1", self.racks(*first))

    def test_room_for_several(self):
        # The components after the first can lie in one rack each.
        parts = ("PartitionName=one Nodes=r1n[01-04],r2n01,r3n01 MaxTime=INFINITE",
                 "PartitionName=two Nodes=r1n01,r2n[01-04],r3n01 MaxTime=INFINITE")
        Stage().open(Site((4, 4, 4), "4", partitions=(*MAIN, *parts)), OURS)
        first, second, third = self.starts("-N2", "-N4 -p one", "-N4 -p two")
        self.assertEqual([self.racks(*nodes) for nodes in (first, second, third)], [{"r3"}, {"r1"}, {"r2"}])

    def test_room_on_nodes_in_use(self):
        # Five nodes of the first rack are left only with one of those that other jobs use in part. The first component took both of
        # these, and the job waited, where Slurm's own plugins start it (26.05.3, seed 9605).
        Stage().open(Site((6, 5), "5", partitions=MAIN), OURS)
        cluster.ask("scontrol", "update", "nodename=r2n03", "state=drain", "reason=test")
        for node in ("r1n05", "r1n06"):
            cluster.place("-N1", "-n1", "-w", node)
        first, second = self.starts("-N2", "-N5")
        self.assertEqual((self.racks(*first), self.racks(*second)), ({"r2"}, {"r1"}))

    def test_nodes_of_two_kinds(self):
        # Only the first rack has what the second component asks for. The first one took it, and the job waited for good on idle nodes
        # (CPUs: 24.11.5, seed 9821, where Slurm's own plugins start it).
        trays = (Tray(1, 4, 1, 1000, 4), Tray(1, 2, 1, 500, 2))
        Stage().open(Grounds((2, 2), "2", trays=trays, small=("r2n01", "r2n02"), partitions=MAIN), OURS)
        for second in ("-N2 --gpus-per-node=4", "-N2 --mincpus=4", "-N2 --mem=800", "-N2 -n2 -c3", "-N2 -n8", "-N2 --gpus=8"):
            with self.subTest(second=second):
                first, other = self.starts("-N2 --mem=100", second)
                self.assertEqual((self.racks(*first), self.racks(*other)), ({"r2"}, {"r1"}))

    def test_limits_of_a_partition(self):
        # On nodes of two threads per core no core is within MaxCPUsPerSocket=1 (24.11.5, seed 10002).
        parts = (MAIN[0] + " MaxCPUsPerSocket=1", "PartitionName=second Nodes=ALL MaxTime=INFINITE")
        trays = (Tray(1, 4, 1, 1000, 4), Tray(1, 4, 2, 1000, 4))
        Stage().open(Grounds((2, 2), "2", trays=trays, small=("r2n01", "r2n02"), partitions=parts), OURS)
        first, other = self.starts("-N2 -p second", "-N2")
        self.assertEqual((self.racks(*first), self.racks(*other)), ({"r2"}, {"r1"}))

    def test_several_partitions(self):
        # Backfill keeps nodes for a component in each of its partitions, though it starts in the first that has room: none were left for
        # the other component, and the job waited for good on idle nodes, where topology/block starts it (24.11.5, seed 9802).
        second = "PartitionName=second Nodes=r1n02,r2n[01-02] MaxTime=INFINITE"
        Stage().open(Site((2, 2), "2", partitions=(*MAIN, second)), OURS)
        first, other = self.starts("-N2 -p main,second", "-N1")
        self.assertEqual((len(first), len(other)), (2, 1))

    def test_no_room_together(self):
        # Both fit alone: the job waits, and starts when there is room.
        Stage().open(Site((4, 4), "4", partitions=MAIN), OURS)
        obstacle = cluster.place("-N2", "-w", "r1n[01-02]")
        number = int(cluster.ask("sbatch", "--parsable", "--wrap", "true", "-N4", "--exclusive", ":", "-N3", "--exclusive").split(";")[0])
        self.assertFalse(cluster.tried(number).placed)
        cluster.cancel(obstacle.id)
        for offset in (0, 1):
            cluster.wait_job(number + offset, lambda job: job.placed, "had nodes")
