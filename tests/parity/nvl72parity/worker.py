# SPDX-License-Identifier: GPL-2.0-or-later
"""Beside one slurmctld: does what trio.py sends, one pickled (action, arguments) after the other."""

import os
import pickle
import re
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from nvl72lab import daemons, hostlist, namespace, scenario
from nvl72lab.instance import Instance
from nvl72lab.places import LabError
from nvl72lab.staying import Command

from . import seen
from .slurm import COMMANDS, Gone, Slurmctld

# A job without an end: what waits for a busy node is told to start a year ahead.
SCRIPT = ("--wrap", "sleep 100000")
# slurmctld's threads wake one another at each message, so a few are faster than its default.
# The number of a component of a heterogeneous job is its own, that of a task its array's.
NUMBER = r"JobId=(?:\d+\+\d+\((\d+)\)|(\d+)\S*)"
STARTED = re.compile(rf"sched: Allocate {NUMBER} NodeList=(\S+)|: Started {NUMBER} in \S+ on (\S+)")
FAST = (("SlurmctldDebug", "error"), ("SlurmctldParameters", "conmgr_threads=4"))


class Worker:
    """One plugin's slurmctld."""

    def __init__(self, plugin, words=""):
        self.plugin, self.words, self.slurmctld, self.opened = plugin, words, None, 0
        self.preempts, self.placed = False, {}  # jobs that stay, (options, part) by id
        self.instance = Instance(os.environ["NVL72BLOCK_LAB_INSTANCE"]).load_release()
        self.plain = self.instance.slurm_conf.read_text("utf-8")
        self.log = self.instance.controller_log
        self.commands = {name: Command(self.instance, name) for name in COMMANDS}
        daemons.kill_controller(self.instance)
        self.state = Path(f"{self.instance.release.root or ''}{self.instance.state}")
        namespace.empty(self.state)  # in memory: what slurmctld saves nobody reads

    def open(self, site):
        """A fresh slurmctld with that site; the Slurm version."""
        if self.slurmctld:
            self.slurmctld.kill()
        parameters = ",".join(filter(None, (dict(site.settings).get("TopologyParam", ""), self.words)))
        own = (("TopologyPlugin", self.plugin), ("TopologyParam", parameters))
        settled = replace(site, settings=(*(pair for pair in site.settings if pair[0] != "TopologyParam"),
                                          *(pair for pair in FAST if pair[0] not in dict(site.settings)),
                                          *(pair for pair in own if pair[1])))
        self._start(scenario.files(settled, self.plain))
        self.preempts, self.placed = "PreemptType" in dict(site.settings), {}
        return tuple(int(part) for part in self.instance.release.version.split(".")[:2])

    def _start(self, files):
        """A slurmctld without a past."""
        for name, text in files.items():
            (self.instance.conf / name).write_text(text, "utf-8")
        for path in self.state.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.opened = self._mark()
        self.slurmctld = Slurmctld(self.instance, self.commands)

    def _errors(self, mark):
        """Error lines of the log since then, without their times."""
        with open(self.log, "rb") as stream:
            stream.seek(mark)
            lines = stream.read().decode("utf-8", "replace").splitlines()
        return tuple(re.sub(r"^\[[^\]]*\] ", "", line) for line in lines if "] error: " in line or "] fatal: " in line)

    def _mark(self):
        return self.log.stat().st_size

    def _run(self, *words):
        return self.slurmctld.run(*words)

    def _ask(self, *words):
        """Runs a command that has to succeed; its output."""
        result = self._run(*words)
        if result.code:
            raise LabError(f"{' '.join(words)}: {(result.err or result.out).strip()}")
        return result.out

    def _offer(self, options):
        """The id of a new job, or None, and what sbatch says."""
        result = self._run("sbatch", "--parsable", "--output=/dev/null", *options, *SCRIPT)
        return None if result.code else int(result.out), result.err

    def _wait_tried(self, number, options):
        """Returns when a scheduler has judged the job; if it waits, twice, because it is tried on other nodes then.

        Before a job that preempts others is tried, these are ended in a cycle of their own. One that finds no room on the nodes that it
        prefers is tried on others by backfill alone.
        """
        if ":" in options:  # only backfill starts heterogeneous jobs
            self.slurmctld.wait_pass(b"b")
            if not self._has_started(number):  # a component that it did not know before makes a second cycle necessary
                self._wait_backfill()
            return
        self.slurmctld.wait_pass()
        for _ in range(1 + self.preempts):
            if self._has_started(number):
                return
            self.slurmctld.wait_pass()
        if any(word.startswith("--prefer") for word in options) and not self._has_started(number):
            self._wait_backfill()

    def _has_started(self, number):
        return seen.kind_of(self._records(number)) == seen.STARTED

    def _wait_backfill(self):
        self._ask("scontrol", "update", "nodename=ALL", "comment=again")  # without news there is no cycle
        self.slurmctld.wait_pass(b"b")

    def _records(self, number):
        shown = self._run("scontrol", "--local", "-d", "-o", "show", "job", str(number))
        return seen.parts(line for line in shown.out.splitlines() if line.startswith("JobId="))

    def place(self, requests):
        """Jobs that stay, one list of options each; (id, part) of each that has its nodes. The others are cancelled."""
        numbers = {number: options for number, options in ((self._offer(options)[0], options) for options in requests) if number is not None}
        self.slurmctld.wait_pass()
        found = self._all_records()
        placed = [(number, found[number]) for number in sorted(numbers) if number in found and found[number].state == seen.STARTED]
        self.cancel(set(numbers) - {number for number, _ in placed})
        self.placed.update({number: (numbers[number], part) for number, part in placed})
        return placed

    def alter(self, suspended, shrunk):
        """Suspends jobs that stay, and takes all nodes but one from others, each named by its first node; the CPUs of them all."""
        numbers = {part.nodes[0]: number for number, (_, part) in self.placed.items()}
        for node in suspended:
            self._ask("scontrol", "suspend", str(numbers[node]))
        for node in shrunk:
            self._ask("scontrol", "update", f"jobid={numbers[node]}", "NumNodes=1")
        found = self._all_records()
        self.placed = {number: (options, found[number]) for number, (options, _) in self.placed.items() if number in found}
        return [found[number].places for number in self.placed]

    def _all_records(self):
        """The part of each job that slurmctld knows, by its id."""
        shown = self._run("scontrol", "--local", "-d", "-o", "show", "job").out.splitlines()
        return {int(line[len("JobId="):].split()[0]): seen.part(line) for line in shown if line.startswith("JobId=")}

    def _preempted(self):
        """Jobs that stay and have lost their nodes, with what they were, by id."""
        if not self.preempts:
            return {}
        found = self._all_records()
        return {number: job for number, job in self.placed.items() if number not in found or found[number].state != seen.STARTED}

    def _restore(self, lost):
        """Puts the jobs back that were preempted, each on the CPUs and GPUs that it had."""
        self.cancel(lost)
        for number in lost:
            del self.placed[number]
        before = sorted(part.places for _, part in lost.values())
        if lost and sorted(part.places for _, part in self.place([options for options, _ in lost.values()])) != before:
            raise LabError("jobs that were preempted do not get what they had")

    def cancel(self, numbers):
        """Jobs that have not begun on their imaginary nodes are gone at once."""
        if numbers:
            self._run("scancel", *map(str, numbers))

    def standing(self, options):
        """A reservation that stays; jobs ask for it by --reservation=standing."""
        self._ask("scontrol", "create", "reservation", "ReservationName=standing", *options)

    def drain(self, nodes, undrained=()):
        """Takes nodes out of service, and others back."""
        for names, words in ((undrained, ("state=undrain",)), (nodes, ("state=drain", "reason=test"))):
            if names:
                self._ask("scontrol", "update", f"nodename={hostlist.compress(names)}", *words)

    def forecast(self, options):
        """What --test-only says; nothing is left behind."""
        return self._unless_gone(self._forecast, options)

    def _forecast(self, options):
        said = self._run("sbatch", "--test-only", *options, *SCRIPT)
        kind, parts = seen.forecast(said.err, said.code)
        return seen.Seen("", (), seen.sentence(said.err) if kind == seen.REFUSED else "", kind, parts)

    def attempt(self, options, updates=()):
        """A forecast, then the job itself, which is cancelled when the scheduler has judged it.

        With `updates` the job has been submitted as held, and is released when it has them; then nothing is forecast.
        """
        return self._unless_gone(lambda asked: self._attempt(asked, updates), options)

    def attempt_without(self, nodes, options, updates=()):
        """attempt() while the jobs are gone that stay on these nodes."""
        return self._unless_gone(lambda asked: self._attempt_without(nodes, asked, updates), options)

    def _attempt_without(self, nodes, options, updates):
        gone = {number: job for number, job in self.placed.items() if set(job[1].nodes) & set(nodes)}
        kept = {number: job for number, job in self.placed.items() if number not in gone}
        self.cancel(gone)
        self.placed = kept
        found = self._attempt(options, updates)
        self.placed |= gone
        self._restore(gone)
        return found

    def _unless_gone(self, ask, options):
        """What ask() sees, with the errors that slurmctld logs meanwhile."""
        mark = self._mark()
        try:
            found = ask(options)
        except Gone as error:
            found = seen.Seen(seen.CRASHED, (), str(error))
        return replace(found, errors=self._errors(mark))

    def _attempt(self, options, updates=(), look=lambda number: ""):
        told = seen.Seen("") if updates else self._forecast(options)
        number, said = self._offer(options)
        said = said if number is None else self._update(number, updates)
        if number is None or said:
            self.cancel([number] if number else [])
            return replace(told, kind=seen.REFUSED, message=seen.sentence(said))
        self._wait_tried(number, options)
        parts, shown, lost = self._records(number), look(number), self._preempted()
        self.cancel([number])
        self._restore(lost)
        return replace(told, kind=seen.kind_of(parts), parts=parts, message=shown, preempted=tuple(node for _, part in lost.values() for node in part.nodes))

    def _update(self, number, updates):
        """Changes a held job and releases it; what slurmctld says against it."""
        for words in (("update", f"jobid={number}", *updates), ("release", str(number))) if updates else ():
            result = self._run("scontrol", *words)
            if result.code:
                return result.err or result.out
        return ""

    def reserve(self, options):
        """Creates a reservation, looks at it, deletes it."""
        return self._unless_gone(self._reserve, options)

    def _reserve(self, options):
        said = self._run("scontrol", "create", "reservation", "ReservationName=asked", "StartTime=now", "Duration=10",
                         "Users=root", *options)
        if said.code:
            return seen.Seen(seen.REFUSED, (), seen.sentence(said.err + said.out))
        part = seen.reservation(self._ask("scontrol", "-o", "show", "reservation", "asked"))
        self._ask("scontrol", "delete", "reservation", "asked")
        return seen.Seen(seen.STARTED, (part,))

    def whole(self, options):
        """A forecast and a job as attempt() has them, with all that scontrol shows of the job and of the topology."""
        return self._unless_gone(lambda asked: self._attempt(asked, look=self._shown), options)

    def _shown(self, number):
        shown = self._run("scontrol", "--local", "-d", "show", "job", str(number)).out + self._run("scontrol", "show", "topology").out
        return without_times(shown)

    def repeat(self, parts):
        """What this plugin does with the job of an exported decision: its nodes, or "holds the job"."""
        if self.slurmctld:
            self.slurmctld.kill()
        fast = "".join(f"{key}={value}\n" for key, value in FAST)
        self._start(scenario.exported_files({**parts, "slurm.conf": parts["slurm.conf"] + fast}, self.plain))
        answer = None
        for program, *words in map(shlex.split, parts["commands"].splitlines()):
            if program == "scontrol":
                self._ask(program, *words)
            elif program == "sbatch":
                answer = self._run(program, "--parsable", "--output=/dev/null", *words)
                self.slurmctld.wait_pass()
        found = () if answer.code else self._records(int(answer.out))
        return sorted(found[0].nodes) if found and found[0].nodes else "holds the job"

    def logged_starts(self):
        """What slurmctld, told to log it, has said of starts since it was opened: (job or array, nodes) of each, in their order."""
        with open(self.log, "rb") as stream:
            stream.seek(self.opened)
            text = stream.read().decode("utf-8", "replace")
        return [(int(found[1] or found[2] or found[4] or found[5]), tuple(hostlist.expand(found[3] or found[6])))
                for found in STARTED.finditer(text)]

    def shadow_records(self):
        """What shadow mode has recorded, once no job waits any more."""
        self.slurmctld.wait_pass()
        path = self.state / "nvl72block_shadow"
        return path.read_text("utf-8", "replace") if path.exists() else ""


def without_times(text):
    """What scontrol shows of a job but the moments at which things happened, and which of the schedulers was first: backfill gives
    a job without a limit one of a year."""
    text = re.sub(r"TimeLimit=(UNLIMITED|365-00:00:00)", "TimeLimit=none", text)
    text = re.sub(r"\b(SLUID|SubmitTime|EligibleTime|AccrueTime|StartTime|EndTime|Deadline|LastSchedEval|SuspendTime|PreemptEligibleTime|RunTime)=\S+",
                  r"\1=", text)
    return re.sub(r"(Scheduler|StdErr|StdOut|StdIn|WorkDir)=\S*", r"\1=", text)


def main():
    """Entry: the plugin's name is the argument, and words for TopologyParam may follow."""
    worker = Worker(*sys.argv[1:])
    while True:
        try:
            action, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = getattr(worker, action)(*arguments)
        except Exception as error:  # pylint: disable=broad-except # it is raised again where the trio is
            answer = error
        pickle.dump(answer, sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
