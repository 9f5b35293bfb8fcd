# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes one operator of the engine at a time and runs the unit and property tests: each change has to fail one.

    tests/mutation/run --count 100 --seed 1
    tests/mutation/run --files src/placement/counts/offered_counts.cpp --count 30
"""

import argparse
import concurrent.futures
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from mutants import compiled, mutants
from nvl72lab.places import PROJECT

FOLDER = PROJECT / "build/mutation"
SOURCE, BUILD = FOLDER / "source", FOLDER / "build"
# Every program is stopped by its first failure; the quick one comes first. A test without an end has found the change, too.
PROGRAMS = ("tests/unit/unit_tests", "tests/property/oracle_selftest", "tests/property/clique_oracle_test", "tests/property/totals_oracle_test",
            "tests/property/suggestion_oracle_test", "tests/property/quality_test", "tests/property/oracle_test", "tests/property/properties_test")
TIMES_PLAIN, MORE_SECONDS = 4, 10  # of processor time, that a changed program may take: other work does not count
MEMORY = 4 << 30  # a change can make a loop that takes all of it
SPARE = 1.3  # some changes do not compile


def copy_sources():
    """The files of the project, in a folder of their own."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        (SOURCE / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(PROJECT / name, SOURCE / name, follow_symlinks=False)
    header = PROJECT / "tests/mutation/switch.hpp"
    subprocess.run(["cmake", "--preset", "dev", "-B", str(BUILD), "-DNVL72BLOCK_BUILD_BENCHES=OFF",
                    f"-DCMAKE_CXX_FLAGS=-std=c++20 -O1 -g0 -w -include {header}"], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)


def write_changes(numbered):
    """Puts all changes into the copy; a file that stays as it was is not compiled again."""
    for path in sorted({mutant.path for mutant in numbered.values()}):
        text = compiled((PROJECT / path).read_text("utf-8"), [(number, mutant) for number, mutant in numbered.items() if mutant.path == path])
        if text != (SOURCE / path).read_text("utf-8"):
            (SOURCE / path).write_text(text, "utf-8")


def complained(output):
    """(path, line) of all places that the compiler's errors name."""
    return {(os.path.relpath(os.path.join(BUILD, path), SOURCE), int(line))
            for path, line in re.findall(r"^(?:In file included from )?([^\s:]+):(\d+):\d+:", output, re.MULTILINE)}


def build(numbered):
    """Compiles all changes; those that do not compile are left out. Returns the others."""
    targets = [program.rsplit("/", 1)[1] for program in PROGRAMS]
    while True:
        write_changes(numbered)
        done = subprocess.run(["cmake", "--build", str(BUILD), "--target", *targets, "--", "-k", "0"], check=False, capture_output=True, text=True)
        if done.returncode == 0:
            return numbered
        wrong = complained("\n".join(line for line in done.stdout.split("\n") if re.search(r": error: |required from|In file included", line)))
        without = {number: mutant for number, mutant in numbered.items() if (mutant.path, mutant.line) not in wrong}
        for path in {mutant.path for number, mutant in numbered.items() if number not in without}:
            shutil.copy2(PROJECT / path, SOURCE / path)
        if len(without) == len(numbered):
            raise SystemExit(f"the changed sources do not build:\n{done.stdout[-4000:]}")
        print(f"{len(numbered) - len(without)} changes do not compile", flush=True)
        numbered = without


def passes(program, number, seconds=resource.RLIM_INFINITY):
    """Whether a program passes with this change made (0: none)."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NVL72BLOCK_MUTANT": str(number), "TEST_TMPDIR": folder, "TMPDIR": folder}
        done = subprocess.run([str(BUILD / program), "--gtest_fail_fast", "--gtest_brief=1"], check=False, capture_output=True,
                              cwd=folder, env=environment, preexec_fn=limit)
    return done.returncode == 0


def limits():
    """Seconds that each program may take, from what it takes without a change."""
    found = {}
    for program in PROGRAMS:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not passes(program, 0):
            raise SystemExit(f"{program} fails without a change")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found[program] = int(TIMES_PLAIN * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)) + MORE_SECONDS
    return found


def judge(number, seconds):
    """The program that sees the change, or None."""
    return next((program for program in PROGRAMS if not passes(program, number, seconds[program])), None)


def chosen(files, seed, count):
    """So many changes of these files, by seed, numbered from 1."""
    found = [mutant for path in files for mutant in mutants(path, (PROJECT / path).read_text("utf-8"))]
    random.Random(f"mutation/{seed}").shuffle(found)
    return dict(enumerate(found[:count], 1))


def engine_files():
    """Where the rules of a placement are decided."""
    return sorted(str(path.relative_to(PROJECT)) for path in (PROJECT / "src/placement").rglob("*.[ch]pp"))


def main():
    """Entry."""
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, metavar="N", help="changes that compile")
    parser.add_argument("--seed", default=os.environ.get("NVL72BLOCK_SEED", "1"))
    parser.add_argument("--files", nargs="+", default=engine_files(), metavar="FILE", help="instead of all of src/placement")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="the first of these, which an earlier run judged")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    copy_sources()
    numbered = build(chosen(options.files, options.seed, int(options.count * SPARE)))
    numbered = dict(list(numbered.items())[options.skip:options.count])
    seconds, survivors = limits(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        verdicts = {pool.submit(judge, number, seconds): mutant for number, mutant in numbered.items()}
        for done in concurrent.futures.as_completed(verdicts):
            mutant, program = verdicts[done], done.result()
            told = mutant.told((PROJECT / mutant.path).read_text("utf-8"))
            print(f"{f'found by {os.path.basename(program)}' if program else 'SURVIVED'}: {told}", flush=True)
            survivors += [] if program else [told]
    print(f"{len(numbered) - len(survivors)} of {len(numbered)} changes found; survivors:", *sorted(survivors), sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
