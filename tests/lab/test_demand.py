# SPDX-License-Identifier: GPL-2.0-or-later
"""Small jobs leave room for the jobs that this cluster runs: what slurmctld learns of them, is told and keeps (docs/placement.md)."""

import json
import re
import time

from nvl72lab import cluster, hostlist, plugin_build
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK, Site, Stage

RACKS = (18,) * 20
NAME = "nvl72block_demand"
IN_FORCE = re.compile(r"demand for slots of nodes is (\S+); (\d+) jobs")


class Demand(LabCase):
    """Racks of 18 nodes, BlockSizes=18."""

    started = False
    needs_command = ("test_plan_keeps_the_slots_that_slurmctld_has_learned", "test_what_learn_writes_is_taken_over_once")

    def open(self, plugin=OURS, words="Nvl72Demand=auto", racks=RACKS):
        """A fresh slurmctld."""
        cluster.ask("lab-ctl", "kill")
        self.mark = len(cluster.read_log())
        self.site = Site(racks, "18", settings=(("TopologyParam", words), ("DebugFlags", "SelectType")))
        Stage().open(self.site, plugin)

    @staticmethod
    def file():
        """Where slurmctld keeps what it has learned."""
        return cluster.this_instance().state / NAME

    def log(self):
        """What slurmctld's log has gained since it was started."""
        return cluster.read_log(self.mark)

    def counts(self):
        """The demand in force after each count of the queue, and how many jobs were counted."""
        return IN_FORCE.findall(self.log())

    def counted(self, times=1):
        """Waits for so many counts more: an evaluation finds that it is time for one. The demand after the last."""
        before = len(self.counts())
        def look():
            cluster.cancel(cluster.submit("-N1", "--exclusive"))
            return len(self.counts()) >= before + times
        cluster.wait_until(look, cluster.WAIT_SECONDS, f"the queue was counted {times} times")
        return self.counts()[-1][0]

    def saved(self):
        """Waits until slurmctld has written what it knows now."""
        after = time.time()
        def look():
            self.counted()
            return self.file().exists() and self.file().stat().st_mtime > after
        cluster.wait_until(look, cluster.WAIT_SECONDS, "the demand was saved")

    def teach(self, segment):
        """Starts slurmctld with ten days' history of such segments all over the cluster: what runs meanwhile weighs nothing beside it."""
        cluster.ask("lab-ctl", "kill")
        self.file().write_text(f"{NAME.replace('_', ' ')} 1\n{int(time.time())}\n{segment} {len(self.site.racks) * segment * 864000}\nend\n", "utf-8")
        cluster.ask("lab-ctl", "start")

    def show_large_jobs(self, segment):
        """A job of such segments all over the cluster, for some seconds."""
        job = cluster.place(f"-N{len(self.site.racks) * segment}", f"--segment={segment}", "--exclusive")
        self.counted(2)
        cluster.cancel(job.id)

    def free(self):
        """Nodes of each rack that no job has."""
        taken = set(hostlist.expand(",".join(cluster.ask("squeue", "-h", "-o", "%N").split())))
        return [len(set(self.site.rack(number + 1)) - taken) for number in range(len(self.site.racks))]

    def place_small_jobs(self, count):
        """So many jobs of one node."""
        cluster.place_array(count, "-N1", "--exclusive")

    def test_small_jobs_leave_slots_for_segments_of_16(self):
        left = {}
        for plugin in (OURS, STOCK):
            self.open(plugin)
            if plugin == OURS:
                self.teach(16)
            self.place_small_jobs(40)
            left[plugin] = sum(free // 16 for free in self.free())
        self.tell(f"slots for 16 nodes that 40 jobs of one node leave in 20 racks: {left}")
        self.assertEqual(left[OURS], 20)
        self.assertLess(left[STOCK], 20)

    def test_small_jobs_crowd_where_whole_racks_are_in_demand(self):
        self.open()
        self.teach(18)
        self.place_small_jobs(40)
        self.assertLessEqual(sum(free < 18 for free in self.free()), 3)

    def test_a_job_over_racks_leaves_a_rack_for_the_next(self):
        for plugin in (OURS, STOCK):
            with self.subTest(plugin):
                cluster.ask("lab-ctl", "kill")
                Stage().open(Site(RACKS[:8], "18,36,72,144"), plugin)
                large = cluster.place("-N128", "--exclusive")
                small = cluster.place("-N16", "--exclusive")
                self.assertEqual((len(large.nodes), len(small.nodes)), (128, 16))

    def test_what_was_learned_survives_a_reconfigure_and_sigkill(self):
        self.open(racks=RACKS[:4])
        self.teach(16)
        self.saved()
        learned = self.counted()
        self.assertEqual(learned, "16:1")
        cluster.ask("scontrol", "reconfigure")
        self.assertEqual(self.counted(), learned)
        self.assertRegex(self.file().read_text("utf-8"), r"\A" + f"{NAME.replace('_', ' ')} 1\n" + r"\d+\n(1 \S+\n)?16 \S+\nend\n\Z")
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "start")
        self.assertEqual(self.counted(), learned)

    def test_a_damaged_file_is_named_and_learning_starts_anew(self):
        self.open(racks=RACKS[:4])
        self.show_large_jobs(16)
        self.saved()
        cluster.ask("lab-ctl", "stop")
        self.file().write_bytes(self.file().read_bytes()[:-3])
        cluster.ask("lab-ctl", "start")
        self.assertRegex(self.log(), f"{self.file()}: line [45]: the end is missing")
        self.assertEqual(self.counted(), "18:1")
        self.file().unlink()
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "start")
        self.assertEqual(self.counted(), "18:1")

    def test_plan_keeps_the_slots_that_slurmctld_has_learned(self):
        self.open(racks=RACKS[:4])
        self.teach(16)
        self.place_small_jobs(2)
        self.saved()
        done = cluster.run(str(plugin_build.command()), "plan", "--json", "--nodes=1")
        plan, job = json.loads(done.out), cluster.place("-N1", "--exclusive")
        self.assertEqual(hostlist.expand(plan["nodes"]), list(job.nodes), done.out)
        # Two of rack 1 are taken, and a third would cost its slot of 16: pack would take that.
        self.assertIn(job.nodes[0], self.site.rack(2))

    def learn(self, segment, *options):
        """What the accounting of a month of such segments all over the cluster gives, written where slurmctld takes it over."""
        now, nodes = int(time.time()), len(self.site.racks) * segment
        lines = [f"{day}|{now - 86400 * day - 60}|{now - 86400 * day}|{now - 86400 * (day - 1)}|{nodes}|{segment}" for day in range(1, 31)]
        accounting = cluster.this_instance().folder / "sacct.txt"
        accounting.write_text("\n".join(["JobID|Submit|Start|End|NNodes|SegmentSize", *lines, ""]), "utf-8")
        done = cluster.run(str(plugin_build.command()), "learn", str(accounting), "--json", "--output", str(self.history()), *options)
        self.assertEqual(done.code, 0, done.err)
        return json.loads(done.out)

    @staticmethod
    def history():
        """Where learn writes for slurmctld."""
        return cluster.this_instance().state / "nvl72block_history"

    def taken_over(self):
        """What slurmctld has said of that file since it was started."""
        return re.findall(rf"{self.history()} is (?:not )?taken over: .*", self.log())

    def test_what_learn_writes_is_taken_over_once(self):
        self.open(racks=RACKS[:4])
        self.assertEqual(self.counted(), "18:1")
        self.assertEqual(self.learn(16)["keeps"], "16:1")
        cluster.ask("scontrol", "reconfigure")
        self.assertEqual(self.counted(), "16:1")
        self.assertRegex(self.taken_over()[-1], r" is taken over: \d+\.\d node-days in place of \d\.\d, for slots of 16:1")
        self.place_small_jobs(2)
        # The first two filled what no slot of 16 needs of one rack: the next begins another.
        self.assertEqual(sorted(self.free()), [16, 18, 18, 18])
        self.place_small_jobs(1)
        self.assertEqual(sorted(self.free()), [16, 17, 18, 18])
        self.assertIn("16:1 (learned", cluster.run(str(plugin_build.command()), "show").out)
        self.saved()
        before = self.amount()
        for begin in (("scontrol", "reconfigure"), ("lab-ctl", "kill"), ("lab-ctl", "start")):
            cluster.ask(*begin)
        self.assertEqual(self.counted(), "16:1")
        self.saved()
        self.assertAlmostEqual(self.amount() / before, 1, delta=0.01)
        self.assertEqual(len([line for line in self.taken_over() if " is taken over" in line]), 1, self.taken_over())
        self.assertRegex(self.taken_over()[-1], " is not taken over: it has ")

    def amount(self):
        """Node-seconds for slots of 16 that are saved."""
        return float(re.search(r"(?m)^16 (\S+)$", self.file().read_text("utf-8"))[1])

    def test_a_bad_history_is_an_error_and_changes_nothing(self):
        self.open(racks=RACKS[:4])
        self.teach(16)
        self.saved()
        for text in (b"", b"\xff\x00" * 5000, b"nvl72block demand 1\n1\n16 1e999\nend\n", b"x" * 100000):
            self.history().write_bytes(text)
            cluster.ask("scontrol", "reconfigure")
            self.assertEqual(self.counted(), "16:1")
        self.assertEqual(len(re.findall(rf"error: .*the history for the demand is not taken over: {self.history()}", self.log())), 4)
        self.history().unlink()
        self.history().symlink_to("/dev/zero")
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "start")
        self.assertEqual(self.counted(), "16:1")
        self.assertRegex(self.log(), f"{self.history()}: it is a character device, not a regular file")

    def started_as_forecast(self, *options):
        """The nodes that a forecast names and the job then gets."""
        told = cluster.run("sbatch", "--test-only", *options, "--wrap=true").err
        nodes = list(cluster.place(*options).nodes)
        self.assertEqual(hostlist.expand(re.search(r"on nodes? (\S+)", told).group(1)), nodes, told)
        return nodes

    def test_a_forecast_names_the_node_that_the_job_then_gets_beside_a_node_in_use(self):
        """A forecast counted all that is offered as idle, a start what is: the two named different nodes."""
        self.open(words="Nvl72Demand=16:1", racks=RACKS[:4])
        cluster.place("-N1", "-n1", "-c1", "-pshared", f"-w{self.site.rack(4)[0]}")
        self.assertIn(self.started_as_forecast("-N1", "-n1", "-c1", "-pshared")[0], self.site.rack(4))

    def test_a_forecast_names_the_node_that_the_job_then_gets_beside_a_reservation(self):
        """The main scheduler leaves reserved nodes out of avail_node_bitmap, a forecast does not: idle was what is in both."""
        self.open(words="Nvl72Demand=16:1", racks=RACKS[:4])
        cluster.ask("scontrol", "create", "reservation", "reservationname=held", "starttime=now", "duration=600", "user=root", "flags=ignore_jobs",
                    f"nodes={','.join(self.site.rack(1)[:3])}")
        cluster.place("-N3", "--exclusive", f"-w{','.join(self.site.rack(2)[:3])}")
        # Rack 1 has 18 idle nodes, a slot of 16; rack 2 has none any more.
        self.assertLess(set(self.started_as_forecast("-N3", "--exclusive")), set(self.site.rack(2)))

    def test_a_stated_demand_is_used_as_it_is(self):
        self.open(words="Nvl72Demand=16:1")
        self.place_small_jobs(40)
        self.assertEqual(sum(free // 16 for free in self.free()), 20)
        self.assertEqual(self.counts(), [])
        self.assertFalse(self.file().exists())
        self.assertIn("Nvl72Demand=16:1", self.log())

    def test_the_log_says_what_a_placement_keeps_room_for(self):
        self.open(words="Nvl72Demand=16:0.8+4:0.2", racks=RACKS[:4])
        small, large = cluster.place("-N3", "--exclusive"), cluster.place("-N32", "--segment=16", "--exclusive")
        self.assertIn(f"JobId={small.id}: keeps room for 3 of 4 slots of 16 nodes, 15 of 16 of 4", self.log())
        self.assertIn(f"JobId={large.id}: keeps room for 1 of 3 slots of 16 nodes, 7 of 15 of 4", self.log())

    def test_a_receipt_says_what_the_placement_keeps_room_for(self):
        self.open(words="Nvl72Demand=16:0.8+4:0.2", racks=RACKS[:4])
        everything = cluster.place("-N72", "--exclusive")
        small = cluster.submit("-N3", "--exclusive")
        asked = time.time()
        cluster.wait_until(lambda: "needs 3 nodes" in cluster.comment(small) and time.time() > asked + 1.1, cluster.WAIT_SECONDS, "it had waited for a second")
        cluster.cancel(everything.id)
        cluster.wait_job(small, lambda job: job.placed, "had nodes")
        self.assertRegex(cluster.comment(small), r"^nvl72block: started in 1 base block \(1 x 3 nodes\); "
                                                 r"keeps room for 3 of 4 slots of 16 nodes, 15 of 16 of 4; waited \d+ s; last reason: needs 3 nodes; ")

    def test_without_a_demand_the_order_is_that_of_pack(self):
        self.open(words="Nvl72Demand=off", racks=RACKS[:4])
        self.place_small_jobs(20)
        self.assertEqual(sorted(self.free()), [0, 16, 18, 18])
        self.assertNotRegex(self.log(), r"error: .*Nvl72Demand")
        self.assertNotIn("keeps room", self.log())

    def test_a_demand_that_cannot_be_read_is_named_with_what_to_write(self):
        self.open(words="Nvl72Demand=sixteen", racks=RACKS[:2])
        self.assertRegex(self.log(), r"error: .*TopologyParam: Nvl72Demand=sixteen: .*auto is used; write auto, off or")
