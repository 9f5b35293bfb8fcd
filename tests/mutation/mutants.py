# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes of one operator in C++ that clang-format has laid out: binary operators stand between blanks."""

import re
from dataclasses import dataclass

# What is found, what the change makes of it, and how both are written with switch.hpp.
CHANGES = (
    (r" < ", " <= ", " < mutation::Less<{n}>{{}} < "), (r" <= ", " < ", " <= mutation::LessOrEqual<{n}>{{}} <= "),
    (r" > ", " >= ", " > mutation::Greater<{n}>{{}} > "), (r" >= ", " > ", " >= mutation::GreaterOrEqual<{n}>{{}} >= "),
    (r" == ", " != ", " == mutation::Equal<{n}>{{}} == "), (r" != ", " == ", " != mutation::Unequal<{n}>{{}} != "),
    (r" \+ ", " - ", " + mutation::Plus<{n}>{{}} + "), (r" - ", " + ", " - mutation::Minus<{n}>{{}} - "),
    (r" \* ", " + ", " * mutation::Times<{n}>{{}} * "), (r" / ", " * ", " / mutation::Divided<{n}>{{}} / "),
    (r" % ", " / ", " % mutation::Remainder<{n}>{{}} % "),
    (r" \+= ", " -= ", " += mutation::Add<{n}>{{}} += "), (r" -= ", " += ", " -= mutation::Subtract<{n}>{{}} -= "),
    # The operand behind it is still not evaluated where it must not be.
    (r" && ", " && false && ", " && !mutation::made<{n}>() && "), (r" \|\| ", " || true || ", " || mutation::made<{n}>() || "),
    (r"std::min\(", "std::max(", "mutation::least<{n}>("), (r"std::max\(", "std::min(", "mutation::most<{n}>("),
    (r"\btrue\b", "false", "mutation::value<{n}>(true, false)"), (r"\bfalse\b", "true", "mutation::value<{n}>(false, true)"),
    (r"(?<=\()!", "", "mutation::Not<{n}>{{}} ->* "), (r"(?<=return )!", "", "mutation::Not<{n}>{{}} ->* "),
    (r"\b1\b", "2", "mutation::value<{n}>(1, 2)"), (r"\b0\b", "1", "mutation::value<{n}>(0, 1)"))
# Lines whose changes say nothing about a decision (declarations, what is counted as work, memory that is set aside), and constants.
SKIPPED = re.compile(r"^\s*(//|#|template|using|static_assert|assert|struct|class|case|\[\[nodiscard\]\]|const std::vector<.*>& \w+,)"
                     r"|reserve\(|steps|effort|budget|constexpr|operator")


@dataclass(frozen=True)
class Mutant:
    """One change of one line."""

    path: str
    line: int  # from 1
    begin: int
    end: int
    text: str  # what the change puts there
    both: str  # what is compiled: the plain text, or the change where its number is chosen

    def told(self, source):
        """As one line of a report."""
        line = source.split("\n")[self.line - 1]
        return f"{self.path}:{self.line}: {line.strip()}  ->  {(line[:self.begin] + self.text + line[self.end:]).strip()}"


def _code(line):
    """The line without its comment and with its texts blanked."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda found: '"' + "_" * (len(found[0]) - 2) + '"', line)
    return line.split("//")[0]


def mutants(path, source):
    """All changes of a file."""
    found = []
    for number, line in enumerate(source.split("\n"), 1):
        if not SKIPPED.search(line):
            code = _code(line)
            found += [Mutant(path, number, match.start(), match.end(), text, both)
                      for pattern, text, both in CHANGES for match in re.finditer(pattern, code)]
    return found


def compiled(source, numbered):
    """A file's text with all of these (number, mutant), none of which overlap."""
    lines = source.split("\n")
    for number, mutant in sorted(numbered, key=lambda entry: entry[1].begin, reverse=True):
        line = lines[mutant.line - 1]
        lines[mutant.line - 1] = line[:mutant.begin] + mutant.both.format(n=number) + line[mutant.end:]
    return "\n".join(lines)
