# SPDX-License-Identifier: GPL-2.0-or-later
"""With run-tests --sanitizer address: does a fault in the plugin end slurmctld, and is it told?"""

import os
import subprocess

from nvl72lab import sanitizer
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT
from test_lab import with_this_slurm


class Sanitizer(LabCase):
    """Faults that other builds do not notice."""

    started = False

    def assert_reported(self, kind, fault, words, function, *command):
        """What runs beside a slurmctld with the fault is ended by the sanitizer's report."""
        if sanitizer.chosen() != kind:
            self.skipTest(f"not with --sanitizer {kind}")
        done = subprocess.run([*with_this_slurm(), "--no-build", "--plugin", "nvl72block", "--", *command], cwd=PROJECT, capture_output=True,
                              text=True, check=False, env={**os.environ, "NVL72BLOCK_PLANT": fault})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stderr)
        self.assertIn(function, done.stderr)

    def test_a_planted_overrun_is_reported(self):
        self.assert_reported(sanitizer.ADDRESS, "overrun", "heap-buffer-overflow", "plant_in_memory", "sbatch", "-N2", "--wrap=true")

    def test_a_planted_read_of_freed_memory_is_reported(self):
        self.assert_reported(sanitizer.ADDRESS, "freed", "heap-use-after-free", "plant_in_memory", "sbatch", "-N2", "--wrap=true")

    def test_a_planted_overflow_ends_slurmctld(self):
        # UBSan's own library writes no file; what it finds aborts the program.
        gone = "pid=$(lab-ctl pid); sbatch -N2 --wrap=true; tail --pid=$pid -f /dev/null"
        self.assert_reported(sanitizer.ADDRESS, "overflow", "slurmctld ended by itself (-6)", "", "bash", "-c", gone)

    def test_a_lock_that_is_not_taken_is_reported(self):
        shows = "for i in $(seq 60); do scontrol show topology >/dev/null & done; wait"
        self.assert_reported(sanitizer.THREAD, "lock", "data race", "topology_nvl72block.so", "bash", "-c", shows)
