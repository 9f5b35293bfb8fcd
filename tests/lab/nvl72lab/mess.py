# SPDX-License-Identifier: GPL-2.0-or-later
"""Twelve racks in a mess that tests know exactly: jobs, drained trays, reservations, two partitions."""

import json
import subprocess

from . import cluster, hostlist, plugin_build

RACKS = {f"rack{rack + 1:02}": [f"node{number:03}" for number in range(18 * rack, 18 * rack + 18)] for rack in range(12)}
SIZES = (1, 2, 4, 8, 9, 16, 18)
# Nodes in use by rack, with the time limit of their job in minutes.
JOBS = {"rack01": (16, 60), "rack02": (2, 90), "rack03": (18, 120), "rack04": (9, 30), "rack05": (1, 240), "rack06": (6, 45),
        "rack08": (3, 75), "rack09": (18, 50), "rack11": (5, 200)}
DRAINED = ["node000", "node035", "node080", "node081", "node130"]
RESERVED = [f"node{number:03}" for number in range(200, 208)]  # in rack12, from now on
LATER = RACKS["rack10"]  # reserved in two hours


def tool(*arguments):
    """Runs the project's command; returns what it prints as JSON."""
    done = subprocess.run([plugin_build.command(), *arguments, "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"nvl72block {' '.join(arguments)}: {done.stderr}")
    return json.loads(done.stdout)


def nodes_of(entry):
    """The set of nodes of a JSON entry."""
    return set(hostlist.expand(entry["nodes"]))


def configure(sizes="18,36,72", settings=()):
    """Twelve racks, and a second partition of the first two; `settings` are further lines of slurm.conf."""
    path = cluster.configuration() / "slurm.conf"
    kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(("NodeName=", "PartitionName=", "GresTypes="))]
    (cluster.configuration() / "gres.conf").unlink(missing_ok=True)
    kept += ["NodeName=node[000-215] CPUs=4 RealMemory=900 State=CLOUD",
             "PartitionName=main Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP",
             "PartitionName=debug Nodes=node[000-035] OverSubscribe=EXCLUSIVE MaxTime=60 State=UP", *settings]
    path.write_text("\n".join(kept) + "\n", "utf-8")
    cluster.write_topology("".join(f"BlockName={name} Nodes={nodes[0]},{','.join(nodes[1:])}\n" for name, nodes in RACKS.items())
                           + f"BlockSizes={sizes}\n")
    cluster.ask("lab-ctl", "kill")
    cluster.ask("lab-ctl", "forget")
    cluster.ask("lab-ctl", "start")


def configure_shared(*settings):
    """Four racks whose nodes jobs share, with GPUs and memory; partitions with limits, and one of whole blocks."""
    path = cluster.configuration() / "slurm.conf"
    kept = [line for line in path.read_text("utf-8").splitlines()
            if not line.startswith(("NodeName=", "PartitionName=", "SelectTypeParameters="))]
    kept += ["NodeName=node[000-071] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=900 Gres=gpu:4 State=CLOUD",
             "SelectTypeParameters=CR_Core_Memory", "DefMemPerCPU=1", *settings,
             "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
             "PartitionName=small Nodes=ALL MaxNodes=4 MaxTime=60 State=UP",
             "PartitionName=large Nodes=ALL MinNodes=8 MaxTime=INFINITE State=UP",
             "PartitionName=front Nodes=node[000-017] PriorityTier=9 MaxTime=INFINITE State=UP",
             "PartitionName=alone Nodes=ALL ExclusiveTopo=YES MaxTime=INFINITE State=UP"]
    path.write_text("\n".join(kept) + "\n", "utf-8")
    (cluster.configuration() / "gres.conf").write_text("NodeName=node[000-071] Name=gpu Count=4\n", "utf-8")
    racks = [f"BlockName=rack{rack + 1} Nodes=node[{18 * rack:03}-{18 * rack + 17:03}]\n" for rack in range(4)]
    cluster.write_topology("".join(racks) + "BlockSizes=18,36,72\n")
    cluster.ask("lab-ctl", "start")


def make_mess():
    """Jobs, drained trays and reservations; returns the nodes that are left."""
    cluster.ask("scontrol", "update", f"nodename={','.join(DRAINED)}", "state=drain", "reason=bad NVLink tray")
    used = set()
    for rack, (count, minutes) in JOBS.items():
        nodes = [node for node in RACKS[rack] if node not in DRAINED][:count]
        cluster.place(f"-N{len(nodes)}", f"-t{minutes}", "-w", ",".join(nodes))
        used.update(nodes)
    for name, start, nodes in (("now", "now", RESERVED), ("later", "now+2hours", LATER)):
        cluster.ask("scontrol", "create", "reservation", f"reservationname={name}", f"starttime={start}", "duration=600",
                    f"nodes={','.join(nodes)}", "user=root")
    taken = used | set(DRAINED) | set(RESERVED)
    return {rack: [node for node in nodes if node not in taken] for rack, nodes in RACKS.items()}
