# SPDX-License-Identifier: GPL-2.0-or-later
"""With run-tests --sanitizer address: does a fault in the plugin end slurmctld, and is it told?"""

import os
import subprocess

from nvl72lab import sanitizer
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT
from test_lab import with_this_slurm


class Sanitizer(LabCase):
    """A fault of memory that other builds do not notice."""

    started = False

    def test_a_planted_overrun_is_reported(self):
        if sanitizer.chosen() != sanitizer.ADDRESS:
            self.skipTest("not with --sanitizer address")
        command = [*with_this_slurm(), "--no-build", "--plugin", "nvl72block", "--", "sbatch", "-N2", "--wrap=true"]
        done = subprocess.run(command, env={**os.environ, "NVL72BLOCK_PLANT": "overrun"}, cwd=PROJECT, capture_output=True, text=True,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("heap-buffer-overflow", done.stderr)
        self.assertIn("plant_fault", done.stderr)
