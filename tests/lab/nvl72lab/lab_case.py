# SPDX-License-Identifier: GPL-2.0-or-later
"""The base of the lab's tests: each test method runs beside a fresh slurmctld of its own."""

import unittest

from . import cluster
from .duties import will_run


class LabCase(unittest.TestCase):
    """Class attributes say what the instance is; nvl72lab.run_tests starts it."""

    config = "crusoe-6x18"  # a folder of configs/
    options = ("--plugin", "nvl72block")  # of tests/lab/with
    needs_command = ()  # names of tests for which run_tests builds the nvl72block command first
    needs_packages = ()  # names of tests for which run_tests builds the Debian packages first
    needs_accounting = ()  # names of tests for which run_tests adds slurmdbd to the private root first
    emulated = False  # has parts of another architecture
    maxDiff = None

    def tell(self, text):
        """A line that run-tests shows although the test passes."""
        print(f"note: {text}")

    def need_line(self, oldest):
        """Skips the test where this Slurm version does not have what it is about."""
        if cluster.release() < oldest:
            self.skipTest(f"not for this version: Slurm {oldest[0]}.{oldest[1]:02} and later")

    def forecast_and_job(self, request):
        """The nodes that a request is forecast on, then its job's number and the job once it was tried."""
        forecast = will_run(*request.split())
        number, refusal = cluster.offer(*request.split())
        self.assertIsNotNone(number, refusal)
        return forecast, number, cluster.tried(number)

    def assert_spread(self, job, counts):
        """The job's nodes lie in that many racks with so many each, whichever racks these are."""
        self.assertEqual(sorted(cluster.spread(job.nodes).values()), sorted(counts), job)

    def block_of(self, job):
        """The only block that a job touches."""
        spread = cluster.spread(job.nodes)
        self.assertEqual(len(spread), 1, job)
        return next(iter(spread))
