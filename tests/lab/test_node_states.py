# SPDX-License-Identifier: GPL-2.0-or-later
"""The command in a running cluster: every state of nodes and jobs, and what an ordinary user may see."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from nvl72lab import cluster, hostlist, plugin_build
from nvl72lab.lab_case import LabCase
from nvl72lab.mess import RACKS, configure, make_mess, nodes_of, tool

# A client of the private root is called by way of chroot, which an ordinary user may not.
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=+sys_chroot", "--ambient-caps=+sys_chroot")


class NodeStates(LabCase):
    """Twelve racks."""

    config = "eight-by-18"
    started = False
    needs_command = ("test_states", "test_jobs", "test_ordinary_user", "test_hidden_nodes")

    def test_states(self):
        """Each node is in the set that its state means."""
        configure(settings=["PartitionName=shared Nodes=node[054-071] OverSubscribe=NO MaxTime=60"])
        drained, down, maint = RACKS["rack01"][:2], RACKS["rack02"][0], RACKS["rack03"][:3]
        cluster.ask("scontrol", "update", f"nodename={','.join(drained)}", "state=drain", "reason=fan")
        cluster.ask("scontrol", "update", f"nodename={down}", "state=down", "reason=gone")
        cluster.ask("scontrol", "create", "reservation", "reservationname=m", "starttime=now", "duration=60", "flags=maint,ignore_jobs",
                    f"nodes={','.join(maint)}", "user=root")
        mixed = cluster.place("-pshared", "-N1", "-n1", "-c1", "--mem=1", "-w", "node054").nodes
        whole = cluster.place("-N3")
        pending = cluster.submit("-N210", "-t5")  # the backfill scheduler plans nodes for it
        cluster.scheduler_pass()
        states = cluster.ask("sinfo", "-h", "-N", "-p", "main", "-O", "NodeList:20,StateComplete:90").upper()
        self.tell(" ".join(sorted({word for line in states.splitlines() for word in line.split()[1].split("+")})))
        answer = tool("capacity", "--time=60")
        self.assertEqual(nodes_of(answer["out_of_service"]), {*drained, down})
        self.assertEqual(nodes_of(answer["busy"]), {*mixed, *whole.nodes})
        self.assertEqual(nodes_of(answer["reserved"]), set(maint))
        free = nodes_of(answer["free"])
        self.assertEqual(len(free), 216 - 3 - 4 - 3)
        self.assertLessEqual(nodes_of(answer["planned"]), free)
        self.assertFalse(nodes_of(tool("plan", "--nodes=1-216", "--time=60")) - free)
        cluster.cancel(pending)
        # A resumed node, and one whose reservation has ended, is free again.
        cluster.ask("scontrol", "update", f"nodename={down},{drained[0]}", "state=resume")
        cluster.ask("scontrol", "delete", "reservationname=m")
        self.assertLessEqual({down, drained[0], *maint}, nodes_of(tool("capacity", "--time=60")["free"]))

    def test_jobs(self):
        """Arrays, heterogeneous, held, requeued jobs, and one that is about to leave its nodes."""
        configure()
        number = cluster.submit("-N2", "-t30", "--array=0-2%1")
        cluster.wait_job(number, lambda seen: seen.state != "GONE", "was there")
        cluster.ask("sbatch", "-N2", "-t30", ":", "-N3", "-t30", "--wrap", "sleep 1000")
        held = cluster.submit("-N4", "-H")
        again = cluster.place("-N1", "--requeue").id
        cluster.ask("scontrol", "requeue", str(again))
        pending = cluster.submit("-N215")
        cluster.scheduler_pass()
        for job in cluster.ask("squeue", "-h", "-r", "-o", "%i").split():
            with self.subTest(job=job):
                # Pending tasks of an array are one record.
                self.assertIn(tool("why", job)["job"], (job, f"{job.split('_')[0]}_[1-2%1]"))
        self.assertIn("JobHeld", tool("why", str(held))["reason"]["slurm"])
        self.assertTrue(tool("why", str(held))["fits"])
        self.assertFalse(tool("why", str(pending))["fits"])
        shown = {name for name in cluster.ask("squeue", "-h", "-t", "running,configuring,completing", "-o", "%N").split() if name}
        self.assertEqual({node for each in tool("show")["jobs"] for node in nodes_of(each)},
                         {node for names in shown for node in hostlist.expand(names)})
        cluster.ask("scancel", "--state=running", "-u", "root")
        self.assertEqual(tool("capacity")["out_of_service"]["count"], 0)

    def test_ordinary_user(self):
        """Each command works, says what is missing, and tells nothing of what the user may not see."""
        configure(settings=["PrivateData=jobs,reservations"])
        free = make_mess()
        secret = cluster.place("-N1", "-t60", "-J", "secretname", "-w", free["rack07"][0]).id
        with tempfile.TemporaryDirectory() as folder:
            command = Path(folder, "nvl72block")
            shutil.copy(plugin_build.command(), command)
            Path(folder).chmod(0o777)
            for words in (["capacity"], ["capacity", "--json"], ["show"], ["show", "--json"], ["show", "--html", f"{folder}/a.html"],
                          ["show", "--svg", f"{folder}/a.svg"], ["plan", "-N4"], ["metrics"], ["snapshot", f"{folder}/state"]):
                with self.subTest(words=words):
                    self.check_private(subprocess.run([*NOBODY, command, *words], capture_output=True, text=True, check=False), folder)
            denied = subprocess.run([*NOBODY, command, "why", str(secret)], capture_output=True, text=True, check=False)
            self.assertEqual(denied.returncode, 2)
            self.assertIn("PrivateData=jobs", denied.stderr)
            # The nodes' states tell what is free all the same.
            seen = subprocess.run([*NOBODY, command, "plan", "-N1-72", "--time=60", "--json"], capture_output=True, text=True, check=False)
            usable = {node for own in free.values() for node in own} - {free["rack07"][0]}
            self.assertFalse(set(hostlist.expand(json.loads(seen.stdout)["nodes"])) - usable)

    def test_hidden_nodes(self):
        """Without nodes there is no answer: the message names PrivateData and nothing else."""
        configure(settings=["PrivateData=jobs,nodes,reservations"])
        with tempfile.TemporaryDirectory() as folder:
            command = Path(folder, "nvl72block")
            shutil.copy(plugin_build.command(), command)
            Path(folder).chmod(0o777)
            for words in (["capacity"], ["show"], ["plan", "-N4"], ["metrics"], ["why", "1"], ["snapshot", f"{folder}/state"]):
                done = subprocess.run([*NOBODY, command, *words], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn("PrivateData in slurm.conf keeps it from this user", done.stderr)
            self.assertFalse(Path(folder, "state").exists())

    def check_private(self, done, folder):
        """It worked, said what is missing, and has no word of others."""
        self.assertEqual(done.returncode, 0, done.stderr)
        for kind in ("jobs", "reservations"):
            self.assertIn(f"PrivateData={kind}", done.stdout + done.stderr)
        written = [path.read_text("utf-8") for path in Path(folder).rglob("*.*") if path.suffix in (".html", ".svg", ".json")]
        for text in (done.stdout, done.stderr, *written):
            self.assertFalse("secretname" in text)
