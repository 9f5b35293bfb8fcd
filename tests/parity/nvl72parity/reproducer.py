# SPDX-License-Identifier: GPL-2.0-or-later
"""A cluster and a request as files that anybody can run: slurm.conf, gres.conf, topology.conf, and a script of commands."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from nvl72lab import hostlist
from nvl72lab.scenario import SETTINGS

# Nodes that need no slurmd: jobs get them and stay CONFIGURING.
GENERAL = """ClusterName=parity
SlurmctldHost=localhost
TopologyPlugin=topology/nvl72block
SelectType=select/cons_tres
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=-1
ResumeTimeout=65000
"""
JOB = "--wrap 'sleep 100000'"
WAIT = "until [ -z \"$(squeue -h -t PENDING)\" ]; do sleep 1; done"


@dataclass(frozen=True)
class Cluster:
    """What a request met."""

    site: object  # nvl72lab.scenario.Site
    busy: tuple = ()  # options of jobs that run
    drained: tuple = ()
    standing: tuple = ()  # options of a reservation
    suspended: tuple = ()  # first nodes of jobs
    shrunk: tuple = ()


def _job(options):
    return f"sbatch {shlex.join(options)} {JOB}"


def _commands(cluster, requests):
    lines = [_job(options) for options in cluster.busy] + [WAIT] * bool(cluster.busy)
    lines += [f"scontrol suspend $(squeue -h -o %A -w {node})" for node in cluster.suspended]
    lines += [f"scontrol update jobid=$(squeue -h -o %A -w {node}) NumNodes=1" for node in cluster.shrunk]
    if cluster.standing:
        lines.insert(0, f"scontrol create reservation ReservationName=standing {shlex.join(cluster.standing)}")
    if cluster.drained:
        lines.append(f"scontrol update nodename={hostlist.compress(cluster.drained)} state=drain reason=test")
    lines += [f"{request} {JOB}" if request.startswith("sbatch") and "--wrap" not in request else request for request in requests]
    return "".join(f"{line}\n" for line in lines)


def files(cluster, requests):
    """Texts by file name."""
    settings = {**SETTINGS, **dict(cluster.site.settings)}
    return {"slurm.conf": GENERAL + "".join(f"{key}={value}\n" for key, value in settings.items()) + cluster.site.node_lines() +
                          "".join(f"{line}\n" for line in cluster.site.partitions),
            "gres.conf": cluster.site.gres(), "topology.conf": cluster.site.topology(), "commands": _commands(cluster, requests)}


def text(made):
    """All of them, to be read."""
    return "".join(f"--- {name}\n{content}" for name, content in made.items())


def save(made, folder):
    """Writes them; returns the command that runs them beside a slurmctld."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (folder / name).write_text(content, "utf-8")
    return (f"tests/lab/with --config {folder} --plugin nvl72block -- "
            f"sh -c '. {folder}/commands; sleep 3; squeue -o \"%i %T %D %C %N %r\"'  # then with --plugin block")
