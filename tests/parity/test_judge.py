# SPDX-License-Identifier: GPL-2.0-or-later
"""The judge's own tests: planted faults are reported, and what is right is not. No slurmctld is asked."""

import unittest
from dataclasses import replace

from nvl72lab import hostlist
from nvl72lab.scenario import Site
from nvl72lab.trays import Grounds, Tray
from nvl72parity import node_campaign, seen, shrinker, whole_nodes
from nvl72parity.block_rules import Rules, Wish
from nvl72parity.judge import Judge
from nvl72parity.node_rules import NodeJudge
from nvl72parity.requests import JOB, RESERVATION, UPDATES, Request, request
from nvl72parity.scenes import Scene, scene
from nvl72parity.seen import CRASHED, HELD, LATER, REFUSED, STARTED, WAITS, Part, Seen
from nvl72parity.surroundings import surround, widen
from nvl72parity.trio import BLOCK, FLAT, OURS

SEED = "1"
GROUNDS = Grounds((4, 4, 4, 4), "4,8", trays=(Tray(2, 4, 1, 1000, 4),), settings=(("SelectTypeParameters", "CR_Core"),),
                  partitions=("PartitionName=main Nodes=ALL MaxTime=INFINITE",))
SCENE = Scene(0, GROUNDS)


def job(*options):
    """A request of one component."""
    return Request(JOB, (options,))


def started(nodes, cpus=4, gpus=0, told=None):
    """A job on these nodes, and the forecast that says so, or another one."""
    part = Part(STARTED, "None", tuple(hostlist.expand(nodes)), cpus, gpus)
    return Seen(STARTED, (part,), "", STARTED, (told or part,))


def placed(answer, node):
    """The same job, with the first CPU of that node."""
    return replace(answer, parts=(replace(answer.parts[0], places=((node, "0", ""),)),))


def other(kind, forecast=LATER):
    """A job that has not begun."""
    return Seen(kind, (Part(kind, "Resources"),), "", forecast)


class Oracle:
    """Answers the judge's questions with what a test gives: by default there is no place, and no forecast of another request."""

    def __init__(self, place=None, later=None, again=None):
        self.place, self.later, self.changed = place, later, again or {}

    def legal_place(self, *_):
        """Nodes that keep the rules."""
        return self.place

    def forecast_place(self, wanted, starts=False):
        """Nodes in service that keep the rules, for every request or by its options; where it `starts` none but those of such a key."""
        text = " ".join((*(["starts"] if starts else []), *wanted.options()))
        return self.later.get(text) if isinstance(self.later, dict) else self.later

    def without_jobs(self, wanted, nodes):
        """Ours' answer while the jobs on these nodes are gone."""
        return self.changed.get(" ".join((*wanted.options(), "without", hostlist.compress(nodes))), other(WAITS))

    def again(self, wanted, plugin=OURS):
        """A plugin's answer to a changed request."""
        return self.changed.get(" ".join((*([] if plugin == OURS else [plugin]), *wanted.options())), other(REFUSED, LATER))


class TheJudge(unittest.TestCase):
    """Doctored observations."""

    maxDiff = None

    def verdict(self, wanted, answers, scene_=SCENE, taken=None, **oracle):
        """What the judge says of ours, block's and flat's answers."""
        return Judge(scene_, Oracle(**oracle), taken).judge(wanted, dict(zip((OURS, BLOCK, FLAT), answers)))

    def assert_fault(self, part, wanted, *answers, **more):
        """One of the faults has this in it."""
        faults = self.verdict(wanted, answers, **more).faults
        self.assertTrue(any(part in fault for fault in faults), (part, faults))

    def assert_right(self, wanted, *answers, exempt=None, **more):
        """No fault; the exemption, if one is meant."""
        verdict = self.verdict(wanted, answers, **more)
        self.assertEqual(verdict.faults, [])
        self.assertTrue(exempt is None or any(exempt in name for name in verdict.exemptions), verdict.exemptions)

    def test_faults(self):
        plain, good = job("-n4"), started("r1n[01-02]")
        self.assert_right(plain, good, good, good)
        self.assert_right(plain, good, other(WAITS), other(REFUSED, REFUSED))
        self.assert_fault("block and flat start it", plain, other(WAITS), good, good)
        self.assert_fault("block starts it, ours does not (refused)", plain, other(REFUSED, REFUSED), good, other(WAITS))
        named = job("-n4", "-w", "r1n01,r1n03", "--contiguous")  # 24.11.5, seed 94
        self.assert_right(named, other(WAITS), other(WAITS), good, exempt="without all the nodes that -w names")
        self.assert_fault("flat starts it", named, other(WAITS), other(WAITS), started("r1n[01-03]"))
        taken = replace(good, errors=("error: gres/gpu: job 13 node r1n02 overallocated resources by 1, (3 > 2)",))  # 24.11.5, seed 77
        self.assert_right(plain, other(WAITS), other(WAITS), taken, exempt="GPUs that other jobs have")
        self.assert_fault("start it, ours does not", plain, other(WAITS), good, taken)
        self.assert_fault("overallocated", plain, taken, good, good)
        self.assert_fault("held for ever", plain, other(HELD), other(WAITS), other(WAITS))
        self.assert_fault("held for ever", plain, other(HELD, STARTED), good, good)
        # 24.11.5, seed 1.
        two, torn = job("-N2"), started("r2n01,r3n01")
        self.assert_right(two, other(HELD), other(HELD), torn, exempt="held by block, too")
        self.assert_fault("held for ever", two, other(HELD), other(HELD), good)
        self.assert_fault("held for ever", two, other(HELD), other(WAITS), torn)
        # What sbatch would have refused is held where it came by an update.
        late = replace(job("-n4", "-C", "all"), late=("-C",))
        self.assertEqual((late.updates(), late.submitted()), (("Features=all",), ("-n4", "--hold")))
        self.assert_right(late, other(HELD, ""), other(HELD, ""), other(WAITS, ""))
        self.assert_fault("block and flat start it", late, other(HELD, ""), good, good)
        three, counted = started("r1n[01-03]"), job("-N2", "-n4")  # 26.05.3, seed 6104
        self.assert_fault("3 nodes", counted, three, other(WAITS), three)
        self.assert_fault("3 nodes", replace(counted, late=("-N",)), three, other(WAITS), good)
        self.assert_right(replace(counted, late=("-N",)), three, other(WAITS), three)
        never = other(REFUSED, REFUSED)
        self.assert_right(job("-N3", "-n2", "--gpus=7"), never, replace(three, parts=(replace(three.parts[0], gpus=7),)), never, exempt="-N allows")
        ended = replace(good, preempted=("r1n02", "r3n01"))
        self.assert_fault("for nothing: r3n01", plain, ended, good, good)
        self.assert_right(job("-n4", "--array=0-1"), ended, good, good)
        three, fewer, torn = started("r1n[01-03]", cpus=4), started("r2n[01-02]", cpus=4), started("r1n01,r2n01", cpus=4)
        self.assert_fault("3 nodes", plain, three, fewer, torn)
        preempting = replace(fewer, preempted=("r2n01",))  # 24.11.5, seed 6101
        self.assert_right(plain, three, preempting, torn, exempt="at a smaller level")
        self.assert_right(plain, three, preempting, preempting, exempt="preempt jobs")
        self.assert_fault("3 nodes", plain, replace(three, preempted=("r1n02",)), preempting, torn)
        self.assert_right(plain, ended, ended, good)
        self.assert_right(plain, replace(good, preempted=("r1n02",)), good, good)
        self.assert_fault("CPUs of another job: 0 of r1n01", plain, placed(good, "r1n01"), good, good, taken={"r1n01": {"0"}})
        self.assert_right(plain, replace(placed(good, "r1n01"), preempted=("r1n01",)), good, good, taken={"r1n01": {"0"}})
        listed = [started(nodes) for nodes in ("r1n[01-03]", "r1n[01-02]", "r1n[01-02]")]
        self.assert_right(job("-N2,3", "--gpus=2"), *[replace(each, parts=(replace(each.parts[0], gpus=2),)) for each in listed], exempt="a range")
        torn, whole = (started(nodes, gpus=3) for nodes in ("r1n01,r2n01", "r1n[01-02]"))  # 24.11.5, seed 10004: each count is one of its own
        self.assert_right(job("-N2,3", "--gpus=3"), other(WAITS), never, torn, exempt="against the rules of blocks")
        self.assert_fault("flat starts it", job("-N2-3", "--gpus=3"), other(WAITS), never, torn)
        self.assert_fault("flat starts it", job("-N2,3", "--gpus=3"), other(WAITS), never, whole)
        self.assert_fault("flat starts it", job("-N2,4", "--gpus=3"), other(WAITS), never, torn)  # 24.11.5, seed 12001: a range, then
        self.assert_fault("3 nodes, others [2, 2]", plain, started("r1n[01-03]"), good, good)
        self.assert_fault("3 cpus, others [4, 4]", plain, started("r1n[01-02]", cpus=3), good, good)
        self.assert_fault("1 gpus, others [2, 2]", job("--gpus=2"), started("r1n01", gpus=1), *[started("r1n01", gpus=2)] * 2)
        self.assert_fault("not in one block of 4", job("-N2"), started("r1n01,r2n01"), good, good)
        self.assert_fault("3 nodes", job("-N2"), started("r1n[01-03]"), started("r1n[01-03]"), started("r1n[01-03]"))
        later = replace(other(WAITS), forecast_parts=(Part(STARTED, "", ("r1n01", "r1n02"), 2),))
        one_busy = replace(SCENE, busy=(("-N1", "-w", "r1n02", "-c2"),))
        self.assert_fault("refused for good", job("-N2"), other(REFUSED, REFUSED), later, other(WAITS), scene_=one_busy)
        self.assert_right(job("-N1"), other(REFUSED, REFUSED), later, other(WAITS), exempt="than -N allows", scene_=one_busy)
        self.assert_right(job("-N2"), other(REFUSED, REFUSED), later, other(WAITS), exempt="for nodes that are idle",
                          scene_=SCENE)
        self.assert_fault("slurmctld is gone", plain, Seen(seen.CRASHED), good, good)
        self.assert_fault("sync loop", plain, replace(good, errors=("error: sync loop not progressing",)), good, good)
        self.assert_right(plain, *[replace(good, errors=(f"error: job {number} is odd",)) for number in (1, 23, 4)])
        self.assert_right(plain, *[replace(good, errors=(f"error: job 1 is odd on node {node}",)) for node in ("r4n01", "out02", "out02")])

    def test_cpus_of_other_jobs(self):
        plain, good = job("-n4"), started("r1n[01-02]")
        ours = replace(good, parts=(replace(good.parts[0], places=(("r1n01", "0-1", ""), ("r1n02", "2-3", ""))),))
        others = {"r1n02": frozenset(("3", "4")), "r1n03": frozenset(("0",))}
        self.assert_fault("has CPUs of another job: 3 of r1n02", plain, ours, good, good, taken=others)
        self.assert_right(plain, ours, good, good, taken={"r1n02": frozenset(("4",))})
        shared = replace(SCENE, grounds=replace(GROUNDS, partitions=("PartitionName=main Nodes=ALL OverSubscribe=FORCE:2",)))
        self.assert_right(plain, ours, good, good, taken=others, scene_=shared)

    def test_tasks_that_slurm_counts_twice(self):
        """26.05.3 (seed 92): on nodes with threads Slurm itself fails with --ntasks-per-socket, whatever plugin chose them."""
        wanted, good = job("-n1", "--ntasks-per-socket=1", "--gpus-per-task=1"), started("r2n01")
        failed = replace(other(WAITS, REFUSED), errors=("error: _build_tasks_per_node_sock: rem_tasks not zero (1 > 0)",))
        trays = (replace(GROUNDS.trays[0], threads=2), GROUNDS.trays[0])
        mixed = replace(SCENE, grounds=replace(GROUNDS, trays=trays, small=("r1n01",)))
        single, threaded = "r1n01", "r1n02"
        self.assert_right(wanted, failed, started(single), started(single), scene_=mixed, exempt="counts tasks beyond")
        self.assert_fault("rem_tasks", wanted, failed, started(single), started(threaded), scene_=mixed)
        self.assert_fault("block and flat start it", wanted, other(WAITS), started(single), started(single), scene_=mixed)
        self.assert_fault("rem_tasks", job("-n1", "--gpus-per-task=1"), failed, good, good)

    def test_forecasts(self):
        plain, good = job("-n4"), started("r1n[01-02]")
        wide = replace(good.parts[0], nodes=("r1n01", "r1n02", "r1n03"))
        for told in (replace(good, forecast=LATER), replace(good, forecast=REFUSED), started("r1n[01-02]", told=wide),
                     started("r1n[01-02]", told=replace(good.parts[0], cpus=9)), other(WAITS, STARTED), other(WAITS, REFUSED)):
            right = good if told.started else other(WAITS)
            self.assert_fault("forecast: ", plain, told, right, right)
            self.assert_right(plain, told, told, right, exempt="a wrong forecast, as block's")
            self.assert_right(plain, told, other(REFUSED, REFUSED), told, exempt="as flat's, where block refuses")
        # 24.11.5, seed 301, and 26.05.3, seed 402: flat's forecast of the components refuses what it does not, or is none.
        pair, untold, refused = Request(JOB, (("-N1",), ("-N2",))), other(WAITS, REFUSED), other(REFUSED, REFUSED)
        for flat in (replace(good, forecast=REFUSED), other(WAITS, "")):
            self.assert_right(pair, untold, refused, flat, exempt="no forecast of components", again={"-N1": good, "-N2": good})
            self.assert_fault("forecast: ", job("-N1"), untold, refused, flat)
        self.assert_fault("forecast: ", pair, untold, refused, other(WAITS))
        self.assert_right(pair, untold, other(WAITS, ""), other(WAITS, ""), exempt="no forecast of components")  # 26.05.3, seed 92
        array = replace(good, kind=WAITS, parts=(*good.parts, Part(WAITS, "Resources")))
        self.assert_right(job("-N2", "--array=0-1"), array, array, array)
        self.assert_right(job("-N2", "--array=0-1"), array, replace(array, forecast=LATER), array)
        late = other(WAITS, STARTED)  # the memory of whole sockets is looked at only when a job is started
        socket = replace(SCENE, grounds=replace(GROUNDS, settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", "50"))))
        self.assert_right(plain, late, other(WAITS), late, scene_=socket, again={"-n4 --mem=1": good}, exempt="memory of whole sockets")
        self.assert_fault("forecast: ", plain, late, other(WAITS), late, scene_=socket, again={"-n4 --mem=1": late})
        self.assert_fault("forecast: ", plain, late, other(WAITS), other(WAITS), scene_=socket, again={"-n4 --mem=1": good})
        self.assert_fault("forecast: ", job("-n4", "--mem=5"), late, other(WAITS), late, scene_=socket)
        self.assert_fault("forecast: ", plain, late, other(WAITS), late, again={"-n4 --mem=1": good})
        # However far ahead it is: a start after the jobs that wait before it.
        far = replace(good, forecast=LATER, forecast_parts=(replace(good.parts[0], reason="2094-12-28T00:00:00"),))
        self.assert_fault("forecast: ", plain, far, good, good)

    def test_forecasts_where_jobs_outside_the_partition_run(self):
        """24.11.5, seed 97: a rack is never free for --exclusive=topo where a job runs on a node of another partition."""
        scene_ = replace(SCENE, busy=(("-N1", "-w", "r1n04"),), grounds=replace(GROUNDS, partitions=(
            *GROUNDS.partitions, "PartitionName=second Nodes=r1n[01-03],r2n[01-04]")))
        never, waits = other(REFUSED, REFUSED), other(WAITS, REFUSED)
        alone = job("-N7", "--exclusive=topo", "-p", "second")
        self.assert_right(alone, waits, never, never, exempt="nodes that it cannot have", scene_=scene_)
        self.assert_fault("refused, then waits", job("-N7", "--exclusive=topo"), waits, never, never, scene_=scene_, later="r1n01")
        self.assert_fault("refused, then waits", job("-N7", "-p", "second"), waits, never, never, scene_=scene_, later="r1n01")
        # 25.05.8, seed 8001: the job's node has too few CPUs for a task of this one.
        small = replace(SCENE, busy=(("-N1", "-w", "r1n04"),), grounds=replace(GROUNDS, trays=(GROUNDS.trays[0], Tray(1, 4, 1, 500, 4)), small=("r1n04",)))
        for each, right in ((6, self.assert_right), (4, lambda *args, exempt, **more: self.assert_fault("refused, then waits", *args, **more))):
            right(job("-N7", f"-c{each}", "--exclusive=topo"), waits, never, never, exempt="nodes that it cannot have", scene_=small, later="r1n01")
        beside, named = replace(SCENE, busy=(("-N1", "-w", "r1n04"),)), job("--exclusive=topo", "-w", "r1n01,r2n01")  # 25.05.8, seed 7001
        self.assert_right(named, waits, never, never, exempt="nodes that it cannot have", scene_=beside)
        self.assert_fault("refused, then waits", named, waits, never, never, later="r1n01")
        self.assert_fault("refused, then waits", job("--exclusive=topo", "-w", "r3n01,r2n01"), waits, never, never, scene_=beside, later="r2n01")

    def test_forecasts_of_jobs_that_begin_later(self):
        """26.05.3, seed 10303: forecast to start then; block alone forecasts it for later. Without --begin it starts as forecast."""
        late, good = job("-n5", "--begin=now+1hour"), started("r1n01")
        begins = replace(other(WAITS, STARTED), parts=(Part(WAITS, "BeginTime"),), forecast_parts=good.parts)
        later = replace(begins, forecast=LATER)
        self.assert_right(late, begins, later, begins, again={"-n5": good}, exempt="its --begin")
        self.assert_fault("forecast: ", late, begins, later, begins, again={"-n5": other(WAITS, STARTED)})
        self.assert_fault("forecast: ", job("-n5"), begins, later, later, again={"-n5": good})
        self.assert_fault("forecast: ", late, replace(begins, parts=(Part(WAITS, "Resources"),)), later, later, again={"-n5": good})

    def test_forecasts_on_nodes_that_a_job_has_given_back(self):
        """24.11.5, seed 7301; 26.05.3, seed 10303: they are idle, and Slurm starts nothing there."""
        laid = replace(SCENE, busy=(("-N2", "-w", "r1n[01-02]", "--exclusive"),), shrunk=("r1n01",))
        waits, three = replace(other(WAITS, STARTED), forecast_parts=started("r1n[02-04]").parts), job("-N3")
        one, rest = {"flat -N1 -n1 -w r1n02": replace(waits)}, {"-N3 -x r1n02": other(WAITS, LATER)}
        self.assert_right(three, waits, other(REFUSED, REFUSED), other(WAITS), again={**one, **rest}, scene_=laid, exempt="given back")
        for again, scene_ in (({**one}, laid), (rest, laid), ({**one, "-N3 -x r1n02": waits}, laid), ({**one, **rest}, replace(laid, shrunk=()))):
            self.assert_fault("forecast: ", three, waits, other(REFUSED, REFUSED), other(WAITS), again=again, scene_=scene_)
        elsewhere = replace(waits, forecast_parts=started("r2n[02-04]").parts)
        self.assert_fault("forecast: ", three, elsewhere, other(REFUSED, REFUSED), other(WAITS), again={**one, **rest}, scene_=laid)
        fewer = replace(started("r2n[01-02]"), forecast_parts=waits.forecast_parts)  # on the other nodes it starts (24.11.5, seed 12001)
        sized, good = job("--gpus=6"), {"--gpus=6 -x r1n02": started("r2n[01-02]")}
        self.assert_right(sized, fewer, other(REFUSED, REFUSED), other(WAITS), again={**one, **good}, exempt="given back", scene_=laid)
        for again in (one, good, {**one, "--gpus=6 -x r1n02": fewer}):
            self.assert_fault("forecast: ", sized, fewer, other(REFUSED, REFUSED), other(WAITS), again=again, scene_=laid)

    def test_forecasts_of_ranges_that_end_above_a_limit(self):
        """25.05.8, seed 7001: Slurm holds starts alone to MaxNodes."""
        scene_ = replace(SCENE, grounds=replace(GROUNDS, partitions=(f"{GROUNDS.partitions[0]} MaxNodes=2",)))
        limited = replace(other(WAITS, STARTED), parts=(Part(WAITS, "PartitionNodeLimit"),))
        never, good = other(REFUSED, REFUSED), started("r1n[01-02]")
        self.assert_right(job("-N1-3"), limited, never, never, again={"-N1-2": good}, exempt="end of a range", scene_=scene_)
        self.assert_fault("forecast: ", job("-N1-3"), limited, never, never, again={"-N1-2": replace(good, forecast=REFUSED)}, scene_=scene_)
        self.assert_fault("forecast: ", job("-N1-2"), limited, never, never, again={"-N1-2": good}, scene_=scene_)
        self.assert_fault("forecast: ", job("-N1-3"), limited, never, never, again={"-N1-2": good})
        # 24.11.5, seed 9821: the named nodes keep the rules only in a range so long, and the forecast is of these alone.
        named, ten = job("-N2-11", "-w", "r1n01,r3n01"), replace(SCENE, grounds=replace(GROUNDS, partitions=(f"{GROUNDS.partitions[0]} MaxNodes=10",)))
        waits, flat, free = replace(limited, forecast=REFUSED), limited, started("r1n[01-04],r2n[01-04],r3n[01-02]")
        self.assert_right(named, waits, never, flat, again={"-N2-10": free}, exempt="named nodes alone", scene_=ten)
        self.assert_fault("forecast: ", named, waits, never, other(WAITS, STARTED), again={"-N2-10": free}, scene_=ten)
        self.assert_fault("forecast: ", named, waits, never, flat, again={"-N2-10": replace(free, forecast=REFUSED)}, scene_=ten)

    def test_sockets_without_memory(self):
        """25.11.7, seed 7101: Slurm charges whole sockets only when it starts a job."""
        settings = (("SelectTypeParameters", "CR_Socket_Memory"),)
        scene_ = replace(SCENE, grounds=replace(GROUNDS, settings=settings), busy=(("-N1", "-w", "r1n01"),))
        never, later = other(REFUSED, REFUSED), replace(other(WAITS), forecast_parts=started("r1n[01-02]").parts)
        self.assert_right(job("-N2", "--mem-per-cpu=251"), never, later, never, exempt="more CPUs than memory", scene_=scene_)
        self.assert_fault("refused for good", job("-N2", "--mem-per-cpu=250"), never, later, never, scene_=scene_)
        core = replace(scene_, grounds=GROUNDS)
        self.assert_fault("refused for good", job("-N2", "--mem-per-cpu=251"), never, later, never, scene_=core)
        # 24.11.5, seed 9803: of whole nodes all CPUs, also those that the partition limits.
        whole = (f"{GROUNDS.partitions[0]} OverSubscribe=EXCLUSIVE MaxCPUsPerSocket=1",)
        def with_whole_nodes(parameters, each):
            settings = (("SelectTypeParameters", parameters), ("DefMemPerCPU", each))
            return replace(scene_, grounds=replace(GROUNDS, settings=settings, partitions=whole))
        self.assert_right(job("-N2"), never, later, never, exempt="more CPUs than memory", scene_=with_whole_nodes("CR_CPU_Memory", "126"))
        self.assert_fault("refused for good", job("-N2"), never, later, never, scene_=with_whole_nodes("CR_CPU_Memory", "125"))
        self.assert_fault("refused for good", job("-N2"), never, later, never, scene_=with_whole_nodes("CR_CPU", "126"))
        self.assert_fault("refused for good", job("-N2", "--mem=1"), never, later, never, scene_=with_whole_nodes("CR_CPU_Memory", "126"))
        # Ours starts at its second try.
        waits, memory = replace(other(WAITS), forecast=STARTED), "-n4 --mem=1"
        fewer = started("r1n[01-02]", cpus=4, told=started("r1n[01-02]", cpus=8).parts[0])
        self.assert_right(job("-n4", "--mem-per-cpu=9"), fewer, never, waits, again={memory: started("r1n01")}, scene_=scene_)
        charged = replace(scene_, grounds=replace(scene_.grounds, settings=settings))
        good = started("r1n[01-02]", cpus=4)
        self.assert_fault("forecast: ", job("-n4", "--mem-per-cpu=9"), fewer, good, waits, again={memory: replace(good, forecast=LATER)}, scene_=charged)
        self.assert_fault("forecast: ", job("-n4", "--mem-per-cpu=9"), fewer, good, good, again={memory: good}, scene_=charged)

    def test_sockets_of_which_no_node_has_the_memory(self):
        """24.11.5, seed 9603: block forecasts what it never starts, as it charges the CPUs of whole sockets then."""
        never = other(REFUSED, REFUSED)
        waits = replace(other(WAITS), forecast_parts=started("r1n[01-02]", cpus=16).parts)  # 2,000 MB
        def beside(memory):
            settings = (("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", memory))
            return replace(SCENE, busy=(("-N1", "-w", "r1n01"),), grounds=replace(GROUNDS, settings=settings))
        self.assert_right(job("-N2", "-n5"), never, waits, never, exempt="more CPUs than memory", scene_=beside("150"))
        self.assert_fault("refused for good", job("-N2", "-n5"), never, waits, never, scene_=beside("100"))
        self.assert_fault("refused for good", job("-N2", "-n5", "--mem=10"), never, waits, never, scene_=beside("150"))

    def test_sockets_with_fewer_gpus(self):
        """24.11.5, seed 9603: a job with cores on both sockets of a node has its one GPU."""
        wanted = job("-n2", "--sockets-per-node=1", "--gpus-per-socket=l:1")
        def at(nodes, gpus, *places):
            answer = started(nodes, cpus=8, gpus=gpus)
            return replace(answer, parts=(replace(answer.parts[0], places=places),))
        two, one = at("r1n[01-02]", 2, ("r1n[01-02]", "0-3", "")), at("r1n01", 1, ("r1n01", "0-7", ""))
        self.assert_right(wanted, two, one, one, exempt="on more sockets")
        self.assert_fault("2 nodes", wanted, two, one, at("r1n01", 2, ("r1n01", "0-7", "")))
        self.assert_fault("2 nodes", wanted, at("r1n[01-02]", 2, ("r1n[01-02]", "0-7", "")), one, one)

    def test_a_line_of_jobs_on_fewer_sockets(self):
        """26.05.3, seed 10301: Slurm complains of the job's one socket, for which it has a GPU; the others choose a node that never does."""
        line = "error: _set_sock_bits: Inconsistent requested/allocated socket count (2 > 1) for job 7 on node r2n01 (node_inx 5)"
        wanted = job("-n1", "--sockets-per-node=2", "--gpus-per-socket=1")
        def ours(ids, *errors, gpus=1):
            answer = started("r2n01", cpus=2, gpus=gpus)
            return replace(answer, errors=errors, parts=(replace(answer.parts[0], places=(("r2n01", ids, ""),)),))
        waits = replace(other(WAITS, REFUSED), errors=("error: _set_sock_bits: Insufficient gres/gpu allocated for job 2 on node r1n01 (node_inx 0)",))
        self.assert_right(wanted, ours("0-1", line), waits, waits, exempt="fewer sockets")
        self.assert_fault("Inconsistent", wanted, ours("0-1", line), ours("0-1"), waits)
        self.assert_fault("Inconsistent", wanted, ours("0-1", line, gpus=0), waits, waits)
        self.assert_fault("Inconsistent", wanted, ours("0,4", line), waits, waits)
        self.assert_fault("Inconsistent", job("-n1"), ours("0-1", line), waits, waits)
        self.assert_fault("another", wanted, ours("0-1", line, "error: another"), waits, waits)
        # 26.05.3, seed 11302: it waits for the node of another job.
        busy = replace(SCENE, busy=(("-N1", "-w", "r2n01"),))
        behind, key = replace(waits, errors=(line,)), "-n1 --sockets-per-node=2 --gpus-per-socket=1 without r2n01"
        self.assert_right(wanted, behind, waits, waits, scene_=busy, again={key: ours("0-1", line)}, exempt="fewer sockets")
        self.assert_fault("Inconsistent", wanted, behind, waits, waits, scene_=busy, again={key: ours("0,4", line)})
        self.assert_fault("Inconsistent", wanted, behind, waits, waits, scene_=busy)

    def test_a_line_of_the_nodes(self):
        """24.11.5, seed 12001: Slurm puts three tasks on whole nodes with two GPUs; flat does so, too, when it has no other nodes."""
        line = "error: _set_task_bits: Insufficient gres/gpu allocated for job {} on node_inx 9 (gres still needed 1, total requested: 3)"
        mixed = replace(SCENE, grounds=replace(GROUNDS, trays=(*GROUNDS.trays, Tray(2, 2, 1, 1000, 2)), small=("r1n04", "r2n01")))
        wanted = job("-n9", "--gpus-per-task=1")
        def at(nodes, *errors, gpus=10, cpus=20):
            return replace(started(nodes, cpus=cpus, gpus=gpus), errors=errors)
        ours, waits = at("r1n[02-04]", line.format(7)), other(WAITS, REFUSED)
        key = "flat -n9 --gpus-per-task=1 -x r1n01,r2n[01-04],r3n[01-04],r4n[01-04]"
        def there(*errors, **more):
            return {key: at("r1n[02-04]", *errors, **more)}
        written = there(line.format(8))
        for flat in (waits, at("r2n[02-04]")):
            self.assert_right(wanted, ours, waits, flat, scene_=mixed, again=written, exempt="another plugin writes, too")
        named = {f"{key} -w r1n[02-04]": written[key], key: at("r1n[02-03]", line.format(8))}
        self.assert_right(wanted.with_option("--spread-job"), ours, waits, waits, scene_=mixed, again=named, exempt="another plugin writes, too")
        for again in ({}, there(), there("error: another"), there(line.format(8), gpus=11), there(line.format(8), cpus=21),
                      {key: replace(waits, errors=(line.format(8),))}, {key: at("r1n[01-04]", line.format(8))}):
            self.assert_fault("Insufficient", wanted, ours, waits, waits, scene_=mixed, again=again)
        # One of our own beside it; the others do without it on nodes like these; fewer GPUs than asked for; a job that waits.
        self.assert_fault("another", wanted, at("r1n[02-04]", line.format(7), "error: another"), waits, waits, scene_=mixed, again=written)
        self.assert_fault("Insufficient", wanted, ours, waits, at("r2n[01-03]"), scene_=mixed, again=written)
        self.assert_fault("Insufficient", wanted, at("r1n[02-04]", line.format(7), gpus=8), waits, waits, scene_=mixed, again=there(line.format(8), gpus=8))
        self.assert_fault("Insufficient", wanted, replace(waits, errors=(line.format(7),)), waits, waits, scene_=mixed, again=written)

    def test_segments_of_more_than_a_base_block(self):
        """24.11.5, seed 9803: segments of eight on two racks of five each do not lie in racks with 1, 5, 5 and 5 nodes."""
        rules = Rules(replace(GROUNDS, racks=(5, 6, 5, 5), sizes="5"))
        def right(names, size=8):
            return not rules.faults(hostlist.expand(names), Wish(segment=size))
        self.assertFalse(right("r1n05,r2n[01-05],r3n[01-05],r4n[01-05]"))
        self.assertTrue(right("r1n[03-05],r2n[01-05],r3n[01-05],r4n[01-03]"))
        self.assertTrue(right("r1n[04-05],r2n[01-06],r3n[01-05],r4n[01-03]"))
        self.assertTrue(right("r1n[01-04],r2n[01-04],r3n[01-04],r4n[01-04]", 4))

    def test_segments_where_no_node_of_a_block_is_left(self):
        """24.11.5, --whole-nodes, seed 12001: block places them in no block, as is listed; one idle node of a block, and it does not."""
        made = whole_nodes.Scene(0, Site((4, 4), "2,4", outside=5), [], {})
        case = whole_nodes.Case(("out04",), whole_nodes.Request(3, segment=3, more=("--gpus-per-node=4",)))
        full = [node for node in made.site.nodes() if not node.startswith("out")]
        there = hostlist.expand("out[01-03]")
        def faults(busy, stock, request=case.request):
            judge = NodeJudge(made, replace(case, request=request), busy)
            return node_campaign.unlisted(judge, stock, (24, 11)) or node_campaign.faults(judge, stock, "later")
        self.assertEqual(faults(full, there), [])
        self.assertEqual(faults(full, there, whole_nodes.Request(3)), ["block finds a place"])
        two, place, above = whole_nodes.Request(2, segment=2), ["block finds a place"], ["block places segments above the base size"]
        self.assertEqual(faults(full, there[:2], two), [])
        for busy, stock in ((full[1:], there), (full[3:], full[:3]), (full, [*there[:2], "out04"])):
            self.assertEqual((faults(busy, stock), faults(busy, stock[-2:], two)), (above, place))

    def test_a_line_of_spread_jobs(self):
        """26.05.3, seed 9902: Slurm's own way of --spread-job says so whenever it fails."""
        told = replace(other(WAITS), errors=("error: _eval_nodes_get_action: eval_action not set, using default",))
        def faults(release, *options):
            answers = dict(zip((OURS, BLOCK, FLAT), (told, other(WAITS), other(WAITS))))
            return Judge(SCENE, Oracle(), None, release).judge(job("-n4", *options), answers).faults
        self.assertFalse(faults((26, 5, 3), "--spread-job"))
        self.assertTrue(faults((26, 5, 3)))
        self.assertTrue(faults((24, 11, 5), "--spread-job"))

    def test_gpus_of_each_task(self):
        """24.11.5, seed 9801: three tasks of two GPUs each have six on three nodes, and with the others four on two."""
        wanted, three, two = job("-n3", "--gpus-per-task=2"), started("r1n[01-03]", 24, 6), started("r1n[01-02]", 16, 4)
        self.assert_right(wanted, three, two, two, exempt="--gpus-per-task")
        self.assert_fault("3 nodes", wanted, three, two, started("r1n[01-02]", 16, 6))
        self.assert_fault("3 nodes", job("-n2", "--gpus-per-task=2"), three, two, two)
        self.assert_fault("does not", wanted, other(REFUSED, REFUSED), two, two)

    def test_cores_of_each_task(self):
        """24.11.5, seed 9801: cores near the GPU are for two tasks on each node; the others put three there."""
        grounds = replace(GROUNDS, trays=(Tray(2, 2, 2, 1000, 2),), settings=(("SelectTypeParameters", "CR_Core,CR_ONE_TASK_PER_CORE"),))
        def on(nodes, cpus, ids):
            answer = started(nodes, cpus, 1)
            return replace(answer, parts=(replace(answer.parts[0], places=((nodes, ids, ""),)),))
        wanted, two, one = job("-n3", "--gpus-per-node=1"), on("r1n[01-02]", 8, "0-3"), on("r1n01", 4, "0-3")
        own = replace(SCENE, grounds=grounds)
        self.assert_right(wanted, two, one, one, scene_=own, exempt="despite CR_ONE_TASK_PER_CORE")
        self.assert_fault("2 nodes", wanted, two, one, on("r1n01", 6, "0-5"), scene_=own)
        self.assert_fault("2 nodes", job(*wanted.options(), "--overcommit"), two, one, one, scene_=own)
        self.assert_fault("2 nodes", wanted, two, one, one, scene_=replace(SCENE, grounds=replace(grounds, settings=GROUNDS.settings)))
        self.assert_fault("does not", wanted, other(REFUSED, REFUSED), one, one, scene_=own)
        apart, each = job("-n2", "--ntasks-per-socket=1", "--gpus-per-node=1"), (on("r1n01", 2, "0-1"), on("r1n01", 4, "0-1,4-5"))
        self.assert_right(apart, two, each[0], each[0], scene_=own, exempt="than --ntasks-per-socket allows")  # 25.11.7, seed 12202
        self.assert_fault("2 nodes", apart, two, *each, scene_=own)

    def test_places_that_prove_nothing(self):
        """25.05.8, seed 12104: of five nodes for four tasks one had no CPU and no GPU."""
        judge, wanted = Judge(SCENE, Oracle()), job("-n4", "--gpus=8")
        self.assertTrue(judge.proves(wanted, started("r1n[01-02]", gpus=8)))
        for answer in (started("r1n[01-02]", gpus=7), started("r1n[01-05]", gpus=8),
                       replace(started("r1n[01-02]", gpus=8), errors=("error: gres/gpu: job 13 node r1n02 overallocated resources by 1, (3 > 2)",))):
            self.assertFalse(judge.proves(wanted, answer))
        self.assertFalse(judge.proves(job("-N1", "--gpus=8"), started("r1n[01-02]", gpus=8)))
        self.assertFalse(judge.proves(job("-n4", "-w", "r1n03"), started("r1n[01-02]")))

    def test_nodes_that_slurm_does_not_offer_at_submission(self):
        """25.11.7, seed 12202: with more memory per CPU than a node has, and less per GPU."""
        wanted, ours, two = job("-N2"), replace(other(REFUSED, STARTED), forecast_parts=started("r1n[01-02]").parts), started("r1n[01-02]")
        rest = "flat -N2 -x r1n[03-04],r2n[01-04],r3n[01-04],r4n[01-04]"
        self.assert_right(wanted, ours, other(REFUSED, STARTED), two, exempt="not offer at submission", again={rest: other(REFUSED, REFUSED)})
        self.assert_fault("flat starts it", wanted, ours, other(REFUSED, STARTED), two, again={rest: two})
        self.assert_fault("flat starts it", wanted, other(REFUSED, REFUSED), other(REFUSED, REFUSED), two)

    def test_sizes_of_the_nodes_of_components(self):
        """25.11.7, seed 7101: the components have the same two nodes, the other way round."""
        trays = (Tray(2, 3, 1, 1000, 2), Tray(1, 8, 2, 500, 2))
        scene_ = replace(SCENE, grounds=replace(GROUNDS, trays=trays, small=("r3n01",)))
        pair = Request(JOB, (("-n1",), ("-n1",)))
        def both(first, second):
            parts = tuple(Part(STARTED, "None", (node,), cpus) for node, cpus in (first, second))
            return Seen(STARTED, parts, "", "", ())
        ours, swapped = both(("r1n01", 3), ("r3n01", 16)), both(("r3n01", 16), ("r1n01", 6))
        self.assert_right(pair, ours, swapped, other(WAITS, ""), exempt="another size", scene_=scene_)
        self.assert_fault("19 cpus", pair, ours, both(("r1n01", 6), ("r3n01", 16)), both(("r1n01", 6), ("r3n01", 16)), scene_=scene_)
        hungry = Request(JOB, (("-n4",), ("-n1",)))
        self.assert_fault("19 cpus", hungry, ours, swapped, swapped, scene_=scene_)

    def test_gpus_of_whole_nodes_of_components(self):
        """26.05.3, seed 10302: the second component asks for none; each has all GPUs of its nodes, the first as many as its tasks need."""
        trays = (Tray(2, 4, 1, 1000, 4), Tray(1, 8, 1, 500, 2))
        whole = replace(GROUNDS, trays=trays, small=("r1n03", "r1n04"), partitions=(f"{GROUNDS.partitions[0]} OverSubscribe=EXCLUSIVE",))
        pair, scene_ = Request(JOB, (("-n6", "--gpus-per-task=1"), ("-n1",))), replace(SCENE, grounds=whole)
        def both(first, gpus, second, more):
            parts = tuple(Part(STARTED, "None", tuple(hostlist.expand(nodes)), 16, count) for nodes, count in ((first, gpus), (second, more)))
            return Seen(STARTED, parts, "", "", ())
        theirs = both("r2n[01-02]", 8, "r1n03", 2)
        self.assert_right(pair, both("r1n[02-03]", 6, "r1n04", 2), theirs, theirs, scene_=scene_, exempt="as many GPUs as --gpus")
        self.assert_fault("7 gpus", pair, both("r1n[02-03]", 5, "r1n04", 2), theirs, theirs, scene_=scene_)
        self.assert_fault("7 gpus", pair, both("r1n[02-03]", 6, "r1n04", 1), theirs, theirs, scene_=scene_)
        self.assert_fault("4 gpus", pair, both("r1n04", 2, "r1n03", 2), theirs, theirs, scene_=scene_)

    def test_forecasts_as_flats_node_for_node(self):
        """25.11.7, seed 98: a range of nodes with GPUs is forecast without the node that runs another job, and has it then."""
        wanted = job("-N1-7", "--gres=gpu:3")
        ours = started("r1n[01-03]", told=Part(STARTED, "None", ("r1n02", "r1n03"), 4))
        block = started("r1n01", told=Part(STARTED, "None", ("r1n02",), 4))
        self.assert_right(wanted, ours, block, ours, exempt="node for node")
        self.assert_fault("2 nodes, then 3", wanted, ours, started("r1n01"), ours)
        elsewhere = started("r1n[01-03]", told=Part(STARTED, "None", ("r1n01", "r1n02"), 4))
        self.assert_fault("2 nodes, then 3", wanted, ours, block, elsewhere)
        # 24.11.5, seed 9602: other CPUs than forecast, as flat's, and block starts nothing.
        tasks, more = job("-n4", "--gpus-per-task=3"), started("r1n01", cpus=12, told=Part(STARTED, "None", ("r1n01",), 16))
        self.assert_right(tasks, more, other(WAITS), more, exempt="lets the job wait")
        self.assert_fault("16 CPUs, then 12", tasks, more, started("r1n01", cpus=12), more)
        self.assert_fault("16 CPUs, then 12", tasks, more, other(WAITS), started("r1n01", cpus=12, told=Part(STARTED, "None", ("r1n01",), 14)))

    def test_forecasts_of_jobs_that_wait(self):
        """Refused, then pending: right where Slurm's forecast leaves out what the job waits for, and only there."""
        plain, refused, later = job("-n4"), other(WAITS, REFUSED), other(WAITS)
        few, apart = job("-N2", "--switches=1"), started("r1n01,r2n01")
        right = "waits for its --switches"
        self.assert_right(few, refused, later, later, again={"-N2": apart}, exempt=right)
        self.assert_right(few, refused, later, later, again={"-N2": later}, exempt=right)
        self.assert_fault("forecast: ", few, refused, later, later, again={"-N2": refused})
        self.assert_fault("forecast: ", few, refused, later, later, again={"-N2": started("r1n[01-02]")})
        self.assert_fault("forecast: ", job("-N2", "--switches=1@0"), refused, later, later, again={"-N2": apart})
        pair, silent = Request(JOB, (("-N2",), ("-n1",))), other(WAITS, "")
        self.assert_right(pair, refused, silent, refused, exempt="where block's says nothing")
        self.assert_fault("forecast: ", pair, refused, silent, later)
        self.assert_fault("forecast: ", pair, refused, later, refused)
        self.assert_fault("forecast: ", plain, refused, silent, refused)
        limited = replace(refused, parts=(Part(WAITS, "PartitionNodeLimit"),))
        self.assert_right(plain, limited, later, limited, exempt="above its partition's limit")
        half_limited = replace(refused, parts=(Part(WAITS, "Resources"), Part(WAITS, "PartitionNodeLimit")))
        self.assert_right(pair, half_limited, other(REFUSED, REFUSED), other(REFUSED, REFUSED), exempt="above its partition's limit")
        self.assert_fault("forecast: ", plain, limited, later, later)
        early, waits_too = (replace(limited, forecast=forecast) for forecast in (STARTED, LATER))
        self.assert_right(plain, early, waits_too, early, exempt="the limit of the partition")
        self.assert_fault("forecast: ", plain, early, waits_too, waits_too)
        self.assert_fault("forecast: ", plain, early, waits_too, replace(early, parts=(Part(WAITS, "Resources"),)))
        reserved = replace(refused, parts=(Part(WAITS, "ReqNodeNotAvail,_May_be_reserved_for_other_job"),))
        never = other(REFUSED, REFUSED)
        for scene_ in (replace(SCENE, standing=("Nodes=r1n02",)), replace(SCENE, drained=("r1n02",))):
            self.assert_right(plain, reserved, never, never, exempt="drained or reserved nodes", scene_=scene_)
            self.assert_fault("forecast: ", plain, reserved, never, never, later="r2n[01-02]", scene_=scene_)
        self.assert_fault("forecast: ", plain, reserved, never, never)
        whole = replace(SCENE, drained=("r1n02",), grounds=replace(GROUNDS, partitions=("PartitionName=main Nodes=ALL OverSubscribe=EXCLUSIVE",)))
        by_cpu = job("-N4,5", "--mem-per-cpu=47")  # 24.11.5, seed 10003: whole nodes have too many CPUs for their memory
        part_of_them = {"-N4,5 --mem-per-cpu=47": "r1n[01-04]"}
        self.assert_right(by_cpu, reserved, later, later, exempt="drained or reserved nodes", scene_=whole, later=part_of_them)
        self.assert_fault("forecast: ", by_cpu, reserved, later, later, scene_=replace(whole, grounds=GROUNDS), later=part_of_them)
        self.assert_fault("forecast: ", by_cpu, reserved, later, later, scene_=whole,
                          later={**part_of_them, "-N4,5 --mem-per-cpu=47 --exclusive": "r1n[01-04]"})
        sockets = replace(GROUNDS, settings=(("SelectTypeParameters", "CR_Socket_Memory"), ("DefMemPerCPU", "50")))  # 24.11.5, seed 10001
        charged, told, by_node = replace(SCENE, drained=("r1n02",), grounds=sockets), {"-n4": "r1n[01-04]"}, {"-n4 --mem=1": started("r1n01")}
        self.assert_right(plain, reserved, never, early, exempt="drained or reserved nodes", scene_=charged, later=told, again=by_node)
        self.assert_fault("forecast: ", plain, reserved, never, early, scene_=charged, later={**told, "starts -n4": "r1n[01-04]"}, again=by_node)
        self.assert_fault("forecast: ", plain, reserved, never, early, scene_=charged, later=told, again={"-n4 --mem=1": reserved})
        self.assert_fault("forecast: ", plain, reserved, never, early, scene_=replace(charged, grounds=GROUNDS), later=told, again=by_node)
        first = replace(refused, parts=(*started("r1n01").parts, *refused.parts))  # of an array
        self.assert_fault("forecast: ", job("-n4", "--array=0-1"), first, never, never, scene_=replace(SCENE, drained=("r1n02",)))

    def test_forecasts_that_leave_something_out(self):
        """Right only if ours forecasts rightly without it."""
        right = started("r1n[01-03]")
        grown, named = replace(right, forecast=REFUSED, forecast_parts=()), job("-N2-7", "-w", "r1n01")
        self.assert_right(named, grown, right, right, again={"-N2-7": right}, exempt="named nodes alone")
        self.assert_fault("forecast: ", named, grown, right, right, again={"-N2-7": grown})
        self.assert_fault("forecast: ", job("-N2-3", "-w", "r1n[01-03]"), grown, right, right, again={"-N2-3": right})
        pair = Request(JOB, (("-N2", "-w", "r1n01", "-C", "all*1"), ("-N1",)))  # 24.11.5, seed 10002
        both = Seen(STARTED, (*started("r1n[01-02]").parts, *started("r2n01").parts), "", REFUSED)
        never, alone = other(REFUSED, REFUSED), {"-N2 -C all": started("r1n[01-02]")}
        self.assert_right(pair, both, never, other(WAITS, REFUSED), again=alone, exempt="named nodes of a component alone")
        self.assert_fault("forecast: ", pair, both, never, other(WAITS, LATER), again=alone)
        self.assert_fault("forecast: ", pair, both, never, other(WAITS, REFUSED), again={"-N2 -C all": grown})
        self.assert_fault("forecast: ", replace(pair, components=(("-N2", "-w", "r1n[01-02]", "-C", "all"), ("-N1",))), both, never,
                          other(WAITS, REFUSED), again=alone)
        apart, near, later = (*(job("--segment=3", "-w", names) for names in ("r1n01,r4n01", "r1n[01-02]")), other(WAITS))
        never, waits = other(REFUSED, REFUSED), other(WAITS, REFUSED)
        self.assert_right(apart, waits, never, later, again={"--segment=3": right}, exempt="named nodes alone")
        reserved = replace(SCENE, drained=("r1n02",))  # 24.11.5, seed 9601
        self.assert_right(apart, waits, never, later, scene_=reserved, exempt="drained or reserved")
        self.assert_fault("forecast: ", apart, waits, never, later, scene_=reserved, later="r2n[01-03]")
        self.assert_fault("forecast: ", apart, replace(waits, forecast=STARTED), never, later, scene_=reserved)
        self.assert_fault("forecast: ", apart, waits, never, later)
        self.assert_fault("forecast: ", near, waits, never, later, again={"--segment=3": right})
        more, fixed = job("-N3-8", "-w", "r1n01"), job("-N3", "-w", "r1n01")  # 26.05.3, seed 92
        torn = replace(started("r1n01,r2n01,r4n01"), forecast=REFUSED)
        self.assert_right(more, waits, never, torn, again={"-N3-8": right}, exempt="named nodes alone")
        self.assert_fault("forecast: ", more, waits, never, torn)
        for flat in (torn, never):  # 24.11.5, seed 94; 25.05.8, seed 7001
            self.assert_right(fixed, waits, never, flat, again={"-N3": right}, exempt="named nodes alone")
        self.assert_fault("forecast: ", fixed, waits, never, never, again={"-N3": waits})
        by_tasks, enough = job("-n3", "--ntasks-per-node=1", "-w", "r1n01"), job("-N3", "-w", "r1n[01-03]")  # 25.11.7, seed 7101
        self.assert_right(by_tasks, waits, never, never, again={"-n3 --ntasks-per-node=1": right}, exempt="named nodes alone")
        self.assert_fault("forecast: ", enough, waits, never, never, again={"-N3": right})
        apart = job("-N2-3", "-w", "r1n01,r4n01")  # 25.05.8, seed 8001
        self.assert_right(apart, waits, never, later, again={"-N2-3": right}, exempt="named nodes alone")
        self.assert_fault("forecast: ", job("-N2", "-w", "r1n01,r4n01"), waits, never, later, again={"-N2": right})
        counted = job("-N2-7", "-w", "r1n01,r4n01", "-C", "all*2")  # the forecast's range has no number of a feature
        self.assert_right(counted, waits, never, later, again={"-N2-7 -C all": right}, exempt="named nodes alone")
        self.assert_fault("forecast: ", counted, waits, never, later, again={"-N2-7 -C all": waits})
        self.assert_fault("forecast: ", job("-N2-7", "-w", "r1n[01-02]", "-C", "all*2"), waits, never, later, again={"-N2-7 -C all": right})
        # 24.11.5, seed 9803: as many tasks as only more nodes than the named one hold, of 8 CPUs and two sockets each.
        for tasks, each, holds in (("-n9", (), False), ("-n8", (), True), ("-n5", ("--ntasks-per-socket=2",), False),
                                   ("-n4", ("--ntasks-per-socket=2",), True), ("-n9", ("--overcommit",), True)):
            check = self.assert_fault if holds else self.assert_right
            check(*(["forecast: "] if holds else []), job(tasks, *each, "-w", "r1n03"), waits, never, never, again={" ".join((tasks, *each)): right})
        fewer = replace(right, forecast_parts=started("r2n[01-02]", cpus=3).parts)
        offered = {"flat -n8 -w r2n[01-02]": replace(other(WAITS, STARTED))}
        self.assert_right(job("-n8"), fewer, never, right, again=offered, exempt="fewer CPUs of when it starts")
        self.assert_fault("forecast: ", job("-n8"), fewer, never, right, again={"flat -n8 -w r2n[01-02]": right})
        self.assert_fault("forecast: ", job("-n8"), replace(fewer, forecast_parts=started("r1n[01-03]", cpus=3).parts), never, right, again=offered)
        wide = started("r1n[01-04]")
        numbers, told = job("-N1-4", "-C", "all*3"), replace(right, forecast_parts=wide.parts)
        self.assert_right(numbers, told, right, right, again={"-N1-4 -C all": wide}, exempt="feature's nodes")
        self.assert_fault("forecast: ", numbers, told, right, right, again={"-N1-4 -C all": right})
        self.assert_fault("forecast: ", numbers, told, right, right, again={"-N1-4 -C all": replace(right, forecast=LATER)})
        self.assert_fault("forecast: ", job("-N1-4", "-C", "all"), told, right, right, again={"-N1-4 -C all": wide})
        refused = replace(never, forecast=STARTED, forecast_parts=wide.parts)
        self.assert_right(numbers, refused, never, never, again={"-N1-4 -C all": wide}, exempt="feature's nodes")
        self.assert_fault("forecast: ", numbers, refused, never, never, again={"-N1-4 -C all": right})
        either = job("-n8", "-C", "[big|little]")
        only = started("r2n[01-02]")
        self.assert_right(either, told, right, right, again={"-n8 -C big": only, "-n8 -C little": right}, exempt="alternatives of a feature")
        self.assert_fault("forecast: ", either, told, right, right, again={"-n8 -C big": only, "-n8 -C little": only})
        self.assert_fault("forecast: ", either, told, right, right, again={"-n8 -C big": told, "-n8 -C little": only})
        two_of = job("-n8", "-p", "main,second")
        late, first = replace(right, forecast=REFUSED, forecast_parts=()), {"-n8 -p main": never, "-n8 -p second": right}
        self.assert_right(two_of, late, never, right, again=first, exempt="first of several partitions")
        waiting = replace(late, kind=WAITS, parts=(*late.parts, Part(WAITS, "Resources")))  # 24.11.5, seed 97
        self.assert_right(job("-n8", "-p", "main,second", "--array=0-1"), waiting, never, right, again=first, exempt="first of several partitions")
        self.assert_fault("forecast: ", two_of, late, never, right, again={**first, "-n8 -p main": right})
        self.assert_fault("forecast: ", two_of, late, never, right, again={**first, "-n8 -p second": late})
        self.assert_fault("forecast: ", two_of, late, never, right, again={**first, "-n8 -p second": only})
        # 24.11.5, seed 94: the second partition gives whole nodes, which its forecast leaves out, too.
        whole = {"-n8 -p main": never, "-n8 -p second": late, "-n8 -p second --exclusive": right}
        gives = replace(SCENE, grounds=replace(GROUNDS, partitions=(*GROUNDS.partitions, "PartitionName=second Nodes=ALL OverSubscribe=EXCLUSIVE")))
        self.assert_right(two_of, late, never, right, again=whole, scene_=gives, exempt="first of several partitions")
        self.assert_fault("forecast: ", two_of, late, never, right, again=whole)
        self.assert_fault("forecast: ", job("-n8", "-C", "big|little"), told, right, right, again={"-n8 -C big": right})
        none = {"-n8 -C big": never, "-n8 -C little": never}
        self.assert_right(either, refused, never, never, again=none, exempt="alternatives of a feature")
        self.assert_fault("forecast: ", either, refused, never, never, again={**none, "-n8 -C little": right})
        self.assert_fault("forecast: ", either, refused, never, never, again={**none, "-n8 -C little": refused})
        line = "PartitionName=main Nodes=ALL OverSubscribe=YES:3"
        shared = replace(SCENE, grounds=replace(GROUNDS, partitions=(line,)), busy=(("-N1", "-w", "r1n01"),))
        plain, late, beside = job("-n4"), replace(right, forecast=LATER), "-n4 -x r1n01"
        self.assert_right(plain, late, later, right, again={beside: later}, exempt="lets jobs share", scene_=shared)
        self.assert_fault("forecast: ", plain, late, later, right, again={beside: right}, scene_=replace(shared, busy=()))
        self.assert_fault("forecast: ", plain, late, later, right, again={beside: late}, scene_=shared)
        self.assert_fault("forecast: ", plain, late, later, right, again={beside: later}, scene_=replace(shared, grounds=GROUNDS))
        small = started("r1n[02-03]")
        fewer = replace(right, forecast_parts=small.parts)
        self.assert_right(plain, fewer, right, right, again={beside: small}, exempt="lets jobs share", scene_=shared)
        self.assert_fault("forecast: ", plain, fewer, right, right, again={beside: right}, scene_=shared)
        default = (("DefMemPerCPU", "0"), ("DefMemPerGPU", "100"))
        beside_jobs = replace(SCENE, grounds=replace(GROUNDS, settings=default), busy=(("-N1", "-w", "r1n01"),))
        gpus, one_gpu = job("-n4", "--gpus=4"), "flat -N1 -n1 --gpus=1 -w r1n01"
        self.assert_right(gpus, late, later, right, again={one_gpu: late}, exempt="memory in use", scene_=beside_jobs)
        self.assert_fault("forecast: ", gpus, late, later, right, again={one_gpu: right}, scene_=beside_jobs)
        self.assert_fault("forecast: ", gpus, late, later, right, again={one_gpu: late}, scene_=replace(beside_jobs, busy=()))
        self.assert_fault("forecast: ", gpus, late, later, right, again={one_gpu: late}, scene_=replace(beside_jobs, grounds=GROUNDS))
        gone = {one_gpu: replace(right, kind=CRASHED), one_gpu.replace("flat", "block"): late}  # 24.11.5, seed 9601
        self.assert_right(gpus, late, later, right, again=gone, exempt="memory in use", scene_=beside_jobs)
        self.assert_fault("forecast: ", gpus, late, later, right, again={**gone, one_gpu: right}, scene_=beside_jobs)
        apart, off = started("r1n[01-02]", cpus=4, told=started("r2n[01-02]", cpus=6).parts[0]), "-n4 --gpus=4 -x r1n01"  # 25.05.8, seed 7001
        told = started("r2n[01-02]", cpus=6)
        self.assert_right(gpus, apart, right, right, again={one_gpu: late, off: told}, exempt="memory in use", scene_=beside_jobs)
        self.assert_fault("forecast: ", gpus, apart, right, right, again={one_gpu: late, off: right}, scene_=beside_jobs)
        self.assert_fault("forecast: ", gpus, apart, right, right, again={one_gpu: right, off: told}, scene_=beside_jobs)
        self.assert_fault("forecast: ", job("-n4", "--gpus-per-node=1"), fewer, never, right, again={one_gpu: late}, scene_=beside_jobs)
        second = job("-n4", "--gpus=4", "-p", "second")  # 24.11.5, seed 9803: in the job's partition
        there = {f"{one_gpu} -p second": late, "-n4 --gpus=4 -p second -x r1n01": told}
        both = replace(beside_jobs, grounds=replace(beside_jobs.grounds, partitions=(*GROUNDS.partitions, "PartitionName=second Nodes=ALL")))
        self.assert_right(second, apart, right, right, again=there, exempt="memory in use", scene_=both)
        self.assert_fault("forecast: ", second, apart, right, right, again={**there, f"{one_gpu} -p second": right, one_gpu: late}, scene_=both)
        held, preferred = other(HELD, REFUSED), job("-c3", "--prefer=big")  # 24.11.5, seed 6101
        self.assert_right(preferred, held, never, never, exempt="does not prefer")
        self.assert_right(preferred, held, never, other(WAITS), exempt="does not prefer")  # 25.05.8, seed 12102
        self.assert_fault("forecast: ", preferred, held, never, right, again={"-c3": right})
        self.assert_fault("held for ever", preferred, held, never, other(WAITS), again={"-c3": right})
        self.assert_fault("forecast: ", job("-c3"), held, never, never)
        here, there = started("r1n[01-03]", cpus=6), started("r1n[02-04]", cpus=7)
        moved, running = replace(here, forecast_parts=there.parts), replace(SCENE, busy=(("-N1", "-w", "r1n01"),))
        both = {"-n4 -w r1n[01-03]": here, "-n4 -w r1n[02-04]": there}
        self.assert_right(job("-n4"), moved, right, right, again=both, exempt="powering up", scene_=running)
        self.assert_fault("forecast: ", job("-n4"), moved, right, right, again=both)
        self.assert_fault("forecast: ", job("-n4"), moved, right, right, again={**both, "-n4 -w r1n[02-04]": here}, scene_=running)
        self.assert_fault("forecast: ", job("-n4"), moved, right, right, again={**both, "-n4 -w r1n[01-03]": moved}, scene_=running)
        self.assert_fault("forecast: ", job("-n4"), replace(there, forecast_parts=here.parts), right, right, again=both, scene_=running)
        self._test_jobs_that_a_start_leaves()
        whole = replace(SCENE, grounds=replace(GROUNDS, partitions=("PartitionName=main Nodes=ALL OverSubscribe=EXCLUSIVE",)))
        good = started("r1n[01-02]")
        less, alone = replace(good, forecast_parts=(replace(good.parts[0], cpus=3),)), "-N2 --gres=gpu:1 --exclusive"
        gres = job("-N2", "--gres=gpu:1")
        self.assert_right(gres, less, good, good, again={alone: good}, exempt="whole nodes", scene_=whole)
        self.assert_fault("forecast: ", gres, less, good, good, again={alone: less}, scene_=whole)
        self.assert_fault("forecast: ", gres, less, good, good, again={alone: good})

    def _test_jobs_that_a_start_leaves(self):
        """24.11.5, seeds 10003 and 10004: the forecast is on the nodes of two jobs, of which the start ends one."""
        told, here, wanted = started("r1n[01-02]", cpus=12), started("r1n[02-04]", cpus=16), job("-n9", "-p", "urgent")
        right, ours = started("r1n[01-03]", cpus=16), replace(here, forecast_parts=told.parts, preempted=("r1n02",))
        two = replace(SCENE, busy=(("-N1", "-w", "r1n01"), ("-N1", "-w", "r1n02")))
        both = {"-n9 -p urgent without r1n[01-02]": told, "-n9 -p urgent without r1n02": here}
        self.assert_right(wanted, ours, right, right, again=both, exempt="no more than it needs", scene_=two)
        for changed in (replace(ours, preempted=()), replace(ours, preempted=("r1n01", "r1n02")), replace(ours, forecast=LATER)):
            self.assert_fault("forecast: ", wanted, changed, right, right, again=both, scene_=two)
        self.assert_fault("forecast: ", wanted, ours, right, right, again=both, scene_=replace(two, busy=two.busy[1:]))
        for place, answer in both.items():
            for spoilt in (replace(answer, preempted=("r1n01",)), other(WAITS), started("r1n[01-04]", cpus=answer.cpus), started("r1n01", cpus=5)):
                self.assert_fault("forecast: ", wanted, ours, right, right, again={**both, place: spoilt}, scene_=two)

    def test_starts_of_others_that_prove_nothing(self):
        never, five = other(REFUSED, REFUSED), started("r1n[01-04],r2n01", cpus=3, gpus=13)
        self.assert_right(job("-n3", "--gpus=13"), never, five, never, exempt="no CPU")  # 26.05.3, seed 6105
        self.assert_fault("block starts it", job("-n3", "--gpus=13"), never, started("r1n[01-04],r2n01", cpus=5, gpus=13), never)
        on_it = replace(SCENE, busy=(("-N1", "-w", "r1n01"),))
        for cpus, right in ((3, self.assert_right), (5, lambda *args, **more: self.assert_fault("refused for good", *args, **more))):
            waits = replace(other(WAITS), forecast_parts=started("r1n[01-04],r2n01", cpus=cpus).parts)
            right(job("-n3", "--gpus=13"), never, waits, never, scene_=on_it)
        waits = replace(other(WAITS), forecast_parts=started("r1n[01-03]", cpus=4).parts)  # 24.11.5, seed 9602: whole cores of two threads
        for by, right in (("CR_Core", self.assert_right), ("CR_CPU", lambda *args, **more: self.assert_fault("refused for good", *args, **more))):
            threads = replace(GROUNDS, trays=(Tray(1, 2, 2, 1000, 4),), settings=(("SelectTypeParameters", by),))
            right(job("-n2", "--gpus=9"), never, waits, never, scene_=replace(on_it, grounds=threads))
        sockets, one, two_of = job("--sockets-per-node=2", "--gpus-per-socket=l:1"), started("r1n01", gpus=1), started("r1n01", gpus=2)
        self.assert_right(sockets, never, one, one, exempt="or the sockets ask for")  # 25.05.8, seed 8002
        self.assert_fault("block and flat start it", sockets, never, two_of, two_of)
        self.assert_fault("block and flat start it", job("--gpus-per-socket=l:1"), never, one, one)
        spread, plain = job("-n2", "--spread-job"), other(WAITS)  # 25.05.8, seed 8001
        self.assert_right(spread, plain, plain, started("r1n[01-02]"), again={"flat -n2": plain}, exempt="spreads the job")
        self.assert_fault("flat starts it", spread, plain, plain, started("r1n[01-02]"), again={"flat -n2": started("r1n01")})
        self.assert_fault("flat start it", spread, plain, *[started("r1n[01-02]")] * 2, again={"flat -n2": plain})

    def test_what_others_leave_of_a_node(self):
        """25.05.8, seed 7001: the job has every CPU of a node where another one has some."""
        def has(answer, ids):
            return replace(answer, parts=(replace(answer.parts[0], places=(("r1n01", ids, ""),)),))
        tasks, whole = job("-n2", "--gres=gpu:1"), started("r1n02", cpus=8)
        taken = {"r1n01": frozenset((6, 7))}
        most = has(started("r1n01", cpus=6), "0-5")
        self.assert_right(tasks, most, whole, whole, taken=taken, exempt="all CPUs that other jobs")
        self.assert_fault("5 cpus", tasks, has(started("r1n01", cpus=5), "0-4"), whole, whole, taken=taken)
        self.assert_fault("6 cpus", job("-n7"), most, whole, whole, taken=taken)
        self.assert_fault("6 cpus", tasks, most, started("r1n01", cpus=8), started("r1n01", cpus=8), taken=taken)
        self.assert_fault("6 cpus", tasks, most, whole, whole)
        limited = replace(SCENE, grounds=replace(GROUNDS, partitions=("PartitionName=main Nodes=ALL MaxCPUsPerNode=5",)))
        self.assert_right(tasks, has(started("r1n01", cpus=3), "0-2"), started("r1n02", cpus=5), whole, taken=taken, scene_=limited, exempt="all CPUs")
        self.assert_fault("2 cpus", tasks, has(started("r1n01", cpus=2), "0-1"), started("r1n02", cpus=5), whole, taken=taken, scene_=limited)

    def test_what_a_job_has_on_the_nodes_of_others(self):
        """26.05.3, seed 10302: one core beside another job, where an idle node gives a core of each socket."""
        task, two, four = job("-n1", "--gpus-per-task=1"), started("r3n01", cpus=2), started("r1n01", cpus=4)
        there, busy = "-n1 --gpus-per-task=1 -w r1n01", replace(SCENE, busy=(("-N1", "-w", "r3n01"),))
        self.assert_right(task, two, four, four, again={there: four}, scene_=busy, exempt="on the others' nodes as many")
        self.assert_fault("2 cpus", task, two, four, four, again={there: replace(four, parts=started("r1n01", cpus=2).parts)}, scene_=busy)
        self.assert_fault("2 cpus", task, two, four, four, again={there: four})
        self.assert_fault("2 cpus", job("-n3", "--gpus-per-task=1"), two, four, four, again={"-n3 --gpus-per-task=1 -w r1n01": four}, scene_=busy)

    def test_switches_that_no_base_blocks_can_keep(self):
        """25.05.8, seed 7001: flat would start it in no single rack, whatever ends."""
        wanted, torn, never = job("-n5", "--switches=1"), started("r1n[01-02],r2n01", cpus=5), other(REFUSED, REFUSED)
        others = ("r2n[01-04],r3n[01-04],r4n[01-04]", "r1n[01-04],r3n[01-04],r4n[01-04]", "r1n[01-04],r2n[01-04],r4n[01-04]", "r1n[01-04],r2n[01-04],r3n[01-04]")
        alone = {f"flat -n5 -x {names}": never for names in others}
        self.assert_right(wanted, torn, never, torn, again=alone, exempt="so few can never hold")
        self.assert_fault("in 2 base blocks", wanted, torn, never, torn, again={**alone, f"flat -n5 -x {others[2]}": other(WAITS, LATER)})
        self.assert_fault("in 2 base blocks", wanted, torn, never, torn, again=alone, scene_=replace(SCENE, drained=("r3n01",)))
        # 24.11.5, seed 9603: a node like the one out of service stands in for it, and none is like a smaller one.
        kept, like = replace(SCENE, standing=("Nodes=r3n01",)), {**alone, "flat -n5 -x r1n[02-04],r2n[01-04],r3n01,r4n[01-04]": never}
        self.assert_right(wanted, torn, never, torn, again=like, scene_=kept, exempt="so few can never hold")
        alike = replace(GROUNDS, trays=(*GROUNDS.trays, Tray(1, 4, 1, 1000, 4)), small=("r3n01",))
        self.assert_fault("in 2 base blocks", wanted, torn, never, torn, again=like, scene_=replace(kept, grounds=alike))
        self.assert_fault("in 2 base blocks", job("-n5", "--switches=1", "-w", "r3n01"), torn, never, torn, again=like, scene_=kept)
        # 24.11.5, seed 10002: one that the job's partition does not have needs none.
        second = "PartitionName=second Nodes=r1n[01-04],r2n[01-04],r3n[02-04],r4n[01-04] MaxTime=INFINITE"
        apart = replace(SCENE, drained=("r3n01",), grounds=replace(GROUNDS, partitions=(*GROUNDS.partitions, second)))
        there = {f"flat -n5 -p second -x {names}": never for names in (*others, "r1n[01-04],r2n[01-04],r3n01,r4n[01-04]")}
        self.assert_right(job("-n5", "--switches=1", "-p", "second"), torn, never, torn, again=there, scene_=apart, exempt="so few can never hold")

    def test_exemptions(self):
        two = job("-N2")
        self.assert_right(two, other(WAITS), other(WAITS), started("r1n01,r2n01"), exempt="against the rules of blocks")
        self.assert_fault("flat starts it", job("-n9"), other(WAITS), other(WAITS), started("r1n01,r2n01", cpus=9))
        self.assert_fault("a place within the rules", two, other(WAITS), other(WAITS), started("r1n01,r2n01"), place="r3n[01-02]")
        self.assert_fault("flat starts it", two, other(WAITS), other(WAITS), started("r1n[01-02]"))
        busy = replace(SCENE, busy=(("-N1", "-w", "r1n03"),))
        shared = (other(WAITS), other(WAITS), started("r1n01"))
        self.assert_right(job("-N1", "--exclusive=topo"), *shared, exempt="against the rules of blocks", scene_=busy)
        self.assert_fault("flat starts it", job("-N1", "--exclusive"), *shared, scene_=busy)
        alone, kept = job("-N1", "--exclusive=topo"), replace(SCENE, standing=("Nodes=r1n02",))
        self.assert_fault("with other jobs", alone, *[started("r1n01")] * 3, scene_=busy)
        self.assert_right(alone, *[replace(started("r1n01"), preempted=("r1n03",))] * 3, scene_=busy)
        self.assert_right(alone, *[started("r1n01")] * 3, scene_=replace(busy, suspended=("r1n03",)))  # 25.11.7, seed 6103
        self.assert_right(alone, *[started("r1n01")] * 3, scene_=kept)
        self.assert_right(alone, *shared, exempt="against the rules of blocks", scene_=kept)
        pair = Request(JOB, (("-N1", "--exclusive=topo"), ("-n1",)))
        apart = Seen(STARTED, tuple(Part(STARTED, "", (node,), 4) for node in ("r1n01", "r2n01")))
        self.assert_fault("flat starts it", pair, other(WAITS), other(WAITS), apart)
        self.assert_right(pair, other(WAITS), other(WAITS), apart, scene_=replace(SCENE, drained=("r1n02",)))
        half, thin = started("r1n[01-02]", cpus=8, gpus=4), job("-n3", "--ntasks-per-core=1", "--gpus=4", "--cpus-per-gpu=4", "--ntasks-per-gpu=2")
        refused = other(REFUSED, REFUSED)
        self.assert_right(thin, refused, refused, half, exempt="fewer CPUs than --cpus-per-gpu")  # 26.05.3, seed 99
        self.assert_fault("start it", thin, refused, half, half)
        self.assert_fault("flat starts it", thin, refused, refused, started("r1n[01-02]", cpus=16, gpus=4))
        few, wide, never = started("r1n[01-02]", cpus=2), started("r1n[01-03]"), other(REFUSED, REFUSED)
        three = job("-N2", "-n3", "--ntasks-per-node=1")
        self.assert_right(three, never, few, never, exempt="leave no place for all tasks")
        self.assert_right(three, never, wide, never, exempt="leave no place for all tasks")
        self.assert_right(job("-n3", "--gpus=2", "--ntasks-per-gpu=1"), never, replace(few, parts=started("r1n01", 2, 2).parts),
                          never, exempt="leave no place for all tasks")
        by_tasks = started("r1n[01-03]", 3, 3)  # 24.11.5, seed 1: a GPU per node
        self.assert_right(job("-n3", "--gpus=1", "--ntasks-per-gpu=1"), never, never, by_tasks, exempt="leave no place for all tasks")
        bare = started("r1n[01-03]", 6, 2)  # 26.05.3, seed 401: a node without a GPU, for the fifth of four tasks
        self.assert_right(job("-n5", "--gpus=2", "--ntasks-per-gpu=2"), never, bare, bare, exempt="leave no place for all tasks")
        self.assert_fault("start it", job("-n4", "--gpus=2", "--ntasks-per-gpu=2"), never, bare, bare)
        self.assert_fault("flat starts it", job("-n3", "--gpus=3", "--ntasks-per-gpu=1"), never, never, by_tasks)
        self.assert_fault("flat starts it", job("-n3", "--gpus=1", "--ntasks-per-gpu=1", "--exclusive"), never, never, by_tasks)
        self.assert_fault("block starts it", job("-N2", "-n3"), never, few, never)
        two_each = job("-N2", "-n3", "--ntasks-per-node=2")
        self.assert_fault("a place within the rules", two_each, never, wide, never, place="r1n[01-02]")
        self.assert_right(two_each, never, wide, never, exempt="on more nodes than -N allows")
        alone, four = job("-n3", "--gpus=4", "--exclusive=topo"), started("r1n[01-04]", gpus=4)
        self.assert_right(alone, never, four, never, exempt="or tasks need")
        self.assert_fault("a place within", alone, never, four, never, place="r1n[01-03]")
        self.assert_fault("block starts it", alone, never, four, other(WAITS))
        self.assert_fault("block starts it", job("-n4", "--gpus=4", "--exclusive=topo"), never, four, never)
        self.assert_fault("block starts it", job("-n3", "--gpus=4"), never, four, never)
        # 24.11.5, seed 101: flat starts one task on six nodes.
        by_gpus = job("-n1", "--gpus=4", "--ntasks-per-gpu=3")
        self.assert_right(by_gpus, never, never, started("r1n[01-04]", 16, 16), exempt="or tasks need")
        self.assert_fault("a place within", by_gpus, never, never, started("r1n[01-04]", 16, 16), place="r1n01")
        self.assert_fault("flat starts it", by_gpus, never, other(WAITS), started("r1n[01-04]", 16, 16))
        self.assert_fault("flat starts it", by_gpus, never, never, started("r1n01", 12, 4))
        self.assert_fault("block and flat start it", two_each, never, wide, few_enough := started("r1n[01-02]"))
        self.assert_fault("block starts it", two_each, never, few_enough, never)
        self.assert_fault("block starts it", job("-N2", "-n2", "--ntasks-per-node=1"), never, few, never)
        torn, by_gpu = started("r2n01,r3n01", 3, 2), job("-N2", "-n3", "--gpus=2", "--ntasks-per-gpu=1")
        short = started("r1n[01-02]", 2, 2)
        self.assert_right(by_gpu, never, short, torn, exempt="started by flat only, against the rules")
        self.assert_fault("flat start it", by_gpu, never, short, started("r1n[01-02]", 3, 2))
        one = replace(other(WAITS), forecast_parts=(Part(STARTED, "", ("r1n01",), 2),))
        self.assert_right(job("--gpus=9"), other(REFUSED, REFUSED), one, one)
        on_it = replace(SCENE, busy=(("-N1", "-w", "r1n01", "-c2"),))
        self.assert_fault("refused for good", job("--gpus=4"), other(REFUSED, REFUSED), one, one, scene_=on_it)
        self.assert_right(job("-n99", "--ntasks-per-socket=1"), other(REFUSED, REFUSED), one, one)
        self.assert_fault("refused for good", job("-n1", "--ntasks-per-socket=1"), other(REFUSED, REFUSED), one, one, scene_=on_it)
        pair, both = Request(JOB, (("-n1",), ("-n2",))), Seen(STARTED, (Part(STARTED, "", ("r1n01",), 4), Part(STARTED, "", ("r1n02",), 4)))
        alone = started("r1n01")
        each = {"-n1": alone, "-n2": alone}
        self.assert_right(pair, other(WAITS), other(WAITS), both, again=each, exempt="one after the other")
        self.assert_fault("flat starts it", pair, other(WAITS), other(WAITS), both, again={"-n1": alone})
        self.assert_fault("block starts it", pair, other(WAITS), both, other(WAITS), again=each)
        nine = job("-N1", "--gpus=h:9")
        self.assert_right(nine, other(REFUSED, REFUSED), *[started("r1n01", gpus=4)] * 2, exempt="fewer GPUs than --gpus")
        self.assert_fault("block and flat start it", nine, other(REFUSED, REFUSED), *[started("r1n01", gpus=9)] * 2)
        default = replace(SCENE, grounds=replace(GROUNDS, settings=(("DefCpuPerGPU", "2"),)))
        one_node, short, full = job("-N1", "--gpus=2"), started("r1n01", cpus=2, gpus=2), started("r1n01", cpus=4, gpus=2)
        self.assert_right(one_node, never, short, short, scene_=default, exempt="fewer CPUs than DefCpuPerGPU")
        self.assert_fault("flat start it", one_node, never, short, full, scene_=default)
        self.assert_fault("block and flat start it", one_node, never, short, short)
        self.assert_fault("block and flat start it", job("-N2", "--gpus=2"), never, short, short, scene_=default)
        two_jobs = Request(JOB, (("-N1",), ("-N1", "--gpus=9")))
        for gpus in (4, 9):
            both = Seen(STARTED, (*started("r1n01").parts, *started("r1n02", gpus=gpus).parts))
            if gpus < 9:
                self.assert_right(two_jobs, never, both, both, exempt="fewer GPUs than --gpus")
            else:
                self.assert_fault("block and flat start it", two_jobs, never, both, both)
        split = started("r1n01,r2n01", cpus=4)
        self.assert_right(job("-n4", "--segment=2", "--gpus=2"), started("r1n[01-02],r2n[01-02]", gpus=2), other(WAITS), started("r1n01,r2n01", gpus=2),
                          exempt="more nodes than others, which break")
        # 24.11.5, seed 95: flat's nodes break the rules, so that its count says nothing, and block takes the fewest.
        self.assert_right(job("-N2-3"), started("r1n[01-03]"), started("r1n[01-02]"), split, exempt="as many nodes as fit")
        few, all_three = started("r1n[01-02]"), started("r1n[01-03]")
        self.assert_right(job("-N2-3"), all_three, few, other(REFUSED, REFUSED), exempt="as many nodes as fit")
        self.assert_fault("3 nodes", job("-N2-3"), all_three, few, few)
        # 24.11.5, seed 101: a component has 10 of the 12 GPUs that it asks for.
        pair, six = Request(JOB, (("-n4", "--gpus=6"), ("-n1",))), [Part(STARTED, "None", nodes, 4, gpus) for nodes, gpus in
                                                                    ((("r1n01", "r1n02"), 6), (("r1n01",), 4), (("r1n03",), 0))]
        whole, less = Seen(STARTED, (six[0], six[2]), "", STARTED, ()), Seen(STARTED, (six[1], six[2]), "", STARTED, ())
        self.assert_right(pair, whole, other(WAITS), less, exempt="fewer GPUs than --gpus")
        self.assert_fault("3 nodes", pair, whole, other(WAITS), replace(less, parts=(replace(six[1], gpus=6), six[2])))
        by_socket = replace(SCENE, grounds=replace(GROUNDS, settings=(("SelectTypeParameters", "CR_Socket"),)), busy=(("-w", "r1n01"),))
        beside, alone = started("r1n01", cpus=4), started("r1n02", cpus=8)
        self.assert_right(job("-n4"), beside, alone, alone, exempt="on nodes with other jobs", scene_=by_socket)
        self.assert_fault("4 cpus", job("-n5"), beside, alone, alone, scene_=by_socket)
        self.assert_right(job("-n4"), beside, alone, alone, exempt="on more cores or sockets", scene_=replace(by_socket, busy=(("-w", "r1n02"),)))
        self.assert_fault("4 cpus", job("-n4"), beside, alone, alone, scene_=replace(by_socket, grounds=GROUNDS))
        loaded = [replace(SCENE, grounds=replace(GROUNDS, **change)) for change in (
            {"settings": (("SelectTypeParameters", "CR_Core,CR_LLN"),)},
            {"partitions": ("PartitionName=main Nodes=ALL LLN=YES", "PartitionName=second Nodes=ALL")})]
        for scene_ in loaded:
            self.assert_right(job("-N2-3"), all_three, few, few, exempt="as many nodes as fit", scene_=scene_)
            self.assert_fault("3 nodes", job("-N2-3", "--gpus=3"), all_three, few, few, scene_=scene_)
        listed, first = job("-n9", "-p", "main,second"), {"-n9 -p main": all_three, "block -n9 -p main": all_three, "flat -n9 -p main": never}
        self.assert_right(listed, all_three, few, few, again=first, exempt="an earlier partition")
        there = {"-n9 -p main": other(WAITS), "block -n9 -p main": other(REFUSED), "-n9 -p second": few}
        self.assert_right(listed, other(WAITS), few, other(WAITS), again=there, exempt="in the second of its partitions")
        for change in ({"block -n9 -p main": other(WAITS)}, {"-n9 -p second": other(WAITS)}, {"-n9 -p main": few}):
            self.assert_fault("block starts it", listed, other(WAITS), few, other(WAITS), again={**there, **change})
        self.assert_fault("3 nodes", listed, all_three, few, few, again={**first, "block -n9 -p main": few})
        self.assert_fault("3 nodes", listed, all_three, few, few, again={**first, "-n9 -p main": few})
        self.assert_fault("3 nodes", job("-n9", "-p", "main"), all_three, few, few, again=first)
        array = job("-n9", "-p", "main,second", "--array=0-1")  # 24.11.5, seed 9601: two tasks, of which the first one tells
        pairs = [replace(one, parts=(*one.parts, *few.parts)) for one in (all_three, few, few)]
        self.assert_right(array, *pairs, again=first, exempt="an earlier partition")
        self.assert_fault("3 nodes", array, *pairs, again={**first, "block -n9 -p main": few})
        gaps, close = job("-n9", "--contiguous"), {"flat -n9": all_three}
        named, elsewhere = job("-N1-4", "--contiguous", "-w", "r1n[01,03]"), started("r2n02")  # 24.11.5, seed 9602
        wide, filled = started("r1n[01-04]", cpus=16), started("r1n[01-03]")
        again = {"flat -N1-4 -w r1n[01,03]": wide}
        self.assert_right(named, wide, elsewhere, filled, again=again, exempt="--contiguous")
        self.assert_fault("4 nodes", named, wide, started("r1n[01,03]"), filled, again=again)
        self.assert_right(gaps, all_three, never, few, again=close, exempt="--contiguous")
        self.assert_fault("3 nodes", gaps, all_three, never, few, again={"flat -n9": few})
        self.assert_fault("3 nodes", gaps, all_three, few, few, again=close)
        self.assert_fault("3 nodes", job("-n9"), all_three, never, few, again=close)
        self.assert_fault("3 nodes", job("-N2-3", "-p", "second"), all_three, few, few, scene_=loaded[1])
        self.assert_right(job("-N2-3", "--spread-job"), all_three, few, few, exempt="as many nodes as fit")
        self.assert_fault("3 nodes", job("-N2-3", "--gpus=3"), all_three, few, other(REFUSED, REFUSED))
        self.assert_right(job("-N2", "-n4"), started("r1n[01-02]", cpus=4), other(WAITS), started("r1n[01-02]", cpus=6),
                          exempt="fewer CPUs than flat alone")
        self.assert_fault("3 cpus", job("-N2", "-n4"), started("r1n[01-02]", cpus=3), other(WAITS), started("r1n[01-02]", cpus=6))
        self.assert_fault("block starts it", Request(JOB, (("-N2-3",), ("-n1",))), other(WAITS), few, other(WAITS))
        self.assert_right(job("--gres=gpu:1"), started("r1n01", gpus=1), *[started("r1n[01-02]", gpus=2)] * 2, exempt="GPUs a node")
        mixed = Request(JOB, (("--gpus=2",), ("-N1-2", "--gres=gpu:1")))
        def two(nodes, first, second):
            return Seen(STARTED, (*started("r1n01", gpus=first).parts, *started(nodes, gpus=second).parts))
        self.assert_right(mixed, two("r2n01", 2, 1), never, two("r2n[01-02]", 2, 2), exempt="GPUs a node")
        self.assert_fault("2 gpus", mixed, two("r2n01", 1, 1), never, two("r2n[01-02]", 2, 2))
        self.assert_fault("3 gpus", mixed, two("r2n[01-02]", 2, 1), never, two("r2n[01-02]", 2, 2))
        by_socket, pairs = job("-n5", "--sockets-per-node=1", "--gpus-per-socket=1"), [started("r1n[02-03]", cpus=5, gpus=4)] * 2
        self.assert_right(by_socket, started("r1n[01-02]", cpus=5, gpus=3), *pairs, exempt="GPUs a socket")
        self.assert_fault("1 gpus", by_socket, started("r1n[01-02]", cpus=5, gpus=1), *pairs)
        mixed = Request(JOB, (("-N1-2", "--gres=gpu:1"), ("--sockets-per-node=1", "--gpus-per-socket=h:1")))
        self.assert_right(mixed, two("r2n01", 1, 1), two("r2n01", 1, 2), two("r2n[01-02]", 2, 3), exempt="GPUs a socket")
        self.assert_fault("2 gpus", mixed, two("r2n[01-02]", 1, 1), two("r2n01", 1, 2), two("r2n[01-02]", 2, 3))
        self.assert_fault("1 gpus", mixed, two("r2n01", 0, 1), two("r2n01", 1, 2), two("r2n[01-02]", 2, 3))
        by_task = job("-N1", "--ntasks-per-node=2", "--gpus-per-task=1")
        self.assert_right(by_task, started("r1n01", gpus=2), *[started("r1n01", gpus=4)] * 2, exempt="as many GPUs as --gpus")
        self.assert_fault("1 gpus", by_task, started("r1n01", gpus=1), *[started("r1n01", gpus=4)] * 2)
        a_task_each, more = job("-N2", "--gpus-per-task=1"), [started("r1n[01-02]", gpus=4)] * 2
        self.assert_right(a_task_each, started("r1n[01-02]", gpus=2), *more, exempt="as many GPUs as --gpus")
        self.assert_fault("1 gpus", a_task_each, started("r1n[01-02]", gpus=1), *more)
        two_of, four = started("r1n01", gpus=2), started("r1n01", gpus=4)
        self.assert_right(job("--gpus=2"), two_of, four, four, exempt="as many GPUs as --gpus")
        self.assert_fault("2 gpus", job("--gpus=3"), two_of, four, four)
        self.assert_fault("2 gpus", job("--gpus=2", "--exclusive"), two_of, four, four)
        each = job("-n2", "--gpus-per-task=h:1")
        self.assert_right(each, two_of, four, four, exempt="as many GPUs as --gpus")
        self.assert_fault("1 gpus", each, replace(two_of, parts=(replace(two_of.parts[0], gpus=1),)), four, four)
        self.assert_right(job("--gpus=2", "--exclusive"), four, *[started("r1n[01-02]", gpus=8)] * 2, exempt="as many GPUs as --gpus")
        pair = [replace(one, parts=(replace(one.parts[0], gpus=first), replace(one.parts[0], gpus=4)))
                for one, first in ((two_of, 3), (four, 4), (four, 4))]
        self.assert_fault("3 gpus", job("--gpus=4", "--array=0-1"), *pair)
        first = started("r1n[01-02]")
        second = [replace(first, parts=(*first.parts, *started(nodes).parts)) for nodes in ("r3n[01-03]", "r3n[01-02]", "r3n[01-02]")]
        self.assert_right(job("-n4", "--array=0-1"), *second)
        begun = replace(first, kind=WAITS, parts=(*first.parts, Part(WAITS, "Resources")))
        self.assert_right(job("-N2", "--array=0-1"), begun, second[0], second[0])
        self.assert_fault("start it", job("-N2", "--array=0-1"), replace(begun, parts=begun.parts[::-1]), second[1], second[1])
        self.assert_fault("3 nodes", job("-n4", "--array=0-1"), *[replace(one, parts=one.parts[::-1]) for one in second])
        default = replace(SCENE, grounds=replace(GROUNDS, settings=(("DefCpuPerGPU", "2"),)))
        less, more = started("r1n[01-02]", cpus=6, gpus=3), started("r1n[01-02]", cpus=8, gpus=3)
        self.assert_right(job("-N2", "--gpus=3"), less, more, more, scene_=default, exempt="DefCpuPerGPU")
        self.assert_fault("6 cpus", job("-N2", "--gpus=3"), less, more, more)
        self.assert_right(job("-N1-6", "--ntasks-per-node=2"), all_three, few, few, exempt="as many nodes as fit")
        self.assert_fault("3 nodes", job("-N1-6", "-n2", "--ntasks-per-node=2"), all_three, few, few)
        # One thread of a core on each node can be left over, and no more.
        threads = replace(SCENE, grounds=replace(GROUNDS, trays=(Tray(1, 2, 2, 1000, 4),)))
        four_cpus, six, seven = (started("r1n[01-02]", cpus=cpus) for cpus in (4, 6, 7))
        self.assert_right(job("-n4"), four_cpus, six, six, exempt="on more cores or sockets", scene_=threads)
        self.assert_fault("4 cpus", job("-n4"), four_cpus, seven, seven, scene_=threads)
        self.assert_fault("4 cpus", job("-n5"), four_cpus, six, six, scene_=threads)
        self.assert_fault("4 cpus", job("-n4"), four_cpus, six, six)
        # 26.05.3, seed 12302: a core for each task, on nodes with and without threads.
        alone = replace(threads.grounds, settings=(("SelectTypeParameters", "CR_Core,CR_ONE_TASK_PER_CORE"),))
        unlike = replace(SCENE, grounds=replace(alone, trays=(*alone.trays, Tray(1, 4, 1, 500, 4)), small=("r1n02",)))
        five, eight = started("r1n[01-02]", cpus=5), started("r1n[01-02]", cpus=8)
        self.assert_right(job("-n4"), five, eight, eight, exempt="on more cores or sockets", scene_=unlike)
        self.assert_fault("5 cpus", job("-n4"), five, eight, eight, scene_=replace(SCENE, grounds=alone))
        beside, free = started("r1n03", cpus=3), started("r1n01", cpus=4)
        self.assert_right(job("-N1"), beside, free, free, exempt="on nodes with other jobs", scene_=busy)
        self.assert_fault("3 cpus", job("-N1"), beside, free, free)
        self.assert_fault("3 cpus", job("-N1", "-n4"), beside, free, free, scene_=busy)
        sockets = replace(SCENE, grounds=replace(GROUNDS, settings=(("SelectTypeParameters", "CR_Socket"),)))
        one_socket, both = started("r1n01"), started("r1n01", cpus=8)
        self.assert_right(job("-N1", "-n2"), one_socket, both, both, exempt="on more cores or sockets", scene_=sockets)
        self.assert_fault("4 cpus", job("-N1", "-n5"), one_socket, both, both, scene_=sockets)
        self.assert_fault("4 cpus", job("-N1", "-n2"), one_socket, both, both)
        mixed = replace(SCENE, grounds=replace(GROUNDS, trays=(GROUNDS.trays[0], Tray(2, 4, 1, 1000, 2)), small=("r1n01",)))
        by_node = job("-N1", "--gres=gpu:1", "--exclusive")
        little, large = started("r1n01", gpus=2), started("r1n02", gpus=4)
        self.assert_right(by_node, little, large, large, exempt="all GPUs of whole nodes", scene_=mixed)
        self.assert_fault("1 gpus", by_node, started("r1n01", gpus=1), large, large, scene_=mixed)
        self.assert_fault("3 gpus", by_node, started("r1n03", gpus=3), large, large, scene_=mixed)
        self.assert_fault("2 gpus", by_node.without("--exclusive"), little, large, large, scene_=mixed)
        def on_cores(nodes, ids):
            seen_ = started(nodes, cpus=7)
            return replace(seen_, parts=(replace(seen_.parts[0], places=((nodes, ids, "gpu:2(IDX:0-1)"),)),))
        pair, apart = started("r1n[01-02],r2n01"), started("r1n01,r4n01")
        self.assert_right(job("--gpus=2"), pair, other(WAITS), apart, exempt="at a smaller level")
        single = started("r2n04").parts
        with_one, with_two = (Request(JOB, (("--gpus=2",), (f"-N{count}",))) for count in (1, 2))
        pair_and_one, apart_and_one = (replace(answer, parts=answer.parts + single) for answer in (pair, apart))
        self.assert_right(with_one, pair_and_one, other(WAITS), apart_and_one, exempt="at a smaller level")
        self.assert_fault("4 nodes", with_one, replace(pair, parts=started("r1n[01-02],r4n01").parts + single), other(WAITS), apart_and_one)
        wider = replace(pair, parts=apart.parts + started("r2n[03-04]").parts)
        self.assert_fault("4 nodes", with_two, wider, other(WAITS), apart_and_one)
        # Eight nodes of one block of 16 may lie in two base blocks, nine in three; more only in the whole, which comes last.
        wide_block, nine = replace(SCENE, grounds=replace(GROUNDS, sizes="4,16")), started("r1n[01-03],r2n[01-03],r3n[01-03]")
        torn_eight = started("r1n[01-02],r2n[01-02],r3n[01-04]")
        self.assert_right(job("--gpus=2"), nine, never, torn_eight, exempt="at a smaller level", scene_=wide_block)
        self.assert_fault("9 nodes", job("--gpus=2"), nine, never, started("r1n[01-04],r3n[01-04]"), scene_=wide_block)
        self.assert_fault("9 nodes", job("--gpus=2"), started("r1n[01-03],r2n[01-03],r3n[01-02],r4n01"), never, torn_eight, scene_=wide_block)
        self.assert_fault("3 nodes", job("--gpus=2"), started("r1n[01-02],r4n01"), other(WAITS), apart)
        self.assert_fault("3 nodes", job("--gpus=2"), pair, started("r2n[01-02]"), apart)
        one_each, crowded, roomy = job("-n7", "--ntasks-per-core=1"), on_cores("r1n01", "0-3"), on_cores("r1n01", "0-6")
        self.assert_right(one_each, on_cores("r1n[01-02]", "0-3"), crowded, crowded, exempt="on their cores")
        self.assert_fault("2 nodes", one_each, on_cores("r1n[01-02]", "0-3"), crowded, roomy)
        self.assert_fault("2 nodes", one_each, on_cores("r1n[01-02]", "0-2"), crowded, crowded)
        self.assert_fault("2 nodes", job("-n7"), on_cores("r1n[01-02]", "0-3"), crowded, crowded)
        self.assert_right(one_each, other(REFUSED, REFUSED), crowded, crowded, exempt="leave no place for all tasks")
        self.assert_fault("flat start", one_each, other(REFUSED, REFUSED), crowded, roomy)
        array = [replace(seen_, parts=seen_.parts * 2) for seen_ in (less, more, more)]
        self.assert_right(job("-N2", "--gpus=3", "--array=0-1"), *array, scene_=default, exempt="DefCpuPerGPU")
        self.assert_fault("5 cpus", job("-N2", "--gpus=3"), replace(less, parts=(replace(less.parts[0], cpus=5),)), more, more,
                          scene_=default)

    def test_named_nodes_out_of_service(self):
        """26.05.3, seed 9605: the job has two of three named nodes, and could have had a third one elsewhere."""
        apart, drained = [started("r1n01,r4n01", gpus=3)] * 3, replace(SCENE, drained=("r1n02",))
        wanted = ("--gpus=3", "-w", "r1n[01-02],r4n01")
        self.assert_right(job("-N2-3", *wanted), *apart, scene_=drained)
        self.assert_fault("not in one block", job("-N2-3", *wanted), *apart)
        self.assert_fault("not in one block", job("-N2", *wanted), *apart, scene_=drained)
        self.assert_fault("not in one block", job("-N2-3", "-w", "r1n[01-02],r4n01"), *apart, scene_=drained)

    def test_tasks_of_gpus(self):
        """26.05.3, seed 9605: five tasks were asked for, and two for each of two GPUs, which makes four."""
        more = [started("r1n01", cpus=6, gpus=2)] * 2
        five = job("-n5", "--gres=gpu:h:2", "--ntasks-per-gpu=2")
        self.assert_right(five, started("r1n01", cpus=4, gpus=2), *more, exempt="that --ntasks-per-gpu makes")
        self.assert_right(job("-n5", "--gpus=2", "--ntasks-per-gpu=2"), started("r1n01", cpus=4, gpus=2), *more)
        self.assert_fault("3 cpus", five, started("r1n01", cpus=3, gpus=2), *more)
        for wanted in (job("-n5", "--gres=gpu:h:2"), job("-n4", "--gres=gpu:h:2", "--ntasks-per-gpu=2"),
                       job("-n5", "-N2", "--gres=gpu:h:2", "--ntasks-per-gpu=2"), job("-n5", "-c2", "--gres=gpu:h:2", "--ntasks-per-gpu=2")):
            self.assert_fault("4 cpus", wanted, started("r1n01", cpus=4, gpus=2), *more)

    def test_what_commands_print(self):
        """Each Slurm version's words for a forecast: one that is not understood would compare nothing."""
        for words in ("2026-11-22T04:59:41 using 40", "2026-11-22T04:59:41 a using 40"):
            kind, parts = seen.forecast(f"sbatch: Job 3 to start at {words} processors on nodes r1n[01-02] in partition main", 0)
            self.assertEqual((kind, parts[0].nodes, parts[0].cpus), (STARTED, ("r1n01", "r1n02"), 40))
        self.assertEqual(seen.forecast("sbatch: error: allocation failure: Requested nodes are busy", 1)[0], REFUSED)
        self.assertEqual([seen.gpus(text) for text in ("gpu:2(IDX:0,3)", "gpu:h:3(IDX:0-2),gpu:l(CNT:1)", "")], [2, 4, 0])
        record = ("JobId=3 Priority=1 JobState=CONFIGURING Reason=None NodeList=r1n[01-02] AllocTRES=cpu=6,node=2 "
                  "  Nodes=r1n01 CPU_IDs=0-3 Mem=0 GRES=gpu:1(IDX:0)   Nodes=r1n02 CPU_IDs=0-1 Mem=0 GRES=gpu:2(IDX:0-1)")
        part = seen.part(record)
        self.assertEqual((part.state, part.nodes, part.cpus, part.gpus), (STARTED, ("r1n01", "r1n02"), 6, 3))
        array = [f"JobId={number} ArrayJobId=4 {task} Priority=1 JobState=PENDING Reason={number}"
                 for number, task in ((4, "ArrayTaskId=2-3"), (6, "ArrayTaskId=1"), (5, "ArrayTaskId=0"))]
        self.assertEqual([part.reason for part in seen.parts(array)], ["5", "6", "4"])
        self.assertEqual(seen.part("JobId=3 Priority=0 JobState=PENDING Reason=BadConstraints NodeList=").state, HELD)

    def test_reservations(self):
        three = Request(RESERVATION, (("NodeCnt=3",),))
        good = Seen(STARTED, (Part(STARTED, "", ("r1n01", "r1n02", "r1n03")),))
        wide = Seen(STARTED, (Part(STARTED, "", ("r1n01", "r1n02", "r1n03", "r1n04")),))
        self.assert_right(three, good, good, good)
        self.assert_fault("reserves 4 nodes, others [3, 3]", three, wide, good, good)
        self.assert_fault("ours does not", three, Seen(REFUSED), good, good)
        torn = Seen(STARTED, (Part(STARTED, "", ("r1n01", "r2n02", "r3n03")),))
        self.assert_right(three, Seen(REFUSED), Seen(REFUSED), torn, exempt="a reservation by flat only")
        self.assert_right(three, wide, Seen(REFUSED), torn, exempt="a reservation of more nodes than flat's")
        self.assert_fault("reserves 4 nodes", three, wide, Seen(REFUSED), good)
        cores = Request(RESERVATION, (("CoreCnt=3",),))
        pair, apart = started("r1n[01-02],r2n01"), started("r1n01,r4n01")
        self.assert_right(cores, pair, Seen(REFUSED), apart, exempt="at a smaller level")
        self.assert_fault("reserves 3 nodes, others [2]", cores, pair, Seen(REFUSED), started("r1n01,r2n01"))

    def test_rules(self):
        """Rules 1 to 4, 6 and 10 of docs/placement.md on racks of 4 in pairs."""
        rules = Rules(GROUNDS)
        def right(nodes, **wish):
            return not rules.faults(hostlist.expand(nodes), Wish(**wish))
        self.assertTrue(right("r1n[01-04]") and right("r1n[01-03],r2n[01-03]") and right("r1n[01-04],r2n[01-04],r4n01"))
        self.assertFalse(right("r1n[01-02],r2n01") or right("r2n[01-03],r3n[01-03]"))
        self.assertTrue(right("r1n[01-02],r3n[01-02]", segment=2) and right("r1n[01-04]", segment=2))
        self.assertFalse(right("r1n[01-03],r3n01", segment=2) or right("r1n[01-03]", segment=2))
        self.assertFalse(right("r1n[01-04]", segment=2, spread=True) or right("r1n[01-02],r3n[01-04]", segment=2, consolidate=True))
        self.assertTrue(right("r1n[01-03],r2n[01-03]", most_blocks=1))  # no rack could hold 6
        self.assertFalse(right("r1n[01-03],r2n[01-03]", most_blocks=1, least=4))  # but 4 of a range
        self.assertTrue(right("r1n[01-03],r2n[01-03]", most_blocks=1, least=4, raised=6))  # unless the tasks need 6
        # Six GPUs are on two nodes, or, with as many CPUs for each as a node has, on six.
        self.assertEqual([right("r1n[01-03],r2n[01-03]", sized=True, most_blocks=1, gpus="6", cpus_a_gpu=cpus)
                          for cpus in (0, 1, GROUNDS.trays[0].cpus)], [False, False, True])
        self.assertTrue(right("r1n01,r2n01", sized=True, most_blocks=1, named=("r1n01", "r2n01")))
        self.assertFalse(right("r1n01,r2n01", sized=True, most_blocks=1, named=("r1n01",)))
        short = tuple(f"r{rack}n{node:02}" for rack in range(1, 5) for node in range(2, 5))
        self.assertTrue(right("r1n01,r2n01", sized=True, most_blocks=1, excluded=short))
        self.assertFalse(right("r1n01,r2n01", sized=True, most_blocks=1, excluded=short[:9]))
        self.assertFalse(right("r1n01,r2n01,r3n01", segment=1, most_blocks=2))
        self.assertTrue(right("r1n01,r2n01,r3n01", segment=1, spread=True, most_blocks=2))
        self.assertFalse(right("r1n01,r2n01,r3n01", segment=1, spread=True, most_blocks=3) and right(
            "r1n01,r2n01,r3n01,r4n01", segment=2, most_blocks=2))
        # Nodes in no block: for a whole job without a segment size.
        spare = Rules(replace(GROUNDS, outside=2))
        self.assertEqual([bool(spare.faults(hostlist.expand(nodes), Wish(segment=size)))
                          for nodes, size in (("out[01-02]", 0), ("out[01-02]", 2), ("out01,r1n01", 0))], [False, True, True])
        self.assertEqual([Wish.of((f"--switches={words}",)).most_blocks for words in ("2", "2@5:00", "2@0")], [2, 2, 0])
        self.assertEqual([Wish.of((*more, "--spread-job", "-n2")).sized for more in ((), ("-w", "r1n01"), ("-w", "r1n01,r4n01"))],
                         [True, True, True])
        self.assertEqual([Wish.of(tuple(words.split())).sized for words in
                          ("-N2 -n2 --spread-job -w r1n01,r4n01", "-N2 -n2 --spread-job", "-N2 --spread-job -w r1n01,r4n01",
                           "-N2 -n2 -w r1n01,r4n01", "-N3 -n3 --spread-job -w r1n01,r4n01", "-N14 -n4 --ntasks-per-node=1 --spread-job",
                           "-N14 -n4 --spread-job", "-N1-3 -n3 --ntasks-per-node=1 --spread-job",
                           "-N1-4 -n3 --ntasks-per-node=1 --spread-job")], [True, False, False, False, False, True, False, True, False])
        # 24.11.5 and 26.05.3: with -c slurmctld is told seven tasks, as if -n had named them.
        self.assertEqual([Wish.of(tuple(f"-N{count} {words} --spread-job".split())).sized for count, words in
                          (("7", "-c1 --ntasks-per-node=1"), ("7", "--ntasks-per-node=1"), ("7", "-c1"), ("7", "-c1 --ntasks-per-node=2"),
                           ("3-7", "-c1 --ntasks-per-node=1"))], [True, False, False, False, False])
        self.assertEqual([Wish.of(("-n2", "-w", names)).sized for names in ("r1n01", "r1n01,r4n01", "r1n[01-02],r4n01")],
                         [True, True, False])  # sbatch: "can't run 2 processes on 3 nodes, setting nnodes to 2"
        self.assertEqual([Wish.of(("-N3-4", "--gpus=5", tasks)).sized for tasks in ("-n2", "-n3", "-n4")], [False, False, True])
        self.assertEqual([Wish.of(("-N1-2", "--gpus=5", "-w", names)).sized for names in ("r1n01", "r1n01,r4n01")], [True, False])
        # 24.11.5, seed 94: three nodes for three GPUs, as with -N3, and not in racks that no block of that count has together.
        self.assertEqual([Wish.of(("-N3-7", f"--gpus={gpus}")).sized for gpus in ("3", "h:3", "4", "h:4")], [False, False, True, True])
        # 25.11.7 and 24.11.5 (seeds 79 and 80): one count is left by the tasks or by a partition's MaxNodes.
        self.assertEqual([Wish.of(tuple(words.split())).sized for words in
                          ("-N2-8 -n2 --gpus-per-task=1", "-N2-8 -n3 --gpus-per-task=1", "-n2 --ntasks-per-node=1 --spread-job",
                           "-n2 --ntasks-per-node=1", "-N2-8 -n4 --gpus-per-task=1 -w r1n[01-04]")], [False, True, True, True, False])
        ranges = ("-N1-5 -n4 --gpus=9", "-N1-5 -n4 --gpus=9 --ntasks-per-node=1", "-N1-5 -n4 --gpus=9 --ntasks-per-node=2",
                  "-N2-8 --spread-job", "-N1-8 -n8 --spread-job", "-N1-8 -n9 --spread-job", "-N2-8 --use-min-nodes",
                  "-N2-8 -C all*2", "-N2-8 -C all", "-N2-8 -n8 --spread-job -w r1n[01-02]", "-N2-8 -n8 --spread-job -w r1n01")
        self.assertEqual([Wish.of(tuple(words.split())).sized for words in ranges],
                         [True, False, True, False, True, False, True, True, False, True, False])
        self.assertTrue(right("r1n01,r2n01", sized=True) and right("r1n01,r4n01", sized=True))
        limited = Rules(replace(GROUNDS, partitions=("PartitionName=main Nodes=ALL MaxNodes=2",)))
        apart = hostlist.expand("r1n01,r4n01")
        self.assertFalse(limited.faults(apart, Wish(sized=True, named=("r1n01",))))
        self.assertTrue(limited.faults(apart, Wish(sized=True, raised=2)))  # -n10 --ntasks-per-node=5
        # 26.05.3, seeds 9605 and 10301: nobody has named a number of nodes, whatever the partition leaves of the names.
        self.assertEqual([bool(limited.faults(apart, Wish.of(tuple(words.split())))) for words in
                          ("-w r1n01,r4n01", "-n6 -w r1n01,r4n01", "-N2 -w r1n01,r4n01", "-n2 -w r1n01,r4n01", "-n10 --ntasks-per-node=5")],
                         [False, False, True, False, True])
        # --switches=1 of a job that any rack could hold some time, though not now: it waits for one.
        each = GROUNDS.tray("r1n01").cpus
        self.assertFalse(right("r1n[01-04],r2n01", sized=True, most_blocks=1, cpus=4 * each))
        self.assertTrue(right("r1n[01-04],r2n01", sized=True, most_blocks=1, cpus=4 * each + 1))
        threaded = Rules(replace(GROUNDS, trays=(replace(GROUNDS.trays[0], threads=2),)))
        tight = Wish(sized=True, most_blocks=1, cpus=4 * each + 1)  # with --hint=nomultithread a core is for one CPU
        self.assertTrue(threaded.faults(hostlist.expand("r1n[01-04],r2n01"), tight))
        single = Rules(replace(threaded.site, settings=(("SelectTypeParameters", "CR_Core,CR_ONE_TASK_PER_CORE"),)))
        self.assertFalse(single.faults(hostlist.expand("r1n[01-04],r2n01"), tight))  # 24.11.5, seed 94
        self.assertFalse(threaded.faults(hostlist.expand("r1n[01-04],r2n01"), replace(tight, whole_cores=True)))
        # 25.11.7, seed 93: of two threads per core one is for a task, so that a forecast on these nodes is none of the job.
        cores = threaded.racks[0]
        for tasks, crowded in ((len(cores) * each, False), (len(cores) * each + 1, True)):
            wish = Wish.of((f"-n{tasks}", "--ntasks-per-core=1"))
            self.assertEqual(threaded.crowds(cores, wish), crowded)
            self.assertFalse(threaded.crowds(cores, replace(wish, core_tasks=0)))
        # 24.11.5, seed 94: of eight CPUs tasks of three use six.
        self.assertFalse(rules.faults(hostlist.expand("r1n[01-04],r2n01"), Wish.of(("-n9", "-c3", "--switches=1"))))
        self.assertTrue(rules.faults(hostlist.expand("r1n[01-04],r2n01"), Wish.of(("-n8", "-c3", "--switches=1"))))
        self.assertFalse(rules.faults(hostlist.expand("r1n[01-04],r2n01"), Wish.of(("-n9", "--tres-per-task=cpu:3", "--switches=1"))))
        # 25.05.8, seed 12102: nodes of eight CPUs and of four in each rack.
        smaller = Rules(replace(GROUNDS, trays=(*GROUNDS.trays, Tray(1, 4, 1, 500, 4)), small=("r1n04", "r2n04", "r3n04", "r4n04")))
        for tasks, holds in ((28, True), (29, False)):
            self.assertEqual(bool(smaller.faults(hostlist.expand("r1n[01-04],r2n01"), Wish.of((f"-n{tasks}", "--switches=1")))), holds)
        # 25.05.8, seed 9504: four nodes of eight CPUs hold no 33 tasks, which a range may have on five.
        for tasks, holds in ((32, True), (33, False)):
            wish = Wish.of(("-N1-6", f"-n{tasks}", "--switches=1"))
            self.assertEqual(bool(rules.faults(hostlist.expand("r1n[01-04],r2n01"), wish)), holds)
        # 26.05.3, seed 404: no rack of four nodes has 17 GPUs.
        for tasks, holds in ((16, True), (17, False)):
            wish = Wish.of((f"-n{tasks}", "--gpus-per-task=1", "--switches=1"))
            self.assertEqual(bool(rules.faults(hostlist.expand("r1n[01-04],r2n01"), wish)), holds)
        # 24.11.5, seed 94: of eight CPUs the partition lets a job have four, so that no rack of four nodes holds 17 tasks.
        wide = Wish.of(("-n17", "--gpus=3", "--switches=1"))
        for limit, holds in (("MaxCPUsPerSocket=2", False), ("MaxCPUsPerNode=4", False), ("MaxCPUsPerNode=5", True), ("", True)):
            bounded = Rules(replace(GROUNDS, partitions=(f"PartitionName=main Nodes=ALL {limit}", "PartitionName=second Nodes=ALL")))
            self.assertEqual(bool(bounded.faults(hostlist.expand("r1n[01-04],r2n01"), wide)), holds, limit)
            both = replace(wide, partitions=("main", "second"))
            self.assertTrue(bounded.faults(hostlist.expand("r1n[01-04],r2n01"), both))
        # 25.05.8, seed 6102: with 250 of its 1000 MB for each CPU a node has four.
        remembering = Rules(replace(GROUNDS, trays=(replace(GROUNDS.trays[0], memory=1000),),
                                    settings=(("SelectTypeParameters", "CR_Core_Memory"), ("DefMemPerCPU", "250"))))
        for options, holds in ((("-n16",), True), (("-n17",), False), (("-n17", "--mem=100"), True), (("-n21", "--mem-per-cpu=200"), False)):
            wish = Wish.of((*options, "--switches=1"))
            self.assertEqual(bool(remembering.faults(hostlist.expand("r1n[01-04],r2n01"), wish)), holds, options)
        # 24.11.5, seed 95: no rack of four nodes with four GPUs each holds 17.
        # 24.11.5, seed 97: no rack has four nodes of the feature.
        mixed = Rules(replace(GROUNDS, trays=GROUNDS.trays * 2, small=("r1n01", "r2n01", "r3n01", "r4n01")))
        for feature, holds in (("big", False), ("all&big", False), ("all", True), ("big|little", True)):
            wish = Wish.of(("-n32", "--switches=1", "-C", feature))
            self.assertEqual(bool(mixed.faults(hostlist.expand("r1n[01-04],r2n01"), wish)), holds, feature)
        fewer = Rules(replace(GROUNDS, trays=(GROUNDS.trays[0], replace(GROUNDS.trays[0], gpus=8)), small=("r4n01",)))
        for feature, holds in (("big", False), ("all", True)):  # nodes of the feature have four GPUs, and four of them are in a rack
            wish = Wish.of(("--gpus=17", "--switches=1", "-C", feature))
            self.assertEqual(bool(fewer.faults(hostlist.expand("r1n[01-04],r2n01"), wish)), holds, feature)
        typed = Rules(replace(GROUNDS, types="h,l"))  # two of each (seed 96)
        for gpus, site, holds in (("16", rules, True), ("17", rules, False), ("16", typed, True), ("h:8", typed, True), ("h:9", typed, False)):
            some = Wish.of(("-N2-8", f"--gpus={gpus}", "-c3", "--switches=1"))
            self.assertEqual(bool(site.faults(hostlist.expand("r1n[01-04],r2n01"), some)), holds, gpus)
        # 24.11.5, seed 90: no node has more tasks than --ntasks-per-socket lets its sockets have.
        four = Wish.of(("-n9", "--ntasks-per-socket=2", "--switches=1"))
        crowded = Rules(replace(GROUNDS, trays=(replace(GROUNDS.trays[0], sockets=1),)))
        self.assertFalse(crowded.faults(hostlist.expand("r1n[01-04],r2n01"), four))
        self.assertTrue(crowded.faults(hostlist.expand("r1n[01-04],r2n01"), replace(four, tasks=8)))
        self.assertEqual([Wish.of((option,)).whole_cores for option in ("--hint=nomultithread", "--hint=multithread", "--threads-per-core=1",
                                                                        "--threads-per-core=2")], [True, False, True, False])
        self.assertFalse(right("r1n01,r4n01") or right("r1n01,r4n01", sized=True, segment=4))
        # 26.05.3, seed 99: segments of six on two racks each, and none on a rack of another one.
        apart = {"segment": 6, "spread": True}
        self.assertTrue(right("r1n[01-04],r2n[01-02],r3n[01-03],r4n[01-03]", **apart))
        self.assertFalse(right("r1n[01-04],r2n[01-04],r3n[01-04]", **apart) or right("r1n[01-04],r2n[01-03],r3n[01-03],r4n[01-02]", **apart))
        self.assertIn(frozenset(GROUNDS.rack(3)), rules.scopes())
        self.assertNotIn(frozenset(GROUNDS.rack(2) + GROUNDS.rack(3)), rules.scopes())
        vectors = list(rules.vectors(4, Wish(segment=2, spread=True))(rules.racks))
        self.assertEqual(len(vectors), 6)  # two of four racks

    def test_shrinker(self):
        """A planted fault that needs -N3 or more, --gpus and one busy job is reduced to just that."""
        full = replace(SCENE, busy=tuple(("-N1", "-w", f"r1n0{number}", "-c2") for number in range(1, 5)), drained=("r2n01",))
        def fails(laid, wanted):
            return wanted.nodes[0] >= 3 and wanted.has("--gpus") and any("r1n03" in options for options in laid.busy)
        laid, small = shrinker.shrink(full, job("-N9", "-n12", "--gpus=7", "-w", "r1n[01-04]", "--exclusive"), fails, 20)
        self.assertEqual((str(small), laid.busy, laid.drained), ("sbatch -N3 --gpus=1", (full.busy[2],), ()))
        self.assertEqual(len(laid.grounds.racks), 2)

    def test_draw_depends_on_seed_alone(self):
        for index in range(20):
            first, again = (surround(SEED, scene(SEED, index)) for _ in range(2))
            self.assertEqual(first, again)
            self.assertEqual([widen(SEED, first, number, request(SEED, first, number, (25, 11))) for number in range(25)],
                             [widen(SEED, again, number, request(SEED, again, number, (25, 11))) for number in range(25)])
        self.assertNotEqual(scene("1", 0), scene("2", 0))

    def test_surroundings_are_met(self):
        """All that a cluster and a request can have besides is drawn, often enough for a run of a few hundred requests."""
        laid = [surround(SEED, scene(SEED, index)) for index in range(40)]
        drawn = [widen(SEED, made, number, request(SEED, made, number, (25, 11))) for made in laid for number in range(25)]
        self.assertTrue(all(any(has(made) for made in laid) for has in (Scene.preempts, Scene.later, lambda made: made.grounds.outside,
                                                                                   lambda made: made.suspended, lambda made: made.shrunk)))
        for name in ("-t", "--deadline", "--licenses", "--prefer", "--extra-node-info", "--tres-per-task"):
            self.assertTrue(any(wanted.has(name) for wanted in drawn), name)
        self.assertTrue(any("," in (wanted.value("-N") or "") for wanted in drawn))
        self.assertTrue(any(wanted.value("-p") == "urgent" for wanted in drawn))
        self.assertEqual({name for wanted in drawn for name in wanted.late}, set(UPDATES))
