#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a snapshot of a large imaginary cluster, as `nvl72block snapshot` would save it, and times every command on it.

    large_snapshot.py DIR [--racks 512] [--jobs 2000] [--time NVL72BLOCK]

The times are user CPU time, so that other work on the machine does not matter; the median of --runs is printed.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys

RACK = 18
NOW = "2026-11-22T20:51:21"

NODE = ("NodeName={name} Arch=aarch64 CoresPerSocket=72 CPUAlloc={cpus} CPUEfctv=144 CPUTot=144 CPULoad=0.00 "
        "AvailableFeatures={clique} ActiveFeatures={clique} Gres=gpu:4 NodeAddr={name} NodeHostName={name} Version=26.05.3 "
        "RealMemory=900000 AllocMem=0 FreeMem=N/A Sockets=2 Boards=1 State={state} ThreadsPerCore=1 TmpDisk=0 Weight=1 "
        "Owner=N/A MCS_label=N/A Partitions=main BootTime=None SlurmdStartTime=None LastBusyTime=Unknown "
        "CfgTRES=cpu=144,mem=900000M,billing=144,gres/gpu=4 AllocTRES= CurrentWatts=0 AveWatts=0{reason}\n")
JOB = ("JobId={id} JobName=train{id} UserId=user{user}(1{user:03}) GroupId=users(100) MCS_label=N/A Priority={priority} Nice=0 "
       "Account=(null) QOS=normal JobState={state} Reason={reason} Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 "
       "ExitCode=0:0 RunTime=00:00:00 TimeLimit=1-00:00:00 TimeMin=N/A SubmitTime=2026-11-22T10:00:00 "
       "EligibleTime=2026-11-22T10:00:00 AccrueTime=2026-11-22T10:00:00 StartTime={start} EndTime={end} Deadline=N/A "
       "SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-22T20:51:15 Scheduler=Main Partition=main "
       "AllocNode:Sid=login:1 ReqNodeList=(null) ExcNodeList=(null) NodeList={nodes} NumNodes={count} NumCPUs={cpus} NumTasks=1 "
       "CPUs/Task=1 ReqB:S:C:T=0:0:*:* ReqTRES=cpu=1 AllocTRES=(null) Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=* "
       "MinCPUsNode=1 MinMemoryNode=0 MinTmpDiskNode=0 Features=(null) DelayBoot=00:00:00 OverSubscribe=NO Exclusive=NODE "
       "Contiguous=0 Licenses=(null) Network=(null) Command=(null) WorkDir=/home/user StdErr= StdIn=/dev/null "
       "StdOut=/dev/null {segment}\n")
CONFIG = f"""Configuration data as of {NOW}
ClusterName             = large
PrivateData             = none
SLURM_VERSION           = 26.05.3
TopologyParam           = (null)
TopologyPlugin          = topology/nvl72block
"""
PARTITION = ("PartitionName=main AllowGroups=ALL Default=YES DefaultTime=NONE ExclusiveTopo=NO MaxNodes=UNLIMITED MaxTime=UNLIMITED "
             "MinNodes=0 Nodes={nodes} OverSubscribe=EXCLUSIVE State=UP TotalCPUs=1 TotalNodes={count}\n")
RESERVATION = ("ReservationName=service StartTime=2026-11-23T02:00:00 EndTime=2026-11-23T06:00:00 Duration=04:00:00 Nodes={nodes} "
               "NodeCnt=180 Flags=MAINT,SPEC_NODES Users=root State=INACTIVE\n")


def name(node):
    return f"node{node:05}"


def host_list(nodes):
    """"node[00001-00003,00007]"."""
    ranges, nodes = [], sorted(nodes)
    for node in nodes:
        if ranges and ranges[-1][1] == node - 1:
            ranges[-1][1] = node
        else:
            ranges.append([node, node])
    return "node[" + ",".join(f"{a:05}" if a == b else f"{a:05}-{b:05}" for a, b in ranges) + "]"


def segment_of(size):
    return f"SegmentSize={size} SpreadSegments=No ConsolidateSegments=No" if size else ""


class Cluster:
    """Racks of 18: one node in 40 is drained, one in 20 idle, so that few jobs fit; the other nodes are in use."""

    def __init__(self, racks, jobs, seed):
        self.random = random.Random(seed)
        self.racks = racks
        self.count = racks * RACK
        self.free = set(range(self.count))
        self.drained = set(self.random.sample(range(self.count), self.count // 40))
        self.free -= self.drained
        self.idle = set(self.random.sample(sorted(self.free), self.count // 20))
        self.free -= self.idle
        self.job_of = {}
        self.jobs = [self.job(4000 + i) for i in range(jobs)]

    def job(self, number):
        segment = self.random.choice((0, 0, 0, 4, 8, 9, 16, 18))
        wanted = self.random.choice((1, 1, 2, 4, 8, 16, 18)) if not segment else segment * self.random.choice((1, 2, 4, 8))
        values = {"id": number, "user": number % 60, "priority": 100000 - number, "cpus": wanted * 144,
                  "segment": segment_of(segment)}
        if len(self.free) >= wanted:
            nodes = sorted(self.free)
            start = self.random.randrange(len(nodes) - wanted + 1)
            mine = nodes[start:start + wanted]
            self.free -= set(mine)
            self.job_of.update(dict.fromkeys(mine, number))
            hour = self.random.randrange(24)
            return JOB.format(state="RUNNING", reason="None", start="2026-11-22T12:00:00", end=f"2026-11-23T{hour:02}:30:00",
                              nodes=host_list(mine), count=wanted, **values)
        return JOB.format(state="PENDING", reason="Resources" if number % 7 else "Priority", start="Unknown", end="Unknown",
                          nodes="", count=f"{wanted}-{wanted}", **values)

    def node(self, node):
        rack = node // RACK
        values = {"name": name(node), "clique": f"b78ed242-7b98-426f-b194-{rack:012x}.32766", "cpus": 0, "reason": ""}
        if node in self.drained:
            return NODE.format(state="IDLE+DRAIN", **{**values, "reason": " Reason=bad tray [root@2026-11-20T10:00:00]"})
        if node in self.job_of:
            return NODE.format(state="ALLOCATED", **{**values, "cpus": 144})
        return NODE.format(state="IDLE", **values)

    def topology(self):
        lines = [f"BlockName=rack{rack + 1:03} BlockIndex={rack} Nodes={host_list(range(rack * RACK, (rack + 1) * RACK))} "
                 f"BlockSize={RACK}\n" for rack in range(self.racks)]
        index, joins = self.racks, 2
        while joins <= self.racks:
            for first in range(0, self.racks, joins):
                last = min(first + joins, self.racks)
                lines.append(f"AggregatedBlock=rack[{first + 1:03}-{last:03}] BlockIndex={index} "
                             f"Nodes={host_list(range(first * RACK, last * RACK))} BlockSize={RACK * joins}\n")
                index += 1
            joins *= 2
        return "".join(lines)

    def write(self, folder):
        files = {"config.txt": CONFIG, "nodes.txt": "".join(self.node(node) for node in range(self.count)),
                 "jobs.txt": "".join(self.jobs),
                 "partitions.txt": PARTITION.format(nodes=host_list(range(self.count)), count=self.count),
                 "reservations.txt": RESERVATION.format(nodes=host_list(range(180))), "topology.txt": self.topology()}
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            (folder / file).write_text(text, "utf-8")
        conf = "".join(line.split(" BlockIndex")[0] + " Nodes=" + line.split("Nodes=")[1].split()[0] + "\n"
                       for line in files["topology.txt"].splitlines() if line.startswith("BlockName"))
        (folder / "topology.conf").write_text(conf, "utf-8")
        (folder / "snapshot.json").write_text(json.dumps({"format": 1, "user": "root", "files": {}}), "utf-8")

    def waiting(self):
        """Number and text of the pending jobs."""
        return [job.split()[0].removeprefix("JobId=") for job in self.jobs if "JobState=PENDING" in job]

    def running(self):
        return [job.split()[0].removeprefix("JobId=") for job in self.jobs if "JobState=RUNNING" in job]


def seconds(command, environment):
    """User CPU time of the command and its children."""
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        with subprocess.Popen(command, stdout=nothing, stderr=subprocess.PIPE, env=environment) as child:
            said = child.stderr.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode == 2:
        sys.exit(f"{command}: {said.decode()}")
    return usage.ru_utime


def commands(program, folder, cluster):
    """Each command as its users call it; of why, the slowest of a sample of jobs matters."""
    state = ["--state", str(folder)]
    svg, html = str(folder / "racks.svg"), str(folder / "racks.html")
    yield "show", [[program, "show", *state]]
    yield "show --svg", [[program, "show", *state, "--svg", svg]]
    yield "show --html", [[program, "show", *state, "--html", html]]
    yield "capacity", [[program, "capacity", *state]]
    yield "plan -N64 --segment=16", [[program, "plan", *state, "--nodes=64", "--segment=16"]]
    yield "plan -N2304 --segment=18", [[program, "plan", *state, "--nodes=2304", "--segment=18"]]
    waiting, running = cluster.waiting(), cluster.running()
    sample = random.Random(1).sample(waiting, min(40, len(waiting)))
    yield f"why, {len(sample)} pending jobs", [[program, "why", job, *state] for job in sample]
    yield "why, 5 running jobs", [[program, "why", job, *state] for job in running[:5]]
    yield "check", [[program, "check", *state]]
    yield "check --topology FILE", [[program, "check", *state, "--topology", str(folder / "topology.conf")]]
    yield "metrics", [[program, "metrics", *state]]
    yield "generate", [[program, "generate", "--features", str(folder / "nodes.txt")]]
    yield "graph", [[program, "graph", "--topology", str(folder / "topology.conf")]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--racks", type=int, default=512)
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--time", metavar="NVL72BLOCK")
    options = parser.parse_args()
    cluster = Cluster(options.racks, options.jobs, options.seed)
    cluster.write(options.folder)
    print(f"{cluster.count} nodes, {len(cluster.running())} running and {len(cluster.waiting())} pending jobs, "
          f"{len(cluster.free | cluster.idle)} nodes free")
    if not options.time:
        return
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    for label, calls in commands(options.time, options.folder, cluster):
        runs = options.runs if len(calls) == 1 else 1
        times = [statistics.median(seconds(call, environment) for _ in range(runs)) for call in calls]
        more = f", median {statistics.median(times):.2f} s" if len(times) > 1 else ""
        print(f"{label:28} {max(times):.2f} s{more}", flush=True)


if __name__ == "__main__":
    main()
