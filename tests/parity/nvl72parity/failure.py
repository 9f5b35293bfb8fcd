# SPDX-License-Identifier: GPL-2.0-or-later
"""A request that ours does not do as it should, and how it is told."""

import re
import shlex
from dataclasses import dataclass

from . import reproducer
from .requests import RESERVATION
from .surroundings import LICENCES
from .trio import PLUGINS


@dataclass
class Failure:
    """What was asked for where, what is wrong, what each plugin made of it."""

    seed: str
    scene: object
    number: int
    request: object
    faults: list
    answers: dict
    exemptions: tuple = ()  # differences of the same request that are right

    def kinds(self):
        """The faults without what differs between requests of the same fault."""
        return kinds(self.faults)

    def answered(self):
        """A line a plugin, after what is wrong."""
        return "\n".join([f"  {self.request}", *(f"  FAULT {fault}" for fault in self.faults),
                          *(f"  right: {exemption}" for exemption in self.exemptions),
                          *(f"  {plugin:10} {self.answers[plugin]}" for plugin in PLUGINS)])

    def __str__(self):
        return f"seed {self.seed}, scene {self.scene.index}, request {self.number}:\n{self.answered()}"

    def files(self):
        """The cluster's files and the commands, to see the same."""
        options = shlex.join(self.request.options())
        asked = (f"{RESERVATION} ReservationName=asked StartTime=now Duration=10 Users=root {options}",)
        if self.request.command != RESERVATION:
            asked = (f"sbatch --test-only {options}", f"sbatch {options}")
        if self.request.updates():
            words = " ".join(shlex.quote(word) for word in self.request.updates())
            asked = (f"job=$(sbatch --parsable {shlex.join(self.request.submitted())} {reproducer.JOB})",
                     f"scontrol update jobid=$job {words}", "scontrol release $job")
        scene = self.scene
        cluster = reproducer.Cluster(scene.grounds, scene.busy, scene.drained, scene.standing, scene.suspended, scene.shrunk)
        return reproducer.files(cluster, asked)

    def name(self):
        """Of the folder with those files."""
        return f"seed-{self.seed}-scene-{self.scene.index}-request-{self.number}"


def kinds(faults):
    """What stays the same of faults when a request is reduced."""
    return {re.sub(r"\d+", "#", re.split(r"[;\[]", fault)[0]) for fault in faults}


def repeat(failure):
    """The command that puts this request alone to the test again."""
    more = "--surroundings " if LICENCES in failure.scene.grounds.settings else ""
    return f"tests/parity/run {more}--seed {failure.seed} --scene {failure.scene.index} --request {failure.number}"


def told(failure, small, folder=None):
    """The failure as it was found, and reduced: the cluster's files and commands, which are left in the folder."""
    files = small.files()
    run = [reproducer.save(files, f"{folder}/{failure.name()}")] if folder else []
    return "\n".join([str(failure), f"again with {repeat(failure)}", "reduced:", small.answered(), reproducer.text(files), *run, ""])
