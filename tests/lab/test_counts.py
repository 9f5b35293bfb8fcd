# SPDX-License-Identifier: GPL-2.0-or-later
"""Every number that the command prints of a running cluster, against a count of the test's own."""

import re
import shutil
import subprocess
import tempfile
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

from nvl72lab import cluster, plugin_build
from nvl72lab.counts import Room, Shown, job_ends
from nvl72lab.lab_case import LabCase
from nvl72lab.mess import DRAINED, JOBS, LATER, RACKS, RESERVED, SIZES, configure, make_mess, nodes_of, tool

EXCLUSIVE = RACKS["rack07"]  # a job with --exclusive=topo has five of them
FORMAT = "%Y-%m-%dT%H:%M:%S"


def text(*arguments):
    """What the command prints, and what it says on its error output."""
    done = subprocess.run([plugin_build.command(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"nvl72block {' '.join(arguments)}: {done.stderr}")
    return done.stdout


class Counts(LabCase):
    """Twelve racks in a mess, one of them carved up by a job that shares it with nobody."""

    config = "eight-by-18"
    started = False
    needs_command = ("test_capacity", "test_capacity_planned_below_the_rack", "test_why", "test_metrics_and_drawings")

    def mess(self, sizes=(18, 36, 72)):
        """Prepares it; what is left of each rack goes to self.free."""
        configure(",".join(map(str, sizes)))
        self.sizes = sizes
        self.free = make_mess()
        self.exclusive = cluster.place("-N5", "-t100", "--exclusive=topo", "-w", ",".join(EXCLUSIVE[:5]))
        self.free["rack07"] = []

    def check_capacity(self, answer, free, held):
        """All of it."""
        room, shown = Room(free, self.sizes), Shown.now(held)
        everything = {name for nodes in free.values() for name in nodes}
        self.assertEqual(everything, shown.free)
        for key, nodes in (("free", shown.free), ("busy", shown.busy), ("out_of_service", shown.out), ("reserved", shown.reserved)):
            self.assertEqual((nodes_of(answer[key]), answer[key]["count"]), (nodes, len(nodes)), key)
        for entry in answer["segments"]:
            size = entry["size"]
            self.assertEqual(entry["count"], room.segments(size), size)
            self.assertEqual({each["block_size"]: each["segments"] for each in entry["in_one_block"]}, room.segments_in_one(size), size)
        levels = {each["block_size"]: (each["whole"], each["broken"], each["blocks"]) for each in answer["levels"]}
        self.assertEqual(levels, {size: (whole, broken, whole + broken + short) for size, (whole, broken, short) in room.blocks().items()})
        self.assertEqual(answer["largest_job"], room.largest_job())
        usable, stock = room.fragmentation()
        self.assertEqual((answer["fragmentation"]["usable"], answer["fragmentation"]["stock"]), (usable, stock))

    def test_capacity(self):
        self.mess()
        soon = {rack: nodes for rack, nodes in self.free.items() if nodes != LATER} | {"rack10": []}
        self.check_capacity(tool("capacity"), soon, {*RESERVED, *LATER})
        self.check_capacity(tool("capacity", "--time=60"), self.free, RESERVED)
        sizes = [f"--segment={size}" for size in (3, 5, 7, 17)]
        self.check_capacity(tool("capacity", "--time=1:00:00", *sizes), self.free, RESERVED)

    def test_capacity_planned_below_the_rack(self):
        self.mess((16, 32, 64))
        self.check_capacity(tool("capacity", "--time=60"), self.free, RESERVED)

    def test_why(self):
        self.mess()
        for nodes, segment in ((90, 18), (64, 16), (106, 2)):
            number = cluster.submit(f"-N{nodes}", "-t60", f"--segment={segment}")
            self.assertFalse(cluster.tried(number).placed)
            self.check_why(tool("why", str(number), f"--segment={segment}"), nodes, segment)
            cluster.cancel(number)
        self.check_running()

    def check_why(self, answer, nodes, segment):
        """The numbers of a job that waits for segments."""
        shown = Shown.now(RESERVED)
        counts = [len(rack) for rack in self.free.values()]
        self.assertEqual([answer[key] for key in ("usable", "busy", "out_of_service", "reserved")],
                         [len(shown.free), len(shown.busy), len(DRAINED), len(RESERVED)])
        blocks = answer["blocks"]
        lacking = {count: counts.count(count) for count in counts if 0 < count < segment}
        self.assertEqual((blocks["wanted_per_block"], blocks["enough"], blocks["empty"]),
                         (segment, sum(count >= segment for count in counts), counts.count(0)))
        self.assertEqual([(each["usable"], each["blocks"]) for each in blocks["lacking"]], sorted(lacking.items(), reverse=True))
        drained = {rack: set(own) & set(DRAINED) for rack, own in RACKS.items()}
        self.assertEqual({each["block"]: nodes_of(each) for each in blocks["out_of_service"]}, {rack: own for rack, own in drained.items() if own})
        fit = sum(count // segment for count in counts)
        self.assertFalse(answer["fits"])
        self.assertIn(f"needs {nodes // segment} segments of {segment} nodes", answer["refusal"]["sentence"])
        self.assertRegex(answer["refusal"]["sentence"], rf"\b{fit}\b fit")
        self.check_forecast(answer["forecast"], nodes // segment, segment, 3600)

    def check_forecast(self, forecast, wanted, segment, seconds):
        """The first end of a job after which enough segments are free until the job has ended."""
        now = datetime.strptime(cluster.ask("date", "+%FT%T").strip(), FORMAT)
        jobs = [(int((datetime.strptime(end, FORMAT) - now).total_seconds()), set(nodes)) for _, end, nodes in job_ends()]
        # Until the job with --exclusive=topo has ended, nobody else has its rack.
        jobs = [(end, nodes | set(EXCLUSIVE) if nodes & set(EXCLUSIVE) else nodes) for end, nodes in jobs]
        held = [(0, 600 * 60, set(RESERVED)), (120 * 60, 720 * 60, set(LATER))]
        for time in sorted([end for end, _ in jobs] + [end for _, end, _ in held]):
            taken = set(DRAINED).union(*(nodes for end, nodes in jobs if end > time),
                                       *(nodes for start, end, nodes in held if start < time + seconds and end > time + 60))
            if sum(len(set(own) - taken) // segment for own in RACKS.values()) >= wanted:
                self.assertAlmostEqual(forecast["seconds"], time, delta=120)
                return
        self.assertIsNone(forecast["seconds"])

    def check_running(self):
        """Racks used, and the fewest possible."""
        plain = cluster.place("-N20", "-t60")
        segments = cluster.place("-N16", "-t60", "--segment=8")
        for job, size in ((plain, 0), (segments, 8)):
            answer = tool("why", str(job.id), *([f"--segment={size}"] if size else []))
            used = cluster.spread(job.nodes)
            self.assertEqual(nodes_of(answer), set(job.nodes))
            # Of two racks of 18: 20 nodes need both, two segments of eight one.
            self.assertEqual((answer["base_blocks"], answer["fewest_base_blocks"]), (len(used), 1 if size else 2))
            whole = sum(count // size for count in used.values()) if size else 0
            self.assertEqual((answer["segments"], answer["whole_segments"]), (2, whole) if size else (0, 0))

    def test_metrics_and_drawings(self):
        self.mess()
        waiting = [cluster.submit("-N108", "--segment=18"), cluster.submit("-N4", "-H")]
        cluster.scheduler_pass()
        self.check_metrics(text("metrics"), waiting)
        self.check_show(tool("show"))
        with tempfile.TemporaryDirectory() as folder:
            text("show", "--svg", f"{folder}/racks.svg")
            text("show", "--html", f"{folder}/racks.html")
            drawing = Path(folder, "racks.svg").read_text("utf-8")
            ElementTree.fromstring(drawing)
            page = Path(folder, "racks.html").read_text("utf-8")
            for name in ("node000", "node215", "rack12"):
                self.assertIn(name, drawing)
                self.assertIn(name, page)
        self.assertIn("rack12", text("show"))

    def check_metrics(self, printed, waiting):
        """Each sample."""
        found = {match[1]: int(match[2]) for match in re.finditer(r"(?m)^([^#\s]\S*) (\d+)$", printed)}
        room, shown = Room(self.free, self.sizes), Shown.now(RESERVED)
        free, stock = len(shown.free), room.fragmentation()
        wanted = {f'nvl72block_nodes{{state="{state}"}}': len(nodes) for state, nodes in
                  (("free", shown.free), ("busy", shown.busy), ("drained", shown.out), ("reserved", shown.reserved))}
        wanted |= {f'nvl72block_free_segments{{size="{size}"}}': room.segments(size) for size in SIZES}
        for size, numbers in room.blocks().items():
            wanted |= {f'nvl72block_blocks{{size="{size}",state="{state}"}}': number
                       for state, number in zip(("whole", "broken", "incomplete"), numbers)}
        wanted |= {"nvl72block_usable_nodes": free, "nvl72block_largest_job_nodes": room.largest_job(),
                   'nvl72block_fragmentation_nodes{score="usable"}': stock[0],
                   'nvl72block_fragmentation_nodes{score="topology_block"}': stock[1]}
        for reason in {cluster.job(number).reason for number in waiting}:
            jobs = [number for number in waiting if cluster.job(number).reason == reason]
            wanted[f'nvl72block_waiting_jobs{{reason="{reason}"}}'] = len(jobs)
        self.assertEqual({key: found.get(key) for key in wanted}, wanted)
        more = {re.sub(r"\{.*", "", key) for key in set(found) - set(wanted)}
        self.assertLessEqual(more, {"nvl72block_build_info", "nvl72block_waiting_nodes", "nvl72block_free_segments"})
        if shutil.which("promtool"):
            subprocess.run(["promtool", "check", "metrics"], input=printed, text=True, check=True, capture_output=True)
        else:
            self.tell("promtool is not installed: the format was not checked with it")

    def check_show(self, answer):
        """Counts and the nodes of each job."""
        shown = Shown.now(RESERVED)
        self.assertEqual([answer["nodes"][key] for key in ("free", "busy", "drained", "reserved")],
                         [len(nodes) for nodes in (shown.free, shown.busy, shown.out, shown.reserved)])
        self.assertEqual({each["name"]: each["free"] for each in answer["blocks"]}, {rack: len(own) for rack, own in self.free.items()})
        jobs = {number: set(nodes) for number, _, nodes in job_ends()}
        self.assertEqual(len(jobs), len(JOBS) + 1)
        self.assertEqual({each["name"]: nodes_of(each) for each in answer["jobs"]}, jobs)
