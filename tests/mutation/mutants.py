# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes of one operator in C++ that clang-format has laid out: binary operators stand between blanks."""

import re
from dataclasses import dataclass

# What is found, and what takes its place.
CHANGES = ((r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
           (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " + "), (r" / ", " * "),
           (r" % ", " / "), (r" \+= ", " -= "), (r" -= ", " += "), (r"std::min\b", "std::max"), (r"std::max\b", "std::min"),
           (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\(!", "("), (r"return !", "return "), (r"\b1\b", "2"), (r"\b0\b", "1"))
# Lines whose changes say nothing about a decision: declarations, what is counted as work, memory that is set aside.
SKIPPED = re.compile(r"^\s*(//|#|template|using|static_assert|assert|struct|class|\[\[nodiscard\]\]|const std::vector<.*>& \w+,)|reserve\(|steps|effort|budget")


@dataclass(frozen=True)
class Mutant:
    """One change of one line."""

    path: str
    line: int  # from 1
    begin: int
    end: int
    text: str  # what stands there instead

    def apply(self, source):
        """The file's text with the change."""
        lines = source.split("\n")
        old = lines[self.line - 1]
        lines[self.line - 1] = old[:self.begin] + self.text + old[self.end:]
        return "\n".join(lines)

    def told(self, source):
        """As one line of a report."""
        old = source.split("\n")[self.line - 1].strip()
        new = self.apply(source).split("\n")[self.line - 1].strip()
        return f"{self.path}:{self.line}: {old}  ->  {new}"


def _code(line):
    """The line without its comment and with its texts blanked."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda found: '"' + "_" * (len(found[0]) - 2) + '"', line)
    return line.split("//")[0]


def mutants(path, source):
    """All changes of a file."""
    found = []
    for number, line in enumerate(source.split("\n"), 1):
        if SKIPPED.search(line):
            continue
        code = _code(line)
        for pattern, text in CHANGES:
            found += [Mutant(path, number, match.start(), match.end(), text) for match in re.finditer(pattern, code)]
    return found
