# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks how long the pages are: lines outside tables and code blocks, and words of README.md, the tutorial and docs/*.md together."""

import sys
import tempfile
from pathlib import Path

from check_links import lines_without_code, tell

HERE = Path(__file__).resolve().parent
LONGEST_LINE = 140
MOST_WORDS = {"README.md": 900, "docs/tutorial.md": 900, "docs/*.md": 20000}


def long_lines(name, text):
    """Lines "file:line: what is wrong"."""
    for number, line in lines_without_code(text):
        if len(line) > LONGEST_LINE and not line.startswith("|"):
            yield f"{name}:{number}: {len(line)} characters, {LONGEST_LINE} at most outside tables and code"


def findings(root):
    """What is wrong with the pages of this root."""
    for path in sorted([*root.glob("*.md"), *root.glob("docs/*.md")]):
        if path.name != "CHANGELOG.md":
            yield from long_lines(path.relative_to(root), path.read_text("utf-8"))
    for pattern, most in MOST_WORDS.items():
        words = sum(len(path.read_text("utf-8").split()) for path in root.glob(pattern))
        if words > most:
            yield f"{pattern}: {words} words, {most} at most"


def finds_planted_errors():
    """Whether each kind of error is found, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs").mkdir()
        (root / "README.md").write_text(f"{'x' * 141}\n| {'x' * 141} |\n```\n{'x' * 141}\n```\n{'x' * 140}\n", "utf-8")
        (root / "docs/tutorial.md").write_text("word\n" * 901, "utf-8")
        (root / "docs/a.md").write_text("word\n" * 19100, "utf-8")
        found = list(findings(root))
        wanted = ["README.md:1: 141 characters", "docs/tutorial.md: 901 words", "docs/*.md: 20001 words"]
        return len(found) == len(wanted) and all(line.startswith(text) for line, text in zip(found, wanted))


def main():
    """Entry of tests/words/run."""
    if not finds_planted_errors():
        sys.exit("check_length.py does not find planted errors")
    return tell(findings(HERE.parents[1]), f"no line of the pages has more than {LONGEST_LINE} characters, and no page too many words")


if __name__ == "__main__":
    sys.exit(main())
