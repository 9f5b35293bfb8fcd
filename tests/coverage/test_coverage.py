# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests/coverage/run makes of gcov's counts and of the list of reasons."""

import json
import sys
import unittest
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
# pylint: disable=wrong-import-position
import nvl72coverage
from nvl72lab.places import PROJECT


def counted(times):
    """gcov's document for a function of plugin/a.c whose lines ran so often."""
    lines = [{"line_number": number, "count": count, "function_name": "f"} for number, count in enumerate(times, 1)]
    return json.dumps({"current_working_directory": str(PROJECT), "files": [
        {"file": "plugin/a.c", "functions": [{"name": "f", "demangled_name": "f"}], "lines": lines},
        {"file": "/usr/include/b.h", "functions": [], "lines": [{"line_number": 1, "count": 0}]}]})


class Coverage(unittest.TestCase):
    """Names, counts and reasons."""

    def read(self, *texts):
        counts, functions = defaultdict(lambda: defaultdict(int)), defaultdict(dict)
        nvl72coverage.add(counts, functions, "\n".join(texts), "/")
        return counts, functions

    def test_names_of_functions(self):
        for name, expected in (("start", "start"), ("nvl72block::(anonymous namespace)::f(int)", "f"),
                               ("std::vector<std::map<int, A::B>> nvl72block::Tree::add<int>(long) const", "add"),
                               ("nvl72block::f(int)::{lambda(int)#1}::operator()(int) const", "f")):
            self.assertEqual(nvl72coverage.short(name), expected)

    def test_runs_are_added(self):
        counts, functions = self.read(counted([1, 0, 0]), counted([1, 2, 0]))
        self.assertEqual(dict(counts["plugin/a.c"]), {1: 2, 2: 2, 3: 0})
        self.assertEqual((list(counts), functions["plugin/a.c"][3]), (["plugin/a.c"], "f"))

    def test_what_has_no_reason(self):
        missing = [("plugin/a.c", "f"), ("plugin/a.c", "f"), ("plugin/b.c", "g")]
        self.assertEqual(nvl72coverage.unexplained(missing, {}), ({"plugin/a.c f": 2, "plugin/b.c g": 1}, []))
        known = nvl72coverage.reasons("# why\n\nplugin/a.c f: a disk: full\nplugin/a.c g: gone\nplugin/b.c: all of it\n")
        self.assertEqual(known["plugin/a.c f"], "a disk: full")
        self.assertEqual(nvl72coverage.unexplained(missing, known), ({}, ["plugin/a.c g"]))
