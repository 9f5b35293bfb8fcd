# SPDX-License-Identifier: GPL-2.0-or-later
"""A file system below StateSaveLocation that does not answer, such as NFS whose server is gone: nobody waits for the plugin's files.

The calls that would reach the disk are held until the test lets them go (gate.c), so that no answer can come from a
write that was quick after all.
"""

import subprocess
import time

from gate import Gate, state
from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.places import LabError

DEMAND = "nvl72block_demand"
LAST_GOOD = "nvl72block_last_good_topology.conf"
# Of a client that gets no answer; one that does needs a thousandth of it.
CLIENT_SECONDS = 120
CLIENTS = (
    ("sbatch", "--output=/dev/null", "-N2", "--segment=2", "--wrap=true"),
    ("sbatch", "--test-only", "-N2", "--wrap=true"),
    ("squeue",),
    ("sinfo",),
    ("scontrol", "show", "nodes"),
    ("scontrol", "show", "topology"),
    ("scontrol", "update", "nodename=node000", "state=drain", "reason=test"),
    ("scontrol", "update", "nodename=node000", "state=resume"),
    ("sdiag",),
)


def longest_wait(case):
    """Runs each client once; all have to be answered. The longest time that one took."""
    longest = 0
    for command in CLIENTS:
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=CLIENT_SECONDS)
        longest = max(longest, time.monotonic() - begin)
        # 1: --test-only of a job that could start later is told so.
        case.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")
    return longest


class SlowDisk(LabCase):
    """The gate is closed while clients ask."""

    options = ("--plugin", "nvl72block", "--set", "DebugFlags=SelectType")

    def setUp(self):
        cluster.ask("lab-ctl", "stop")
        self.gate = Gate()
        self.addCleanup(self.gate.open)

    def held(self, name):
        """The call for a file that the gate has seen, if any."""
        return next((call for call in self.gate.calls() if name in call), None)

    def hold_the_demand(self):
        """Evaluates jobs until the learned demand is on its way to the disk and held."""
        def look():
            done = subprocess.run(("sbatch", "--test-only", "-N1", "--wrap=true"), capture_output=True, text=True, check=False,
                                  timeout=CLIENT_SECONDS)
            self.assertNotIn("timed out", done.stderr)
            return self.held(DEMAND)
        cluster.wait_until(look, 400, "the demand was saved")

    def test_nobody_waits_for_the_demand(self):
        self.gate.start()
        self.gate.close()
        self.hold_the_demand()
        waits = {"nvl72block": longest_wait(self)}
        self.assertFalse((state() / DEMAND).exists(), "the write was not held: this test shows nothing")
        # A reconfigure replaces the process, in the middle of its write; an orderly end does not wait for it either.
        cluster.ask("scontrol", "reconfigure")
        waits["nvl72block, after a reconfigure"] = longest_wait(self)
        cluster.ask("lab-ctl", "stop")
        self.assertFalse((state() / DEMAND).exists())
        cluster.use_plugin("topology/block")
        self.gate.start()
        waits["topology/block"] = longest_wait(self)
        self.tell("longest time of a client, in seconds: " + ", ".join(f"{name} {wait:.2f}" for name, wait in waits.items()))

    def test_a_start_does_not_wait_for_the_last_good_topology(self):
        (state() / LAST_GOOD).unlink()
        self.gate.close()
        self.gate.start()
        cluster.wait_until(lambda: self.held(LAST_GOOD), 60, "the topology was on its way to the disk")
        longest_wait(self)
        self.assertFalse((state() / LAST_GOOD).exists())
        self.gate.open()
        cluster.wait_until((state() / LAST_GOOD).exists, 60, "the topology was saved")
        self.assertIn("BlockName=", (state() / LAST_GOOD).read_text("utf-8"))

    def test_a_file_is_on_the_disk_before_it_has_its_name(self):
        """After a power cut the file is the former or the new one: data, then the name, then the directory."""
        self.gate.start()
        cluster.wait_until(lambda: any(call.startswith("rename") for call in self.gate.calls()), 60, "the topology was saved")
        cluster.wait_until(lambda: "fsync directory" in self.gate.calls(), 60, "its directory was saved")
        words = [call.split()[0] for call in self.gate.calls() if LAST_GOOD in call or call.endswith(" directory")]
        self.assertEqual(words[:4], ["create", "fsync", "rename", "fsync"], self.gate.calls())

    def test_a_write_that_is_killed_leaves_the_former_file_and_its_draft_goes(self):
        self.gate.start()
        cluster.wait_until((state() / LAST_GOOD).exists, 60, "the topology was saved")
        before = (state() / LAST_GOOD).read_bytes()
        cluster.ask("lab-ctl", "kill")
        self.gate.forget()
        (state() / f"{LAST_GOOD}.new-123456").write_text("half a li", "utf-8")
        text = (cluster.configuration() / "topology.conf").read_text("utf-8")
        cluster.write_topology(text.replace("BlockName=", "BlockName=other", 1))
        self.gate.close()
        self.gate.start()
        cluster.wait_until(lambda: self.held(LAST_GOOD), 60, "the topology was on its way to the disk")
        cluster.ask("lab-ctl", "kill")
        self.assertEqual((state() / LAST_GOOD).read_bytes(), before)
        self.gate.open()
        self.gate.start()
        cluster.wait_until(lambda: (state() / LAST_GOOD).read_bytes() != before, 60, "the new topology was saved")
        self.assertEqual([path.name for path in state().glob(f"{LAST_GOOD}.*")], [])


class Failing(LabCase):
    """A disk that answers with an error."""

    def test_what_cannot_be_saved_is_logged_with_the_reason(self):
        cluster.ask("lab-ctl", "stop")
        (state() / LAST_GOOD).unlink()
        (state() / LAST_GOOD).mkdir()
        (state() / LAST_GOOD / "file").touch()
        cluster.ask("lab-ctl", "start")
        line = rf"error: .*the topology is not saved as the last good one: cannot replace {state() / LAST_GOOD} by .*: Is a directory; see that StateSaveLocation"
        def look():
            return [entry for entry in cluster.read_log().splitlines() if "not saved as the last good" in entry]
        cluster.wait_until(look, 60, "the failure was logged")
        self.assertRegex(look()[0], line)
        if cluster.run("squeue").code:
            raise LabError("slurmctld does not answer")
