# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's topology/block and ours side by side: two slurmctlds, the same states and requests, in turn.

Both plugins are loaded by a small plugin that times them. The table goes to standard output, everything to a JSON file.
With --cliques ours is compared with itself instead: without features, and with a clique a rack in each mode; with
--policies, with each policy; with --explain, telling jobs why they wait and not. With --shadow, shadow mode beside topology/block.
Exit status 1: a case where stock finds a place and ours does not, or where ours gave no answer in time.
"""

import argparse
import json
import sys
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from nvl72lab import plugin_build, slurm_release
from nvl72lab.places import PROJECT, LabError, say

from . import cases as all_cases, explain, report, shadow, variants
from .controller import OURS, STOCK, Controller, slurm_arguments
from .measured import Measured, Queue
from .clusters import BY_GPU, MIXED, NO_BACKFILL, UNIFORM, Cluster

RESULTS = PROJECT / "build/bench"
QUEUE_BACKFILL = 5
FOLDERS = {UNIFORM: "", MIXED: "-mixed", BY_GPU: "-by-gpu"}


def _parse():
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racks", type=int, nargs="+", default=[512], metavar="N",
                        help="clusters of so many racks of 18 (default: 512; the full comparison: 64 512 3600)")
    parser.add_argument("--cases", default="", metavar="TEXT",
                        help="only cases whose state and request contain it, e.g. 'idle' or '--segment=1'; 'queue' is one")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each case and plugin (default: 5)")
    parser.add_argument("--limit", type=int, default=120, metavar="SECONDS",
                        help="a plugin that needs longer for a case is given up and reported as 'none in SECONDS s' (default: 120)")
    parser.add_argument("--slow", type=float, default=5, metavar="SECONDS",
                        help="a case whose first run took a plugin longer is not repeated for it (default: 5)")
    parser.add_argument("--without-stock", action="store_true", help="ours alone: on thousands of racks stock takes hours")
    parser.add_argument("--cliques", action="store_true", help="what the nodes' cliques cost, in each mode of Nvl72Clique")
    parser.add_argument("--policies", action="store_true", help="what each Nvl72Policy costs a decision")
    parser.add_argument("--explain", action="store_true", help="what it costs to tell 100 jobs why they wait, Nvl72Explain=on and off")
    parser.add_argument("--shadow", action="store_true", help="what shadow mode costs a cycle of the main scheduler, beside topology/block")
    parser.add_argument("--slurm-prefix", metavar="DIR", help="an installed Slurm instead of the private root's")
    parser.add_argument("--slurm-source", metavar="DIR", help="the source tree of that Slurm")
    parser.add_argument("--no-build", action="store_true", help="take the plugins as the last call built them")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the JSON file (default: build/bench/VERSION-RACKS.json)")
    return parser.parse_args()


class Pair:
    """Both slurmctlds on one cluster."""

    def __init__(self, options, release, build, cluster, backfill):
        folder = RESULTS / f"cluster-{cluster.racks}{FOLDERS[cluster.kind]}{'-queue' if backfill != NO_BACKFILL else ''}"
        cluster.write(folder, options.limit, backfill)
        plugins = {STOCK: release.plugins / "topology_block.so", OURS: build / plugin_build.PLUGIN}
        if options.without_stock:
            del plugins[STOCK]
        self.cluster, self.options = cluster, options
        self.drained = dict.fromkeys(plugins)
        self.controllers = {label: Controller(label, plugin, release, build, folder, slurm_arguments(options))
                            for label, plugin in plugins.items()}
        for controller in self.controllers.values():
            self._needed(controller.ask("wake", nodes=cluster.nodes, limit=options.limit), controller)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for controller in self.controllers.values():
            controller.close()

    @staticmethod
    def _needed(answer, controller):
        if answer is None:
            raise LabError(f"{controller.label}: slurmctld does not answer")

    def into_state(self, label, state):
        """Drains what the state wants."""
        bounds = all_cases.DRAINED[state]
        wanted = self.cluster.in_each_rack(*bounds) if bounds else None
        if wanted != self.drained[label]:
            controller = self.controllers[label]
            self._needed(controller.ask("drain", nodes=wanted, before=self.drained[label]), controller)
            self.drained[label] = wanted

    def ask(self, label, *request, **fields):
        """An answer; None, and a fresh slurmctld, when it took too long."""
        controller = self.controllers[label]
        answer = controller.ask(*request, limit=self.options.limit, **fields)
        if answer is None:
            say(f"{label} took longer than {self.options.limit} s")
            self._needed(controller.ask("restart", nodes=self.cluster.nodes), controller)
            self.drained[label] = None
            return None
        return answer["value"]


def _measure(pair, case, options):
    """All runs of a case, the plugins in turn, each first in every second run."""
    measured = Measured(case.group, case.title)
    waiting = set(pair.controllers)
    for run in range(options.repeat):
        for label in ((STOCK, OURS), (OURS, STOCK))[run % 2]:
            if label not in waiting:
                continue
            pair.into_state(label, case.state)
            answer = pair.ask(label, "cycle", options=list(case.options))
            if answer is None:
                measured.sides[label].too_slow = options.limit
                waiting.remove(label)
                continue
            measured.sides[label].runs.append(answer)
            if answer["cycle_us"] > options.slow * 1e6:
                waiting.remove(label)
    return measured


def _measure_queue(pair, options):
    queue = Queue()
    jobs = all_cases.queue(pair.cluster.nodes)
    for run in range(min(3, options.repeat)):
        for label in ((STOCK, OURS), (OURS, STOCK))[run % 2]:
            if label in queue.too_slow or label not in pair.controllers:
                continue
            pair.into_state(label, all_cases.FRAGMENTED)
            answer = pair.ask(label, "queue", jobs=jobs)
            if answer is None:
                queue.too_slow[label] = options.limit
            else:
                queue.runs[label].append(answer)
    return queue


def _compare(options, release, build, racks):
    """All cases of one size of cluster: the measured cases and the queue, or None for it."""
    measured, queue = [], None
    for kind in FOLDERS:
        cluster = Cluster(racks, kind)
        chosen = [case for case in all_cases.all_cases(cluster.nodes)
                  if case.kind == kind and options.cases in f"{case.group} {case.title}"]
        if not chosen:
            continue
        with Pair(options, release, build, cluster, NO_BACKFILL) as pair:
            for case in chosen:
                measured.append(_measure(pair, case, options))
                _write(options, release, racks, measured, None)  # an interrupted run has not been in vain
                say(f"{racks} racks, {case.group}: {case.title}: {report.brief(measured[-1])}")
    if options.cases in "queue":
        with Pair(options, release, build, Cluster(racks), QUEUE_BACKFILL) as pair:
            queue = _measure_queue(pair, options)
    return measured, queue


def _write(options, release, racks, measured, queue):
    path = options.output or RESULTS / f"{release.version}-{racks}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"slurm": release.version, "racks": racks, "repeat": options.repeat,
                                "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
                                "cases": [case.as_json() for case in measured],
                                "queue": queue.as_json() if queue else None}, indent=1), "utf-8")
    return path


def _alone(options):
    """What compares ours with itself, if that is asked for."""
    if options.explain or options.shadow:
        return (explain if options.explain else shadow).compare
    if options.cliques or options.policies:
        return partial(variants.compare, variants.CLIQUES if options.cliques else variants.POLICIES)
    return None


def _run(options):
    release = slurm_release.find(options.slurm_prefix, options.slurm_source)
    build = plugin_build.ensure(release, options.no_build, plugin_build.TIMER_TARGETS)
    wrong = []
    alone = _alone(options)
    if alone:
        for racks in options.racks:
            print(alone(options, release, build, RESULTS, racks), flush=True)
        return 0
    for racks in options.racks:
        measured, queue = _compare(options, release, build, racks)
        path = _write(options, release, racks, measured, queue)
        print(f"## Slurm {release.version}, {racks} racks ({racks * 18} nodes)\n")
        if measured:
            print(report.table(measured))
        if queue:
            print(report.queue_table(queue))
        print(f"{report.legend()} All of it: {path}\n", flush=True)
        wrong += report.faults(measured)
    for fault in wrong:
        print(f"WRONG {fault}")
    return 1 if wrong else 0


def main():
    """Entry of tests/bench/run."""
    try:
        return _run(_parse())
    except LabError as error:
        say(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
