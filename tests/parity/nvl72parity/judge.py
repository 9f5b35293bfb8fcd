# SPDX-License-Identifier: GPL-2.0-or-later
"""What is wrong with ours, given what three plugins made of the same request in equal states.

Nothing here asks a slurmctld: where the rules of blocks may excuse a difference, an oracle is asked for a place that they
allow; where Slurm's forecasts do, for what ours makes of another request.
"""

import re
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations

from nvl72lab import hostlist

from . import seen
from .block_rules import Rules, Wish, most_cpus
from .forecasts import Forecasts
from .requests import RESERVATION, Request, cpus_a_task, without
from .trio import BLOCK, FLAT, OURS

OLDEST = (24, 11)
SETS_ACTIONS = (26, 5)  # what Slurm does next after a search that failed; --spread-job's says nothing
SPREADS_IN_VAIN = "error: _eval_nodes_get_action: eval_action not set, using default"
SOCKETS_UNLIKE = "error: _set_sock_bits: Inconsistent requested/allocated socket count"
# The first job of a slurmctld; nodes of a cloud have no address until they are up.
FRESH = re.compile(r"Could not open job state file|Trying backup state save file|_xgetaddrinfo: getaddrinfo\(\) failed")


@dataclass
class Verdict:
    """Faults make a request a failure; exemptions are differences that are right, by what makes them right."""

    faults: list = field(default_factory=list)
    exemptions: Counter = field(default_factory=Counter)


def pattern(line):
    """An error line without what differs from job to job."""
    return re.sub(r"\d+", "#", re.sub(r"(r\d+n|out)\[?[\d,\-]+\]?", "NODE", line)).replace("nvl72block", "").replace("block", "")


def takes_gpus_of_others(answer):
    """Whether Slurm says in its log that it allocated more GPUs on a node than there are."""
    return any("overallocated resources" in line for line in answer.errors)


class Judge:
    """Compares on one scene."""

    def __init__(self, scene, oracle, taken=None, release=OLDEST):
        self.grounds, self.oracle, self.forecasts, self.release = scene.grounds, oracle, Forecasts(scene, oracle), release
        self.taken = taken or {}  # CPUs of the jobs that run, by node
        # --exclusive=topo: what is reserved may keep a rack from the job, and need not; nor do suspended jobs, with any plugin.
        self.running = scene.busy_nodes() - set(scene.suspended)
        self.rules, self.own_rules = (Rules(scene.grounds, nodes) for nodes in (scene.taken_nodes(), self.running))
        # Backfill alone starts heterogeneous jobs, and --exclusive=topo only in racks without drained nodes.
        self.component_rules = Rules(scene.grounds, scene.taken_nodes() | set(scene.drained))
        self.busy = scene.busy_nodes()
        self.out_of_service = set(scene.drained) | scene.reserved_nodes()
        self.cpus_a_gpu = int(dict(self.grounds.settings).get("DefCpuPerGPU", 0))

    def judge(self, request, answers):
        """Verdict on one request; answers are Seen, by plugin."""
        verdict = Verdict()
        if self._counts_excess_twice(request, answers):
            verdict.exemptions["others got nodes without threads; on those with threads Slurm counts tasks beyond --ntasks-per-socket twice"] += 1
            return verdict
        self._log(verdict, request, answers)
        if not request.has("--array"):  # of one task jobs may be ended while the next one waits
            self._preempts(verdict, answers)
        if answers[OURS].kind == seen.CRASHED:
            verdict.faults.append("slurmctld is gone")
            return verdict
        if request.command == RESERVATION:
            self._reservation(verdict, request, answers)
            return verdict
        # The plugins' states are equal no more once the first task of an array has its nodes.
        alike = {plugin: answer.first() for plugin, answer in answers.items()} if request.has("--array") else answers
        self._started(verdict, request, alike)
        self._kept(verdict, request, alike)
        if alike[OURS].started:
            self._rules(verdict, request, answers)
            self._amounts(verdict, request, alike)
            self._strays(verdict, answers[OURS])
        self.forecasts.judge(verdict, request, answers)
        return verdict

    def _log(self, verdict, request, answers):
        """Error lines that only ours writes. One Slurm 26.05 writes whenever its way of --spread-job finds too little."""
        known = {pattern(line) for plugin in (BLOCK, FLAT) for line in answers[plugin].errors}
        if self.release >= SETS_ACTIONS and request.has("--spread-job"):
            known.add(pattern(SPREADS_IN_VAIN))
        new = sorted({line for line in answers[OURS].errors if pattern(line) not in known and not FRESH.search(line)})
        if any(SOCKETS_UNLIKE in line for line in new) and self._has_gpus_of_its_sockets_alone(request, answers):
            verdict.exemptions["a line of the log of cores on fewer sockets than --sockets-per-node names, where others find no place"] += 1
            new = [line for line in new if SOCKETS_UNLIKE not in line]
        there = self._lines_of_its_nodes(request, answers) if new else set()
        for line in new:
            if pattern(line) in there:
                verdict.exemptions["a line of the log that another plugin writes, too, of the same request on the same nodes"] += 1
        verdict.faults += [f"slurmctld's log: {line}" for line in [line for line in new if pattern(line) not in there][:3]]

    def _lines_of_its_nodes(self, request, answers):
        """Patterns of the lines that flat or block writes where it starts the request on just these nodes, with no more than ours has.

        None where one of them starts it on nodes of the same sizes without such a line: ours could lay it out better.
        """
        ours = answers[OURS]
        alone = ours.started and len(ours.parts) == len(request.components) == 1
        if not alone or any(answers[plugin].started and self._sizes(request, answers[plugin]) == self._sizes(request, ours) for plugin in (BLOCK, FLAT)):
            return set()
        if not (self._has_total_gpus(request, ours) and self._has_gpus_of_tasks(request, ours)):
            return set()
        found = [self.oracle.again(confined, plugin) for confined in self._confined(request, ours.nodes) for plugin in (FLAT, BLOCK)]
        return {pattern(line) for answer in found for line in answer.errors
                if answer.started and set(answer.nodes) == set(ours.nodes) and answer.cpus <= ours.cpus and answer.gpus <= ours.gpus}

    def _confined(self, request, nodes):
        """The request where all other nodes are excluded, and with these required as well, which --gpus may be too few for.

        --spread-job spreads over all of them, so that it matters no more; flat of 24.11 can end with it.
        """
        elsewhere = sorted(set(self.grounds.nodes()) - set(nodes))
        free = request.without("-x", "--spread-job").with_option(*(("-x", hostlist.compress(elsewhere)) if elsewhere else ()))
        return free, free.without("-w").with_option("-w", hostlist.compress(nodes))

    def _has_gpus_of_its_sockets_alone(self, request, answers):
        """Only ours starts it, if it waits once other jobs are gone, and it then has GPUs for each socket of its allocation, which is what
        --gpus-per-socket means (sbatch's manual)."""
        ours = answers[OURS] if answers[OURS].kind != seen.WAITS else self.oracle.without_jobs(request, sorted(self.busy))
        return (ours.started and not any(answers[plugin].started for plugin in (BLOCK, FLAT)) and all(part.places for part in ours.parts) and
                request.has("--gpus-per-socket") and not self._lacks_gpus_of_sockets(request, ours))

    @staticmethod
    def _preempts(verdict, answers):
        """Ours ends jobs on nodes that the job does not get, and block does not."""
        def needless(answer):
            return sorted(set(answer.preempted) - set(answer.nodes))
        if needless(answers[OURS]) and not needless(answers[BLOCK]):
            verdict.faults.append(f"preempts jobs of others for nothing: {hostlist.compress(needless(answers[OURS]))}")

    def _counts_excess_twice(self, request, answers):
        """Slurm divides tasks with GRES over sockets (_build_tasks_per_node_sock()), and where a core's threads would hold more tasks
        than --ntasks-per-socket allows, it subtracts them twice and fails, with every plugin, on every node with threads.
        """
        others = [answers[plugin] for plugin in (BLOCK, FLAT) if answers[plugin].started]
        return (request.has("--ntasks-per-socket") and not answers[OURS].started and bool(others) and
                any("_build_tasks_per_node_sock: rem_tasks not zero" in line for line in answers[OURS].errors) and
                all(self.grounds.tray(node).threads == 1 for other in others for node in other.nodes))

    @staticmethod
    def _pairs(request, answer):
        """The options and the part of each job."""
        if len(request.components) == len(answer.parts):
            return list(zip(request.components, answer.parts))
        return [(request.components[0], part) for part in answer.parts]  # an array: each task is a job

    def legal(self, request, answer):
        """Whether an answer's nodes keep the rules, each component by itself."""
        rules = self.component_rules if len(request.components) > 1 else self.rules
        return not any(rules.faults(part.nodes, Wish.of(options)) for options, part in self._pairs(request, answer))

    def _started(self, verdict, request, answers):
        """Block or flat starts it and ours does not."""
        if answers[OURS].started:
            return
        by = [plugin for plugin in (BLOCK, FLAT) if answers[plugin].started]
        if not by:
            return
        fault = f"{' and '.join(by)} start{'s' if len(by) == 1 else ''} it, ours does not ({answers[OURS].kind})"
        by = [plugin for plugin in by if self._has_total_gpus(request, answers[plugin])]
        if not by:
            verdict.exemptions["started by others with fewer GPUs than --gpus or the sockets ask for"] += 1
            return
        if len(request.components) == 1:  # a plugin that starts something else proves nothing
            by = [plugin for plugin in by
                  if not self._unlike(request, answers[plugin]) and
                  not self._crowds_cores(request, answers[plugin], request.number("--ntasks-per-core"))]
            if not by:
                verdict.exemptions["started by others although --ntasks-per-node, -gpu or -core leave no place for all tasks"] += 1
                return
        by = [plugin for plugin in by if not self._has_idle_nodes(answers[plugin].parts)]
        if not by:
            verdict.exemptions["started by others on nodes of which the job has no CPU"] += 1
            return
        by = [plugin for plugin in by if self._has_named_nodes(request, answers[plugin])]
        if not by:
            verdict.exemptions["started by others without all the nodes that -w names"] += 1
            return
        by = [plugin for plugin in by if not takes_gpus_of_others(answers[plugin])]
        if not by:
            verdict.exemptions["started by others with GPUs that other jobs have"] += 1
            return
        by = [plugin for plugin in by if not self._counts_gpus_of_others(request, answers[plugin])]
        if not by:
            verdict.exemptions["started by others on one node, with fewer CPUs than DefCpuPerGPU gives its GPUs"] += 1
            return
        if by == [FLAT] and self._lacks_cpus_of_gpus(request, answers[FLAT]):
            verdict.exemptions["started by flat only, with fewer CPUs than --cpus-per-gpu gives its GPUs"] += 1
            return
        if answers[OURS].kind == seen.WAITS and self._waits_in_the_first(request, by):
            verdict.exemptions["started by others in the second of its partitions, as they refuse it in the first"] += 1
            return
        if by == [FLAT] and request.has("--spread-job") and not self.oracle.again(request.without("--spread-job"), FLAT).started:
            verdict.exemptions["started by flat only, and only as it spreads the job"] += 1
            return
        if by == [FLAT] and self._is_refused_there(request, answers[OURS], answers[FLAT]):
            verdict.exemptions["started by flat only, on nodes that Slurm does not offer at submission: alone flat refuses them"] += 1
            return
        if BLOCK not in by and self._starts_each_alone(request):
            verdict.exemptions["components started by flat only: placed one after the other, the first on other nodes than flat's"] += 1
            return
        # More nodes than -N allows show nothing of as many as it allows; the oracle knows.
        within = [plugin for plugin in by
                  if not self.exceeds(request, answers[plugin]) and not self._outgrows_tasks(request, plugin, answers)]
        if any(self.legal(request, answers[plugin]) for plugin in within):
            verdict.faults.append(fault)
            return
        place = self.oracle.legal_place(request, answers, self.proves)
        if place:
            verdict.faults.append(f"{fault}; a place within the rules of blocks: {place}")
        elif within:
            verdict.exemptions[f"started by {' and '.join(within)} only, against the rules of blocks"] += 1
        else:
            verdict.exemptions["started by others on more nodes than -N allows or tasks need, and not on as many"] += 1

    def proves(self, request, answer):
        """Whether another one's start of a job is one of what it asks for."""
        return (self._has_total_gpus(request, answer) and not self._has_idle_nodes(answer.parts) and not self.exceeds(request, answer) and
                self._has_named_nodes(request, answer) and not takes_gpus_of_others(answer))

    def _waits_in_the_first(self, request, by):
        """Slurm does not try a job's second partition in a cycle in which it is to wait for the first, as ours does and they do not."""
        names = (request.value("-p") or "").split(",")
        if len(names) < 2:
            return False
        def alone(name, plugin):
            return self.oracle.again(request.without("-p").with_option("-p", name), plugin)
        return (alone(names[0], OURS).kind == seen.WAITS and any(alone(name, OURS).started for name in names[1:]) and
                all(alone(names[0], plugin).kind == seen.REFUSED for plugin in by))

    def _is_refused_there(self, request, ours, flat):
        """Slurm tests a job at submission on any nodes that its limits allow, and starts it on others: these alone flat would refuse.

        A forecast has no such test, and ours is of a start.
        """
        others = set(self.grounds.nodes()) - set(flat.nodes)
        return (len(request.components) == 1 and (ours.kind, ours.forecast) == (seen.REFUSED, seen.STARTED) and
                self.oracle.again(request.without("-x").with_option("-x", hostlist.compress(sorted(others))), FLAT).kind == seen.REFUSED)

    def _starts_each_alone(self, request):
        """Slurm places the components of a heterogeneous job in turn: where the first one lies can leave too little for the next."""
        return len(request.components) > 1 and all(self.oracle.again(Request(request.command, (options,))).started
                                                   for options in request.components)

    def _has_total_gpus(self, request, answer):
        """Whether each part has at least the GPUs of its --gpus, or those of --gpus-per-socket for the --sockets-per-node of its nodes."""
        def asked(alone, part):
            sockets = alone.number("--sockets-per-node") * len(part.nodes)
            return max(self.total_gpus(alone), self._number(alone, "--gpus-per-socket") * sockets)
        return all(part.gpus >= asked(Request(request.command, (options,)), part) for options, part in self._pairs(request, answer))

    def _has_idle_nodes(self, parts):
        """Whether a job has more nodes than cores: Slurm can take more nodes for --gpus than its maximum, the tasks, with block and flat."""
        by_core = "CR_CPU" not in dict(self.grounds.settings).get("SelectTypeParameters", "CR_CPU")
        return any(part.cpus < sum(self.grounds.tray(node).threads if by_core else 1 for node in part.nodes) for part in parts)

    def _has_named_nodes(self, request, answer):
        """Whether each part has the nodes that its -w names: with --contiguous flat can start it on others."""
        return all(set(Wish.of(options).named) <= set(part.nodes) for options, part in self._pairs(request, answer) if part.nodes)

    def _counts_gpus_of_others(self, request, answer):
        """Slurm's way for one node (26.05) counts GPUs of nodes that it tried before: named alone, the same node is refused."""
        return (request.nodes[1] == 1 and self.total_gpus(request) > 1 and len(request.components) == 1 and
                all(part.cpus < self.cpus_a_gpu * part.gpus for part in answer.parts))

    @staticmethod
    def _lacks_cpus_of_gpus(request, answer):
        """With --ntasks-per-core flat can lay a job with --ntasks-per-gpu out for half of its CPUs."""
        each = request.number("--cpus-per-gpu")
        return request.has("--ntasks-per-core") and request.has("--ntasks-per-gpu") and any(part.cpus < each * part.gpus for part in answer.parts)

    @staticmethod
    def exceeds(request, answer):
        """Whether a job has more nodes than its -N allows, which sbatch lowers to the number of tasks."""
        most = min(request.nodes[1], request.number("-n", "--ntasks") or request.nodes[1])
        parts = answer.parts if answer.started else answer.forecast_parts
        return len(request.components) == 1 and 0 < most < max((len(part.nodes) for part in parts), default=0)

    @staticmethod
    def _outgrows_tasks(request, plugin, answers):
        """A job with more nodes than Slurm's maximum, its tasks, where the other one refuses it.

        Block gives them to a job with --exclusive=topo, flat to one whose --ntasks-per-gpu asks for more CPUs than its tasks.
        """
        tasks, alone = request.number("-n", "--ntasks"), len(request.components) == 1
        wide, another = (request.value("--exclusive") == "topo", FLAT) if plugin == BLOCK else (request.has("--ntasks-per-gpu"), BLOCK)
        return (wide and alone and not request.has("-N") and answers[another].kind == seen.REFUSED and
                0 < tasks < len(answers[plugin].nodes))

    def _unlike(self, request, answer):
        """Whether another plugin starts something else than what was asked for, as all of it cannot be had.

        The numbers of nodes or GPUs and of tasks on each leave no place for all tasks. Slurm then gives fewer CPUs than there
        are tasks, or more nodes than -N allows, or nodes more tasks than --ntasks-per-node allows, or more GPUs than --gpus, or nodes
        without a GPU of --gpus.
        """
        most, tasks = request.nodes[1], request.number("-n", "--ntasks")
        if 0 < most * request.number("--ntasks-per-node") < tasks:
            return True
        gpus = self.total_gpus(request)
        unlike = any(part.cpus < self._asked(request) or (part.gpus > gpus and not request.has("--exclusive")) or part.gpus < len(part.nodes)
                     for part in answer.parts)
        return unlike and 0 < gpus * request.number("--ntasks-per-gpu") < tasks

    def _at_smaller_level(self, request, ours, others):
        """Rule 10: a job that leaves its node count open takes the fewest nodes at the smallest level.

        Each component that has more nodes than others' does, or the job of one component.
        """
        if len(request.components) != len(ours.parts) or any(len(other.parts) != len(ours.parts) for other in others):
            return False
        for number, (options, part) in enumerate(self._pairs(request, ours)):
            theirs = [other.parts[number].nodes for other in others]
            if len(part.nodes) <= max(map(len, theirs), default=0):
                continue
            if not Wish.of(options).sized:
                return False
            if self.rules.level_allowed(part.nodes) >= min(map(self.rules.level_allowed, theirs), default=0):
                return False
        return True

    def _in_an_earlier_partition(self, request, ours, answers):
        """The job starts in the first of its partitions, the others' in a later one: in the first they need as many nodes."""
        names = (request.value("-p") or "").split(",")
        if len(names) < 2:
            return False
        first = request.without("-p").without("--array").with_option("-p", names[0])
        others = [self.oracle.again(first, plugin) for plugin in (BLOCK, FLAT) if answers[plugin].started]
        here = self.oracle.again(first)
        return (here.started and len(here.nodes) == len(ours.nodes) and
                all(not other.started or len(other.nodes) >= len(ours.nodes) for other in others))

    def _leaves_gaps(self, request, ours, answers):
        """--contiguous means nothing to blocks (sbatch's manual): flat, which alone heeds it, takes as many nodes without it.

        Block of 24.11 can start such a job on others than its named nodes, which proves nothing.
        """
        if not request.has("--contiguous") or (answers[BLOCK].started and self._has_named_nodes(request, answers[BLOCK])):
            return False
        answer = self.oracle.again(request.without("--contiguous"), FLAT)
        return answer.started and len(answer.nodes) >= len(ours.nodes)

    def _default_tasks_a_core(self, request):
        """1 where slurm.conf gives each task a core of its own, unless the request says otherwise; else 0."""
        parameters = dict(self.grounds.settings).get("SelectTypeParameters", "")
        others = ("--ntasks-per-core", "--ntasks-per-socket", "--threads-per-core", "--hint", "-O", "--overcommit")
        return int("CR_ONE_TASK_PER_CORE" in parameters and not request.has(*others))

    @staticmethod
    def _crowd_unlike(crowds, request, ours, others, each):
        """Whether all others have too few cores, or sockets, for so many tasks on each, and ours has enough."""
        return all(crowds(request, other, each) for other in others) and not crowds(request, ours, each)

    def _has_gpus_of_tasks(self, request, answer):
        """Whether each part has the GPUs that --gpus-per-task makes of the tasks of -n."""
        def asked(alone):
            return self._number(alone, "--gpus-per-task") * alone.number("-n", "--ntasks")
        return all(part.gpus >= asked(Request(request.command, (options,))) for options, part in self._pairs(request, answer))

    def _crowds_cores(self, request, answer, each):
        """Whether a job has fewer cores than so many tasks on each need, as where --cpus-per-gpu bounds the cores of a node."""
        return self._crowds(request, answer, each, lambda tray: tray.threads)

    def _crowds_sockets(self, request, answer, each):
        """The same of sockets, as where the GPUs of a job bound its cores to theirs."""
        return self._crowds(request, answer, each, lambda tray: tray.cores * tray.threads)

    def _crowds(self, request, answer, each, width):
        tasks = request.number("-n", "--ntasks")
        def units(names, ids):
            cpus = width(self.grounds.tray(hostlist.expand(names)[0]))
            return len(hostlist.expand(names)) * len({int(number) // cpus for number in hostlist.expand(f"[{ids}]")})
        return each > 0 and any(part.places and sum(units(names, ids) for names, ids, _ in part.places) * each < tasks
                                for part in answer.parts)

    def _lacks_gpus_of_sockets(self, request, answer):
        """Whether a job has cores on more sockets than it has GPUs for: Slurm gives a GPU for each where a node has as many."""
        each = self._number(request, "--gpus-per-socket")
        def sockets(names, ids):
            tray = self.grounds.tray(hostlist.expand(names)[0])
            return len(hostlist.expand(names)) * len({int(number) // (tray.cpus // tray.sockets) for number in hostlist.expand(f"[{ids}]")})
        return each > 0 and any(part.places and sum(sockets(names, ids) for names, ids, _ in part.places) * each > part.gpus
                                for part in answer.parts)

    @staticmethod
    def _lacks_cpus(request, answer):
        """Whether a job has fewer CPUs in all than it wants on a single node."""
        return any(part.cpus < request.number("--mincpus") for part in answer.parts)

    def _kept(self, verdict, request, answers):
        """Ours holds or refuses for good what the others do not. What sbatch would have refused is held where it came by an update."""
        ours = answers[OURS]
        if ours.kind == seen.HELD and not request.updates():
            others = [plugin for plugin in (BLOCK, FLAT) if answers[plugin].kind in (seen.STARTED, seen.WAITS)]
            if answers[BLOCK].kind == seen.HELD and answers[FLAT].started and not self.legal(request, answers[FLAT]):
                verdict.exemptions["held by block, too; flat starts it against the rules of blocks"] += 1
            elif answers[BLOCK].kind == seen.REFUSED and self.forecasts.refuses_unpreferred(request):
                verdict.exemptions["held instead of refused, as Slurm tells nothing of the nodes that the job does not prefer"] += 1
            elif others:
                verdict.faults.append(f"held for ever, not so by {' and '.join(others)}")
        if ours.kind == seen.REFUSED and answers[BLOCK].kind == seen.WAITS and answers[BLOCK].forecast == seen.LATER:
            if not answers[BLOCK].forecast_parts or not self._legal_forecast(request, answers[BLOCK]):
                return
            if self.busy.isdisjoint(node for part in answers[BLOCK].forecast_parts for node in part.nodes):
                verdict.exemptions["refused for good; block waits, for nodes that are idle"] += 1
            elif self._never_has_memory(request, answers[BLOCK]):
                verdict.exemptions["refused for good; block waits for nodes with more CPUs than memory"] += 1
            elif self.exceeds(request, answers[BLOCK]):
                verdict.exemptions["refused for good; block waits for more nodes than -N allows"] += 1
            elif self._has_idle_nodes(answers[BLOCK].forecast_parts):
                verdict.exemptions["refused for good; block waits for nodes of which the job is to have no CPU"] += 1
            else:
                verdict.faults.append("refused for good; block will start it later")

    def _never_has_memory(self, request, answer):
        """Slurm charges --mem-per-cpu or its default for all CPUs of whole nodes, and with CR_Socket_Memory of a job's sockets, but only when it
        starts it (_job_test())."""
        settings = dict(self.grounds.settings)
        default = 0 if request.has("--mem", "--mem-per-gpu") else int(settings.get("DefMemPerCPU", 0))
        each = request.number("--mem-per-cpu") or default
        def lacks(part):
            trays = [self.grounds.tray(node) for node in part.nodes]
            by_socket = any(tray.cores * tray.threads * each > tray.memory for tray in trays)
            return by_socket or part.cpus * each > sum(tray.memory for tray in trays)
        def lacks_for_whole_nodes(part):
            trays, cores = [self.grounds.tray(node) for node in part.nodes], Wish.of(request.components[0]).whole_cores
            return any((tray.cpus // tray.threads if cores else tray.cpus) * each > tray.memory for tray in trays)
        parameters, parts = settings.get("SelectTypeParameters", ""), answer.forecast_parts
        whole = "_Memory" in parameters and self.grounds.gives_whole_nodes(request) and any(map(lacks_for_whole_nodes, parts))
        return whole or "CR_Socket_Memory" in parameters and any(map(lacks, parts))

    def _legal_forecast(self, request, answer):
        """Whether the forecast keeps the rules of blocks, and its nodes have the GPUs of --gpus and sockets for all tasks."""
        parts = answer.forecast_parts
        have = min(sum(self.grounds.tray(node).gpus for node in part.nodes) for part in parts)
        legal = not any(self.rules.faults(part.nodes, Wish.of(request.components[0])) for part in parts)
        each, tasks = request.number("--ntasks-per-socket"), request.number("-n", "--ntasks")
        room = min(sum(self.grounds.tray(node).sockets * each for node in part.nodes) for part in parts)
        return legal and have >= self.total_gpus(request) and (not each or room >= tasks)

    def _rules(self, verdict, request, answers):
        """What ours starts keeps the rules of blocks and the range of -N, which `scontrol update` may set in part only."""
        if len(request.components) > 1:
            return
        ours = answers[OURS]
        widened = "-N" in request.late and any(answers[plugin].started and self.exceeds(request, answers[plugin]) for plugin in (BLOCK, FLAT))
        least, most = request.nodes
        if request.has("-n", "--ntasks"):  # sbatch lowers the count to that of the tasks
            least = min(least, request.number("-n", "--ntasks"))
        rules = Rules(self.grounds, self.running - set(ours.preempted)) if ours.preempted else self.own_rules
        for part in ours.parts:
            if not part.nodes:
                continue
            wish = self._wish(request, part)
            faults = rules.faults(part.nodes, wish)
            if faults and self._can_lie_in_no_fewer(request, wish) and not rules.faults(part.nodes, replace(wish, most_blocks=0)):
                verdict.exemptions["more base blocks than --switches names, as flat finds that so few can never hold the job"] += 1
                faults = []
            verdict.faults += [f"against the rules of blocks: {fault}" for fault in faults]
            if least and not least <= len(part.nodes) <= most and not widened:
                verdict.faults.append(f"{len(part.nodes)} nodes")

    def _wish(self, request, part):
        """What a job asks for of the blocks. A count of -N below the names of -w requires a subset of them only (sbatch's manual): those out of
        service, which 26.05 leaves out, do not raise it."""
        options, named = request.components[0], set(hostlist.expand(request.value("-w") or ""))
        present = named - (self.out_of_service - set(part.nodes))
        if 0 < request.nodes[0] <= len(present) < len(named):
            options = (*without(options, "-w"), "-w", hostlist.compress(sorted(present)))
        return Wish.of(options)

    def _can_lie_in_no_fewer(self, request, wish):
        """Whether flat never starts it in any base blocks as few as --switches names, or on nodes like theirs where some are out of service."""
        free, racks = request.without("--switches"), self.own_rules.racks
        def never(chosen):
            nodes = self._like_in_service(request, {node for rack in chosen for node in rack} - set(wish.excluded))
            others = sorted(set(self.grounds.nodes()) - (nodes or set()))
            confined = free.without("-x").with_option("-x", hostlist.compress(others))
            return nodes is not None and self.oracle.again(confined, FLAT).forecast == seen.REFUSED
        return wish.most_blocks > 0 and all(map(never, combinations(racks, min(wish.most_blocks, len(racks) - 1))))

    def _like_in_service(self, request, nodes):
        """These nodes, with others of the same kind and partitions for those out of service, if the job's partitions have these at all; None where
        there are too few, or for named ones."""
        excluded, named = (set(hostlist.expand(request.value(name) or "")) for name in ("-x", "-w"))
        def kind(node):
            return self.grounds.tray(node), [node in self.grounds.members(line) for line in self.grounds.lines_of(request)]
        found, spare = nodes - self.out_of_service, set(self.grounds.nodes()) - nodes - excluded - self.out_of_service
        for node in sorted(nodes & self.out_of_service):
            if not any(kind(node)[1]):
                continue
            like = min((other for other in spare if kind(other) == kind(node)), default=None)
            if like is None or node in named:
                return None
            found, spare = found | {like}, spare - {like}
        return found

    def _strays(self, verdict, ours):
        """Ours has CPUs that another job has, where no partition lets jobs share them."""
        if any(re.search("OverSubscribe=(YES|FORCE)", line) for line in self.grounds.partitions):
            return
        for names, ids, _ in (place for part in ours.parts for place in part.places):
            cpus = seen.cpu_ids(ids)
            verdict.faults += [f"has CPUs of another job: {hostlist.compress(cpus & self.taken[node])} of {node}"
                               for node in hostlist.expand(names) if node not in ours.preempted and cpus & self.taken.get(node, frozenset())]

    def _amounts(self, verdict, request, answers):
        """More nodes, or fewer CPUs or GPUs, than all others that start it."""
        ours = answers[OURS]
        others = [answers[plugin] for plugin in (BLOCK, FLAT) if answers[plugin].started]
        if not others:
            return
        if len(ours.nodes) > max(len(other.nodes) for other in others):
            # Flat takes no more nodes than tasks with --spread-job and --ntasks-per-node, also where Slurm made those of the minimum;
            # where Slurm picks the least loaded nodes it takes the fewest. Nodes against the rules say nothing of how many keep them.
            by_tasks = request.has("--spread-job") or (request.has("--ntasks-per-node") and not request.has("-n", "--ntasks"))
            fewest = (answers[FLAT].started and self.legal(request, answers[FLAT]) and
                      not self.grounds.picks_least_loaded(request))
            listed = "," in (request.value("-N") or "")  # Slurm asks for the largest of the counts
            rivals = [other for other in others if ours.preempted or not other.preempted]
            wide = by_tasks or listed or not (Wish.of(request.components[0]).sized or fewest)
            if self.ranged(request) and wide:
                verdict.exemptions["a range: as many nodes as fit"] += 1
            elif self._crowd_unlike(self._crowds_cores, request, ours, others, request.number("--ntasks-per-core")):
                verdict.exemptions["more nodes than others, which put more tasks on their cores than --ntasks-per-core allows"] += 1
            elif self._crowd_unlike(self._crowds_sockets, request, ours, others, request.number("--ntasks-per-socket")):
                verdict.exemptions["more nodes than others, which put more tasks on their sockets than --ntasks-per-socket allows"] += 1
            elif self._crowd_unlike(self._crowds_cores, request, ours, others, self._default_tasks_a_core(request)):
                verdict.exemptions["more nodes than others, which put two tasks on a core despite CR_ONE_TASK_PER_CORE"] += 1
            elif all(self._lacks_cpus(request, other) for other in others) and not self._lacks_cpus(request, ours):
                verdict.exemptions["more nodes than others, which have fewer CPUs than --mincpus names"] += 1
            elif all(self._lacks_gpus_of_sockets(request, other) for other in others) and not self._lacks_gpus_of_sockets(request, ours):
                verdict.exemptions["more nodes than others, which have cores on more sockets than GPUs of --gpus-per-socket"] += 1
            elif self._has_total_gpus(request, ours) and not any(self._has_total_gpus(request, other) for other in others):
                verdict.exemptions["more nodes than others, which have fewer GPUs than --gpus asks for"] += 1
            elif self._has_gpus_of_tasks(request, ours) and not any(self._has_gpus_of_tasks(request, other) for other in others):
                verdict.exemptions["more nodes than others, which have fewer GPUs than --gpus-per-task asks for"] += 1
            elif self._in_an_earlier_partition(request, ours, answers):
                verdict.exemptions["more nodes than others, in an earlier partition of its list"] += 1
            elif self._leaves_gaps(request, ours, answers):
                verdict.exemptions["more nodes than flat, which --contiguous makes take others"] += 1
            elif self._at_smaller_level(request, ours, rivals):
                verdict.exemptions["more nodes than others, at a smaller level"] += 1
            elif any(self.legal(request, other) for other in rivals):
                verdict.faults.append(f"{len(ours.nodes)} nodes, others {[len(other.nodes) for other in others]}")
            else:
                verdict.exemptions["more nodes than others, which break the rules of blocks or preempt jobs"] += 1
        for name in ("cpus", "gpus"):
            most = min(getattr(other, name) for other in others)
            if getattr(ours, name) < most:
                excuse = self._excuse(name, request, answers)
                if excuse:
                    verdict.exemptions[excuse] += 1
                else:
                    verdict.faults.append(f"{getattr(ours, name)} {name}, others {[getattr(other, name) for other in others]}")

    def _excuse(self, name, request, answers):
        """Why fewer CPUs or GPUs are right, or None."""
        ours = answers[OURS]
        others = [answers[plugin] for plugin in (BLOCK, FLAT) if answers[plugin].started]
        if name == "cpus" and ours.gpus and self._documented(request, ours, others):
            return "--cpus-per-gpu or DefCpuPerGPU: the documented number of CPUs"
        if name == "cpus" and self._has_cpus_of_tasks_of_gpus(request, ours):
            return "CPUs for the tasks that --ntasks-per-gpu makes of the GPUs, which are fewer than those of -n"
        least = min((answers[plugin] for plugin in (BLOCK, FLAT) if answers[plugin].started),
                    key=lambda other: getattr(other, name))
        by_node = not request.has("--gpus", "--gpus-per-task")
        if name == "gpus" and self._has_fewer_nodes_for_fewer_gpus(request, ours, least):
            return "GPUs a node: fewer nodes"
        if name == "gpus" and self._has_gpus_of_sockets(request, ours, least):
            return "GPUs a socket: fewer sockets"
        if name == "gpus" and by_node and self.grounds.gives_whole_nodes(request) and self._has_all_gpus(ours):
            return "all GPUs of whole nodes of another size" if self._sizes(request, ours) != self._sizes(request, least) else None
        if name == "gpus" and self._has_gpus_asked(request, ours):
            return "as many GPUs as --gpus asks for"
        enough = (name == "cpus" or not self.asks_gpus(request)) and all(
            part.cpus >= self._asked(Request(request.command, (options,))) for options, part in self._pairs(request, ours))
        if enough and self._sizes(request, ours) != self._sizes(request, least):
            return "fewer nodes, or nodes of another size"
        leaves_open = self.grounds.gives_whole_sockets() or not request.has("-n", "--ntasks")
        if enough and leaves_open and set(ours.nodes) & self.busy - set(least.nodes):
            return "fewer CPUs on nodes with other jobs, as many as asked for"
        if enough and set(ours.nodes) & self.busy - set(least.nodes) and self._has_as_many_there(name, request, least):
            return "fewer CPUs on nodes with other jobs, on the others' nodes as many"
        if enough and name == "cpus" and self._has_all_that_is_left(request, ours, least):
            return "all CPUs that other jobs and the partition leave on nodes with jobs, as many as asked for"
        if ours.cpus >= self._asked(request) and name == "cpus" and self._differs_by_threads(request, ours, least):
            return "as many CPUs as asked for; the others' tasks lie on more cores or sockets"
        if enough and not answers[BLOCK].started:
            return "fewer CPUs than flat alone, as many as asked for"
        return None

    def _has_as_many_there(self, name, request, least):
        """Whether ours has as much on the nodes of another one, if it is sent there."""
        there = self.oracle.again(request.without("-w").with_option("-w", hostlist.compress(least.nodes)))
        return (len(request.components) == 1 and there.started and set(there.nodes) == set(least.nodes) and
                getattr(there, name) >= getattr(least, name))

    def _has_all_that_is_left(self, request, ours, least):
        """Whether nodes with other jobs, which the others do not have, make up for the difference, and ours has all of their CPUs."""
        shared = set(ours.nodes) & self.taken.keys() - set(least.nodes)
        def most(node):
            return min(most_cpus(line, self.grounds.tray(node)) for line in self.grounds.lines_of(request))
        has = {node: len(seen.cpu_ids(ids)) for part in ours.parts for names, ids, _ in part.places for node in hostlist.expand(names)}
        return (least.cpus - ours.cpus <= sum(len(self.taken[node]) for node in shared) and
                all(has.get(node) == most(node) - len(self.taken[node]) for node in shared))

    def _short_of_gpus(self, request, ours, least):
        """The components with fewer GPUs, as requests of their own, with their parts of both answers."""
        return [(Request(request.command, (options,)), part, other)
                for (options, part), other in zip(self._pairs(request, ours), least.parts) if part.gpus < other.gpus]

    def _has_gpus_of_sockets(self, request, ours, least):
        """Whether each component with fewer GPUs has those of as many sockets as it asks for."""
        def asked(alone, part):
            return max(1, alone.number("--sockets-per-node")) * len(part.nodes) * self._number(alone, "--gpus-per-socket")
        return len(ours.parts) == len(least.parts) and all(0 < asked(alone, part) <= part.gpus
                                                           for alone, part, _ in self._short_of_gpus(request, ours, least))

    def _has_fewer_nodes_for_fewer_gpus(self, request, ours, least):
        """Whether each component with fewer GPUs asks for them by node, and has fewer nodes."""
        if len(ours.parts) != len(least.parts):
            return len(ours.nodes) < len(least.nodes) and not request.has("--gpus", "--gpus-per-task")
        short = self._short_of_gpus(request, ours, least)
        return bool(short) and all(len(part.nodes) < len(other.nodes) and not alone.has("--gpus", "--gpus-per-task")
                                   for alone, part, other in short)

    def _differs_by_threads(self, request, ours, least):
        """Slurm gives whole cores, or sockets: how many depends on how the tasks lie on the same number of nodes, of one size or two."""
        by_socket = self.grounds.gives_whole_sockets()
        trays = [self.grounds.tray(node) for node in least.nodes]
        spare = sum(tray.cpus - tray.cores * tray.threads if by_socket else tray.threads - 1 for tray in trays)
        if self._default_tasks_a_core(request):  # each task has the threads of a core, on nodes of whichever size it lies
            threads = [tray.threads for tray in trays]
            spare = max(spare, request.number("-n", "--ntasks") * (max(threads) - min(threads)))
        return request.has("-n", "--ntasks") and len(ours.nodes) == len(least.nodes) and least.cpus - ours.cpus <= spare

    def _has_all_gpus(self, ours):
        return all(part.gpus == sum(self.grounds.tray(node).gpus for node in part.nodes) for part in ours.parts)

    def _has_gpus_asked(self, request, ours):
        """Whether each part has the GPUs of --gpus, --gpus-per-task or --gpus-per-node, if it asks for any; on whole nodes it must have all
        of theirs."""
        for options, part in self._pairs(request, ours):
            alone = Request(request.command, (options,))
            tasks = alone.number("-n", "--ntasks") or max(1, alone.number("--ntasks-per-node")) * len(part.nodes)
            total = self.total_gpus(alone) or self._number(alone, "--gpus-per-task") * tasks
            total = total or self._number(alone, "--gpus-per-node") * len(part.nodes)
            whole = sum(self.grounds.tray(node).gpus for node in part.nodes) if self.grounds.gives_whole_nodes(alone) else 0
            if part.gpus < max(total, whole) or (self.asks_gpus(alone) and not total):
                return False
        return any(self.asks_gpus(Request(request.command, (options,))) for options in request.components)

    @staticmethod
    def _number(request, name):
        """Of "h:4" or "4"; 0 without that option."""
        found = re.search(r"\d+$", request.value(name) or "")
        return int(found[0]) if found else 0

    def total_gpus(self, request):
        """What --gpus asks for."""
        return self._number(request, "--gpus")

    @staticmethod
    def ranged(request):
        """Whether a component has -Nmin-max."""
        bounds = (Request(request.command, (options,)).nodes for options in request.components)
        return any(least < most for least, most in bounds)

    @staticmethod
    def asks_gpus(request):
        """Whether the request names GPUs."""
        return request.has("--gpus", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket", "--gres")

    def _documented(self, request, ours, others):
        """Whether each component has the CPUs that its GPUs and its tasks are to have, or as many as under another."""
        for number, (options, part) in enumerate(self._pairs(request, ours)):
            alone = Request(request.command, (options,))
            each = alone.number("--cpus-per-gpu") or self.cpus_a_gpu
            documented = each and part.cpus >= max(each * part.gpus, self._asked(alone))
            if not documented and part.cpus < min(other.parts[number].cpus for other in others):
                return False
        return True

    def _has_cpus_of_tasks_of_gpus(self, request, ours):
        """Of GPUs that are named --ntasks-per-gpu determines how many tasks there are (sbatch's manual), whatever -n says."""
        def has(alone, part):
            a_node = max(self._number(alone, "--gpus-per-node"), self._number(alone, "--gres"))
            tasks = (self.total_gpus(alone) or a_node * max(1, alone.nodes[0])) * alone.number("--ntasks-per-gpu")
            return 0 < tasks < alone.number("-n", "--ntasks") and part.cpus >= tasks * cpus_a_task(alone.components[0])
        return all(has(Request(request.command, (options,)), part) for options, part in self._pairs(request, ours))

    def _sizes(self, request, answer):
        """The nodes of each size that a job, or each of its components, has."""
        groups = [part.nodes for part in answer.parts] if len(request.components) > 1 else [answer.nodes]
        return [Counter(self.grounds.tray(node) for node in nodes) for nodes in groups]

    def _asked(self, request):
        """CPUs that a request names; only what is sure."""
        each, most = request.number("--ntasks-per-node"), request.nodes[1]
        tasks = max(1, min(request.number("-n", "--ntasks"), each * most or sys.maxsize))
        return tasks * cpus_a_task(request.components[0]) if not request.has("-O", "--overcommit") else 1

    def _reservation(self, verdict, request, answers):
        """Refused where another makes it, or on more nodes."""
        ours = answers[OURS]
        by = [plugin for plugin in (BLOCK, FLAT) if answers[plugin].started]
        wish = Wish(sized=not request.has("NodeCnt", "TRES=node"))
        legal = [plugin for plugin in by if not self.rules.faults(answers[plugin].nodes, wish)]
        if not ours.started:
            if BLOCK in by or legal:
                verdict.faults.append(f"{' and '.join(by)} make{'s' if len(by) == 1 else ''} the reservation, ours does not")
            elif by:
                verdict.exemptions["a reservation by flat only, against the rules of blocks"] += 1
            return
        if by and len(ours.nodes) > max(len(answers[plugin].nodes) for plugin in by):
            level = self.rules.level_allowed
            if wish.sized and level(ours.nodes) < min(level(answers[plugin].nodes) for plugin in by):
                verdict.exemptions["a reservation of more nodes than others', at a smaller level"] += 1
            elif BLOCK in by or legal:
                verdict.faults.append(f"reserves {len(ours.nodes)} nodes, others {[len(answers[plugin].nodes) for plugin in by]}")
            else:
                verdict.exemptions["a reservation of more nodes than flat's, which breaks the rules of blocks"] += 1
