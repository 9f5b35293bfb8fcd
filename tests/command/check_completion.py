#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""packaging/completion/nvl72block offers every subcommand and every option of each, and files where they take one.

COMMAND is the built nvl72block command.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "packaging" / "completion" / "nvl72block"
ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_nvl72block
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(command, *words, folder="."):
    """What is offered for the last word."""
    done = subprocess.run(["bash", "-c", ASK, "bash", str(SCRIPT), command, *words], cwd=folder, capture_output=True,
                          text=True, check=True)
    assert not done.stderr, done.stderr
    return {line for line in done.stdout.splitlines() if line}


def help_of(command, *words):
    return subprocess.run([command, *words, "--help"], capture_output=True, text=True, check=True).stdout


def options_of(command, *words):
    """Every word of the option lines that looks like an option: as CLI11 prints them."""
    lines = [line for line in help_of(command, *words).splitlines() if line.startswith("  -")]
    assert lines
    return {name for line in lines for name in line.split()[0].split(",")}


def subcommands_of(command):
    text = help_of(command).split("Subcommands:\n")[1].split("\n\n")[0]
    return set(re.findall(r"^  ([a-z-]+)", text, re.MULTILINE))


def expect(got, wanted, what):
    assert got == wanted, f"{what}: {sorted(got)} instead of {sorted(wanted)}"


def main():
    command = os.path.abspath(sys.argv[1])
    subcommands = subcommands_of(command)
    assert len(subcommands) > 8, subcommands
    expect(offered(command, ""), subcommands, "subcommands")
    expect(offered(command, "pl"), {"plan"}, "pl")
    expect(offered(command, "-"), options_of(command), "options of the command itself")
    for name in sorted(subcommands):
        expect(offered(command, name, "-"), options_of(command, name), f"options of {name}")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "topology.conf").touch()
        pathlib.Path(folder, "saved").mkdir()
        expect(offered(command, "plan", "--topology", "top", folder=folder), {"topology.conf"}, "--topology")
        expect(offered(command, "plan", "--topology", "=", "top", folder=folder), {"topology.conf"}, "--topology=")
        expect(offered(command, "plan", "--state", "", folder=folder), {"saved"}, "--state")
    expect(offered(command, "plan", "--nodes", ""), set(), "--nodes")
    expect(offered(command, "plan", "--json", "--spread"), {"--spread-segments"}, "after a flag")
    # demand was missing for as long as only what is offered was looked for in the help.
    expect(offered(command, "plan", "--policy", ""), {"demand", "pack", "compact"}, "--policy")
    # The words that an option takes are those that its help names.
    for name, option in (("plan", "--clique"), ("plan", "--aggregate"), ("plan", "--policy"), ("show", "--color"),
                         ("replay", "--workload"), ("replay", "--limits")):
        values = offered(command, name, option, "")
        (line,) = [each for each in help_of(command, name).splitlines() if re.match(rf"  (-\w,)?{option} ", each)]
        assert values and all(re.search(rf"\b{value}\b", line) for value in values), f"{option}: {values} and {line}"


if __name__ == "__main__":
    main()
