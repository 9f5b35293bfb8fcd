# SPDX-License-Identifier: GPL-2.0-or-later
"""The comparison's own tests: planted differences are told, and explained ones are not counted. No Slurm is run."""

import tempfile
import unittest
from pathlib import Path

from slurm_suite import campaign, comparison, configuration, explained, one_file, results
from slurm_suite.results import FAILED, NO_END, PASSED, SKIPPED, Result

JUNIT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest">
  <testcase classname="tests.test_1_1" name="test_good"><properties/></testcase>
  <testcase classname="tests.test_1_1" name="test_bad[block]">
    <failure message="Failed: &#10;[2026-01-02T03:04:05.678] it broke&#10;more"/></testcase>
  <testcase classname="tests.test_1_1.TestClass" name="test_left"><skipped message="needs more">where</skipped></testcase>
  <testcase classname="tests.test_1_1" name="test_clean_up"/>
  <testcase classname="tests.test_1_1" name="test_clean_up"><error message="jobs are left"/></testcase>
  <testcase classname="" name="tests.test_1_2"><error>no module</error></testcase>
  <testcase time="7.2"/>
</testsuite></testsuites>
"""
GOOD, BAD, LEFT = Result(PASSED), Result(FAILED, "it broke"), Result(SKIPPED, "needs more")


class Results(unittest.TestCase):
    """What is read from a JUnit file."""

    def test_outcomes(self):
        """Of tests, of one with a class, of one whose clean-up failed, of a file that cannot be imported; none of an interrupted one."""
        self.assertEqual(results.read(JUNIT), {
            "test_1_1::test_good": GOOD,
            "test_1_1::test_bad[block]": BAD,
            "test_1_1::TestClass::test_left": LEFT,
            "test_1_1::test_clean_up": Result(FAILED, "jobs are left"),
            "test_1_2": Result(FAILED, "no module")})

    def test_first_line(self):
        """Times and empty lines say nothing."""
        self.assertEqual(results.first_line("\n  \n[2026-01-02T03:04:05.678] fatal: no\nmore"), "fatal: no")
        self.assertEqual(results.first_line(""), "")


class EndOfFile(unittest.TestCase):
    """A file's end is a result of its own where it is not the usual one."""

    def read(self, status, text=None):
        """What is read after such an end, with a JUnit file of this text or none."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "test_1_1.xml"
            if text:
                path.write_text(text, "utf-8")
            return campaign.read(path, status, 5).get("test_1_1::(whole file)")

    def test_usual(self):
        """Also with failed tests, and where -k leaves none."""
        self.assertIsNone(self.read(1, JUNIT))
        self.assertIsNone(self.read(one_file.NO_TESTS))

    def test_limit(self):
        """With and without the results of its first tests."""
        for text in (JUNIT, None):
            for status in one_file.TIMED_OUT:
                self.assertEqual(self.read(status, text), Result(NO_END, "no end after 5 s"))

    def test_nothing(self):
        """pytest did not start or crashed."""
        self.assertEqual(self.read(4), Result(FAILED, "pytest ended with 4, see test_1_1.log"))


class Comparison(unittest.TestCase):
    """Planted differences."""

    def told(self, stock, dropin, listed="", version="26.05.3"):
        """The report of these results and this list: text and verdict."""
        lines, well = comparison.report(stock, dropin, version, explained.read(listed))
        return "\n".join(lines), well

    def test_equal(self):
        """Tests that fail with both are no difference; why they fail is told."""
        text, well = self.told({"t::a": GOOD, "t::b": BAD, "t::c": LEFT}, {"t::a": GOOD, "t::b": BAD, "t::c": LEFT})
        self.assertTrue(well)
        self.assertRegex(text, r"t::b +failed +failed +it broke")
        self.assertIn("0 differences, 0 explained", text)
        self.assertRegex(text, r"block +1 passed, 1 failed, 1 skipped\n")

    def test_no_test(self):
        """Nothing compared is no success."""
        self.assertFalse(self.told({}, {})[1])

    def test_failure_with_the_dropin(self):
        """It is told with the reason."""
        text, well = self.told({"t::a": GOOD}, {"t::a": BAD})
        self.assertFalse(well)
        self.assertRegex(text, r"t::a +passed +failed +DIFFERENT drop-in: it broke")
        self.assertIn("1 differences", text)

    def test_failure_with_block(self):
        """So is one of Slurm's own plugin, and a test that is skipped with one of them."""
        for ours in (GOOD, LEFT):
            text, well = self.told({"t::a": BAD}, {"t::a": ours})
            self.assertFalse(well)
            self.assertIn("DIFFERENT block: it broke", text)

    def test_missing(self):
        """A test that a file did not get to, with either plugin."""
        for stock, dropin in (({"t::a": GOOD}, {}), ({}, {"t::a": GOOD})):
            text, well = self.told(stock, dropin)
            self.assertFalse(well)
            self.assertIn(NO_END, text)
            self.assertIn("the file did not get so far", text)

    def test_explained(self):
        """An explained difference is told with its reason, and is not counted."""
        for versions in ("26.05", "25.11, 26.05.3", "all"):
            text, well = self.told({"t::a": GOOD}, {"t::a": BAD}, f"# comment\n\nt::a | {versions} | by rule | 5\n")
            self.assertTrue(well)
            self.assertRegex(text, r"t::a +passed +failed +EXPLAINED drop-in: it broke \(by rule \| 5\)")
            self.assertIn("0 differences, 1 explained", text)

    def test_explained_for_another(self):
        """Version or test."""
        for listed in ("t::a | 26.0 | by rule", "t::a | 26.05.30 | by rule", "t::b | all | by rule"):
            self.assertFalse(self.told({"t::a": GOOD}, {"t::a": BAD}, listed)[1])

    def test_explanation_of_none(self):
        """It is told and counted where the test ran with that version, and not where it did not run."""
        same = {"t::a": GOOD}
        text, well = self.told(same, same, "t::a | 26.05 | by rule")
        self.assertFalse(well)
        self.assertIn("explained.txt: t::a does not differ with 26.05.3: by rule", text)
        self.assertTrue(self.told(same, same, "t::a | 25.11 | by rule\nt::b | all | by rule")[1])

    def test_bad_list(self):
        """A line without one of its parts."""
        for line in ("t::a | 26.05", "t::a | | by rule", "t::a"):
            with self.assertRaises(explained.BadList):
                explained.read(line)

    def test_the_list_itself(self):
        """It can be read."""
        explained.read((Path(__file__).parent / "explained.txt").read_text("utf-8"))


class Topology(unittest.TestCase):
    """Which tests get blocks of the project's making."""

    def test_words(self):
        """Those that bring no topology."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "test_1_1.py"
            for text, own in (("atf.require_nodes(2)", False), ('atf.require_config_file("topology.yaml", text)', True),
                              ('atf.require_config_parameter("TopologyPlugin", "topology/block")', True)):
                path.write_text(text, "utf-8")
                self.assertEqual(configuration.says_topology(path), own)
