# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures of one case: what the runs gave, their medians, their spread, and stock against ours."""

from dataclasses import dataclass, field
from statistics import median

from .controller import OURS, STOCK

# What a run of a case is measured by: name, unit, explanation.
EVALUATION, PLUGIN, CYCLE = "evaluation", "plugin", "cycle"
MEANING = {
    EVALUATION: "CPU time of the plugin's first evaluation, µs",
    PLUGIN: "CPU time of all evaluations in the cycle, µs",
    CYCLE: "the scheduler's cycle by sdiag, µs",
}


def _first(calls):
    """One question: 26.05 puts a one-node job to stock node by node."""
    return sum(call["cpu"] for call in calls) if calls[0]["kind"] == "node" else calls[0]["cpu"]


def figures(run):
    """Microseconds by name, of one run of a case."""
    calls = run["calls"]
    found = {CYCLE: run["cycle_us"]}
    if calls:
        found |= {EVALUATION: _first(calls) / 1000, PLUGIN: sum(call["cpu"] for call in calls) / 1000}
    return found


@dataclass
class Side:
    """One plugin's runs of a case."""

    runs: list = field(default_factory=list)
    too_slow: int = 0  # seconds after which the case was given up; 0: it was not

    @property
    def placed(self):
        """Whether the job found a place; None if it is not known."""
        return self.runs[0]["placed"] if self.runs else None

    def values(self, name):
        """One figure of every run that has it."""
        return [found[name] for found in map(figures, self.runs) if name in found]

    def summary(self):
        """Median, least and most of every figure."""
        return {name: {"median": median(values), "least": min(values), "most": max(values)}
                for name in MEANING if (values := self.values(name))}


@dataclass
class Measured:
    """One case, both plugins."""

    group: str
    title: str
    sides: dict = field(default_factory=lambda: {STOCK: Side(), OURS: Side()})

    def ratio(self, name):
        """Stock's median over ours; None without both. A time limit is no figure: many calls may lie in it."""
        stock, ours = (self.sides[label].values(name) for label in (STOCK, OURS))
        return median(stock) / median(ours) if stock and ours else None

    def faults(self):
        """What would make the comparison worthless: an answer that is worse, or one that changes from run to run."""
        stock, ours = self.sides[STOCK], self.sides[OURS]
        found = [f"{label} answers {' and '.join(sorted({'placed' if run['placed'] else 'waits' for run in side.runs}))}"
                 for label, side in self.sides.items() if len({run["placed"] for run in side.runs}) > 1]
        if ours.too_slow:
            found.append(f"ours did not answer in {ours.too_slow} s")
        if stock.placed and not ours.placed and not ours.too_slow:
            found.append("stock finds a place, ours does not")
        return found

    def outcome(self):
        """Who finds a place."""
        words = {True: "placed", False: "waits", None: "no answer"}
        stock, ours = (words[self.sides[label].placed] for label in (STOCK, OURS))
        asked_stock = self.sides[STOCK].runs or self.sides[STOCK].too_slow
        return ours if stock == ours or not asked_stock else f"{ours}, stock {stock}"

    def as_json(self):
        """Everything, the single runs included."""
        found = {"state": self.group, "request": self.title, "outcome": self.outcome(), "faults": self.faults()}
        for label, side in self.sides.items():
            found[label] = {"too_slow_seconds": side.too_slow or None, "summary_us": side.summary(), "runs": side.runs}
        found["stock_over_ours"] = {name: ratio for name in MEANING if (ratio := self.ratio(name))}
        return found


@dataclass
class Queue:
    """The queue of mixed jobs, both plugins."""

    runs: dict = field(default_factory=lambda: {STOCK: [], OURS: []})
    too_slow: dict = field(default_factory=dict)

    FIGURES = ("main cycle", "backfill cycle", "plugin, both cycles")

    @staticmethod
    def figures(run):
        """Microseconds by name."""
        return dict(zip(Queue.FIGURES, (run["cycle_us"], run["backfill_us"],
                                        sum(call["cpu"] for call in run["calls"]) / 1000)))

    def values(self, label, name):
        """One figure of one plugin's runs."""
        return [self.figures(run)[name] for run in self.runs[label]]

    def as_json(self):
        """Everything, the calls summed up."""
        found = {"too_slow_seconds": self.too_slow}
        for label, runs in self.runs.items():
            found[label] = [{**self.figures(run), "started": run["started"], "backfill_depth": run["backfill_depth"],
                             "evaluations": len(run["calls"])} for run in runs]
        return found
