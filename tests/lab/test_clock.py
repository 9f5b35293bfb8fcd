# SPDX-License-Identifier: GPL-2.0-or-later
"""The time of day is set back and forth under a running slurmctld: sentences, what was learned and placements go on."""

import os
import re
import time

from nvl72lab import cluster, sanitizer
from nvl72lab.lab_case import LabCase
from nvl72lab.places import LabError

LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
DAY = 86400
LEARNED = "nvl72block_demand"


class Clock(LabCase):
    """Six racks of 18; daemons and clients see the time of day that the test sets."""

    config = "crusoe-6x18"
    started = False

    @classmethod
    def unfit(cls, name, release):
        if sanitizer.chosen() in sanitizer.KINDS:
            return "not with a sanitizer: slurmctld hangs with its library and libfaketime's"
        return super().unfit(name, release) or ("" if os.path.exists(LIBRARY) else "libfaketime is not installed")

    def setUp(self):
        self.instance = cluster.this_instance()
        self.offset = self.instance.folder / "clock"
        self.set_clock(0)
        changes = {"LD_PRELOAD": LIBRARY, "FAKETIME_TIMESTAMP_FILE": str(self.offset), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.update(changes)
        cluster.ask("lab-ctl", "start")

    def set_clock(self, seconds):
        """Daemons and clients see the time of day so many seconds later."""
        new = self.offset.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n", "ascii")
        new.rename(self.offset)

    def check_time(self, seconds):
        """slurmctld sees the time that was set."""
        shown = cluster.ask("scontrol", "show", "config").splitlines()[0]
        seen = time.mktime(time.strptime(re.search(r"as of (\S+)", shown)[1], "%Y-%m-%dT%H:%M:%S"))
        self.assertLess(abs(seen - time.time() - seconds), 60, shown)

    def wait_sentence(self, number, words):
        """Waits until the job's sentence has the words."""
        try:
            cluster.wait_until(lambda: words in cluster.comment(number), cluster.WAIT_SECONDS, f"the sentence said {words!r}")
        except LabError as error:
            raise LabError(f"{error}: {cluster.comment(number)}") from error

    @staticmethod
    def drain(nodes):
        """These nodes are drained, too."""
        cluster.ask("scontrol", "update", f"nodename={','.join(nodes)}", "state=drain", "reason=test")

    def learned(self):
        """Node-seconds by size of slot, as last saved."""
        lines = (self.instance.state / LEARNED).read_text("ascii").splitlines()[2:-1]
        return {int(size): float(amount) for size, amount in (line.split() for line in lines if " " in line)}

    def wait_saved(self):
        """Waits until slurmctld has saved what it has learned by now."""
        path = self.instance.state / LEARNED
        after = time.time()
        def look():
            cluster.cancel(cluster.submit("-N1", "--exclusive"))
            return path.exists() and path.stat().st_mtime > after
        cluster.wait_until(look, cluster.WAIT_SECONDS, "the demand was saved")

    def goes_on(self, jump):
        """What is told and learned before the clock jumps, and after."""
        racks = cluster.blocks()
        self.drain(last := [nodes[-1] for nodes in racks.values()])
        running = cluster.place("-N16", "--segment=16", "--exclusive")
        waiting = cluster.submit("-N36", "--segment=18", "--exclusive")
        self.wait_sentence(waiting, "; 86 nodes are usable, 6 drained")
        self.wait_saved()
        before = self.learned()
        self.set_clock(jump)
        self.check_time(jump)
        self.wait_saved()
        if jump < 0:
            # Slurm itself tries no job before the time at which it was submitted.
            self.set_clock(0)
        self.drain(more := [nodes[1] for name, nodes in racks.items() if name != self.block_of(running)])
        self.wait_sentence(waiting, "; 81 nodes are usable, 11 drained")
        self.wait_saved()
        for size, amount in before.items():
            self.assertGreater(self.learned().get(size, 0), 0.98 * amount, (before, self.learned()))
        cluster.ask("scontrol", "update", f"nodename={','.join(last + more)}", "state=resume")
        placed = cluster.wait_job(waiting, lambda job: job.placed, "had nodes")
        self.assert_spread(placed, [18, 18])
        self.assertEqual(cluster.job(running.id).nodes, running.nodes)
        self.assert_no_errors()

    def test_set_back_by_a_day(self):
        self.goes_on(-DAY)

    def test_set_forth_by_a_year(self):
        self.goes_on(365 * DAY)
