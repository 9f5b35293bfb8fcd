#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what `show --svg`, `show --html` and `metrics` write with parsers that are not ours.

Usage: check_drawing.py NVL72BLOCK. Names are as bad as they can be. Node.js, where there is one,
checks the page's script; promtool, where there is one, the metrics.
"""

import html.parser
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

COMMAND = ""
SVG = "{http://www.w3.org/2000/svg}"
EVIL = "</script></title><img src onerror>\"'&\x01\u00e4\u6a5f"


class Page(html.parser.HTMLParser):
    """Checks that elements nest, and collects scripts and attributes."""

    VOID = {"meta", "input"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.scripts, self.attributes = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append([dict(attrs), ""])

    def handle_startendtag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:], self.getpos())
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1][1] += data


def racks(count):
    blocks = "".join(
        f"BlockName=rack{rack:03} Nodes=n[{18 * rack:05}-{18 * rack + 17:05}]\n" for rack in range(count)
    )
    return blocks + "BlockSizes=18,36,72\n"


class Drawing(unittest.TestCase):
    def run_command(self, *arguments):
        done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def draw(self, count, *options):
        with tempfile.TemporaryDirectory() as folder:
            topology = Path(folder, "topology.conf")
            topology.write_text(racks(count))
            svg, page = Path(folder, "racks.svg"), Path(folder, "racks.html")
            self.run_command(
                "show", "--topology", topology, "--svg", svg, "--html", page,
                "--busy", "n00003", "--drained", "n[00004-00005]", "--reserved", "n00017",
                "--job", f"{EVIL}=n[00000-00002,00005]", "--job", "4711=n[00002,00006-00016]",
                *options,
            )
            return svg.read_text(), page.read_text()

    def test_svg_is_xml_with_one_title_per_node(self):
        for count in (1, 6, 72, 512):
            svg, _ = self.draw(count)
            root = xml.etree.ElementTree.fromstring(svg)
            self.assertEqual(root.tag, SVG + "svg")
            nodes = [path for path in root.iter(SVG + "path") if path.get("class", "").split()[0] == "n"]
            self.assertEqual(len(nodes), 18 * count)
            titles = [node.find(SVG + "title").text for node in nodes]
            self.assertEqual(len(set(titles)), 18 * count)
            self.assertTrue(titles[0].startswith("n00000 (rack000): job </script>"), titles[0])
            self.assertLessEqual({element.tag for element in root.iter()},
                            {SVG + name for name in ("svg", "style", "defs", "pattern", "path", "text",
                                                     "title", "g")} | {None})

    def test_html_nests_and_has_no_element_of_a_name(self):
        for count in (1, 6, 72, 512):
            _, text = self.draw(count)
            page = Page()
            page.feed(text)
            page.close()
            self.assertEqual(page.open, [])
            self.assertNotIn("img", page.elements)
            self.assertEqual([name for name in page.attributes if name.startswith("on")], [])
            self.assertEqual(len(page.scripts), 2)
            jobs = json.loads(page.scripts[0][1])
            self.assertEqual([job["name"] for job in jobs], [EVIL, "4711"])

    @unittest.skipUnless(shutil.which("node"), "Node.js is not installed")
    def test_script_compiles(self):
        page = Page()
        page.feed(self.draw(1)[1])
        done = subprocess.run(["node", "--check", "-"], input=page.scripts[1][1], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def metrics(self):
        with tempfile.TemporaryDirectory() as folder:
            topology = Path(folder, "topology.conf")
            topology.write_text(racks(6))
            return self.run_command("metrics", "--topology", topology, "--busy", "n[00000-00030]")

    def test_every_sample_follows_its_help_and_type(self):
        family, seen = "", set()
        for line in self.metrics().splitlines():
            if line.startswith("# HELP "):
                family = line.split()[2]
                self.assertNotIn(family, seen)
                seen.add(family)
            elif line.startswith("# TYPE "):
                self.assertEqual(line, f"# TYPE {family} gauge")
            else:
                self.assertRegex(line, rf'^{family}(\{{(\w+="[^"]*",?)+\}})? \d+$')

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool_accepts_the_metrics(self):
        done = subprocess.run(["promtool", "check", "metrics"], input=self.metrics(), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_the_dashboard_uses_metrics_that_exist(self):
        top = Path(__file__).resolve().parents[2]
        dashboard = (top / "configs/grafana/nvl72block.json").read_text()
        json.loads(dashboard)
        source = (top / "src/cli/metrics/cluster_metrics.cpp").read_text()
        for name in set(re.findall(r"nvl72block_[a-z_]+", dashboard)):
            self.assertIn(f'"{name}"', source)


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1)
    unittest.main()
