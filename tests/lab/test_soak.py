# SPDX-License-Identifier: GPL-2.0-or-later
"""The short form of tests/soak/run: random churn with a checker beside it. NVL72BLOCK_SEED=N is another history."""

import os
import sys

from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT

sys.path[:0] = [str(PROJECT / "tests/soak"), str(PROJECT / "tests/parity")]
# pylint: disable=wrong-import-position
from nvl72soak import beside

OPTIONS = {"plugin": "nvl72block", "racks": 8, "nodes": 6, "seed": os.environ.get("NVL72BLOCK_SEED", "1"), "requests": 250, "minutes": 20}


class Soak(LabCase):
    """The long form, with more racks and jobs, is tests/soak/run."""

    started = False

    def test_nothing_breaks(self):
        texts = []
        whole = beside.soak(OPTIONS, texts.append)
        self.tell("\n".join(texts[-1:]).replace("\n", "; "))
        self.assertTrue(whole, "\n".join(texts))
