# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the examples of the documentation that begin with "$ nvl72block", and compares what they print.

COMMAND is the built nvl72block command. What asks a running cluster stands in a block of kind `console` and is not run.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = re.compile(r"^```\n\$ nvl72block (?P<arguments>(?:[^\n]*\\\n)*[^\n]*\n)(?P<output>.*?)^```", re.MULTILINE | re.DOTALL)


def examples():
    """(file, arguments, output) of each example."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for match in EXAMPLE.finditer(path.read_text("utf-8")):
            yield path.relative_to(ROOT), shlex.split(match["arguments"].replace("\\\n", " ")), match["output"]


def main(command):
    """The number of examples that print something else; 1 if there is no example at all."""
    found, wrong = 0, 0
    for path, arguments, output in examples():
        found += 1
        done = subprocess.run([command, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.stdout + done.stderr != output:
            wrong += 1
            print(f"{path}: nvl72block {' '.join(arguments)}\nprints\n{done.stdout}{done.stderr}instead of\n{output}")
    print(f"{found} examples, {wrong} wrong")
    return wrong if found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
