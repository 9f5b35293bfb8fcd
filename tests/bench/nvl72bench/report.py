# SPDX-License-Identifier: GPL-2.0-or-later
"""The table for people. Times are medians with the least and the most of all runs."""

from statistics import median

from .controller import OURS, STOCK
from .measured import CYCLE, EVALUATION, MEANING, PLUGIN, Queue


def time(microseconds):
    """Three digits with a unit."""
    for unit, size in (("µs", 1), ("ms", 1e3), ("s", 1e6)):
        value = microseconds / size
        if value < 999.5 or unit == "s":
            return f"{value:.3g} {unit}"
    raise AssertionError


def spread(values):
    """Median, least and most of some times."""
    return f"{time(median(values))} ({time(min(values))}…{time(max(values))})" if values else "–"


def _side(side, name):
    return f"none in {side.too_slow} s" if side.too_slow and not side.runs else spread(side.values(name))


def _ratio(ratio):
    return f"{ratio:.3g}" if ratio else "–"


def _row(measured):
    cells = [measured.title, measured.outcome()]
    for name in (EVALUATION, CYCLE):
        cells += [_side(measured.sides[STOCK], name), _side(measured.sides[OURS], name), _ratio(measured.ratio(name))]
    return cells


def brief(measured):
    """One line of progress."""
    return ", ".join(f"{label} {_side(side, EVALUATION)}" for label, side in measured.sides.items())


def aligned(rows):
    """Rows of a Markdown table, padded."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows)


def table(measured):
    """Markdown, a table a state."""
    head = ["request", "outcome", "stock, evaluation", "ours", "stock/ours", "stock, whole cycle", "ours", "stock/ours"]
    parts = []
    for group in dict.fromkeys(case.group for case in measured):
        rows = [_row(case) for case in measured if case.group == group]
        parts.append(f"{group}:\n\n{aligned([head, ['---'] * len(head), *rows])}\n")
    return "\n".join(parts)


def queue_table(queue):
    """Markdown of the queue of mixed jobs."""
    rows = [["100 mixed jobs", "stock", "ours", "stock/ours"], ["---"] * 4]
    for name in Queue.FIGURES:
        values = {label: queue.values(label, name) for label in (STOCK, OURS)}
        sides = [f"none in {queue.too_slow[label]} s" if label in queue.too_slow and not values[label] else spread(values[label]) for label in values]
        both = all(values.values())
        rows.append([name, *sides, f"{median(values[STOCK]) / median(values[OURS]):.3g}" if both else "–"])
    return aligned(rows) + "\n"


def faults(measured):
    """A line for every case whose comparison is worthless."""
    return [f"{case.group}, {case.title}: {fault}" for case in measured for fault in case.faults()]


def legend():
    """What the columns mean."""
    return (f"evaluation: {MEANING[EVALUATION]}; whole cycle: {MEANING[CYCLE]}; JSON also has plugin: {MEANING[PLUGIN]}. "
            "Medians (least…most).")
