# SPDX-License-Identifier: GPL-2.0-or-later
"""The list of differences that are explained: TEST | VERSIONS | REASON, a line each."""

from dataclasses import dataclass


class BadList(Exception):
    """A line that cannot be read."""


@dataclass(frozen=True)
class Entry:
    """One line."""

    test: str
    versions: tuple  # prefixes such as 26.05; empty: all
    reason: str

    def holds_for(self, version):
        """Whether it speaks of this release of Slurm."""
        return not self.versions or any(f"{version}.".startswith(f"{prefix}.") for prefix in self.versions)


def read(text):
    """The entries of such a list."""
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("|", 2)]
        if len(fields) != 3 or not all(fields):
            raise BadList(f"line {number}: expected TEST | VERSIONS | REASON, all of them")
        test, versions, reason = fields
        entries.append(Entry(test, () if versions == "all" else tuple(versions.replace(",", " ").split()), reason))
    return entries


def reason_for(entries, test, version):
    """Why this test may differ with this version, or None."""
    return next((entry.reason for entry in entries if entry.test == test and entry.holds_for(version)), None)


def unmatched(entries, version, compared, differing):
    """The entries for tests that were compared with this version, and did not differ."""
    return [entry for entry in entries if entry.holds_for(version) and entry.test in compared and entry.test not in differing]
