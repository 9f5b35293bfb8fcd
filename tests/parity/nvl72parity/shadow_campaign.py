# SPDX-License-Identifier: GPL-2.0-or-later
"""nvl72block in shadow mode beside topology/block: whatever is asked, both show the same, without exception."""

import difflib
import json
import re
import subprocess
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

from nvl72lab import daemons, hostlist, plugin_build
from nvl72lab.places import LabError, say

from . import seen
from .campaign import SCENE
from .requests import RESERVATION, request
from .scenes import scene
from .tally import Tally
from .trio import BLOCK, OURS, Runner, Trio

PAIR = (OURS, BLOCK)
SORTS_NODES = (25, 5)  # by name, since then
LETS_SLURM_CHOOSE = (26, 5)  # the node of a job of one node, since then
NEEDED = ("started", "forecasts", "starts in the log")
LAST = ("-N1", "-n1")
# From 26.05 on, backfill tells its starts with that flag only, at that level.
TELL_STARTS = (("SlurmctldDebug", "verbose"), ("DebugFlags", "HetJob"))
WRITE_SECONDS = 20  # a thread of its own writes the records
SAME_MOMENT = timedelta(seconds=60)  # two slurmctld's are not asked at the same one


class Pair(Trio):
    """topology/nvl72block with Nvl72Shadow=on, and topology/block; a context manager."""

    def __init__(self, release, _plant=None):  # pylint: disable=super-init-not-called
        self.runners = {OURS: Runner(OURS, release, "Nvl72Shadow=on"), BLOCK: Runner(BLOCK, release)}
        self.pool = ThreadPoolExecutor(len(PAIR))

    def tell(self, action, *arguments, plugins=PAIR):
        """Both answers."""
        return super().tell(action, *arguments, plugins=plugins)


def _same_times(ours, block):
    """Whether the forecasts name the same moments but for that between two questions."""
    def moment(part):
        return datetime.fromisoformat(part.reason)
    return len(ours) == len(block) and all(abs(moment(one) - moment(other)) < SAME_MOMENT for one, other in zip(ours, block))


def _timeless(parts):
    return tuple(replace(part, reason="") for part in parts)


def _changed_lines(ours, block):
    """Lines that only one of two texts has."""
    return [line for line in difflib.ndiff(block.splitlines(), ours.splitlines()) if line[:2] in ("- ", "+ ")]


def _planned_or_not(ours, block):
    """Without the nodes that backfill has planned for the job, where only one of two slurmctld's has had a cycle."""
    if ("SchedNodeList=" in ours) == ("SchedNodeList=" in block):
        return ours, block
    return tuple(re.sub(r" ?SchedNodeList=\S+", "", text) for text in (ours, block))


def _errors(answer):
    """Each once, as a slow slurmctld looks at a job more often; without those of a start without a past, whose paths differ."""
    return {re.sub(r"\bjob \d+", "job", line) for line in answer.errors if "state file" not in line and "backup state save file" not in line}


def differences(ours, block):
    """What is not the same, each as one text."""
    found = [f"{name}: {getattr(ours, name)} and {getattr(block, name)}" for name in ("kind", "parts", "forecast")
             if getattr(ours, name) != getattr(block, name)]
    found += [f"records: {line}" for line in _changed_lines(*_planned_or_not(ours.message, block.message))]
    if _errors(ours) != _errors(block):
        found.append(f"errors: {ours.errors} and {block.errors}")
    if _timeless(ours.forecast_parts) != _timeless(block.forecast_parts) or not _same_times(ours.forecast_parts, block.forecast_parts):
        found.append(f"forecast: {ours.forecast_parts} and {block.forecast_parts}")
    return tuple(found)


def rows(text, kind):
    """The records of a kind in a file of records, each as a dictionary."""
    lines = (line.split("\t") for line in text.splitlines())
    return [dict(field.split("=", 1) for field in fields[2:]) for fields in lines if fields[1:2] == [kind]]


def recorded_starts(decisions, nodes):
    """How often each (job or array, nodes) was recorded as started; `nodes` are all names in the order of slurm.conf."""
    return Counter((int(row.get("array") or row["job"]), tuple(nodes[int(index)] for index in hostlist.expand(f"[{row['block']}]")))
                   for row in decisions if "block" in row)


def unlike(row):
    """Whether topology/block gave the job other CPUs or GPUs than it had asked for."""
    has = {name: int(row.get(name, 0)) for name in ("cpus.block", "min.cpus", "gpus.block", "gpus", "exclusive")}
    too_many = has["gpus"] and has["gpus.block"] > has["gpus"] and not has["exclusive"]
    return bool(0 < has["cpus.block"] < has["min.cpus"] or has["gpus.block"] < has["gpus"] and has["cpus.block"] or too_many)


def report(text):
    """What `nvl72block shadow --json` makes of a file of records."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        told = subprocess.run([plugin_build.command(), "shadow", "--file", file.name, "--json"], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


def miscounted(figures, decisions, starts):
    """What of the report is not what the log, which has the starts as Counter, and the records say."""
    started = [row for row in decisions if "block" in row]
    wanted = {"decisions": len(decisions), "started": sum(starts.values()),
              "same_nodes": sum("waits" not in row and row.get("nvl72block") == row["block"] for row in started),
              "held_by_block": len(decisions) - len(started),
              "nvl72block_waits_for_switches": sum("waits" in row for row in started),
              "held_by_nvl72block": sum("nvl72block" not in row and not unlike(row) for row in started),
              "started_unlike_the_request": sum("nvl72block" not in row and unlike(row) for row in started), "damaged": 0}
    return [f"report: {name} is {figures[name]}, not {count}" for name, count in wanted.items() if figures[name] != count]


class ShadowRun:
    """One part of a run: scenes on one pair, and what is counted of them."""

    def __init__(self, pair, seed, tell):
        self.pair, self.seed, self.tell, self.tally = pair, seed, tell, Tally()
        self.release = ()

    def _lay(self, wanted):
        release = self.pair.tell("open", replace(wanted.grounds, settings=(*wanted.grounds.settings, *TELL_STARTS)))[OURS]
        if wanted.standing:
            self.pair.tell("standing", wanted.standing)
        placed = self.pair.tell("place", wanted.busy) if wanted.busy else {}
        if placed and [part for _, part in placed[OURS]] != [part for _, part in placed[BLOCK]]:
            self.tally.failures.append(f"seed {self.seed}, scene {wanted.index}: busy jobs differ: {placed}")
            self.tell(self.tally.failures[-1])
        if wanted.drained:
            self.pair.tell("drain", wanted.drained)
        return release

    def scene(self, index, numbers=None):
        """The requests of one scene; a difference counts when it shows a second time."""
        wanted_scene = scene(self.seed, index)
        release = self.release = self._lay(wanted_scene)
        self.tally.counts["clusters"] += 1
        for number in numbers or range(SCENE):
            wanted = request(self.seed, wanted_scene, number, release)
            found, answers = self._ask(wanted)
            if found and answers[OURS].kind != seen.CRASHED:
                first = found
                found, answers = self._ask(wanted)
                self.tally.counts["not repeated"] += not found
                if not found:
                    self.tell(f"not repeated: {wanted}: {first}")
            self._count(wanted, answers)
            if found:
                self.tally.failures.append("\n  ".join((f"seed {self.seed}, scene {index}, request {number}: {wanted}", *found)))
                self.tell(self.tally.failures[-1])
            if any(answer.kind == seen.CRASHED for answer in answers.values()):
                self.tell(f"seed {self.seed}, scene {index}, request {number}: {wanted}: {answers}")
                self._lay(wanted_scene)
        for wrong in self._count_records(wanted_scene.grounds):
            self.tally.failures.append(f"seed {self.seed}, scene {index}: {wrong}")
            self.tell(self.tally.failures[-1])

    def _ask(self, wanted):
        answers = self.pair.tell("reserve" if wanted.command == RESERVATION else "whole", wanted.options())
        return differences(answers[OURS], answers[BLOCK]), answers

    def _count(self, wanted, answers):
        counts = self.tally.counts
        counts["requests"] += 1
        counts["reservations"] += wanted.command == RESERVATION
        counts["forecasts"] += bool(answers[OURS].forecast_parts)
        counts[answers[OURS].kind] += 1

    def _is_compared(self, start):
        """Whether topology/block was asked for its nodes."""
        return len(start[1]) > 1 or self.release < LETS_SLURM_CHOOSE

    def _count_records(self, grounds):
        """What is wrong with the records beside the log. The last decision stays open where no other one follows."""
        ours = self.pair.runners[OURS]
        nodes = [name for names in re.findall(r"NodeName=(\S+)", grounds.node_lines()) for name in hostlist.expand(names)]
        nodes = sorted(nodes) if self.release >= SORTS_NODES else nodes
        def look():
            ours.tell("attempt", LAST)  # which settles those before it
            *logged, last = ours.tell("logged_starts") or [None]
            text = ours.tell("shadow_records")
            return Counter(logged), last, text, recorded_starts(rows(text, "decision"), nodes)
        def recorded_all():
            found = look()
            return found if not [start for start in found[0] - found[3] if self._is_compared(start)] else None
        try:
            starts, last, text, recorded = daemons.wait_until(recorded_all, WRITE_SECONDS, "all starts were written")
        except LabError:
            starts, last, text, recorded = look()
        decisions, figures, counts = rows(text, "decision"), report(text), self.tally.counts
        starts[last] += recorded[last] > starts[last]
        missing = starts - recorded
        single = Counter({start: count for start, count in missing.items() if not self._is_compared(start)})
        counts["starts on one node, not compared"] += sum(single.values())
        starts, missing = starts - single, missing - single
        if any("OverSubscribe" in line and "EXCLUSIVE" not in line for line in grounds.partitions):
            counts["starts not recorded, as cores may be shared"] += sum(missing.values())
            starts, missing = starts & recorded, Counter()
        wrong = [f"{title}: {', '.join(map(str, found))}" for title, found in
                 (("not recorded", missing), ("not in the log", recorded - starts),
                  ("miscounted", miscounted(figures, decisions, starts)), ("faults", figures["faults"]),
                  ("held by nvl72block alone", figures["held_by_nvl72block_in_full"])) if found]
        counts["starts in the log"] += sum(starts.values())
        counts["of these recorded"] += sum((starts & recorded).values())
        for name in ("decisions", "same_nodes", "held_by_block", "held_by_nvl72block", "started_unlike_the_request"):
            counts[f"report: {name}"] += figures[name]
        for row in decisions:
            if "block" in row and "nvl72block" not in row and unlike(row):
                say(f"started unlike the request: {row}")
        return wrong
