# SPDX-License-Identifier: GPL-2.0-or-later
"""The base of the lab's tests: each test method runs beside a fresh slurmctld of its own."""

import re
import unittest

from . import cluster
from .duties import will_run
from .places import NOTE


def _from(oldest):
    return f"not for this version: Slurm {oldest[0]}.{oldest[1]:02} and later"


def since(*oldest):
    """Decorates a test that needs what a Slurm version is the first to have: since(25, 11)."""
    def mark(test):
        test.oldest = oldest
        return test
    return mark


def before(*first, because):
    """Decorates a test of what a Slurm version no longer has."""
    def mark(test):
        test.over_since, test.over_because = first, because
        return test
    return mark


class LabCase(unittest.TestCase):
    """Class attributes say what the instance is; nvl72lab.pytest_lab starts it."""

    config = "crusoe-6x18"  # a folder of configs/
    options = ("--plugin", "nvl72block")  # of tests/lab/with
    started = True  # False: each test starts slurmctld itself, with a configuration of its own
    oldest = None  # the first Slurm version that has what the class is about, as (25, 5)
    fails_to_reconfigure = ()  # names of tests in which a reconfigure fails
    needs_command = ()  # names of tests for which the nvl72block command is built first
    needs_packages = ()  # names of tests for which the Debian packages are built first
    needs_accounting = ()  # names of tests for which slurmdbd is added to the private root first
    lengthy = ()  # names of tests that take longest: they begin first where nobody has measured yet
    for_release = False  # True: run before a release, not for each change
    emulated = False  # has parts of another architecture
    maxDiff = None

    @classmethod
    def unfit(cls, name, release):
        """Why a test cannot run with that Slurm, or "": it is skipped without a slurmctld."""
        test = getattr(cls, name)
        oldest, over = getattr(test, "oldest", cls.oldest), getattr(test, "over_since", None)
        if over and release.line() >= over:
            return f"not for this version: Slurm before {over[0]}.{over[1]:02} {test.over_because}"
        if name in cls.fails_to_reconfigure and (25, 5) <= release.line() < (25, 11):
            return "not for this version: after a reconfigure that failed, slurmctld 25.05 has no socket for auth/slurm"
        return _from(oldest) if oldest and release.line() < oldest else ""

    def tell(self, text):
        """A line that run-tests shows although the test passes."""
        print(f"{NOTE}{text}")

    def need_line(self, oldest):
        """Skips the rest of a test where this Slurm version does not have what it is about."""
        if cluster.release() < oldest:
            self.skipTest(_from(oldest))

    def forecast_and_job(self, request):
        """The nodes that a request is forecast on, then its job's number and the job once it was tried."""
        forecast = will_run(*request.split())
        number, refusal = cluster.offer(*request.split())
        self.assertIsNotNone(number, refusal)
        return forecast, number, cluster.tried(number)

    def assert_spread(self, job, counts):
        """The job's nodes lie in that many racks with so many each, whichever racks these are."""
        self.assertEqual(sorted(cluster.spread(job.nodes).values()), sorted(counts), job)

    def assert_no_errors(self, mark=0):
        """slurmctld's log has no error of the plugin's behind its first `mark` characters."""
        self.assertEqual([line for line in cluster.read_log(mark).splitlines()
                          if "nvl72block" in line and re.search(r"error:|fatal:", line)], [])

    def block_of(self, job):
        """The only block that a job touches."""
        spread = cluster.spread(job.nodes)
        self.assertEqual(len(spread), 1, job)
        return next(iter(spread))
