# SPDX-License-Identifier: GPL-2.0-or-later
"""What `nvl72block why` once said wrongly, each against slurmctld: its verdicts, suggestions and forecasts."""

import json
import tempfile
from datetime import datetime
from pathlib import Path

from nvl72lab import answers, cluster, hostlist
from nvl72lab.daemons import wait_until
from nvl72lab.lab_case import LabCase
from nvl72lab.mess import configure_shared, tool

RACK = [f"node[{18 * rack:03}-{18 * rack + 17:03}]" for rack in range(4)]
HOUR = 3600
QUIET_SECONDS = 30  # in which the plugin does not change a sentence with the same reason


class Why(LabCase):
    """Four racks of 18 nodes with 8 CPUs, 4 GPUs and 900 MB each, which jobs share."""

    config = "eight-by-18"
    started = False

    def setUp(self):
        configure_shared()

    def check(self, *options, more=(), forecast=True):
        """All that is said of the job is true; returns the answer."""
        found, answer = answers.faults(list(options), *more, forecast=forecast)
        self.assertEqual(found, [], answer)
        self.assertIsNotNone(answer, "the job did not wait")
        return answer

    def busy(self, nodes, minutes, *options):
        """Jobs on the nodes, one in each rack: a job on named nodes has to keep the rules of blocks. -nN becomes so many each."""
        names = hostlist.expand(nodes)
        for rack in RACK:
            here = [name for name in hostlist.expand(rack) if name in names]
            own = [f"-n{int(each[2:]) * len(here) // len(names)}" if each.startswith("-n") else each for each in options or ("--exclusive",)]
            if here:
                cluster.place("-w", ",".join(here), f"-N{len(here)}", f"-t{minutes}", *own)

    # ---- Counts ---------------------------------------------------------------------------------

    def test_a_range_of_nodes_is_judged_by_its_least(self):
        """Once slurmctld has evaluated it, scontrol shows -N36-60 as 60-60."""
        self.busy("node[000-032]", 600)
        self.busy("node[033-051]", 10)
        answer = self.check("-N36-60", "-t60", "--exclusive")
        self.assertEqual((answer["request"]["min_nodes"], answer["request"]["max_nodes"]), (36, 60))
        self.assertLess(answer["forecast"]["seconds"], 601)

    def test_tasks_without_a_node_count_may_lie_in_several_racks(self):
        for rack in RACK:
            self.busy(",".join(hostlist.expand(rack)[:12]), 60)
        self.assertTrue(answers.starts("-n36", "-c4")[0])
        number = cluster.submit("--hold", "-n36", "-c4")
        self.assertTrue(tool("why", str(number))["fits"])
        self.check("-n72", "-c4")

    def test_tasks_without_a_node_count_use_what_is_left_of_nodes(self):
        self.busy("node[000-071]", 60, "-n72", "-c6")
        self.assertTrue(answers.starts("-n20", "-c2")[0])
        number = cluster.submit("--hold", "-n20", "-c2")
        self.assertTrue(tool("why", str(number))["fits"])
        self.check("-n20", "-c3")

    # ---- What is in use -------------------------------------------------------------------------

    def test_gpus_become_free_with_their_jobs(self):
        self.busy("node[000-071]", 10)
        self.assertLess(self.check("-N4", "--gpus=16")["forecast"]["seconds"], 601)

    def test_gpus_in_use(self):
        self.busy("node[000-071]", 60, "-n72", "-c1", "--gpus-per-node=3")
        self.check("-N2", "--gpus-per-node=2")
        self.check("-N2", "--gpus=5")

    def test_segments_are_known_of_a_job_without_a_sentence(self):
        """24.11 hides them. Where too few nodes have what the job asks of each, Slurm asks the plugin about none that are free."""
        self.busy("node[000-071]", 60, "-n72", "-c1", "--gpus-per-node=3")
        for more, size in ((("--segment=2",), 2), ((), 0)):
            answer = self.check("-N4", "--gpus-per-node=2", "-t60", *more)
            self.assertEqual((answer["not_considered"], answer["request"]["segment_size"]), ([], size), answer)

    def test_memory_per_cpu(self):
        self.busy("node[000-071]", 60, "-n72", "--mem=700")
        self.check("-N2", "-n8", "--mem-per-cpu=100")

    def test_nodes_of_one_user(self):
        self.busy("node[000-071]", 60, "-n72", "--uid=daemon")
        self.check("-N2", "-n2", "--exclusive=user")
        self.assertTrue(answers.starts("-N2", "-n2")[0])

    def test_other_components_of_a_heterogeneous_job(self):
        self.busy("node[000-035]", 60)
        number = cluster.submit("-N4", "--exclusive", ":", "-N40", "--exclusive")
        cluster.wait_job(number, lambda job: job.reason not in ("None", ""), "was tried")
        answer = tool("why", str(number))
        self.assertTrue(not answer["fits"] or answer["not_considered"], answer)

    def test_a_forecast_does_not_wait_for_empty_nodes(self):
        self.busy(RACK[0], 600, "-n18", "-c4")
        self.busy("node003", 10, "-n1", "-c4")
        self.assertLess(self.check(f"-w{RACK[0]}", "-N18", "-n18", "-c2")["forecast"]["seconds"], 601)

    # ---- slurmctld, asked about the job ---------------------------------------------------------

    def asked(self, *options):
        """The answer about a held job, which slurmctld does not evaluate by itself."""
        answer = tool("why", str(cluster.submit("--hold", *options)))
        self.assertIsNotNone(answer["will_run"], answer)
        return answer

    def test_a_start_that_slurmctld_finds_is_one_with_the_segments(self):
        """24.11 hides them, but slurmctld knows them."""
        answer = self.asked("-N4", "--segment=2")
        self.assertEqual((answer["fits"], answer["not_considered"]), (True, []), answer)

    def test_slurmctld_is_asked_about_a_job_without_a_sentence(self):
        self.busy("node[000-035]", 60)
        fits = self.asked("-N20", "--exclusive")
        self.assertTrue(fits["fits"], fits)
        free = set(hostlist.expand("node[036-071]"))
        self.assertLessEqual(set(hostlist.expand(fits["will_run"]["nodes"])), free)
        later = self.asked("-N40", "--exclusive")
        self.assertEqual((later["fits"], later["refusal"]["source"]), (False, "slurmctld"), later)
        self.assertEqual(len(set(hostlist.expand(later["will_run"]["nodes"]))), 40)
        cluster.ask("scontrol", "update", "nodename=node071", "state=drain", "reason=fan")
        never = self.asked("-N72", "--exclusive")
        self.assertEqual((never["fits"], never["will_run"]["nodes"], never["forecast"]["start"]), (False, "", None), never)

    def test_slurmctld_knows_what_the_command_does_not_model(self):
        """GPUs of tasks: by the records alone the job fits."""
        self.busy("node[000-071]", 60, "-n72", "-c1", "--gpus-per-node=3")
        options = ("-N2", "-n2", "--gpus-per-task=2")
        self.assertFalse(self.asked(*options)["fits"])
        self.assertFalse(answers.starts(*options)[0])
        self.assertTrue(self.asked("-N2", "-n2", "--gpus-per-task=1")["fits"])

    def test_a_held_job_that_is_asked_about_has_no_receipt(self):
        """It waited, and squeue showed "started in 4 base blocks" from then on."""
        self.busy("node[000-035]", 60)
        number = cluster.submit("-N40", "--exclusive")
        wait_until(lambda: "needs 40 nodes" in cluster.comment(number), cluster.WAIT_SECONDS, "it was told so")
        cluster.ask("scontrol", "hold", str(number))
        cluster.cancel(*range(1, number))
        # One that has waited for less than a second has no receipt.
        wait_until(lambda: int(cluster.ask("squeue", "-h", "-j", str(number), "-O", "PendingTime")) > 1, cluster.WAIT_SECONDS, "it had waited")
        answer = tool("why", str(number))
        self.assertTrue(answer["fits"], answer)
        self.assertEqual(cluster.comment(number), "")

    def test_a_job_behind_others_that_is_asked_about_has_no_receipt(self):
        """It fits, but for a job before it; squeue showed "started in 3 base blocks" of it until its next evaluation."""
        last = cluster.place("-N1", "--exclusive", "-wnode000", "-t60")
        self.busy("node[001-036]", 60)
        number = cluster.submit("-N37", "--exclusive")
        wait_until(lambda: "needs 37 nodes" in cluster.comment(number), cluster.WAIT_SECONDS, "it was told so")
        cluster.submit("-N72", "--exclusive", "-t600", answers.FIRST)
        cluster.cancel(*range(last.id + 1, number))
        path = cluster.configuration() / "slurm.conf"
        path.write_text(path.read_text("utf-8").replace("sched_interval=1,bf_interval=1", "sched_interval=900,bf_interval=900"), "utf-8")
        cluster.ask("scontrol", "reconfigure")

        def is_left_alone():
            seen = cluster.ask("squeue", "-h", "-j", str(number), "-O", "LastSchedEval")
            return (datetime.now() - datetime.fromisoformat(seen.strip())).total_seconds() > 3

        wait_until(is_left_alone, cluster.WAIT_SECONDS, "the scheduler had nothing to do")
        self.assertIn("nvl72block:", cluster.comment(number))
        said = json.loads(cluster.ask("nvl72block-records", "--will-run", str(number)))["will_run"]
        self.assertEqual(len(hostlist.expand(said["nodes"])), 37, said)
        self.assertEqual(cluster.comment(number), "")

    def test_options_that_are_not_modelled_are_named(self):
        answer = tool("why", str(cluster.submit("--hold", "-N2", "-n4", "--gpus=4", "--mem-per-gpu=10", "--cpus-per-gpu=1",
                                                "--ntasks-per-gpu=1", "--ntasks-per-socket=1", "--deadline=now+2hours", "-t60")), "--segment", "0")
        self.assertEqual(sorted(answer["not_considered"]), ["--cpus-per-gpu", "--mem-per-gpu", "--ntasks-per-gpu", "--ntasks-per-socket"], answer)
        self.assertIn("its deadline is", " ".join(answer["remarks"]))
        answer = tool("why", str(cluster.submit("--hold", "-N2", "-n40", "--overcommit", "-B", "1:2:2", "--ntasks-per-core=1", "--gpus=4",
                                                "--gres-flags=enforce-binding")), "--segment", "0")
        self.assertEqual(sorted(answer["not_considered"]), ["--cores-per-socket", "--gres-flags=enforce-binding", "--ntasks-per-core", "--overcommit",
                                                            "--sockets-per-node", "--threads-per-core"], answer)
        # Nodes have one thread per core; the tasks of a range are those of its most nodes.
        self.assertEqual(tool("why", str(cluster.submit("--hold", "-N2-9", "--hint=nomultithread")), "--segment", "0")["not_considered"], [])

    def test_nothing_is_suggested_before_the_begin(self):
        """--nodes=9 was to start a job now whose --begin had not come."""
        self.busy(",".join(hostlist.expand(rack)[0] for rack in RACK), 60)
        number = cluster.submit("-N18", "--begin=now+1hour")
        answer = tool("why", str(number), "--segment", "0")
        self.assertEqual((answer["fits"], answer["suggestions"]), (False, []), answer)
        self.assertGreater(answer["forecast"]["seconds"], 3000)

    def test_a_job_behind_others_fits_but_they_are_ahead(self):
        self.busy("node[000-035]", 60)
        cluster.submit("-N60", "--exclusive", "-t600")
        number = cluster.submit("-N30", "--exclusive", "-t600")
        cluster.wait_job(number, lambda job: job.reason == "Priority", "stood behind the other")
        text = answers.said("why", str(number))[1]
        self.assertRegex(text, "fits now, as slurmctld found: on 30 nodes in . base blocks, but jobs of higher priority are ahead of it")

    def test_without_an_answer_the_records_count(self):
        """slurmctld tests no job that a site's job_submit plugin refuses, or that does not wait any more."""
        self.busy("node[000-071]", 60)
        running = cluster.run("nvl72block-records", "--will-run", "1")
        self.assertIn("job 1: does not wait", running.err)
        gone = cluster.run("nvl72block-records", "--will-run", "999")
        self.assertIn("job 999: Invalid job id specified", gone.err)
        self.assertNotIn("will_run", running.out + gone.out)
        number = cluster.submit("--hold", "-N4", "--exclusive")
        with tempfile.TemporaryDirectory() as folder:
            snapshot = Path(folder) / "state"
            answers.said("snapshot", str(snapshot))
            self.assertIsNone(tool("why", str(number), "--state", str(snapshot))["will_run"])
            self.assertIn("does not fit, by the records", answers.said("why", str(number), "--state", str(snapshot))[1])

    # ---- Jobs that slurmctld does not evaluate --------------------------------------------------

    def test_a_sentence_of_before_is_no_verdict(self):
        """The last sentence of a job whose partition is down was told as of now, with an option that did not start it."""
        self.busy("node[000-035]", 600)
        options = ("-N40", "--exclusive")
        number = cluster.submit(*options)
        wait_until(lambda: "--nodes=36" in cluster.comment(number), cluster.WAIT_SECONDS, "it was told so")
        cluster.ask("scontrol", "update", "partitionname=main", "state=down")
        cluster.wait_job(number, lambda job: job.reason == "PartitionDown", "was evaluated no more")
        cluster.place("-plarge", "-N18", "--exclusive", "-t600")

        def of_now():
            answer = tool("why", str(number))
            return answer if "18 are free" in answer["refusal"]["sentence"] else None
        answer = wait_until(of_now, 2 * QUIET_SECONDS, "it was told what is free now")
        self.assertIn("partition main is down: nothing starts in it", answer["remarks"])
        cluster.ask("scontrol", "update", "partitionname=main", "state=up")
        cluster.cancel(number)
        self.assertIn("--nodes=18", [each.get("option") for each in answer["suggestions"]])
        for suggestion in answer["suggestions"]:
            self.assertTrue(answers.Suggested(suggestion).starts(options)[0], suggestion)

    def test_a_job_whose_reservation_has_ended_waits(self):
        """Its state is shown as RESV_DEL_HOLD: it was "neither pending nor running"."""
        cluster.ask("scontrol", "create", "reservation", "reservationname=mine", "users=root", "starttime=now", "duration=120",
                    f"nodes={RACK[0]}")
        cluster.ask("scontrol", "update", "partitionname=main", "state=down")
        number = cluster.submit("--reservation=mine", "-N2")
        wait_until(lambda: not cluster.run("scontrol", "update", "reservationname=mine", "endtime=now").code, cluster.WAIT_SECONDS,
                   "the reservation had begun before its end")
        cluster.wait_job(number, lambda job: job.state == "RESV_DEL_HOLD", "lost its reservation")
        answer = tool("why", str(number))
        self.assertEqual((answer["state"], answer["reason"]["words"]),
                         ("RESV_DEL_HOLD", "the reservation that it asks for does not exist any more"), answer)

    # ---- Partitions -----------------------------------------------------------------------------

    def test_partitions_that_are_down_do_not_count(self):
        """The nodes of the one that is down are idle."""
        cluster.ask("scontrol", "create", "partitionname=back", f"nodes={RACK[1]}", "maxtime=infinite")
        self.busy(RACK[1], 60)
        cluster.ask("scontrol", "update", "partitionname=front", "state=down")
        options = ("-pfront,back", "-N4", "--exclusive")
        self.assertTrue(cluster.stays_pending(cluster.submit(*options)))
        answer = tool("why", str(cluster.submit("--hold", *options)))
        self.assertEqual((answer["fits"], answer["partition"]), (False, "back"), answer)

    def test_an_operator_may_override_a_limit(self):
        """The partition allows an hour: it was "the request can never fit", and the job starts."""
        self.busy("node[000-071]", 60)
        number = cluster.submit("-psmall", "-N2", "-t30", "--exclusive")
        cluster.tried(number)
        cluster.ask("scontrol", "update", f"jobid={number}", "timelimit=120")
        cluster.scheduler_pass()
        answer = tool("why", str(number))
        self.assertFalse(answer["refusal"]["permanent"], answer)
        self.assertIsNotNone(answer["forecast"]["start"], answer)
        cluster.ask("scancel", "--partition=main")
        cluster.wait_job(number, lambda job: job.placed, "had nodes")

    def test_a_range_begins_with_the_least_that_the_partition_allows(self):
        """Eight nodes: `plan` answered with the five that are free."""
        self.busy("node[000-066]", 60)
        options = ("-plarge", "-N2-12", "--exclusive")
        code, text = answers.said("plan", "--", "sbatch", *options)
        self.assertEqual(code, 1, text)
        self.assertIn("needs 8 nodes", text)
        self.assertFalse(answers.starts(*options)[0])

    def test_of_several_partitions_the_smallest_min_nodes_counts(self):
        """`plan` and `why` answered with nodes of the one whose MinNodes is above the request's least, where Slurm starts nothing."""
        self.busy(RACK[0], 60)
        options = ("-pfront,large", "-N2-12", "--exclusive")
        code, text = answers.said("plan", "--", "sbatch", *options)
        self.assertEqual(code, 1, text)
        number = cluster.submit(*options)
        self.assertTrue(cluster.stays_pending(number))
        answer = tool("why", str(number))
        self.assertEqual((answer["fits"], answer["partition"]), (False, "front"), answer)
        more = ("-pfront,large", "-N8-12", "--exclusive")
        self.assertEqual(answers.said("plan", "--", "sbatch", *more)[0], 0)
        self.assertTrue(answers.starts(*more)[0])

    def test_a_partition_that_needs_a_reservation(self):
        cluster.ask("scontrol", "update", "partitionname=large", "reqresv=yes", "allocnodes=nowhere")
        code, text = answers.said("plan", "--nodes=8", "--partition=large")
        self.assertEqual(code, 1, text)
        self.assertIn("partition large takes only jobs with --reservation", text)
        self.assertIn("partition large takes only jobs submitted on nowhere", text)
        self.assertIsNone(cluster.offer("-plarge", "-N8")[0])

    def test_limits_of_partitions(self):
        self.busy("node[000-061]", 60)
        for options in (("-psmall", "-N6"), ("-psmall", "-N2", "-t600"), ("-plarge", "-N4")):
            with self.subTest(options=options):
                answer = self.check(*options, forecast=False)
                self.assertTrue(answer["refusal"]["permanent"], answer)
                self.assertEqual(answer["suggestions"], [], answer)
        answer = self.check("-psmall,main", "-N20", "--exclusive")
        self.assertEqual(answer["partition"], "main")
        self.assertEqual(tool("capacity", "--partition", "small")["largest_job"], 4)
        for entry in tool("capacity", "--partition", "small")["segments"]:
            self.assertLessEqual(entry["count"] * entry["size"], 4, entry)

    def test_of_two_partitions_the_one_with_room_counts(self):
        self.busy(RACK[0], 60)
        number = cluster.submit("--hold", "-pfront,main", "-N4", "--exclusive")
        self.assertTrue(tool("why", str(number))["fits"])

    def test_a_partition_of_whole_blocks(self):
        self.busy("node000", 60)
        self.busy("node018", 60)
        largest = tool("capacity", "--partition", "alone")["largest_job"]
        self.assertTrue(answers.starts("-palone", f"-N{largest}")[0], largest)
        self.check("-palone", "-N40")

    def test_a_required_node_in_a_block_that_a_job_has_to_itself(self):
        """It is idle: `why` said "in use by jobs that are not shown"."""
        self.busy("node000", 60, "--exclusive=topo")
        answer = self.check("-N1", "-wnode001", forecast=False)
        self.assertEqual(answer["required_not_usable"],
                         [{"node": "node001", "because": "blocked: a job has its base block to itself (--exclusive=topo)"}])

    # ---- Times ----------------------------------------------------------------------------------

    def test_a_reservation_may_use_the_nodes_of_others(self):
        """Of OVERLAP and MAINT: `plan` saw no node for a job that starts."""
        for flag in ("overlap", "maint"):
            with self.subTest(flag=flag):
                for name, user, more in (("others", "daemon", []), ("mine", "root", [f"flags={flag}"])):
                    cluster.ask("scontrol", "create", "reservation", f"reservationname={name}", f"users={user}", "starttime=now",
                                "duration=600", f"nodes={RACK[0]}", *more)
                planned = tool("plan", "--nodes", "4", "--reservation", "mine", "--time", "10")
                job = cluster.place("--reservation=mine", "-N4", "--exclusive", "-t10")
                self.assertEqual(set(hostlist.expand(planned["nodes"])), set(job.nodes))
                cluster.cancel(job.id)
                for name in ("mine", "others"):
                    cluster.ask("scontrol", "delete", f"reservationname={name}")

    def test_a_job_in_its_own_future_reservation(self):
        cluster.ask("scontrol", "create", "reservation", "reservationname=mine", "users=root", "starttime=now+60minutes", "duration=120",
                    f"nodes={RACK[0]}")
        self.busy(RACK[1], 300)
        number = cluster.submit("--reservation=mine", "-N18", "-t30")
        seconds = tool("why", str(number))["forecast"]["seconds"]
        self.assertIsNotNone(seconds)
        self.assertAlmostEqual(seconds, HOUR, delta=120)

    def test_nothing_starts_before_its_begin(self):
        self.busy("node[000-061]", 60)
        number = cluster.submit("-N20", "--begin=now+3hours", "--exclusive")
        self.assertGreater(tool("why", str(number))["forecast"]["seconds"], 3 * HOUR - 120)

    def test_a_node_that_is_down_keeps_no_block_closed(self):
        for rack in RACK:
            first, second = hostlist.expand(rack)[:2]
            self.busy(first, 60 if rack != RACK[3] else 600)
            cluster.ask("scontrol", "update", f"nodename={second}", "state=down", "reason=test")
        self.assertLess(self.check("-N4", "--exclusive=topo")["forecast"]["seconds"], HOUR + 1)

    def test_blocks_of_exclusive_jobs_stay_closed(self):
        for rack in RACK:
            self.busy(hostlist.expand(rack)[0], 600, "--exclusive=topo")
        self.assertGreater(self.check("-N4", "-t10")["forecast"]["seconds"], 590 * 60)

    # ---- Suggestions ----------------------------------------------------------------------------

    def test_tasks_and_gpus_shrink_with_the_nodes(self):
        self.busy("node[000-041]", 60)
        for options in (("-N40", "-n80", "-c4"), ("-N40", "--gpus=160"), ("-N40", "-n40", "-c8"), ("-N36", "--ntasks-per-node=8"),
                        ("-N36", "-n72", "--gpus=144", "--exclusive")):
            with self.subTest(options=options):
                answer = self.check(*options)
                self.assertTrue(any("--nodes" in each.get("option", "") for each in answer["suggestions"]), answer)

    def test_nodes_of_a_suggestion_have_the_cpus(self):
        self.busy("node[000-059]", 60, "-n60", "-c5")
        self.check("-N36", "-n60", "-c4")

    def test_features_that_are_not_understood(self):
        cluster.ask("scontrol", "update", "nodename=node[000-035]", "features=gen1")
        cluster.ask("scontrol", "update", "nodename=node[036-071]", "features=gen2")
        for rack in RACK:
            self.busy(hostlist.expand(rack)[0], 60)
        answer = self.check("-N36", "-C[gen1|gen2]", "--exclusive")
        self.assertTrue(answer["not_considered"], answer)
        # slurmctld tries the features one after another: what the plugin saw and suggests is true of the last one.
        self.assertEqual(answer["refusal"]["source"], "slurmctld")

    def test_fewer_nodes_than_a_feature_counts_are_no_suggestion(self):
        """Slurm asks the plugin for the nodes of the feature on their own: it was told "starts with --nodes=17"."""
        for rack in RACK:
            self.busy(hostlist.expand(rack)[0], 60)
        cluster.ask("scontrol", "update", "nodename=node[000-035]", "features=gen1")
        options = ("-N18", "-Cgen1*18", "--exclusive")
        number = cluster.submit(*options)
        told = wait_until(lambda: cluster.comment(number), cluster.WAIT_SECONDS, "it was told why it waits")
        self.assertNotIn("starts with", told)
        self.assertFalse(answers.starts(*options, "--nodes=17")[0])

    def test_counted_features_bring_no_suggestion(self):
        """slurmctld's test does not count them: "fits now"."""
        cluster.ask("scontrol", "update", "nodename=node[000-035]", "features=gen1")
        cluster.ask("scontrol", "update", "nodename=node[036-071]", "features=gen2")
        self.busy("node[000-029]", 60)
        number = cluster.submit("-N40", "-C[gen1*20&gen2*20]", "--exclusive")
        told = wait_until(lambda: cluster.comment(number), cluster.WAIT_SECONDS, "it was told why it waits")
        self.assertNotIn("starts with", told)
        answer = tool("why", str(number))
        self.assertEqual((answer["fits"], bool(answer["not_considered"])), (False, True), answer)
        self.assertEqual(answer["suggestions"], [], answer)

    def test_without_exclusive_blocks(self):
        for rack in RACK:
            self.busy(hostlist.expand(rack)[0], 60, "-n1", "-c1")
        answer = self.check("-N16", "--exclusive=topo")
        self.assertIn("without --exclusive=topo", [each.get("option") for each in answer["suggestions"]])

    def test_without_exclusive_blocks_where_some_are_free(self):
        """The plugin is asked about the free blocks first; its sentence told of no others."""
        for rack in RACK[:2]:
            self.busy(hostlist.expand(rack)[0], 60, "-n1", "-c1")
        cluster.ask("scontrol", "update", "nodename=node[036-038,054-056]", "state=drain", "reason=fan")
        answer = self.check("-N16", "--exclusive=topo")
        self.assertEqual(answer["refusal"]["source"], "slurmctld")
        self.assertIn("without --exclusive=topo", [each.get("option") for each in answer["suggestions"]])

    # ---- Texts ----------------------------------------------------------------------------------

    def test_jobs_before_are_counted(self):
        self.busy("node[000-071]", 60)
        numbers = [cluster.submit("-N4", "--priority=100") for _ in range(3)]
        tier = cluster.submit("-pfront", "-N2", "--priority=1")
        self.assertEqual(tool("why", str(numbers[2]))["reason"]["jobs_of_higher_priority"], 3)
        self.assertEqual(tool("why", str(tier))["reason"]["jobs_of_higher_priority"], 0)

    def test_the_end_of_a_reservation_is_named(self):
        cluster.ask("scontrol", "create", "reservation", "reservationname=others", "users=daemon", "starttime=now", "duration=30",
                    f"nodes={RACK[0]}")
        self.busy("node[018-071]", 600, "-n54", "-c4")
        number = cluster.submit("-N18", "--exclusive")
        cluster.tried(number)
        self.assertEqual(tool("why", str(number))["forecast"]["after_reservations"], ["others"])
        self.assertIn("reservation others", answers.said("why", str(number))[1])

    def test_the_end_of_a_reservation_starts_a_job_that_slurmctld_finds_no_nodes_for(self):
        """There was no forecast: slurmctld's test ends running jobs, but no reservation."""
        cluster.ask("scontrol", "create", "reservation", "reservationname=others", "users=daemon", "starttime=now", "duration=30",
                    f"nodes={RACK[0]}")
        answer = self.asked("-N72", "--exclusive")
        self.assertEqual((answer["will_run"]["nodes"], answer["forecast"]["after_reservations"]), ("", ["others"]), answer)

    def test_counts_of_a_shared_cluster_add_up(self):
        self.busy("node[000-071]", 60, "-n72", "-c4")
        number = cluster.submit("--hold", "-N20", "-n20", "-c4")
        answer = tool("why", str(number))
        self.assertEqual(answer["usable"], 72)
        self.assertEqual(sum(answer[key] for key in ("usable", "busy", "out_of_service", "reserved")), 72, answer)

    def test_words_of_refusals(self):
        code, text = answers.said("plan", "--nodes", "3", "-q", "high", "--nosuch", "7")
        self.assertEqual(code, 2)
        self.assertIn("-q high --nosuch 7", text)
        code, text = answers.said("plan", "--nodes", "3", "-C", "nosuch")
        self.assertEqual(code, 1)
        self.assertIn("features nosuch", text)
        self.assertNotIn("72 excluded", text)


class PoweredDown(LabCase):
    """Some nodes have to boot."""

    config = "eight-by-18"
    started = False

    def setUp(self):
        configure_shared("SuspendTime=100000")

    def test_plan_prefers_nodes_that_are_up(self):
        up = "node[004-019,026-071]"
        cluster.ask("scontrol", "update", f"nodename={up}", "state=power_up")
        wait_until(lambda: not any("POWERED_DOWN" in line for line in cluster.ask("scontrol", "-o", "show", "nodes", up).splitlines()),
                   cluster.WAIT_SECONDS, "the others were booting")
        for count in (4, 14, 18, 20):
            planned = set(hostlist.expand(tool("plan", "--nodes", str(count))["nodes"]))
            job = cluster.place(f"-N{count}", "--exclusive")
            self.assertEqual(planned, set(job.nodes))
            cluster.cancel(job.id)


class Completing(LabCase):
    """Real slurmd's whose epilog ends when the test says so."""

    config = "two-by-4-real"

    def test_nodes_that_jobs_are_about_to_leave(self):
        """slurmctld's test counts them as free: "fits now"."""
        folder = cluster.configuration()
        (folder / "epilog").write_text(f"#!/bin/sh\nuntil [ -e {folder}/go ]; do sleep 0.1; done\n", "utf-8")
        (folder / "epilog").chmod(0o755)
        with open(folder / "slurm.conf", "a", encoding="utf-8") as conf:
            conf.write(f"Epilog={folder}/epilog\n")
        cluster.ask("lab-ctl", "reconfigure")
        job = cluster.wait_job(cluster.submit("-N8", "--exclusive"), lambda job: job.state == "RUNNING", "ran")
        number = cluster.submit("--hold", "-N8", "--exclusive")
        cluster.ask("scancel", str(job.id))
        cluster.wait_job(job.id, lambda job: job.state == "COMPLETING", "was about to leave its nodes")
        answer = tool("why", str(number))
        cluster.ask("scontrol", "release", str(number))
        self.assertTrue(cluster.stays_pending(number))
        (folder / "go").touch()
        cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertEqual((answer["fits"], answer["refusal"]["sentence"]),
                         (False, "8 of the 8 nodes that it would get are still completing"), answer)


for case in (Why, PoweredDown, Completing):
    case.needs_command = tuple(name for name in vars(case) if name.startswith("test_"))

del case
