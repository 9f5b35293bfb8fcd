# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmd's that vanish with a job on them, and return."""

import os
import re
import signal

from nvl72lab import cluster, daemons
from nvl72lab.lab_case import LabCase


class VanishingSlurmds(LabCase):
    """Two racks of four, real slurmd's; slurmctld gives up a node that is silent for 30 seconds."""

    config = "two-by-4-real"
    options = ("--plugin", "nvl72block", "--set", "SlurmdTimeout=30")

    def end(self, nodes):
        """SIGKILL of the nodes' slurmd's; returns when slurmctld has noticed it."""
        instance = cluster.this_instance()
        for node in nodes:
            os.kill(daemons.running_pid(instance.run / f"slurmd-{node}.pid"), signal.SIGKILL)
        cluster.wait_until(lambda: set(self.states(nodes)) == {"down"}, cluster.WAIT_SECONDS, "the nodes were down")

    @staticmethod
    def states(nodes):
        """Each node's state without the signs behind it."""
        return [re.sub(r"\W", "", state) for state in cluster.ask("sinfo", "-h", "-N", "-n", ",".join(nodes), "-o", "%T").split()]

    @staticmethod
    def running(number):
        """The job once it runs."""
        return cluster.wait_job(number, lambda job: job.state == "RUNNING", "ran")

    def test_a_rack_vanishes_and_returns(self):
        first = self.running(cluster.submit("-N4", "--segment=4", "--exclusive", "--no-requeue"))
        second = self.running(cluster.submit("-N2", "--segment=2", "--exclusive"))
        gone = self.block_of(first)
        kept = self.block_of(second)
        self.assertNotEqual(gone, kept)
        self.end(first.nodes)
        cluster.wait_job(first.id, lambda job: job.state not in ("RUNNING", "COMPLETING"), "was given up")
        self.assertEqual(cluster.job(second.id).nodes, second.nodes)

        whole = cluster.submit("-N4", "--segment=4", "--exclusive")
        self.assertTrue(cluster.stays_pending(whole))
        small = self.running(cluster.submit("-N2", "--segment=2", "--exclusive"))
        self.assertEqual(self.block_of(small), kept)

        instance = cluster.this_instance()
        daemons.start_slurmds(instance, first.nodes, instance)
        self.assertEqual(self.block_of(self.running(whole)), gone)
        self.assert_no_errors()
