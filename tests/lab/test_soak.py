# SPDX-License-Identifier: GPL-2.0-or-later
"""The short form of tests/soak/run: random churn with a checker beside it. NVL72BLOCK_SEED=N is another history."""

import os
import sys
from unittest import mock

from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT

sys.path[:0] = [str(PROJECT / "tests/soak"), str(PROJECT / "tests/parity")]
# pylint: disable=wrong-import-position
from nvl72soak import beside

OPTIONS = {"plugin": "nvl72block", "racks": 8, "nodes": 6, "seed": os.environ.get("NVL72BLOCK_SEED", "1"), "requests": 150, "minutes": 20,
           "pace": 2, "replaced": 0.25, "rest": 0}


class Soak(LabCase):
    """The long form, with more racks and jobs, is tests/soak/run."""

    started = False

    def test_nothing_breaks(self):
        self.assert_whole(OPTIONS)

    def assert_whole(self, options):
        """Nothing is wrong."""
        texts = []
        whole = beside.soak(options, texts.append)
        self.assertRegex(texts[-1], r"crash [1-9]")
        self.tell("\n".join(texts[-1:]).replace("\n", "; "))
        self.assertTrue(whole, "\n".join(texts))


class EnforcedCliques(Soak):
    """The same where racks are divided and rewired."""

    for_release = True

    def test_nothing_breaks(self):
        self.assert_whole({**OPTIONS, "cliques": "enforce"})


class PlantedFaults(LabCase):
    """Faults of the plugin that need files, crashes or time to be seen."""

    started = False
    for_release = True

    def assert_found(self, fault, words, **options):
        """The churn finds it, and says so."""
        texts = []
        with mock.patch.dict(os.environ, {"NVL72BLOCK_PLANT": fault}):
            self.assertFalse(beside.soak({**OPTIONS, **options}, texts.append), fault)
        self.assertRegex("\n".join(texts), words)

    def test_half_of_what_was_saved_is_written(self):
        self.assert_found("save", "learned before cannot be read")

    def test_memory_is_lost(self):
        self.assert_found("leak", "memory grew")

    def test_a_segment_is_torn(self):
        # Few jobs of several nodes start on a smaller cluster.
        self.assert_found("torn", "is torn|not in one block|nodes are in .* blocks", racks=32, nodes=18, requests=4000, enough=1)
