# SPDX-License-Identifier: GPL-2.0-or-later
"""What an option costs a decision: ours beside itself, a slurmctld for each of its values, in turn."""

import json
from dataclasses import dataclass

from nvl72lab import plugin_build
from nvl72lab.places import LabError, say

from . import cases, report
from .controller import Controller, slurm_arguments
from .measured import EVALUATION, figures
from .clusters import NO_BACKFILL, RACK, Cluster


@dataclass(frozen=True)
class Comparison:
    """What is compared with what, and by which requests."""

    name: str  # of the JSON file
    title: str
    variants: dict  # by what the column is called: what the cluster has that others have not
    requests: tuple


CLIQUES = Comparison(
    "cliques", "a clique a rack", {"no features": {}} | {mode: {"cliques": mode} for mode in ("off", "verify", "enforce", "derive")},
    ("-N16", "-N64 --segment=16", "-N1152 --segment=16", "-N576 --segment=1", "-N16 --gres=gpu:4"))
POLICIES = Comparison(
    "policies", "policies",
    {"pack": {"words": "Nvl72Policy=pack"}, "compact": {"words": "Nvl72Policy=compact"}, "demand, learned": {},
     "demand 16:1": {"words": "Nvl72Demand=16:1"}, "demand 16:0.6+8:0.2+4:0.2": {"words": "Nvl72Demand=16:0.6+8:0.2+4:0.2"}},
    ("-N1", "-N4", "-N16", "-N18", "-N20", "-N64", "-N1152", "-N16 --segment=16", "-N64 --segment=16", "-N1152 --segment=16",
     "-N576 --segment=1", "-N4608 --segment=1", "-N16 --gres=gpu:4", "-N64 --segment=16 --gres=gpu:4", "-N16 --exclusive=topo",
     "-p shared -N1 -n1", "-p shared -N16 -n16"))


class Controllers:
    """A slurmctld for each variant, on the same racks."""

    def __init__(self, comparison, options, release, build, folder, racks):
        self.controllers = {}
        for number, (column, special) in enumerate(comparison.variants.items()):
            cluster = Cluster(racks, **special)
            place = folder / f"cluster-{racks}-{comparison.name}-{number}"
            cluster.write(place, options.limit, NO_BACKFILL)
            controller = Controller(column, build / plugin_build.PLUGIN, release, build, place, slurm_arguments(options))
            self.controllers[column] = controller
            self.ask(column, "wake", nodes=cluster.nodes, limit=options.limit)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for controller in self.controllers.values():
            controller.close()

    def ask(self, column, action, **fields):
        """The answer, which is expected in time."""
        answer = self.controllers[column].ask(action, **fields)
        if answer is None:
            raise LabError(f"{column}: slurmctld does not answer in time")
        return answer["value"]


def _measure(controllers, columns, request, repeat):
    """Microseconds of an evaluation, by column."""
    found = {column: [] for column in columns}
    for run in range(repeat):
        for place in range(len(columns)):
            column = columns[(run + place) % len(columns)]
            answer = controllers.ask(column, "cycle", options=request.split())
            if not answer["placed"]:
                raise LabError(f"{column}: {request} was not placed: {answer['reason']}")
            found[column].append(figures(answer)[EVALUATION])
    return found


def compare(comparison, options, release, build, folder, racks):
    """The table; every figure goes to a JSON file."""
    columns, measured = tuple(comparison.variants), {}
    rows = [["request", *columns], ["---"] * (len(columns) + 1)]
    with Controllers(comparison, options, release, build, folder, racks) as controllers:
        for request in comparison.requests:
            if options.cases not in request or not cases.fits(request.split(), racks * RACK):
                continue
            measured[request] = _measure(controllers, columns, request, options.repeat)
            rows.append([request, *(report.spread(measured[request][column]) for column in columns)])
            say(", ".join(rows[-1]))
    path = options.output or folder / f"{release.version}-{racks}-{comparison.name}.json"
    path.write_text(json.dumps({"slurm": release.version, "racks": racks, "evaluation_us": measured}, indent=1), "utf-8")
    return (f"## Slurm {release.version}, {racks} racks, {comparison.title}: CPU time of an evaluation\n\n{report.aligned(rows)}\n\n"
            f"All of it: {path}")
