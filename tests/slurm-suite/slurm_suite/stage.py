# SPDX-License-Identifier: GPL-2.0-or-later
"""What Slurm's suite expects of a machine, made inside namespaces: a Slurm that may be changed, a user, commands."""

import os
import shutil
from pathlib import Path

from nvl72lab import namespace
from nvl72lab.root_copy import MOUNTS, overlay

from . import configuration

HOME = MOUNTS / "home"
BIN = MOUNTS / "bin"
RESULTS = MOUNTS / "results"
STATE = MOUNTS / "slurm"
USER = "slurm"  # some tests call it by this name
USER_ID = 64000  # none of Debian's
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"

# sudo runs all as root already; only another user has to be taken on.
SUDO = """\
#!/bin/sh
user=root
while :; do
    case $1 in
        -ln) echo "(ALL : ALL) NOPASSWD: ALL"; exit ;;
        -u) user=$2; shift ;;
        -*) ;;
        *) break ;;
    esac
    shift
done
[ "$user" = "$(id -un)" ] || set -- setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups "$@"
exec "$@"
"""
# The suite asks whether there is a database to put back.
MYSQL = """\
#!/bin/sh
echo "there is no database" >&2
exit 1
"""


def _program(name, text):
    path = BIN / name
    path.write_text(text, "utf-8")
    path.chmod(0o755)


def _user():
    """Adds the user to copies of passwd and group."""
    for name, line in (("passwd", f"{USER}:x:{USER_ID}:{USER_ID}::{HOME}:/bin/sh"), ("group", f"{USER}:x:{USER_ID}:")):
        others = [old for old in Path("/etc", name).read_text("utf-8").splitlines() if not old.startswith(f"{USER}:")]
        copy = MOUNTS / name
        copy.write_text("\n".join([*others, line, ""]), "utf-8")
        namespace.mount(copy, f"/etc/{name}", flags=namespace.MS_BIND)


def build(release, results, dropin, with_blocks):
    """Called in namespaces: mounts and writes all of it. dropin: the topology_block.so to run instead of Slurm's, or None."""
    namespace.empty(MOUNTS)
    # Bound first: a folder below /tmp would get a copy in memory.
    namespace.bind(results, RESULTS)
    overlay("/tmp", "tmp", "/tmp")
    os.chmod("/tmp", 0o1777)
    overlay(release.prefix, "prefix", release.prefix)
    release.enter()
    # Login shells would set another PATH.
    namespace.mount("/dev/null", "/etc/profile", flags=namespace.MS_BIND)
    _user()
    for folder in (HOME, BIN, STATE, *(STATE / name for name in ("run", "log", "spool", "tmp"))):
        folder.mkdir()
        shutil.chown(folder, USER, USER)
    _program("sudo", SUDO)
    _program("mysql", MYSQL)
    configuration.install(release.prefix, STATE, USER, with_blocks)
    if dropin:
        shutil.copy(dropin, release.plugins / "topology_block.so")


def environment(release, suite_conf):
    """What pytest and all that it starts see."""
    path = f"{BIN}:{release.prefix}/bin:{release.prefix}/sbin:{SYSTEM_PATH}"
    return {"PATH": path, "HOME": str(HOME), "LC_ALL": "C.UTF-8", "USER": "root", "SHELL": "/bin/bash",
            "SLURM_TESTSUITE_CONF": str(suite_conf), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


def write_suite_conf(release):
    """The suite's own settings; where they are."""
    path = MOUNTS / "testsuite.conf"
    path.write_text(f"SlurmSourceDir={release.source}\nSlurmBuildDir={release.source}\nSlurmInstallDir={release.prefix}\n"
                    f"SlurmConfigDir={release.prefix}/etc\n", "utf-8")
    return path


def keep_logs(name):
    """Copies what the daemons have logged to the results."""
    for folder in STATE.glob("log*"):
        shutil.copytree(folder, RESULTS / f"{name}.logs" / Path(folder).name, dirs_exist_ok=True)
