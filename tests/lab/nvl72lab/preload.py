# SPDX-License-Identifier: GPL-2.0-or-later
"""Libraries in C that tests load into Slurm's programs, compiled on this host: those of Slurm have its C library or a newer one."""

import subprocess

from .places import PLUGIN_BUILDS, locked

COMPILE = ("cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC")


def library(source):
    """That of a file, compiled if it is older than the file."""
    made = PLUGIN_BUILDS / f"{source.stem}.so"
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        PLUGIN_BUILDS.mkdir(parents=True, exist_ok=True)
        with locked(PLUGIN_BUILDS / f"{source.stem}.lock", f"it is compiling {source.name}"):
            draft = made.with_suffix(".new")
            subprocess.run([*COMPILE, "-o", draft, source, "-ldl"], check=True)
            draft.replace(made)
    return made
