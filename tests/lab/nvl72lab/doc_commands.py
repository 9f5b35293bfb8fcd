# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of README's section "Install" and of the how-to pages of an installation, in their order, and what is known about running them."""

import re
from dataclasses import dataclass

from .places import PROJECT

PAGES = (("README.md", "## Install"), ("docs/install.md", None), ("docs/mixed-architectures.md", None), ("docs/rollout.md", None),
         ("docs/upgrade.md", None), ("docs/troubleshooting.md", "## Bug reports"))

# Commands that the test does not run, by what they begin with, with the reason.
NOT_RUN = (
    ("packaging/debian/build", "compiles for minutes: test_packages builds the same packages with it"),
    ("dpkg --add-architecture arm64", "needs the network: run-aarch64 does it in a root"),
    ("apt-get update", "needs the network: run-aarch64 does it in a root"),
    ("apt-get install crossbuild", "needs the network: run-aarch64 does it in a root"),
    ("apt-get install ./build/packages", "needs those packages: test_packages installs them with dpkg"),
    ("nvl72block build-plugin", "compiles for minutes: test_packages runs it where NVL72BLOCK_ALL_PACKAGES=1 builds the command's package"),
    ("cmake -S", "compiles for minutes: the lab builds its plugin by the same two commands"),
    ("cmake --build", "compiles for minutes: the lab builds its plugin by the same two commands"),
    ("cmake --install build/install --component command", "the lab's build of the plugin has no command"),
    ("PluginDir=", "is a line of slurm.conf: test_yaml and test_packages have the drop-in"),
    ("sacct", "the lab has no accounting"),
    ("nvl72block learn", "needs sacct's output: test_demand learns from such a text"),
    ("tests/lab/with", "starts a lab in the lab: each test of the lab is started by the same program"),
)
# Replaced: build/install is the lab's build of the plugin; `systemctl restart slurmctld` restarts the lab's slurmctld,
# `systemctl restart slurmd` does nothing, because the nodes are imaginary.

# Commands that rightly end with another status than 0, or must print something: (begin, status, expression for the output).
EXPECTED = (
    ("grep -E 'LAST GOOD", 1, r"\A\Z"),
    ("nvl72block check --topology topology.yaml --nodes", 0, r'"valid":true'),
    ("nvl72block check", 0, r"^6 of 6 blocks agree with 6 cliques"),
    ("scontrol show config | grep TopologyPlugin", 0, r"^TopologyPlugin\s*= topology/nvl72block$"),
    ("grep -E 'topology nvl72block plugin", 0, r"topology nvl72block plugin \d+\.\d+\.\d+ for Slurm"),
    ("scontrol show topology", 0, r"^BlockName=rack1 "),
    ("od -An -tx1", 0, r"^ 3e$"),
    ("ls -l", 0, r"/topology_nvl72block\.so$"),
    ("nvl72block show", 0, r"^108 nodes: "),
    ("nvl72block --version", 0, r"^nvl72block \d+\.\d+\.\d+$"),
)


@dataclass(frozen=True)
class Command:
    """One command as the page has it."""

    page: str
    line: int
    text: str

    @property
    def reason(self):
        """Why it is not run, or None."""
        return next((reason for begin, reason in NOT_RUN if self.text.startswith(begin)), None)

    @property
    def expected(self):
        """Status and expression for the output."""
        return next(((status, output) for begin, status, output in EXPECTED if self.text.startswith(begin)), (0, ""))


def _section(text, heading):
    """The text with all but one section blanked, so that lines keep their numbers."""
    if heading is None:
        return text
    before, found, rest = text.partition(f"\n{heading}\n")
    if not found:
        raise ValueError(f"there is no {heading}")
    section = re.split(r"(?m)^## ", rest, maxsplit=1)[0]
    return "\n" * (before.count("\n") + 2) + section


def _commands(page, text):
    """The commands of the code blocks; lines that end with a backslash are one command with the next."""
    inside, pending, first = False, "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("```"):
            inside = not inside
        elif inside and line.strip():
            first = first or number
            pending += line.strip() if not pending else f" {line.strip()}"
            if pending.endswith("\\"):
                pending = pending[:-1].rstrip()
                continue
            yield Command(page, first, pending)
            pending, first = "", 0


def commands():
    """All of them."""
    for page, heading in PAGES:
        yield from _commands(page, _section((PROJECT / page).read_text("utf-8"), heading))
