# SPDX-License-Identifier: GPL-2.0-or-later
"""Churn with a checker beside it: rounds of changes, then a look; at the end every job that can start has to."""

import re
import time

from nvl72lab import cluster, sanitizer

from . import heap, records
from .checker import Blocks, Checker, log_faults, too_long
from .churn import EXPECTED, Gone

STEPS = 25  # between two looks
READ_TRIES = 5
# Slurm's counts of GPUs on a node can go wrong in such churn, with topology/block as well; what was given twice is a fault of its own.
MISCOUNTED = re.compile("error: gres/.*(overallocated|underflow)")
PREEMPTED = re.compile(r"preempted JobId=(\d+)")
TOOK = re.compile(r"questions, (\d+) us$", re.MULTILINE)
MOST_FAULTS = 20
FORGOTTEN_SECONDS = 120  # ended jobs are, every ten seconds
MERGED_SECONDS = 65  # Slurm merges records of equal nodes once a minute
BAD_FILE, MOVE, CRASH = 8, 5, 4  # every so many rounds
# slurmctld forgets ended jobs every ten seconds, and a failed reconfigure begins these anew: more often than that, no job is ever forgotten.
LATER_BAD_FILE = 40
LAST_ROUNDS = 6  # after the last rest: at the end jobs have to wait
TIMED = 40  # every so many rounds, the log tells each decision: a thousand lines of Slurm's come with it
# A good file and a crash replace slurmctld's process; after this share of the requests it stays the same, so that its memory can be compared.
REPLACED = 0.12
GROWTH_KIB = 1024  # that slurmctld may have allocated more, without a job, after the second half of the requests
RESIDENT_KIB = 64 * 1024  # the same where only its resident memory is known


class Watch:
    """`tell` gets what is wrong, once. `enforced`: cliques are. `enough`: so many faults end it; `rest`: seconds that a rest takes."""

    def __init__(self, churn, tell, enforced, enough, rest):
        self.enough, self.rest = enough, rest
        self.churn, self.tell, self.enforced = churn, tell, enforced
        self.cliques = {} if enforced else None  # at the last look
        self.checker = Checker(churn.jobs)
        self.faults, self.mark = [], 0
        self.resident = []  # KiB, at each look
        self.at_rest = []  # KiB, each time that there was no job
        self.decisions = []  # microseconds that each took, of those that the log told
        self.gone = set()  # jobs that slurmctld's log says were preempted

    def fault(self, texts):
        """Something is wrong."""
        for text in texts:
            if text not in self.faults:
                self.faults.append(text)
                if len(self.faults) <= MOST_FAULTS:
                    self.tell(f"FAULT after {self.churn.asked} requests: {text}")

    def jobs(self):
        """What is in the queue; slurmctld may be too busy to answer once."""
        for _ in range(READ_TRIES):
            shown = self.churn.run("scontrol", "-d", "-o", "--all", "show", "job")
            if not shown.code:
                return records.jobs(shown.out)
        raise Gone(f"scontrol show job fails {READ_TRIES} times: {shown.err}")

    def _read_log(self):
        with open(cluster.log(), "rb") as stream:
            stream.seek(self.mark)
            text = stream.read().decode("utf-8", "replace")
        end = text.rfind("\n") + 1
        self.mark += len(text[:end].encode())
        self.churn.counts["miscounted GPUs in the log"] += len(MISCOUNTED.findall(text[:end]))
        self.gone |= {int(number) for number in PREEMPTED.findall(text)}
        took = list(map(int, TOOK.findall(text[:end])))
        self.decisions += took
        self.fault(too_long(took))
        self.fault(f"{line}{self._asked(line)}" for line in log_faults(text[:end].splitlines(), EXPECTED))

    def _asked(self, line):
        """What the job of a line of the log asks for."""
        found = re.search(r"[jJ]ob(?:Id=)? ?(\d+)", line)
        components = found and self.churn.jobs.get(int(found[1]))
        return f" ({' : '.join(' '.join(options) for options in components)})" if components else ""

    def _process(self):
        return cluster.ask("lab-ctl", "pid").strip()

    def _measure(self):
        resident = heap.resident(self._process())
        if resident is None:
            self.fault(["slurmctld is gone"])
        else:
            self.resident.append(resident)

    def _rest(self):
        """Cancels all jobs and waits until slurmctld has forgotten them: what it has allocated then must not grow."""
        self.churn.run("scancel", "--user=root")
        self.churn.jobs.clear()
        cluster.wait_until(lambda: not self.jobs(), FORGOTTEN_SECONDS, "slurmctld had forgotten all jobs")
        self.churn.calm()  # Slurm keeps 8 KiB for each combination of weight and features that nodes have
        # Once a node has had a job with GPUs, Slurm keeps 4 KiB for it until it reads its nodes anew, as here.
        self.churn.run("scontrol", "update", "partitionname=main", "state=up")
        least, counted = heap.least(self._process(), self.rest)
        self.at_rest.append(least)
        most = GROWTH_KIB if counted else RESIDENT_KIB
        # A sanitizer's allocator keeps what is freed.
        if sanitizer.chosen() not in sanitizer.KINDS and self.growth() > most:
            self.fault([f"slurmctld's memory grew by {self.growth()} KiB, more than {most}"])

    def look(self):
        """What is wrong now; the queue."""
        queue = self.jobs()
        self._read_log()
        unsure = self._read_cliques()
        blocks = Blocks.read(self.churn.topology(), self.cliques)
        self.fault(self.checker.faults(queue, blocks, self.churn.moved, unsure))
        self.churn.moved = False
        self.fault(self._lost(queue))
        self._measure()
        return queue

    def _read_cliques(self):
        """Of all nodes, where they matter; the nodes whose clique has changed since the last look."""
        if not self.enforced:
            return frozenset()
        before, self.cliques = self.cliques, records.cliques(self.churn.run("scontrol", "-o", "show", "node").out)
        changed = {node for node, clique in self.cliques.items() if before.get(node) != clique} | self.churn.rewired
        self.churn.rewired = set()
        return changed

    def _lost(self, queue):
        """Jobs that nobody has cancelled, that did not give way to others, and that are not there."""
        there = {job.root for job in queue}
        lost = [number for number in self.churn.jobs if number not in there]
        for number in lost:
            del self.churn.jobs[number]
        expected = self.gone | self.churn.unsaved
        self.churn.unsaved = set()
        return [f"job {number} is lost" for number in lost if number not in expected]

    def _crash(self):
        """What was cancelled after the last save is there again, and is cancelled anew."""
        self.churn.crash()
        again = {job.root for job in self.look()} - set(self.churn.jobs)
        if again:
            self.churn.run("scancel", *map(str, sorted(again)))

    def _goes_on(self):
        return len(self.faults) < self.enough

    def run(self, wanted, seconds, pace, replaced):
        """Until so many jobs were asked for, or so long; files and crashes come so many times as often, until that share of the requests."""
        end, rounds = time.monotonic() + seconds, 0
        while self.churn.asked < wanted and time.monotonic() < end and self._goes_on():
            self._round(rounds % TIMED == 0)
            rounds += 1
            early = self.churn.asked < replaced * wanted
            if rounds % ((BAD_FILE if early else LATER_BAD_FILE) // pace) == 0 and not self.churn.bad_file():
                self.fault(["a reconfigure with a bad topology.conf succeeds"])
            if early:
                self._replace(rounds, pace)
            if not self.at_rest and 2 * self.churn.asked >= wanted:
                self._rest()
        if self._goes_on():
            self._rest()
            for _ in range(LAST_ROUNDS):
                self._round(False)

    def _round(self, timed):
        """Some changes and a look; where it is timed, the log tells each decision."""
        if timed:
            self.churn.log_decisions(True)
        for _ in range(STEPS):
            self.churn.step()
        if timed:
            self.churn.log_decisions(False)
        self.look()

    def _replace(self, rounds, pace):
        """What ends slurmctld's process and starts another."""
        if rounds % (MOVE // pace) == 0:
            if not self.churn.move_nodes():
                self.fault(["a reconfigure with another topology.conf fails"])
            self.look()
        if rounds % (CRASH // pace) == 0:
            self._crash()

    def _schedule(self):
        """The main scheduler looks at the whole queue: at first a minute after slurmctld's start, unless a change calls for it."""
        self.churn.run("scontrol", "update", "partitionname=main", "state=up")
        cluster.scheduler_pass()

    def settle(self):
        """Cancels what runs on an otherwise idle cluster until nothing more starts; the jobs that still wait."""
        self.churn.calm()  # topology/block knows no cliques
        self.churn.move_nodes(0)
        while True:
            self._schedule()
            queue = self.look()
            placed = sorted({job.root for job in queue if job.placed})
            if not placed:
                return [job for job in queue if job.state == "PENDING"]
            for number in placed:
                self.churn.jobs.pop(number, None)
            self.churn.run("scancel", *map(str, placed))

    def stuck(self, plugin="topology/block"):
        """Jobs that wait on an idle cluster although Slurm's own plugin starts them there."""
        waiting = {job.root for job in self.settle()}
        if waiting:
            cluster.restart_with(plugin)
            self._schedule()
            self.fault([f"job {job.root} ({' '.join(self.churn.jobs.get(job.root, [()])[0])}) waits on an idle cluster; {plugin} starts it"
                         for job in self.jobs() if job.placed and job.root in waiting])
        return len(waiting)

    def growth(self):
        """KiB from the first rest to the last."""
        return self.at_rest[-1] - self.at_rest[0] if self.at_rest else 0

    def memory_over_time(self, points=12):
        """MiB that were resident, from the first request to the last."""
        last = len(self.resident) - 1
        return [round(self.resident[number * last // (points - 1)] / 1024, 1) for number in range(points)] if self.resident else []

    def slowest(self):
        """Of the decisions: how many there were, and the milliseconds within which half, 9,999 of 10,000 and all of them ended."""
        took = sorted(self.decisions)
        return (len(took), *(took[int(share * (len(took) - 1))] / 1000 for share in (0.5, 0.9999, 1))) if took else (0, 0, 0, 0)
