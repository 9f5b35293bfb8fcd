# SPDX-License-Identifier: GPL-2.0-or-later
"""Decisions that `nvl72block shadow --export` has written, repeated: by `nvl72block plan` and by a slurmctld with topology/block."""

import json
import shlex
import subprocess
import tempfile
from pathlib import Path

from nvl72lab import hostlist, plugin_build

from . import whole_nodes
from .shadow_campaign import LAST, report
from .tally import Tally
from .trio import BLOCK, OURS

NEEDED = ("repeated", "of these, other nodes by nvl72block")
SCENE = 8  # a scene has more decisions that can be exported
HELD = "holds the job"


def sections(text):
    """The parts of an export by their names."""
    return dict(part.split("\n", 1) for part in text.split("--- ")[1:])


def answers(parts):
    """Both answers that an export tells, each as sorted names or HELD."""
    told = dict(line.split(" ", 1) for line in parts["answers"].splitlines())
    return {who: text if text == HELD else sorted(hostlist.expand(text)) for who, text in told.items()}


def planned(parts):
    """What the export's own command makes of its own files."""
    line = next(line for line in parts["commands"].splitlines() if line.startswith("nvl72block plan "))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("topology.conf", "weights"):
            (Path(folder) / name).write_text(parts[name], "utf-8")
        told = subprocess.run([plugin_build.command(), *shlex.split(line)[1:], "--json"], cwd=folder, capture_output=True, text=True, check=False)
    return HELD if told.returncode == 1 else sorted(hostlist.expand(json.loads(told.stdout)["nodes"]))


class ExportRun:
    """Scenes on one pair, and what is counted of them."""

    def __init__(self, pair, seed, tell):
        self.pair, self.seed, self.tell, self.tally = pair, seed, tell, Tally()

    def scene(self, index, numbers=None):
        """Random jobs of whole nodes in shadow mode, then each decision about them again."""
        made, ours = whole_nodes.scene(self.seed, index), self.pair.runners[OURS]
        ours.tell("open", made.site)
        ours.tell("place", made.busy)
        drained = ()
        for case in made.cases:
            ours.tell("drain", [node for node in case.drained if node not in drained], [node for node in drained if node not in case.drained])
            drained = case.drained
            ours.tell("attempt", case.request.options())
        ours.tell("attempt", LAST)
        text = ours.tell("shadow_records")
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            for number in numbers or range(1, min(report(text)["decisions"], SCENE) + 1):
                self._repeat(index, number, file.name)

    def _repeat(self, index, number, path):
        told = subprocess.run([plugin_build.command(), "shadow", "--file", path, "--export", str(number)], capture_output=True, text=True,
                              check=False)
        if told.returncode:
            self.tally.counts["not exported"] += 1
            return
        parts = sections(told.stdout)
        wanted = answers(parts)
        found = {"nvl72block": planned(parts), "topology/block": self.pair.runners[BLOCK].tell("repeat", parts)}
        self.tally.counts["repeated"] += 1
        self.tally.counts["of these, other nodes by nvl72block"] += wanted["nvl72block"] != wanted["topology/block"]
        self.tally.counts["of these, held by topology/block"] += wanted["topology/block"] == HELD
        if found != wanted:
            self.tally.failures.append(f"seed {self.seed}, scene {index}, decision {number}: {found} instead of\n{told.stdout}")
            self.tell(self.tally.failures[-1])
