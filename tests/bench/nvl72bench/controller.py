# SPDX-License-Identifier: GPL-2.0-or-later
"""One of the two slurmctlds of a comparison, as seen from outside its instance."""

import json
import os
import subprocess
from pathlib import Path

from nvl72lab import plugin_build
from nvl72lab.places import PROJECT, LabError

STOCK, OURS = "stock", "ours"


def slurm_arguments(options):
    """What tells tests/lab/with of a Slurm of one's own."""
    return [f"--{name}={Path(value).absolute()}" for name, value in
            (("slurm-prefix", options.slurm_prefix), ("slurm-source", options.slurm_source)) if value]


class Controller:
    """A slurmctld whose topology plugin is `plugin` behind the timer."""

    def __init__(self, label, plugin, release, build, config_folder, arguments):
        work = config_folder.parent
        self.label = label
        self.times = work / f"{config_folder.name}-{label}.times"
        self.times.write_text("", "ascii")
        environment = {**os.environ, "NVL72BLOCK_TIMED_PLUGIN": str(plugin), "NVL72BLOCK_TIMES": str(self.times),
                       "NVL72BLOCK_TIMED_WITHIN": str(release.plugins / "topology_block.so"),
                       "PYTHONPATH": f"{PROJECT / 'tests/lab'}:{PROJECT / 'tests/bench'}"}
        timer = (build / plugin_build.TIMER).parent
        command = [PROJECT / "tests/lab/with", "--config", config_folder, "--plugin", "timed",
                   f"--set=PluginDir={timer}:{timer / 'within'}:{release.plugins}", *arguments, "--",
                   "/usr/bin/python3", "-m", "nvl72bench.agent"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,  # pylint: disable=consider-using-with
                                        env=environment)

    def ask(self, action, **fields):
        """The answer of the agent; None when slurmctld was too slow for the case."""
        try:
            self.process.stdin.write(json.dumps({"do": action, **fields}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise LabError(f"the slurmctld of {self.label} is gone")
        answer = json.loads(line)
        if "error" in answer:
            raise LabError(f"{self.label}: {answer['error']}")
        return None if "too_slow" in answer else {"value": answer["result"]}

    def close(self):
        """Ends the agent and with it the instance."""
        self.process.stdin.close()
        self.process.wait()
