# SPDX-License-Identifier: GPL-2.0-or-later
"""Puts random requests to nvl72block, topology/block and topology/flat, and tells what nvl72block does wrong.

    tests/parity/run --requests 2000 --seed 1
    tests/parity/run --surroundings --requests 2000 --seed 1
    tests/parity/run --whole-nodes --requests 600 --seed 1
    tests/parity/run --plant all
    tests/parity/run --shadow --requests 2000 --seed 1
    tests/parity/run --exports 50 --seed 1
"""

import argparse
import os
import sys
import time

from nvl72lab import plugin_build, slurm_release
from nvl72lab.places import PROJECT, LabError, say

from . import campaign, export_campaign, node_campaign, planted, shadow_campaign
from .crew import Crew

FINDINGS = PROJECT / "build/parity"
PLANT_REQUESTS = 150  # each fault is met several times


def _parse():
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default=os.environ.get("NVL72BLOCK_SEED", "1"))
    parser.add_argument("--requests", type=int, default=2000, metavar="N")
    parser.add_argument("--whole-nodes", action="store_true", help="forecasts of jobs that get whole nodes, judged by preferences, too")
    parser.add_argument("--surroundings", action="store_true", help="with preemption, later reservations, time limits, held jobs that change ...")
    parser.add_argument("--shadow", action="store_true", help="nvl72block in shadow mode beside topology/block: all must be equal")
    parser.add_argument("--exports", type=int, default=0, metavar="N", help="decisions of shadow mode, exported and repeated")
    parser.add_argument("--plant", choices=("all", *planted.FAULTS), help="spoil nvl72block's answers: the fault has to be found")
    parser.add_argument("--trios", type=int, default=3, metavar="N", help="three slurmctld's each, at once")
    parser.add_argument("--scene", type=int, metavar="N", help="this one alone")
    parser.add_argument("--request", type=int, metavar="N", help="of the scene, this one alone")
    parser.add_argument("--shrink", type=int, default=120, metavar="SECONDS", help="to reduce the first failure of a kind")
    parser.add_argument("--exempt", action="store_true", help="tell the requests too in which a difference is right")
    parser.add_argument("--slurm-prefix", metavar="DIR", help="an installed Slurm instead of the private root's")
    parser.add_argument("--slurm-source", metavar="DIR", help="the source tree of that Slurm")
    return parser.parse_args()


def _tell(text):
    print(text, flush=True)


def _runs(options):
    """What makes runs, the requests per scene, and the counts that a run must have."""
    if options.whole_nodes:
        return (lambda trio, tell: node_campaign.NodeRun(trio, options.seed, tell)), node_campaign.SCENE, node_campaign.NEEDED
    if options.exports:
        return (lambda pair, tell: export_campaign.ExportRun(pair, options.seed, tell)), export_campaign.SCENE, export_campaign.NEEDED
    if options.shadow:
        return (lambda pair, tell: shadow_campaign.ShadowRun(pair, options.seed, tell)), campaign.SCENE, shadow_campaign.NEEDED
    more = {"shrink_seconds": options.shrink, "tell_exempt": options.exempt, "folder": FINDINGS,
            "surroundings": options.surroundings}
    return (lambda trio, tell: campaign.Run(trio, options.seed, tell, **more)), campaign.SCENE, campaign.NEEDED


def _compare(options, release):
    make_run, size, needed = _runs(options)
    scenes = [options.scene] if options.scene is not None else range(-(-(options.exports or options.requests) // size))
    started = time.monotonic()
    crew = Crew(release, make_run, _tell, options.trios, cluster=shadow_campaign.Pair if options.shadow or options.exports else None)
    total = crew.run(scenes, None if options.request is None else [options.request])
    seconds = time.monotonic() - started
    asked = total.counts["requests"] or total.counts["scenarios"] or total.counts["repeated"]
    _tell(f"Slurm {release.version}, seed {options.seed}: {seconds:.0f} s, {asked * 60 / seconds:.0f} requests per minute\n{total}")
    return total.passed(needed if options.request is None else ())


def plant(release, fault, seed, tell, requests=PLANT_REQUESTS, shrink_seconds=60):
    """What is wrong with how a planted fault was found; "" if nothing."""
    def make_run(trio, told):
        return campaign.Run(trio, seed, told, shrink_seconds=shrink_seconds)
    total = Crew(release, make_run, lambda _: None, 1, fault).run(range(-(-requests // campaign.SCENE)))
    return planted.verdict(fault, total, tell)


def _plant_all(options, release):
    faults = planted.FAULTS if options.plant == "all" else [options.plant]
    wrong = [found for found in (plant(release, fault, options.seed, _tell) for fault in faults) if found]
    _tell("\n".join(wrong) or f"found and reduced: {', '.join(faults)}")
    return not wrong


def main():
    """Entry."""
    options = _parse()
    try:
        release = slurm_release.find(options.slurm_prefix, options.slurm_source)
        plugin_build.ensure(release)
        if options.shadow or options.exports:
            plugin_build.ensure_command()
    except LabError as error:
        say(error)
        return 1
    return 0 if (_plant_all if options.plant else _compare)(options, release) else 1


if __name__ == "__main__":
    sys.exit(main())
