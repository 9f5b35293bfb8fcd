# SPDX-License-Identifier: GPL-2.0-or-later
"""What the plugin asks of the system in slurmctld: it reads topology.conf, writes its own files in StateSaveLocation, and no more.

Every call for a file, a process or a connection that the plugin makes, itself or through Slurm's functions, is noted (calls.c).
"""

import os
import re
from pathlib import Path
from unittest import mock

from gate import HERE, state
from nvl72lab import cluster, daemons, preload, sanitizer
from nvl72lab.lab_case import LabCase

OWN = ("nvl72block_demand", "nvl72block_last_good_topology.conf", "nvl72block_history", "nvl72block_shadow")
FORBIDDEN = ("socket", "connect", "fork", "execve", "posix_spawn", "system", "popen", "mkdir")


class Authority(LabCase):
    """slurmctld is started, asked, reconfigured with good and bad files, and stopped."""

    fails_to_reconfigure = ("test_files_processes_and_connections", "test_a_planted_call_is_seen")
    started = False

    def setUp(self):
        if sanitizer.chosen():
            self.skipTest("not with a sanitizer: it opens files of its own")
        self.folder = Path(os.environ["NVL72BLOCK_LAB_INSTANCE"]) / "calls"
        self.folder.mkdir()
        self.folder.chmod(0o777)
        self.log = self.folder / "log"

    def calls(self):
        """(call, path) of each."""
        return [tuple(line.partition(" ")[::2]) for line in self.log.read_text("utf-8").splitlines()]

    def live(self):
        """A cluster's days in short."""
        conf = cluster.configuration() / "topology.conf"
        plain = conf.read_text("utf-8")
        (conf.parent / "more.conf").write_text(plain, "utf-8")
        conf.write_text("Include more.conf\n", "utf-8")
        with mock.patch.dict(os.environ, {"LD_PRELOAD": str(preload.library(HERE / "calls.c")), "NVL72_CALLS": str(self.log)}):
            cluster.ask("lab-ctl", "start")
        cluster.place("-N20", "--segment=2")
        cluster.submit("-N108")
        cluster.run("sbatch", "--test-only", "-N4", "--wrap=true")
        cluster.ask("scontrol", "show", "topology")
        cluster.ask("scontrol", "update", "nodename=node000", "availablefeatures=a.1", "activefeatures=a.1")
        cluster.ask("scontrol", "reconfigure")
        conf.write_text("BlockSizes=none\n", "utf-8")
        self.assertNotEqual(cluster.run("scontrol", "reconfigure").code, 0)
        conf.write_text(plain, "utf-8")
        cluster.ask("scontrol", "reconfigure")
        daemons.wait_until(lambda: any(call == "rename" and path.endswith("nvl72block_demand") for call, path in self.calls()),
                           cluster.WAIT_SECONDS, "the demand was saved")
        cluster.ask("lab-ctl", "stop")

    def strange(self):
        """The calls that are not the plugin's to make."""
        conf = str(cluster.configuration())
        own = re.compile(rf"({re.escape(str(state()))}/)?({'|'.join(map(re.escape, OWN))})(\.new-\w+)?")
        return [pair for pair in self.calls() if not self.allowed(*pair, conf, own)]

    def test_files_processes_and_connections(self):
        self.live()
        self.assertEqual(self.strange(), [])
        kinds = {call for call, _ in self.calls()}
        self.assertIn("rename", kinds)
        self.assertIn("fsync", kinds)
        self.assertTrue(any(path.endswith("more.conf") for _, path in self.calls()))
        self.tell(f"{len(self.calls())} calls of {len(kinds)} kinds: {', '.join(sorted(kinds))}")

    def test_a_planted_call_is_seen(self):
        with mock.patch.dict(os.environ, {"NVL72BLOCK_PLANT": "file"}):
            self.live()
        self.assertIn(("open-read", "/etc/hostname"), self.strange())

    @staticmethod
    def allowed(call, path, conf, own):
        """Whether the plugin may ask for that."""
        if call in FORBIDDEN:
            return False
        if call == "open-read":
            return path.startswith(f"{conf}/") or own.fullmatch(path) is not None or path == str(state()) or path == "."
        if call == "fchmod":
            return path == "600"
        if call.startswith("open-create"):
            return call == "open-create-600" and own.fullmatch(path) is not None
        return call == "fsync" or own.fullmatch(path) is not None
