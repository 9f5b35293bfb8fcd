# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the results with topology/block and with the drop-in, and tells them."""

from collections import Counter

from . import explained
from .results import FAILED, NO_END, OUTCOMES, PASSED, Result

ABSENT = Result(NO_END, "no result: the file did not get so far")


def differing(stock, dropin):
    """The tests whose outcomes differ."""
    return {test for test in stock.keys() | dropin.keys() if stock.get(test, ABSENT).outcome != dropin.get(test, ABSENT).outcome}


def _why(stock, dropin):
    """The reason of the one that did not pass."""
    told = [(name, result) for name, result in (("block", stock), ("drop-in", dropin)) if result.outcome != PASSED]
    order = (FAILED, NO_END)
    told.sort(key=lambda pair: order.index(pair[1].outcome) if pair[1].outcome in order else len(order))
    return f"{told[0][0]}: {told[0][1].reason}" if told else ""


def line(test, stock, dropin, reason):
    """One test's line."""
    head = f"{test:60} {stock.outcome:8} {dropin.outcome:8}"
    if stock.outcome == dropin.outcome:
        return f"{head} {stock.reason}" if stock.outcome in (FAILED, NO_END) else head.rstrip()
    return f"{head} {'EXPLAINED' if reason else 'DIFFERENT'} {_why(stock, dropin)}{f' ({reason})' if reason else ''}"


def _sums(name, results):
    counts = Counter(result.outcome for result in results)
    return f"{name:8} " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome] or outcome != NO_END)


def report(stock, dropin, version, entries):
    """The lines to print, and whether all is well: no difference without a reason, no reason without a difference."""
    tests = sorted(stock.keys() | dropin.keys())
    different = differing(stock, dropin)
    reasons = {test: explained.reason_for(entries, test, version) for test in different}
    lines = [line(test, stock.get(test, ABSENT), dropin.get(test, ABSENT), reasons.get(test)) for test in tests]
    stale = explained.unmatched(entries, version, set(tests), different)
    lines += [f"explained.txt: {entry.test} does not differ with {version}: {entry.reason}" for entry in stale]
    unexplained = [test for test in sorted(different) if not reasons[test]]
    lines += [f"Slurm {version}, {len(tests)} tests",
              _sums("block", [stock.get(test, ABSENT) for test in tests]), _sums("drop-in", [dropin.get(test, ABSENT) for test in tests]),
              f"{len(unexplained)} differences, {len(different) - len(unexplained)} explained ones, {len(stale)} explanations of none"]
    return lines, bool(tests) and not unexplained and not stale
