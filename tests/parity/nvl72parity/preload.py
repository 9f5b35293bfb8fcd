# SPDX-License-Identifier: GPL-2.0-or-later
"""The two libraries that are loaded into Slurm's programs, built where that Slurm's compiler is."""

from nvl72lab import namespace, plugin_build, sanitizer
from nvl72lab.places import PLUGIN_BUILDS, PROJECT, LabError, locked

SOURCES = PROJECT / "tests/parity"
STAY, PASS = "stay", "pass"
COMPILE = ("cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC")


def library(release, name):
    """Where ensure() leaves one of them."""
    return PLUGIN_BUILDS / f"parity-{release.version}{'-root' if release.root else ''}" / f"{name}.so"


def _compile(release):
    release.enter()
    for name in (STAY, PASS):
        made = library(release, name)
        plugin_build.run(release, made.with_suffix(".log"), *COMPILE, "-o", str(made), str(SOURCES / f"{name}.c"))
    return 0


def ensure(release):
    """Compiles them if they are older than their sources."""
    folder = library(release, STAY).parent
    with locked(PLUGIN_BUILDS / f"{folder.name}.lock", "it is compiling the libraries of tests/parity"):
        folder.mkdir(parents=True, exist_ok=True)
        current = all(library(release, name).exists() and
                      library(release, name).stat().st_mtime > (SOURCES / f"{name}.c").stat().st_mtime for name in (STAY, PASS))
        if not current and namespace.run(lambda: _compile(release), network=True) != 0:
            raise LabError("the libraries of tests/parity were not built")


def command(release, name, program, *arguments):
    """The command line that runs a program of Slurm with one of them."""
    line = release.command(program, *arguments)
    inner = 2 if release.root else 0  # after chroot, which is the host's
    return [*line[:inner], "/usr/bin/env", f"LD_PRELOAD={sanitizer.preload(library(release, name))['LD_PRELOAD']}", *line[inner:]]
