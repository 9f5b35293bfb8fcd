# SPDX-License-Identifier: GPL-2.0-or-later
"""A copy of the private root for one instance, into which a test can install."""

import os
from dataclasses import replace
from pathlib import Path

from . import cluster, namespace
from .scenario_switch import search_own_plugins

MOUNTS = Path("/mnt")


def _layers(name):
    """Empty folders for an overlay; MOUNTS is in memory, until the instance's mounts vanish."""
    if not os.path.ismount(MOUNTS):
        namespace.empty(MOUNTS)
    folders = [MOUNTS / name / part for part in ("changes", "work", "root")]
    for folder in folders:
        folder.mkdir(parents=True)
    return folders


def overlay(lower, name, target=None):
    """Mounts a folder with changes that are kept in memory; returns where."""
    changes, work, root = _layers(name)
    namespace.mount("overlay", target or root, "overlay", options=f"lowerdir={lower},upperdir={changes},workdir={work}")
    return target or root


def start(instance):
    """Restarts the instance's slurmctld in a copy of the private root that loads only what is installed there; returns the copy."""
    cluster.ask("lab-ctl", "stop")
    before = instance.release
    root = overlay(before.root, "root")
    release = replace(before, prefix=root / "usr", root=root)
    release.enter()
    instance.save_release(release)
    release.write_wrappers(instance.bin)
    search_own_plugins(False)
    cluster.ask("lab-ctl", "start")
    return root
