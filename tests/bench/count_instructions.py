#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts the instructions of the engine's decisions with callgrind and compares them with a recorded baseline.

Counts repeat to the last digit where times do not, but belong to a compiler and a C library: elsewhere nothing is compared.
Exit status 1: a decision takes more than LIMIT times its baseline; 77: nothing could be compared.
"""

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.15
SKIPPED = 77
COUNTED = "measured_decision"


def count(driver, case):
    """Instructions of one case."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
                               "--collect-atstart=no", f"--toggle-collect={COUNTED}", driver, case],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{driver} {case} ended with {done.returncode}: it got another answer than it expects\n{done.stderr}")
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if not collected or not int(collected[1]):
        sys.exit(f"callgrind saw no {COUNTED} in {driver}: {done.stderr}")
    return int(collected[1])


def environment(compiler):
    """What the counts depend on besides the project."""
    return {"compiler": compiler, "machine": platform.machine(), "library": "-".join(platform.libc_ver())}


def compare(counts, baseline):
    """Prints a line a case; returns those that grew too much."""
    grown = []
    for case, instructions in counts.items():
        before = baseline.get(case)
        ratio = instructions / before if before else None
        print(f"{case:26} {instructions:>12,} instructions, baseline {before or 0:>12,}"
              + (f", ratio {ratio:.3f}" if ratio else ""))
        if ratio is None or ratio > LIMIT:
            grown.append(case)
    return grown


def main():
    """Entry."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("driver")
    parser.add_argument("baseline", type=Path)
    parser.add_argument("--compiler", required=True, help="name and version of the compiler that built the driver")
    parser.add_argument("--record", action="store_true", help="write the baseline instead of comparing")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind on this machine, install it to count instructions")
        return SKIPPED
    here = environment(options.compiler)
    recorded = json.loads(options.baseline.read_text("utf-8")) if not options.record else {"environment": here}
    if recorded["environment"] != here:
        print(f"skipped: the baseline was recorded with {recorded['environment']}, this is {here}; "
              "record one with --record in another file to compare")
        return SKIPPED
    cases = subprocess.run([options.driver], capture_output=True, text=True, check=True).stdout.split()
    counts = {case: count(options.driver, case) for case in cases}
    if options.record:
        options.baseline.write_text(json.dumps({"environment": here, "instructions": counts}, indent=1) + "\n", "utf-8")
        return 0
    grown = compare(counts, recorded["instructions"])
    if grown:
        print(f"{', '.join(grown)}: more than {LIMIT} times the baseline, or no baseline. If the work is wanted, "
              f"record a new one: {Path(__file__).name} {options.driver} {options.baseline} --record "
              f"--compiler '{options.compiler}'")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
