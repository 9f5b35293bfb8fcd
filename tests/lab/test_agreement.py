# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin and the command agree about a node's usability and clique, a job's request and the demand, in random states of a cluster.

NVL72BLOCK_STATES=1000 compares that many states, NVL72BLOCK_SEED=N other ones.
"""

import json
import os
import random
import re
import time
from collections import Counter

from nvl72lab import cluster, hostlist, mess, plugin_build
from nvl72lab.daemons import wait_until
from nvl72lab.lab_case import LabCase, since
from nvl72lab.places import LabError

SEED = os.environ.get("NVL72BLOCK_SEED", "1")
STATES = int(os.environ.get("NVL72BLOCK_STATES", "100"))
RACKS = [[f"node{number:03}" for number in range(18 * rack, 18 * rack + 18)] for rack in range(4)]
NODES = [node for rack in RACKS for node in rack]
FIRST = "--priority=4000000000"
NUMBERS = {"usable": r"(\d+) (?:nodes? )?(?:is|are) (?:usable|free)", "drained": r", (\d+) drained",
           "segments": r"only (\d+) fits? in", "best block": r"the best block has (\d+)",
           "best clique": r"at most (\d+) usable in one clique", "without clique": r", (\d+) more not usable"}


def clique(rack):
    return f"b78ed242-7b98-426f-b194-b76b8899f4{rack:02x}.1"


def configure():
    """Four racks whose cliques count, a partition of whole nodes and one of whole racks."""
    path = cluster.configuration() / "slurm.conf"
    kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(("NodeName=", "PartitionName=", "GresTypes="))]
    kept += ["TopologyParam=Nvl72Clique=enforce",
             *(f"NodeName={hostlist.compress(nodes)} CPUs=4 RealMemory=900 State=CLOUD Feature=quad,{clique(rack)}"
               for rack, nodes in enumerate(RACKS)),
             "PartitionName=main Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP",
             "PartitionName=alone Nodes=ALL OverSubscribe=EXCLUSIVE ExclusiveTopo=YES MaxTime=INFINITE State=UP"]
    path.write_text("\n".join(kept) + "\n", "utf-8")
    cluster.write_topology("".join(f"BlockName=rack{rack} Nodes={hostlist.compress(nodes)}\n" for rack, nodes in enumerate(RACKS))
                           + "BlockSizes=18,36,72\n")
    cluster.ask("lab-ctl", "start")
    cluster.ask("scontrol", "setdebugflags", "+SelectType")


class States:
    """Changes the cluster at random, and counts what it has done."""

    def __init__(self, rng):
        self.rng, self.running, self.drained, self.done = rng, [], set(), Counter()

    def update(self, node, *words):
        cluster.ask("scontrol", "update", f"nodename={node}", *words)

    def change(self):
        kind = self.rng.choice(("end", "drain", "drain", "back", "clique", "feature"))
        if getattr(self, kind)() is not False:
            self.done[kind] += 1

    def keep(self, job):
        """Whether a job that was placed goes on."""
        if len(job.nodes) > 18 or len(self.running) > 6:
            return False
        self.running.append(job)
        return True

    def end(self):
        if not self.running:
            return False
        cluster.cancel(self.running.pop(self.rng.randrange(len(self.running))).id)
        return True

    def drain(self):
        """Every second time of a node with a job."""
        used = [node for job in self.running for node in job.nodes]
        node = self.rng.choice(used if used and self.rng.random() < .5 else NODES)
        if len(self.drained) > 8:
            return False
        self.update(node, "state=drain", "reason=fan")
        self.drained.add(node)
        self.done["draining with a job"] += node in used
        return True

    def back(self):
        if not self.drained:
            return False
        node = self.rng.choice(sorted(self.drained))
        self.drained.remove(node)
        self.update(node, "state=resume")
        return True

    def clique(self):
        """A tray whose clique is that of another rack, none, or its own again."""
        features = "quad" if self.rng.random() < .3 else f"quad,{clique(self.rng.randrange(4))}"
        self.update(self.rng.choice(NODES), f"availablefeatures={features}", f"activefeatures={features}")

    def feature(self):
        """What is available stays, its clique too; what is active does not."""
        self.update(self.rng.choice(NODES), "activefeatures=" + self.rng.choice(("quad", "")))

    def request(self):
        """All nodes that there are, or some that may not fit."""
        if self.rng.random() < .25:
            return ["-N1-72", f"-p{self.rng.choice(('main', 'alone'))}"]
        size = self.rng.choice((0, 0, 2, 4, 6, 9, 16, 18))
        nodes = self.rng.randint(1, 4 * (18 // max(size, 1))) * max(size, 1) if size else self.rng.choice((3, 6, 9, 12, 18, 30, 54, 72))
        options = [f"-N{nodes}", *([f"--segment={size}"] if size else []),
                   *self.rng.choice(((), (), (), ("-palone",), ("--exclusive=topo",)))]
        if self.rng.random() < .2:
            options.append(f"-x{hostlist.compress(self.rng.sample(NODES, 4))}")
        if self.rng.random() < .2:
            options.append("-Cquad")
        return options


def numbers(sentence):
    """The counts of a refusal by what they count."""
    found = {name: int(told[1]) for name, pattern in NUMBERS.items() if (told := re.search(pattern, sentence))}
    if "usable" in found:
        found.setdefault("drained", 0)
    return found


def sentence_of(number):
    """What the plugin has written about a job; "" for none."""
    shown = re.search(r"SystemComment=nvl72block: (.*?)(?: +StdErr=|$)", cluster.run("scontrol", "-o", "show", "job", str(number)).out)
    return shown[1].split("; starts ")[0] if shown else ""


def planned(options):
    """The command's answer about a job."""
    done = cluster.run(plugin_build.command(), "plan", "--json", "--", "sbatch", *options)
    if done.code > 1:
        raise AssertionError(done.err)
    return json.loads(done.out)


def compared(options, counts, plant=lambda answer: answer, keep=lambda job: False):
    """How the command's answer about a job, changed by `plant`, differs from the plugin's; `keep`: of a job that is placed, whether it
    goes on."""
    answer = plant(planned(options))
    number, refusal = cluster.offer(*options, FIRST, "--no-requeue")
    if number is None:
        return [f"sbatch: {refusal}"] if answer["fits"] else []
    seen = wait_until(lambda: (lambda job: job if job.placed or job.reason not in ("None", "") else None)(cluster.job(number)),
                      cluster.WAIT_SECONDS, f"job {number} was tried")
    sentence = "" if seen.placed else sentence_of(number)
    if not seen.placed or not keep(seen):
        cluster.cancel(number)
    if answer["fits"] != seen.placed:
        return [f"plan: {answer.get('reason', 'fits')}; slurmctld: {seen}, {sentence}"]
    if seen.placed:
        counts["placed"] += 1
        whole = "-N1-72" in options and mess.nodes_of(answer) != set(seen.nodes)
        return [f"usable for plan only or the plugin only: {sorted(mess.nodes_of(answer) ^ set(seen.nodes))}"] if whole else []
    ours, theirs = numbers(answer["reason"]), numbers(sentence)
    counts["refused with numbers"] += bool(ours.keys() & theirs.keys())
    return [f"plan: {answer['reason']}; plugin: {sentence}"
            for name in sorted(ours.keys() & theirs.keys()) if ours[name] != theirs[name]][:1]


def demands():
    """What slurmctld has counted last, and what the command says that it keeps slots for."""
    counted = re.findall(r"demand for slots of nodes is (\S+); \d+ jobs", cluster.read_log())[-1:]
    kept = [told[1] for remark in planned(["-N1"])["remarks"] if (told := re.match(r"slurmctld keeps slots for (\S+) \(", remark))]
    return counted, kept


def teach():
    """Makes slurmctld learn from an accounting beside which a queue of 72 nodes does not count: 24.11 shows no queue's segments."""
    now, days = int(time.time()), range(1, 31)
    lines = [f"{size}{day}|{now - 86400 * day - 60}|{now - 86400 * day}|{now - 86400 * (day - 1)}|{48000 * size}|{size}"
             for size in (4, 16) for day in days]
    instance = cluster.this_instance()
    accounting = instance.folder / "sacct.txt"
    accounting.write_text("\n".join(["JobID|Submit|Start|End|NNodes|SegmentSize", *lines, ""]), "utf-8")
    cluster.ask(str(plugin_build.command()), "learn", str(accounting), "--output", str(instance.state / "nvl72block_history"))
    cluster.ask("scontrol", "reconfigure")
    cluster.ask("scontrol", "setdebugflags", "+SelectType")


class Agreement(LabCase):
    """Four racks in one slurmctld."""

    config = "eight-by-18"
    started = False
    lengthy = ("test_random_states",)
    needs_command = ("test_random_states", "test_demand", "test_a_planted_disagreement_is_found")

    def test_random_states(self):
        configure()
        if cluster.release() < (25, 5):
            teach()
        states, counts, wrong = States(random.Random(SEED)), Counter(), []
        for state in range(STATES):
            states.change()
            options = states.request()
            wrong += [f"{' '.join(options)}: {each}" for each in compared(options, counts, keep=states.keep)]
            if state % 10 == 9:
                self.agree_on_demand(f"after {state + 1} states")
        self.tell(f"{dict(states.done)}, {dict(counts)}, {len(wrong)} wrong")
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertGreater(counts["refused with numbers"], STATES // 10)
        self.assertGreater(counts["placed"], STATES // 10)

    @since(25, 5)  # before, Slurm shows no segments, and the command counts no queue
    def test_demand(self):
        """Of whole nodes, of segments, of an array, of held jobs and of those for later."""
        configure()
        cluster.place("-N6")
        cluster.submit("-N72")  # waits, so that slurmctld goes on to count
        for options in (("-N12", "--segment=4", FIRST), ("-N3", "--array=1-3", FIRST), ("-N12", "--segment=3"), ("-N5", "--array=1-4"),
                        ("-N9", "-H"), ("-N18", "--begin=now+1hour")):
            cluster.submit(*options)
            self.agree_on_demand(" ".join(options))

    def agree_on_demand(self, when):
        told = []

        def agree():
            cluster.run("sbatch", "--test-only", "-N1", "--wrap", "true")  # slurmctld counts where a job is evaluated
            told[:] = demands()
            return told[0] and told[0] == told[1]

        try:
            wait_until(agree, 40, "both told the same demand")
        except LabError:
            self.fail(f"{when}: slurmctld, nvl72block: {told}")

    def test_a_planted_disagreement_is_found(self):
        """One node too few or too many in the command's answer."""
        configure()
        cluster.place("-N9")

        def found(options, plant):
            return compared(options, Counter(), plant)

        self.assertEqual(found(["-N1-72"], lambda answer: answer), [])
        self.assertTrue(found(["-N1-72"], lambda answer: {**answer, "nodes": "node[018-070]"}))
        refused = ["-N72"]
        self.assertEqual(found(refused, lambda answer: answer), [])
        self.assertTrue(found(refused, lambda answer: {**answer, "reason": answer["reason"].replace("63", "64")}))
        self.assertTrue(found(refused, lambda answer: {**answer, "fits": True}))


class PlannedReboot(LabCase):
    """Two racks of four with real slurmds; Slurm reboots no imaginary nodes."""

    config = "two-by-4-real"
    options = ("--plugin", "nvl72block", "--set", "RebootProgram=/bin/true")
    needs_command = ("test_planned_reboot",)

    def test_planned_reboot(self):
        """A node that is to be rebooted after its job is in use, and not drained."""
        node = cluster.wait_job(cluster.submit("-N1", "--exclusive", FIRST), lambda job: job.state == "RUNNING", "ran").nodes[0]
        cluster.ask("scontrol", "reboot", node)
        self.assertIn("REBOOT_REQUESTED", cluster.ask("scontrol", "-o", "show", "node", node))
        for options in (["-N8", "--exclusive"], ["-N8", "--segment=4", "--exclusive"], ["-N1-8", "--exclusive"]):
            with self.subTest(options=options):
                counts = Counter()
                self.assertEqual(compared(options, counts), [])
                self.assertEqual(sum(counts.values()), 1)
