# SPDX-License-Identifier: GPL-2.0-or-later
"""A backup slurmctld takes over and gives back, with jobs running and waiting on real slurmd's."""

import re
import signal
import time
from contextlib import contextmanager

from nvl72lab import cluster, daemons, hostlist, standby
from nvl72lab.lab_case import LabCase, since


class BackupController(LabCase):
    """Two racks of four; both slurmctld's on this machine, with host names of their own."""

    config = "two-by-4-real"
    started = False

    def setUp(self):
        standby.configure()
        cluster.ask("lab-ctl", "start")
        self.backup = standby.Standby()
        self.enterContext(self.backup)
        daemons.start_compute(cluster.this_instance())

    def occupy(self):
        """One rack for a running job; a job for both racks waits for it."""
        self.topology = cluster.ask("scontrol", "show", "topology")
        self.running = cluster.wait_job(cluster.submit("-N4", "--segment=4", "--exclusive"), lambda job: job.state == "RUNNING", "ran")
        self.waiting = cluster.submit("-N8", "--segment=4", "--exclusive")
        self.assertTrue(cluster.stays_pending(self.waiting))
        cluster.wait_saved(self.waiting)

    def taken_over(self, mark):
        """Waits for the slurmctld that is now in control: it knows the same jobs and blocks, and places by blocks."""
        cluster.wait_until(lambda: "Running as primary controller" in cluster.read_log(mark), cluster.WAIT_SECONDS, "a slurmctld took over")
        cluster.wait_until(lambda: cluster.run("squeue").code == 0, cluster.WAIT_SECONDS, "it answered")
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), self.topology)
        seen = cluster.wait_job(self.running.id, lambda job: job.state == "RUNNING", "ran")
        self.assertEqual(seen.nodes, self.running.nodes)
        other = cluster.wait_job(cluster.submit("-N3", "--segment=3", "--exclusive", "--time=1"), lambda job: job.state == "RUNNING", "ran")
        self.assertNotEqual(self.block_of(other), self.block_of(seen))
        self.assertEqual(cluster.job(self.waiting).state, "PENDING")
        cluster.cancel(other.id)

    def finish(self):
        """The waiting job starts as soon as its nodes are free; nothing was logged as an error of the plugin's."""
        cluster.cancel(self.running.id)
        seen = cluster.wait_job(self.waiting, lambda job: job.state == "RUNNING", "ran")
        self.assertEqual(cluster.spread(seen.nodes), {"r1": 4, "r2": 4})
        self.assert_no_errors()

    def test_takeover_in_order_and_back(self):
        self.occupy()
        mark = len(cluster.read_log())
        cluster.ask("scontrol", "takeover")
        with self.backup.clients():
            self.taken_over(mark)
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "start")
        self.taken_over(mark)
        self.finish()

    def test_sigkill_of_the_primary_then_of_the_backup(self):
        self.occupy()
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "kill")
        with self.backup.clients():
            self.taken_over(mark)
            # Without this, the primary would find the other job running for the rest of its minute.
            cluster.wait_saved(self.waiting)
        self.backup.end(signal.SIGKILL)
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "start")
        self.taken_over(mark)
        self.finish()


class ControlAgain(LabCase):
    """Six racks of 18. A backup slurmctld that has control for a second time reads its configuration in a process that has read another one
    before; nowhere else does Slurm do that."""

    started = False

    def setUp(self):
        standby.configure()

    def start(self, daemon=False):
        """The primary, and the backup beside it."""
        cluster.ask("lab-ctl", "start")
        self.backup = standby.Standby(daemon)
        self.enterContext(self.backup)

    def take_over(self):
        """The backup gets control in order; returns where its log begins."""
        mark = len(cluster.read_log())
        cluster.ask("scontrol", "takeover")
        running = r"(?s)standby taking over.*Running as primary controller"
        cluster.wait_until(lambda: re.search(running, cluster.read_log(mark)) or not self.backup.pid(), cluster.WAIT_SECONDS, "the backup took over")
        self.assertTrue(self.backup.pid(), f"no slurmctld is left: {cluster.read_log(mark)}")
        return mark

    @contextmanager
    def asked(self):
        """Clients ask the backup, which has control."""
        with self.backup.clients():
            cluster.wait_until(lambda: cluster.run("squeue").code == 0, cluster.WAIT_SECONDS, "it answered")
            yield

    def give_back(self):
        """The primary gets control, and the backup watches it again."""
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "start")
        for line in ("slurmctld running in background mode", "Running as primary controller"):
            cluster.wait_until(lambda line=line: line in cluster.read_log(mark), cluster.WAIT_SECONDS, f"the log had: {line}")

    @staticmethod
    def change(name, pattern, text):
        """Replaces what matches in a file of the configuration."""
        path = cluster.configuration() / name
        path.write_text(re.sub(f"(?m){pattern}", text, path.read_text("utf-8")), "utf-8")

    @since(25, 5)
    def test_an_unknown_block_in_slurm_conf(self):
        """By the list of features that Slurm still had, the plugin took this for no start: it refused the node's Topology=, and slurmctld ended
        by abort()."""
        self.change("slurm.conf", r"^NodeName=node\[000-107\] (.*)$", r"NodeName=node000 \1 Topology=default:typo\nNodeName=node[001-107] \1")
        self.start()
        self.take_over()
        self.give_back()
        mark = self.take_over()
        self.assertIn("node000: there is no block typo; the node's Topology= is ignored", cluster.read_log(mark))
        with self.asked():
            self.assertIn("BlockName=rack1 BlockIndex=0 Nodes=node[000-017] ", cluster.ask("scontrol", "show", "topology"))

    @since(25, 5)
    def test_an_update_of_a_node_that_was_refused_the_first_time(self):
        """Slurm says again what it has on record of a node whose update was refused. That was still expected the second time, so that an
        update that takes the node out of its block was ignored."""
        self.start()
        self.take_over()
        with self.asked():
            self.assertNotEqual(cluster.run("scontrol", "update", "nodename=node001", "topology=default:typo").code, 0)
        self.give_back()
        self.take_over()
        with self.asked():
            cluster.ask("scontrol", "update", "nodename=node001", "topology=")
            shown = cluster.ask("scontrol", "show", "topology")
        self.assertIn("BlockName=rack1 BlockIndex=0 Nodes=node[000,002-017] ", shown)

    def test_a_wrong_topology_conf_where_a_reconfigure_has_made_the_process(self):
        """It was still taken for a reconfigure that may fail, by a variable that Slurm never unsets: the backup ended, and no slurmctld was
        left. Such a process takes the last good topology, as at any start."""
        self.start(daemon=True)
        self.take_over()
        with self.asked():
            cluster.ask("scontrol", "reconfigure")
            before = cluster.ask("scontrol", "show", "topology")
        self.give_back()
        self.change("topology.conf", "^BlockSizes=18$", "BlockSizes=18,27")
        mark = self.take_over()
        self.assertIn("LAST GOOD topology", cluster.read_log(mark))
        with self.asked():
            self.assertEqual(cluster.ask("scontrol", "show", "topology"), before)

    def replace_a_node(self):
        """Between the two times the last node makes room for one before the first: rack1 and the order of the nodes are as the files say then.
        As many nodes as before: with more or fewer, Slurm itself ends a slurmctld that has control again."""
        self.change("slurm.conf", r"^NodeName=node\[000-107\] (.*)$", r"NodeName=node[000-017] \1 Feature=first\nNodeName=node[018-107] \1")
        self.change("topology.conf", r"^BlockName=rack1 .*$", "BlockName=rack1 Nodes=feature{first}")
        self.start()
        self.take_over()
        self.change("slurm.conf", r"^NodeName=node\[018-107\] (.*)$", r"NodeName=node[018-106] \1")
        self.change("topology.conf", r"node\[090-107\]", "node[090-106]")
        self.change("slurm.conf", r"^NodeName=node\[000-017\]", r"NodeName=anode CPUs=4 RealMemory=900 State=CLOUD\n\g<0>")
        self.give_back()
        self.take_over()
        with self.asked():
            order = re.findall(r"(?m)^NodeName=(\S+)", cluster.ask("scontrol", "-o", "show", "node"))
            job = cluster.place("-N18", "--segment=18", "-w", "node017")
        self.assertEqual(order, ["anode", *hostlist.expand("node[000-106]")])
        self.assertEqual(set(job.nodes), set(hostlist.expand("node[000-017]")))

    def test_nodes_of_a_feature_where_the_node_table_has_changed(self):
        """Nodes=feature{...} was looked up in the list of the first time, by the node indices of then."""
        self.replace_a_node()

    def test_ranks_by_a_feature_where_the_node_table_has_changed(self):
        """The ranks of the nodes, too, came from the blocks that this list gave."""
        self.change("slurm.conf", r"\Z", "TopologyParam=BlockAsNodeRank\n")
        self.replace_a_node()

    def test_what_the_primary_has_learned_meanwhile_is_kept(self):
        """The backup saved the demand that it knew from the first time over the newer one, and went on with it."""
        saved = cluster.this_instance().state / "nvl72block_demand"
        def learn(segment):
            saved.write_text(f"nvl72block demand 1\n{int(time.time())}\n{segment} {108 * 864000}\nend\n", "utf-8")

        self.change("slurm.conf", r"\Z", "DebugFlags=SelectType\n")
        learn(16)
        self.start()
        self.take_over()
        self.give_back()
        learn(9)
        mark = self.take_over()
        def counted():
            cluster.cancel(cluster.submit("-N1", "--exclusive"))
            return re.findall(r"demand for slots of nodes is (\S+);", cluster.read_log(mark))

        with self.asked():
            self.assertEqual(cluster.wait_until(counted, cluster.WAIT_SECONDS, "the queue was counted")[-1], "9:1")
        self.assertNotRegex(saved.read_text("utf-8"), r"(?m)^16 ")

    def switch_shadow_mode(self, before, after, who):
        """Between the two times slurm.conf gets another setting. The process decides as it was started, whatever slurm.conf says since; nothing
        was logged."""
        self.change("slurm.conf", r"\Z", f"TopologyParam=Nvl72Shadow={before}\n")
        self.start()
        mark = self.take_over()
        self.assertNotIn("has no effect", cluster.read_log(mark))
        self.give_back()
        self.change("slurm.conf", "Nvl72Shadow=.*$", f"Nvl72Shadow={after}")
        mark = self.take_over()
        self.assertIn(f"error: topology/nvl72block: Nvl72Shadow={after} has no effect: this process was started with Nvl72Shadow={before}, and {who} "
                      "decides; restart slurmctld on this host", cluster.read_log(mark))

    def test_shadow_mode_is_switched_on_meanwhile(self):
        self.switch_shadow_mode("off", "on", "this plugin")

    def test_shadow_mode_is_switched_off_meanwhile(self):
        self.switch_shadow_mode("on", "off", "Slurm's own topology/block")
