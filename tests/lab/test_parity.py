# SPDX-License-Identifier: GPL-2.0-or-later
"""The short form of tests/parity/run: random requests put to ours, to topology/block and to flat in equal states.

NVL72BLOCK_SEED=N puts other ones. A failure is reduced, and names the command that repeats it alone.
"""

import os
import sys
from pathlib import Path

from nvl72lab.instance import Instance
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT

sys.path.insert(0, str(PROJECT / "tests/parity"))
# pylint: disable=wrong-import-position
from nvl72parity import campaign, node_campaign
from nvl72parity.crew import Crew

SEED = os.environ.get("NVL72BLOCK_SEED", "1")
SCENES = {campaign: 4, node_campaign: 8}
SHRINK_SECONDS = 60


class Parity(LabCase):
    """The long form, with more options, is tests/parity/run."""

    def compare(self, kind, make_run):
        """Nothing is wrong."""
        release = Instance(Path(os.environ["NVL72BLOCK_LAB_INSTANCE"])).load_release().release
        texts = []
        total = Crew(release, make_run, texts.append, trios=2).run(range(SCENES[kind]))
        for line in f"{total}".splitlines():
            self.tell(f"Slurm {release.version}, seed {SEED}: {line}")
        self.assertTrue(total.passed(kind.NEEDED), "\n".join(texts))

    def test_all_options(self):
        self.compare(campaign, lambda trio, tell: campaign.Run(trio, SEED, tell, SHRINK_SECONDS))

    def test_whole_nodes(self):
        self.compare(node_campaign, lambda trio, tell: node_campaign.NodeRun(trio, SEED, tell))
