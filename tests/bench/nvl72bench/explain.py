# SPDX-License-Identifier: GPL-2.0-or-later
"""What it costs to tell jobs why they wait: one slurmctld, in turn with Nvl72Explain=on and off.

The queue's jobs are all refused in each cycle of the main scheduler. `scontrol reconfigure` switches; it also executes
slurmctld anew, so that each round has its own layout in memory.
"""

import json
from statistics import median

from nvl72lab import plugin_build
from nvl72lab.places import LabError, say

from . import cases, report
from .controller import Controller, slurm_arguments
from .clusters import NO_BACKFILL, RACK, Cluster

ON, OFF = "on", "off"
REQUEST = [f"-N{RACK}", f"--segment={RACK}"]  # a whole rack, each of which lacks a node
MEANING = {"plugin_us": "plugin, CPU time per cycle", "cpu_us": "slurmctld, CPU time per cycle", "cycle_us": "cycle, elapsed"}


def _rounds(controller, options):
    """Each round's figures, by setting; every second pair of rounds begins with the other one."""
    found = {ON: [], OFF: []}
    for number in range(options.repeat):
        for setting in ((ON, OFF), (OFF, ON))[number % 2]:
            answer = controller.ask("refusals", setting=setting, limit=options.limit)
            if answer is None:
                raise LabError("slurmctld does not answer in time")
            figures = answer["value"]
            told, calls = figures.pop("told"), figures.pop("calls")
            if told != (cases.JOBS if setting == ON else 0):
                raise LabError(f"{setting}: {told} jobs have a sentence")
            if calls < cases.JOBS:
                raise LabError(f"{calls} placements per cycle: a cycle was cut short, --limit helps")
            found[setting].append(figures)
            say(f"{setting}: {calls:g} placements, " + ", ".join(f"{name} {report.time(figures[name])}" for name in MEANING))
    return found


def compare(options, release, build, folder, racks):
    """The table; every figure goes to a JSON file."""
    cluster = Cluster(racks)
    place = folder / f"cluster-{racks}-explain"
    cluster.write(place, options.limit, NO_BACKFILL)
    controller = Controller("explain", build / plugin_build.PLUGIN, release, build, place, slurm_arguments(options))
    try:
        for action, fields in (("wake", {"nodes": cluster.nodes}),
                               ("drain", {"nodes": cluster.in_each_rack(1, 1), "before": None}),
                               ("wait_in_vain", {"options": REQUEST, "count": cases.JOBS})):
            controller.ask(action, limit=options.limit, **fields)
        found = _rounds(controller, options)
    finally:
        controller.close()
    rows = [["", ON, OFF, "on / off"], ["---"] * 4]
    for name, meaning in MEANING.items():
        values = {setting: [figures[name] for figures in found[setting]] for setting in found}
        rows.append([meaning, report.spread(values[ON]), report.spread(values[OFF]),
                     f"{median(values[ON]) / median(values[OFF]):.4f}"])
    path = options.output or folder / f"{release.version}-{racks}-explain.json"
    path.write_text(json.dumps({"slurm": release.version, "racks": racks, "rounds": found}, indent=1), "utf-8")
    return (f"## Slurm {release.version}, {racks} racks, {cases.JOBS} waiting jobs, all refused in each cycle\n\n"
            f"{report.aligned(rows)}\n\nAll of it: {path}")
