# SPDX-License-Identifier: GPL-2.0-or-later
"""A running cluster as scontrol shows it: jobs with their nodes, CPUs and GPUs."""

import re
from dataclasses import dataclass

from nvl72lab import hostlist
from nvl72parity import seen


@dataclass(frozen=True)
class Job:
    """A job, a task of an array, or a component of a heterogeneous job."""

    id: int
    root: int  # what sbatch called it
    state: str
    reason: str
    nodes: tuple = ()
    places: tuple = ()  # (nodes, CPU_IDs, GRES) as scontrol writes them

    @property
    def placed(self):
        """Whether it has its nodes."""
        return bool(self.nodes)


def _root(line, number):
    for name in ("ArrayJobId", "HetJobId"):
        found = re.search(rf" {name}=(\d+)", line)
        if found:
            return int(found[1])
    return number


def job(line):
    """One line of `scontrol -d -o show job`."""
    number = int(re.match(r"JobId=(\d+)", line)[1])
    part = seen.part(line)
    state = re.search(r" JobState=(\S+)", line)[1]
    return Job(number, _root(line, number), state, part.reason, part.nodes, part.places)


def jobs(text):
    """All of them."""
    return [job(line) for line in text.splitlines() if line.startswith("JobId=")]


def cpus_and_gpus(place):
    """(node, "cpu" or "gpu", number) of each that a job has in one of its places. GPUs without numbers are left out."""
    names, cpu_ids, gres = place
    cpus = [int(cpu) for cpu in seen.cpu_ids(cpu_ids)]
    gpus = [int(gpu) for numbers in re.findall(r"IDX:([\d,\-]+)", gres) for gpu in hostlist.expand(f"[{numbers}]")]
    return [(node, kind, number) for node in hostlist.expand(names) for kind, numbers in (("cpu", cpus), ("gpu", gpus))
            for number in numbers]


def cliques(text):
    """The clique of each node of `scontrol -o show node`, or None."""
    found = {}
    for line in text.splitlines():
        name = re.match(r"NodeName=(\S+)", line)
        features = re.search(r" AvailableFeatures=(\S+)", line)
        if name and features:
            found[name[1]] = next((word for word in features[1].split(",") if "." in word), None)
    return found
