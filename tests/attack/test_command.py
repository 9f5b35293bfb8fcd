# SPDX-License-Identifier: GPL-2.0-or-later
"""What any user may write into a job, and what the command then shows an administrator."""

import json
import os
import shutil
import subprocess
import unicodedata

from fuzz_command import faults_of_exposition, faults_of_text
from nvl72lab import cluster, plugin_build
from nvl72lab.lab_case import LabCase

NODES = 108

FORGED_JOBS = ("a\nJobId=9999 JobState=RUNNING NodeList=node[000-107] x",
               "a\nJobId=9999 JobName=b UserId=bob(1001) JobState=RUNNING NodeList=node[000-107] NumNodes=108 x")
FORGED_USER = "x UserId=bob(1001) JobState=PENDING Reason=Licenses Partition=main x"
FORGED_REASON = os.fsdecode(b"x UserId=b(1) JobState=PENDING Reason=\xff\xfe x")
SERIES = "x UserId=b(1) JobState=PENDING Reason=evil_{} x"
TITLE = "\x1b]0;PWN\a\x1b[2J"
TURNED = "a\u202egnp.exe\u009b2J"


class Command(LabCase):
    """An idle cluster, and a user with a keyboard."""

    config = "crusoe-6x18"
    needs_command = ("test_forged_record", "test_forged_words", "test_scrape", "test_terminal", "test_every_text")

    def tool(self, *arguments):
        """The command's output; whatever it says has to be printable."""
        done = subprocess.run([plugin_build.command(), *arguments], capture_output=True, check=False)
        self.said = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, 0, self.said)
        for data in (done.stdout, done.stderr):
            self.assertEqual(faults_of_text(data), [], data)
        return done.stdout.decode()

    def free_nodes(self):
        """As `metrics` counts them."""
        return int(self.tool("metrics").split('nvl72block_nodes{state="free"} ')[1].split("\n")[0])

    def reasons(self):
        """Waiting jobs by reason, of valid metrics."""
        text = self.tool("metrics")
        self.assertEqual(faults_of_exposition(text), [])
        if shutil.which("promtool"):
            done = subprocess.run(["promtool", "check", "metrics"], input=text.encode(), capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, b""))
        lines = [line for line in text.split("\n") if line.startswith("nvl72block_waiting_jobs{")]
        return {line.split('"')[1]: int(line.split()[-1]) for line in lines}

    def test_forged_record(self):
        """A line feed in a name made a job of its own, on all nodes, even after the job was cancelled."""
        for name in FORGED_JOBS:
            with self.subTest(name=name):
                number = cluster.submit("-H", "-N1", "-J", name)
                self.assertEqual(self.free_nodes(), NODES)
                self.assertEqual(self.said, "")
                self.assertEqual(json.loads(self.tool("show", "--json"))["jobs"], [])
                self.assertEqual(json.loads(self.tool("why", str(number), "--json"))["state"], "PENDING")
                refused = subprocess.run([plugin_build.command(), "why", "9999"], capture_output=True, text=True, check=False)
                self.assertEqual((refused.returncode, "is not in the queue" in refused.stderr), (2, True), refused)
                cluster.cancel(number)
                self.assertEqual(self.free_nodes(), NODES)

    def test_forged_words(self):
        """Words of scontrol's in a name, on one line or as the whole record of another job."""
        victim = cluster.submit("-N4")
        cluster.wait_job(victim, lambda seen: seen.placed, "had nodes")
        record = cluster.ask("scontrol", "-o", "show", "job", str(victim)).strip()
        forger = cluster.submit("-H", "-N2", "-J", FORGED_USER)
        copier = cluster.submit("-H", "-N2", "-J", "y\n" + record.replace("NodeList=", "NodeList=node[000-107]").replace(
            "JobState=CONFIGURING", "JobState=PENDING")[:900])
        for number in (forger, copier):
            seen = json.loads(self.tool("why", str(number), "--json"))
            self.assertEqual((seen["user"], seen["state"], seen["reason"]["slurm"]), ("root", "PENDING", "JobHeldUser"))
        shown = json.loads(self.tool("show", "--json"))["jobs"]
        self.assertEqual([job["name"] for job in shown], [str(victim)])
        self.assertEqual(self.free_nodes(), NODES - 4)

    def test_scrape(self):
        """Bytes that are not UTF-8 in a label, and a series per job."""
        cluster.submit("-H", "-N1", "-J", FORGED_REASON)
        for number in range(5):
            cluster.submit("-H", "-N1", "-J", SERIES.format(number))
        self.assertEqual(self.reasons(), {"JobHeldUser": 6})

    def test_terminal(self):
        """Escape sequences and what turns text, in every form of output."""
        for name in (TITLE, TURNED):
            with self.subTest(name=name):
                number = cluster.submit("-N1", "-J", name)
                cluster.wait_job(number, lambda seen: seen.placed, "had nodes")
                self.assertIn("\\x1b]0;PWN\\x07" if name == TITLE else "\\u202egnp.exe\\u009b2J",
                              self.tool("why", str(number)))
                shown = json.loads(self.tool("why", str(number), "--json"))["name"]
                self.assertFalse([letter for letter in shown if unicodedata.category(letter) in ("Cc", "Cf")], shown)
                self.tool("show")
                self.tool("show", "--json")

    def test_every_text(self):
        """All that a job and a drained node can have, with a line feed and a record in it."""
        text = "t\x1b[2J\u202e\nJobId=9999 JobState=RUNNING NodeList=node[000-107]\nNodeName=node000 State=DOWN x"
        number = cluster.submit("-H", "-N1", "-J", text, "--comment", text, "--extra", text, "--network", text,
                                "--error", f"/tmp/{text}".replace("/n", "n"), "--input", "/dev/null", "--mail-user", text)
        cluster.ask("scontrol", "update", f"jobid={number}", f"admincomment={text}")
        cluster.ask("scontrol", "update", "nodename=node107", "state=drain", "reason=r\x1b[2J\u202e\nx")
        self.assertEqual(self.free_nodes(), NODES - 1)
        self.assertEqual(self.reasons(), {"JobHeldUser": 1})
        for arguments in (("show",), ("show", "--json"), ("capacity",), ("capacity", "--json"), ("why", str(number))):
            self.tool(*arguments)
