# SPDX-License-Identifier: GPL-2.0-or-later
"""The checker's own tests: each fault that it is for, planted in records as scontrol prints them."""

import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "parity")]
# pylint: disable=wrong-import-position
from nvl72soak import records
from nvl72soak.checker import LONGEST_DECISION, Blocks, Checker, log_faults, too_long

RACKS = "".join(f"BlockName=r{number} Nodes=r{number}n[01-04]\n" for number in range(1, 9))
TEXT = f"{RACKS}BlockSizes=4,8,16\n"
BLOCKS = Blocks.read(TEXT)
RACK_4 = [f"r4n0{number}" for number in range(1, 5)]


def line(number, nodes, cpus="0-3", gpus="", root=None):
    """A job as `scontrol -d -o show job` prints it; its nodes are as hostlists, one per place."""
    array = f" ArrayJobId={root} ArrayTaskId=1" if root else ""
    places = "".join(f" Nodes={names} CPU_IDs={cpus} Mem=0 GRES={gpus}" for names in nodes)
    return f"JobId={number}{array} JobState=CONFIGURING Reason=None Priority=1 NodeList={','.join(nodes)} AllocTRES=cpu=4{places}"


class TheChecker(unittest.TestCase):
    """Faults and what is none."""

    def faults(self, jobs, options, blocks=BLOCKS, **more):
        """Of jobs, lines of scontrol; `options` by their numbers."""
        components = {number: (own,) for number, own in options.items()}
        return Checker(components).faults(records.jobs("\n".join(jobs)), blocks, **more)

    def assert_fault(self, part, *given, **more):
        faults = self.faults(*given, **more)
        self.assertTrue(any(part in fault for fault in faults), faults)

    def assert_right(self, *given, **more):
        self.assertEqual(self.faults(*given, **more), [])

    def test_a_node_is_given_twice(self):
        two = {1: ("-N1",), 2: ("-N1",)}
        self.assert_fault("cpu 3 of r1n01 is given to jobs [1, 2]", [line(1, ["r1n01"]), line(2, ["r1n01"], "3-5")], two)
        self.assert_fault("gpu 1 of r1n01", [line(1, ["r1n01"], "0", "gpu:2(IDX:0-1)"), line(2, ["r1n01"], "1", "gpu:1(IDX:1)")], two)
        self.assert_right([line(1, ["r1n01"], "0", "gpu:2(IDX:0-1)"), line(2, ["r1n01"], "1", "gpu:2(IDX:2-3)")], two)

    def test_a_segment_is_torn(self):
        segments = {1: ("-N4", "--segment=2")}
        self.assert_right([line(1, ["r1n[01-02]", "r3n[01-02]"])], segments)
        self.assert_fault("a segment of 2 is torn", [line(1, ["r1n[01-03]", "r3n01"])], segments)
        self.assert_fault("3 nodes for segments of 2", [line(1, ["r1n[01-03]"])], segments)
        self.assert_fault("is torn", [line(1, ["r1n[01-04]", "r2n01", "r3n[01-04]", "r4n[01-03]"])], {1: ("-N12", "--segment=6")})
        self.assert_fault("nodes in no block", [line(1, ["r1n01", "out01"])], {1: ("-N2", "--segment=2")})

    def test_a_plain_job_lies_too_wide(self):
        self.assert_right([line(1, ["r1n[01-04]"])], {1: ("-N4",)})
        self.assert_fault("4 nodes are not in one block of 4", [line(1, ["r1n[01-02]", "r2n[01-02]"])], {1: ("-N4",)})
        self.assert_fault("not in one block of 8", [line(1, ["r2n[01-04]", "r3n01"])], {1: ("-N5-5",)})
        self.assert_fault("5 nodes are in 3 blocks of 4", [line(1, ["r1n[01-02]", "r2n[01-02]", "r3n01"])], {1: ("-N5",)},
                          blocks=Blocks.read(f"{RACKS}BlockSizes=4,16\n"))
        self.assert_fault("in blocks and in none", [line(1, ["r1n01", "out01"])], {1: ("-N2",)})
        self.assert_right([line(1, ["out[01-02]"])], {1: ("-N2",)})
        self.assert_right([line(1, ["r1n01", "r3n01"])], {1: ("-n8",)})  # the node count is open
        for options in (("-N9", "-n2", "--ntasks-per-node=1", "--spread-job"), ("-N2", "-n2", "-w", "r1n01,r3n01", "--spread-job")):
            self.assert_right([line(1, ["r1n01", "r3n01"])], {1: options})  # as without -N
        for options in (("-N9", "-n2", "--spread-job"), ("-N2", "-n2", "--ntasks-per-node=1"), ("-N2", "-n2", "--ntasks-per-node=2", "--spread-job")):
            self.assert_fault("not in one block", [line(1, ["r1n01", "r3n01"])], {1: options})

    def test_exclusive_blocks_are_shared(self):
        jobs, options = [line(1, ["r1n01"]), line(2, ["r1n02"])], {1: ("-N1", "--exclusive=topo"), 2: ("-N1",)}
        self.assert_fault("job 1 has --exclusive=topo and shares base block 0 with [2]", jobs, options)
        self.assert_right([jobs[0], line(2, ["r2n02"])], options)
        self.assert_right([jobs[0], line(2, ["r1n02"], root=1)], {1: options[1]})

    def test_jobs_older_than_a_change_of_blocks(self):
        torn, options = [line(1, ["r1n[01-02]", "r2n[01-02]"])], {1: ("-N4",)}
        self.assert_fault("not in one block", torn, options)
        self.assert_right(torn, options, moved=True)

    def test_a_job_older_than_a_change_gives_nodes_back(self):
        checker = Checker({1: (("-N4",),)})
        torn, fewer, others = (records.jobs(line(1, nodes)) for nodes in (["r1n[01-02]", "r2n[01-02]"], ["r1n01", "r2n01"], ["r1n01", "r2n04"]))
        self.assertEqual(checker.faults(torn, BLOCKS, moved=True), [])
        self.assertEqual(checker.faults(fewer, BLOCKS), [])
        self.assertEqual(len(checker.faults(others, BLOCKS)), 1)

    def test_a_segment_leaves_its_clique(self):
        cliques = {node: f"uuid.{1 + node.endswith(('3', '4'))}" for node in BLOCKS.position} | {"r2n01": None} | dict.fromkeys(RACK_4)
        blocks = Blocks.read(TEXT, cliques)
        def judge(faulty, nodes, *options, **more):
            (self.assert_fault if faulty else self.assert_right)(*(["not in one clique"] if faulty else []), [line(1, nodes)], {1: options},
                                                                 blocks=blocks, **more)
        judge(False, ["r1n[01-02]", "r3n[03-04]"], "-N4", "--segment=2")
        judge(True, ["r1n[02-03]", "r3n[03-04]"], "-N4", "--segment=2")
        judge(False, ["r1n[02-03]"], "-N2", "--segment=1")
        judge(True, ["r1n[02-03]"], "-N2")
        judge(False, ["r1n[02-03]"], "-N2", unsure={"r1n02"})
        judge(True, ["r2n[01-02]"], "-N2")  # one of them names none
        judge(False, ["r4n[01-04]"], "-N4")  # none of the rack names one
        judge(False, ["r1n[01-04]", "r2n01"], "-N5")
        self.assert_fault("larger than a clique", [line(1, ["r1n[01-04]", "r2n[01-04]", "r3n[01-04]", "r4n[01-04]"])], {1: ("-N16", "--segment=8")},
                          blocks=blocks)

    def test_the_cliques_of_nodes(self):
        self.assertEqual(records.cliques("NodeName=a1 Arch=x AvailableFeatures=all,uuid.3 ActiveFeatures=all\nNodeName=a2 AvailableFeatures=all\n"),
                         {"a1": "uuid.3", "a2": None})

    def test_lines_of_the_log(self):
        ours, theirs = "error: topology/nvl72block: _load: oops", "error: Prolog launch failure"
        lost = "warning: topology/nvl72block: the demand learned before cannot be read and starts anew: line 3 is cut off"
        self.assertEqual(log_faults([ours, theirs, "topology/nvl72block: info", lost], ()), [ours, lost])
        self.assertEqual(log_faults([ours], ("oops",)), [])

    def test_decisions(self):
        self.assertEqual(too_long([80, LONGEST_DECISION]), [])
        self.assertEqual(too_long([80, 1_000_001]), ["a decision takes 1000001 us"])
