# SPDX-License-Identifier: GPL-2.0-or-later
"""A judge for `nvl72block why`: random clusters in use, random jobs that wait, and each verdict, number, suggestion and time of start
against slurmctld.

NVL72BLOCK_WAITING=400 judges that many jobs that wait, NVL72BLOCK_SEED=N other ones.
"""

import os
import random
from collections import Counter
from unittest import mock

from nvl72lab import answers, cluster, mess
from nvl72lab.lab_case import LabCase
from nvl72lab.waiting import SharedNodes, WholeNodes, false_numbers, in_use

SEED = os.environ.get("NVL72BLOCK_SEED", "1")
WAITING = int(os.environ.get("NVL72BLOCK_WAITING", "16"))
FORECAST = bool(os.environ.get("NVL72BLOCK_FORECAST"))  # asks backfill for its plan, which takes a cycle per job


def judged(kind, options):
    """What is false in the answer about a job, None where the cluster has changed meanwhile; and the answer."""
    racks, before = [kind.nodes(rack) for rack in range(kind.racks)], in_use()
    found, answer = answers.faults(options, forecast=FORECAST, numbers=lambda sentence: false_numbers(sentence, options, racks, kind.whole))
    return found if not found or in_use() == before else None, answer


def smallest(kind, options):
    """The options without those that the first fault does not need, and what is false then."""
    found, _ = judged(kind, options)
    for option in [each for each in options if not each.startswith(("-N", "-n"))]:
        fewer = [each for each in options if each != option]
        still, _ = judged(kind, fewer)
        if still:
            options, found = fewer, still
    return options, found


class Waiting(LabCase):
    """Each class of clusters has half of the jobs."""

    config = "eight-by-18"
    started = False
    lengthy = ("test_whole_nodes", "test_shared_nodes")
    needs_command = ("test_whole_nodes", "test_shared_nodes", "test_planted_faults_are_found",
                     "test_a_wrong_number_of_the_plugin_is_found")

    def judge(self, kind, count):
        kind.start()
        counts, wrong = Counter(), []
        while counts["waited"] < count and counts["asked"] < 6 * count:
            kind.change()
            options = kind.request()
            found, answer = judged(kind, options)
            counts["asked"] += 1
            if answer is None:
                continue
            if found is None:
                counts["set aside"] += 1
                continue
            counts["waited"] += 1
            counts["by slurmctld"] += (answer.get("refusal") or {}).get("source") == "slurmctld"
            counts["not considered"] += bool(answer["not_considered"])
            counts.update(f"not considered: {part}" for part in answer["not_considered"])
            counts["forecasts"] += FORECAST and not answer["not_considered"] and not answer["fits"]
            counts["suggestions"] += len(answer.get("suggestions", []))
            if found:
                fewer, still = smallest(kind, options)
                wrong.append(f"{' '.join(options)}: {found}\n  {' '.join(fewer)}: {still}\n  {answer.get('suggestions')}")
        self.tell(f"{dict(counts)}, {len(wrong)} wrong")
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertGreater(counts["suggestions"], 0)
        self.assertLessEqual(counts["set aside"], 1 + counts["waited"] // 10)

    def test_whole_nodes(self):
        self.judge(WholeNodes(random.Random(f"{SEED} whole")), WAITING // 2)

    def test_shared_nodes(self):
        self.judge(SharedNodes(random.Random(f"{SEED} shared")), WAITING // 2)

    @staticmethod
    def occupied():
        """Eight nodes of each of twelve racks are in use; what is false in the answer about a job that needs more."""
        mess.configure()
        for rack in range(12):
            cluster.place("-N8", f"-t{60 + rack}", "-w", f"node[{18 * rack:03}-{18 * rack + 7:03}]")
        options = ["-N36", "--segment=12", "-t60"]
        racks = [[f"node{number:03}" for number in range(18 * rack, 18 * rack + 18)] for rack in range(12)]
        return lambda: answers.faults(options, numbers=lambda sentence: false_numbers(sentence, options, racks, True))[0]

    def test_a_wrong_number_of_the_plugin_is_found(self):
        with mock.patch.dict(os.environ, {"NVL72BLOCK_PLANT": "numbers"}):
            told = self.occupied()()
        self.assertTrue(told and all(each.startswith("number") for each in told), told)

    def test_planted_faults_are_found(self):
        """A wrong verdict, number, suggestion or time of start is noticed."""
        faults = self.occupied()

        def found(plant):
            genuine = answers.tool
            answers.tool = lambda *arguments: plant(genuine(*arguments))
            try:
                return faults()
            finally:
                answers.tool = genuine

        def number(answer):
            answer["refusal"]["sentence"] = answer["refusal"]["sentence"].replace("120 nodes", "121 nodes")
            return answer

        def suggestion(answer):
            answer["suggestions"].append({"option": "--segment=18"})
            return answer

        def start(answer, seconds):
            answer["forecast"]["seconds"] += seconds
            return answer

        def too_few_jobs(answer):
            for part in ("after_jobs", "holders"):
                answer["forecast"][part] = answer["forecast"][part][:1]
            return start(answer, -300)

        self.assertEqual(found(lambda answer: answer), [])
        for name, plant in (("verdict", lambda answer: {**answer, "fits": True}), ("number", number), ("suggestion", suggestion),
                            ("forecast", lambda answer: start(answer, 3600)), ("forecast", lambda answer: start(answer, -3600)),
                            ("forecast", too_few_jobs)):
            with self.subTest(plant=name):
                told = found(plant)
                self.assertTrue(told and all(each.startswith(name) for each in told), told)
