# SPDX-License-Identifier: GPL-2.0-or-later
"""Shadow mode: topology/block decides, nvl72block records what it would have decided (docs/shadow.md).

The long forms are tests/parity/run --shadow, and --exports.
"""

import json
import os
import random
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from nvl72lab import cluster, hostlist, namespace, plugin_build, scenario
from nvl72lab.instance import Instance
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT
from nvl72lab.scenario import EXCLUSIVE, OURS, STOCK, Site, Stage
from nvl72lab.scenario_switch import jobs, search_own_plugins, start_fails

sys.path.insert(0, str(PROJECT / "tests/parity"))
# pylint: disable=wrong-import-position
import test_yaml
from nvl72parity import export_campaign, shadow_campaign
from nvl72parity.crew import Crew

ON = "Nvl72Shadow=on"
NAME = "nvl72block_shadow"
PLANT = "NVL72BLOCK_PLANT"
SEED = os.environ.get("NVL72BLOCK_SEED", "1")
SCENES = 4
FAULTS_BEFORE_OFF = 10
# One partition, so that the order of nodes is that of the table.
RACKS = Site((6,) * 6, "6,12", partitions=(EXCLUSIVE,))


class Shadow(LabCase):
    """Six racks of six nodes."""

    started = False
    lengthy = ("test_everything_is_as_with_topology_block",)

    def __init_subclass__(cls):
        """Every test reads the report."""
        super().__init_subclass__()
        cls.needs_command = tuple(name for name in dir(cls) if name.startswith("test_"))

    def open(self, *words, plugin=OURS, site=RACKS):
        """A fresh slurmctld."""
        self.mark = len(cluster.read_log())
        self.stage = Stage()
        policy = ",".join((*words, "Nvl72Demand=off"))
        self.stage.open(replace(site, settings=(("TopologyParam", policy),)), plugin)

    def log(self):
        """What slurmctld's log has gained since it was started."""
        return cluster.read_log(self.mark)

    @staticmethod
    def file():
        """Where slurmctld keeps its records."""
        return cluster.this_instance().state / NAME

    def report(self, *options):
        """`nvl72block shadow` of that file."""
        return subprocess.run([plugin_build.command(), "shadow", "--file", self.file(), *options], capture_output=True, text=True,
                              check=True).stdout

    def figures(self):
        """The same as JSON; {} before the first record."""
        return json.loads(self.report("--json")) if self.file().exists() else {}

    def settle(self):
        """
        Another decision settles those before it; it is left out of all counts by being the last. Slurm 26.05 does not ask the plugin about
        one node.
        """
        cluster.cancel(cluster.submit("-N2"))

    def wait_figures(self, condition, what):
        """Decisions go on until the report is so; the report."""
        def look():
            self.settle()
            found = self.figures()
            return found if found and condition(found) else None
        return cluster.wait_until(look, cluster.WAIT_SECONDS, what)

    def fragment(self):
        """Leaves two free nodes in each of the first five racks and none in the last: (ids of jobs that stay)."""
        kept = [cluster.place("-N4", "-w", f"r{rack}n[01-04]").id for rack in range(1, 6)]
        return [*kept, cluster.place("-N6", "-w", "r6n[01-06]").id]


class Decisions(Shadow):
    """What is decided and what is recorded."""

    def test_everything_is_as_with_topology_block(self):
        """And the records are those of the starts that slurmctld has logged, and the report counts them right."""
        release = Instance(Path(os.environ["NVL72BLOCK_LAB_INSTANCE"])).load_release().release
        texts = []
        make_run = lambda pair, tell: shadow_campaign.ShadowRun(pair, SEED, tell)  # noqa: E731
        total = Crew(release, make_run, texts.append, trios=2, cluster=shadow_campaign.Pair).run(range(SCENES))
        for line in f"{total}".splitlines():
            self.tell(f"Slurm {release.version}, seed {SEED}: {line}")
        self.assertTrue(total.passed(shadow_campaign.NEEDED), "\n".join(texts))

    def test_tasks_of_an_array_are_decisions_of_their_own(self):
        self.open(ON)
        number = cluster.place_array(4, "-N2")
        def recorded(_):
            return sum(f"\tarray={number}\t" in line for line in self.file().read_text("utf-8").splitlines()) == 4
        found = self.wait_figures(recorded, "four tasks were recorded")
        self.assertEqual(found["held_by_nvl72block"], 0)

    def test_jobs_of_several_partitions_are_recorded_where_they_start(self):
        """Backfill tests each component of a heterogeneous job in each partition, and starts it in the first of equal ones."""
        names = (("one", "1-3"), ("two", "4-6"))
        partitions = tuple(f"PartitionName={name} Nodes=r[{racks}]n[01-06] OverSubscribe=EXCLUSIVE MaxTime=INFINITE" for name, racks in names)
        site = replace(RACKS, partitions=(f"{partitions[0]} Default=YES", partitions[1]))
        self.open(ON, site=site)
        cluster.place("-N15", "-p", "one")
        self.assertRegex(cluster.place("-N4", "-p", "one,two").nodes[0], "r[456]n")
        cluster.submit("-N2", "-p", "one,two", ":", "-N2", "-p", "two,one")
        started = cluster.wait_until(lambda: self.nodes_of_jobs(4), cluster.WAIT_SECONDS, "all had nodes")
        self.assertEqual(len({job for job, _ in started}), 4)
        def recorded(_):
            rows = shadow_campaign.rows(self.file().read_text("utf-8"), "decision")
            return started <= set(shadow_campaign.recorded_starts(rows, site.nodes()))
        self.assertEqual(self.wait_figures(recorded, "all four starts were recorded")["held_by_nvl72block"], 0)

    @staticmethod
    def nodes_of_jobs(count):
        """(number, nodes) of each job that has nodes, once there are so many."""
        lines = cluster.ask("squeue", "-h", "-t", "CF,R", "-o", "%A %N").splitlines()
        found = {(int(number), tuple(hostlist.expand(nodes))) for number, nodes in map(str.split, lines)}
        return found if len(found) == count else None

    def test_a_job_that_topology_block_holds(self):
        """topology/block leaves nodes in no block out while a node in a block is idle."""
        self.open(ON, site=Site((4, 4), "4", outside=4, partitions=(EXCLUSIVE,)))
        kept = [cluster.place("-N3", "-w", f"{rack}n[01-03]").id for rack in ("r1", "r2")]
        waiting = cluster.submit("-N4")
        self.assertTrue(cluster.stays_pending(waiting))
        found = self.wait_figures(lambda found: found["held_by_block"], "the job was recorded as held")
        self.assertEqual([entry["job"] for entry in found["held"]], [waiting])
        cluster.cancel(*kept)
        cluster.wait_job(waiting, lambda job: job.placed, "had nodes")
        found = self.wait_figures(lambda found: not found["still_held"], "its start was recorded")
        self.assertGreaterEqual(found["waited_seconds"], 1)

    def test_no_names_are_recorded(self):
        self.open(ON)
        cluster.place("-N2", "--job-name=secretname", "--comment=secretcomment")
        self.wait_figures(lambda found: found["started"], "the start was recorded")
        self.assertNotRegex(self.file().read_text("utf-8"), "secret|root")


class Life(Shadow):
    """Start, end, and what goes wrong."""

    def test_records_survive_a_restart_a_kill_and_damage(self):
        self.open(ON)
        cluster.place("-N2")
        first = self.wait_figures(lambda found: found["started"], "a start was recorded")["started"]
        cluster.ask("lab-ctl", "restart")
        cluster.place("-N3")
        second = self.wait_figures(lambda found: found["started"] > first, "another start was recorded")["started"]
        cluster.ask("lab-ctl", "kill")
        with open(self.file(), "ab") as stream:
            stream.write(b"00000000\tdecision\tjob=1")  # as a writer leaves it that was killed
        cluster.ask("lab-ctl", "start")
        cluster.place("-N3")
        found = self.wait_figures(lambda found: found["started"] > second, "a start after the damage was recorded")
        self.assertEqual(found["damaged"], 1)

    def test_reconfigure_with_a_good_and_a_bad_file(self):
        self.open(ON)
        cluster.place("-N2")
        self.wait_figures(lambda found: found["started"], "a start was recorded")
        good = (cluster.configuration() / "topology.conf").read_text("utf-8")
        cluster.write_topology(good.replace("BlockSizes=6,12", "BlockSizes=6"))
        cluster.ask("lab-ctl", "reconfigure")
        cluster.wait_until(lambda: cluster.run("scontrol", "ping").code == 0, cluster.WAIT_SECONDS, "slurmctld answered")
        self.assertIn("BlockSize=6", cluster.ask("scontrol", "show", "topology"))
        cluster.write_topology(good.replace("r2n", "unknown"))
        cluster.run("lab-ctl", "reconfigure")
        cluster.write_topology(good)
        cluster.place("-N4")
        if "is decided without a comparison: " in self.log():  # a Slurm that starts with it; others keep the topology that they have
            self.assertRegex(self.log(), r"topology\.conf:2: BlockName=r2 .* no node named unknown01")
            cluster.ask("lab-ctl", "reconfigure")
            cluster.place("-N4")
        found = self.wait_figures(lambda found: found["started"] >= 2, "starts were recorded")
        self.assertEqual(found["faults"], [])

    def test_cliques_that_change(self):
        self.open(ON)
        cluster.place("-N2")
        clique = "8c2a1b1e-6a53-4c0e-9f4b-0d7a9d1f0001.32766"
        cluster.ask("scontrol", "update", "nodename=r1n[01-06]", f"availablefeatures={clique}", f"activefeatures={clique}")
        cluster.place("-N7")
        found = self.wait_figures(lambda found: found["started"] >= 2, "starts were recorded")
        self.assertEqual((found["faults"], found["held_by_nvl72block"]), ([], 0))

    def test_on_off_and_switched_to_ours_with_jobs(self):
        self.open("Nvl72Shadow=off", plugin=STOCK)
        cluster.place("-N4", "--segment=2")
        waiting = cluster.submit("-N36")
        self.assertTrue(cluster.stays_pending(waiting))
        shown, before = cluster.ask("scontrol", "show", "topology"), jobs()
        for plugin, word in ((OURS, ON), (STOCK, ON), (OURS, ON), (OURS, "Nvl72Shadow=off"), (OURS, ON), (STOCK, "Nvl72Shadow=off")):
            cluster.ask("lab-ctl", "stop")
            path = cluster.configuration() / "slurm.conf"
            path.write_text(re.sub(r"Nvl72Shadow=\w+", word, path.read_text("utf-8")), "utf-8")
            cluster.use_plugin(plugin)
            cluster.ask("lab-ctl", "start")
            self.assertEqual(cluster.ask("scontrol", "show", "topology"), shown)
            self.assertEqual(jobs(), before, f"{plugin} {word}")

    def test_system_comments_stay_as_they_are(self):
        self.open(ON)
        self.fragment()
        waiting = cluster.submit("-N12")
        self.assertTrue(cluster.stays_pending(waiting))
        self.assertNotIn("SystemComment", cluster.ask("scontrol", "show", "job", str(waiting)))

    def test_without_slurms_own_plugin_nothing_starts(self):
        self.open(ON)
        cluster.ask("lab-ctl", "stop")
        path = cluster.configuration() / "slurm.conf"
        instance = cluster.this_instance()
        own = Path(instance.release.plugins)
        folder = instance.folder / "without"
        folder.mkdir()
        for plugin in Path(f"{instance.release.root or ''}{own}").glob("*.so"):
            if plugin.name != "topology_block.so":
                (folder / plugin.name).symlink_to(own / plugin.name)
        text = re.sub(r"(?m)^PluginDir=.*\n", "", path.read_text("utf-8"))
        path.write_text(f"{text}PluginDir={instance.plugins}:{folder}\n", "utf-8")
        self.assertRegex(start_fails() or "it started", r"Nvl72Shadow=on needs Slurm's own topology_block\.so of version \S+, which PluginDir=")


class Faults(Shadow):
    """Planted in our half: Slurm's half goes on, and the report shows each."""

    def plant(self, fault):
        """A slurmctld whose engine has that fault."""
        os.environ[PLANT] = fault
        self.addCleanup(os.environ.pop, PLANT, None)
        self.open(ON)
        os.environ.pop(PLANT)
        cluster.ask("scontrol", "update", "nodename=r6n06", "state=drain", "reason=test")  # offered to nobody

    def assert_told(self, fault, kind):
        """Faults of that kind are recorded, jobs start, and the comparison ends by itself."""
        self.plant(fault)
        for _ in range(FAULTS_BEFORE_OFF + 2):
            cluster.cancel(cluster.place("-N2").id)
        found = self.wait_figures(lambda found: found["switched_off"], "the comparison was switched off")
        self.assertEqual({entry["kind"] for entry in found["faults"]}, {kind})
        self.assertEqual(len(found["faults"]), FAULTS_BEFORE_OFF)
        self.assertEqual(self.log().count("shadow mode compares nothing more after"), 1)
        self.assertTrue(cluster.place("-N12").placed)

    def test_an_exception(self):
        self.assert_told("exception", "engine")

    def test_a_passed_budget(self):
        self.assert_told("budget", "budget")

    def test_nodes_that_were_not_offered(self):
        self.assert_told("nodes", "engine")

    def test_a_node_too_few(self):
        self.assert_told("count", "answer")

    def test_jobs_that_ours_would_hold_are_shown_in_full(self):
        self.plant("refusal")
        job = cluster.place("-N3")
        found = self.wait_figures(lambda found: found["held_by_nvl72block"], "a start was recorded")
        self.assertIn(job.id, [entry["job"] for entry in found["held_by_nvl72block_in_full"]])
        self.assertRegex(self.report(), rf"HELD BY nvl72block(?s:.*)job={job.id}\n")

    def test_a_file_that_cannot_be_written(self):
        """A folder in its place: for root there is no file that it may not write."""
        self.open(ON)
        cluster.ask("lab-ctl", "stop")
        self.file().unlink(missing_ok=True)
        self.file().mkdir()
        cluster.ask("lab-ctl", "start")
        mark = len(cluster.read_log())
        cluster.place("-N2")
        def told():
            self.settle()
            return "records of shadow mode are not written" in cluster.read_log(mark)
        cluster.wait_until(told, cluster.WAIT_SECONDS, "the failure was logged")
        self.file().rmdir()
        self.assert_loss_recorded()

    def test_a_full_disk(self):
        """StateSaveLocation is a small file system, which a file fills up: slurmctld goes on, and once there is room again the loss is told."""
        self.open(ON)
        cluster.ask("lab-ctl", "stop")
        instance = cluster.this_instance()
        state = Path(f"{instance.release.root or ''}{instance.state}")
        namespace.mount("tmpfs", state, "tmpfs", namespace.MS_NOSUID | namespace.MS_NODEV, "size=4m,mode=755")
        self.file = lambda: state / NAME
        cluster.ask("lab-ctl", "start")
        cluster.cancel(cluster.place("-N3").id)
        self.wait_figures(lambda found: found["started"], "a start was recorded")
        # Slurm itself refuses new jobs while it cannot write their scripts.
        jobs = [cluster.submit("--hold", "-N2") for _ in range(18)]
        held = jobs[:]
        mark, ballast = len(cluster.read_log()), state / "ballast"
        with self.assertRaisesRegex(OSError, "No space left"), open(ballast, "wb", buffering=0) as stream:
            while True:
                stream.write(b"-" * 512)
        whole = self.file().read_text("utf-8")
        # The last page of the file has room for a few records.
        cluster.ask("scontrol", "release", ",".join(map(str, held[4:])))
        cluster.wait_job(held[4], lambda job: job.placed, "had nodes")
        def told():
            if held:
                cluster.ask("scontrol", "release", str(held.pop(0)))
            return "records of shadow mode are not written: cannot write" in cluster.read_log(mark)
        cluster.wait_until(told, cluster.WAIT_SECONDS, "the failure was logged")
        self.assertTrue(self.file().read_text("utf-8").startswith(whole))
        ballast.unlink()
        cluster.ask("scancel", *map(str, jobs))  # they may fill the cluster: a loss is told with the next start
        self.assert_loss_recorded()
        self.assertEqual(self.figures()["damaged"], 0)
        metrics = cluster.ask(str(plugin_build.command()), "metrics", "--shadow", str(self.file()))
        self.assertRegex(metrics, r"(?m)^nvl72block_shadow_writes_failed [1-9]")

    def assert_loss_recorded(self):
        """Once the file can be written again."""
        found = self.wait_figures(lambda found: found["lost"] and found["faults"], "the loss was recorded")
        self.assertEqual(found["faults"][0]["kind"], "file")
        self.assertRegex(self.report(), r"records not written +\d+ times")


class Topologies(Shadow):
    """The drop-in with topology.yaml: each topology has records of its own."""

    options = ("--dropin",)
    oldest = (25, 5)

    def setUp(self):
        self.mark = len(cluster.read_log())
        self.write(f"{ON},Nvl72Demand=off")

    @staticmethod
    def write(words):
        """Slurm with these words in TopologyParam."""
        path = cluster.configuration() / "slurm.conf"
        text = re.sub(r"(?m)^TopologyParam=.*\n", "", path.read_text("utf-8")).replace(test_yaml.PARTITIONS, "")
        path.write_text(f"{text}{test_yaml.PARTITIONS}TopologyParam={words}\n", "utf-8")
        (cluster.configuration() / "topology.yaml").write_text(test_yaml.yaml(), "utf-8")
        cluster.ask("lab-ctl", "restart")

    @staticmethod
    def decisions(topology):
        """Sizes of the blocks, and nodes by topology/block, of each decision about that topology."""
        path = cluster.this_instance().state / f"{topology}_{NAME}"
        text = path.read_text("utf-8") if path.exists() else ""
        sizes = {row["id"]: row["sizes"] for row in shadow_campaign.rows(text, "topology")}
        return [(sizes[row["topology"]], row["block"]) for row in shadow_campaign.rows(text, "decision") if "block" in row]

    def wait_decisions(self, topology, count):
        """The same, once there are so many; another decision settles those before it."""
        def look():
            for partition in ("halves", "racks"):
                cluster.cancel(cluster.submit("-N2", *(("-p", partition) if partition == "halves" else ())))
            found = self.decisions(topology)
            return len(found) >= count and found
        return cluster.wait_until(look, cluster.WAIT_SECONDS, f"decisions about {topology} were recorded")

    def test_each_topology_on_its_own(self):
        self.assert_spread(cluster.place("-N18", "--segment=18"), [18])
        self.assertEqual(len(cluster.place("-N18", "-p", "halves", "--segment=9").nodes), 18)
        self.assertEqual(len(cluster.place("-N40", "-p", "anywhere").nodes), 40)
        self.assertEqual(self.wait_decisions("racks", 1)[0][0], "18")
        self.assertEqual(self.wait_decisions("halves", 1)[0][0], "9,18")
        self.assertEqual(self.log().count("Slurm's own topology/block decides"), 2)

    def test_membership_and_its_topology_as_with_topology_block(self):
        def move_and_look():
            cluster.ask("scontrol", "update", "nodename=node000", "topology=racks:rack2,halves:half12")
            told = cluster.run("scontrol", "update", "nodename=node001", "topology=racks:typo")
            return [told, *(cluster.ask("scontrol", "show", *question) for question in (("topology",), ("topology", "halves"), ("topoconf",)))]
        ours = move_and_look()
        self.assertIn("node000", cluster.place("-N19", "-w", "node[018-035]", "-x", "node[036-107]").nodes)
        self.assertEqual(len(self.wait_decisions("racks", 1)[0][1].split(",")), 2)  # node000, and the rest of rack2
        search_own_plugins(False)
        self.write("Nvl72Shadow=off")
        self.assertEqual(move_and_look(), ours)


class Reproducers(Shadow):
    """nvl72block shadow --export."""

    COUNT = int(os.environ.get("NVL72BLOCK_EXPORTS", "8"))

    def test_plan_repeats_our_answer(self):
        self.open(ON)
        dice, running = random.Random(SEED), []
        for _ in range(3 * self.COUNT):
            job = cluster.tried(cluster.submit(f"-N{dice.randint(1, 9)}"))
            (running.append(job.id) if job.placed else cluster.cancel(job.id))
            while len(running) > 4:
                cluster.cancel(running.pop(dice.randrange(len(running))))
        found = self.wait_figures(lambda found: found["started"] >= self.COUNT, "decisions were recorded")
        for number in range(1, min(found["decisions"], self.COUNT) + 1):
            self.assert_planned(self.report("--export", str(number)), "nvl72block")

    def test_report_of_a_job_without_shadow_mode(self):
        """Its files repeat what it tells: by `plan`, and by a slurmctld with the same plugin."""
        for plugin in (OURS, STOCK):
            self.open("Nvl72Shadow=off", plugin=plugin)
            self.fragment()
            running = cluster.place("-N2").id
            waiting = cluster.submit("-N6", "--segment=6")
            self.assertTrue(cluster.stays_pending(waiting))
            reports = [cluster.ask(str(plugin_build.command()), "report", str(number)) for number in (running, waiting)]
            self.assertRegex(reports[1], rf"{plugin} PENDING \((Resources|No_suitable_topology_unit_found)\)")  # the latter since Slurm 26.05
            for text in reports:
                self.assertNotRegex(text, "r[1-6]n0|root")
                self.assert_planned(text, "plan")
                self.assert_repeated(text, plugin)

    def assert_repeated(self, exported, plugin):
        """By slurmctld."""
        parts = export_campaign.sections(exported)
        cluster.ask("lab-ctl", "kill")
        cluster.ask("lab-ctl", "forget")
        for name, text in scenario.exported_files(parts, self.stage.plain).items():
            (cluster.configuration() / name).write_text(text, "utf-8")
        cluster.use_plugin(plugin)
        cluster.ask("lab-ctl", "start")
        for program, *words in map(shlex.split, parts["commands"].splitlines()):
            if program == "scontrol":
                cluster.ask(program, *words)
            elif program == "sbatch":
                job = cluster.tried(cluster.submit(*(word for word in words if not word.startswith("--wrap"))))
        told = self.told(parts, plugin)
        self.assertEqual(sorted(job.nodes) or job.state, told.split()[0] if "PENDING" in told else sorted(hostlist.expand(told)), exported)

    @staticmethod
    def told(parts, who):
        """The answer of one of those who answered."""
        return dict(line.split(" ", 1) for line in parts["answers"].splitlines())[who]

    def assert_planned(self, exported, who):
        """By the command, from the exported files."""
        parts = export_campaign.sections(exported)
        told = self.told(parts, who)
        held = told in (export_campaign.HELD, "does not fit")
        self.assertEqual(export_campaign.planned(parts), export_campaign.HELD if held else sorted(hostlist.expand(told)), exported)
