# SPDX-License-Identifier: GPL-2.0-or-later
"""What `nvl72block capacity`, `why` and `snapshot` say of a running cluster is what slurmctld then does."""

import json
import subprocess
import tempfile
from pathlib import Path

from nvl72lab import cluster, plugin_build
from nvl72lab.lab_case import LabCase

RACKS = {f"rack{rack + 1:02}": [f"node{number:03}" for number in range(18 * rack, 18 * rack + 18)] for rack in range(12)}
SIZES = (1, 2, 4, 8, 9, 16, 18)
# Nodes in use by rack, with the time limit of their job in minutes.
JOBS = {"rack01": (16, 60), "rack02": (2, 90), "rack03": (18, 120), "rack04": (9, 30), "rack05": (1, 240), "rack06": (6, 45),
        "rack08": (3, 75), "rack09": (18, 50), "rack11": (5, 200)}
DRAINED = ["node000", "node035", "node080", "node081", "node130"]
RESERVED = [f"node{number:03}" for number in range(200, 208)]  # in rack12, from now on
LATER = RACKS["rack10"]  # reserved in two hours


def tool(*arguments):
    """Runs the project's command; returns what it prints as JSON."""
    done = subprocess.run([plugin_build.command(), *arguments, "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"nvl72block {' '.join(arguments)}: {done.stderr}")
    return json.loads(done.stdout)


def configure():
    """Twelve racks, and a second partition of the first two."""
    path = cluster.configuration() / "slurm.conf"
    kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(("NodeName=", "PartitionName=", "GresTypes="))]
    (cluster.configuration() / "gres.conf").unlink(missing_ok=True)
    kept += ["NodeName=node[000-215] CPUs=4 RealMemory=900 State=CLOUD",
             "PartitionName=main Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP",
             "PartitionName=debug Nodes=node[000-035] OverSubscribe=EXCLUSIVE MaxTime=60 State=UP"]
    path.write_text("\n".join(kept) + "\n", "utf-8")
    cluster.write_topology("".join(f"BlockName={name} Nodes={nodes[0]},{','.join(nodes[1:])}\n" for name, nodes in RACKS.items())
                           + "BlockSizes=18,36,72\n")
    cluster.ask("lab-ctl", "kill")
    cluster.ask("lab-ctl", "forget")
    cluster.ask("lab-ctl", "start")


def make_mess():
    """Jobs, drained trays and reservations; returns the nodes that are left."""
    cluster.ask("scontrol", "update", f"nodename={','.join(DRAINED)}", "state=drain", "reason=bad NVLink tray")
    used = set()
    for rack, (count, minutes) in JOBS.items():
        nodes = [node for node in RACKS[rack] if node not in DRAINED][:count]
        cluster.place(f"-N{len(nodes)}", f"-t{minutes}", "-w", ",".join(nodes))
        used.update(nodes)
    for name, start, nodes in (("now", "now", RESERVED), ("later", "now+2hours", LATER)):
        cluster.ask("scontrol", "create", "reservation", f"reservationname={name}", f"starttime={start}", "duration=600",
                    f"nodes={','.join(nodes)}", "user=root")
    taken = used | set(DRAINED) | set(RESERVED)
    return {rack: [node for node in nodes if node not in taken] for rack, nodes in RACKS.items()}


class Answers(LabCase):
    """Twelve racks in a mess."""

    config = "eight-by-18"
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
        self.assertEqual(counts, {size: sum(len(nodes) // size for nodes in free.values()) for size in SIZES})
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
