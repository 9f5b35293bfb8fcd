# SPDX-License-Identifier: GPL-2.0-or-later
"""Clients of an older release ask this slurmctld for its topology.

NVL72BLOCK_OLDER_CLIENTS is the prefix of an older installed Slurm, whose own topology/block reads the answer.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK

CLIENTS = os.environ.get("NVL72BLOCK_OLDER_CLIENTS")


class OlderClients(LabCase):
    """Eight racks of 18 in pairs, fours and one eight."""

    config = "eight-by-18"
    for_release = True

    @classmethod
    def unfit(cls, name, release):
        return "" if CLIENTS else "NVL72BLOCK_OLDER_CLIENTS names no installed Slurm"

    def setUp(self):
        self.prefix = Path(CLIENTS)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        text = (cluster.configuration() / "slurm.conf").read_text("utf-8")
        text = re.sub(r"(?m)^PluginDir=.*$", f"PluginDir={self.prefix}/lib/slurm", text)
        text = re.sub(r"(?m)^TopologyPlugin=.*$", f"TopologyPlugin={STOCK}", text)
        (self.folder / "slurm.conf").write_text(text, "utf-8")

    def ask(self, program, *words):
        """What an older client prints."""
        done = subprocess.run([self.prefix / "bin" / program, *words], capture_output=True, text=True, check=False,
                              env={**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")})
        self.assertEqual(done.returncode, 0, done)
        return done.stdout

    def answers(self):
        """Questions about the topology that all lines know."""
        return [self.ask("scontrol", "show", "topology", *words) for words in ((), ("rack3",), ("node020",))]

    def test_topology_reads_as_from_stock(self):
        version = self.ask("scontrol", "-V").split()[-1]
        ours = self.answers()
        self.assertEqual(ours[0], cluster.ask("scontrol", "show", "topology"))
        cluster.restart_with(STOCK)
        self.assertEqual(self.answers(), ours)
        cluster.restart_with(OURS)
        number = int(self.ask("sbatch", "--parsable", "-N32", "--segment=16", "--output=/dev/null", "--wrap", "sleep 9"))
        self.assert_spread(cluster.wait_job(number, lambda job: job.placed, "had nodes"), [16, 16])
        self.tell(f"clients of {version}")
