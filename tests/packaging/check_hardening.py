# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether optimised builds are protected against overruns (cmake/Hardening.cmake), without compiling: by the compile
commands of CMake's build types and of a distribution's own flags; and by the headers of a program that was linked.

usage: check_hardening.py PROJECT PROGRAM
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FORTIFY, STACK = "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong"


def commands(build_type, flags=""):
    """How each source of the project itself is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cmake", "-S", PROJECT, "-B", folder, "-G", "Ninja", f"-DCMAKE_BUILD_TYPE={build_type}",
                        f"-DCMAKE_CXX_FLAGS={flags}", f"-DCMAKE_C_FLAGS={flags}", "-DNVL72BLOCK_BUILD_TESTS=OFF"],
                       check=True, capture_output=True)
        return [entry["command"] for entry in json.loads((Path(folder) / "compile_commands.json").read_text("utf-8"))]


class Flags(unittest.TestCase):
    """Compile commands."""

    def test_an_optimised_build_is_protected(self):
        compiled = commands("RelWithDebInfo")
        self.assertGreater(len(compiled), 50)
        for command in compiled:
            self.assertIn(FORTIFY, command)
            self.assertIn(STACK, command)

    def test_a_build_for_debugging_is_not(self):
        for command in commands("Debug"):
            self.assertNotIn("_FORTIFY_SOURCE", command)
            self.assertNotIn("-fstack-protector", command)

    def test_a_distributions_flags_stay(self):
        flags = "-D_FORTIFY_SOURCE=3 -fstack-protector-all"
        for command in commands("RelWithDebInfo", flags):
            self.assertEqual(re.findall(r"-D_FORTIFY_SOURCE=\d", command), ["-D_FORTIFY_SOURCE=3"])
            self.assertEqual(re.findall(r"-fstack-protector\S*", command), ["-fstack-protector-all"])


class Program(unittest.TestCase):
    """The linked command: no table that can be overwritten, no stack that can be executed."""

    def test_headers(self):
        headers = subprocess.run(["readelf", "-lW", PROGRAM], check=True, capture_output=True, text=True).stdout
        self.assertIn("GNU_RELRO", headers)
        self.assertRegex(headers, r"GNU_STACK.* RW +0x")
        dynamic = subprocess.run(["readelf", "-dW", PROGRAM], check=True, capture_output=True, text=True).stdout
        self.assertRegex(dynamic, r"BIND_NOW|FLAGS_1.* NOW")


if __name__ == "__main__":
    PROJECT, PROGRAM = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
