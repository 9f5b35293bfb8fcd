# SPDX-License-Identifier: GPL-2.0-or-later
"""Puts scenes and their requests to the three plugins and counts what comes out."""

from collections import Counter
from dataclasses import dataclass, field, replace

from .. import hostlist
from . import seen
from .block_rules import Rules, Wish
from .judge import Judge
from .requests import JOB, RESERVATION, request
from .scenes import scene
from .trio import FLAT, OURS, PLUGINS

REQUESTS_A_SCENE = 25  # a start of three slurmctld's costs as much as several requests


@dataclass
class Failure:
    """One request that ours does not do as it should."""

    seed: str
    scene: object
    number: int
    request: object
    faults: list
    answers: dict

    def __str__(self):
        lines = [f"scene {self.scene.index}, request {self.number} of seed {self.seed}: {self.request}",
                 *(f"  FAULT {fault}" for fault in self.faults),
                 *(f"  {plugin:10} {self.answers[plugin]}" for plugin in PLUGINS)]
        return "\n".join(lines)


@dataclass
class Tally:
    """The figures of a run."""

    counts: Counter = field(default_factory=Counter)
    exemptions: Counter = field(default_factory=Counter)
    failures: list = field(default_factory=list)

    def add(self, other):
        """Joins another part's."""
        self.counts += other.counts
        self.exemptions += other.exemptions
        self.failures += other.failures

    def __str__(self):
        def listed(counter):
            return ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))
        return (f"{listed(self.counts)}, failures {len(self.failures)}\n"
                f"exemptions: {listed(self.exemptions) or 'none'}")


class Table:
    """A trio with one scene laid out on it."""

    def __init__(self, trio):
        self.trio, self.scene, self.release = trio, None, None

    def lay(self, wanted):
        """Starts three slurmctld's with the scene; busy jobs that are not the same in all three are taken away. Returns
        the scene as it is."""
        self.release = self.trio.tell("open", wanted.grounds)[OURS]
        if wanted.standing:
            self.trio.tell("standing", wanted.standing)
        kept = self._occupy(wanted.busy)
        if wanted.drained:
            self.trio.tell("update", f"nodename={hostlist.compress(wanted.drained)}", "state=drain", "reason=test")
        self.scene = replace(wanted, busy=kept)
        return self.scene

    def _occupy(self, busy):
        placed = self.trio.tell("place", busy) if busy else {plugin: [] for plugin in PLUGINS}
        by_node = [{part.nodes: (number, part.places) for number, part in placed[plugin]} for plugin in PLUGINS]
        same = {nodes for nodes in by_node[0] if all(nodes in jobs and jobs[nodes][1] == by_node[0][nodes][1] for jobs in by_node)}
        for plugin, jobs in zip(PLUGINS, by_node):
            self.trio.runners[plugin].tell("cancel", [number for nodes, (number, _) in jobs.items() if nodes not in same])
        names = {nodes[0] for nodes in same}
        return tuple(options for options in busy if options[options.index("-w") + 1] in names)

    def ask(self, wanted):
        """Each plugin's answer to a request."""
        return self.trio.tell("reserve" if wanted.command == RESERVATION else "attempt", wanted.options())

    def verdict(self, wanted, answers):
        """The judge's, with places within the rules looked for on the slurmctld of flat."""
        return Judge(self.scene, self.legal_place).judge(wanted, answers)

    def legal_place(self, wanted, answers):
        """Nodes where flat would start the job and that keep the rules of blocks; None if there are none."""
        if wanted.command != JOB or len(wanted.components) > 1:
            return None
        wish, rules = Wish.of(wanted.components[0]), Rules(self.scene.grounds)
        for options in self._confined(wanted, answers, rules, wish):
            told = self.trio.runners[FLAT].tell("forecast", options.options())
            if told.forecast != seen.STARTED:
                continue
            found = self.trio.runners[FLAT].tell("attempt", options.options())  # a forecast can be wrong
            if found.started and not any(rules.faults(part.nodes, wish) for part in found.parts):
                return f"{hostlist.compress(found.nodes)} by {options}"
        return None

    def _confined(self, wanted, answers, rules, wish):
        """The request, confined to one place after the other."""
        everywhere = set(self.scene.grounds.nodes())
        excluded = set(hostlist.expand(wanted.value("-x", "--exclude") or ""))
        if not wish.segment:
            for scope in rules.scopes():
                outside = (everywhere - scope) | excluded
                yield wanted.with_option("-x", hostlist.compress(sorted(outside))) if outside else wanted
            return
        free = lambda node: (node in self.scene.drained, node in self._busy_nodes())  # noqa: E731
        ranked = [sorted((node for node in rack if node not in excluded), key=free) for rack in rules.racks]
        for count in sorted({len(answer.nodes) for answer in answers.values() if answer.started}):
            for nodes in rules.vectors(count, wish)(ranked):
                yield wanted.with_option("-x", hostlist.compress(sorted(everywhere - set(nodes))))

    def _busy_nodes(self):
        return {options[options.index("-w") + 1] for options in self.scene.busy}

    def repeat(self, wanted):
        """Asks once more and judges; returns faults and answers."""
        answers = self.ask(wanted)
        return self.verdict(wanted, answers), answers


def run_scene(table, seed, index, tally, numbers=None, tell=None):
    """The requests of one scene; failures are asked a second time before they count."""
    laid = table.lay(scene(seed, index))
    tally.counts["clusters"] += 1
    for number in numbers or range(REQUESTS_A_SCENE):
        wanted = request(seed, laid, number, table.release)
        verdict, answers = table.repeat(wanted)
        if verdict.faults and answers[OURS].kind != seen.CRASHED:
            verdict, answers = table.repeat(wanted)
            tally.counts["not repeated"] += not verdict.faults
        _count(tally, wanted, verdict, answers)
        if verdict.faults:
            tally.failures.append(Failure(seed, laid, number, wanted, verdict.faults, answers))
            if tell:
                tell(f"{tally.failures[-1]}")
        if any(answer.kind == seen.CRASHED for answer in answers.values()):
            tell(f"slurmctld ended: {[plugin for plugin in PLUGINS if answers[plugin].kind == seen.CRASHED]}, scene {index}, request {number}")
            table.lay(laid)


def _count(tally, wanted, verdict, answers):
    tally.counts["requests"] += 1
    tally.counts["reservations"] += wanted.command == RESERVATION
    for plugin in PLUGINS:
        tally.counts[f"{plugin} {answers[plugin].kind}"] += 1
    tally.exemptions += verdict.exemptions
