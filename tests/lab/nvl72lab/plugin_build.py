# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds the project's plugin for one Slurm, with CMake, where that Slurm's compiler is; and the command, on this host."""

import subprocess

from . import namespace
from .places import PLUGIN_BUILDS, PROJECT, LabError, locked, say
from .slurm_release import ROOT_PATH

PLUGIN = "plugin/topology_nvl72block.so"
DROPIN = "plugin/dropin/topology_block.so"
TARGETS = ["nvl72block_plugin"]
TIMER = "timer/topology_timed.so"
TIMER_TARGETS = [*TARGETS, "nvl72block_timer"]
COMMAND = "src/cli/nvl72block"
DEV_BUILD = PROJECT / "build/dev"
COMMAND_BUILD = PLUGIN_BUILDS / "command"


def _run(release, log, *command):
    environment = None
    if release:
        command = release.inside(*command)
        environment = {"PATH": ROOT_PATH, "LC_ALL": "C.UTF-8", "HOME": "/root"} if release.root else None
    with open(log, "a", encoding="utf-8") as output:
        result = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment, check=False)
    if result.returncode:
        tail = "\n  ".join(log.read_text("utf-8", "replace").splitlines()[-40:])
        raise LabError(f"the build failed (all of it: {log}):\n  {tail}")


def _build(release, folder, log, targets):
    release.enter()
    if not (folder / "build.ninja").exists():
        _run(release, log, "cmake", "-S", str(PROJECT), "-B", str(folder), "-G", "Ninja",
             "-DCMAKE_BUILD_TYPE=RelWithDebInfo", f"-DSLURM_SOURCE_DIR={release.source}",
             "-DNVL72BLOCK_BUILD_TESTS=OFF", "-DNVL72BLOCK_BUILD_TOOL=OFF")
    _run(release, log, "cmake", "--build", str(folder), "--target", *targets)
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
            _run(None, log, "cmake", "-S", str(PROJECT), "-B", str(folder), "-G", "Ninja",
                 "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DNVL72BLOCK_BUILD_TESTS=OFF")
        _run(None, log, "cmake", "--build", str(folder), "--target", "nvl72block")


def ensure(release, as_it_is=False, targets=TARGETS):
    """The build folder with an up-to-date plugin, or with what the last build left; quick when nothing changed."""
    if release.source is None:
        raise LabError("building the plugin for that Slurm needs --slurm-source too")
    name = f"{release.version}{'-root' if release.root else ''}"
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
