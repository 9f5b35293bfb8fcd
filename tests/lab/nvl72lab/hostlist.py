# SPDX-License-Identifier: GPL-2.0-or-later
"""Node lists as Slurm writes them: node[000-003,007],login1."""

import re


def _entries(text):
    """Splits at the commas outside brackets."""
    return [entry for entry in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text) if entry]


def expand(text):
    """The single names of a node list."""
    names = []
    for entry in _entries(text.strip()):
        match = re.fullmatch(r"([^\[]*)\[([^\]]*)\](.*)", entry)
        if not match:
            names.append(entry)
            continue
        head, ranges, rest = match.groups()
        for part in ranges.split(","):
            low, _, high = part.partition("-")
            for number in range(int(low), int(high or low) + 1):
                names += expand(f"{head}{number:0{len(low)}}{rest}")
    return names


def _ranges(numbers, width):
    numbers = sorted(numbers)
    parts = []
    first = previous = numbers[0]
    for number in [*numbers[1:], None]:
        if number is not None and number == previous + 1:
            previous = number
            continue
        parts.append(f"{first:0{width}}" if first == previous else f"{first:0{width}}-{previous:0{width}}")
        first = previous = number
    return ",".join(parts)


def compress(names):
    """A short node list of names with one number at the end."""
    groups = {}
    plain = []
    for name in names:
        match = re.fullmatch(r"(.*?)(\d+)", name)
        if match:
            groups.setdefault((match[1], len(match[2])), set()).add(int(match[2]))
        else:
            plain.append(name)
    for (head, width), numbers in sorted(groups.items()):
        ranges = _ranges(numbers, width)
        plain.append(f"{head}{ranges}" if ranges.isdigit() else f"{head}[{ranges}]")
    return ",".join(plain)
