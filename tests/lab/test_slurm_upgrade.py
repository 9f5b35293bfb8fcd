# SPDX-License-Identifier: GPL-2.0-or-later
"""An upgrade of Slurm with jobs running and waiting: the older slurmctld ends, that of this run starts with its saved state.

NVL72BLOCK_OLDER_SLURM is PREFIX:SOURCE of an older installed Slurm from which Slurm allows the upgrade.
"""

import os
import re
from pathlib import Path

from nvl72lab import cluster, plugin_build, slurm_release
from nvl72lab.instance import copy_plugin
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK

OLDER = os.environ.get("NVL72BLOCK_OLDER_SLURM")
LEARNED = "nvl72block_demand"


class SlurmUpgrade(LabCase):
    """Eight racks of 18 in pairs, fours and one eight."""

    config = "eight-by-18"
    for_release = True
    started = False

    @classmethod
    def unfit(cls, name, release):
        if release.root:
            return "the Slurm of this run is not given by --slurm-prefix"
        return "" if OLDER else "NVL72BLOCK_OLDER_SLURM names no installed Slurm"

    def start(self, release, plugin):
        """Starts a release's slurmctld, and makes its clients and its plugin those of the instance."""
        instance = cluster.this_instance()
        for link in instance.bin.iterdir():
            if link.is_symlink():
                link.unlink()
        release.write_wrappers(instance.bin)
        instance.save_release(release)
        copy_plugin(instance, plugin_build.ensure(release))
        text = instance.slurm_conf.read_text("utf-8")
        instance.slurm_conf.write_text(re.sub(r"(?m)^PluginDir=.*$", f"PluginDir={instance.plugins}:{release.plugins}", text), "utf-8")
        cluster.use_plugin(plugin)
        cluster.ask("lab-ctl", "start")

    def upgrade(self, end, before):
        """All that is known of a queue under the older Slurm holds under the newer one."""
        newer = cluster.this_instance().release
        older = slurm_release.find(*OLDER.split(":"))
        self.start(older, before)
        running = [cluster.place(*request.split()) for request in
                   ("-N32 --segment=16", "-N18 --exclusive=topo", "-N5", "-n3 --gres=gpu:2")]
        waiting = cluster.submit("-N144", "--segment=18")
        held = cluster.submit("--hold", "-N16")
        cluster.wait_saved(held)
        cluster.ask("lab-ctl", end)
        mark = len(cluster.read_log())
        self.start(newer, OURS)
        for job in running:
            self.assertEqual(cluster.job(job.id).nodes, job.nodes, job)
        self.assertFalse(cluster.job(waiting).placed)
        self.assertFalse(cluster.job(held).placed)
        cluster.ask("scancel", *(str(job.id) for job in running))
        self.assert_spread(cluster.wait_job(waiting, lambda job: job.placed, "had nodes"), [18] * 8)
        cluster.ask("scancel", str(waiting))
        cluster.ask("scontrol", "release", str(held))
        self.block_of(cluster.wait_job(held, lambda job: job.placed, "had nodes"))
        self.assert_no_errors(mark)
        self.tell(f"{older.version} with {before}, {end}: {newer.version}")

    def test_in_order(self):
        self.upgrade("stop", OURS)
        self.assertTrue((Path(cluster.this_instance().state) / LEARNED).exists())

    def test_after_sigkill(self):
        self.upgrade("kill", OURS)

    def test_from_topology_block(self):
        self.upgrade("stop", STOCK)
