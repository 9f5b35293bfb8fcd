# SPDX-License-Identifier: GPL-2.0-or-later
"""The Debian and RPM packages in a Debian root with Debian's Slurm: installed, used, upgraded, removed."""

import json
import re
import shutil
import subprocess

from nvl72lab import cluster, namespace, plugin_build, root_copy
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT
from nvl72lab.private_root import CLEAN_ENVIRONMENT
from nvl72lab.scenario import OURS, STOCK
from nvl72lab.scenario_switch import start_fails

COMMAND, PLUGIN, DROPIN = "nvl72block", "slurm-topology-nvl72block", "slurm-topology-nvl72block-dropin"
SOURCES = "nvl72block-source"


class Packages(LabCase):
    """A slurmctld that starts with topology/block, in a copy of the private root."""

    options = ("--plugin", "block")
    for_release = True
    needs_packages = ("test_installed_upgraded_removed", "test_dropin", "test_refuses_another_slurm", "test_rpm",
                      "test_rpm_dependencies", "test_build_plugin")

    @classmethod
    def unfit(cls, name, release):
        return "" if release.root else "packages are built for Debian's Slurm in the private root"

    def setUp(self):
        self.instance = cluster.this_instance()
        self.root = root_copy.start(self.instance)

    def in_root(self, *command):
        """Status and output of a command in the copy."""
        done = subprocess.run(["chroot", self.root, *command], capture_output=True, text=True, check=False,
                              env=CLEAN_ENVIRONMENT)
        return done.returncode, done.stdout + done.stderr

    def done(self, *command):
        """Output of a command that has to succeed."""
        code, said = self.in_root(*command)
        self.assertEqual(code, 0, f"{command}: {said}")
        return said

    def install(self, revision, *names):
        """dpkg, with the packages of a revision."""
        folder = plugin_build.packages(self.instance.release, revision)
        files = [str(next(folder.glob(f"{name}_*.deb"))) for name in names]
        return self.done("dpkg", "--install", *files)

    def use(self, plugin):
        """Restarts slurmctld with another TopologyPlugin line; jobs stay."""
        before = cluster.ask("squeue", "-h", "-o", "%i %T %N")
        cluster.restart_with(plugin)
        self.assertIn(f"{plugin}\n", cluster.ask("scontrol", "show", "config"))
        self.assertEqual(cluster.ask("squeue", "-h", "-o", "%i %T %N"), before)

    def removal_with(self, plugin):
        """What dpkg says when the plugin's package is removed while /etc/slurm/slurm.conf has that line."""
        (self.root / "etc/slurm").mkdir(exist_ok=True)
        (self.root / "etc/slurm/slurm.conf").write_text(f"ClusterName=test\nTopologyPlugin={plugin}\n", "utf-8")
        return self.done("dpkg", "--purge", PLUGIN)

    def names(self):
        """The packages to install; the command's only where it was built."""
        built = any(plugin_build.packages(self.instance.release, 1).glob(f"{COMMAND}_*.deb"))
        if not built:
            self.tell(f"without the package of the command; {plugin_build.ALL_PACKAGES}=1 builds it")
        return [COMMAND, PLUGIN] if built else [PLUGIN]

    def use_command(self):
        """The command, its manual page, its completion and the examples are there."""
        conf = cluster.configuration() / "topology.conf"
        self.assertIn("108 nodes: 108 free", self.done("nvl72block", "show", "--topology", str(conf)))
        self.assertTrue((self.root / "usr/share/man/man1/nvl72block.1.gz").exists())
        self.assertTrue((self.root / "usr/share/bash-completion/completions/nvl72block").exists())
        self.assertTrue((self.root / "usr/share/doc/nvl72block/examples/crusoe-6x18/topology.conf").exists())

    def ask_records(self, folder):
        """The installed program finds the library of the installed Slurm, and slurmctld."""
        document = json.loads(self.done("env", f"SLURM_CONF={self.instance.slurm_conf}", f"{folder}/nvl72block-records"))
        self.assertEqual((len(document["nodes"]), len(document["blocks"])), (108, 6))

    def told_starts(self):
        """How often the plugin has said that it started."""
        return cluster.read_log().count("topology nvl72block plugin")

    def test_installed_upgraded_removed(self):
        kept, shown = cluster.place("-N16", "--segment=16"), cluster.ask("scontrol", "show", "topology")
        names = self.names()
        self.install(1, *names)
        self.use(OURS)
        self.assertTrue((self.root / "usr/share/man/man5/topology_nvl72block.5.gz").exists())
        self.assertEqual(self.told_starts(), 1)
        self.ask_records(self.instance.release.plugins)
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), shown)
        self.assert_spread(cluster.place("-N32", "--segment=16"), [16, 16])
        if COMMAND in names:
            self.use_command()

        # The running slurmctld keeps the file that it has loaded.
        self.install(2, *names)
        self.assert_spread(cluster.place("-N2"), [2])
        self.use(OURS)
        self.assertEqual(self.told_starts(), 2)

        self.assertIn("slurm.conf still has TopologyPlugin=topology/nvl72block", self.removal_with(OURS))
        self.install(2, PLUGIN)
        self.use(STOCK)
        self.assertNotIn("slurm.conf", self.removal_with(STOCK))
        if COMMAND in names:
            self.done("dpkg", "--purge", COMMAND)
        self.assertEqual(cluster.job(kept.id).nodes, kept.nodes)
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), shown)
        cluster.place("-N2")
        self.assertEqual([str(path) for path in self.root.glob("usr/**/*nvl72block*")
                          if not path.is_relative_to(self.root / "usr/src")], [])
        cluster.ask("lab-ctl", "stop")
        cluster.use_plugin(OURS)
        self.assertRegex(start_fails() or "it started", OURS)

    def test_dropin(self):
        self.install(1, DROPIN)
        cluster.ask("lab-ctl", "restart")
        self.assertEqual(self.told_starts(), 0)
        path = cluster.configuration() / "slurm.conf"
        plugins = self.instance.release.plugins
        path.write_text(re.sub(r"(?m)^PluginDir=.*$", f"PluginDir={plugins}/nvl72block:{plugins}", path.read_text("utf-8")), "utf-8")
        cluster.ask("lab-ctl", "restart")
        self.assertEqual(self.told_starts(), 1)
        self.assertIn("topology/block\n", cluster.ask("scontrol", "show", "config"))
        self.ask_records(plugins / "nvl72block")
        self.assert_spread(cluster.place("-N32", "--segment=16"), [16, 16])

    def test_build_plugin(self):
        """The plugin is built where it is used, from the packages of the command and of the sources alone."""
        if self.instance.release.cross_root:
            self.skipTest("the compiler would be emulated, too")
        if COMMAND not in self.names():
            self.skipTest("without the package of the command")
        self.install(1, COMMAND, SOURCES)
        namespace.bind(self.instance.conf, self.root / "etc/slurm")
        said = self.done("nvl72block", "build-plugin", "--slurm-source", str(self.instance.release.source), "--install")
        self.assertIn("TopologyPlugin=topology/nvl72block", said, "what to do next")
        self.use(OURS)
        self.assertEqual(self.told_starts(), 1)
        self.assert_spread(cluster.place("-N32", "--segment=16"), [16, 16])
        code, said = self.in_root("nvl72block", "build-plugin", "--slurm-source", "/usr/share")
        self.assertEqual(code, 2, said)
        self.tell(said.strip())

    def rpm_file(self, name):
        """The RPM package of that name."""
        found = next(plugin_build.rpms(self.instance.release).glob(f"{name}-[0-9]*.rpm"), None)
        if found is None:
            self.skipTest("rpmbuild is not installed")
        return str(found)

    def rpm(self, *arguments):
        """Output of rpm on this host, for the copy; its database there knows none of Debian's packages."""
        done = subprocess.run(["rpm", "--root", self.root, "--force-debian", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout + done.stderr

    def test_rpm(self):
        kept, shown = cluster.place("-N16", "--segment=16"), cluster.ask("scontrol", "show", "topology")
        self.rpm("--nodeps", "--install", self.rpm_file(PLUGIN))
        self.use(OURS)
        self.assertEqual(self.told_starts(), 1)
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), shown)
        self.assert_spread(cluster.place("-N32", "--segment=16"), [16, 16])

        (self.root / "etc/slurm").mkdir(exist_ok=True)
        (self.root / "etc/slurm/slurm.conf").write_text(f"TopologyPlugin={OURS}\n", "utf-8")
        self.assertIn("slurm.conf still has TopologyPlugin=topology/nvl72block", self.rpm("--nodeps", "--erase", PLUGIN))
        self.use(STOCK)
        self.assertEqual(cluster.job(kept.id).nodes, kept.nodes)
        self.assertEqual([str(path) for path in self.root.glob("usr/**/*nvl72block*")
                          if not path.is_relative_to(self.root / "usr/src")], [])

    def test_rpm_dependencies(self):
        for name in (PLUGIN, DROPIN):
            needs = self.rpm("--query", "--requires", "--package", self.rpm_file(name)).splitlines()
            self.assertIn("slurm >= 24.11.5", needs)
            self.assertIn("slurm < 24.11.6~", needs)
        if shutil.which("rpmlint"):
            found = subprocess.run(["rpmlint", "-c", str(PROJECT / "packaging/rpm/rpmlint.toml"),
                                    *map(str, plugin_build.rpms(self.instance.release).glob("*.rpm"))],
                                   capture_output=True, text=True, check=False)
            self.assertIn("0 errors, 0 warnings", found.stdout)

    def test_refuses_another_slurm(self):
        # dpkg's own record of the installed Slurm is changed: a package of another one needs minutes to download.
        status = self.root / "var/lib/dpkg/status"
        text = status.read_text("utf-8")
        before, found, after = text.partition("\nPackage: slurm-wlm-basic-plugins\n")
        self.assertTrue(found)
        status.write_text(before + found + after.replace("Version: 24.11.5-", "Version: 24.11.6-", 1), "utf-8")
        folder = plugin_build.packages(self.instance.release, 1)
        code, said = self.in_root("dpkg", "--install", str(next(folder.glob(f"{PLUGIN}_*.deb"))))
        self.assertNotEqual(code, 0)
        self.assertIn("slurm-topology-nvl72block depends on slurm-wlm-basic-plugins (<< 24.11.6~)", said)
