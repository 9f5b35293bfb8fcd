# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of README's section "Install" and of the how-to pages, run as written on a machine that looks like a
controller: /etc/slurm, Slurm's log and plugin directory are where the pages say. nvl72lab/doc_commands.py lists what is
not run, and why."""

import re
import subprocess
from pathlib import Path

from nvl72lab import cluster, doc_commands, namespace, plugin_build, root_copy
from nvl72lab.lab_case import LabCase

SYSTEMCTL = """#!/bin/sh
# Instead of systemd: ends the lab's slurmctld in order, and starts it. The nodes are simulated.
case "$*" in
    "restart slurmctld") lab-ctl stop && lab-ctl start ;;
    "restart slurmd") ;;
    *) exit 1 ;;
esac
"""
UUID = "b78ed242-7b98-426f-b194-b76b8899f4{:02x}"

RACKS = "- topology: default\n  cluster_default: true\n  block:\n    block_sizes:\n      - 18\n    blocks:\n" + "".join(
    f"      - block: rack{rack + 1}\n        nodes: node[{18 * rack:03}-{18 * rack + 17:03}]\n" for rack in range(6))


class DocCommands(LabCase):
    """A slurmctld with topology/block; the plugin is installed on the way."""

    options = ("--plugin", "block")
    for_release = True
    needs_command = ("test_pages",)
    needs_packages = ("test_pages",)  # their build is configured for Debian's PluginDir

    @classmethod
    def unfit(cls, name, release):
        return "" if release.root else "Debian's Slurm in the private root is needed"

    def setUp(self):
        self.instance = cluster.this_instance()
        self.root = root_copy.start(self.instance)
        self.make_controller()

    def make_controller(self):
        """The paths of the pages, in this instance's mounts only."""
        for folder in ("etc", "var", "usr"):
            root_copy.overlay(f"/{folder}", f"host-{folder}", f"/{folder}")
        namespace.bind(self.instance.conf, "/etc/slurm")
        namespace.bind(self.instance.log, "/var/log/slurm")
        plugins = self.instance.release.plugins
        namespace.bind(f"{self.root}{plugins}", str(plugins))
        for name, text in (("systemctl", SYSTEMCTL), ("nvl72block", f'#!/bin/sh\nexec {plugin_build.command()} "$@"\n')):
            path = self.instance.bin / name
            path.write_text(text, "utf-8")
            path.chmod(0o755)

    def give_cliques_and_jobs(self):
        """What a cluster has that the pages are read for: features in slurm.conf, a drained node, jobs."""
        path = cluster.configuration() / "slurm.conf"
        line = re.search(r"(?m)^NodeName=\S+ (.*)$", path.read_text("utf-8"))
        racks = [f"NodeName=node[{18 * rack:03}-{18 * rack + 17:03}] {line[1]} Feature={UUID.format(rack)}.32766" for rack in range(6)]
        path.write_text(path.read_text("utf-8").replace(line[0], "\n".join(racks)), "utf-8")
        cluster.ask("lab-ctl", "restart")
        cluster.ask("scontrol", "update", "nodename=node107", "state=drain", "reason=test")
        return [cluster.place("-N16", "--segment=16"), cluster.place("-N4")]

    def run_as_written(self, command, folder):
        """Runs one command; what is wrong, or None."""
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command.text], cwd=folder, capture_output=True, text=True,
                              check=False, stdin=subprocess.DEVNULL)
        status, output = command.expected
        if done.returncode == status and re.search(output, done.stdout, re.M):
            return None
        return f"{command.page}:{command.line}: {command.text}\n  ended with {done.returncode}: {done.stdout[-600:]}{done.stderr[-600:]}"

    def test_pages(self):
        jobs = self.give_cliques_and_jobs()
        folder = Path(self.instance.folder) / "work"
        folder.mkdir()
        (folder / "build").mkdir()
        (folder / "build/install").symlink_to(plugin_build.ensure(self.instance.release, as_it_is=True))
        (folder / "topology.yaml").write_text(RACKS, "utf-8")  # the changed file of the pages
        wrong, count, reasons = [], 0, {}
        for command in doc_commands.commands():
            if command.reason:
                reasons.setdefault(command.reason, []).append(command.text.split()[0])
                continue
            count += 1
            wrong += filter(None, [self.run_as_written(command, folder)])
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertGreater(count, 25)
        self.assertEqual(set(reasons), {reason for _, reason in doc_commands.NOT_RUN}, "reasons without a command")
        self.tell(f"{count} commands run as written, {sum(map(len, reasons.values()))} not")
        for job in jobs:
            self.assertEqual(cluster.job(job.id).nodes, job.nodes, "running jobs continue")
        self.assertIn("topology/block\n", cluster.ask("scontrol", "show", "config"), "rolled back")
