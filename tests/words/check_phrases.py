# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports phrases of the file `phrases` in documentation, comments and messages, with file and line."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/", "configs/")
CODE = ("src/", "plugin/", "records/", "include/", "cmake/", "CMakeLists.txt")
MESSAGES = ("src/", "plugin/", "records/")
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
# What may stand between two words besides blanks: a line break with a comment sign, or with a literal's quotation marks.
GAP = r'(?:\s|\n\s*(?://+|\*|#)|\\n|"\s*\n\s*")+'


def read_phrases(path):
    """Section name -> [(compiled expression, replacement)]."""
    sections = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), [])
        elif line.strip() and not line.startswith("#"):
            expression, _, replacement = line.partition(" => ")
            current.append((re.compile(expression.replace(" ", GAP), re.IGNORECASE), replacement))
    return sections


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def messages(text):
    """The text with all but the string literals blanked, so that lines keep their numbers."""
    kept, end = [], 0
    for literal in LITERAL.finditer(text):
        line = text[text.rfind("\n", 0, literal.start()) + 1:literal.start()]
        if re.match(r"\s*(//|\*|/\*|#include)", line):
            continue
        kept += [re.sub(r"[^\n\"]", " ", text[end:literal.start()]), literal[0]]
        end = literal.end()
    return "".join(kept) + _blank(text[end:])


def prose(text):
    """A document without its commands and names: code blocks and inline code are blanked."""
    text = re.sub(r"(?ms)^```.*?^```", lambda block: _blank(block[0]), text)
    return re.sub(r"`[^`\n]*`", lambda code: _blank(code[0]), text)


def findings(name, text, phrases):
    """Lines "file:line: phrase; replacement"."""
    for expression, replacement in phrases:
        for match in expression.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{name}:{line}: \"{' '.join(match[0].split())}\"; write: {replacement}"


def check(root, names):
    """All findings in these files of `root`."""
    sections = read_phrases(HERE / "phrases")
    found = []
    for name in names:
        try:
            text = (root / name).read_text("utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        if name.startswith("tests/words/"):
            continue
        if name.startswith(DOCUMENTS):
            found += findings(name, prose(text), sections["everywhere"] + sections["documents and messages"])
        elif name.startswith(CODE):
            found += findings(name, text, sections["everywhere"])
            if name.startswith(MESSAGES):
                found += findings(name, messages(text), sections["documents and messages"])
    return found


def self_test():
    """Plants phrases where they could hide, and expects each to be found, at its line."""
    planted = {
        "README.md": ("Text.\nFour nodes a\nrack.", 2),
        "docs/a.md": ("The site.", 1),
        "src/a.cpp": ('x = 1;\nf("all of it", "the "\n  "site");', 3),
        "plugin/a.c": ("/*\n * the fabric's\n * own word */", 2),
        "docs/man/a.1": ("in every release\nline", 1),
    }
    innocent = {"docs/b.md": "`site.c` and\n```\nthe site\n```\n", "src/b.cpp": "Site site; // one site\n"}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in [(name, text) for name, (text, _) in planted.items()] + list(innocent.items()):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf-8")
        found = check(root, [*planted, *innocent])
    missed = [f"{name}:{line}" for name, (_, line) in planted.items() if not any(f.startswith(f"{name}:{line}:") for f in found)]
    wrong = [entry for entry in found if entry.startswith(tuple(innocent))]
    for entry in missed:
        print(f"self-test: the phrase planted at {entry} was not found")
    for entry in wrong:
        print(f"self-test: {entry} is no such phrase")
    return 1 if missed or wrong else 0


def main():
    """Entry of `tests/words/run phrases`."""
    if self_test():
        return 1
    root = HERE.parent.parent
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    names = listed.stdout.split() if listed.returncode == 0 else [
        str(path.relative_to(root)) for top in ("", "docs", "configs", "src", "plugin", "include", "tests", "cmake")
        for path in ((root / top).rglob("*") if top else root.glob("*")) if path.is_file()]
    found = check(root, names)
    print("\n".join(found) if found else f"no phrase to avoid in {len(names)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
