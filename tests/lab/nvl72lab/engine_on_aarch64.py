# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds the engine's unit tests and property tests for aarch64 and runs them, emulated, in the root of that architecture."""

import os
import subprocess
from pathlib import Path

from . import emulation, namespace, plugin_build, slurm_release, summary
from .places import PLUGIN_BUILDS, PROJECT, LabError, locked, say

RESULTS = PROJECT / "build" / "aarch64-tests"
# By emulation, all property tests would take hours: one exhaustive part, and what has failed once.
PROGRAMS = {
    "unit/unit_tests": "*",
    "property/oracle_selftest": "*",
    "property/oracle_test": "Shards/*planning4_levels1:OracleRegressionTest.*",
    "property/clique_oracle_test": "CliqueRegressionTest.*:Seeds/CliqueOracleTest.EngineAgrees/*1",
    "property/properties_test": "Seeds/*1",
}
SECONDS = 3000


def _build(release, folder, log):
    release.compiler().enter()
    plugin_build.run(release, log, "cmake", "-S", str(PROJECT), "-B", str(folder), "-DNVL72BLOCK_BUILD_TESTS=ON")
    plugin_build.run(release, log, "cmake", "--build", str(folder), "--target", *(Path(name).name for name in PROGRAMS))
    return 0


def ensure():
    """The build folder of the tests; that of the plugin, whose engine they test."""
    release = slurm_release.on_aarch64()
    folder = plugin_build.ensure(release)
    log = PLUGIN_BUILDS / "aarch64-tests.log"
    with locked(PLUGIN_BUILDS / f"{folder.name}.lock", "it is building the tests for aarch64"):
        say("building the engine's tests for aarch64 (some minutes)")
        log.unlink(missing_ok=True)
        if namespace.run(lambda: _build(release, folder, log), network=True) != 0:
            raise LabError("no tests for aarch64")
    return release, folder


def _shards(name):
    return os.cpu_count() if name.startswith("unit/") else 1


def _start(release, folder, name, shard):
    program = folder / "tests" / name
    result = RESULTS / f"{program.name}-{shard}.xml"
    environment = {"PATH": slurm_release.ROOT_PATH, "HOME": "/root", "LC_ALL": "C.UTF-8", "TMPDIR": "/tmp",
                   "GTEST_TOTAL_SHARDS": str(_shards(name)), "GTEST_SHARD_INDEX": str(shard)}
    with open(result.with_suffix(".log"), "wb") as log:
        return result, subprocess.Popen(
            release.inside(str(program), f"--gtest_filter={PROGRAMS[name]}", f"--gtest_output=xml:{result}"),
            stdout=log, stderr=log, env=environment)


def _run_all(release, folder):
    with emulation.aarch64():
        release.enter()
        for name in PROGRAMS:
            running = [_start(release, folder, name, shard) for shard in range(_shards(name))]
            for result, process in running:
                process.wait(SECONDS)
                say(f"{result.stem}: {process.returncode or 'passed'}")
    return 0


def test():
    """Runs the tests; returns how many passed, failed and were skipped."""
    release, folder = ensure()
    RESULTS.mkdir(parents=True, exist_ok=True)
    for path in RESULTS.iterdir():
        path.unlink()
    namespace.run(lambda: _run_all(release, folder))
    expected = [RESULTS / f"{Path(name).name}-{shard}.xml" for name in PROGRAMS for shard in range(_shards(name))]
    counts = [summary.counts(path) for path in expected]
    return tuple(map(sum, zip(*counts)))
