# SPDX-License-Identifier: GPL-2.0-or-later
"""Random scenarios, each put to Slurm's topology/block and to ours on the same state.

NVL72BLOCK_SCENARIOS=300 runs that many, NVL72BLOCK_SEED=N other ones; a failure names the command that repeats it alone.
build/differential.log gets a line of figures a test.
"""

import os
from collections import Counter

from nvl72lab import cluster, hostlist
from nvl72lab.differential import CASES, Judge, answer, scene, set_state
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT
from nvl72lab.scenario import OURS, STOCK, Stage

SEED = os.environ.get("NVL72BLOCK_SEED", "1")
SCENARIOS = int(os.environ.get("NVL72BLOCK_SCENARIOS", "72"))
ONLY = os.environ.get("NVL72BLOCK_SITE")
PARTS = 4


def repeat(index):
    """The command that puts one site to the test again."""
    return f"NVL72BLOCK_SEED={SEED} NVL72BLOCK_SITE={index} tests/lab/run-tests test_differential"


class Differential(LabCase):
    """A quarter of the sites a test."""

    def ask(self, made, busy):
        """Each case's answer from the plugin in force."""
        found = []
        for case in made.cases:
            set_state(case, busy)
            found.append(answer(case.request))
        return found

    def judge(self, judge, stock, ours):
        """Every way in which ours is wrong or worse than stock."""
        unlisted = judge.unlisted(stock, cluster.release())
        if unlisted:
            return unlisted
        if isinstance(ours, str):
            return [] if isinstance(stock, str) else ["stock finds a place"]
        found = judge.faults(ours)
        if found or isinstance(stock, str) or judge.faults(stock):
            return found
        if judge.outside(ours):
            return [] if judge.outside(stock) else ["stock finds a place in blocks"]
        if judge.outside(stock):
            return []
        if len(stock) > len(ours):
            return ["stock takes more of the range"]
        if len(stock) == len(ours) and judge.cost(stock) < judge.cost(ours):
            return [f"stock's place is better: {judge.cost(stock)} before {judge.cost(ours)}"]
        return []

    def occupy(self, stage, made, plugin, requests):
        """A fresh controller with the site's busy jobs; those that find no place are left out. Returns their nodes."""
        stage.open(made.site, plugin)
        offered = [cluster.offer(*options)[0] for options in requests]
        seen = [cluster.tried(number) for number in offered if number is not None]
        waiting = [job.id for job in seen if not job.placed]
        if waiting:
            cluster.cancel(*waiting)
        return [job.nodes for job in seen if job.placed]

    def compare(self, stage, made):
        """One site: stock first, then ours, with the busy jobs where stock had put them.

        Both begin afresh: a CLOUD node that was drained when slurmctld ended is not as it was before.
        """
        jobs = self.occupy(stage, made, STOCK, made.busy)
        busy = tuple(sorted(node for nodes in jobs for node in nodes))
        stock = self.ask(made, busy)
        again = self.occupy(stage, made, OURS, [(f"-N{len(nodes)}", "-w", ",".join(nodes)) for nodes in jobs])
        self.assertEqual(again, jobs)
        ours = self.ask(made, busy)
        for case, before, after in zip(made.cases, stock, ours):
            judge = Judge(made, case, busy)
            wrong = self.judge(judge, before, after)
            self.assertFalse(wrong, f"repeat it with {repeat(made.index)}\n{made.site}\nbusy {hostlist.compress(busy)}\n"
                                    f"drained {hostlist.compress(case.drained)}\nsbatch {' '.join(case.request.options())}\n"
                                    f"stock {before}\nours  {after}")
            self.figures.update(judge.figures(before, after))

    def part(self, number):
        """Sites number, number + PARTS, ..."""
        if ONLY and int(ONLY) % PARTS != number:
            self.skipTest("another site is asked for")
        stage, self.figures = Stage(), Counter()
        for index in [int(ONLY)] if ONLY else range(number, SCENARIOS // CASES, PARTS):
            with self.subTest(repeat=repeat(index)):
                self.compare(stage, scene(SEED, index))
        self.assertTrue(ONLY or self.figures["stock places"], "no job had a place: nothing was compared")
        figures = ", ".join(f"{name} {count}" for name, count in sorted(self.figures.items()))
        line = f"Slurm {stage.release[0]}.{stage.release[1]:02}, seed {SEED}, part {number + 1}: {figures}"
        self.tell(line)
        again = f"NVL72BLOCK_SEED={SEED} NVL72BLOCK_SCENARIOS={SCENARIOS} tests/lab/run-tests {self.id()}"
        self.tell(f"again with {again}")
        with open(PROJECT / "build/differential.log", "a", encoding="utf-8") as log:
            log.write(f"{line}\n")

    def test_part_1(self):
        self.part(0)

    def test_part_2(self):
        self.part(1)

    def test_part_3(self):
        self.part(2)

    def test_part_4(self):
        self.part(3)
