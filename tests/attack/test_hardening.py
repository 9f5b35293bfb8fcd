# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin that slurmctld has loaded is protected against overruns (cmake/Hardening.cmake)."""

import os
import re
import subprocess
from pathlib import Path

from nvl72lab import sanitizer
from nvl72lab.lab_case import LabCase


class Hardening(LabCase):
    """What readelf says of the plugin."""

    def read(self, option):
        """readelf's text about this instance's plugin."""
        plugin = Path(os.environ["NVL72BLOCK_LAB_INSTANCE"]) / "plugins/topology_nvl72block.so"
        return subprocess.run(["readelf", "-W", option, plugin], check=True, capture_output=True, text=True).stdout

    def test_the_plugin_is_hardened(self):
        if sanitizer.chosen():
            self.skipTest("a plugin with a sanitizer is not hardened")
        headers, names, dynamic = self.read("-l"), self.read("--dyn-syms"), self.read("-d")
        self.assertIn("GNU_RELRO", headers)
        self.assertTrue(re.search(r"GNU_STACK.* RW +0x", headers), headers)
        self.assertIn("__stack_chk_fail", names)
        self.assertTrue(re.search(r"__\w+_chk\b", names.replace("__stack_chk_fail", "")), "no fortified call")
        # slurmctld's functions are bound late: clients lack them.
        self.assertFalse(re.search(r"BIND_NOW|FLAGS_1.* NOW", dynamic), dynamic)
