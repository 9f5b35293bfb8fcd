# SPDX-License-Identifier: GPL-2.0-or-later
"""Backfill's bf_topopt_enable plans a job for the time at which it breaks least, as our fragmentation score tells."""

import re

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK, Site, Stage

PARAMETERS = "sched_interval=1,bf_interval=1,sched_min_interval=0,bf_topopt_enable,bf_running_job_reserve"
# The first rack has two spares: planned as four, it stays whole without them.
RACKS = (6, 4, 4, 4)
SLOT = r"JobId={}\b.* add slot:\d+ .*job_score:(\d+)"
CHOSEN = r"JobId={}\b.* use:(\d+) start_time"


class Topopt(LabCase):
    """All racks busy; the one with the spares is the last to become free."""

    started = False

    def occupy(self, nodes, minutes):
        """A job on these nodes that ends within a minute: backfill plans by minutes, and takes the nodes of a job that
        ends with one to be in use at that time still."""
        while True:
            number = cluster.place(f"-N{len(nodes)}", "-w", ",".join(nodes), f"-t{minutes}").id
            if not cluster.ask("squeue", "-h", "-j", str(number), "-o", "%e").strip().endswith(":00"):
                return
            cluster.cancel(number)

    def plan(self, plugin, sizes="4,8,16", score="stock"):
        """Scores of the times that backfill looks at for two nodes, and the position of the time that it plans."""
        settings = (("SchedulerParameters", PARAMETERS), ("DebugFlags", "Backfill"),
                    ("TopologyParam", f"Nvl72Policy=pack,Nvl72Fragmentation={score}"))
        cluster.ask("lab-ctl", "kill")  # whose log would go on
        mark = len(cluster.read_log())
        Stage().open(Site(RACKS, sizes, settings=settings), plugin)
        for minutes, rack in ((10, 2), (20, 3), (30, 4), (40, 1)):
            self.occupy(Site(RACKS).rack(rack), minutes)
        number = cluster.submit("-N2", "-t5")
        def look():
            text = cluster.read_log(mark)
            chosen = re.search(CHOSEN.format(number), text)
            return chosen and (re.findall(SLOT.format(number), text[:chosen.start()]), int(chosen[1]))
        slots, chosen = cluster.wait_until(look, cluster.WAIT_SECONDS, "backfill had planned the job")
        return [int(score) for score in slots], chosen

    def test_the_spares_are_worth_the_wait(self):
        # Two nodes of r2 break a block of 4, of 8 and of 16; the spares of r1, the last to become free, break none.
        self.assertEqual(self.plan(OURS), ([30, 30, 30, 2], 3))
        # Stock has the same score, but would break a rack at that time too, so that there is nothing to wait for.
        self.assertEqual(self.plan(STOCK), ([30, 30, 30, 30], 0))

    def test_usable_sizes_count_when_asked_for(self):
        self.assertEqual(self.plan(OURS, score="usable"), ([30, 30, 30, 0], 3))
        # Planned as six, r2 to r4 were never whole: that counts in stock's score and not in usable sizes.
        self.assertEqual(self.plan(OURS, "6"), ([20, 20, 20, 20], 0))
        self.assertEqual(self.plan(OURS, "6", "usable"), ([2, 2, 2, 2], 0))
