# SPDX-License-Identifier: GPL-2.0-or-later
"""What pytest reports of a file of the suite: each test's outcome and the first line of its reason."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree

PASSED, FAILED, SKIPPED, NO_END = "passed", "failed", "skipped", "no end"
OUTCOMES = (PASSED, FAILED, SKIPPED, NO_END)
TAGS = {"failure": FAILED, "error": FAILED, "skipped": SKIPPED}
STAMP = re.compile(r"^\[\d{4}-\d\d-\d\dT[\d:.]+\]\s*")


@dataclass(frozen=True)
class Result:
    """One test's."""

    outcome: str
    reason: str = ""


def first_line(message):
    """The first line that says something, without a time."""
    lines = (STAMP.sub("", line.strip()) for line in message.splitlines())
    return next((line for line in lines if line), "")


def _worse(one, other):
    order = (PASSED, SKIPPED, NO_END, FAILED)
    return max(one, other, key=lambda result: order.index(result.outcome))


def _of_case(case):
    found = Result(PASSED)
    for child in case:
        if child.tag in TAGS:
            reason = first_line((child.get("message") or child.text or "").strip().removeprefix("Failed:"))
            found = _worse(found, Result(TAGS[child.tag], reason))
    return found


def _name(case):
    """file::test, or file::Class::test. A file that could not be imported is a test without a class."""
    parts = [part for part in (case.get("classname") or "").split(".") if part and part != "tests"]
    return "::".join([*parts, case.get("name", "").removeprefix("tests.")])


def read(text):
    """The results of a JUnit file by test; a test whose clean-up fails stands there twice, one that was interrupted has no name."""
    found = {}
    for case in ElementTree.fromstring(text).iter("testcase"):
        if not case.get("name"):
            continue
        name, result = _name(case), _of_case(case)
        found[name] = _worse(found[name], result) if name in found else result
    return found
