# SPDX-License-Identifier: GPL-2.0-or-later
"""Three slurmctld's at once, one a plugin, that are told the same."""

import os
import pickle
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nvl72lab.instance import Instance
from nvl72lab.places import PROJECT, LabError

from .planted import Planted

OURS, BLOCK, FLAT = "nvl72block", "block", "flat"
PLUGINS = (OURS, BLOCK, FLAT)
CONFIG = PROJECT / "configs/crusoe-6x18"  # replaced by each scene's own


def release_here():
    """The Slurm of the instance in which this runs."""
    return Instance(os.environ["NVL72BLOCK_LAB_INSTANCE"]).load_release().release


def _arguments(release):
    """The options of tests/lab/with that start that Slurm."""
    return [] if release.root else [f"--slurm-prefix={release.prefix}", f"--slurm-source={release.source}"]


def _name(plugin, release):
    """What Slurm calls it; flat was default once."""
    folder = Path(f"{release.root or ''}{release.plugins}")
    return "default" if plugin == FLAT and not (folder / "topology_flat.so").exists() else plugin


class Runner:
    """One instance, with a worker in it."""

    def __init__(self, plugin, release, *words):
        name = _name(plugin, release)
        command = [PROJECT / "tests/lab/with", "--config", CONFIG, "--plugin", name, "--no-build", *_arguments(release),
                   "--", "/usr/bin/python3", "-m", "nvl72parity.worker", f"topology/{name}", *words]
        self.plugin = plugin
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "PYTHONPATH": f"{PROJECT}/tests/parity"})  # pylint: disable=consider-using-with

    def tell(self, action, *arguments):
        """Has the worker do something; its answer."""
        try:
            pickle.dump((action, arguments), self.process.stdin)
            self.process.stdin.flush()
            answer = pickle.load(self.process.stdout)
        except (BrokenPipeError, EOFError) as error:
            raise LabError(f"the worker of {self.plugin} is gone") from error
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self):
        """An empty standard input ends the worker, and the instance with it."""
        self.process.stdin.close()
        self.process.wait()


class Trio:
    """The three of them; a context manager."""

    def __init__(self, release, plant=None):
        self.runners = {plugin: Runner(plugin, release) for plugin in PLUGINS}
        if plant:
            self.runners[OURS] = Planted(self.runners[OURS], plant)
        self.pool = ThreadPoolExecutor(len(PLUGINS))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for runner in self.runners.values():
            runner.end()
        self.pool.shutdown()

    def tell(self, action, *arguments, plugins=PLUGINS):
        """Each plugin's answer, by its name."""
        waiting = {plugin: self.pool.submit(self.runners[plugin].tell, action, *arguments) for plugin in plugins}
        return {plugin: future.result() for plugin, future in waiting.items()}
