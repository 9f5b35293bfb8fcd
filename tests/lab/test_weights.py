# SPDX-License-Identifier: GPL-2.0-or-later
"""Weights that Slurm itself makes for a job among nodes that slurm.conf gives the same weight."""

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK, Stage
from nvl72lab.trays import MAIN, Grounds, Tray


class Flexible(LabCase):
    """Two racks of four real nodes; a flexible reservation holds the one that would be taken last."""

    config = "two-by-4-real"

    def test_nodes_inside_a_flexible_reservation_come_first(self):
        taken = {}
        for plugin, rack in ((OURS, "r2"), (STOCK, "r1")):
            cluster.restart_with(plugin)
            cluster.ask("scontrol", "create", "reservation", "reservationname=flexible", "starttime=now", "duration=60",
                        "users=root", "flags=flex", f"nodes={rack}n[01-04]")
            job = cluster.place("-N4", "--exclusive", "--reservation=flexible")
            taken[plugin] = cluster.spread(job.nodes)
            cluster.cancel(job.id)
            cluster.ask("scontrol", "delete", "reservation", "flexible")
        self.assertEqual(taken, {OURS: {"r2": 4}, STOCK: {"r1": 4}})


class UnequalGpus(LabCase):
    """Six racks of 18 imaginary nodes; those of the last have four GPUs, the others two."""

    def test_nodes_with_more_gpus_near_come_first_for_gpu_jobs(self):
        conf = cluster.configuration()
        text = (conf / "slurm.conf").read_text("utf-8")
        kept = [line for line in text.splitlines() if not line.startswith("NodeName=")]
        kept += [f"NodeName={nodes} CPUs=144 Sockets=2 CoresPerSocket=72 RealMemory=900000 Gres=gpu:{gpus} State=CLOUD"
                 for nodes, gpus in (("node[000-089]", 2), ("node[090-107]", 4))]
        (conf / "gres.conf").write_text("NodeName=node[000-089] Name=gpu Count=2\nNodeName=node[090-107] Name=gpu Count=4\n",
                                        "utf-8")
        for plugin in (OURS, STOCK):
            cluster.ask("lab-ctl", "stop")
            (conf / "slurm.conf").write_text("\n".join(kept) + "\n", "utf-8")
            cluster.use_plugin(plugin)
            cluster.ask("lab-ctl", "start")
            job = cluster.place("-N2", "--gres=gpu:1")
            self.assertEqual(cluster.spread(job.nodes), {"rack6": 2}, plugin)
            cluster.cancel(job.id)


class Changed(LabCase):
    """Six racks of 18 imaginary nodes on one line of slurm.conf, which scontrol gives other weights at run time."""

    RACK = "node[036-053]"

    def weigh(self, nodes, weight):
        cluster.ask("scontrol", "update", f"nodename={nodes}", f"weight={weight}")

    def taken(self):
        job = cluster.place("-N18")
        cluster.cancel(job.id)
        return cluster.spread(job.nodes)

    def test_a_weight_counts_at_the_next_decision(self):
        # Slurm changes a line as a whole in its place, and splits it otherwise. The first decision must not see the least
        # weight of all: a plugin that remembers too little of weights would then pass.
        self.weigh("node[000-107]", 5)
        self.assertEqual(self.taken(), {"rack1": 18})
        for weight, rack in ((9, "rack1"), (2, "rack3"), (7, "rack1"), (5, "rack1"), (0, "rack3")):
            self.weigh(self.RACK, weight)
            self.assertEqual(self.taken(), {rack: 18}, f"with weight {weight}")


class PoweredDown(LabCase):
    """All nodes are powered down, and those of the second rack have fewer GPUs."""

    started = False

    def test_a_start_asks_as_often_as_its_forecast(self):
        # From 25.05 on Slurm adds another weight to nodes that have to boot, for starts alone. They were asked for once more, with weights, and
        # could end on other nodes than their forecasts (25.05.8, seed 7001).
        Stage().open(Grounds((2, 2), "2", trays=(Tray(2, 4, 1, 1000, 4), Tray(2, 4, 1, 1000, 2)), small=("r2n01", "r2n02"), partitions=MAIN,
                             settings=(("SelectTypeParameters", "CR_Core"), ("DebugFlags", "SelectType"))), OURS)
        self.assertEqual(cluster.place("-N1", "-n1", "--gres=gpu:1").nodes, ("r1n01",))
        decisions = [line for line in cluster.read_log().splitlines() if "proven best" in line]
        self.assertTrue(decisions and all(", 1 questions" in line for line in decisions), decisions)
