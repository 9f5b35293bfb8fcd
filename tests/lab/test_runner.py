# SPDX-License-Identifier: GPL-2.0-or-later
"""What the runner makes of tests that fail, crash, are skipped or cannot start, and what nvl72lab.summary counts."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from nvl72lab import cluster, sanitizer
from nvl72lab.lab_case import LabCase

PLANTED = '''
import os
from nvl72lab import cluster
from nvl72lab.lab_case import LabCase, before, since

class Planted(LabCase):
    options = ("--plugin", "block")

    def test_passes(self):
        self.tell("something to know")

    def test_fails(self):
        self.assertEqual("a planted failure", "")

    def test_fails_in_a_part(self):
        with self.subTest(part=1):
            self.fail("a planted part")

    def test_skips(self):
        self.skipTest("a planted reason")

    def test_crashes(self):
        pid = int(cluster.ask("lab-ctl", "pid"))
        os.kill(pid, 11)
        cluster.wait_until(lambda: not os.path.exists(f"/proc/{pid}"), 60, "slurmctld was gone")

    @since(99, 5)
    def test_of_a_later_slurm(self):
        self.fail("it ran")

    @before(1, 5, because="had it")
    def test_of_an_earlier_slurm(self):
        self.fail("it ran")

class Stopped(LabCase):
    options = ("--plugin", "block")
    started = False

    def test_starts_slurmctld_itself(self):
        self.assertNotEqual(cluster.run("scontrol", "ping").code, 0)
        cluster.ask("lab-ctl", "start")
        cluster.place("-N1")

class Broken(LabCase):
    options = ("--plugin", "block", "--set", "SelectType=select/nosuch")

    def test_has_no_slurmctld(self):
        self.fail("it ran")
'''
JUNIT = '<testsuites><testsuite>{}</testsuite></testsuites>'
CASE = '<testcase classname="{}" name="{}" time="{}"{}</testcase>'


class Runner(LabCase):
    """Planted tests, each in an instance of its own beside this one's."""

    options = ("--plugin", "block")
    started = False

    def test_what_is_told_of_each(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "test_planted.py").write_text(PLANTED, "utf-8")
            done = subprocess.run([sys.executable, "-m", "pytest", "-p", "nvl72lab.pytest_lab", "-o", f"cache_dir={folder}/cache", "-rA", "--jobs=4", folder,
                                   *self.this_slurm()], capture_output=True, text=True, check=False,
                                  env={**os.environ, sanitizer.CHOSEN: ""})  # it would catch the planted crash
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stdout, r"\n2 passed, 4 failed, 3 skipped\n\Z")
        for name in ("test_fails", "test_fails_in_a_part", "test_crashes", "test_has_no_slurmctld"):
            self.assertRegex(done.stdout, rf"FAILED \S*::{name}\b")
        for text in ("a planted failure", "a planted part", "slurmctld ended by itself (-11)", "select/nosuch",
                     "a planted reason", "not for this version: Slurm 99.05 and later",
                     "not for this version: Slurm before 1.05 had it", "test_passes: something to know"):
            self.assertIn(text, done.stdout)
        self.assertNotIn("it ran", done.stdout)

    def this_slurm(self):
        """The options that name the Slurm of this instance."""
        release = cluster.this_instance().release
        return [] if release.root else [f"--slurm-prefix={release.prefix}"]


class Summary(unittest.TestCase):
    """The table of tests/run."""

    def summary(self, files, steps=""):
        """Status and output for these results."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                Path(folder, name).write_text(text, "utf-8")
            Path(folder, "failed-steps").write_text(steps, "utf-8")
            done = subprocess.run([sys.executable, "-m", "nvl72lab.summary", folder, folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_counts(self):
        unit = CASE.format("A.B", "A.B", "0.1", ' status="run">') + CASE.format("C", "C", 2, ' status="notrun"><skipped/>')
        lab = CASE.format("lab.test_x.X", "test_y", "3.5", ">") + CASE.format("lab.test_x.X", "test_z", "1", "><skipped/>")
        status, told = self.summary({"unit.xml": JUNIT.format(unit), "lab.xml": JUNIT.format(lab)})
        self.assertEqual(status, 0)
        self.assertTrue(told.endswith("\n2 passed, 0 failed, 2 skipped\n"), told)
        self.assertRegex(told, r"(?m)^lab +1 +0 +1 +4$")
        self.assertRegex(told, r"slowest:\n +3\.5 s  lab\.test_x\.X\.test_y\n")

    def test_failures_of_each_kind(self):
        failed = CASE.format("A.B", "A.B", 1, ' status="fail"><failure/><system-out>at line 7</system-out>')
        failed += CASE.format("lab.test_x.X", "test_y", 1, "><error>no cluster</error>")
        status, told = self.summary({"unit.xml": JUNIT.format(failed)}, "build\n")
        self.assertEqual(status, 1)
        self.assertIn("\nA.B:\nat line 7\n\nlab.test_x.X.test_y:\nno cluster\n", told)
        self.assertTrue(told.endswith("failed   A.B\nfailed   lab.test_x.X.test_y\nfailed   build\n0 passed, 3 failed\n"), told)

    def test_nothing_is_a_failure(self):
        status, told = self.summary({})
        self.assertEqual(status, 1)
        self.assertTrue(told.endswith("\n0 passed, 1 failed\n"), told)
