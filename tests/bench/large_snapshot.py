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
NOW = 1_795_380_681  # 2026-11-22T20:51:21
DAY = 86_400
HOUR = 3_600


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
        job = {"id": number, "name": f"train{number}", "user": f"user{number % 60}", "partition": "main", "priority": 1_000_000 - number,
               "submit": NOW - 11 * HOUR, "eligible": NOW - 11 * HOUR, "time_limit": DAY, "min_nodes": wanted, "cpus": wanted * 144,
               "tasks": 1, "cpus_per_node": 1, "cpus_per_task": 1, "tres": f"cpu={wanted * 144},node={wanted}", "exclusive": "node",
               **({"segment_size": segment} if segment else {})}
        if len(self.free) >= wanted:
            nodes = sorted(self.free)
            start = self.random.randrange(len(nodes) - wanted + 1)
            mine = nodes[start:start + wanted]
            self.free -= set(mine)
            self.job_of.update(dict.fromkeys(mine, number))
            end = NOW + (3 + self.random.randrange(24)) * HOUR
            return {**job, "state": "RUNNING", "reason": "None", "start": NOW - 9 * HOUR, "end": end, "nodes": host_list(mine)}
        return {**job, "state": "PENDING", "reason": "Resources" if number % 7 else "Priority", "max_nodes": wanted}

    def node(self, node):
        clique = f"b78ed242-7b98-426f-b194-{node // RACK:012x}.32766"
        record = {"name": name(node), "available_features": clique, "active_features": clique, "cpus": 144, "memory": 900000,
                  "gres": "gpu:4", "weight": 1, "state": "IDLE"}
        if node in self.drained:
            return {**record, "state": "IDLE+DRAIN", "reason": "bad tray"}
        return {**record, "state": "ALLOCATED", "allocated_cpus": 144} if node in self.job_of else record

    def blocks(self):
        blocks = [{"name": f"rack{rack + 1:03}", "index": rack, "nodes": host_list(range(rack * RACK, (rack + 1) * RACK)), "size": RACK}
                  for rack in range(self.racks)]
        joins = 2
        while joins <= self.racks:
            for first in range(0, self.racks, joins):
                last = min(first + joins, self.racks)
                blocks.append({"name": f"rack[{first + 1:03}-{last:03}]", "aggregated": True, "index": len(blocks),
                               "nodes": host_list(range(first * RACK, last * RACK)), "size": RACK * joins})
            joins *= 2
        return blocks

    def write(self, folder):
        every = host_list(range(self.count))
        document = {
            "format": 2, "user": "root", "utc_offset": 0, "jobs": self.jobs, "blocks": self.blocks(),
            "config": {"time": NOW, "cluster_name": "large", "private_data": "none", "slurm_version": "26.05.3",
                       "topology_plugin": "topology/nvl72block"},
            "nodes": [self.node(node) for node in range(self.count)],
            "partitions": [{"name": "main", "nodes": every, "default": True, "up": True, "exclusive_node": True, "tier": 1}],
            "reservations": [{"name": "service", "nodes": host_list(range(180)), "start": NOW + 5 * HOUR, "end": NOW + 9 * HOUR}]}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "state.json").write_text(json.dumps(document), "utf-8")
        lines = [f"BlockName={block['name']} Nodes={block['nodes']}\n" for block in document["blocks"] if "aggregated" not in block]
        (folder / "topology.conf").write_text("".join(lines), "utf-8")
        (folder / "features").write_text("".join(f"{node['name']} {node['available_features']}\n" for node in document["nodes"]), "utf-8")

    def waiting(self):
        """The numbers of the pending jobs."""
        return [str(job["id"]) for job in self.jobs if job["state"] == "PENDING"]

    def running(self):
        return [str(job["id"]) for job in self.jobs if job["state"] == "RUNNING"]


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
    yield "generate", [[program, "generate", "--features", str(folder / "features")]]
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
