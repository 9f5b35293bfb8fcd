# SPDX-License-Identifier: GPL-2.0-or-later
"""The base of the lab's tests: each test method runs beside a fresh slurmctld of its own."""

import unittest

from . import cluster


class LabCase(unittest.TestCase):
    """Class attributes say what the instance is; nvl72lab.run_tests starts it."""

    config = "crusoe-6x18"  # a folder of configs/
    options = ("--plugin", "nvl72block")  # of tests/lab/with
    maxDiff = None

    def assert_spread(self, job, counts):
        """The job's nodes lie in that many racks with so many each, whichever racks these are."""
        self.assertEqual(sorted(cluster.spread(job.nodes).values()), sorted(counts), job)

    def block_of(self, job):
        """The only block that a job touches."""
        spread = cluster.spread(job.nodes)
        self.assertEqual(len(spread), 1, job)
        return next(iter(spread))
