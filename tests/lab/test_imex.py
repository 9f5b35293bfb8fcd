# SPDX-License-Identifier: GPL-2.0-or-later
"""IMEX channels, one per segment (25.11 and later): what switch/nvidia_imex is told about a job's segments."""

import re

from nvl72lab import cluster, hostlist
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import OURS, STOCK

PER_SEGMENT = "--network=unique-channel-per-segment"
ALLOCATED = r"allocating channel (\d+) to JobId={}\b.* with node_list (\S+)"
SWITCH = ("--set", "SwitchType=switch/nvidia_imex", "--set", "DebugFlags=Switch")


def channels(number, mark=0):
    """Channel and node list text of each channel that the job was given since `mark`."""
    return re.findall(ALLOCATED.format(number), cluster.read_log(mark))


class Imex(LabCase):
    """Two racks of four with real slurmd's: only for nodes that have registered does slurmctld think of segments."""

    config = "two-by-4-real"
    options = ("--plugin", "nvl72block", *SWITCH, "--set", "SlurmdDebug=debug")
    oldest = (25, 11)

    def place(self, *options):
        """A job that has nodes of its own."""
        return cluster.place("--exclusive", *options)

    def check(self, job, segments, size, mark=0):
        """One channel a segment; the lists cover the allocation exactly, each in one rack. Returns the lists' texts."""
        found = channels(job.id, mark)
        self.assertEqual(len({channel for channel, _ in found}), segments, found)
        lists = [hostlist.expand(text) for _, text in found]
        self.assertEqual(sorted(sum(lists, [])), sorted(job.nodes))
        for nodes in lists:
            self.assertEqual(list(cluster.spread(nodes).values()), [size])
        return [text for _, text in found]

    def saved(self, texts):
        """How often slurmctld's saved jobs have each of these node lists."""
        data = (cluster.this_instance().state / "job_state").read_bytes()
        return {data.count(text.encode() + b"\0") for text in texts}

    def switch(self, plugin):
        """Restarts slurmctld with another topology plugin; returns where its log was."""
        cluster.ask("lab-ctl", "stop")
        cluster.use_plugin(plugin)
        mark = len(cluster.read_log())
        cluster.ask("lab-ctl", "start")
        return mark

    def test_one_list_a_segment(self):
        for options, segments, size in ((("-N8", "--segment=4"), 2, 4), (("-N8", "--segment=2"), 4, 2),
                                        (("-N3", "--segment=3"), 1, 3), (("-N5", "--segment=1"), 5, 1)):
            job = self.place(*options, PER_SEGMENT)
            self.check(job, segments, size)
            cluster.cancel(job.id)

    def test_without_the_option_or_segments_one_channel_for_all(self):
        for options in (("-N4", "--segment=2"), ("-N4", PER_SEGMENT)):
            found = channels(self.place(*options).id)
            self.assertEqual([text for _, text in found], ["(null)"], options)

    def test_each_attempt_begins_afresh(self):
        blockers = [self.place("-N3", "-w", node) for node in ("r1n01", "r2n01")]
        number = cluster.submit("--exclusive", "-N4", "--segment=2", PER_SEGMENT)
        self.assertTrue(cluster.stays_pending(number))
        self.assertEqual(channels(number), [])
        cluster.cancel(blockers[0].id)
        first = cluster.wait_job(number, lambda job: job.placed, "had nodes")
        self.assertEqual(cluster.spread(first.nodes), {"r1": 4})
        self.check(first, 2, 2)
        # Placed a second time elsewhere: nothing of the first allocation is left.
        cluster.cancel(blockers[1].id)
        mark = len(cluster.read_log())
        cluster.ask("scontrol", "requeuehold", str(number))
        cluster.ask("scontrol", "update", "nodename=r1n[01-04]", "state=drain", "reason=test")
        cluster.ask("scontrol", "release", str(number))
        def again_placed():
            # A job that ran is requeued for two minutes later, and only when it has ended.
            cluster.run("scontrol", "update", f"jobid={number}", "starttime=now")
            job = cluster.job(number)
            return job if job.placed and not set(job.nodes) & set(first.nodes) else None
        again = cluster.wait_until(again_placed, cluster.WAIT_SECONDS, "the job had other nodes")
        self.assertEqual(cluster.spread(again.nodes), {"r2": 4})
        self.check(again, 2, 2, mark)

    def test_lists_are_saved_with_the_job_and_read_back(self):
        job = self.place("-N6", "--segment=3", PER_SEGMENT)
        texts = self.check(job, 2, 3)
        cluster.wait_saved(job.id)
        ours = self.saved(texts)
        # The switch plugin keeps each list once: the second copy is the topology plugin's.
        self.assertGreaterEqual(min(ours), 2)
        for plugin in (STOCK, OURS):
            mark = self.switch(plugin)
            self.assertEqual(cluster.job(job.id).nodes, job.nodes)
            cluster.ask("lab-ctl", "stop")  # saves
            self.assertEqual(self.saved(texts), ours)
            cluster.ask("lab-ctl", "start")
            self.assertNotRegex(cluster.read_log(mark), "(?i)error:.*(unpack|job_?info|job state)")

    def test_each_node_has_its_segments_channel(self):
        nodes = cluster.ask("srun", "-N6", "--segment=3", PER_SEGMENT, "sh", "-c", "echo $SLURMD_NODENAME").split()
        self.assertEqual(sorted(cluster.spread(nodes).values()), [3, 3])
        given = {}
        for channel, text in channels(r"\d+"):
            given.update({node: channel for node in hostlist.expand(text)})
        self.assertEqual(sorted(given), sorted(nodes))
        self.assertEqual(len(set(given.values())), 2)
        for node in nodes:
            text = (cluster.log().parent / f"slurmd-{node}.log").read_text("utf-8", "replace")
            used = set(re.findall(rf"Node name {node} found in node list \S+, using channel id (\d+)", text))
            self.assertEqual(used, {given[node]}, node)
