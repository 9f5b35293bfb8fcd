# SPDX-License-Identifier: GPL-2.0-or-later
"""Why a job waits, in its system_comment."""

import re
import subprocess
import time
from pathlib import Path

from nvl72lab import accounting, answers, cluster, plugin_build
from nvl72lab.daemons import wait_until
from nvl72lab.duties import drain
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT
from test_cliques import clique, configure, whole_racks

RACK = ("-N18", "--segment=18")
# One tray out of service in each rack.
HOLES = "node[000,018,036,054,072,090]"
NO_RACK = "nvl72block: needs 18 nodes in one block of 18; the best block has 17; 102 nodes are usable, 6 drained"
QUIET_SECONDS = 30
LASTING_SECONDS = 30  # three of the main scheduler's cycles, but not less than this: a cycle takes a second here


STARTS = "; starts "
SUGGESTED = f"{STARTS}with "
WITHOUT_EXCLUSIVE = "without --exclusive=topo"
SEGMENTS = r"; segments of \d+"
KEPT = r"(?:; keeps room for [^;]*)?"  # in a receipt; test_demand has what it says


def comment(number):
    """The same without suggestions, and without the segments that it names where clients do not show them."""
    return re.sub(SEGMENTS, "", cluster.comment(number).partition(STARTS)[0])


def wait_comment(number, pattern, seconds=cluster.WAIT_SECONDS):
    """The job's comment once the whole of it looks like that."""
    seen = []

    def look():
        seen[:] = [comment(number)]
        return re.fullmatch(pattern, seen[0])
    try:
        wait_until(look, seconds, f"job {number} said {pattern}")
        return seen[0]
    except cluster.LabError as error:
        raise cluster.LabError(f"{error}: {seen[0]!r}, {cluster.job(number)}") from error


def resume(nodes):
    """These nodes are in service again."""
    cluster.ask("scontrol", "update", f"nodename={nodes}", "state=resume")


def backfill_passes(number):
    """Returns when the backfill scheduler has run twice; it runs only where something of a job has changed."""
    def cycles():
        return int(re.search(r"Backfilling stats.*?Total cycles: (\d+)", cluster.ask("sdiag"), re.S)[1])

    def look():
        cluster.ask("scontrol", "update", f"jobid={number}", f"comment={time.time()}")
        return cycles() >= before + 2
    before = cycles()
    wait_until(look, cluster.WAIT_SECONDS, "the backfill scheduler had run twice")


def load_foreign_comment():
    """Starts slurmctld with the site's plugin of nvl72lab/foreign_comment.c."""
    instance = cluster.this_instance()
    release = instance.release
    source = Path(f"{release.root or ''}{release.source}")
    generated = next(plugin_build.PLUGIN_BUILDS.glob(f"{release.version}*/plugin/slurm-{release.version}"))
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-std=gnu11", "-DHAVE_CONFIG_H", "-D_GNU_SOURCE", f"-I{generated}",
                    f"-I{source}", "-o", instance.plugins / "job_submit_foreign_comment.so",
                    Path(plugin_build.__file__).parent / "foreign_comment.c"], check=True)
    with open(cluster.configuration() / "slurm.conf", "a", encoding="utf-8") as conf:
        conf.write("JobSubmitPlugins=foreign_comment\n")
    cluster.ask("lab-ctl", "restart")


def wait_in_vain(*request):
    """A job that waits for a whole rack, each of which lacks a tray."""
    drain(HOLES)()
    number = cluster.submit(*(request or RACK))
    wait_comment(number, re.escape(NO_RACK))
    return number


class Explain(LabCase):
    """Six racks of 18 that jobs get whole nodes of."""

    lengthy = ("test_a_sentence_lasts_for_three_cycles_of_the_main_scheduler", "test_a_sentence_that_nobody_confirms_goes",
               "test_new_numbers_wait_half_a_minute_and_a_new_reason_does_not")

    def test_squeue_and_scontrol_show_the_sentence(self):
        number = wait_in_vain()
        self.assertRegex(cluster.ask("scontrol", "show", "job", str(number)), f"SystemComment={re.escape(NO_RACK)}(?:{SEGMENTS})?{SUGGESTED}--segment=9 ?\n")
        shown = cluster.run("squeue", "--json", "-j", str(number))
        if shown.code == 0 and shown.out:
            self.assertIn(NO_RACK, shown.out)
        cluster.scheduler_pass()
        backfill_passes(number)
        self.assertEqual(comment(number), NO_RACK)

    def test_a_start_leaves_a_receipt(self):
        number = wait_in_vain()
        time.sleep(1.1)  # one that waited for less than a second has no receipt
        resume("node[000,018]")
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        said = comment(number)
        self.assertRegex(said, rf"^nvl72block: started in 1 base block \(1 x 18 nodes\){KEPT}; waited \d+ s; last reason: " +
                         re.escape(NO_RACK.partition(": ")[2]) + "$")
        cluster.wait_saved(number)
        cluster.ask("lab-ctl", "restart")
        self.assertEqual(comment(number), said)

    def test_a_receipt_tells_segments_and_their_racks(self):
        cluster.place("-N102", "-x", HOLES)  # the six that are left lie in six racks
        number = cluster.submit("-N8", "--segment=2")
        wait_comment(number, "nvl72block: needs 8 nodes; 6 are free")
        time.sleep(1.1)
        cluster.cancel(number - 1)
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertRegex(comment(number), rf"^nvl72block: started in \d base blocks? \([^;]*\), 4 segments of 2{KEPT}; waited \d+ "
                         r"(s|min); last reason: needs 8 nodes; 6 are free$")

    def test_a_job_that_starts_at_once_has_no_comment(self):
        self.assertEqual(comment(cluster.place(*RACK).id), "")

    def test_new_numbers_wait_half_a_minute_and_a_new_reason_does_not(self):
        drain(HOLES)()
        begin = time.monotonic()
        number = cluster.submit("-N36", "--segment=18")
        wait_comment(number, r"nvl72block: needs 2 segments of 18 nodes; none fits .* 102 nodes are usable, 6 drained")
        resume("node000")
        wait_comment(number, r"nvl72block: needs 2 segments of 18 nodes; only 1 fits .* 103 nodes are usable, 5 drained")
        self.assertGreater(time.monotonic() - begin, QUIET_SECONDS - 1)  # slurmctld counts whole ones
        cluster.cancel(number)
        for _ in range(5):
            begin = time.monotonic()
            number = cluster.submit("-N36", "--segment=18")
            wait_comment(number, r"nvl72block: needs 2 segments of 18 nodes; only 1 fits .*")
            other = cluster.submit("--nice=-1000", "-N80")
            cluster.wait_job(other, lambda job: job.placed, "had nodes")
            wait_comment(number, "nvl72block: needs 36 nodes; 23 are free, 5 drained")
            # On a machine that is too slow for this, new numbers would have come, too.
            if time.monotonic() - begin < QUIET_SECONDS:
                return
            cluster.cancel(number, other)
        self.fail("a new reason waited as new numbers do")

    def test_too_few_free_nodes_are_told_although_no_plugin_is_asked(self):
        cluster.place("-N100")
        number = cluster.submit(*RACK)
        wait_comment(number, "nvl72block: needs 18 nodes; 8 are free")

    def test_a_job_that_waits_for_fewer_blocks(self):
        """Its nodes are there, but in more base blocks than --switches names. It had no sentence."""
        drain(HOLES)()
        number = cluster.submit("-N18", "--segment=2", "--switches=1@10:00")  # max_switch_wait is five minutes
        told = "nvl72block: waits up to 5 min for at most 1 base block (--switches); what it could get now takes 2"
        wait_comment(number, re.escape(told))
        cluster.scheduler_pass()
        backfill_passes(number)
        self.assertEqual(comment(number), told)
        resume("node[000,018]")
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertRegex(comment(number), "^nvl72block: started in 1 base block .*; last reason: waits up to 5 min for at most 1 base block")

    def test_a_job_of_a_counted_feature_waits_for_fewer_blocks(self):
        """Backfill finds the feature's nodes and then the others, each in one base block, and starts the job on these alone: among them
        was no base block for all, so that the job began in two at once (25.05.8, seed 7001)."""
        drain(HOLES)()
        cluster.ask("scontrol", "update", "nodename=node[000-107]", "availablefeatures=big", "activefeatures=big")
        number = cluster.submit("-N18", "--segment=2", "--switches=1@10:00", "-C", "big*2")
        backfill_passes(number)
        self.assertTrue(cluster.stays_pending(number))

    def test_what_backfill_plans_is_not_told(self):
        """Backfill tests starts after the end of running jobs: those numbers of usable nodes are no sentence."""
        busy = [cluster.place("-t", "30", *RACK) for _ in range(5)]
        idle = {f"node{number:03}" for number in range(108)} - {node for job in busy for node in job.nodes}
        drain(min(idle))()
        first = cluster.submit("-t", "10", *RACK)
        second = cluster.submit("-t", "10", "-N36", "--segment=18")
        for _ in range(3):
            backfill_passes(second)
            self.assertEqual(comment(first), "nvl72block: needs 18 nodes; 17 are free, 1 drained")
            self.assertIn(comment(second), ("", "nvl72block: needs 36 nodes; 17 are free, 1 drained"))

    def test_backfill_tells_the_jobs_behind_another_one(self):
        """The main scheduler evaluates only the first job that waits; the others get the numbers of backfill's tests."""
        for rack in range(6):
            cluster.place("-N1", "-w", f"node{rack * 18:03}")
        first, second = cluster.submit(*RACK), cluster.submit(*RACK)
        told = NO_RACK.removesuffix(", 6 drained")
        for number in (first, second):
            wait_comment(number, re.escape(told))
        cluster.wait_job(second, lambda job: job.reason == "Priority", "stood behind the first one")
        cluster.ask("scontrol", "update", "nodename=node001", "state=drain", "reason=test")
        for number in (second, first):
            wait_comment(number, r"nvl72block: needs 18 nodes in one block of 18; the best block has 17; 101 nodes are usable, 1 drained")

    def test_nodes_kept_for_jobs_of_higher_priority(self):
        """90 nodes are free, but none for a job that would not have ended when the first one is planned."""
        cluster.place("-t30", "-N18")
        first = cluster.submit("-t10", "-N108", "--priority=2000000")
        wait_comment(first, "nvl72block: needs 108 nodes; 90 are free")
        second = cluster.submit("-t60", "-N18", "--priority=1000000")
        wait_comment(second, "nvl72block: needs 18 nodes; 90 are free, but too few beside those kept for other jobs or reservations")
        cluster.cancel(first)
        cluster.wait_job(second, lambda job: job.placed, "had nodes")

    def test_a_sentence_lasts_for_three_cycles_of_the_main_scheduler(self):
        """Where these are rare, the first job's sentence went before the main scheduler could confirm it."""
        conf = cluster.configuration() / "slurm.conf"
        conf.write_text(conf.read_text("utf-8").replace("sched_interval=1,", "sched_interval=100,"), "utf-8")
        cluster.ask("lab-ctl", "restart")
        number = wait_in_vain()
        end = time.monotonic() + LASTING_SECONDS + 10
        while time.monotonic() < end:
            backfill_passes(number)
            self.assertEqual(comment(number), NO_RACK)

    def test_nodes_kept_for_others_are_not_called_drained(self):
        """Slurm takes reserved nodes, and those of a partition in which a job waits, out of the available ones."""
        with open(cluster.configuration() / "slurm.conf", "a", encoding="utf-8") as conf:
            conf.write("PartitionName=front Nodes=node[000-035] OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP\n")
        cluster.ask("lab-ctl", "reconfigure")
        for rack in range(6):
            cluster.place("-N1", "-w", f"node{rack * 18:03}")
        drain("node037")()
        first = [cluster.submit("-p", "front", *RACK) for _ in range(2)]
        number = cluster.submit("--hold", *RACK)
        cluster.ask("scontrol", "release", str(number))
        told = NO_RACK.replace("102", "{}").replace("6 drained", "1 drained")
        wait_comment(number, re.escape(told.format(67)), 2 * QUIET_SECONDS)
        cluster.cancel(*first, number)
        cluster.ask("scontrol", "create", "reservation", "reservationname=others", "users=daemon", "starttime=now",
                    "duration=infinite", "nodes=node[019-035]")
        number = cluster.submit(*RACK)
        wait_comment(number, re.escape(told.format(84)))
        number = cluster.submit("--nice=-1000", "-N90")
        wait_comment(number, "nvl72block: needs 90 nodes; 84 are free, 17 kept for other jobs or reservations, 1 drained")

    def test_a_job_for_later_has_no_comment(self):
        """Slurm tests at submission whether it could run: on an idle cluster that looks like a start."""
        number = cluster.submit("--begin=now+1hour", *RACK)
        cluster.tried(cluster.submit(*RACK))
        self.assertEqual(comment(number), "")

    def test_a_forecast_writes_nothing(self):
        number = wait_in_vain()
        later = cluster.submit("--begin=now+1hour", "-N2")
        cluster.run("sbatch", "--test-only", "-N36", "--segment=18", "--wrap", "true")
        self.assertEqual(comment(number), NO_RACK)
        self.assertEqual(comment(later), "")

    def test_tasks_of_an_array(self):
        number = wait_in_vain("--array=0-2", *RACK)
        time.sleep(1.1)
        resume("node[000,018]")
        cluster.wait_job(f"{number}_1", lambda job: job.placed, "had nodes")
        for task in (0, 1):
            self.assertRegex(comment(f"{number}_{task}"), rf"^nvl72block: started in 1 base block \(1 x 18 nodes\){KEPT}; waited ")
        # The third one has not started: its comment is no receipt.
        wait_comment(f"{number}_2", "nvl72block: needs 18 nodes.*, 4 drained")

    def test_components_of_a_heterogeneous_job_have_no_comment(self):
        drain(HOLES)()
        number = cluster.submit(*RACK, ":", *RACK)
        backfill_passes(number)
        self.assertEqual((comment(number), comment(f"{number}+1")), ("", ""))
        resume(HOLES)
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertEqual(comment(number), "")

    def test_a_requeued_job_tells_again_why_it_waits(self):
        number = wait_in_vain()
        time.sleep(1.1)
        resume("node000")
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertIn("started", comment(number))
        cluster.ask("scontrol", "requeue", str(number))
        cluster.wait_job(number, lambda job: job.state == "PENDING", "was requeued")
        drain("node000")()
        cluster.run("scontrol", "update", f"jobid={number}", "starttime=now")
        wait_comment(number, re.escape(NO_RACK))

    def test_a_requeued_job_behind_another_one_keeps_no_receipt(self):
        """Only backfill evaluates it: the receipt of the run before stayed, although the job waits. It tells why it waits now."""
        holes = [cluster.place("-N1", "-w", f"node{rack * 18:03}").id for rack in range(6)]
        number = cluster.submit(*RACK)
        wait_comment(number, re.escape(NO_RACK.removesuffix(", 6 drained")))
        time.sleep(1.1)
        cluster.cancel(holes[0])
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertIn("started", comment(number))
        first = cluster.submit("--nice=-1000", "-N36", "--segment=18")
        cluster.tried(first)
        cluster.ask("scontrol", "requeue", str(number))
        cluster.wait_job(number, lambda job: job.state == "PENDING", "was requeued")
        cluster.place("--nice=-2000", "-N1", "-w", "node000")
        cluster.run("scontrol", "update", f"jobid={number}", "starttime=now")
        cluster.wait_job(number, lambda job: job.reason == "Priority", "stood behind the other one")
        wait_comment(number, "nvl72block: needs 18 nodes in one block of 18; the best block has 17; 102 nodes are usable")

    def test_sigkill_and_restart(self):
        number = wait_in_vain()
        cluster.wait_saved(number)
        cluster.ask("lab-ctl", "restart")
        wait_comment(number, re.escape(NO_RACK))
        time.sleep(1.1)
        resume("node000")
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertIn("nvl72block: started in 1 base block", comment(number))

    def test_a_comment_of_somebody_else_stays(self):
        load_foreign_comment()
        drain(HOLES)()
        number = cluster.submit("--hold", *RACK)
        cluster.ask("scontrol", "update", f"jobid={number}", "comment=nvl72 is not ours")
        cluster.ask("scontrol", "release", str(number))
        ours = cluster.submit(*RACK)
        wait_comment(ours, re.escape(NO_RACK))
        self.assertEqual(comment(number), "nvl72 is not ours")
        cluster.ask("scontrol", "update", f"jobid={ours}", "comment=later it is neither")
        cluster.scheduler_pass()
        time.sleep(1.1)
        resume("node[000,018]")
        for job in (number, ours):
            cluster.wait_job(job, lambda job: job.placed, "had nodes")
        self.assertEqual((comment(number), comment(ours)), ("nvl72 is not ours", "later it is neither"))

    def test_nodes_without_a_clique_are_not_free(self):
        """Enforced cliques: four swapped trays counted as free where Slurm does not ask, and as not usable where it does."""
        groups = whole_racks()
        one, two = groups[clique(0)], groups[clique(1)]
        groups[clique(0)], groups[clique(1)] = one[:16] + two[16:], two[:16] + one[16:]
        configure("Nvl72Clique=enforce", groups)
        drain("node[054-058]")()
        number = cluster.submit("-N104")
        wait_comment(number, "nvl72block: needs 104 nodes; 99 are free, 5 drained; NVLink cliques are enforced: at most 18 usable in one "
                             "clique, 4 more not usable because they are in none of their block's cliques")

    def test_off_writes_nothing_and_removes_what_was_written(self):
        number = wait_in_vain()
        cluster.wait_saved(number)
        configure("Nvl72Explain=off", {})
        second = cluster.submit("-N108")
        wait_comment(number, "")
        self.assertEqual(cluster.tried(second).state, "PENDING")
        self.assertEqual((comment(number), comment(second)), ("", ""))


class Suggestions(LabCase):
    """What the plugin says would start does start."""

    def carry_out(self, *options):
        """Follows each suggestion for a job that waits; returns them."""
        number = cluster.submit(*options)
        cluster.tried(number)
        wait_comment(number, "nvl72block: needs .*")
        told = cluster.comment(number)
        self.assertLessEqual(len(told), 300)
        found = told.partition(STARTS)[2].removeprefix("with ")
        found = found.split(" or ") if found else []
        cluster.ask("scontrol", "hold", str(number))
        for each in found:
            with self.subTest(options=options, told=told):
                self.assertEqual(answers.starts(*answers.changed(options, each))[0], True)
        cluster.cancel(number)
        return found

    def test_whole_nodes(self):
        drain(HOLES)()
        self.assertEqual(self.carry_out(*RACK), ["--segment=9"])
        self.assertEqual(self.carry_out("-N18"), ["--nodes=17", "--segment=9"])
        self.assertEqual(self.carry_out("-N36", "--segment=18"), ["--segment=12"])
        self.assertEqual(self.carry_out("-N108", "-n216")[0], "--nodes=102 --ntasks=204")
        cluster.place("-N95")
        self.carry_out("-N14")
        self.carry_out("-N8", "--segment=4")

    def test_suggestions_follow_what_is_free(self):
        cluster.place("-N6")
        number = cluster.submit("-N108")
        wait_comment(number, "nvl72block: needs 108 nodes; 102 are free")
        self.assertTrue(cluster.comment(number).endswith(SUGGESTED + "--nodes=102"), cluster.comment(number))
        cluster.place("--nice=-1000", "-N17")
        wait_comment(number, "nvl72block: needs 108 nodes; 85 are free")
        self.assertTrue(cluster.comment(number).endswith(SUGGESTED + "--nodes=84"), cluster.comment(number))

    def wait_suggested(self, number, option, follows):
        """Once the comment has or has not the suggestion."""
        wait_until(lambda: cluster.comment(number) and cluster.comment(number).endswith(option) == follows, cluster.WAIT_SECONDS,
                   f"job {number} was told {option}: {follows}")

    def test_blocks_in_use_where_some_are_free(self):
        """Slurm asks about the free blocks first, and then about all: the sentence told of the free ones only."""
        for rack in range(4):
            cluster.place("-N1", "-w", f"node{18 * rack:03}")
        drain("node[072-074,090-092]")()
        options = ("-N16", "--exclusive=topo")
        self.assertIn(WITHOUT_EXCLUSIVE, self.carry_out(*options))
        number = cluster.submit(*options)
        self.wait_suggested(number, WITHOUT_EXCLUSIVE, True)
        self.assertRegex(cluster.comment(number), "the best block has 15; 30 nodes are usable")
        cluster.scheduler_pass()
        backfill_passes(number)
        self.assertTrue(cluster.comment(number).endswith(WITHOUT_EXCLUSIVE), cluster.comment(number))

    def test_no_question_about_blocks_in_use(self):
        """The job is told of the free blocks all the same."""
        drain(HOLES)()
        told = "nvl72block: needs 18 nodes in one block of 18; the best block has 17; .*"
        number = cluster.submit("-N18", "--exclusive=topo")
        wait_comment(number, told)
        cluster.cancel(number)
        cluster.ask("scontrol", "update", "nodename=node[018-107]", "features=gen2")
        cluster.place("-N1", "-w", "node001")
        wait_comment(cluster.submit("-N18", "--exclusive=topo", "-C", "gen2"), told)

    def test_blocks_in_use_that_fill_up(self):
        """Nothing of the free nodes changes meanwhile: the suggestion stayed."""
        for rack in range(6):
            cluster.place("-N1", "-w", f"node{18 * rack:03}")
        number = cluster.submit("-N16", "--exclusive=topo")
        self.wait_suggested(number, WITHOUT_EXCLUSIVE, True)
        for rack in range(6):
            cluster.place("-N2", "--nice=-1000", "-w", f"node{18 * rack + 1:03},node{18 * rack + 2:03}")
        self.assertFalse(answers.starts("-N16")[0])
        self.wait_suggested(number, WITHOUT_EXCLUSIVE, False)


class Shared(LabCase):
    """Eight racks of 18 whose nodes jobs share."""

    config = "eight-by-18"

    def test_suggestions_on_nodes_in_part_use(self):
        busy = cluster.place("-N100", "-n100", "-c100")
        cluster.place("-N44", "-n44", "-c100", "-x", ",".join(busy.nodes))
        for options in (("-N36", "-n60", "-c40"), ("-N18", "-n36", "-c30"), ("-N120", "-n240", "-c40", "--gpus=480")):
            Suggestions.carry_out(self, *options)

    def test_a_refusal_before_any_question(self):
        """Whole nodes with more CPUs than the job may have: such a refusal removed what the job was told."""
        for options, why in ((("-w", "node100"), "a node required by name has more CPUs than the job may have"),
                             ((), "none of the nodes that it could get now is of use to it")):
            number = cluster.submit("-H", "-N1", "--exclusive", *options)
            cluster.ask("scontrol", "update", f"jobid={number}", "numcpus=1-8")
            cluster.ask("scontrol", "release", str(number))
            wait_comment(number, f"nvl72block: {why}")

    def test_nodes_in_part_use(self):
        """Slurm also tests whether the job could ever run, with all CPUs: those are offered while jobs use them."""
        firsts = [f"node{rack * 18:03}" for rack in range(8)]
        seconds = [f"node{rack * 18 + 1:03}" for rack in range(8)]
        for first, second in zip(firsts, seconds):
            cluster.place("-w", first, "-n144")
            cluster.place("-w", second, "-n40")
        number = cluster.submit(*RACK, "--ntasks-per-node=100")
        told = wait_comment(number, "nvl72block: needs 18 nodes in one block of 18; the best block has 17; 136 nodes are usable")
        cluster.scheduler_pass()
        backfill_passes(number)
        self.assertEqual(comment(number), told)
        time.sleep(1.1)
        cluster.cancel(*(line.split()[0] for line in cluster.ask("squeue", "-h", "-w", firsts[3], "-o", "%i").splitlines()))
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertRegex(comment(number), rf"^nvl72block: started in 1 base block \(1 x 18 nodes\){KEPT}; waited \d+ (s|min); last "
                                          "reason: needs 18 nodes")


class Accounting(LabCase):
    """What slurmdbd gets to know."""

    needs_accounting = ("test_sacct_shows_the_receipt",)

    @classmethod
    def unfit(cls, name, release):
        return "" if release.root else "slurmdbd and MariaDB are in the private root only"

    def setUp(self):
        instance = cluster.this_instance()
        # An epilog's environment does not say where this instance's configuration is.
        epilog = instance.folder / "epilog"
        epilog.write_text(f"#!/bin/sh\nSLURM_CONF={instance.slurm_conf} exec {PROJECT}/configs/accounting/keep-receipt\n", "utf-8")
        epilog.chmod(0o755)
        accounting.start(instance, f"EpilogSlurmctld={epilog}\n")

    def recorded(self, number, state):
        """The system_comments of a job's runs in the accounting, once the last run is in this state."""
        def look():
            shown = cluster.ask("sacct", "-n", "-P", "-X", "-D", "-j", str(number), "-o", "State,SystemComment").splitlines()
            runs = [line.split("|", 1) for line in shown]
            return runs if runs and runs[-1][0].startswith(state) else None
        return [said for _, said in wait_until(look, cluster.WAIT_SECONDS, f"sacct knew job {number} as {state}")]

    def test_sacct_shows_the_receipt(self):
        """Slurm sends no system_comment to slurmdbd; the epilog does it for every run of a job."""
        number, waiting = wait_in_vain(), cluster.submit(*RACK)
        wait_comment(waiting, re.escape(NO_RACK))
        self.assertEqual(self.recorded(number, "PENDING"), [""])
        cluster.cancel(waiting)
        self.assertEqual(self.recorded(waiting, "CANCELLED"), [""])
        time.sleep(1.1)  # one that waited for less than a second has no receipt
        resume("node000")
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        receipt = cluster.comment(number)
        self.assertIn("nvl72block: started in 1 base block", receipt)
        cluster.ask("scontrol", "requeue", str(number))
        self.assertEqual(self.recorded(number, "PENDING"), [receipt, ""])
        cluster.cancel(number)
        self.assertEqual(self.recorded(number, "CANCELLED"), [receipt, ""])
