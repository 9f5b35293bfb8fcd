# SPDX-License-Identifier: GPL-2.0-or-later
"""Beside one slurmctld: does what trio.py sends, one pickled (action, arguments) after the other."""

import os
import pickle
import re
import sys
import time
from dataclasses import replace
from pathlib import Path

from .. import cluster
from ..daemons import running_pid
from ..scenario import Stage
from . import seen

TRIED_SECONDS = 4  # a job of which no scheduler has said anything by then is read as it stands
# A job without an end: what waits for a busy node is told to start a year ahead.
SCRIPT = "sleep 100000"
JUDGED = (r"JobId={number}(?:_\S+|\+\d+)?(?:\(\d+\))?"
          r"(?:\.? (?:State=|in |NodeList=|initiated|non-runnable|current node|cannot start|delayed))|holding JobId={number}\b")


class Worker:
    """One plugin's slurmctld."""

    def __init__(self, plugin):
        self.plugin, self.stage = plugin, Stage()
        self.log = cluster.log()
        self.schedule_log = self.log.parent / "schedule.log"
        self.pid = Path(os.environ["NVL72BLOCK_LAB_INSTANCE"]) / "run/slurmctld.pid"

    def open(self, site):
        """A fresh slurmctld with that site."""
        more = (("SlurmSchedLogFile", self.schedule_log), ("SlurmSchedLogLevel", "7"))
        self.stage.open(replace(site, settings=(*site.settings, *more)), self.plugin)
        return self.stage.release

    def _size(self, path):
        return path.stat().st_size if path.exists() else 0

    def _gained(self, path, mark):
        with open(path, "rb") as stream:
            stream.seek(mark)
            return stream.read().decode("utf-8", "replace")

    def errors(self, mark):
        """Error lines of the log since then, without their times."""
        lines = self._gained(self.log, mark).splitlines()
        return tuple(re.sub(r"^\[[^\]]*\] ", "", line) for line in lines if "] error: " in line or "] fatal: " in line)

    def _wait_tried(self, numbers, mark, passes=False):
        """Returns when a scheduler has judged the jobs, which its log tells; or, with `passes`, after two whole passes.

        Backfill alone starts heterogeneous jobs, and it writes nothing of those that wait.
        """
        ends = [re.compile(JUDGED.format(number=number)) for number in numbers]
        end = time.monotonic() + TRIED_SECONDS
        while time.monotonic() < end and self.alive():
            text = self._gained(self.schedule_log, mark[0])
            judged = not passes and all(one.search(text + self._gained(self.log, mark[1])) for one in ends)
            # The first pass may have begun before the job was there.
            if judged or text.count("Running job scheduler") > 2:
                return
            time.sleep(0.02)

    def _records(self, number):
        shown = cluster.run("scontrol", "-d", "-o", "show", "job", str(number))
        return seen.parts(line for line in shown.out.splitlines() if line.startswith("JobId="))

    def place(self, requests):
        """Jobs that stay, one list of options each; returns (id, part) of each that has its nodes. The others are cancelled."""
        mark = self._size(self.schedule_log), self._size(self.log)
        numbers = [number for number in (cluster.offer(*options, script=SCRIPT)[0] for options in requests)
                   if number is not None]
        self._wait_tried(numbers, mark)
        found = {number: self._records(number) for number in numbers}
        self.cancel([number for number, parts in found.items() if seen.kind_of(parts) != seen.STARTED])
        return [(number, parts[0]) for number, parts in found.items() if seen.kind_of(parts) == seen.STARTED]

    def cancel(self, numbers):
        """Jobs that have not begun on their imaginary nodes are gone at once."""
        if numbers:
            cluster.run("scancel", *map(str, numbers))

    def standing(self, options):
        """A reservation that stays; jobs ask for it by --reservation=standing."""
        cluster.ask("scontrol", "create", "reservation", "ReservationName=standing", *options)

    def update(self, *words):
        """scontrol update."""
        return cluster.run("scontrol", "update", *words).code == 0

    def forecast(self, options):
        """What --test-only says; nothing is left behind."""
        said = cluster.run("sbatch", "--test-only", *options, "--wrap", SCRIPT)
        kind, parts = seen.forecast(said.err, said.code)
        return seen.Seen("", (), seen.sentence(said.err) if kind == seen.REFUSED else "", kind, parts)

    def attempt(self, options):
        """A forecast, then the job itself, which is cancelled when the scheduler has judged it."""
        if not self.alive():
            return seen.Seen(seen.CRASHED, (), "ended after the request before this one")
        log = self._size(self.log)
        told = self.forecast(options)
        mark = self._size(self.schedule_log), self._size(self.log)
        number, said = cluster.offer(*options, script=SCRIPT)
        if number is None:
            found = seen.Seen(seen.REFUSED if self.alive() else seen.CRASHED, (), seen.sentence(said))
        else:
            self._wait_tried([number], mark, passes=":" in options or any(one.startswith("--array") for one in options))
            parts = self._records(number)
            found = seen.Seen(seen.kind_of(parts) if self.alive() else seen.CRASHED, parts)
            self.cancel([number])
        return replace(found, forecast=told.forecast, forecast_parts=told.forecast_parts, errors=self.errors(log))

    def reserve(self, options):
        """Creates a reservation, looks at it, deletes it."""
        log = self._size(self.log)
        said = cluster.run("scontrol", "create", "reservation", "ReservationName=asked", "StartTime=now", "Duration=10",
                           "Users=root", *options)
        if said.code:
            kind = seen.REFUSED if self.alive() else seen.CRASHED
            return seen.Seen(kind, (), seen.sentence(said.err + said.out), errors=self.errors(log))
        part = seen.reservation(cluster.ask("scontrol", "-o", "show", "reservation", "asked"))
        cluster.ask("scontrol", "delete", "reservation", "asked")
        return seen.Seen(seen.STARTED, (part,), errors=self.errors(log))

    def alive(self):
        """Whether slurmctld runs."""
        return running_pid(self.pid) is not None


def main():
    """Entry: the plugin's name is the argument."""
    worker = Worker(sys.argv[1])
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
