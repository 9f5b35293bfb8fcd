# SPDX-License-Identifier: GPL-2.0-or-later
"""pytest's part of the lab: each test method of a LabCase runs in a process of its own beside a slurmctld of its own, some at once.

They wait most of the time, so more of them run than there are processors, the longest first. pytest is told of
each test as it ends. Tests without a slurmctld (other classes and functions) run in pytest itself, as usual.
"""

import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from itertools import chain
from pathlib import Path

import pytest

from . import one_test, sanitizer, slurm_release
from .lab_case import LabCase
from .places import NOTE, PROJECT
from .prepare import STEPS

TEST_SECONDS = 600
EMULATED_TEST_SECONDS = 1800
TESTS_A_CPU = 4
LENGTHY_SECONDS = 30
DURATIONS = "lab/seconds"  # of each test when it passed last, in pytest's cache


def pytest_addoption(parser):
    """The options of tests/lab/run-tests."""
    group = parser.getgroup("lab")
    slurm_release.add_options(group.addoption)
    group.addoption("--plugin", metavar="NAME", help="put another plugin to the tests, e.g. block to see what Slurm's does")
    group.addoption("--sanitizer", choices=sanitizer.KINDS, help="build the plugin with it, and run slurmctld under it")
    group.addoption("--jobs", type=int, default=TESTS_A_CPU * os.cpu_count(), metavar="N", help="lab tests at once")
    group.addoption("--times", type=int, default=1, metavar="N", help="run each lab test so many times")
    group.addoption("--only", default="", metavar="PATTERN", help="a part of test names, e.g. test_show.Show.test_whole")


def pytest_configure(config):
    """The processes of the tests and of the build read it there."""
    if config.option.sanitizer:
        os.environ[sanitizer.CHOSEN] = config.option.sanitizer


def pytest_pycollect_makeitem(collector, name, obj):
    """LabCases are collected here and not as plain unittest classes."""
    if isinstance(obj, type) and issubclass(obj, LabCase):
        return LabClass.from_parent(collector, name=name, obj=obj) if obj.__module__ == collector.obj.__name__ else []
    return None


class LabClass(pytest.Collector):
    """The tests of one LabCase."""

    def __init__(self, obj, **more):
        super().__init__(**more)
        self.obj = obj

    def collect(self):
        """Each test method, --times times."""
        options = self.config.option
        for name in [name for name in dir(self.obj) if name.startswith("test")]:
            if options.only in f"{self.path.stem}.{self.name}.{name}":
                for turn in range(options.times):
                    yield LabItem.from_parent(self, name=f"{name}[{turn + 1}]" if turn else name, method=name)


class Failed(Exception):
    """What a failed test printed."""


class LabItem(pytest.Item):
    """One test method."""

    def __init__(self, method, **more):
        super().__init__(**more)
        self.case, self.method = self.parent.obj, method
        self.ended = Future()  # status and output
        self.seconds = 0.0
        if self.case.for_release:
            self.add_marker(pytest.mark.release)

    def needs(self):
        """The steps of nvl72lab.prepare that have to be done."""
        wanted = [name for name in ("command", "packages", "accounting") if self.method in getattr(self.case, f"needs_{name}")]
        # The command asks the program that is built with the plugin.
        return ["root", *(["plugin"] if "command" in wanted or "block" not in self.options() else []), *wanted]

    def options(self):
        """Those of tests/lab/with that say which plugin."""
        return ["--plugin", self.config.option.plugin] if self.config.option.plugin else self.case.options

    def run(self, runner):
        """Has a runner run the test; the status and all that it printed."""
        release = slurm_arguments(self.config)
        words = [self.path, f"{self.case.__name__}.{self.method}", "--config", PROJECT / "configs" / self.case.config,
                 *self.options(), *release, "--no-build", *([] if self.case.started else ["--stopped"])]
        seconds = EMULATED_TEST_SECONDS if "--aarch64" in release or self.case.emulated else TEST_SECONDS
        begin = time.monotonic()
        try:
            runner.stdin.write(json.dumps([seconds, *map(str, words)]) + "\n")
            return json.loads(runner.stdout.readline())
        except (OSError, ValueError):
            return 1, "the process that runs tests has ended"
        finally:
            self.seconds = time.monotonic() - begin

    def runtest(self):
        """Tells pytest how the test ended."""
        status, output = self.ended.result()
        notes = [line for line in output.splitlines() if line.startswith(NOTE)]
        self.user_properties += [("note", line[len(NOTE):]) for line in notes]
        if status == one_test.SKIPPED:
            reasons = [line[len(one_test.SKIP):] for line in output.splitlines() if line.startswith(one_test.SKIP)]
            raise pytest.skip.Exception("; ".join(reasons), _use_item_location=True)
        if status:
            raise Failed(output)

    def repr_failure(self, excinfo, style=None):
        """A failed test's own output is all that is to be told."""
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo, style)

    def reportinfo(self):
        """Where it is, and its name."""
        return self.path, getattr(self.case, self.method).__code__.co_firstlineno - 1, f"{self.case.__name__}.{self.name}"


def slurm_arguments(config):
    """The options that say which Slurm, with paths that hold everywhere."""
    given = [f"--{name}={Path(value).absolute()}" for name, value in
             (("slurm-prefix", config.option.slurm_prefix), ("slurm-source", config.option.slurm_source)) if value]
    return given + (["--aarch64"] if config.option.aarch64 else [])


class Crew:
    """Threads that run tests, each test as soon as what it needs is made."""

    def __init__(self, config, items):
        self.config = config
        self.changed = threading.Condition()
        self.made = {}  # step: whether it could be made
        self.ended, self.runners = [], []
        self.waiting = longest_first(config, items)
        self.release = None
        needs = {need for item in items for need in item.needs()}
        self.threads = [threading.Thread(target=self._prepare, args=([step for step in STEPS if step in needs],), daemon=True),
                        *(threading.Thread(target=self._work, daemon=True) for _ in range(config.option.jobs))]
        for thread in self.threads:
            thread.start()

    def _prepare(self, steps):
        for step in steps:
            done = subprocess.run([sys.executable, "-m", "nvl72lab.prepare", step, *slurm_arguments(self.config)], check=False)
            with self.changed:
                if step == "root" and not done.returncode:
                    self.release = slurm_release.chosen(self.config.option)
                self.made[step] = not done.returncode
                self.changed.notify_all()

    def _next(self):
        """The longest test whose needs are made; None at the end."""
        with self.changed:
            while self.waiting:
                for item in self.waiting:
                    if all(need in self.made for need in item.needs()):
                        self.waiting.remove(item)
                        return item
                self.changed.wait()
        return None

    def _run(self, item, runner):
        missing = [need for need in item.needs() if not self.made[need]]
        if missing:
            return 1, f"this could not be made, as told above: {', '.join(missing)}"
        unfit = item.case.unfit(item.method, self.release)
        return (one_test.SKIPPED, f"{one_test.SKIP}{unfit}") if unfit else item.run(runner)

    def _work(self):
        with subprocess.Popen(["/usr/bin/python3", "-m", "nvl72lab.one_test"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              bufsize=1) as runner:
            self.runners.append(runner)
            while item := self._next():
                item.ended.set_result(self._run(item, runner))
                with self.changed:
                    self.ended.append(item)
                    self.changed.notify_all()

    def in_order_of_end(self, count):
        """The items as they end."""
        for number in range(count):
            with self.changed:
                self.changed.wait_for(lambda: len(self.ended) > number)  # pylint: disable=cell-var-from-loop
            yield self.ended[number]

    def stop(self):
        """Begins no further test, and ends those that run: what they have started ends with them."""
        with self.changed:
            self.waiting.clear()
            self.changed.notify_all()
        for runner in self.runners:
            runner.kill()


def longest_first(config, items):
    """By how long each test took last, or is said to."""
    known = config.cache.get(DURATIONS, {})
    def seconds(item):
        return known.get(item.nodeid.partition("[")[0], LENGTHY_SECONDS if item.method in item.case.lengthy else 0)
    return sorted(items, key=seconds, reverse=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Runs the lab's tests, at once, and meanwhile the others; None leaves it to pytest where there are none of the lab."""
    ours = [item for item in session.items if isinstance(item, LabItem)]
    if session.config.option.collectonly or session.testsfailed or not ours:
        return None
    crew = Crew(session.config, ours)
    others = [item for item in session.items if not isinstance(item, LabItem)]
    try:
        for item in chain(others, crew.in_order_of_end(len(ours))):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)
    finally:
        crew.stop()
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """pytest is told afterwards how long a test took."""
    outcome = yield
    if isinstance(item, LabItem) and call.when == "call":
        outcome.get_result().duration = item.seconds


def pytest_sessionfinish(session):
    """Keeps how long each test took."""
    seconds = {item.nodeid.partition("[")[0]: round(item.seconds, 1) for item in session.items
               if isinstance(item, LabItem) and item.ended.done() and item.ended.result()[0] == 0}
    session.config.cache.set(DURATIONS, {**session.config.cache.get(DURATIONS, {}), **seconds})


def pytest_terminal_summary(terminalreporter):
    """What tests tell although they passed."""
    notes = [(report.nodeid, text) for word in ("passed", "failed") for report in terminalreporter.stats.get(word, ())
             for name, text in report.user_properties if name == "note"]
    if notes:
        terminalreporter.section("notes")
    for name, text in notes:
        terminalreporter.line(f"{name}: {text}")


def pytest_collection_modifyitems(config, items):
    """--only holds for tests without a slurmctld, too."""
    def name(item):
        return ".".join([item.path.stem, *item.nodeid.split("::")[1:]])
    left = [item for item in items if config.option.only not in name(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def pytest_unconfigure(config):
    """The last line is the count, as of all test programs here."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and not config.option.collectonly:
        counts = {word: len(reporter.stats.get(word, ())) for word in ("passed", "failed", "error", "skipped")}
        skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
        print(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed{skipped}")
