# SPDX-License-Identifier: GPL-2.0-or-later
"""The short form of tests/simulator/run, and what it makes of faults planted in the engine. NVL72BLOCK_SEED=N: other histories."""

import os
import sys

from nvl72lab import sanitizer
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT
from nvl72lab.scenario import OURS

sys.path[:0] = [str(PROJECT / "tests/simulator")]
# pylint: disable=wrong-import-position
from nvl72simulator import beside
from nvl72simulator.histories import SITES, Slurmctld, site

FIRST = int(os.environ.get("NVL72BLOCK_SEED", "1")) * 1000
PLANT = "NVL72BLOCK_PLANT"
# What the histories of one site have to see, and a word of what they say; the sites by their position in SITES.
PLANTED = {"nodes": (0, ""), "count": (0, ""), "torn": (0, ""), "outside": (0, "in no block"), "required": (0, "does not have"),
           "refusal": (0, "starts with topology/block"), "exception": (0, ""), "late": (0, ""),
           "exclusive": (0, "exclusive block"), "stale": (1, "clique")}


class Simulator(LabCase):
    """The long form is tests/simulator/run."""

    started = False

    def setUp(self):
        if sanitizer.chosen():
            self.skipTest("not with a sanitizer: it has threads of its own")

    def simulate(self, first, seeds, only=False):
        """Whether nothing was wrong, and what was told."""
        texts = []
        return beside.simulate({"first": first, "seeds": seeds, "only": only}, texts.append), "\n".join(texts)

    def test_nothing_is_wrong(self):
        whole, text = self.simulate(FIRST, 10 * len(SITES))
        self.tell(text.splitlines()[-1])
        self.assertTrue(whole, text)

    def test_a_history_is_repeated_exactly(self):
        seeds = range(FIRST, FIRST + 4)
        once, again = (sorted(Slurmctld().run(site(0), OURS, seeds), key=lambda history: history.seed) for _ in range(2))
        self.assertEqual(once, again)
        self.assertGreater(len({history.trace for history in once}), 1)

    def test_planted_faults_are_found(self):
        for fault, (number, word) in PLANTED.items():
            with self.subTest(fault):
                os.environ[PLANT] = fault
                self.addCleanup(os.environ.pop, PLANT, None)
                texts = []
                self.assertFalse(beside.compare(Slurmctld(), site(number), range(FIRST, FIRST + 6), texts.append), fault)
                self.assertIn(word, "\n".join(texts))
