# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks built web pages: every link and picture leads to a file among them, every anchor to an element. Usage: check_html.py DIR"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The targets and the anchors of one page."""

    def __init__(self, path):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.update(values[key] for key in ("id", "name") if values.get(key))
        wanted = {"a": "href", "link": "href", "img": "src", "script": "src", "object": "data"}.get(tag)
        if wanted and values.get(wanted):
            self.targets.append((self.getpos()[0], values[wanted]))


def findings(folder):
    """Lines "file:line: what is wrong"."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for line, target in page.targets:
            url = urlsplit(target)
            if url.scheme or url.netloc:
                continue
            file = (path.parent / unquote(url.path)).resolve() if url.path else path
            if not file.is_file():
                yield f"{path}:{line}: there is no {target}"
            elif url.fragment and file in pages and unquote(url.fragment) not in pages[file].anchors:
                yield f"{path}:{line}: no element has the anchor of {target}"


def main():
    """Status 1 where something is wrong."""
    folder = Path(sys.argv[1]).resolve()
    found = list(findings(folder))
    print("\n".join(found) if found else f"all links of {len(list(folder.rglob('*.html')))} pages lead to files and elements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
