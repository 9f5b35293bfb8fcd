# SPDX-License-Identifier: GPL-2.0-or-later
"""What shadow mode costs a cycle of the main scheduler: a slurmctld with topology/block and one with nvl72block in shadow mode, in turn."""

import json
import random
from statistics import median

from nvl72lab import plugin_build
from nvl72lab.places import LabError, say

from . import cases, report
from .clusters import NO_BACKFILL, RACK, Cluster
from .controller import STOCK, Controller, slurm_arguments

SHADOW = "shadow"
WORDS = {STOCK: "", SHADOW: "Nvl72Shadow=on"}
MEANING = {"cycle_us": "cycle, elapsed", "cpu_us": "cycle, CPU time of the scheduler's thread", "plugin_us": "plugin, CPU time in the cycle"}
# Both from the same cycle: other differences between two slurmctlds are not in it.
BESIDE = "thread of shadow mode, without nvl72block's part and with it"
SMALL = ("-N1", "-N4", "-N16", "-N18", "-N20")
LARGE = ("-N64", "-N64 --segment=16", "-N128 --segment=16", "-N16 --segment=16", "-N32 --segment=1")
# Jobs that start in one cycle, drawn from these: partition, requests.
BURSTS = {
    "jobs of 1 to 20 nodes": ("main", SMALL),
    "jobs of 1 to 128 nodes, with segments too": ("main", SMALL + LARGE),
    "the same with --gres=gpu:4": ("main", tuple(f"{request} --gres=gpu:4" for request in SMALL + LARGE)),
    "jobs that share nodes": ("shared", ("-N1 -n1", "-N4 -n8", "-N16 -n16", "-n100", "-N2 --gpus-per-node=1")),
}
WAITING = "jobs that wait, refused by the plugin"
REFUSED = [f"-N{RACK}", f"--segment={RACK}"]  # a whole rack, each of which lacks a node


def _jobs(title):
    partition, requests = BURSTS[title]
    dice = random.Random(title)
    return [[f"--partition={partition}", *dice.choice(requests).split()] for _ in range(cases.JOBS)]


class Both:
    """The two slurmctlds."""

    def __init__(self, options, release, build, folder, racks):
        plugins = {STOCK: release.plugins / "topology_block.so", SHADOW: build / plugin_build.PLUGIN}
        self.limit, self.controllers = options.limit, {}
        for label, plugin in plugins.items():
            self.cluster = Cluster(racks, words=WORDS[label])
            place = folder / f"cluster-{racks}-{label}"
            self.cluster.write(place, options.limit, NO_BACKFILL)
            self.controllers[label] = Controller(label, plugin, release, build, place, slurm_arguments(options))
            self.ask(label, "wake", nodes=self.cluster.nodes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for controller in self.controllers.values():
            controller.close()

    def ask(self, label, action, **fields):
        """The answer, which is expected in time."""
        answer = self.controllers[label].ask(action, limit=self.limit, **fields)
        if answer is None:
            raise LabError(f"{label}: slurmctld does not answer in time")
        return answer["value"]

    def rounds(self, title, repeat, action, **fields):
        """Each run's figures, by slurmctld; every second pair of runs begins with the other one."""
        found = {label: [] for label in self.controllers}
        for number in range(repeat):
            for label in list(found)[::1 if number % 2 else -1]:
                found[label].append(self.ask(label, action, **fields))
                say(f"{title}, {label}: {found[label][-1]}")
        outcomes = {label: {run["started"] for run in runs} for label, runs in found.items()}
        if len(set.union(*outcomes.values())) != 1:
            raise LabError(f"{title}: numbers of jobs that started differ: {outcomes}")
        return found


def _rows(title, found):
    for name, meaning in MEANING.items():
        values = {label: [run[name] for run in runs] for label, runs in found.items()}
        ratio = median(values[SHADOW]) / median(values[STOCK])
        yield [title, meaning, report.spread(values[STOCK]), report.spread(values[SHADOW]), f"{ratio:.3f}"]
        title = ""
    runs = found[SHADOW]
    with_it, without = [run["cpu_us"] for run in runs], [run["cpu_us"] - run["beside_us"] for run in runs]
    yield ["", BESIDE, report.spread(without), report.spread(with_it), f"{median(with_it) / median(without):.3f}"]


def compare(options, release, build, folder, racks):
    """The table; every figure goes to a JSON file."""
    rows, every = [[f"{cases.JOBS} jobs", "", "topology/block", "shadow mode", "shadow / block"], ["---"] * 5], {}
    with Both(options, release, build, folder, racks) as both:
        for title in BURSTS:
            if options.cases in title:
                every[title] = both.rounds(title, options.repeat, "burst", jobs=_jobs(title))
        if options.cases in WAITING:
            for label in both.controllers:
                both.ask(label, "drain", nodes=both.cluster.in_each_rack(1, 1), before=None)
                both.ask(label, "wait_in_vain", options=REFUSED, count=cases.JOBS)
            every[WAITING] = both.rounds(WAITING, options.repeat, "refused")
    for title, found in every.items():
        rows += _rows(title, found)
    path = options.output or folder / f"{release.version}-{racks}-shadow.json"
    path.write_text(json.dumps({"slurm": release.version, "racks": racks, "runs": every}, indent=1), "utf-8")
    return f"## Slurm {release.version}, {racks} racks, cycles of the main scheduler\n\n{report.aligned(rows)}\n\nAll of it: {path}"
