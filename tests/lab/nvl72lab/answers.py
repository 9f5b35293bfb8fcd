# SPDX-License-Identifier: GPL-2.0-or-later
"""Carries out what `nvl72block why` says of a waiting job: the verdict, each suggestion and the time of start against slurmctld."""

import re
import subprocess
from datetime import datetime

from . import cluster, plugin_build
from .daemons import wait_until
from .mess import tool

FIRST = "--priority=4000000000"
FORECAST_SECONDS = 120  # backfill plans in steps of bf_resolution, 60 s


def said(*arguments):
    """What the command prints, its notes included, and how it ends."""
    done = subprocess.run([plugin_build.command(), *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def starts(*options):
    """Whether a job with these options gets its nodes before all others, and what sbatch says where it refuses it."""
    number, refusal = cluster.offer(*options, FIRST)
    if number is None:
        return False, refusal
    seen = cluster.tried(number)
    others = "" if seen.placed else cluster.ask("squeue", "-h", "-t", "pending", "-o", "%i %r %Q %V", "--sort=-p")
    cluster.cancel(number)
    return seen.placed, f"{seen}, waiting: {others.splitlines()}"


def changed(options, option):
    """The options of a job with a suggestion followed: of two equal options sbatch takes the last one."""
    if option.startswith("without "):
        dropped = option.removeprefix("without ")
        short = {"--nodelist": "-w", "--exclude": "-x"}.get(dropped, dropped)
        return [each for each in options if not each.startswith((dropped, short))]
    return [*options, *option.split()]


class Suggested:
    """A suggestion of `why` while it is carried out."""

    def __init__(self, suggestion):
        self.repaired, self.option = suggestion.get("repaired"), suggestion.get("option", "")

    def starts(self, options):
        """Whether the job starts with it."""
        if not self.repaired:
            return starts(*changed(options, self.option))
        cluster.ask("scontrol", "update", f"nodename={self.repaired}", "state=resume")
        try:
            return starts(*options)
        finally:
            cluster.ask("scontrol", "update", f"nodename={self.repaired}", "state=drain", "reason=bad NVLink tray")


def planned_start(number):
    """Seconds until backfill starts the job, if no other one waits; None where it plans no start."""
    def look():
        cluster.ask("scontrol", "update", f"jobid={number}", f"comment={datetime.now()}")  # backfill plans what has changed
        shown = cluster.ask("squeue", "-h", "-j", str(number), "-O", "StartTime:40,SchedNodes:400,State").split()
        return shown if shown[:1] and shown[0] != "N/A" and shown[1] != "(null)" else None
    try:
        shown = wait_until(look, 20, "backfill planned a start")
    except cluster.LabError:
        return None
    return (datetime.fromisoformat(shown[0]) - datetime.now()).total_seconds()


def starts_after(forecast, options):
    """Whether the job starts once those have ended that its forecast names, which must have ended by then."""
    ends = [datetime.fromisoformat(each["end"]) for each in forecast["holders"]]
    if not ends or forecast["seconds"] < (max(ends) - datetime.now()).total_seconds() - FORECAST_SECONDS:
        return False
    cluster.cancel(*forecast["after_jobs"])
    return starts(*options)[0]


def wrong_forecast(answer, expected, options):
    """How the forecast differs from backfill's plan, or "". A start before that plan is carried out: backfill plans --exclusive=topo only
    for blocks without nodes out of service, in others slurmctld starts such a job sooner than it planned."""
    told = (answer.get("forecast") or {}).get("seconds")
    if expected is None or told is not None and abs(told - expected) <= FORECAST_SECONDS:
        return ""
    if told is not None and told < expected and starts_after(answer["forecast"], options):
        return ""
    return f"forecast: in {told} s; slurmctld: in {expected:.0f} s"


def faults(options, *more, forecast=True, numbers=lambda sentence: []):
    """Submits a job that should wait; what is false in the answer about it, and the answer. `more`: further options of `why`;
    `numbers` finds those of a refusal that are false."""
    number, _ = cluster.offer(*options)
    if number is None:  # never to start
        return [], None
    seen = cluster.tried(number)
    if seen.placed:
        cluster.cancel(number)
        return [], None
    answer = tool("why", str(number), *more)
    refusal = answer.get("refusal") or {}
    found = numbers(refusal.get("sentence", ""))
    considered = not answer.get("not_considered")  # else the answer says that it may be too hopeful
    expected = planned_start(number) if forecast and considered and not answer["fits"] else None
    cluster.cancel(number)
    begins, why = starts(*options)
    if answer["fits"] != begins and (refusal.get("source") == "slurmctld" or considered):
        found.append(f"verdict: {refusal.get('sentence', 'fits')}; slurmctld: {why}, {seen.reason}")
    for suggestion in answer.get("suggestions", []):
        begins, why = Suggested(suggestion).starts(options)
        if not begins:
            found.append(f"suggestion {suggestion}: {why}")
    forecast_fault = wrong_forecast(answer, expected, options)
    return found + [forecast_fault] * bool(forecast_fault), answer


def number_in(text, pattern):
    """The number that the pattern's group finds."""
    return int(re.search(pattern, text)[1])
