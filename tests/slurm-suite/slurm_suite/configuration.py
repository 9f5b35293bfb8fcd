# SPDX-License-Identifier: GPL-2.0-or-later
"""The configuration that Slurm's suite begins each test with."""

import shutil
import subprocess

# The suite reads and rewrites this file, so that each setting stands as it looks for it; node0 is its pattern for more nodes.
SLURM_CONF = """\
ClusterName=suite
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
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
SlurmUser={user}
StorageType=accounting_storage/mysql
"""
# For tests that say nothing of a topology. Which nodes they have is not known before: with more to come, names without one are right.
# Tests that say how many nodes they need get node1 and the following ones, the others node0 alone.
WITH_BLOCKS = "TopologyPlugin=topology/block\nMaxNodeCount=64\n"
BLOCKS = "".join(f"BlockName=b{first // 4} Nodes=node[{first + 1}-{first + 4}]\n" for first in range(0, 60, 4))
BLOCKS += "BlockName=b15 Nodes=node0,node[61-63]\nBlockSizes=4,8,16\n"
TOPOLOGY_WORDS = ("TopologyPlugin", "topology.conf", "topology.yaml", 'source="topology"')


def says_topology(test_file):
    """Whether a test brings a topology of its own."""
    text = test_file.read_text("utf-8")
    return any(word in text for word in TOPOLOGY_WORDS)


def install(prefix, state, user, with_blocks):
    """The suite takes etc.orig for each test's etc."""
    folder = prefix / "etc.orig"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    more = WITH_BLOCKS if with_blocks else ""
    (folder / "slurm.conf").write_text(more + SLURM_CONF.format(state=state, user=user), "utf-8")
    (folder / "slurmdbd.conf").write_text(SLURMDBD_CONF.format(user=user), "utf-8")
    (folder / "slurmdbd.conf").chmod(0o600)
    (folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n", "utf-8")
    if with_blocks:
        (folder / "topology.conf").write_text(BLOCKS, "utf-8")
    for path in (folder, *folder.iterdir()):
        shutil.chown(path, user, user)
    shutil.rmtree(prefix / "etc", ignore_errors=True)
    subprocess.run(["cp", "-a", folder, prefix / "etc"], check=True)
