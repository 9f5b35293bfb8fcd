# SPDX-License-Identifier: GPL-2.0-or-later
"""From stock to ours and back with jobs, by the TopologyPlugin line and by PluginDir; a missing or foreign file."""

import re

from nvl72lab import cluster, hostlist
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK
from nvl72lab.scenario_switch import jobs, make_foreign, plugins, search_own_plugins, start_fails

LOST = re.compile(r"(?i)error:.*(job state|unpack|incomplete|requeue|topo_?info|job_?info)|could not recover|Requeuing")
# Stock plans the least of a range, we the most.
RANGE, STOCK_TAKES, OURS_TAKE = "-N4-8", 4, 8


class SwitchCase(LabCase):
    """What both ways of switching share."""

    def submit_jobs(self):
        """Jobs of each kind; the last one waits."""
        for options in (("-N32", "--segment=16"), ("-N4", "--exclusive=topo"), ("-N6", "--gpus-per-node=4"),
                        ("-N4", "--segment=2", "-x", "node000"), ("-N2", "--array=0-1")):
            number = cluster.submit(*options)
            cluster.wait_job(number, lambda job: job.placed, "had nodes")
        waiting = cluster.submit("-N108", "--segment=18")
        self.assertTrue(cluster.stays_pending(waiting))

    def restart(self, change):
        """Stops slurmctld, changes something, starts it; all that it shows must be as before."""
        shown, before = cluster.ask("scontrol", "show", "topology"), jobs()
        cluster.ask("lab-ctl", "stop")
        change()
        mark = len(cluster.log().read_text("utf-8", "replace"))
        cluster.ask("lab-ctl", "start")
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), shown)
        self.assertEqual(jobs(), before)
        gained = cluster.log().read_text("utf-8", "replace")[mark:]
        self.assertEqual([line for line in gained.splitlines() if LOST.search(line)], [])

    def place_next(self, count):
        """The plugin in force places jobs, and is the one that it should be."""
        taken = {node for job in jobs().values() if job["JobState"] != "CANCELLED"
                 for node in hostlist.expand(job["NodeList"])}
        job = cluster.place(RANGE)
        self.assert_spread(job, [count])
        self.assertFalse(set(job.nodes) & taken)
        cluster.cancel(job.id)


class ByName(SwitchCase):
    """TopologyPlugin=topology/block to topology/nvl72block and back."""

    def test_stock_ours_stock(self):
        cluster.restart_with(STOCK)
        self.submit_jobs()
        self.place_next(STOCK_TAKES)
        self.restart(lambda: cluster.use_plugin(OURS))
        self.place_next(OURS_TAKE)
        self.assert_spread(cluster.place("-N4", "--segment=4"), [4])
        self.restart(lambda: cluster.use_plugin(STOCK))
        self.place_next(STOCK_TAKES)

    def test_without_the_file_clients_work_and_slurmctld_refuses(self):
        self.submit_jobs()
        plugin, away = plugins() / "topology_nvl72block.so", plugins() / "away"
        plugin.rename(away)
        before = jobs()
        cluster.cancel(cluster.submit("-N1", "--hold"))
        self.assertIn("node", cluster.ask("squeue", "-h"))
        self.assertIn("main", cluster.ask("sinfo", "-h"))
        self.assertIn("108", cluster.ask("scontrol", "show", "partition", "main"))
        # Only what needs the plugin fails, and says why; slurmctld does not notice.
        answer = cluster.run("scontrol", "show", "topology")
        self.assertRegex(answer.err, "topology plugin 103 not active|annot .* topology")
        self.assertNotIn("BlockName", answer.out)
        self.assert_spread(cluster.place("-N1"), [1])
        cluster.ask("lab-ctl", "stop")
        self.assertRegex(start_fails() or "it started", "topology/nvl72block")
        away.rename(plugin)
        cluster.ask("lab-ctl", "start")
        self.assertEqual({key: job for key, job in jobs().items() if key in before}, before)

    def test_file_of_another_release_is_refused(self):
        self.submit_jobs()
        before = jobs()
        plugin, away = plugins() / "topology_nvl72block.so", plugins() / "away"
        plugin.rename(away)
        make_foreign(plugin, OURS)
        cluster.ask("lab-ctl", "stop")
        self.assertRegex(start_fails() or "it started", "(?s)Incompatible Slurm plugin.*fatal")
        away.replace(plugin)
        cluster.ask("lab-ctl", "start")
        self.assertEqual(jobs(), before)


class ByPluginDir(SwitchCase):
    """The drop-in, found before stock's file or not."""

    options = ("--dropin",)

    def test_stock_dropin_stock(self):
        cluster.ask("lab-ctl", "stop")
        search_own_plugins(False)
        cluster.ask("lab-ctl", "start")
        self.submit_jobs()
        self.place_next(STOCK_TAKES)
        self.restart(lambda: search_own_plugins(True))
        self.place_next(OURS_TAKE)
        self.restart(lambda: search_own_plugins(False))
        self.place_next(STOCK_TAKES)

    def test_dropin_of_another_release_gives_way_to_stock(self):
        self.submit_jobs()
        self.place_next(OURS_TAKE)
        self.restart(lambda: make_foreign(plugins() / "topology_block.so", STOCK))
        self.assertIn("Incompatible Slurm plugin", cluster.log().read_text("utf-8", "replace"))
        self.place_next(STOCK_TAKES)
