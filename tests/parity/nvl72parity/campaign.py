# SPDX-License-Identifier: GPL-2.0-or-later
"""Puts scenes and their requests to the three plugins and counts what comes out."""

from dataclasses import replace

from nvl72lab import hostlist
from nvl72lab.places import LabError

from . import seen, shrinker
from .block_rules import Rules, Wish
from .failure import Failure, kinds, told
from .judge import Judge
from .requests import JOB, RESERVATION, request
from .scenes import named_nodes, scene
from .surroundings import surround, widen
from .tally import Tally
from .trio import FLAT, OURS, PLUGINS

SCENE = 50  # requests; a start of three slurmctld's and the jobs that run there cost as much as several
NEEDED = (f"{OURS} {seen.STARTED}", "forecasts")


def _cpus(jobs):
    """The CPUs that jobs have, by node, as the places of their records tell."""
    return {node: seen.cpu_ids(ids) for places in jobs for names, ids, _ in places for node in hostlist.expand(names)}


class Table:
    """A trio with one scene laid out on it."""

    def __init__(self, trio):
        self.trio, self.scene, self.release, self.taken = trio, None, None, {}

    def lay(self, wanted):
        """The scene as it is then.

        Starts three slurmctld's with the scene; busy jobs that are not the same in all three are taken
        away.
        """
        self.release = self.trio.tell("open", wanted.grounds)[OURS]
        if wanted.standing:
            self.trio.tell("standing", wanted.standing)
        kept = self._occupy(wanted.busy)
        self.scene = self._alter(replace(wanted, busy=kept))
        if wanted.drained:
            self.trio.tell("drain", wanted.drained)
        return self.scene

    def _alter(self, laid):
        """Suspends and shrinks those jobs that there are; what they have then counts."""
        first = {named_nodes(options)[0] for options in laid.busy}
        laid = replace(laid, suspended=tuple(node for node in laid.suspended if node in first),
                       shrunk=tuple(node for node in laid.shrunk if node in first))
        if laid.suspended or laid.shrunk:
            places = self.trio.tell("alter", laid.suspended, laid.shrunk)
            if any(places[plugin] != places[OURS] for plugin in PLUGINS):
                raise LabError("jobs that were suspended or shrunk do not have the same with each plugin")
            self.taken = _cpus(places[OURS])
        return laid

    def _occupy(self, busy):
        placed = self.trio.tell("place", busy) if busy else {plugin: [] for plugin in PLUGINS}
        by_node = [{part.nodes: (number, part.places) for number, part in placed[plugin]} for plugin in PLUGINS]
        same = {nodes for nodes in by_node[0] if all(nodes in jobs and jobs[nodes][1] == by_node[0][nodes][1] for jobs in by_node)}
        for plugin, jobs in zip(PLUGINS, by_node):
            self.trio.runners[plugin].tell("cancel", [number for nodes, (number, _) in jobs.items() if nodes not in same])
        self.taken = _cpus(places for nodes, (_, places) in by_node[0].items() if nodes in same)
        return tuple(options for options in busy if tuple(named_nodes(options)) in same)

    def ask(self, wanted):
        """Each plugin's answer to a request."""
        if wanted.command == RESERVATION:
            return self.trio.tell("reserve", wanted.options())
        return self.trio.tell("attempt", wanted.submitted(), wanted.updates())

    def verdict(self, wanted, answers):
        """The judge's, which puts further questions to this table."""
        return Judge(self.scene, self, self.taken, self.release).judge(wanted, answers)

    def again(self, wanted, plugin=OURS):
        """A plugin's answer to a request that is a changed one."""
        return self.trio.runners[plugin].tell("attempt", wanted.submitted(), wanted.updates())

    def without_jobs(self, wanted, nodes):
        """Ours' answer to a request while the jobs on these nodes are gone."""
        return self.trio.runners[OURS].tell("attempt_without", nodes, wanted.submitted(), wanted.updates())

    def forecast_place(self, wanted, starts=False):
        """Nodes in service that flat forecasts for the job, now or later, and that keep the rules of blocks; None if none.

        With `starts` those of a forecast of now only if flat starts the job there.
        """
        if len(wanted.components) > 1:
            return None
        # A job with --exclusive=topo gets no base block with nodes of a reservation, and flat knows no base blocks.
        wish, rules = Wish.of(wanted.components[0]), Rules(self.scene.grounds, self.scene.reserved_nodes())
        for options in self._confined(wanted, self._counts(wanted), rules, wish):
            told = self.trio.runners[FLAT].tell("forecast", options.options())
            if not told.forecast_parts or any(rules.faults(part.nodes, wish) or rules.crowds(part.nodes, wish) for part in told.forecast_parts):
                continue
            if not starts or told.forecast != seen.STARTED or self.again(options, FLAT).started:
                return f"{hostlist.compress(told.forecast_parts[0].nodes)} by {options}"
        return None

    def _counts(self, wanted):
        """Node counts that -N allows; all without it."""
        least, most = wanted.nodes
        return range(max(1, least), (most or len(self.scene.grounds.nodes())) + 1)

    def legal_place(self, wanted, answers, proves):
        """Nodes where flat would start the job, so that it `proves` something, and that keep the rules of blocks; None if there are none."""
        if wanted.command != JOB or len(wanted.components) > 1:
            return None
        wish, rules = Wish.of(wanted.components[0]), Rules(self.scene.grounds, self.scene.taken_nodes())
        counts = sorted({len(answer.nodes) for answer in answers.values() if answer.started})
        for options in self._confined(wanted, counts, rules, wish):
            told = self.trio.runners[FLAT].tell("forecast", options.options())
            if told.forecast != seen.STARTED:
                continue
            found = self.again(options, FLAT)  # a forecast can be wrong
            if found.started and proves(wanted, found) and not any(rules.faults(part.nodes, wish) for part in found.parts):
                return f"{hostlist.compress(found.nodes)} by {options}"
        return None

    def _confined(self, wanted, counts, rules, wish):
        """The request, confined to one place after the other; with segments those of these node counts."""
        everywhere = set(self.scene.grounds.nodes())
        excluded = set(hostlist.expand(wanted.value("-x", "--exclude") or ""))
        if not wish.segment:
            for scope in rules.scopes():
                outside = (everywhere - scope) | excluded
                yield wanted.with_option("-x", hostlist.compress(sorted(outside))) if outside else wanted
            return
        free = lambda node: (node in self.scene.drained, node in self.scene.busy_nodes())  # noqa: E731
        ranked = [sorted((node for node in rack if node not in excluded), key=free) for rack in rules.racks]
        for count in counts:
            for nodes in rules.vectors(count, wish)(ranked):
                yield wanted.with_option("-x", hostlist.compress(sorted(everywhere - set(nodes))))

    def repeat(self, wanted):
        """Asks once more and judges; returns faults and answers."""
        answers = self.ask(wanted)
        return self.verdict(wanted, answers), answers


class Run:
    """One part of a run: scenes on one table, and what is counted of them."""

    def __init__(self, trio, seed, tell, shrink_seconds=0, tell_exempt=False, folder=None, surroundings=False):
        self.table, self.seed, self.tell, self.shrink_seconds = Table(trio), seed, tell, shrink_seconds
        self.tell_exempt, self.folder, self.surroundings = tell_exempt, folder, surroundings
        self.tally = Tally()

    def scene(self, index, numbers=None):
        """The requests of one scene; a fault counts when it shows a second time."""
        laid = scene(self.seed, index)
        laid = self.table.lay(surround(self.seed, laid) if self.surroundings else laid)
        self.tally.counts["clusters"] += 1
        failures = []
        for number in numbers or range(SCENE):
            wanted = request(self.seed, laid, number, self.table.release)
            wanted = widen(self.seed, laid, number, wanted) if self.surroundings else wanted
            verdict, answers = self.table.repeat(wanted)
            if verdict.faults and answers[OURS].kind != seen.CRASHED:
                verdict, answers = self.table.repeat(wanted)
                self.tally.counts["not repeated"] += not verdict.faults
            self._count(wanted, verdict, answers)
            if verdict.faults:
                failures.append(Failure(self.seed, laid, number, wanted, verdict.faults, answers))
            if verdict.exemptions and self.tell_exempt:
                self.tell(f"exempt: {Failure(self.seed, laid, number, wanted, verdict.faults, answers, verdict.exemptions)}")
            if any(answer.kind == seen.CRASHED for answer in answers.values()):
                self.table.lay(laid)
        for failure in failures:
            self._report(failure)

    def _count(self, wanted, verdict, answers):
        counts = self.tally.counts
        counts["requests"] += 1
        counts["reservations"] += wanted.command == RESERVATION
        counts["forecasts"] += bool(answers[OURS].forecast_parts)
        counts["preempting"] += bool(answers[OURS].preempted)
        counts["changed while held"] += bool(wanted.updates())
        counts["on nodes in no block"] += any(node.startswith("out") for node in answers[OURS].nodes)
        for plugin in PLUGINS:
            counts[f"{plugin} {answers[plugin].kind}"] += 1
        self.tally.exemptions += verdict.exemptions

    def _report(self, failure):
        known = {kind for other in self.tally.failures for kind in other.kinds()}
        self.tally.failures.append(failure)
        if self.shrink_seconds and not failure.kinds() <= known:
            small = self.reduced(failure)
            self.tally.reduced.append(small)
            self.tell(told(failure, small, self.folder))
        else:
            self.tell(f"{failure}")

    def reduced(self, failure):
        """The same fault with a smaller request on a simpler cluster."""
        found = {}
        def fails(laid, wanted):
            if self.table.scene != laid and self.table.lay(laid) != laid:
                return False
            verdict, answers = self.table.repeat(wanted)
            if any(answer.kind == seen.CRASHED for answer in answers.values()):
                self.table.scene = None
            same = bool(kinds(verdict.faults) & failure.kinds())
            if same:
                found[laid, wanted] = replace(failure, scene=laid, request=wanted, faults=verdict.faults, answers=answers)
            return same
        pair = shrinker.shrink(failure.scene, failure.request, fails, self.shrink_seconds)
        return found.get(pair, failure)
