# SPDX-License-Identifier: GPL-2.0-or-later
"""What Slurm's suite expects of a machine, made inside namespaces: a Slurm that may be changed, its configuration, users' commands."""

import os
import shutil
import subprocess
from pathlib import Path

from nvl72lab import namespace
from nvl72lab.root_copy import MOUNTS, overlay

HOME = MOUNTS / "home"
BIN = MOUNTS / "bin"
RESULTS = MOUNTS / "results"
STATE = MOUNTS / "slurm"
USER = "slurm"  # some tests call it by this name
USER_ID = 64000  # none of Debian's
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"

# The suite reads and rewrites this file, so that each setting stands as it looks for it; node0 is its pattern for more nodes.
SLURM_CONF = """\
ClusterName=suite
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=slurm
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation={state}/state
SlurmctldPidFile={state}/run/slurmctld.pid
SlurmctldLogFile={state}/log/slurmctld.log
SlurmctldDebug=debug
SlurmdSpoolDir={state}/spool/%n
SlurmdPidFile={state}/run/slurmd.%n.pid
SlurmdLogFile={state}/log/slurmd.%n.log
SlurmdDebug=debug
TmpFS={state}/tmp/%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=1
SlurmctldPort=6820
SlurmdPort=6830
NodeName=node0 NodeAddr=127.0.0.1 Port=7000 RealMemory=1024 State=UNKNOWN
PartitionName=primary Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
# There is no slurmdbd, but the suite asks for its version, and it tells that only with a configuration.
SLURMDBD_CONF = """\
DbdHost=localhost
SlurmUser=slurm
StorageType=accounting_storage/mysql
"""
# For tests that say nothing of a topology. Which nodes they have is not known before: with more to come, names without one are right.
# Tests that say how many nodes they need get node1 and the following ones, the others node0 alone.
WITH_BLOCKS = "TopologyPlugin=topology/block\nMaxNodeCount=64\n"
BLOCKS = "".join(f"BlockName=b{first // 4} Nodes=node[{first + 1}-{first + 4}]\n" for first in range(0, 60, 4))
BLOCKS += "BlockName=b15 Nodes=node0,node[61-63]\nBlockSizes=4,8,16\n"
TOPOLOGY_WORDS = ("TopologyPlugin", "topology.conf", "topology.yaml", 'source="topology"')

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


def says_topology(test_file):
    """Whether a test brings a topology of its own."""
    text = test_file.read_text("utf-8")
    return any(word in text for word in TOPOLOGY_WORDS)


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


def _configuration(prefix, with_blocks):
    """The suite takes etc.orig for each test's etc."""
    folder = prefix / "etc.orig"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    more = WITH_BLOCKS if with_blocks else ""
    (folder / "slurm.conf").write_text(more + SLURM_CONF.format(state=STATE), "utf-8")
    (folder / "slurmdbd.conf").write_text(SLURMDBD_CONF, "utf-8")
    (folder / "slurmdbd.conf").chmod(0o600)
    (folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n", "utf-8")
    if with_blocks:
        (folder / "topology.conf").write_text(BLOCKS, "utf-8")
    for path in (folder, *folder.iterdir()):
        shutil.chown(path, USER, USER)
    shutil.rmtree(prefix / "etc", ignore_errors=True)
    subprocess.run(["cp", "-a", folder, prefix / "etc"], check=True)


def build(release, results, dropin, with_blocks):
    """Called in namespaces: mounts and writes all of it. dropin: the topology_block.so to run instead of Slurm's, or None."""
    namespace.empty(MOUNTS)
    # Bound first: a folder below /tmp would get a copy in memory.
    namespace.bind(results, RESULTS)
    overlay(release.prefix, "prefix", release.prefix)
    overlay("/tmp", "tmp", "/tmp")
    os.chmod("/tmp", 0o1777)
    release.enter()
    # Login shells would set another PATH.
    namespace.mount("/dev/null", "/etc/profile", flags=namespace.MS_BIND)
    _user()
    for folder in (HOME, BIN, STATE, *(STATE / name for name in ("run", "log", "spool", "tmp"))):
        folder.mkdir()
        shutil.chown(folder, USER, USER)
    _program("sudo", SUDO)
    _program("mysql", MYSQL)
    _configuration(release.prefix, with_blocks)
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
    os.sync()
