# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that are none, in the places where slurmctld and the command read one, and topology files that ask for too much."""

import os
import subprocess
from pathlib import Path

from gate import state
from nvl72lab import cluster, plugin_build
from nvl72lab.lab_case import LabCase

RACK1 = "BlockName=rack1 Nodes=node[000-017]\n"
SECONDS = 300  # of a command that ends at once


def conf():
    """This instance's topology.conf."""
    return cluster.configuration() / "topology.conf"


def demand():
    """Where slurmctld keeps what it has learned."""
    return state() / "nvl72block_demand"


def last_good():
    """Where it keeps the last topology that was good."""
    return state() / "nvl72block_last_good_topology.conf"


def make_fifo(path):
    """A FIFO without a writer: to open it waits for one."""
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    path.chmod(0o666)


def make_terminal(path):
    """A link to a terminal: to open one can wait for its line, and makes it the process's own."""
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/ptmx")


def make_zeros(path):
    """A link to a device without end."""
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


def make_circle(path):
    """A link to itself."""
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


KINDS = {
    make_fifo: "it is a FIFO, not a regular file",
    make_terminal: "it is a character device, not a regular file",
    make_zeros: "it is a character device, not a regular file",
    make_circle: "it is a link that leads back to itself",
}


class OddFiles(LabCase):
    """slurmctld goes on, says what it has found, and works again when the file is right."""

    fails_to_reconfigure = ("test_topology_conf_is_no_file", "test_an_included_file_is_no_file", "test_too_many_names",
                            "test_a_list_of_findings_ends")
    needs_command = ("test_topology_conf_is_no_file", "test_too_many_names", "test_a_list_of_findings_ends")

    def refused(self, sentence):
        """A reconfigure that fails: slurmctld answers all the same, and the log has the sentence once. The log's new part."""
        mark = len(cluster.read_log())
        done = cluster.reconfigure()
        self.assertNotEqual(done.code, 0)
        gained = cluster.read_log(mark)
        self.assertIn(sentence, gained, done)
        self.assertEqual(cluster.ask("scontrol", "show", "topology").count("BlockName="), 6)
        return gained

    def checked(self):
        """What `nvl72block check` says of the file."""
        done = subprocess.run([plugin_build.command(), "check", "--topology", conf(), "--live"], capture_output=True, text=True,
                              check=False, timeout=SECONDS)
        self.assertEqual(done.returncode, 2, done)
        return done.stderr

    def test_topology_conf_is_no_file(self):
        good = conf().read_text("utf-8")
        for make, sentence in KINDS.items():
            with self.subTest(make.__doc__):
                make(conf())
                self.refused(f"topology.conf: cannot be read: {sentence}; ")
                self.assertIn(f"topology.conf: cannot be read: {sentence}; ", self.checked())
        conf().unlink()
        cluster.write_topology(good)
        self.assertEqual(cluster.reconfigure().code, 0)

    def test_an_included_file_is_no_file(self):
        for make, sentence in KINDS.items():
            with self.subTest(make.__doc__):
                make(cluster.configuration() / "racks")
                cluster.write_topology(RACK1 + "Include racks\n")
                self.refused(f"topology.conf:2: Include racks: {sentence}; ")

    def test_saved_demand_is_no_file(self):
        """Saved demand that is none is told apart from demand that was not saved yet."""
        for make, sentence in KINDS.items():
            with self.subTest(make.__doc__):
                cluster.ask("lab-ctl", "kill")
                make(demand())
                mark = len(cluster.read_log())
                cluster.ask("lab-ctl", "start")
                gained = cluster.read_log(mark)
                self.assertIn(f"the demand learned before cannot be read and starts anew: {demand()}: {sentence}", gained)
                self.assertNotIn("yet: the demand", gained)
        cluster.ask("lab-ctl", "kill")
        demand().unlink()
        demand().symlink_to("nowhere")
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "start")
        self.assertIn(f"{demand()}: it is a link to nowhere, which does not exist", cluster.read_log(mark))

    def test_damaged_demand(self):
        """Numbers that no history has; they overflowed, or left the demand "off", without a word."""
        for lines, sentence in {
                "-9223372036854775808\n": "line 2: not a time in seconds",
                "1700000000\n16 1e308 0\n8 1e308 0\n": "line 3: not a number of nodes",
                "1700000000\n16 1000 nan\n": "line 3: not a number of nodes",
                "1700000000\n4294967295 1000 0\n": "line 3: not a number of nodes"}.items():
            with self.subTest(lines):
                cluster.ask("lab-ctl", "kill")
                demand().write_text(f"nvl72block demand 1\n{lines}end\n", "utf-8")
                mark = len(cluster.read_log())
                cluster.ask("lab-ctl", "start")
                self.assertIn(f"starts anew: {demand()}: {sentence}", cluster.read_log(mark))

    def test_the_last_good_topology_is_no_file(self):
        """slurmctld cannot start without a topology; it says so and ends."""
        good = conf().read_text("utf-8")
        for make in KINDS:
            with self.subTest(make.__doc__):
                cluster.run("lab-ctl", "kill")
                make(last_good())
                cluster.write_topology("nonsense\n")
                mark = len(cluster.read_log())
                self.assertNotEqual(cluster.run("lab-ctl", "start").code, 0)
                self.assertRegex(cluster.read_log(mark), r"fatal: .*topology\.conf:1: 'nonsense'")
        # A start replaces what is none by a file.
        cluster.write_topology(good)
        cluster.ask("lab-ctl", "start")
        cluster.wait_until(lambda: last_good().is_file() and not last_good().is_symlink(), 60, "the topology was saved")

    def test_state_files_are_for_slurmctld_alone(self):
        cluster.wait_until(last_good().exists, 60, "the topology was saved")
        self.assertEqual(last_good().stat().st_mode & 0o777, 0o600)

    def test_no_link_is_followed(self):
        """Whoever could place a link in StateSaveLocation could have slurmctld overwrite any of its files."""
        victim = state() / "victim"
        victim.write_text("precious", "utf-8")
        cluster.ask("lab-ctl", "kill")
        last_good().unlink()
        last_good().symlink_to("victim")
        Path(f"{last_good()}.new").symlink_to("victim")
        cluster.ask("lab-ctl", "start")
        cluster.wait_until(lambda: not last_good().is_symlink(), 60, "the topology was saved")
        self.assertEqual(victim.read_text("utf-8"), "precious")

    def test_too_many_names(self):
        """Slurm's own reader would make them all: slurmctld had 1.2 GB when it was ended."""
        text = "node" + "[0-9]" * 8
        cluster.write_topology(RACK1 + f"BlockName=rack2 Nodes={text}\n")
        sentence = f"topology.conf:2: BlockName=rack2 Nodes={text}: '{text}': the list has more than 262144 names"
        self.refused(sentence)
        self.assertIn(sentence, self.checked())
        cluster.write_topology("".join(f"BlockName=rack{number} Nodes=node[000-107]\n" for number in range(10000)))
        self.refused("topology.conf:2: ")

    def test_a_list_of_findings_ends(self):
        """A million blocks that share nodes made 204 MB of log."""
        cluster.write_topology("".join(f"BlockName=rack{number} Nodes=node000\n" for number in range(100000)))
        gained = self.refused("99799 more errors are not shown")
        self.assertLess(len(gained), 200000)
        self.assertIn("99799 more errors are not shown", self.checked())
