# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs files of the suite with both plugins, some at once, each in a process of its own."""

import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from nvl72lab.places import PROJECT

from . import comparison, one_file, results
from .results import FAILED, NO_END, Result

FOLDER = PROJECT / "build/slurm-suite"
STOCK, DROPIN = "block", "dropin"
OURS = "topology/block: init: version "  # begins what the drop-in logs when it is loaded; Slurm's plugin has no version


def read(path, status, seconds):
    """The results of a file; where it did not end as it should, that is one more."""
    whole = f"{path.stem}::(whole file)"
    found = results.read(path.read_text("utf-8")) if path.exists() else {}
    if status in one_file.TIMED_OUT:
        found[whole] = Result(NO_END, f"no end after {seconds} s")
    elif not found and status != one_file.NO_TESTS:
        found[whole] = Result(FAILED, f"pytest ended with {status}, see {path.stem}.log")
    return found


class Campaign:
    """One version's runs."""

    def __init__(self, options, release, dropin, tell):
        self.options, self.release, self.dropin, self.tell = options, release, dropin, tell

    def _command(self, name, plugin, folder):
        return [sys.executable, "-m", "slurm_suite.one_file", f"--suite={self.options.suite}", f"--results={folder}",
                f"--slurm-prefix={self.release.prefix}", f"--slurm-source={self.release.source}", f"--seconds={self.options.seconds}",
                f"--keyword={self.options.keyword}", *([f"--dropin={self.dropin}"] if plugin == DROPIN else []), name]

    def _run(self, name, plugin):
        """The results of one file with one plugin."""
        folder = FOLDER / self.release.version / plugin
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(folder / f"{name}.logs", ignore_errors=True)
        (folder / f"{name}.xml").unlink(missing_ok=True)
        begin = time.monotonic()
        # The second limit is for a process that does not react to the first one; the namespaces end with it.
        limit = self.options.seconds + 2 * one_file.END_SECONDS
        try:
            status = subprocess.run(self._command(name, plugin, folder), stdin=subprocess.DEVNULL, timeout=limit, check=False).returncode
        except subprocess.TimeoutExpired:
            status = one_file.TIMED_OUT[0]
        seconds = time.monotonic() - begin
        self.tell(f"{name} with {plugin}: {seconds:.0f} s{', stopped at the limit' if status in one_file.TIMED_OUT else ''}")
        return read(folder / f"{name}.xml", status, self.options.seconds)

    def _both(self, names):
        """The results of these files, with block and with the drop-in."""
        runs = [(name, plugin) for name in names for plugin in (STOCK, DROPIN)]
        with ThreadPoolExecutor(self.options.processes) as pool:
            done = list(pool.map(lambda run: self._run(*run), runs))
        found = {STOCK: {}, DROPIN: {}}
        for (_, plugin), of_file in zip(runs, done):
            found[plugin].update(of_file)
        return found[STOCK], found[DROPIN]

    def loaded(self, plugin, names):
        """The files in which slurmctld says that it has loaded the drop-in."""
        folder = FOLDER / self.release.version / plugin
        return [name for name in names
                if any(OURS in log.read_text("utf-8", "replace") for log in (folder / f"{name}.logs").rglob("slurmctld.log"))]

    def run(self, names):
        """The results of all files; those of files that differ are those of a second run: only what shows twice counts."""
        stock, dropin = self._both(names)
        again = sorted({test.split("::")[0] for test in comparison.differing(stock, dropin)})
        if again:
            self.tell(f"once more, for their differences: {' '.join(again)}")
        second = self._both(again)
        for first, other in zip((stock, dropin), second):
            for test in [test for test in first if test.split("::")[0] in again]:
                del first[test]
            first.update(other)
        return stock, dropin
