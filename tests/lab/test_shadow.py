# SPDX-License-Identifier: GPL-2.0-or-later
"""Shadow mode: topology/block decides, nvl72block records what it would have decided (docs/shadow.md).

The long forms are tests/parity/run --shadow, and --exports.
"""

import json
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from nvl72lab import cluster, hostlist, plugin_build
from nvl72lab.instance import Instance
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT
from nvl72lab.scenario import EXCLUSIVE, OURS, STOCK, Site, Stage
from nvl72lab.scenario_switch import jobs, search_own_plugins, start_fails

sys.path.insert(0, str(PROJECT / "tests/parity"))
# pylint: disable=wrong-import-position
import test_yaml
from nvl72parity import preload, shadow_campaign
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
        """Another decision settles those before it; it is left out of all counts by being the last."""
        cluster.cancel(cluster.submit("-N1"))

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
        preload.ensure(release)
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
            self.repeat(self.report("--export", str(number)))

    def repeat(self, exported):
        """The command's own answer from the exported files."""
        parts = dict(part.split("\n", 1) for part in exported.split("--- ")[1:])
        topology = self.file().parent / "exported.conf"
        topology.write_text(parts["topology.conf"], "utf-8")
        weights = self.file().parent / "exported.weights"
        weights.write_text(parts["weights"], "utf-8")
        line = next(line for line in parts["commands"].splitlines() if line.startswith("nvl72block plan"))
        words = line.replace("topology.conf", str(topology)).replace("weights weights", f"weights {weights}").split()[1:]
        told = json.loads(subprocess.run([plugin_build.command(), *words, "--json"], capture_output=True, text=True, check=False).stdout)
        ours = next(line for line in parts["answers"].splitlines() if line.startswith("nvl72block ")).split(" ", 1)[1]
        self.assertEqual(sorted(hostlist.expand(told["nodes"])), sorted(hostlist.expand(ours)), exported)
