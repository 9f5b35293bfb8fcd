# SPDX-License-Identifier: GPL-2.0-or-later
"""Adds up what tests/run has run: summary.py FOLDER BUILD.

FOLDER has the JUnit files of ctest and pytest, `steps` (name, seconds) and `failed-steps` (names). BUILD tells each test of
ctest's kind, the first of its labels. The last line is the count; the status is 1 when anything failed or nothing ran.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

SLOWEST = 10
LINES_OF_A_REASON = 25
# One line per group of cases, printed by tests/property/oracle_test.cpp.
ORACLE_CASES = re.compile(r"seed \d+(?:, [a-z0-9 ]+)?: (\d+) cases, \d+ that fit")


OUTCOMES = ("passed", "failed", "skipped")


@dataclass(frozen=True)
class Result:
    """One test."""

    kind: str
    name: str
    outcome: str  # of OUTCOMES
    seconds: float
    reason: str = ""  # why it failed: the end of what it printed


def labels(build):
    """The kind of each test that ctest knows."""
    told = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=False).stdout
    try:
        tests = json.loads(told)["tests"]
    except ValueError:
        return {}
    values = {test["name"]: [value["value"] for value in test.get("properties", ()) if value["name"] == "LABELS"] for test in tests}
    return {name: found[0][0] for name, found in values.items() if found}


def _outcome(case):
    if case.get("status") == "fail" or case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.get("status") in ("notrun", "disabled") or case.find("skipped") is not None else "passed"


def _reason(case):
    """What a test that failed told last: pytest's report, else its output, which is what ctest keeps."""
    told = [element.text or "" for name in ("failure", "error", "system-out") for element in case.findall(name)]
    return next((text.strip() for text in told if text.strip()), "")


def counts(path):
    """Passed, failed and skipped tests of one JUnit file; a missing or broken one is a failure."""
    try:
        outcomes = [_outcome(case) for case in xml.parse(path).iter("testcase")]
    except (OSError, xml.ParseError) as error:
        print(f"no results: {error}")
        return 0, 1, 0
    return tuple(outcomes.count(outcome) for outcome in OUTCOMES)


def results(path, kinds):
    """The tests of one JUnit file: of ctest, which tells no group, of GoogleTest (KIND-N.xml), or of pytest."""
    shard = re.fullmatch(r"(\w+)-\d+", path.stem)
    for case in xml.parse(path).iter("testcase"):
        group, name = case.get("classname"), case.get("name")
        kind = shard[1] if shard else kinds.get(name, "other") if group == name else group.split(".")[0]
        outcome = _outcome(case)
        yield Result(kind, name if group == name else f"{group}.{name}", outcome, float(case.get("time") or 0),
                     _reason(case) if outcome == "failed" else "")


def print_table(tests, steps):
    """Kinds with their counts, the slowest tests, and the steps."""
    kinds = defaultdict(list)
    for test in tests:
        kinds[test.kind].append(test)
    print(f"{'kind':16}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>9}")
    for kind, own in sorted(kinds.items()):
        counts = [sum(test.outcome == outcome for test in own) for outcome in OUTCOMES]
        print(f"{kind:16}" + "".join(f"{count:8}" for count in counts) + f"{sum(test.seconds for test in own):9.0f}")
    print("\nslowest:")
    for test in sorted(tests, key=lambda test: -test.seconds)[:SLOWEST]:
        print(f"{test.seconds:8.1f} s  {test.name}")
    print("\nsteps:")
    for name, seconds in steps:
        print(f"{seconds:>6} s  {name}")


def _lines(path):
    return path.read_text("utf-8").splitlines() if path.exists() else []


def main():
    """Prints all of it."""
    folder, build = Path(sys.argv[1]), sys.argv[2]
    kinds = labels(build)
    files = sorted(folder.glob("*.xml"))
    tests = [test for path in files for test in results(path, kinds)]
    failed_steps = _lines(folder / "failed-steps")
    print()
    print_table(tests, [line.split("\t") for line in _lines(folder / "steps")])
    cases = sum(int(count) for path in files for count in ORACLE_CASES.findall(path.read_text("utf-8", "replace")))
    print(f"\nexhaustive search: {cases:,} cases compared")
    failures = [test for test in tests if test.outcome == "failed"]
    for test in failures:
        print("\n".join((f"\n{test.name}:", *test.reason.splitlines()[-LINES_OF_A_REASON:])))
    for name in [test.name for test in failures] + failed_steps:
        print(f"failed   {name}")
    passed, failed, skipped = (sum(test.outcome == outcome for test in tests) for outcome in OUTCOMES)
    failed += len(failed_steps) + (not tests)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
