# SPDX-License-Identifier: GPL-2.0-or-later
"""What one plugin made of one request, and how it is read from what Slurm's commands print."""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from nvl72lab import hostlist

STARTED, WAITS, HELD, REFUSED, LATER, CRASHED = "started", "waits", "held", "refused", "later", "crashed"
# A start on nodes that have to boot is told some 190 days ahead, one behind a job without a limit at least a year.
NOW_DAYS = 300
FORECAST = re.compile(r"to start at (\S+).*? using (\d+) processors on nodes (\S+)")


@dataclass(frozen=True)
class Part:
    """A job, or a component of a heterogeneous job, or a task of an array, as scontrol shows it."""

    state: str
    reason: str
    nodes: tuple = ()
    cpus: int = 0
    gpus: int = 0
    places: tuple = ()  # (nodes, CPU_IDs, GRES) as scontrol writes them


@dataclass(frozen=True)
class Seen:
    """One plugin's answers to one request."""

    kind: str
    parts: tuple = ()
    message: str = ""
    forecast: str = ""  # a kind as well; "" where none was asked for
    forecast_parts: tuple = ()
    errors: tuple = field(default=(), compare=False)  # error lines of slurmctld's log
    preempted: tuple = ()  # nodes of jobs that were ended for this one

    @property
    def started(self):
        """Whether every part has its nodes."""
        return self.kind == STARTED

    @property
    def nodes(self):
        """Every node of the job."""
        return tuple(node for part in self.parts for node in part.nodes)

    def first(self):
        """The same with its first part alone."""
        return replace(self, kind=self.parts[0].state, parts=self.parts[:1]) if self.parts else self

    @property
    def cpus(self):
        """Of the whole job."""
        return sum(part.cpus for part in self.parts)

    @property
    def gpus(self):
        """Of the whole job."""
        return sum(part.gpus for part in self.parts)

    def __str__(self):
        where = " + ".join(f"{hostlist.compress(part.nodes)} cpus={part.cpus} gpus={part.gpus}" for part in self.parts
                           if part.nodes)
        why = self.message or ", ".join(sorted({part.reason for part in self.parts if not part.nodes} - {"None"}))
        told = " + ".join(f"{hostlist.compress(part.nodes)} cpus={part.cpus} at {part.reason}" for part in self.forecast_parts)
        forecast = f"; forecast {self.forecast} {told}" if self.forecast else ""
        ended = f"; preempted on {hostlist.compress(sorted(self.preempted))}" if self.preempted else ""
        return f"{self.kind} {where or why}{forecast}{ended}"


def _fields(record):
    return dict(word.split("=", 1) for word in record.split() if "=" in word)


def _tres(text, name):
    found = re.search(rf"(?:^|,){name}=(\d+)", text)
    return int(found[1]) if found else 0


def _places(record):
    """Which CPUs and GPUs of which nodes: `scontrol -d -o` writes "Nodes=... CPU_IDs=... Mem=... GRES=..."."""
    return tuple(sorted(re.findall(r" Nodes=(\S+) CPU_IDs=(\S*) Mem=\S* GRES=(\S*)", record)))


def cpu_ids(text):
    """The CPUs that "0-3,8" names."""
    return frozenset(hostlist.expand(f"[{text}]")) if text else frozenset()


def gpus(gres):
    """How many GPUs "gpu:h:2(IDX:0,2),gpu:l(CNT:1)" names."""
    numbered = (hostlist.expand(f"[{numbers}]") for numbers in re.findall(r"IDX:([\d,\-]+)", gres))
    return sum(map(len, numbered)) + sum(int(count) for count in re.findall(r"CNT:(\d+)", gres))


def part(record):
    """One line of `scontrol -d -o show job`."""
    fields = _fields(record)
    granted = fields.get("AllocTRES", "")
    state = fields["JobState"]
    placed = state in ("RUNNING", "CONFIGURING") and fields.get("NodeList", "(null)") not in ("", "(null)")
    held = state == "PENDING" and (fields.get("Priority") == "0" or fields.get("Reason") == "BadConstraints")
    kind = STARTED if placed else HELD if held else WAITS if state == "PENDING" else state
    nodes = tuple(hostlist.expand(fields["NodeList"])) if placed else ()
    places = _places(record) if placed else ()
    return Part(kind, fields.get("Reason", ""), nodes, _tres(granted, "cpu") if placed else 0,
                sum(len(hostlist.expand(names)) * gpus(gres) for names, _, gres in places), places)


def parts(records):
    """The parts of a job, tasks of an array in their order: the one that was begun first comes first."""
    def task(record):
        found = re.search(r" ArrayTaskId=(\d+)", record)
        return int(found[1]) if found else 0
    return tuple(part(record) for record in sorted(records, key=task))


def reservation(record):
    """`scontrol -o show reservation`."""
    fields = _fields(record)
    return Part(STARTED, "", tuple(hostlist.expand(fields["Nodes"])), _tres(fields.get("TRES", ""), "cpu"))


def kind_of(parts):
    """Of a job with these parts: the worst counts."""
    kinds = [part.state for part in parts]
    return next((kind for kind in (HELD, WAITS, STARTED) if kind in kinds), kinds[0] if kinds else CRASHED)


def forecast(text, code):
    """`sbatch --test-only`: the kind and the parts that it names."""
    found = FORECAST.findall(text)
    parts = tuple(Part(STARTED, start, tuple(hostlist.expand(nodes)), int(cpus)) for start, cpus, nodes in found)
    if not found:  # nothing at all is said of a heterogeneous job
        return REFUSED if code else "", ()
    limit = datetime.now() + timedelta(days=NOW_DAYS)
    late = any(datetime.fromisoformat(start) > limit for start, _, _ in found)
    return LATER if late else STARTED, parts


def sentence(text):
    """What sbatch says of a refusal, without what goes before it."""
    lines = [line for line in text.splitlines() if line.strip()]
    return re.sub(r"^(sbatch|scontrol): (error: )?", "", lines[-1]) if lines else ""
