# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes one operator of the engine at a time and runs the unit and property tests: each change has to fail one.

    tests/mutation/run --count 100 --seed 1
    tests/mutation/run --files src/placement/rules/rules.cpp --count 30
"""

import argparse
import concurrent.futures
import os
import random
import resource
import shutil
import subprocess
import sys

from mutants import mutants
from nvl72lab.places import PROJECT

BUILD = PROJECT / "build/mutation"
# Every program is stopped by its first failure; the quick one comes first. A test without an end has found the change, too.
PROGRAMS = ("tests/unit/unit_tests", "tests/property/oracle_selftest", "tests/property/clique_oracle_test", "tests/property/totals_oracle_test",
            "tests/property/suggestion_oracle_test", "tests/property/oracle_test", "tests/property/properties_test")
SECONDS = 300
MEMORY = 4 << 30  # a change can make a loop that takes all of it
FOUND, SURVIVED, NOT_COMPILED = "found", "SURVIVED", "not compiled"


class Copy:
    """A copy of the sources with a build of its own."""

    def __init__(self, number):
        self.source, self.build = BUILD / f"source-{number}", BUILD / f"build-{number}"
        shutil.rmtree(self.source, ignore_errors=True)
        self.source.mkdir(parents=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, check=True, capture_output=True, text=True).stdout
        for name in filter(None, files.split("\0")):
            (self.source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, self.source / name, follow_symlinks=False)
        self._run("cmake", "--preset", "dev", "-B", str(self.build), "-DNVL72BLOCK_BUILD_BENCHES=OFF",
                  cwd=self.source)
        if not self._compiles():
            raise SystemExit(f"the sources do not build in {self.build}")

    @staticmethod
    def _run(*command, **more):
        return subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **more)

    def _compiles(self):
        targets = [program.rsplit("/", 1)[1] for program in PROGRAMS]
        done = subprocess.run(["cmake", "--build", str(self.build), "-j", "1", "--target", *targets], check=False, capture_output=True)
        return done.returncode == 0

    def _passes(self, program):
        try:
            done = subprocess.run([str(self.build / program), "--gtest_fail_fast", "--gtest_brief=1"], check=False, capture_output=True,
                                  timeout=SECONDS, cwd=self.build,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def judge(self, mutant):
        """Whether a test sees the change, and which program."""
        path = self.source / mutant.path
        plain = path.read_text("utf-8")
        path.write_text(mutant.apply(plain), "utf-8")
        try:
            if not self._compiles():
                return NOT_COMPILED, ""
            return next(((FOUND, program) for program in PROGRAMS if not self._passes(program)), (SURVIVED, ""))
        finally:
            path.write_text(plain, "utf-8")


def chosen(files, seed):
    """All changes of these files in an order by seed."""
    found = [mutant for path in files for mutant in mutants(path, (PROJECT / path).read_text("utf-8"))]
    random.Random(f"mutation/{seed}").shuffle(found)
    return found


def engine_files():
    """Where the rules of a placement are decided."""
    return sorted(str(path.relative_to(PROJECT)) for path in (PROJECT / "src/placement").rglob("*.[ch]pp"))


def judge_all(wanted, queue, copies):
    """(mutant, verdict, program) of each that compiles, until there are as many as wanted."""
    waiting, free, judged = iter(queue), list(copies), 0
    with concurrent.futures.ThreadPoolExecutor(len(copies)) as pool:
        running = {}
        while True:
            while free and judged + len(running) < wanted and (mutant := next(waiting, None)) is not None:
                copy = free.pop()
                running[pool.submit(copy.judge, mutant)] = (copy, mutant)
            if not running:
                return
            for done in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                copy, mutant = running.pop(done)
                free.append(copy)
                verdict, program = done.result()
                if verdict != NOT_COMPILED:
                    judged += 1
                    yield mutant, verdict, program


def main():
    """Entry."""
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, metavar="N", help="changes that compile")
    parser.add_argument("--seed", default=os.environ.get("NVL72BLOCK_SEED", "1"))
    parser.add_argument("--files", nargs="+", default=engine_files(), metavar="FILE", help="instead of all of src/placement")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    copies = [Copy(number) for number in range(options.jobs)]
    counts, survivors = {FOUND: 0, SURVIVED: 0}, []
    for mutant, verdict, program in judge_all(options.count, chosen(options.files, options.seed), copies):
        counts[verdict] += 1
        told = mutant.told((PROJECT / mutant.path).read_text("utf-8"))
        print(f"{verdict} {program.rsplit('/', 1)[-1]} {told}", flush=True)
        survivors += [told] if verdict == SURVIVED else []
    print(f"{counts[FOUND]} of {sum(counts.values())} changes found; survivors:", *survivors, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
