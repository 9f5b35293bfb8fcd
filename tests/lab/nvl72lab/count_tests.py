# SPDX-License-Identifier: GPL-2.0-or-later
"""Adds up ctest's and the lab's results: count_tests JUNIT.XML LAB.LOG [FAILED-STEP...]"""

import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

SUMMARY = re.compile(r"(?m)^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")

# One line a group of cases, printed by tests/property/oracle_test.cpp.
ORACLE_CASES = re.compile(r"seed \d+(?:, [a-z0-9 ]+)?: (\d+) cases, \d+ that fit")


def unit_counts(path):
    """Passed, failed and skipped of a JUnit file that ctest wrote; a missing one is a failure."""
    try:
        suite = xml.parse(path).getroot()
    except (OSError, xml.ParseError) as error:
        print(f"no results of the unit tests: {error}")
        return 0, 1, 0
    cases = list(suite.iter("testcase"))
    failed = [case.get("name") for case in cases if case.get("status") == "fail" or case.find("failure") is not None]
    skipped = sum(case.get("status") in ("notrun", "disabled") for case in cases)
    for name in failed:
        print(f"failed   {name}")
    return len(cases) - len(failed) - skipped, len(failed), skipped


def print_oracle_cases(path):
    """How many cases the engine was compared with the exhaustive search in."""
    try:
        text = Path(path).read_text("utf-8", "replace")
    except OSError:
        return
    cases = sum(int(number) for number in ORACLE_CASES.findall(text))
    print(f"exhaustive search: {cases:,} cases compared")


def lab_counts(path):
    """The same of the lab's output."""
    text = Path(path).read_text("utf-8", "replace") if Path(path).exists() else ""
    found = SUMMARY.findall(text)
    if not found:
        print("no results of the lab tests")
        return 0, 1, 0
    for line in text.splitlines():
        if line.startswith(("failed   ", "repeated alone after a failure: ")):
            print(line)
    return tuple(int(number or 0) for number in found[-1])


def main():
    """Prints the count; the status is 1 when anything failed."""
    steps = sys.argv[3:]
    # Without a build there are no unit tests: one failure, not two.
    unit = (0, 0, 0) if "build" in steps else unit_counts(sys.argv[1])
    print_oracle_cases(sys.argv[1])
    lab = lab_counts(sys.argv[2])
    for step in steps:
        print(f"failed   {step}")
    passed, failed, skipped = (a + b for a, b in zip(unit, lab))
    failed += len(steps)
    print(f"unit tests: {unit[0]} of {sum(unit)} passed; lab tests: {lab[0]} of {sum(lab)} passed")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
