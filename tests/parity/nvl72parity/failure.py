# SPDX-License-Identifier: GPL-2.0-or-later
"""A request that ours does not do as it should, and how it is told."""

import re
from dataclasses import dataclass

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


def kinds(faults):
    """What stays the same of faults when a request is reduced."""
    return {re.sub(r"\d+", "#", re.split(r"[;\[]", fault)[0]) for fault in faults}


def repeat(failure):
    """The command that puts this request alone to the test again."""
    return (f"PYTHONPATH=tests/lab /usr/bin/python3 -m nvl72lab.request_space --seed {failure.seed} "
            f"--scene {failure.scene.index} --request {failure.number}")


def told(failure, small):
    """The failure as it was found, and reduced: the cluster's files, then a command to paste."""
    return "\n".join([str(failure), f"again with {repeat(failure)}", "reduced:", small.scene.describe(), small.answered(), ""])
