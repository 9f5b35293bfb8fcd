# SPDX-License-Identifier: GPL-2.0-or-later
"""A changed topology.conf, and a slurmctld that was killed."""

from contextlib import nullcontext

from nvl72lab import cluster
from nvl72lab.daemons import wait_until
from nvl72lab.lab_case import LabCase

HALF_RACKS = "".join(f"BlockName=half{start // 9} Nodes=node[{start:03}-{start + 8:03}]\n" for start in range(0, 108, 9))


class Reload(LabCase):
    """Six racks of 18 that become twelve of 9."""

    def test_reconfigure_takes_effect(self):
        self.assert_spread(cluster.place("-N18", "--segment=18"), [18])
        cluster.write_topology(f"{HALF_RACKS}BlockSizes=9\n")
        cluster.ask("lab-ctl", "reconfigure")
        shown = cluster.ask("scontrol", "show", "topology")
        self.assertEqual(shown.count("BlockName="), 12, shown)
        self.assert_spread(cluster.place("-N18", "--segment=9"), [9, 9])
        self.assert_spread(cluster.place("-N5"), [5])

    def reconfigure_wrongly(self):
        """A reconfigure that slurmctld refuses; returns whether clients on its host still get credentials."""
        pid, mark = cluster.ask("lab-ctl", "pid"), len(cluster.read_log())
        cluster.write_topology(f"{HALF_RACKS}BlockSizes=9,27\n")
        self.assertNotEqual(cluster.reconfigure().code, 0)
        self.assertEqual(cluster.ask("lab-ctl", "pid"), pid)
        self.assertIn("fatal: ", cluster.read_log(mark))
        return cluster.run("squeue").code == 0

    def same_with_stock(self):
        """What a refused reconfigure does to clients under topology/block."""
        cluster.ask("lab-ctl", "kill")
        cluster.use_plugin("topology/block")
        cluster.ask("lab-ctl", "start")
        return self.reconfigure_wrongly()

    def test_failed_reconfigure_leaves_the_last_good_topology(self):
        before = cluster.ask("scontrol", "show", "topology")
        good = (cluster.configuration() / "topology.conf").read_text("utf-8")
        running = cluster.place("-N16", "--segment=16")
        served = self.reconfigure_wrongly()
        with nullcontext() if served else cluster.login_host():
            self.assertEqual(cluster.ask("scontrol", "show", "topology"), before)
            self.assertTrue(cluster.job(running.id).placed)
            whole = cluster.place("-N18")
        cluster.write_topology(good)  # the racks that assert_spread counts by
        self.assert_spread(whole, [18])
        if served:
            return
        # 25.05 loses its credential socket whenever it refuses a reconfigure.
        self.assertFalse(self.same_with_stock(), "clients get no credentials, but with topology/block they do")
        self.tell("after a refused reconfigure clients on slurmctld's host get no credentials, with topology/block as well")

    def test_failed_reconfigure_in_the_foreground(self):
        # `slurmctld -D`, as containers run it, replaces itself at a reconfigure. The new one ended with the error, and no slurmctld was left.
        before = cluster.ask("scontrol", "show", "topology")
        running = cluster.place("-N16", "--segment=16")
        cluster.wait_saved(running.id)
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "start-in-foreground")
        pid, mark = cluster.ask("lab-ctl", "pid"), len(cluster.read_log())
        cluster.write_topology(f"{HALF_RACKS}BlockSizes=9,27\n")
        cluster.reconfigure()
        wait_until(lambda: "LAST GOOD topology" in cluster.read_log(mark), cluster.WAIT_SECONDS, "the last good topology was used")
        wait_until(lambda: cluster.run("scontrol", "ping").code == 0, cluster.WAIT_SECONDS, "slurmctld answered")
        self.assertEqual(cluster.ask("lab-ctl", "pid"), pid)
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), before)
        self.assertTrue(cluster.job(running.id).placed)

    def test_restart_after_sigkill_keeps_jobs_and_places_the_next(self):
        first = cluster.place("-N64", "--segment=16")
        cluster.wait_saved(first.id)
        cluster.ask("lab-ctl", "restart")
        again = cluster.wait_job(first.id, lambda job: job.placed, "had nodes")
        self.assertEqual(again.nodes, first.nodes)
        second = cluster.place("-N32", "--segment=16")
        self.assert_spread(second, [16, 16])
        self.assertFalse(set(cluster.spread(first.nodes)) & set(cluster.spread(second.nodes)))


class Dropin(LabCase):
    """The same code under stock's name."""

    options = ("--dropin",)

    def test_places_and_shows(self):
        self.assert_spread(cluster.place("-N64", "--segment=16"), [16] * 4)
        self.assertIn("BlockName=rack6", cluster.ask("scontrol", "show", "topology"))
