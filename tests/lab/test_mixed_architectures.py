# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmctld on x86_64, two racks of slurmd's on aarch64 (emulated), each with the package for its architecture.

tests/lab/run-aarch64 makes what these tests need; without it they are skipped.
"""

import os
import re
import subprocess
from dataclasses import replace

from nvl72lab import aarch64_root, cluster, daemons, emulation, plugin_build, root_copy, slurm_release
from nvl72lab.lab_case import LabCase
from nvl72lab.private_root import CLEAN_ENVIRONMENT
from nvl72lab.scenario import OURS, STOCK
from nvl72lab.scenario_switch import make_foreign, start_fails

COMMAND, PLUGIN = "nvl72block", "slurm-topology-nvl72block"
TELL = 'echo "$(uname -m) $SLURMD_NODENAME $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN"'


class MixedArchitectures(LabCase):
    """A cluster that starts with Slurm's own plugin; head and tray are clean roots of the two architectures."""

    config = "two-by-4-real"
    options = ("--plugin", "block")
    for_release = True
    emulated = True

    @classmethod
    def unfit(cls, name, release):
        return "" if aarch64_root.ASKED_FOR in os.environ and release.root else "tests/lab/run-aarch64 runs this"

    def setUp(self):
        self.instance = cluster.this_instance()
        self.enterContext(emulation.aarch64())
        daemons.stop_compute(self.instance)
        self.use_default_plugin_dir()
        self.head = root_copy.start(self.instance)
        release = slurm_release.on_aarch64()
        self.tray = root_copy.overlay(release.root, "tray")
        self.compute = cluster.this_instance()
        self.compute.release = replace(release, root=self.tray, prefix=self.tray / "usr")
        self.compute.release.enter()

    def use_default_plugin_dir(self):
        """Each architecture has a plugin directory of its own: slurm.conf must not name one."""
        path = cluster.configuration() / "slurm.conf"
        path.write_text(re.sub(r"(?m)^PluginDir=.*\n", "", path.read_text("utf-8")), "utf-8")

    def install(self, root, release):
        """dpkg, in a root of the release's architecture, with all its packages that were built."""
        folder = plugin_build.packages(release, 1)
        files = [str(path) for name in (COMMAND, PLUGIN) for path in folder.glob(f"{name}_*.deb")]
        self.assertNotEqual(files, [], folder)
        self.in_root(root, "dpkg", "--install", *files)

    def in_root(self, root, *command):
        """Output of a command that has to succeed."""
        done = subprocess.run(["chroot", root, *command], capture_output=True, text=True, check=False,
                              env={**CLEAN_ENVIRONMENT, "SLURM_CONF": os.environ["SLURM_CONF"]})
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def restart_with(self, plugin):
        """Another TopologyPlugin line for everybody."""
        daemons.stop_compute(self.compute)
        cluster.restart_with(plugin)
        daemons.start_compute(self.instance, self.compute)

    def told(self):
        """What the tasks of a job on four nodes print; they run in one rack, on aarch64."""
        lines = [line.split() for line in cluster.ask("srun", "-N4", "--segment=4", "sh", "-c", TELL).splitlines()]
        self.assertEqual({line[0] for line in lines}, {"aarch64"}, lines)
        self.assertEqual([cluster.spread([line[1] for line in lines])[lines[0][1][:2]], len(lines)], [4, 4], lines)
        return lines

    def check_addresses(self):
        for _, node, address, pattern in self.told():
            self.assertEqual((address, pattern), (f"{node[:2]}.{node}", "block.node"))

    def use_command(self, root):
        """The command of either architecture asks the cluster through scontrol of its own."""
        if not (root / "usr/bin/nvl72block").exists():
            self.tell(f"without the package of the command; {plugin_build.ALL_PACKAGES}=1 builds it")
            return
        self.assertIn("8 nodes: 8 free", self.in_root(root, "nvl72block", "show"))
        self.assertIn("r1n[01-04]", self.in_root(root, "nvl72block", "plan", "--nodes", "4", "--segment", "4"))

    def test_installed_used_removed(self):
        daemons.start_compute(self.instance, self.compute)
        self.check_addresses()
        shown = cluster.ask("scontrol", "show", "topology")
        self.assertIn("Arch=aarch64", cluster.ask("scontrol", "show", "node", "r1n01"))

        self.install(self.head, self.instance.release)
        self.install(self.tray, self.compute.release)
        self.restart_with(OURS)
        self.assertEqual(cluster.read_log().count("topology nvl72block plugin"), 1)
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), shown)
        self.check_addresses()
        self.use_command(self.head)
        self.use_command(self.tray)

        for root in (self.head, self.tray):
            self.in_root(root, "dpkg", "--purge", PLUGIN)
            self.assertEqual(list(root.glob("usr/lib/*/slurm-wlm/*nvl72block*")), [])
        self.restart_with(STOCK)
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), shown)
        self.check_addresses()

    def plugin_of(self, root, release):
        """The plugin's file in a root."""
        return root / str(release.plugins).lstrip("/") / "topology_nvl72block.so"

    def slurmd_fails(self):
        """What a slurmd says that does not start."""
        log = self.instance.log / "slurmd-r1n01.log"
        log.unlink(missing_ok=True)
        with daemons.start_slurmd(self.compute, "r1n01") as started:
            try:
                self.assertNotEqual(started.wait(cluster.WAIT_SECONDS * daemons.EMULATED), 0)
            finally:
                started.kill()
        return log.read_text("utf-8", "replace")

    def switch_head(self):
        """slurmctld loads the plugin; the slurmd's are still to be started."""
        self.install(self.head, self.instance.release)
        self.install(self.tray, self.compute.release)
        cluster.restart_with(OURS)

    def test_no_plugin_and_the_other_architecture_s_are_refused(self):
        self.switch_head()
        head, tray = (self.plugin_of(root, release) for root, release in
                      ((self.head, self.instance.release), (self.tray, self.compute.release)))
        for_head, for_tray = head.read_bytes(), tray.read_bytes()
        # As glibc says it: the file is there.
        no_such_file = r"dlopen\(.*/topology_nvl72block\.so\): .*: cannot open shared object file: No such file or directory"

        tray.unlink()
        said = self.slurmd_fails()
        self.assertIn("Couldn't find the specified plugin name for topology/nvl72block looking at all files", said)
        tray.write_bytes(for_head)
        said = self.slurmd_fails()
        self.assertRegex(said, f"error: plugin_load_from_file: {no_such_file}")
        self.assertIn("Couldn't load specified plugin name for topology/nvl72block: Dlopen of plugin file failed", said)

        cluster.ask("lab-ctl", "stop")
        head.unlink()
        head.write_bytes(for_tray)
        said = start_fails() or "it started"
        self.assertRegex(said, f"error: plugin_load_from_file: {no_such_file}")
        self.assertIn("Couldn't load specified plugin name for topology/nvl72block: Dlopen of plugin file failed", said)

    def test_another_slurm_version_is_refused(self):
        self.switch_head()
        make_foreign(self.plugin_of(self.tray, self.compute.release), OURS, aarch64_root.compiler())
        said = self.slurmd_fails()
        self.assertRegex(said, r"Incompatible Slurm plugin .*/topology_nvl72block\.so version \(16\.00\.0\)")
        self.assertIn("Couldn't load specified plugin name for topology/nvl72block: Incompatible plugin version", said)
