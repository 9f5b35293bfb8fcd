#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs with texts of any bytes, and what the command makes of them.

Usage: fuzz_command.py NVL72BLOCK. Each round makes one queue twice: with texts as anybody writes
them and with texts of any bytes, as nvl72block-records prints them. What the command prints of the
second has to be printable and well formed, and to count the same.
NVL72BLOCK_FUZZ_ROUNDS (default 4, one per Slurm version) and NVL72BLOCK_SEED (default 1) choose the rounds.
"""

import copy
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "command")]

from check_drawing import Page  # noqa: E402
from records_text import TEXTS, VERSIONS, Job, install_program, jobs_of_every_kind  # noqa: E402

COMMAND = ""
ROUNDS = int(os.environ.get("NVL72BLOCK_FUZZ_ROUNDS", "4"))
SEED = int(os.environ.get("NVL72BLOCK_SEED", "1"))

# Words of records, as a text may contain them.
RECORD_WORDS = [b"JobId=9999 ", b"JobId=22 ", b"JobId=21 JobName=x ", b" UserId=bob(1001) ", b" JobState=RUNNING ",
                b" JobState=PENDING ", b" Reason=\xff\xfe ", b" Reason=evil_1 ", b" NodeList=n[01-16] ", b" NumNodes=99-99 ",
                b" MinCPUsNode=1 MinMemoryNode=800000M ", b" SegmentSize=16 SpreadSegments=Yes ", b" Partition=none ",
                b" Reservation=r ", b" Exclusive=TOPO ", b" Priority=4294967295 ", b" ArrayJobId=7 ArrayTaskId=1-99 ",
                b'","id":9999,"state":"RUNNING","nodes":"n[01-16]","x":"', b'"}]}', b"\\u0000", b'\\",',
                b" SystemComment=nvl72block: needs 9 segments of 9 nodes ", b" TresPerNode=gres/gpu:9 "]
CHARACTERS = [b"\n", b"\r", b"\t", b" ", b"\x1b[2J", b"\x1b]0;PWN\x07", b"\x1b[31m", b"\x7f", b"\xc2\x9b2J", b"\xe2\x80\xae",
              b"\xe2\x81\xa6", b"\xd8\x9c", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"\xf3\xa0\x81\x81", b"\xff", b"\xfe", b"\xc3", b"\xed\xa0\x80",
              b"</script>", b"<img src=x onerror=x>", b"]]>", b"&amp;", b'"', b"'", b"\\", b"{", b"}", b"=", b"|", b",",
              "機".encode(), "ö".encode(), b"%s%n", b"$(id)", b"No jobs in the system"]


def evil_text(source, record_lines):
    """Bytes that a program can pass to sbatch: any but zero."""
    parts = []
    for _ in range(source.randint(1, 8)):
        kind = source.random()
        if kind < 0.35:
            parts.append(source.choice(CHARACTERS))
        elif kind < 0.65:
            parts.append(source.choice(RECORD_WORDS))
        elif kind < 0.75:
            parts.append(b"\n" + source.choice(record_lines).strip() + source.choice((b"\n", b" ")))
        else:
            parts.append(bytes(source.randint(1, 255) for _ in range(source.randint(1, 12))))
    return b"".join(parts)


def with_evil_texts(jobs, version, source):
    """The same jobs, some with texts of any bytes."""
    lines = [json.dumps(job.record(version)).encode() for job in [*jobs, Job(9999, "RUNNING", "None", "n[01-16]", 16)]]
    changed = copy.deepcopy(jobs)
    for job in changed:
        for key in TEXTS:
            if source.random() < 0.3:
                job.texts[key] = evil_text(source, lines)
    return changed


def is_hidden(letter):
    """A character that a terminal obeys or that turns or hides text."""
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") and letter != "\n"


def faults_of_text(data):
    """What is wrong with an output, whatever it is."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [f"not UTF-8: {error}"]
    return [f"U+{ord(letter):04X} at {at}: {text[max(0, at - 30):at + 10]!r}" for at, letter in enumerate(text) if is_hidden(letter)][:3]


SAMPLE = re.compile(r'([a-z_][a-z0-9_]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+\})? [0-9]+')


def faults_of_exposition(text):
    """What is wrong with metrics in Prometheus' text format, version 0.0.4."""
    faults, family, families, seen = [], None, set(), set()
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("# HELP "):
            family = line.split(" ")[2]
            if family in families:
                faults.append(f"{family} is there twice")
            families.add(family)
            continue
        if line == f"# TYPE {family} gauge":
            continue
        sample = SAMPLE.fullmatch(line)
        if sample is None or sample.group(1) != family:
            faults.append(f"no sample of {family}: {line!r}")
        elif line.rsplit(" ", 1)[0] in seen:
            faults.append(f"twice: {line!r}")
        else:
            seen.add(line.rsplit(" ", 1)[0])
    return faults


def faults_of_page(text):
    page = Page()
    try:
        page.feed(text)
        page.close()
    except AssertionError as error:
        return [f"elements do not nest: {error}"]
    faults = [f"{tag} is not closed" for tag in page.open] + ["img"] * page.elements.count("img")
    return faults + [name for name in page.attributes if name.startswith("on")]


def without_texts(value):
    """JSON without what a job's texts may change."""
    if isinstance(value, dict):
        return {key: without_texts(each) for key, each in value.items() if key not in ("name", "note", "because")}
    return [without_texts(each) for each in value] if isinstance(value, list) else value


class Cluster:
    """The program for a queue, in a folder that is first on PATH, and a snapshot of it."""

    def __init__(self, folder, version, jobs, reasons):
        self.folder = Path(folder)
        self.programs = self.folder / "bin"
        self.programs.mkdir(parents=True)
        install_program(self.programs, version, jobs, reasons)
        self.faults = []
        self.state = self.folder / "state"
        self.run("snapshot", str(self.state), live=True)

    def run(self, *arguments, live=False):
        """stdout as text; what is wrong with any output goes to `faults`."""
        where = [] if live else ["--state", str(self.state)]
        done = subprocess.run([COMMAND, *arguments, *where], capture_output=True, timeout=600,
                              env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"})
        for data in (done.stdout, done.stderr):
            self.faults += [f"{' '.join(arguments)}: {fault}" for fault in faults_of_text(data)]
        if done.returncode != 0:
            self.faults.append(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr[:300]!r}")
        return done.stdout.decode(errors="replace")

    def json(self, *arguments):
        try:
            return without_texts(json.loads(self.run(*arguments, "--json")))
        except ValueError as error:
            self.faults.append(f"{' '.join(arguments)} --json: {error}")
            return None

    def drawings(self):
        svg, page = self.folder / "racks.svg", self.folder / "racks.html"
        self.run("show", "--svg", str(svg), "--html", str(page))
        for path in (svg, page):
            if not path.exists():
                return
            self.faults += [f"{path.name}: {fault}" for fault in faults_of_text(path.read_bytes())]
        try:
            xml.etree.ElementTree.fromstring(svg.read_bytes())
        except xml.etree.ElementTree.ParseError as error:
            self.faults.append(f"SVG: {error}")
        self.faults += [f"HTML: {fault}" for fault in faults_of_page(page.read_text(errors="replace"))]

    def counts(self, numbers):
        """All that does not depend on a text."""
        metrics = self.run("metrics")
        self.faults += faults_of_exposition(metrics)
        self.metrics = metrics
        self.drawings()
        self.run("show")
        found = {"metrics": metrics, "capacity": self.run("capacity"), "capacity --json": self.json("capacity"),
                 "show --json": self.json("show")}
        for number in numbers:
            self.run("why", str(number))
            found[f"why {number}"] = self.json("why", str(number))
        return found


class Fuzz(unittest.TestCase):
    maxDiff = 2000

    def round(self, folder, number):
        source = random.Random(f"{SEED} {number}")
        version = VERSIONS[number % len(VERSIONS)]
        plain_jobs = jobs_of_every_kind()
        evil_jobs = with_evil_texts(plain_jobs, version, source)
        reasons = {name: evil_text(source, [b"x"]) for name in ("n13", "n14")}
        plain = Cluster(folder / "plain", version, plain_jobs, None)
        evil = Cluster(folder / "evil", version, evil_jobs, reasons)
        asked = source.sample([job.number for job in plain_jobs if job.state != "COMPLETED"], 3)
        expected, found = plain.counts(asked), evil.counts(asked)
        self.assertEqual(plain.faults, [])
        self.assertEqual(evil.faults, [])
        for name, value in expected.items():
            self.assertEqual(found[name], value, name)
        return evil.metrics

    def test_rounds(self):
        for number in range(ROUNDS):
            with self.subTest(seed=SEED, round=number), tempfile.TemporaryDirectory() as folder:
                metrics = self.round(Path(folder), number)
                if shutil.which("promtool") and number == 0:
                    done = subprocess.run(["promtool", "check", "metrics"], input=metrics.encode(), capture_output=True)
                    self.assertEqual((done.returncode, done.stdout + done.stderr), (0, b""))


class Judges(unittest.TestCase):
    """What judges finds planted faults."""

    def test_texts(self):
        self.assertEqual(faults_of_text("a\nb 機 ┌─┐\n".encode()), [])
        for data in (b"\x1b[2J", b"\xff", b"\xc2\x9b", "\u202e".encode(), b"\r", b"\x7f", "\u200b".encode()):
            self.assertNotEqual(faults_of_text(b"a" + data), [], data)

    def test_exposition(self):
        good = '# HELP a A.\n# TYPE a gauge\na{b="c\\\\\\"\\n"} 1\na{b="d"} 2\n'
        self.assertEqual(faults_of_exposition(good), [])
        for bad in (good + 'a{b="d"} 3\n', good + "b 1\n", good.replace('"d"', '"d'), good.replace("\\\\", "\\x"),
                    good + "# HELP a A.\n", "\n" + good):
            self.assertNotEqual(faults_of_exposition(bad), [], bad)

    def test_pages(self):
        self.assertEqual(faults_of_page("<p>x</p>"), [])
        for bad in ("<p><img src=x></p>", "<p onclick=x>x</p>", "<div><p>x</p>"):
            self.assertNotEqual(faults_of_page(bad), [], bad)


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1)
    unittest.main()
