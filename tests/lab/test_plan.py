# SPDX-License-Identifier: GPL-2.0-or-later
"""`nvl72block plan`, asked of the running cluster, says where slurmctld then puts the job.

NVL72BLOCK_PLANS=400 asks that many, NVL72BLOCK_SEED=N other ones.
"""

import json
import os
import random
from collections import Counter

from nvl72lab import cluster, hostlist, plugin_build
from nvl72lab.lab_case import LabCase
from nvl72lab.mess import configure_shared
from nvl72lab.plan_requests import Changing, sites
from nvl72lab.scenario import OURS, STOCK, Stage

SEED = os.environ.get("NVL72BLOCK_SEED", "1")
PLANS = int(os.environ.get("NVL72BLOCK_PLANS", "100"))


def planned(wanted):
    """What the command answers."""
    done = cluster.run(str(plugin_build.command()), "plan", "--json", *wanted.of_plan())
    if done.code not in (0, 1):
        raise AssertionError(f"plan {' '.join(wanted.of_plan())}: {done.err}")
    return json.loads(done.out)


class Limits(LabCase):
    """Partitions with limits."""

    config = "eight-by-18"
    started = False
    needs_command = ("test_what_sbatch_refuses",)

    def test_what_sbatch_refuses(self):
        """The answer does not say "waits" of what sbatch refuses, nor the other way, nor a start of either."""
        jobs = [line.split() for line in (
            "-psmall -N5 -t30", "-psmall -N3-9 -t30", "-psmall -N1 -t90", "-plarge -N2", "-plarge -N2-20", "-psmall,main -N5 -t30", "-pmain,small -N5 -t30",
            "-psmall,large -N5 -t30", "-psmall -N2")]
        for enforced in ("NO", "ANY", "ALL"):
            cluster.run("lab-ctl", "kill")
            path = cluster.configuration() / "slurm.conf"
            path.write_text("".join(line for line in path.read_text("utf-8").splitlines(True)
                                    if not line.startswith(("EnforcePartLimits", "DefMemPerCPU"))), "utf-8")
            configure_shared(f"EnforcePartLimits={enforced}")
            for options in jobs:
                with self.subTest(enforced=enforced, job=options):
                    done = cluster.run(str(plugin_build.command()), "plan", "--", "sbatch", *options)
                    number, refusal = cluster.offer(*options)
                    waits = number is not None and cluster.stays_pending(number)
                    self.assertEqual(done.code == 0, number is not None and not waits, f"{done.out} {refusal}")
                    self.assertEqual("and it waits" in done.out, waits, f"{done.out} {refusal}")
                    if number is None:
                        self.assertRegex(done.out, "sbatch refuses such a job")
                    else:
                        cluster.cancel(number)


class Plan(LabCase):
    """A quarter of the requests on each site."""

    started = False
    lengthy = ("test_whole_racks", "test_planned_below_the_rack", "test_weights", "test_small_blocks")
    needs_command = ("test_whole_racks", "test_planned_below_the_rack", "test_weights", "test_small_blocks", "test_stock_block")

    def compare(self, wanted, plan, seen, plugin):
        """How the two answers differ; None where they do not."""
        nodes = set(hostlist.expand(plan["nodes"])) if plan["fits"] else set()
        if plugin == STOCK:  # chooses by rules of its own, and the answer says so
            self.assertIn("TopologyPlugin=topology/block", " ".join(plan["remarks"]))
            return f"starts on {hostlist.compress(seen.nodes)}" if seen and seen.placed and not nodes else None
        placed = set(seen.nodes) if seen and seen.placed else set()
        return None if nodes == placed else f"is {hostlist.compress(placed) or seen}"

    def ask(self, index, plugin=OURS, count=PLANS // 4):
        """Plans each request, submits it, and keeps every other job."""
        changing = Changing(sites()[index], random.Random(f"{SEED} {index}"))
        Stage().open(changing.site, plugin)
        counts, wrong = Counter(), []
        for number in range(count):
            changing.change()
            wanted = changing.request()
            plan = planned(wanted)
            job, refusal = cluster.offer(*wanted.of_sbatch())
            seen = None if job is None else cluster.tried(job)
            counts["start" if seen and seen.placed else "wait" if seen else "refused by sbatch"] += 1
            counts["fit"] += plan["fits"]
            difference = self.compare(wanted, plan, seen, plugin)
            if difference:
                wrong.append(f"request {number}: {' '.join(wanted.of_plan())}\n  plan {plan.get('nodes') or plan['reason']}, job {difference} {refusal}")
            if seen and seen.placed and number % 2:
                changing.keep(job)
            elif job:
                cluster.cancel(job)
        self.tell(f"seed {SEED}, {dict(counts)}")
        self.assertEqual([], wrong, "\n".join(wrong))

    def test_whole_racks(self):
        self.ask(0)

    def test_planned_below_the_rack(self):
        self.ask(1)

    def test_weights(self):
        self.ask(2)

    def test_small_blocks(self):
        self.ask(3)

    def test_stock_block(self):
        """The command needs no plugin: whatever topology/block starts fits."""
        self.ask(3, STOCK, 10)
