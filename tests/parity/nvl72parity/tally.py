# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures of a run."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """What was asked and answered, which differences are right, what is wrong."""

    counts: Counter = field(default_factory=Counter)
    exemptions: Counter = field(default_factory=Counter)
    failures: list = field(default_factory=list)
    reduced: list = field(default_factory=list)  # the first failure of each kind

    def add(self, other):
        """Joins another part's."""
        self.counts += other.counts
        self.exemptions += other.exemptions
        self.failures += other.failures
        self.reduced += other.reduced

    def passed(self, needed):
        """Nothing is wrong, and there was something to compare: of each of the needed counts."""
        return not self.failures and not self.counts["scenes not finished"] and all(self.counts[name] for name in needed)

    def __str__(self):
        def listed(counter):
            return ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))
        return (f"{listed(self.counts)}, failures {len(self.failures)}\n"
                f"exemptions: {listed(self.exemptions) or 'none'}")
