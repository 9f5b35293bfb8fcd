# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/tutorial.md: its commands, in their order, print what the page shows."""

import re
import subprocess
import time

from nvl72lab import cluster, plugin_build
from nvl72lab.daemons import wait_until
from nvl72lab.lab_case import LabCase, before
from nvl72lab.places import PROJECT, LabError

# A block of commands begins with one of these; any other block is what the commands before it print.
COMMANDS = ("sbatch ", "scontrol ", "squeue ", "scancel ", "nvl72block ")
ONCE = ("sbatch", "scontrol update", "scancel")
PATIENCE = 60


def blocks():
    """The code blocks of the steps with a running slurmctld, as (is it commands?, lines)."""
    text = (PROJECT / "docs/tutorial.md").read_text("utf-8")
    steps = text[text.index("## 3. "):text.index("## 6. ")]
    for block in re.findall(r"(?ms)^```\n(.*?)^```", steps):
        lines = block.splitlines()
        yield lines[0].startswith(COMMANDS), lines


def plain(text):
    """Without what differs from run to run: the width of columns, how long a job waited, and its last reason: where the
    nodes of a cancelled job come back one by one, the job may be tried once more in between."""
    text = re.sub(r" +", " ", text).replace(" \n", "\n")
    text = re.sub(r"; keeps room for [^;]*", "", text)  # what the demand of the moment makes of it
    return re.sub(r"waited \d+ s; last reason: needs .*", "waited N s; last reason: needs", text)


class Tutorial(LabCase):
    """A reader's session in the cluster of the tutorial."""

    needs_command = ("test_as_written",)
    submitted = 0  # when the last command ended, in whole seconds

    def run_line(self, line):
        """What one command prints."""
        command = line.replace("nvl72block", str(plugin_build.command()), 1) if line.startswith("nvl72block") else line
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")
        return plain(done.stdout)

    def run_block(self, lines):
        """Runs the commands that change something; the others, which the reader repeats until they show the change."""
        for line in filter(lambda line: line.startswith(ONCE), lines):
            if line.startswith("scancel"):  # a job that starts in the second of its submission never waited
                wait_until(lambda: int(time.time()) > self.submitted, PATIENCE, "the next second began")
            self.run_line(line)
            self.submitted = int(time.time())
        return [line for line in lines if not line.startswith(ONCE)]

    @before(25, 11, because="shows a job's segments itself, and the sentences leave them out")
    def test_as_written(self):
        shown, repeated = 0, []
        for commands, lines in blocks():
            if commands:
                repeated = self.run_block(lines) or repeated
                if lines[0].startswith("sbatch -N32"):
                    cluster.wait_job(1, lambda job: job.placed, "had nodes")
                continue
            expected = plain("\n".join(lines))
            said = []

            def look(expected=expected, said=said):
                said[:] = [self.run_line(line) for line in repeated]
                return expected in "".join(said)
            try:
                wait_until(look, PATIENCE, f"the commands {repeated} printed\n{expected}")
            except LabError as error:
                self.fail(f"{error}\nthey print\n{''.join(said)}")
            shown += 1
        self.assertEqual(shown, 4)
        self.assertEqual(len(cluster.job(3).nodes), 48)
