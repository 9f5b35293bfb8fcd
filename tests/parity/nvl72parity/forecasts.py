# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a forecast tells what then happens, and what makes a difference right.

Slurm's forecasts ask the topology plugin for something else than the job does: for the named nodes alone, without numbers of
features, without what the partition gives, among the nodes in service only. Such a difference is right only if ours forecasts
rightly once that is taken out of the question: the request is put to it again without it.
"""

import re

from nvl72lab import hostlist

from . import seen
from .block_rules import Rules, Wish, most_cpus
from .requests import Request, cpus_a_task
from .scenes import named_nodes
from .trio import BLOCK, FLAT, OURS


def wrong(answer):
    """In what a forecast differs from what then happened; "" if in nothing."""
    if not answer.forecast:
        return ""
    begun = any(part.state == seen.STARTED for part in answer.parts)
    if len(answer.parts) > 1 and begun and answer.forecast == seen.STARTED:  # an array: the forecast is its first task's
        return ""
    after = {seen.STARTED: seen.STARTED, seen.WAITS: seen.LATER, seen.HELD: seen.LATER, seen.REFUSED: seen.REFUSED}
    if after.get(answer.kind) != answer.forecast:
        return f"{answer.forecast}, then {answer.kind}"
    if answer.started and len(answer.parts) == len(answer.forecast_parts):
        for name, told, then in (("nodes", len(answer.forecast_parts[0].nodes), len(answer.parts[0].nodes)),
                                 ("CPUs", answer.forecast_parts[0].cpus, answer.parts[0].cpus)):
            if told != then:
                return f"{told} {name}, then {then}"
    return ""


def _told(answer):
    """A forecast without its time and the names of its nodes."""
    return answer.forecast, [(len(part.nodes), part.cpus) for part in answer.forecast_parts]


def _right_there(answers, ours):
    """Whether one of the answers starts the job on the same nodes as ours, as it was forecast."""
    return any(answer.started and set(answer.nodes) == set(ours.nodes) and not wrong(answer) for answer in answers)


def _without_numbers(request):
    """Without those of its features' nodes ('all*3'), which forecasts leave out."""
    feature = request.value("-C") or ""
    return request.without("-C").with_option("-C", re.sub(r"\*\d+", "", feature)) if "*" in feature else request


class Forecasts:
    """Judges those of one scene; `oracle` puts further questions to the plugins."""

    def __init__(self, scene, oracle):
        self.scene, self.oracle, self.rules = scene, oracle, Rules(scene.grounds)

    def judge(self, verdict, request, answers):
        """A forecast that differs from what then happens, where Slurm's own does not."""
        difference, block, flat = (wrong(answers[plugin]) for plugin in (OURS, BLOCK, FLAT))
        if not difference:
            return
        like_flat = re.sub(r"\d+", "#", difference) == re.sub(r"\d+", "#", flat)
        if block:
            verdict.exemptions["a wrong forecast, as block's"] += 1
        elif like_flat and answers[BLOCK].kind == seen.REFUSED:
            verdict.exemptions["a wrong forecast, as flat's, where block refuses"] += 1
        elif difference == flat and answers[OURS].started and answers[BLOCK].kind == seen.WAITS:
            verdict.exemptions["a wrong forecast, as flat's, where block lets the job wait"] += 1
        elif like_flat and len(request.components) > 1 and not answers[BLOCK].forecast and answers[BLOCK].kind == answers[OURS].kind:
            verdict.exemptions["a wrong forecast of components, as flat's, where block's says nothing"] += 1
        elif difference == f"{seen.REFUSED}, then {seen.WAITS}" and self._forecasts_no_components(request, answers):
            verdict.exemptions["no forecast of components, as flat's, where block refuses or has none"] += 1
        elif difference == flat and self._are_flats_nodes(answers):
            verdict.exemptions["a wrong forecast, flat's node for node, where block's names other nodes than its job has, too"] += 1
        else:
            excuse = self._excuse(request, answers)
            if excuse:
                verdict.exemptions[excuse] += 1
            else:
                verdict.faults.append(f"forecast: {difference}; not so by block")

    @staticmethod
    def _forecasts_no_components(request, answers):
        """Whether flat's forecast of the components is none, or refuses what flat then does not, and block refuses them or has none."""
        silent = answers[BLOCK].kind == seen.REFUSED or not answers[BLOCK].forecast
        return (len(request.components) > 1 and silent and answers[FLAT].kind != seen.REFUSED and
                answers[FLAT].forecast in ("", seen.REFUSED))

    @staticmethod
    def _are_flats_nodes(answers):
        """Whether ours is forecast on flat's nodes and then has flat's nodes, and block is wrong in the nodes, though not in their number.

        Slurm offers forecasts less of nodes with other jobs, so that a range is forecast with fewer nodes than it gets.
        """
        def nodes(plugin):
            return [set(part.nodes) for part in answers[plugin].forecast_parts], [set(part.nodes) for part in answers[plugin].parts]
        told, then = nodes(BLOCK)
        return answers[BLOCK].started and told != then and nodes(OURS) == nodes(FLAT)

    def _excuse(self, request, answers):
        """What Slurm's forecasts leave out whatever the plugin, or None."""
        ours, flat = answers[OURS], answers[FLAT]
        if request.has("-w") and self._needs_more_than_named(request, ours, flat):
            free = _without_numbers(request).without("-w")
            if self._right(free) or self._limited(ours) and self._limited(flat) and self._ends_above_limit(free):
                return "a forecast asks for the named nodes alone"
            if len(request.components) > 1 and self._first_needs_more_than_named(request, free, ours, flat):
                return "a forecast asks for the named nodes of a component alone"
            out_of_service = (ours.kind, ours.forecast) == (seen.WAITS, seen.REFUSED) and self._needs_nodes_out_of_service(free)
            return "a forecast asks for the named nodes alone, and others need drained or reserved ones" if out_of_service else None
        if ours.kind == seen.WAITS and ours.forecast == seen.REFUSED:
            if self._waits_for_switches(request):
                return "no forecast for a job that waits for its --switches, as under topology/tree"
            if self._limited(ours) and (flat.kind == seen.REFUSED or self._limited(flat)):
                return "no forecast for a job above its partition's limit, as under flat"
            if self._waits_for_jobs_outside(request):
                return "no forecast for a job that waits for blocks in which jobs run on nodes that it cannot have"
            if not ours.nodes and self._needs_nodes_out_of_service(request):
                return "no forecast for a job that needs drained or reserved nodes to keep the rules of blocks"
        if wrong(ours) == f"{seen.STARTED}, then {seen.WAITS}" and self._limited(ours) and self._ends_above_limit(request):
            return "a forecast leaves out the limit of the partition for the end of a range"
        if request.has("--begin") and {part.reason for part in ours.parts} == {"BeginTime"} and self._right(request.without("--begin")):
            return "a forecast of a job that waits for its --begin"
        if ours.forecast == seen.STARTED and ours.kind in (seen.STARTED, seen.WAITS) and self._counts_nodes_given_back(request, ours):
            return "a forecast counts nodes that a job with --exclusive has given back, on which Slurm starts nothing"
        if wrong(ours) == wrong(flat) == f"{seen.STARTED}, then {seen.WAITS}":
            if self._limited(ours) and self._limited(flat):
                return "a forecast leaves out the limit of the partition, as flat's"
            if self._charges_whole_sockets(request):
                return "a forecast leaves out the memory of whole sockets, as flat's"
        if ours.started and ours.forecast in (seen.STARTED, seen.LATER) and self._leaves_busy_nodes_out(request, ours):
            return "a forecast leaves out nodes with other jobs where OverSubscribe lets jobs share"
        if ours.kind == seen.HELD and answers[BLOCK].kind == seen.REFUSED and self.refuses_unpreferred(request):
            return "held instead of refused, as Slurm tells nothing of the nodes that the job does not prefer"
        if ours.started and ours.forecast in (seen.STARTED, seen.LATER) and self._keeps_off_taken_memory(request, ours):
            return "a forecast leaves out nodes with memory in use, as flat's of one GPU on one of them"
        if ours.started and wrong(flat) == f"{seen.STARTED}, then {seen.WAITS}" and self._charges_whole_sockets(request):
            return "a forecast leaves out the memory of whole sockets, for which flat's job waits"
        if self._whole_by_partition(request) and self._right(self._told_whole(request)):
            return "a forecast leaves out that a partition gives whole nodes"
        first = ours.first() if request.has("--array") else ours  # the forecast is of the first task
        if first.started and self._tries_one_partition(request.without("--array"), first):
            return "a forecast tries the first of several partitions only"
        if self._numbers_left_out(request, ours):
            return "a forecast leaves the number of a feature's nodes out"
        if self._takes_one_of(request, ours):
            return "a forecast takes all alternatives of a feature together"
        if ours.started and ours.forecast == seen.STARTED and self._offers_more_than_a_start(request, ours):
            return "a forecast on nodes that Slurm offers fewer CPUs of when it starts the job"
        if ours.started and ours.forecast == seen.STARTED and self._prefers_nodes_with_jobs(request, ours):
            return "a forecast weighs nodes that are powering up like those that are powered down"
        if ours.preempted and ours.forecast == seen.STARTED and self._leaves_jobs_for_a_start(request, ours):
            return "a forecast takes all jobs away that can be preempted, a start no more than it needs"
        return None

    def refuses_unpreferred(self, request):
        """Whether a job that prefers nodes is refused for good where it does not."""
        return request.has("--prefer") and self.oracle.again(request.without("--prefer")).kind == seen.REFUSED

    def _right(self, changed):
        """Whether ours forecasts rightly what it then does with a changed request."""
        answer = self.oracle.again(changed)
        return bool(answer.forecast) and not wrong(answer)

    def _needs_more_than_named(self, request, ours, flat):
        """Whether the job has more than its named nodes, or waits for more: those are too few, or break the rules by themselves."""
        named, wish = hostlist.expand(request.value("-w")), Wish.of(request.components[0])
        if ours.kind == seen.WAITS and not ours.nodes:
            told = Wish.of(_without_numbers(request).components[0])
            few = len(named) < max(request.nodes[0], wish.raised) or self.rules.lacks_cpus(named, wish)
            few = few or (flat.forecast == seen.REFUSED and flat.started)
            more = wish.sized or len(named) < request.nodes[1]
            return ours.forecast == seen.REFUSED and (few or more and bool(self.rules.faults(named, told)))
        return not set(ours.nodes) <= set(named)

    def _first_needs_more_than_named(self, request, free, ours, flat):
        """Of components together sbatch tells no forecast that can be read: by itself, and without names, the first one is forecast rightly."""
        named = set(hostlist.expand(request.value("-w")))
        return (ours.started and ours.forecast == flat.forecast == seen.REFUSED and not set(ours.parts[0].nodes) <= named and
                self._right(Request(free.command, free.components[:1])))

    def _waits_for_switches(self, request):
        """Without --switches the forecast is right, and the job starts in more base blocks, or waits as well."""
        most = Wish.of(request.components[0]).most_blocks
        if not most:
            return False
        answer = self.oracle.again(request.without("--switches"))
        if wrong(answer) or answer.forecast not in (seen.STARTED, seen.LATER):
            return False
        return not answer.started or len(self.rules.used(answer.nodes)) > most

    @staticmethod
    def _limited(answer):
        """Whether the job, or a component of it, waits because its partition allows fewer nodes."""
        return "PartitionNodeLimit" in {part.reason.partition(",")[0] for part in answer.parts}

    def _ends_above_limit(self, request):
        """-N6-7 waits in a partition of MaxNodes=6, whose limit only starts are held to (job_limits_check()): -N6 is forecast rightly."""
        limits = [re.search(r"MaxNodes=(\d+)", line) for line in self.scene.grounds.lines_of(request)]
        (least, most), ends = request.nodes, [int(limit[1]) for limit in limits if limit]
        if len(request.components) > 1 or not ends or len(ends) < len(limits) or not least <= max(ends) < most:
            return False
        return self._right(request.without("-N").with_option(f"-N{least}-{max(ends)}"))

    def _waits_for_jobs_outside(self, request):
        """For forecasts Slurm ends only the jobs on nodes that it may offer (_future_run_test()), those of -w or those of the partition
        with the CPUs of a task: a block where others run is never free for --exclusive=topo.
        """
        grounds, busy = self.scene.grounds, self.scene.busy_nodes()
        each, named = cpus_a_task(request.components[0]), hostlist.expand(request.value("-w") or "")
        own = {node for line in grounds.lines_of(request) for node in grounds.members(line) if most_cpus(line, grounds.tray(node)) >= each}
        others = busy - own
        if named:  # the jobs in their base blocks
            others = {node for node in busy - set(named) if set(self.rules.used([node])) & set(self.rules.used(named))}
        return request.value("--exclusive") == "topo" and bool(others)

    def _needs_nodes_out_of_service(self, request):
        """Slurm refuses for good what no cluster could hold, but forecasts on the nodes in service.

        There are nodes out of service, and none of the others keep the rules and can ever have the job, by what flat forecasts: also of the
        whole nodes that the partition gives, and with the memory of whole sockets, which flat's forecast leaves out.
        """
        if not self.scene.drained and not self.scene.standing:
            return False
        asked = dict.fromkeys((request, self._told_whole(request)))
        return (not all(map(self.oracle.forecast_place, asked)) or
                self._charges_whole_sockets(request) and not self.oracle.forecast_place(request, starts=True))

    def _whole_by_partition(self, request):
        lines = self.scene.grounds.lines_of(request)
        by_itself = request.has("--exclusive") and request.value("--exclusive") in ("", None)
        return any("OverSubscribe=EXCLUSIVE" in line for line in lines) and not by_itself

    def _told_whole(self, request):
        """With the whole nodes that its partition gives, which forecasts leave out."""
        return request.without("--exclusive").with_option("--exclusive") if self._whole_by_partition(request) else request

    def _leaves_busy_nodes_out(self, request, ours):
        """Where jobs may share, Slurm forecasts on nodes without jobs first: confined to those, the same forecast is right."""
        lines, busy = self.scene.grounds.lines_of(request), self.scene.busy_nodes()
        if not all("OverSubscribe=YES" in line or "OverSubscribe=FORCE" in line for line in lines) or not busy & set(ours.nodes):
            return False
        return self._right_without(request, busy, ours)

    def _right_without(self, request, nodes, ours):
        """Whether the same forecast is right for a job that excludes these nodes, too."""
        excluded = {*nodes, *hostlist.expand(request.value("-x", "--exclude") or "")}
        answer = self.oracle.again(request.without("-x").with_option("-x", hostlist.compress(sorted(excluded))))
        return not wrong(answer) and answer.forecast == ours.forecast and (ours.forecast == seen.LATER or _told(answer) == _told(ours))

    def _keeps_off_taken_memory(self, request, ours):
        """Where GPUs have a default memory and CPUs have none, Slurm forecasts a job with GPUs only on nodes whose memory nobody uses."""
        settings = dict(self.scene.grounds.settings)
        if "DefMemPerGPU" not in settings or settings.get("DefMemPerCPU") != "0" or request.has("--mem", "--mem-per-cpu", "--mem-per-gpu"):
            return False
        late = f"{seen.LATER}, then {seen.STARTED}"
        def is_taken(node):
            partition = ("-p", request.value("-p")) if request.has("-p") else ()
            one = Request(request.command, (("-N1", "-n1", "--gpus=1", "-w", node, *partition),))
            answers = [self.oracle.again(one, plugin) for plugin in (FLAT, BLOCK)]
            return wrong(answers[answers[0].kind == seen.CRASHED]) == late  # of one named node both tell
        if not any(is_taken(node) for node in sorted(self.scene.busy_nodes() & set(ours.nodes))):
            return False
        return ours.forecast == seen.LATER or self._right_without(request, filter(is_taken, self.scene.busy_nodes()), ours)

    def _counts_nodes_given_back(self, request, ours):
        """Of one such node flat's forecast is as wrong; without them, ours is right."""
        given = {node for names in map(named_nodes, self.scene.busy) if names[0] in self.scene.shrunk for node in names[1:]}
        def is_kept(node):
            return wrong(self.oracle.again(Request(request.command, (("-N1", "-n1", "-w", node),)), FLAT)) == f"{seen.STARTED}, then {seen.WAITS}"
        kept = [node for node in sorted(given.intersection(*(part.nodes for part in ours.forecast_parts))) if is_kept(node)]
        excluded = {*given, *hostlist.expand(request.value("-x", "--exclude") or "")}
        return bool(kept) and self._right(request.without("-x").with_option("-x", hostlist.compress(sorted(excluded))))

    def _charges_whole_sockets(self, request):
        """Slurm looks at the memory of all CPUs of a job's sockets only when it starts it. With memory of the node all is right."""
        settings = dict(self.scene.grounds.settings)
        by_cpu = request.has("--mem-per-cpu") or (settings.get("DefMemPerCPU", "0") != "0" and not request.has("--mem", "--mem-per-gpu"))
        if not by_cpu or "CR_Socket_Memory" not in settings.get("SelectTypeParameters", ""):
            return False
        return self._right(request.without("--mem-per-cpu").with_option("--mem=1"))

    def _offers_more_than_a_start(self, request, ours):
        """On the forecast's nodes alone flat forecasts a start, and then the job does not start, or with other CPUs."""
        told = ours.forecast_parts[0].nodes
        if len(request.components) > 1 or request.has("-w") or set(told) == set(ours.nodes):
            return False
        answer = self.oracle.again(request.with_option("-w", hostlist.compress(told)), FLAT)
        return answer.forecast == seen.STARTED and bool(wrong(answer))

    def _prefers_nodes_with_jobs(self, request, ours):
        """Nodes with jobs are powering up, which only a start prefers to powered down. Each of the two places is right by itself."""
        told, up = ours.forecast_parts[0].nodes, self.scene.busy_nodes()
        if len(request.components) > 1 or request.has("-w") or len(told) != len(ours.nodes) or len(up & set(ours.nodes)) <= len(up & set(told)):
            return False
        answers = [self.oracle.again(request.with_option("-w", hostlist.compress(nodes))) for nodes in (told, ours.nodes)]
        return all(answer.started and not wrong(answer) for answer in answers) and _told(answers[0]) == _told(ours)

    def _leaves_jobs_for_a_start(self, request, ours):
        """Slurm forecasts without any job that can be preempted (_future_run_test()); for a start it ends one after the other until the job
        fits (_run_now()). The start leaves a job on the forecast's nodes; without all of them, and without those that it ends, ours has what
        was told, and then given.
        """
        told, then, busy = ours.forecast_parts[0], ours.parts[0], self.scene.busy_nodes()
        if len(request.components) > 1 or not set(told.nodes) & busy - set(ours.preempted):
            return False
        def amount(part):
            return len(part.nodes), part.cpus
        answers = [(self.oracle.without_jobs(request, sorted(nodes)), part) for nodes, part in ((busy, told), (ours.preempted, then))]
        return all(answer.started and not answer.preempted and amount(answer.parts[0]) == amount(part) for answer, part in answers)

    def _takes_one_of(self, request, ours):
        """Of -C '[a|b]' a job has nodes of one feature only: with the one that it has, the forecast is right; with each, if none."""
        choice = re.fullmatch(r"\[([^\]]*\|[^\]]*)\]", request.value("-C") or "")
        if not choice:
            return False
        answers = [self.oracle.again(request.without("-C").with_option("-C", feature)) for feature in choice[1].split("|")]
        if not ours.started:
            return all(not answer.started and not wrong(answer) for answer in answers)
        return _right_there(answers, ours)

    def _tries_one_partition(self, request, ours):
        """The forecast is the one for the first partition; with the one where the job starts, it is right."""
        first, *others = (request.value("-p") or "").split(",")
        plain = request.without("-p")
        if not others or _told(self.oracle.again(plain.with_option("-p", first))) != _told(ours):
            return False
        answers = [self.oracle.again(self._told_whole(plain.with_option("-p", other))) for other in others]
        return _right_there(answers, ours)

    def _numbers_left_out(self, request, ours):
        """The forecast is the one without the numbers, and that one is right."""
        if "*" not in (request.value("-C") or ""):
            return False
        answer = self.oracle.again(_without_numbers(request))
        return not wrong(answer) and _told(answer) == _told(ours)
