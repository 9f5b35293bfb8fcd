# SPDX-License-Identifier: GPL-2.0-or-later
"""What `nvl72block capacity`, `why` and `snapshot` say of a running cluster is what slurmctld then does."""

import subprocess
import tempfile
from pathlib import Path

from nvl72lab import cluster, plugin_build
from nvl72lab.lab_case import LabCase
from nvl72lab.mess import LATER, SIZES, configure, make_mess, tool


class Answers(LabCase):
    """Twelve racks in a mess."""

    config = "eight-by-18"
    started = False
    lengthy = ("test_capacity_is_what_starts", "test_each_suggestion_starts")
    needs_command = ("test_capacity_is_what_starts", "test_each_suggestion_starts", "test_forecast_is_when_enough_racks_are_free",
                     "test_snapshot_says_the_same")

    def setUp(self):
        configure()
        self.free = make_mess()

    def starts(self, *options):
        """Whether a job with these options gets its nodes; it is cancelled again."""
        number, refusal = cluster.offer(*options)
        if number is None:
            self.tell(f"{options}: {refusal}")
            return False
        seen = cluster.tried(number)
        cluster.cancel(number)
        return seen.placed

    def check_counts(self, answer, free, options):
        """Each count against an independent one, and against what starts."""
        self.assertEqual(answer["free"]["count"], sum(map(len, free.values())))
        counts = {entry["size"]: entry["count"] for entry in answer["segments"]}
        self.assertEqual(set(counts), {*SIZES, 36, 72})  # with the sizes of aggregated blocks
        self.assertEqual({size: counts[size] for size in SIZES}, {size: sum(len(nodes) // size for nodes in free.values()) for size in SIZES})
        for size, count in counts.items():
            with self.subTest(size=size, count=count):
                if count:
                    self.assertTrue(self.starts(f"-N{count * size}", f"--segment={size}", *options))
                self.assertFalse(self.starts(f"-N{(count + 1) * size}", f"--segment={size}", *options))
        largest = answer["largest_job"]
        self.assertTrue(self.starts(f"-N{largest}", *options))
        self.assertFalse(self.starts(f"-N{largest + 1}", *options))

    def test_capacity_is_what_starts(self):
        without_later = {rack: nodes for rack, nodes in self.free.items() if nodes != LATER}
        self.check_counts(tool("capacity"), without_later, ())
        self.check_counts(tool("capacity", "--time", "60"), self.free, ("-t60",))
        first_two = {rack: self.free[rack] for rack in ("rack01", "rack02")}
        self.check_counts(tool("capacity", "--partition", "debug"), first_two, ("-pdebug", "-t60"))
        # Whole jobs in place of segments: exactly so many start.
        count = tool("capacity", "--segment", "16")["segments"][0]["count"]
        jobs = [cluster.submit("-N16") for _ in range(count + 1)]
        self.assertEqual([cluster.tried(job).placed for job in jobs], [True] * count + [False])

    def test_each_suggestion_starts(self):
        carried_out = set()
        for nodes, segment, minutes in ((48, 16, 60), (64, 16, 60), (36, 18, 600), (54, 18, 60), (72, 0, 60), (140, 2, 60)):
            options = [f"-N{nodes}", f"-t{minutes}", *([f"--segment={segment}"] if segment else [])]
            number = cluster.submit(*options)
            seen = cluster.tried(number)
            answer = tool("why", str(number), "--segment", str(segment))
            cluster.cancel(number)
            with self.subTest(options=options, answer=answer):
                if seen.state == "PENDING":
                    self.assertFalse(answer["fits"])
                for suggestion in answer.get("suggestions", []):
                    self.carry_out(options, suggestion)
                    carried_out.add(suggestion.get("option", "repaired").split("=")[0])
        self.assertLessEqual({"--segment", "--nodes", "--time", "repaired"}, carried_out)

    def carry_out(self, options, suggestion):
        """The job with one change starts."""
        if "repaired" in suggestion:
            cluster.ask("scontrol", "update", f"nodename={suggestion['repaired']}", "state=resume")
            self.assertTrue(self.starts(*options), suggestion)
            cluster.ask("scontrol", "update", f"nodename={suggestion['repaired']}", "state=drain", "reason=bad NVLink tray")
            return
        key = suggestion["option"].split("=")[0]
        short = {"--nodes": "-N", "--time": "-t"}.get(key, key)
        kept = [option for option in options if not option.startswith(short)]
        self.assertTrue(self.starts(*kept, suggestion["option"]), suggestion)

    def test_forecast_is_when_enough_racks_are_free(self):
        """A bisection over all ends missed it: the reservation of rack10 makes the free racks fewer again."""
        number = cluster.submit("-N90", "--segment=18", "-t60")
        self.assertFalse(cluster.tried(number).placed)
        seconds = tool("why", str(number), "--segment=18")["forecast"]["seconds"]
        # Racks 7 and 10 are free; 4, 6 and 9 have no drained trays and are free after 30, 45 and 50 minutes.
        self.assertAlmostEqual(seconds, 50 * 60, delta=300)

    def test_snapshot_says_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "state"
            subprocess.run([plugin_build.command(), "snapshot", target], check=True, capture_output=True)
            live, saved = tool("capacity"), tool("capacity", "--state", str(target))
            self.assertEqual({**live, "time": ""}, {**saved, "time": ""})
