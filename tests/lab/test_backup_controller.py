# SPDX-License-Identifier: GPL-2.0-or-later
"""A backup slurmctld takes over and gives back, with jobs running and waiting on real slurmd's."""

import signal

from nvl72lab import cluster, daemons, standby
from nvl72lab.lab_case import LabCase


class BackupController(LabCase):
    """Two racks of four; both slurmctld's on this machine, with host names of their own."""

    config = "two-by-4-real"
    started = False

    def setUp(self):
        standby.configure()
        cluster.ask("lab-ctl", "start")
        self.backup = standby.Standby()
        self.enterContext(self.backup)
        daemons.start_compute(cluster.this_instance())

    def occupy(self):
        """One rack for a running job; a job for both racks waits for it."""
        self.topology = cluster.ask("scontrol", "show", "topology")
        self.running = cluster.wait_job(cluster.submit("-N4", "--segment=4", "--exclusive"), lambda job: job.state == "RUNNING", "ran")
        self.waiting = cluster.submit("-N8", "--segment=4", "--exclusive")
        self.assertTrue(cluster.stays_pending(self.waiting))
        cluster.wait_saved(self.waiting)

    def taken_over(self, mark):
        """Waits for the slurmctld that is now in control: it knows the same jobs and blocks, and places by blocks."""
        cluster.wait_until(lambda: "Running as primary controller" in cluster.read_log(mark), cluster.WAIT_SECONDS, "a slurmctld took over")
        cluster.wait_until(lambda: cluster.run("squeue").code == 0, cluster.WAIT_SECONDS, "it answered")
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), self.topology)
        seen = cluster.wait_job(self.running.id, lambda job: job.state == "RUNNING", "ran")
        self.assertEqual(seen.nodes, self.running.nodes)
        other = cluster.wait_job(cluster.submit("-N3", "--segment=3", "--exclusive", "--time=1"), lambda job: job.state == "RUNNING", "ran")
        self.assertNotEqual(self.block_of(other), self.block_of(seen))
        self.assertEqual(cluster.job(self.waiting).state, "PENDING")
        cluster.cancel(other.id)

    def finish(self):
        """The waiting job starts as soon as its nodes are free; nothing was logged as an error of the plugin's."""
        cluster.cancel(self.running.id)
        seen = cluster.wait_job(self.waiting, lambda job: job.state == "RUNNING", "ran")
        self.assertEqual(cluster.spread(seen.nodes), {"r1": 4, "r2": 4})
        self.assert_no_errors()

    def test_takeover_in_order_and_back(self):
        self.occupy()
        mark = len(cluster.read_log())
        cluster.ask("scontrol", "takeover")
        with self.backup.clients():
            self.taken_over(mark)
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "start")
        self.taken_over(mark)
        self.finish()

    def test_sigkill_of_the_primary_then_of_the_backup(self):
        self.occupy()
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "kill")
        with self.backup.clients():
            self.taken_over(mark)
            # Without this, the primary would find the other job running for the rest of its minute.
            cluster.wait_saved(self.waiting)
        self.backup.end(signal.SIGKILL)
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "start")
        self.taken_over(mark)
        self.finish()
