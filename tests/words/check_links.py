# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the relative links and anchors of all Markdown pages of the project, with file and line.

A link must lead to a file of the project; its anchor must be that of a heading, as GitHub and the web pages name
them. Links to other hosts are not followed. Every page of docs must be linked from another one.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

HERE = Path(__file__).resolve().parent
# The last bracket before ( belongs to the link; the text before it may contain brackets and code.
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
FENCE = re.compile(r"^\s*(```|~~~)")


def lines_without_code(text):
    """(number, line) outside of code blocks, with inline code blanked for links but kept in headings."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
        elif fence is None:
            yield number, line


def slug(heading):
    """The anchor of a heading: links by their text, then lower case, without punctuation, blanks as hyphens."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").replace("*", "").lower()).replace(" ", "-")


def anchors(text):
    """All anchors of a page; a repeated heading's has a number."""
    seen, found = {}, set()
    for _, line in lines_without_code(text):
        heading = HEADING.match(line)
        if heading:
            name = slug(heading[2])
            count = seen[name] = seen.get(name, -1) + 1
            found.add(f"{name}-{count}" if count else name)
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return found


def links(text):
    """(line, target) of each link that leads to no other host."""
    for number, line in lines_without_code(text):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if not re.match(r"[a-z][a-z0-9+.-]*:", target):
                yield number, unquote(target)


def findings(root, pages):
    """Lines "file:line: what is wrong" for the pages, which are paths relative to the root."""
    texts = {page: (root / page).read_text("utf-8") for page in pages}
    linked = set()
    for page, text in texts.items():
        for number, target in links(text):
            name, _, anchor = target.partition("#")
            path = ((root / page).parent / name).resolve() if name else (root / page).resolve()
            if not path.exists():
                yield f"{page}:{number}: there is no {name}"
                continue
            if not path.is_relative_to(root.resolve()):
                yield f"{page}:{number}: {name} is not in the project"
                continue
            if name:
                linked.add(path)
            if anchor and (path.suffix != ".md" or anchor not in anchors(path.read_text("utf-8"))):
                yield f"{page}:{number}: no heading of {name or page} has the anchor #{anchor}"
    for page in pages:
        if page.startswith("docs/") and (root / page).resolve() not in linked:
            yield f"{page}:1: no page has a link to this one"


def finds_planted_errors():
    """Whether each kind of error is found; a check that finds nothing checks nothing."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs").mkdir()
        (root / "docs/a.md").write_text("# One: `two`\n## Same\n## Same\n```\n# code\n[x](gone)\n```\n", "utf-8")
        (root / "docs/b.md").write_text("# B\n", "utf-8")
        (root / "README.md").write_text(
            "[1](docs/a.md#one-two) [2](docs/a.md#same-1) `[3](gone)` [4](https://example.org/gone)\n"
            "[5](docs/gone.md) [6](docs/a.md#code) [7](#gone) [8](../outside.md)\n", "utf-8")
        found = list(findings(root, ["README.md", "docs/a.md", "docs/b.md"]))
        wanted = ["there is no docs/gone.md", "no heading of docs/a.md has the anchor #code",
                  "no heading of README.md has the anchor #gone", "there is no ../outside.md", "docs/b.md:1: no page"]
        return len(found) == len(wanted) and all(any(text in line for line in found) for text in wanted)


def tell(found, all_right):
    """Prints what was found, or that all is right; the exit status."""
    found = list(found)
    print("\n".join(found or [all_right]))
    return 1 if found else 0


def main():
    """Entry of tests/words/run."""
    if not finds_planted_errors():
        sys.exit("check_links.py does not find planted errors")
    root = HERE.parents[1]
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "*.md"],
                            capture_output=True, text=True, check=False).stdout.split()
    names = listed or [str(path.relative_to(root)) for path in root.glob("*.md")] + \
        [str(path.relative_to(root)) for path in root.glob("docs/*.md")]
    pages = sorted(names)
    return tell(findings(root, pages), f"all relative links of {len(pages)} pages lead to files and headings")


if __name__ == "__main__":
    sys.exit(main())
