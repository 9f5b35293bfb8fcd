# SPDX-License-Identifier: GPL-2.0-or-later
"""One instance's folder: its configuration, key, state, logs and the commands that reach it."""

import fcntl
import json
import os
import secrets
import shutil
import tempfile
from pathlib import Path

from . import plugin_build, sanitizer, site_conf
from .places import INSTANCES, LAB, PROJECT, locked
from .slurm_release import SlurmRelease

LAB_CTL = """#!/bin/sh
PYTHONPATH={lab} exec /usr/bin/python3 -m nvl72lab.lab_ctl "$@"
"""


class Instance:
    """The folders and files of one instance."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.conf = self.folder / "etc"
        self.state = self.folder / "state"
        self.run = self.folder / "run"
        self.log = self.folder / "log"
        self.bin = self.folder / "bin"
        self.plugins = self.folder / "plugins"
        self.slurm_conf = self.conf / "slurm.conf"
        self.controller_log = self.log / "slurmctld.log"
        self.controller_output = self.log / "slurmctld.out"
        self.controller_pid = self.run / "slurmctld.pid"
        self.answered = self.run / "answered"  # there while the last start was a success
        self.release = None

    def environment(self):
        """What COMMAND and the daemons see."""
        path = os.environ.get("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        return {**os.environ, "PATH": f"{self.bin}:{path}", "SLURM_CONF": str(self.slurm_conf),
                "NVL72BLOCK_LAB_INSTANCE": str(self.folder), **sanitizer.options(self.log)}

    def save_release(self, release):
        """Lets lab-ctl, another process, know which Slurm this is."""
        self.release = release
        fields = {key: str(val) if val is not None else None for key, val in vars(release).items()}
        (self.folder / "release.json").write_text(json.dumps(fields), "utf-8")

    def load_release(self):
        """The counterpart of save_release."""
        fields = json.loads((self.folder / "release.json").read_text("utf-8"))
        paths = {key: Path(val) if val is not None else None for key, val in fields.items() if key != "version"}
        self.release = SlurmRelease(version=fields["version"], **paths)
        return self


def _reap_dead():
    """Removes the folders of instances whose owner is gone; the kernel has ended their processes already."""
    for folder in INSTANCES.iterdir():
        try:
            with open(folder / "owner", "r+b") as owner:
                fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        except (FileNotFoundError, NotADirectoryError):
            pass
        shutil.rmtree(folder, ignore_errors=True)


def _claim():
    """A new instance folder and the open file whose lock says that its owner lives."""
    INSTANCES.mkdir(parents=True, exist_ok=True)
    with locked(LAB / "instances.lock", "it is registering an instance"):
        _reap_dead()
        folder = Path(tempfile.mkdtemp(prefix="lab-", dir=INSTANCES))
        owner = open(folder / "owner", "wb")  # pylint: disable=consider-using-with # held for the instance's life
        fcntl.flock(owner, fcntl.LOCK_EX)
    return folder, owner


def _copy_plugins(instance, build, dropin):
    """A snapshot: a build beside a running instance must not change the file that it has mapped."""
    shutil.copy(build / plugin_build.PLUGIN, instance.plugins)
    if dropin:
        shutil.copy(build / plugin_build.DROPIN, instance.plugins)


def create(release, config, build=None, topology_plugin=None, dropin=False, settings=()):
    """Makes the folder of a new instance; returns it and the lock that keeps it alive."""
    folder, owner = _claim()
    instance = Instance(folder)
    for part in (instance.state, instance.run, instance.log, instance.bin, instance.plugins):
        part.mkdir()
    folder.chmod(0o755)
    if build:
        _copy_plugins(instance, build, dropin)
    places = {"state": instance.state, "run": instance.run, "log": instance.log,
              "plugin_dirs": f"{instance.plugins}:{release.plugins}"}
    site_conf.install(config, instance.conf, places, topology_plugin, settings)
    key = instance.conf / "slurm.key"
    key.write_bytes(secrets.token_bytes(1024))
    key.chmod(0o600)
    release.write_wrappers(instance.bin)
    control = instance.bin / "lab-ctl"
    control.write_text(LAB_CTL.format(lab=PROJECT / "tests/lab"), "utf-8")
    control.chmod(0o755)
    instance.save_release(release)
    return instance, owner
