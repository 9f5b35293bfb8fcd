# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds the project's plugin for one Slurm, with CMake, where that Slurm's compiler is; the command, on this host; and
Debian packages of both."""

import os
import shutil
import subprocess

from . import aarch64_root, namespace, sanitizer
from .places import PLUGIN_BUILDS, PROJECT, LabError, locked, say
from .slurm_release import ROOT_PATH

PLUGIN = "plugin/topology_nvl72block.so"
DROPIN = "plugin/dropin/topology_block.so"
TARGETS = ["nvl72block_plugin", "nvl72block_simulator"]
TIMER = "timer/topology_timed.so"
TIMER_TARGETS = [*TARGETS, "nvl72block_timer", "nvl72block_timer_within"]
COMMAND = "src/cli/nvl72block"
DEV_BUILD = PROJECT / "build/dev"
COMMAND_BUILD = PLUGIN_BUILDS / "command"
# Seconds: tests wait for a count of the queue and for the file with what was learned. And as quick to compile as it gets with -O2.
# With faults that a test asks for by the variable NVL72BLOCK_PLANT (src/capi/planted.hpp).
FOR_TESTS = ("-DCMAKE_C_FLAGS=-DNVL72_COUNT_PAUSE=1 -DNVL72_SAVE_PAUSE=1 -DNVL72_SHADOW_PAUSE=1 -DNVL72_SHADOW_WATCH=1 -DNVL72BLOCK_PLANTS",
             "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG -DNVL72BLOCK_PLANTS",
             "-DNVL72BLOCK_PRECOMPILE_HEADERS=ON", "-DNVL72BLOCK_UNITY_BUILD=ON")
AARCH64_TOOLCHAIN = PROJECT / "cmake/aarch64-linux-gnu.cmake"
PACKAGE_REVISIONS = (1, 2)  # the second one is the upgrade
ALL_PACKAGES = "NVL72BLOCK_ALL_PACKAGES"  # environment: the command's, too, which takes minutes to compile


def run(release, log, *command):
    environment = None
    if release:
        command = release.compiler().inside(*command)
        environment = {"PATH": ROOT_PATH, "LC_ALL": "C.UTF-8", "HOME": "/root"} if release.root else None
    with open(log, "a", encoding="utf-8") as output:
        result = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment, check=False)
    if result.returncode:
        tail = "\n  ".join(log.read_text("utf-8", "replace").splitlines()[-40:])
        raise LabError(f"the build failed (all of it: {log}):\n  {tail}")


def _for_tests():
    """What the plugin of tests is built with."""
    if not sanitizer.chosen():
        return FOR_TESTS
    flags = sanitizer.flags()
    return (f"{FOR_TESTS[0]} {flags}", f"-DCMAKE_CXX_FLAGS={flags} -DNVL72BLOCK_PLANTS", "-DCMAKE_BUILD_TYPE=Debug", *FOR_TESTS[2:])


def _build(release, folder, log, targets):
    release.compiler().enter()
    if not (folder / "build.ninja").exists():
        run(release, log, "cmake", "-S", str(PROJECT), "-B", str(folder), "-G", "Ninja",
             "-DCMAKE_BUILD_TYPE=RelWithDebInfo", f"-DSLURM_SOURCE_DIR={release.source}",
             "-DNVL72BLOCK_BUILD_TESTS=OFF", "-DNVL72BLOCK_BUILD_TOOL=OFF", *(_for_tests() if targets == TARGETS else ()),
             *([f"-DCMAKE_TOOLCHAIN_FILE={AARCH64_TOOLCHAIN}"] if release.cross_root else []))
    run(release, log, "cmake", "--build", str(folder), "--target", *targets)
    return 0


def command():
    """The nvl72block command, where ensure_command() leaves it."""
    return (DEV_BUILD if (DEV_BUILD / "build.ninja").exists() else COMMAND_BUILD) / COMMAND


def ensure_command():
    """Builds the nvl72block command on this host: in the dev build where there is one, else by itself."""
    folder = command().parents[2]
    log = PLUGIN_BUILDS / "command.log"
    with locked(PLUGIN_BUILDS / "command.lock", "it is building the nvl72block command"):
        if not command().exists():
            say("building the nvl72block command (a minute or two)")
        log.unlink(missing_ok=True)
        if not (folder / "build.ninja").exists():
            run(None, log, "cmake", "-S", str(PROJECT), "-B", str(folder), "-G", "Ninja",
                 "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DNVL72BLOCK_BUILD_TESTS=OFF")
        run(None, log, "cmake", "--build", str(folder), "--target", "nvl72block")


def packages(release, revision):
    """The folder with the Debian packages of a revision, where ensure_packages() leaves them."""
    return PLUGIN_BUILDS / f"{release.name()}-packages" / str(revision)


def _build_packages(release, folder, log):
    release.compiler().enter()
    parts = [] if os.environ.get(ALL_PACKAGES) else ["--without-command"]
    parts += ["--architecture", aarch64_root.DEBIAN] if release.cross_root else []
    for revision in PACKAGE_REVISIONS:
        # The maintainer and the time are given, so that nothing of this host gets into the packages.
        run(release, log, "env", "DEBEMAIL=lab@example.org", "DEBFULLNAME=nvl72block lab", str(PROJECT / "packaging/debian/build"),
             "--slurm-source", str(release.source), "--build-dir", str(folder), "--revision", str(revision),
             "--output", str(packages(release, revision)), *parts)
    return 0


def ensure_packages(release):
    """Builds the Debian packages in the private root, from the objects of the plugin's build there."""
    name = release.name()
    folder = ensure(release)
    log = PLUGIN_BUILDS / f"{name}-packages.log"
    with locked(PLUGIN_BUILDS / f"{name}.lock", f"it is building packages for {name}"):
        say("building packages (a minute or two)")
        log.unlink(missing_ok=True)
        for revision in PACKAGE_REVISIONS:
            shutil.rmtree(packages(release, revision), ignore_errors=True)
        if namespace.run(lambda: _build_packages(release, folder, log), network=True) != 0:
            raise LabError("no packages")


def rpms(release):
    """The folder with the RPM packages, where ensure_rpms() leaves them."""
    return PLUGIN_BUILDS / f"{release.name()}-packages" / "rpm"


def ensure_rpms(release):
    """Builds RPM packages on this host, of what ensure_packages() has built in the private root; without rpmbuild
    or for aarch64, none."""
    name = release.name()
    log = PLUGIN_BUILDS / f"{name}-rpm.log"
    shutil.rmtree(rpms(release), ignore_errors=True)
    if release.cross_root or not shutil.which("rpmbuild"):
        return
    parts = [] if os.environ.get(ALL_PACKAGES) else ["--without-command"]
    with locked(PLUGIN_BUILDS / f"{name}.lock", f"it is building packages for {name}"):
        log.unlink(missing_ok=True)
        run(None, log, str(PROJECT / "packaging/rpm/build"), "--slurm-source", f"{release.root}{release.source}",
             "--plugin-dir", str(release.plugins), "--built", str(PLUGIN_BUILDS / name), "--output", str(rpms(release)), *parts)


def ensure(release, as_it_is=False, targets=TARGETS):
    """The build folder with an up-to-date plugin, or with what the last build left; quick when nothing changed."""
    if release.source is None:
        raise LabError("building the plugin for that Slurm needs --slurm-source too")
    # Times are measured of what is shipped, not of what tests have.
    name = release.build_name() if targets == TARGETS else f"{release.name()}-timed"
    folder = PLUGIN_BUILDS / name
    if as_it_is and (folder / PLUGIN).exists():
        return folder
    log = PLUGIN_BUILDS / f"{name}.log"
    with locked(PLUGIN_BUILDS / f"{name}.lock", f"it is building the plugin for {name}"):
        if not (folder / PLUGIN).exists():
            say(f"building the plugin for Slurm {release.version} (a minute or two)")
        log.unlink(missing_ok=True)
        folder.mkdir(exist_ok=True)
        if namespace.run(lambda: _build(release, folder, log, targets), network=True) != 0:
            raise LabError("no plugin, no lab")
    if not (folder / PLUGIN).exists():
        raise LabError(f"the build made no {folder / PLUGIN}")
    return folder
