# SPDX-License-Identifier: GPL-2.0-or-later
"""What the nodes' cliques cost a decision: ours beside itself, without features and in each mode, in turn."""

import json

from nvl72lab import plugin_build
from nvl72lab.places import LabError, say

from . import cases, report
from .controller import Controller, slurm_arguments
from .measured import EVALUATION, figures
from .clusters import NO_BACKFILL, RACK, Cluster

NONE = "no features"
MODES = (NONE, "off", "verify", "enforce", "derive")
REQUESTS = ("-N16", "-N64 --segment=16", "-N1152 --segment=16", "-N576 --segment=1", "-N16 --gres=gpu:4")


class Modes:
    """A slurmctld for each mode, on the same racks."""

    def __init__(self, options, release, build, folder, racks):
        self.controllers = {}
        for mode in MODES:
            cluster = Cluster(racks, cliques="" if mode == NONE else mode)
            place = folder / f"cluster-{racks}-cliques-{mode.split()[0]}"
            cluster.write(place, options.limit, NO_BACKFILL)
            controller = Controller(mode, build / plugin_build.PLUGIN, release, build, place, slurm_arguments(options))
            self.controllers[mode] = controller
            self.ask(mode, "wake", nodes=cluster.nodes, limit=options.limit)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for controller in self.controllers.values():
            controller.close()

    def ask(self, mode, action, **fields):
        """The answer, which is expected in time."""
        answer = self.controllers[mode].ask(action, **fields)
        if answer is None:
            raise LabError(f"{mode}: slurmctld does not answer in time")
        return answer["value"]


def _measure(modes, request, repeat):
    """Microseconds of an evaluation, by mode."""
    found = {mode: [] for mode in MODES}
    for run in range(repeat):
        for place in range(len(MODES)):
            mode = MODES[(run + place) % len(MODES)]
            answer = modes.ask(mode, "cycle", options=request.split())
            if not answer["placed"]:
                raise LabError(f"{mode}: {request} was not placed: {answer['reason']}")
            found[mode].append(figures(answer)[EVALUATION])
    return found


def compare(options, release, build, folder, racks):
    """The table; every figure goes to a JSON file."""
    rows = [["request", *MODES], ["---"] * (len(MODES) + 1)]
    measured = {}
    with Modes(options, release, build, folder, racks) as modes:
        for request in REQUESTS:
            if options.cases not in request or not cases.fits(request.split(), racks * RACK):
                continue
            measured[request] = _measure(modes, request, options.repeat)
            rows.append([request, *(report.spread(measured[request][mode]) for mode in MODES)])
            say(", ".join(rows[-1]))
    path = options.output or folder / f"{release.version}-{racks}-cliques.json"
    path.write_text(json.dumps({"slurm": release.version, "racks": racks, "evaluation_us": measured}, indent=1), "utf-8")
    return (f"## Slurm {release.version}, {racks} racks, a clique a rack: CPU time of an evaluation\n\n{report.aligned(rows)}\n\n"
            f"All of it: {path}")
