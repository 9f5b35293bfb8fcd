# SPDX-License-Identifier: GPL-2.0-or-later
"""A node never counts more CPUs than the job can use on the cores that are selected there: Slurm holds such a job."""

import re

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase

NODES = ("NodeName=node[000-143] CPUs=32 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=900000 Gres=gpu:4 "
         "State=CLOUD")
# Two GPUs near each socket.
GPUS = ("NodeName=node[000-143] Name=gpu File=/dev/nvidia[0-1] Cores=0-7\n"
        "NodeName=node[000-143] Name=gpu File=/dev/nvidia[2-3] Cores=8-15\n")


class BoundGpus(LabCase):
    """Eight racks of 18 nodes with two sockets of eight cores and two threads, GPUs bound to cores, a core for each task."""

    config = "eight-by-18"
    started = False
    options = ("--plugin", "nvl72block", "--set", "SelectTypeParameters=CR_Core,CR_ONE_TASK_PER_CORE")

    def setUp(self):
        conf = cluster.configuration()
        text = (conf / "slurm.conf").read_text("utf-8")
        (conf / "slurm.conf").write_text(re.sub(r"(?m)^NodeName=.*$", NODES, text), "utf-8")
        (conf / "gres.conf").write_text(GPUS, "utf-8")
        cluster.ask("lab-ctl", "start")

    def test_tasks_near_gpus(self):
        # With GPUs near, a node has the cores of one socket and no more than four tasks there. It counted the CPUs of both:
        # "sync loop not progressing", and the job was held (JobHeldAdmin). Slurm's own plugin starts it.
        for request, nodes in (("-N5 -n15 --gpus-per-node=2 --ntasks-per-socket=4 --segment=1", 5),
                               ("-N5 -n15 --gpus-per-node=2 --ntasks-per-socket=4", 5),
                               ("-N6 -n18 --gpus-per-node=2 --ntasks-per-socket=4 --exclusive=topo --segment=2", 6)):
            with self.subTest(request=request):
                job = cluster.tried(cluster.submit(*request.split()))
                self.assertEqual(len(job.nodes), nodes, job)
                cluster.cancel(job.id)
        self.assertEqual([line for line in cluster.read_log().splitlines() if "sync loop" in line], [])
