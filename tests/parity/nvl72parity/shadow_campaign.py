# SPDX-License-Identifier: GPL-2.0-or-later
"""nvl72block in shadow mode beside topology/block: whatever is asked, both show the same, without exception."""

import difflib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

from . import seen
from .campaign import SCENE
from .requests import RESERVATION, request
from .scenes import scene
from .tally import Tally
from .trio import BLOCK, OURS, Runner, Trio

PAIR = (OURS, BLOCK)
NEEDED = ("started", "forecasts", "decisions recorded")
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


def _errors(answer):
    """Without those of a start without a past, whose paths differ."""
    return [line for line in answer.errors if "state file" not in line and "backup state save file" not in line]


def differences(ours, block):
    """What is not the same, each as one text."""
    found = [f"{name}: {getattr(ours, name)} and {getattr(block, name)}" for name in ("kind", "parts", "forecast")
             if getattr(ours, name) != getattr(block, name)]
    found += [f"records: {line}" for line in _changed_lines(ours.message, block.message)]
    if _errors(ours) != _errors(block):
        found.append(f"errors: {ours.errors} and {block.errors}")
    if _timeless(ours.forecast_parts) != _timeless(block.forecast_parts) or not _same_times(ours.forecast_parts, block.forecast_parts):
        found.append(f"forecast: {ours.forecast_parts} and {block.forecast_parts}")
    return tuple(found)


def decisions(text):
    """Of a file of records: the lines of decisions, and of those that ours would hold although topology/block started them."""
    lines = [line for line in text.splitlines() if line.split("\t")[1:2] == ["decision"]]
    return lines, [line for line in lines if "\tnvl72block=" not in line and "\twaits=" not in line]


def faults(text):
    """The faults of the plugin's half that are recorded."""
    return [line for line in text.splitlines() if line.split("\t")[1:2] in (["fault"], ["off"])]


class ShadowRun:
    """One part of a run: scenes on one pair, and what is counted of them."""

    def __init__(self, pair, seed, tell):
        self.pair, self.seed, self.tell, self.tally = pair, seed, tell, Tally()

    def _lay(self, wanted):
        release = self.pair.tell("open", wanted.grounds)[OURS]
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
        release = self._lay(wanted_scene)
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
        self._count_records()

    def _ask(self, wanted):
        answers = self.pair.tell("reserve" if wanted.command == RESERVATION else "whole", wanted.options())
        return differences(answers[OURS], answers[BLOCK]), answers

    def _count(self, wanted, answers):
        counts = self.tally.counts
        counts["requests"] += 1
        counts["reservations"] += wanted.command == RESERVATION
        counts["forecasts"] += bool(answers[OURS].forecast_parts)
        counts[answers[OURS].kind] += 1

    def _count_records(self):
        text = self.pair.runners[OURS].tell("shadow_records")
        recorded, held = decisions(text)
        wrong = faults(text)
        self.tally.counts["decisions recorded"] += len(recorded)
        self.tally.counts["of these held by nvl72block"] += len(held)
        self.tally.counts["faults recorded"] += len(wrong)
        for line in (*held, *wrong):
            self.tell(line)
