# SPDX-License-Identifier: GPL-2.0-or-later
"""The words of the table of duties: how a row is prepared, what is asked, and what comes of it.

Expectations are written so: "waits", "refused", "4+2" (so many nodes in racks, whichever), "r1:4 r2:2" (in these racks;
"out:3" in no rack), or the nodes themselves.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Callable

from . import cluster, hostlist
from .places import LabError
from .scenario import Site

SECONDS_LATER = 5


@dataclass(frozen=True)
class Row:
    """One duty. `stock` is "same", an expectation, or one a release line from which on it holds."""

    duty: str
    request: tuple
    ours: str
    stock: object = "same"
    why: str = ""  # the reason of the difference, as docs/differences-from-stock.md gives it
    prepare: tuple = ()
    site: Site = Site()
    line: tuple = (24, 11)  # the oldest release line that has the duty
    see: Callable = None

    def expected(self, plugin_is_ours, release):
        """The expectation for a plugin."""
        if plugin_is_ours or self.stock == "same":
            return self.ours
        if isinstance(self.stock, str):
            return self.stock
        found = max((line for line in self.stock if line <= release), default=None)
        return self.stock[found]


def _scontrol(*words):
    return lambda: cluster.ask("scontrol", *words)


def drain(nodes):
    """These nodes are not available."""
    return _scontrol("update", f"nodename={nodes}", "state=drain", "reason=test")


def weight(nodes, value):
    """These nodes have that weight."""
    return _scontrol("update", f"nodename={nodes}", f"weight={value}")


def join(node, block):
    """From now on the node belongs to that block."""
    return _scontrol("update", f"nodename={node}", f"topology=default:{block}")


def hold(*words):
    """A reservation called `held` from now on."""
    return _scontrol("create", "reservation", "reservationname=held", "starttime=now", "duration=10:00:00", "users=root",
                     *words)


def busy(*options):
    """A job that has its nodes."""
    return lambda: cluster.place(*options)


def busy_nodes(nodes):
    """A job of its own on each of these nodes."""
    def prepare():
        numbers = [cluster.submit("-N1", "-w", node) for node in hostlist.expand(nodes)]
        for number in numbers:
            cluster.wait_job(number, lambda seen: seen.placed, "had its node")
    return prepare


def queued(*options):
    """A job that waits."""
    def prepare():
        number = cluster.submit(*options)
        if not cluster.stays_pending(number):
            raise LabError(f"the job that should wait has nodes: {cluster.job(number)}")
    return prepare


def placement(*options):
    """Nodes of a submitted job, or "waits" or "refused"."""
    number, _ = cluster.offer(*options)
    if number is None:
        return "refused"
    seen = cluster.tried(number)
    if "BadConstraints" in seen.reason:
        return "refused"
    return seen.nodes if seen.placed else "waits"


def backfilled(*options):
    """Nodes of a job behind one that waits: only the backfill scheduler starts it, at a time of its own.

    `placement` waits for the main scheduler alone, and said "waits" where the backfill scheduler came later.
    """
    return cluster.place(*options).nodes


def placed_later(*options):
    """Nodes of a job that waits for some seconds although it could run."""
    seen = cluster.place(*options)
    shown = cluster.ask("scontrol", "-o", "show", "job", str(seen.id))
    submitted, started = (datetime.fromisoformat(re.search(rf" {key}=(\S+)", shown)[1]) for key in ("SubmitTime", "StartTime"))
    return "placed at once" if (started - submitted).total_seconds() < SECONDS_LATER else seen.nodes


def will_run(*options):
    """Nodes that sbatch --test-only names."""
    answer = cluster.run("sbatch", "--test-only", *options, "--wrap", "true")
    found = re.search(r"on nodes (\S+)", answer.err)
    return tuple(hostlist.expand(found[1])) if found else "refused"


def reservation(*words):
    """Nodes of a reservation."""
    name = "reservationname=asked"
    answer = cluster.run("scontrol", "create", "reservation", name, "starttime=now", "duration=60", "users=root", *words)
    if answer.code:
        return "refused"
    return tuple(hostlist.expand(re.search(r" Nodes=(\S+)", cluster.ask("scontrol", "show", "reservation", "asked"))[1]))


def tasks(*options):
    """Racks of each task of a job array, as "4 4 4"."""
    number = cluster.submit(*options)
    def look():
        lines = cluster.ask("squeue", "-h", "-r", "-j", str(number), "-o", "%T|%N").split()
        return [line.split("|")[1] for line in lines if not line.startswith("PENDING")]
    count = int(re.search(r"--array=0-(\d+)", " ".join(options))[1]) + 1
    found = cluster.wait_until(lambda: len(look()) == count and look(), cluster.WAIT_SECONDS, "all tasks had nodes")
    return " ".join(counts(hostlist.expand(nodes)) for nodes in found)


def racks(nodes):
    """Nodes per rack, and those in no rack under "out"."""
    inside = cluster.spread(nodes)
    rest = len(nodes) - sum(inside.values())
    return {**inside, **({"out": rest} if rest else {})}


def counts(nodes):
    """As "4+2"."""
    return "+".join(map(str, sorted(racks(nodes).values(), reverse=True)))


def shown(outcome, expected):
    """What was seen, in the form in which the expectation is written."""
    if isinstance(outcome, str):
        return outcome
    if re.fullmatch(r"[\d+]+", expected):
        return counts(outcome)
    if ":" in expected or expected in ("waits", "refused"):
        return " ".join(f"{name}:{count}" for name, count in racks(outcome).items())
    return hostlist.compress(outcome)
