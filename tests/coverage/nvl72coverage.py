# SPDX-License-Identifier: GPL-2.0-or-later
"""Which lines do the tests run? Unit and property tests on this host, and the lab's tests in a real slurmctld.

    tests/coverage/run                  # both; of the property tests, the first seed
    tests/coverage/run --lab test_show  # those of the lab whose names have that part
    tests/coverage/run --report         # of what the last run left
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from nvl72lab import namespace, sanitizer, slurm_release
from nvl72lab.places import PLUGIN_BUILDS, PROJECT

HOST = PROJECT / "build/coverage"
LISTED = HOST / "not-covered.txt"
# Folders of each part, the longest name first: src/cli belongs to the command.
PARTS = (("src/cli", "command"), ("src/replay", "command"), ("src/throughput", "command"), ("records", "command"), ("plugin", "shim"),
         ("src", "engine"), ("include", "engine"))
FLAGS = f"-O0 {sanitizer.COVERAGE_FLAGS}"
# Why lines are not covered, by file or by function: `path: reason`, `path function: reason`.
REASONS = Path(__file__).resolve().parent / "reasons.txt"
# Of the property tests, the first seed: without optimisation all of them take an hour.
HOST_TESTS = r"^command\.|(seed1|_levels12)( |$)"


def part(path):
    """The part that a file belongs to, or None."""
    return next((name for folder, name in PARTS if path.startswith(f"{folder}/")), None)


def run(*command, **more):
    """A command that has to succeed."""
    subprocess.run(command, check=True, cwd=PROJECT, **more)


def forget(folder):
    """Removes the counts of earlier runs."""
    for path in folder.rglob("*.gcda"):
        path.unlink()


def on_host():
    """Unit and property tests."""
    run("cmake", "--preset", "dev", "-B", str(HOST), "-DNVL72BLOCK_BUILD_BENCHES=OFF",
        f"-DCMAKE_CXX_FLAGS={FLAGS}", f"-DCMAKE_C_FLAGS={FLAGS}", stdout=subprocess.DEVNULL)
    run("cmake", "--build", str(HOST))
    forget(HOST)
    run(str(HOST / "tests/unit/unit_tests"), "--gtest_brief=1")
    run("ctest", "--test-dir", str(HOST), "-j", str(os.cpu_count()), "-R", HOST_TESTS, "--output-on-failure", "--quiet")


def in_lab(release, pattern):
    """The lab's tests, with a plugin that counts. Theirs, not this program's, is to fail."""
    forget(PLUGIN_BUILDS / release.build_name())
    subprocess.run([PROJECT / "tests/lab/run-tests", *([pattern] if pattern else ["-m", "not release"])], check=False)


def _gcov(line, folder, output):
    files = sorted(map(str, folder.rglob("*.gcda")))
    with open(output, "w", encoding="utf-8") as stream:
        return subprocess.run([*line, "gcov", "--json-format", "--stdout", *files], stdout=stream, stderr=subprocess.DEVNULL, check=False,
                              cwd=folder).returncode if files else 0


def _gcov_in_root(release, folder, output):
    """By the compiler that made the plugin."""
    def inside():
        release.enter()
        return _gcov(release.inside(), folder, output)
    return namespace.run(inside, network=True)


def short(name):
    """What a function is called in its file; a lambda is part of the function around it."""
    name = name.replace("(anonymous namespace)::", "")
    while (without := re.sub(r"<[^<>]*>", "", name)) != name:
        name = without
    return name.partition("(")[0].split(" ")[-1].split("::")[-1]


def add(counts, functions, text, folder):
    """Adds gcov's counts, of the project's own files: {file: {line: times}}, and {file: {line: function}}."""
    for document in map(json.loads, filter(None, text.split("\n"))):
        for entry in document["files"]:
            path = os.path.relpath(os.path.join(document.get("current_working_directory", folder), entry["file"]), PROJECT)
            if part(path):
                names = {function["name"]: short(function["demangled_name"]) for function in entry["functions"]}
                for line in entry["lines"]:
                    counts[path][line["line_number"]] += line["count"]
                    functions[path][line["line_number"]] = names.get(line.get("function_name"), "")


def read_counts(release):
    """What all runs have counted, and the function of each line."""
    counts, functions = defaultdict(lambda: defaultdict(int)), defaultdict(dict)
    plugin = PLUGIN_BUILDS / release.build_name()
    for folder, gcov in ((HOST, lambda *places: _gcov((), *places)), (plugin, lambda *places: _gcov_in_root(release, *places))):
        output = HOST / f"{folder.name}.json"
        if folder.exists() and gcov(folder, output) == 0:
            add(counts, functions, output.read_text("utf-8"), folder)
    return counts, functions


def not_covered(counts):
    """The lines that never ran, as they stand in their files."""
    for path in sorted(counts):
        text = (PROJECT / path).read_text("utf-8").split("\n")
        for number in sorted(number for number, times in counts[path].items() if not times):
            yield path, number, text[number - 1].strip()


def reasons(text):
    """{path and function: why not all of it runs}."""
    return dict(line.split(": ", 1) for line in text.split("\n") if line and not line.startswith("#"))


def unexplained(missing, known):
    """Of lines that never ran, as (path, function), those that have no reason; reasons of what runs by now."""
    without = Counter(f"{path} {function}".rstrip() for path, function in missing if not {path, f"{path} {function}"} & set(known))
    return without, sorted(set(known) - {path for path, _ in missing} - {f"{path} {function}" for path, function in missing})


def in_question(counts, functions):
    """(path, function) of each line of engine and shim that never ran. Where a block ends is no line of its own: it has a count where a
    function is left by an exception."""
    return [(path, functions[path][number]) for path, number, text in not_covered(counts)
            if part(path) in ("engine", "shim") and text.strip("{}()[];, ")]


def report(counts, functions):
    """Lines per part, those that ran, the files that lack most, and what has no reason."""
    totals, missing = defaultdict(lambda: [0, 0]), defaultdict(int)
    for path, lines in counts.items():
        ran = sum(1 for times in lines.values() if times)
        totals[part(path)][0] += ran
        totals[part(path)][1] += len(lines)
        missing[path] = len(lines) - ran
    LISTED.write_text("".join(f"{path}:{number}: {text}\n" for path, number, text in not_covered(counts)), "utf-8")
    for path, count in sorted(missing.items(), key=lambda entry: -entry[1])[:15]:
        print(f"{count:6} lines not covered in {path}")
    for name, (ran, lines) in sorted(totals.items()):
        print(f"{name}: {ran:,} of {lines:,} lines, {100 * ran / lines:.1f} %")
    print(f"lines that never ran: {LISTED}; why: {REASONS.relative_to(PROJECT)}")
    without, stale = unexplained(in_question(counts, functions), reasons(REASONS.read_text("utf-8")))
    print(f"{without.total()} lines of engine and shim without a reason", *(f"{lines:4} {where}" for where, lines in without.most_common()), sep="\n  ")
    if stale:
        print("reasons of lines that run", *stale, sep="\n  ")


def main():
    """Entry."""
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", default="", metavar="PATTERN", help="a part of the names of the lab's tests; all of them without it")
    parser.add_argument("--report", action="store_true", help="run nothing")
    options = parser.parse_args()
    os.environ[sanitizer.CHOSEN] = sanitizer.COVERAGE
    release = slurm_release.find()
    if not options.report:
        on_host()
        in_lab(release, options.lab)
    report(*read_counts(release))
    return 0


if __name__ == "__main__":
    sys.exit(main())
