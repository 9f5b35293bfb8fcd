# SPDX-License-Identifier: GPL-2.0-or-later
"""A small cluster as nvl72block-records prints it: four racks of four nodes, and jobs with texts of any bytes."""

import json
import stat
from dataclasses import dataclass, field
from pathlib import Path

VERSIONS = ("24.11.5", "25.05.7", "25.11.6", "26.05.3")
NODES = [f"n{number:02}" for number in range(1, 17)]
TIME = 1795507200  # 2026-11-24T08:00:00
HOUR = 3600

# What somebody may write freely into a job, of what the document has.
TEXTS = ("name", "system_comment")


@dataclass
class Job:
    """What slurmctld knows of a job, and the texts that its user chose."""

    number: int
    state: str = "PENDING"
    reason: str = "Resources"
    nodes: str = ""
    least: int = 1
    most: int = 1
    array: str = ""  # the tasks
    memory: int = 0
    segment: int = 0
    gpus: int = 0
    exclusive: bool = True
    user: str = "alice"
    texts: dict = field(default_factory=dict)  # bytes by member

    def record(self, version):
        """As in the document; None is left out."""
        waits = self.state == "PENDING"
        members = {
            "id": self.number, "array_id": self.number if self.array else None, "array_tasks": self.array or None, "name": "wrap",
            "user": self.user, "state": self.state, "reason": self.reason.replace(" ", "_"), "partition": "main",
            "priority": 0 if "Held" in self.reason else 100, "submit": TIME, "eligible": TIME, "start": None if waits else TIME,
            "end": None if waits else TIME + HOUR, "time_limit": HOUR, "nodes": self.nodes or None, "min_nodes": self.least,
            "max_nodes": self.most if waits else None, "cpus": self.least, "tasks": self.least, "cpus_per_node": 1, "cpus_per_task": 1,
            "memory_per_node": self.memory or None, "tres": f"cpu={self.least},node={self.least}",
            "tres_per_node": f"gres/gpu:{self.gpus}" if self.gpus else None, "exclusive": "node" if self.exclusive else None,
            "segment_size": self.segment if self.segment and not version.startswith("24") else None,
            **{key: text_of(data) for key, data in self.texts.items()}}
        return {key: value for key, value in members.items() if value is not None}


def text_of(data):
    """Bytes as the program writes them."""
    return data.decode("utf-8", "backslashreplace")


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
        Job(24, reason="Licenses", least=4, most=4, memory=512000, gpus=4),
        Job(25, reason="ReqNodeNotAvail, UnavailableNodes:n[13-14]", least=3, most=3),
        Job(26, reason="BeginTime", least=16, most=16, exclusive=False),
    ]


def document(version, jobs, reasons=None):
    """What the program prints. `reasons` are texts of drained nodes, as bytes."""
    used = {"n01", "n02", "n05", "n06", "n07", "n09"}
    drained = {"n13": b"bad tray", "n14": b"bad tray", **(reasons or {})}
    nodes = [{"name": name, "cpus": 144, "allocated_cpus": 144 if name in used else 0, "memory": 900000, "gres": "gpu:4", "weight": 1,
              "state": "IDLE+DRAIN" if name in drained else "ALLOCATED" if name in used else "IDLE",
              "reason": text_of(drained.get(name, b""))} for name in NODES]
    blocks = [{"name": f"r{rack + 1}", "index": rack, "nodes": f"n[{4 * rack + 1:02}-{4 * rack + 4:02}]", "size": 4} for rack in range(4)]
    blocks.append({"name": "r[1-4]", "aggregated": True, "index": 4, "nodes": "n[01-16]", "size": 16})
    return {"format": 2, "user": "root", "utc_offset": 0, "nodes": nodes, "blocks": blocks, "reservations": [],
            "config": {"time": TIME + 600, "cluster_name": "evil", "private_data": "none", "slurm_version": version,
                       "topology_plugin": "topology/block"},
            "partitions": [{"name": "main", "nodes": "n[01-16]", "default": True, "up": True, "tier": 1}],
            "jobs": [job.record(version) for job in jobs]}


def install_program(folder, version, jobs, reasons=None):
    """An nvl72block-records that knows this cluster, in `folder`."""
    text, program = Path(folder, "document.json"), Path(folder, "nvl72block-records")
    text.write_text(json.dumps(document(version, jobs, reasons)), "utf-8")
    program.write_text(f"#!/bin/sh\nexec cat '{text}'\n", "utf-8")
    program.chmod(stat.S_IRWXU)
