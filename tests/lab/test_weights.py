# SPDX-License-Identifier: GPL-2.0-or-later
"""Weights that Slurm itself makes for a job among nodes that slurm.conf gives the same weight."""

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK


class Flexible(LabCase):
    """Two racks of four real nodes; a flexible reservation holds the one that would be taken last."""

    config = "two-by-4-real"

    def test_nodes_inside_a_flexible_reservation_come_first(self):
        taken = {}
        for plugin, rack in ((OURS, "r2"), (STOCK, "r1")):
            cluster.ask("lab-ctl", "stop")
            cluster.use_plugin(plugin)
            cluster.ask("lab-ctl", "start")
            cluster.ask("scontrol", "create", "reservation", "reservationname=flexible", "starttime=now", "duration=60",
                        "users=root", "flags=flex", f"nodes={rack}n[01-04]")
            job = cluster.place("-N4", "--exclusive", "--reservation=flexible")
            taken[plugin] = cluster.spread(job.nodes)
            cluster.cancel(job.id)
            cluster.ask("scontrol", "delete", "reservation", "flexible")
        self.assertEqual(taken, {OURS: {"r2": 4}, STOCK: {"r1": 4}})
