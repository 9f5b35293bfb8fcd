# SPDX-License-Identifier: GPL-2.0-or-later
"""A small cluster as Slurm's commands print it: four racks of four nodes, and jobs with texts of any bytes."""

import json
import os
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path

VERSIONS = ("24.11.5", "25.05.7", "25.11.6", "26.05.3")
NODES = [f"n{number:02}" for number in range(1, 17)]
TIME = b"2026-11-24T08:00:00"

# What a user may write freely, by the key that scontrol prints before it.
TEXTS = ("JobName", "WCKey", "Network", "Command", "WorkDir", "AdminComment", "Comment", "Extra", "StdOut", "SubmitLine")


@dataclass
class Job:
    """What slurmctld knows of a job, and the texts that its user chose."""

    number: int
    state: str = "PENDING"
    reason: str = "Resources"
    nodes: str = ""
    least: int = 1
    most: int = 1
    partition: str = "main"
    array: str = ""  # the tasks
    memory: str = "0"
    segment: int = 0
    gpus: int = 0
    exclusive: bool = True
    user: str = "alice"
    texts: dict = field(default_factory=dict)  # bytes by key

    def text(self, key):
        return self.texts.get(key, b"wrap" if key == "JobName" else b"(null)")


def jobs_of_every_kind():
    """Running and waiting jobs, arrays and ended ones, on n01 to n09."""
    return [
        Job(11, "RUNNING", "None", "n[01-02]", 2),
        Job(12, "RUNNING", "None", "n[05-07]", 3, user="bob"),
        Job(13, "COMPLETED", "None", "n08", 1),
        Job(14, "RUNNING", "None", "n09", 1, segment=1),
        Job(21, least=8, most=8, segment=4),
        Job(22, reason="Priority", least=2, most=4, user="bob"),
        Job(23, reason="JobHeldUser", array="1-10%2", least=1, most=1),
        Job(24, reason="Licenses", least=4, most=4, memory="512000M", gpus=4),
        Job(25, reason="ReqNodeNotAvail, UnavailableNodes:n[13-14]", least=3, most=3),
        Job(26, reason="BeginTime", least=16, most=16, exclusive=False),
    ]


def year(version):
    return tuple(int(part) for part in version.split(".")[:2])


def scontrol_job(job, version):
    """One line of `scontrol -o show jobs`."""
    waits = job.state == "PENDING"
    words = [b"JobId=%d" % job.number]
    if job.array:
        words.append(b"ArrayJobId=%d ArrayTaskId=%s ArrayTaskThrottle=2" % (job.number, job.array.encode()))
    words += [
        b"JobName=" + job.text("JobName"),
        b"UserId=%s(1000) GroupId=users(100) MCS_label=N/A" % job.user.encode(),
        b"Priority=%d Nice=0 Account=(null) QOS=(null)" % (0 if "Held" in job.reason else 100),
        *([b"WCKey=" + job.text("WCKey")] if "WCKey" in job.texts else []),
        b"JobState=%s Reason=%s Dependency=(null)" % (job.state.encode(), job.reason.replace(" ", "_").encode()),
        b"Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0",
        b"RunTime=00:10:00 TimeLimit=01:00:00 TimeMin=N/A",
        b"SubmitTime=%s EligibleTime=%s AccrueTime=%s" % (TIME, TIME, TIME),
        b"StartTime=%s EndTime=%s Deadline=N/A" % ((b"Unknown", b"Unknown") if waits else (TIME, TIME.replace(b"T08", b"T09"))),
        b"SuspendTime=None SecsPreSuspend=0 LastSchedEval=%s Scheduler=Main" % TIME,
        b"Partition=%s AllocNode:Sid=login:1" % job.partition.encode(),
        b"ReqNodeList=(null) ExcNodeList=(null)",
        b"NodeList=" + job.nodes.encode(),
        b"NumNodes=%s NumCPUs=%d NumTasks=%d CPUs/Task=1 ReqB:S:C:T=0:0:*:*"
        % (f"{job.least}-{job.most}".encode() if waits else b"%d" % job.least, job.least, job.least),
        b"ReqTRES=cpu=1,node=1 AllocTRES=(null) Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*",
        b"MinCPUsNode=1 MinMemoryNode=%s MinTmpDiskNode=0" % job.memory.encode(),
        b"Features=(null) DelayBoot=00:00:00",
    ]
    sharing = "NO" if job.exclusive else "OK"
    if year(version) >= (26, 5):
        words.append(f"OverSubscribe={sharing} Exclusive={'NODE' if job.exclusive else 'NO'}".encode())
    else:
        words.append(f"OverSubscribe={sharing}".encode())
    words.append(b"Contiguous=0 Licenses=(null) Network=" + job.text("Network"))
    words.append(b"Command=" + job.text("Command"))
    if year(version) >= (26, 5):
        words.append(b"SubmitLine=" + job.text("SubmitLine"))
    words.append(b"WorkDir=" + job.text("WorkDir"))
    words += [key.encode() + b"=" + job.text(key) + b" " for key in ("AdminComment", "Comment", "Extra") if key in job.texts]
    words += [b"StdErr=/dev/null", b"StdIn=/dev/null", b"StdOut=" + job.text("StdOut")]
    if job.segment and year(version) >= (25, 5):
        words.append(b"SegmentSize=%d" % job.segment)
    if job.gpus:
        words.append(b"TresPerNode=gres/gpu:%d" % job.gpus)
    return b" ".join(words) + b" \n"


def squeue_fields(job, version):
    """What squeue prints for each of its fields, as bytes."""
    waits = job.state == "PENDING"
    fields = {
        "JobId": job.number, "ArrayJobId": job.number, "ArrayTaskId": job.array or "N/A", "HetJobId": "N/A",
        "HetJobOffset": "N/A", "UserName": job.user, "PriorityLong": 0 if "Held" in job.reason else 100,
        "State": job.state, "Reason": job.reason, "Dependency": "(null)", "TimeLimit": "1:00:00",
        "SubmitTime": TIME, "EligibleTime": TIME, "StartTime": "N/A" if waits else TIME,
        "EndTime": "N/A" if waits else TIME.replace(b"T08", b"T09"), "Partition": job.partition, "ReqNodes": "",
        "ExcNodes": "", "NodeList": job.nodes, "NumNodes": job.least, "MaxNodes": job.most if waits else job.least,
        "NumCPUs": job.least, "NumTasks": job.least, "MinCPUs": 1, "Feature": "(null)", "Reservation": "(null)",
        "OverSubscribe": "NO" if job.exclusive else "OK", "Contiguous": 0, "tres-per-job": "N/A",
        "tres-per-node": f"gres/gpu:{job.gpus}" if job.gpus else "N/A", "tres-per-task": "N/A", "tres-per-socket": "N/A",
        "tres-alloc": f"cpu={job.least},node={job.least}", "cpus-per-task": 1, "NTPerNode": 0, "system_comment": "(null)",
        "Name": job.text("JobName"),
    }
    if year(version) >= (25, 5):
        fields["SegmentSize"] = job.segment or "N/A"
    if year(version) >= (26, 5):
        fields["Exclusive"] = "NODE" if job.exclusive else "NO"
    return {name: value if isinstance(value, bytes) else str(value).encode() for name, value in fields.items()}


def texts_of_cluster(version, jobs, reasons=None):
    """scontrol's outputs by kind. `reasons` are texts of drained nodes."""
    reasons = reasons or {}
    used = {"n01", "n02", "n05", "n06", "n07", "n09"}
    nodes = b""
    for name in NODES:
        state = b"IDLE+DRAIN" if name in ("n13", "n14") else b"ALLOCATED" if name in used else b"IDLE"
        nodes += b"NodeName=%s CoresPerSocket=72 CPUAlloc=%d CPUTot=144 CPULoad=0.00 AvailableFeatures=(null) ActiveFeatures=(null) " % (
            name.encode(), 144 if name in used else 0)
        nodes += b"Gres=gpu:4 NodeAddr=%s RealMemory=900000 AllocMem=0 Sockets=2 State=%s ThreadsPerCore=1 Weight=1 " % (name.encode(), state)
        nodes += b"Partitions=main CfgTRES=cpu=144 AllocTRES="
        if name in ("n13", "n14"):
            nodes += b" Reason=" + reasons.get(name, b"bad tray") + b" [root@2026-11-24T07:00:00]"
        nodes += b"\n"
    topology = b"".join(
        b"BlockName=r%d BlockIndex=%d Nodes=n[%02d-%02d] BlockSize=4\n" % (rack + 1, rack, 4 * rack + 1, 4 * rack + 4) for rack in range(4))
    topology += b"AggregatedBlock=r[1-4] BlockIndex=4 Nodes=n[01-16] BlockSize=16\n"
    return {
        "config": b"Configuration data as of 2026-11-24T08:10:00\nClusterName = evil\nPrivateData = none\n"
                  b"SLURM_VERSION = %s\nTopologyParam = (null)\nTopologyPlugin = topology/block\n" % version.encode(),
        "nodes": nodes,
        "jobs": b"".join(scontrol_job(job, version) for job in jobs) or b"No jobs in the system\n",
        "partitions": b"PartitionName=main Default=YES DefaultTime=NONE ExclusiveTopo=NO MaxNodes=UNLIMITED MaxTime=UNLIMITED "
                      b"Nodes=n[01-16] OverSubscribe=NO State=UP TotalNodes=16\n",
        "reservations": b"No reservations in the system\n",
        "topology": topology,
    }


def install_commands(folder, version, jobs, reasons=None):
    """scontrol and squeue that know this cluster, as programs in `folder`."""
    folder = Path(folder)
    for kind, text in texts_of_cluster(version, jobs, reasons).items():
        (folder / kind).write_bytes(text)
    rows = [{name: value.decode("latin-1") for name, value in squeue_fields(job, version).items()} for job in jobs]
    (folder / "rows.json").write_text(json.dumps(rows))
    programs = {
        "scontrol": f"#!/bin/sh\nfor kind; do :; done\nexec cat '{folder}'/\"$kind\"\n",
        "squeue": f"#!/bin/sh\nexec '{sys.executable}' -B '{Path(__file__).resolve()}' '{folder}' \"$@\"\n",
    }
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(stat.S_IRWXU)


def squeue(folder, arguments):
    """Prints what squeue prints for -O: unknown fields are empty and an error, NAME:0SUFFIX is as wide as the value."""
    rows = json.loads(Path(folder, "rows.json").read_text())
    output = b""
    for row in reversed(rows):
        for wanted in arguments[arguments.index("-O") + 1].split(","):
            name, _, suffix = wanted.partition(":0")
            output += row.get(name, "").encode("latin-1") + suffix.encode()
        output += b"\n"
    os.write(2, b"squeue: error: Invalid job format specification: some\n")
    sys.stdout.buffer.write(output)


if __name__ == "__main__":
    squeue(sys.argv[1], sys.argv[2:])
