# SPDX-License-Identifier: GPL-2.0-or-later
"""What the lab itself promises: statuses, isolation, nothing left behind."""

import os
import signal
import subprocess

from nvl72lab import cluster, hostlist
from nvl72lab.daemons import wait_until
from nvl72lab.lab_case import LabCase
from nvl72lab.places import INSTANCES, PROJECT

WITH = [str(PROJECT / "tests/lab/with"), "--config", str(PROJECT / "configs/crusoe-6x18"), "--plugin", "block"]


def with_this_slurm():
    """The command that starts another instance, of the Slurm that this one runs."""
    release = cluster.this_instance().release
    return WITH if release.root else [*WITH, "--slurm-prefix", str(release.prefix)]


class Lab(LabCase):
    """Needs no plugin of ours: Slurm's topology/block serves."""

    options = ("--plugin", "block")

    def nested(self, *command):
        """An instance beside this one, started from inside it."""
        return subprocess.run([*with_this_slurm(), "--", *command], capture_output=True, text=True, check=False)

    def test_status_is_the_commands(self):
        self.assertEqual(self.nested("sh", "-c", "exit 7").returncode, 7)

    def test_instances_do_not_meet(self):
        cluster.place("-N1")
        self.assertEqual(self.nested("squeue", "-h").stdout, "")
        self.assertEqual(len(cluster.ask("squeue", "-h").splitlines()), 1)

    def test_sigkill_leaves_nothing(self):
        with subprocess.Popen([*with_this_slurm(), "--", "sh", "-c", "echo $NVL72BLOCK_LAB_INSTANCE; exec sleep 1000"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as victim:
            folder = victim.stdout.readline().strip()
            os.kill(victim.pid, signal.SIGKILL)
        name = os.path.basename(folder)
        wait_until(lambda: name not in subprocess.run(["ps", "axeww"], capture_output=True, text=True,
                                                      check=True).stdout, cluster.WAIT_SECONDS, "its processes were gone")
        self.nested("true")
        self.assertNotIn(name, os.listdir(INSTANCES))

    def test_failed_start_is_reported_with_the_log(self):
        done = subprocess.run([*with_this_slurm(), "--set", "SelectType=select/nosuch", "--", "true"], capture_output=True, text=True,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("select/nosuch", done.stderr)

    def test_crash_is_a_failure(self):
        done = self.nested("sh", "-c", "pid=$(lab-ctl pid); kill -SEGV $pid; "
                                       "while kill -0 $pid 2>/dev/null; do sleep 0.1; done")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("slurmctld ended by itself", done.stderr)


class Hostlists(LabCase):
    """The lab's own reading of node lists, against scontrol's."""

    options = ("--plugin", "block")

    def test_as_scontrol_reads_them(self):
        for text in ("node[000-003,017]", "a1,b[2-3],c", "r[1-2]n[08-10]", "x"):
            with self.subTest(text=text):
                self.assertEqual(hostlist.expand(text), cluster.ask("scontrol", "show", "hostnames", text).split())
        self.assertEqual(hostlist.compress(hostlist.expand("node[000-003,017],z1")), "node[000-003,017],z1")
