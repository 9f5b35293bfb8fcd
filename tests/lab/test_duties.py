# SPDX-License-Identifier: GPL-2.0-or-later
"""Each duty of a block topology plugin: what we do with it and what Slurm's topology/block does.

A row is a site, what happened before, a request, where it has to land with our plugin and, where that differs, with
stock; each with a fresh slurmctld. docs/differences-from-stock.md explains each `why`.
"""

from nvl72lab.duties import (Row, backfilled, busy, busy_nodes, drain, hold, join, placed_later, placement, queued, reservation,
                             shown, tasks, weight, will_run)
from nvl72lab.lab_case import LabCase
from nvl72lab.scenario import EXCLUSIVE, OURS, STOCK, Site, Stage

FLAT = Site(sizes="4")
WIDE = Site(sizes="4,16")
ALONE = Site(partitions=(EXCLUSIVE, "PartitionName=alone Nodes=ALL ExclusiveTopo=YES OverSubscribe=EXCLUSIVE"))
FAST = Site(special=(("r2n[01-04],r3n[01-04]", "Feature=fast"),))
UNROLL = Site(settings=(("TopologyParam", "TopoMaxSizeUnroll=10"),))
OUTSIDE = Site(racks=(4, 4), sizes="4,8", outside=4)
TWELVE = Site(racks=(2,) * 12, sizes="2,8")
PREEMPT = Site(partitions=(EXCLUSIVE + " PriorityTier=1", "PartitionName=urgent Nodes=ALL OverSubscribe=EXCLUSIVE "
                           "PriorityTier=9"),
               settings=(("PreemptType", "preempt/partition_prio"), ("PreemptMode", "CANCEL")))
UNLIKE = Site(sizes="4,16", special=(("r2n[01-04]", "CPUs=32 CoresPerSocket=32"), ("r3n[01-02]", "CPUs=32 CoresPerSocket=32")),
              partitions=PREEMPT.partitions, settings=PREEMPT.settings)
MIXED = Site(special=(("r2n[01-04]", "CPUs=32 CoresPerSocket=32"), ("r3n[01-04]", "RealMemory=4000"),
                      ("r4n[01-04]", "Gres=gpu:2")))

TIE = "equal blocks: what keeps larger blocks whole, then the lowest index; stock takes the last"
TIGHT = "fewest nodes left over in the blocks that are used"
GAPS = "one large gap is left rather than two small ones"
RANGE = "a range takes the largest count that fits; stock plans the minimum"
BY_CPUS = "a job without -N is planned by its CPUs, tasks and GPUs at the smallest level that holds it"
WEIGHTS = "node weights are a preference, never a reason to refuse"
NO_BLOCK = "nodes in no block serve when no block can; never a job with segments"
SEGMENT_LISTS = "required nodes are a subset of the job in all lines; stock wants all nodes named (25.11+) or none"
LARGE_SEGMENTS = "segments larger than a base block in all lines; stock from 25.11 on"
ONE_NODE = "one-node jobs are best fitted in all lines; 26.05's short cut takes the first node"
SWITCHES = "--switches=N is at most N base blocks; stock ignores it"
ALL_SEGMENTS = "--gpus counts over all segments; stock asks each segment for all of them"
STALL = "a larger block with an empty base block; stock stalls on it"
TOGETHER = "segments choose their racks together; stock one after the other"

ROWS = (
    # --exclusive=topo and partitions with ExclusiveTopo
    Row("exclusive_topo", ("-N2", "--exclusive=topo"), "r4:2", prepare=(busy_nodes("r1n01,r2n01,r3n01"),)),
    Row("exclusive_topo", ("-N2", "--exclusive=topo"), "waits", prepare=(busy_nodes("r1n01,r2n01,r3n01,r4n01"),)),
    Row("exclusive_topo", ("-N1",), "waits",
        prepare=(busy("-N2", "--exclusive=topo", "-w", "r1n01"), drain("r2n[01-04],r3n[01-04],r4n[01-04]"))),
    Row("exclusive_topo", ("-N2", "--exclusive=topo"), "r3:2", site=Site(racks=(4, 4, 2), sizes="2")),
    Row("exclusive_topo", ("-N2", "-p", "alone"), "r2:2", "r4:2", TIE, (busy_nodes("r1n01"),), ALONE),
    Row("exclusive_topo", ("-N2", "-p", "main"), "r2:2", "r4:2", TIE, (busy("-N1", "-p", "alone", "-w", "r1n01"),), ALONE),
    # reservations
    Row("reservation", ("nodecnt=4",), "4", see=reservation),
    Row("reservation", ("nodecnt=4",), "r3:4", see=reservation, prepare=(drain("r1n01,r2n01,r4n04"),)),
    Row("reservation", ("nodes=block{r2}",), "r2:4", see=reservation),
    Row("reservation", ("nodes=blockwith{r3n02}",), "r3:4", see=reservation),
    Row("reservation", ("-N3", "--reservation=held"), "r2:3", prepare=(hold("nodes=block{r2}"),)),
    Row("reservation", ("-N4", "--reservation=held", "--segment=2"), "2+2", prepare=(hold("nodes=r1n[01-02],r3n[01-02]"),)),
    Row("reservation", ("-N4",), "r4:4", prepare=(hold("nodes=block{r2}"), drain("r1n01,r3n01"))),
    # nodes that the user names
    Row("nodelist", ("-N4", "-w", "r2n03"), "r2:4"),
    Row("nodelist", ("-N4", "-w", "r1n01,r2n01"), "refused"),
    Row("nodelist", ("-N6", "-w", "r1n01,r2n01"), "r1:4 r2:2", "r1:2 r2:4", GAPS),
    Row("exclude", ("-N4", "-x", "r1n01,r2n01,r3n02"), "r4:4"),
    Row("exclude", ("-N4", "-x", "r1n01,r2n01,r3n02,r4n02"), "refused"),
    Row("constraint", ("-N3", "-C", "fast", "-x", "r2n[01-02]"), "r3:3", site=FAST),
    Row("constraint", ("-N8", "-C", "fast"), "refused", site=FAST),
    Row("contiguous", ("-N4", "--contiguous"), "4"),
    # ranges of node counts
    Row("range", ("-N4-8",), "4+4", "4", RANGE),
    Row("range", ("-N4-8",), "r3:1 r4:4", {(24, 11): "waits", (25, 11): "r4:4"}, RANGE,
        (drain("r1n[01-03],r2n[01-03],r3n[01-03]"),)),
    Row("unroll", ("-N4-8",), "4+4", site=UNROLL),
    Row("unroll", ("-N3-8",), "3+3", prepare=(drain("r1n01,r2n01,r3n01,r4n[01-04]"),), site=UNROLL),
    Row("unroll", ("-N4-16",), "refused", site=UNROLL),
    # jobs by what they need
    Row("tasks", ("-n64",), "4"),
    Row("tasks", ("-n128",), "4+4", "refused", BY_CPUS),
    Row("memory", ("-N4", "-p", "shared", "--mem=600"), "r4:4",
        prepare=(busy("-N2", "-p", "shared", "--mem=600", "-w", "r1n01"), drain("r2n01,r3n01"))),
    Row("memory", ("-N3", "--mem=3000"), "r3:3", site=MIXED),
    Row("memory", ("-n4", "-p", "shared", "--mem-per-cpu=600"), "4"),
    Row("gres", ("-N4", "--gres=gpu:4"), "4"),
    Row("gres", ("-N1", "--gres=gpu:5"), "refused"),
    Row("gpus", ("--gpus=16",), "4"),
    Row("gpus", ("--gpus=32",), "4+4", "refused", BY_CPUS),
    Row("gpus", ("-N8", "--gpus=32", "--segment=4"), "4+4", "refused", ALL_SEGMENTS),
    Row("gpus_per_node", ("-N8", "--gpus-per-node=4"), "4+4"),
    Row("gpus_per_node", ("-N4", "--gpus-per-node=4"), "r3:4", site=MIXED, prepare=(drain("r1n01,r2n01"),)),
    Row("gpus_per_task", ("-n16", "--gpus-per-task=1"), "4"),
    Row("gpus_per_task", ("-n32", "--gpus-per-task=1"), "4+4", "refused", BY_CPUS),
    Row("shared", ("-N4", "-p", "shared", "--ntasks-per-node=8"), "r4:4",
        prepare=(drain("r1n01,r2n01,r3n01"), busy("-N4", "-p", "shared", "--ntasks-per-node=8"))),
    # weights, unlike nodes
    Row("weights", ("-N4",), "r3:4", prepare=(weight("r1n[01-04],r2n[01-04],r4n[01-04]", 10),)),
    Row("weights", ("-N8",), "4+4", "refused", WEIGHTS, (weight("r1n01,r2n01,r3n01,r4n01", 10),), WIDE),
    Row("weights", ("-N2",), "r2:2", prepare=(weight("r1n[01-04],r3n[01-04],r4n[01-04],r2n[01-02]", 10),)),
    Row("heterogeneous", ("-N3", "--mincpus=32"), "r2:3", site=MIXED),
    # arrays, preemption, --test-only, backfill
    Row("array", ("-N4", "--array=0-3"), "4 4 4 4", see=tasks),
    Row("array", ("-N4", "--segment=2", "--array=0-1"), "4 4", see=tasks, site=FLAT),
    Row("preemption", ("-N4", "-p", "urgent"), "4", prepare=tuple(busy("-N4") for _ in range(4)), site=PREEMPT),
    Row("preemption", ("-N4", "-p", "urgent"), "r4:4", site=PREEMPT,
        prepare=(drain("r1n01,r2n01,r3n01"), busy("-N4"))),
    Row("preemption", ("-N3", "-p", "urgent", "--mincpus=32"), "r2:3", site=UNLIKE,
        prepare=tuple(busy("-N4", "-w", node) for node in ("r1n01", "r2n01", "r3n01", "r4n01"))),
    Row("preemption", ("-N6", "-p", "urgent", "--mincpus=32"), "r2:4 r3:2", site=UNLIKE,
        prepare=tuple(busy("-N4", "-w", node) for node in ("r1n01", "r2n01", "r3n01", "r4n01"))),
    Row("preemption", ("-N4", "-p", "urgent", "--segment=2"), "r3:4", site=UNLIKE,
        prepare=(busy("-N4", "-w", "r3n01"), drain("r1n[01-03],r2n[01-03],r4n[01-03]"))),
    Row("test_only", ("-N4",), "r4:4", see=will_run, prepare=(drain("r1n01,r2n01,r3n01"),)),
    Row("test_only", ("-N4",), "4", see=will_run, prepare=tuple(busy("-N4", "-t60") for _ in range(4))),
    Row("backfill", ("-N3", "-t10"), "3", see=backfilled, prepare=(busy("-N4", "-t600"), queued("-N16", "-t600"))),
    # nodes in no block
    Row("no_block", ("-N4",), "out:4", prepare=(busy_nodes("r1n[01-04],r2n[01-04]"),), site=OUTSIDE),
    Row("no_block", ("-N4",), "out:4", "waits", NO_BLOCK, (drain("r1n[01-03],r2n[01-04]"),), OUTSIDE),
    Row("no_block", ("-N4",), "4", site=OUTSIDE),
    # several levels
    Row("levels", ("-N9",), "2+2+2+2+1", "waits", STALL, site=TWELVE,
        prepare=(drain("r4n[01-02],r6n02,r7n[01-02],r8n[01-02],r9n[01-02],r10n[01-02],r11n[01-02],r12n[01-02]"),)),
    Row("levels", ("-N6",), "3+3", "4+2", TIGHT, (drain("r2n01,r3n01,r4n[01-04]"),), WIDE),
    # segments
    Row("segments", ("-N8", "--segment=4"), "4+4"),
    Row("segments", ("-N6", "--segment=4"), "refused"),
    Row("segments", ("-N12", "--segment=3"), "3+3+3+3"),
    Row("large_segments", ("-N16", "--segment=8"), "4+4+4+4", {(24, 11): "refused", (25, 11): "4+4+4+4"}, LARGE_SEGMENTS),
    Row("large_segments", ("-N15", "--segment=5"), "4+3+3+3+2", {(24, 11): "refused", (25, 11): "waits"}, TOGETHER,
        (drain("r1n[01-02],r2n01,r3n01,r4n01"),), Site(racks=(4,) * 5, sizes="4")),
    Row("segments_nodelist", ("-N4", "--segment=2", "-w", "r1n01,r2n01"), "r1:2 r2:2", "refused", SEGMENT_LISTS),
    Row("segments_nodelist", ("-N8", "--segment=4", "-w", "r1n[01-04],r3n[01-04]"), "r1:4 r3:4",
        {(24, 11): "refused", (25, 11): "r1:4 r3:4"}, SEGMENT_LISTS),
    Row("segments_nodelist", ("-N8", "--segment=4", "-x", "r1n01,r3n01"), "r2:4 r4:4"),
    # --switches
    Row("switches", ("-N4", "--segment=2", "--switches=1@600"), "waits", "2+2", SWITCHES,
        (drain("r1n01,r2n[01-02],r3n[01-02],r4n01"),)),
    Row("switches", ("-N4", "--segment=2", "--switches=1"), "r4:4", "2+2", SWITCHES,
        (drain("r1n[01-02],r2n[01-02],r3n[01-02]"),)),
    Row("switches", ("-N4", "--segment=2", "--switches=1@00:06"), "2+2", "placed at once", SWITCHES,
        (drain("r1n[01-02],r2n[01-02],r3n[01-04],r4n[01-04]"),), see=placed_later),
    # one-node jobs
    Row("one_node", ("-N1",), "r2:1", {(24, 11): "r2:1", (26, 5): "r1:1"}, ONE_NODE,
        (drain("r2n[01-03],r3n[01-04],r4n[01-04]"),)),
    # what later release lines added
    Row("node_topology", ("-N5",), "r2:4 out:1", site=OUTSIDE, line=(25, 5),
        prepare=(join("out01", "r2"), drain("r1n[01-04]"))),
    Row("node_topology", ("-N5", "-w", "out01"), "r2:4 out:1", "refused", "the same update twice changes nothing",
        (join("out01", "r2"), join("out01", "r2"), drain("r1n[01-04]")), OUTSIDE, (25, 5)),
    Row("spread_segments", ("-N4", "--segment=2", "--spread-segments"), "2+2", line=(25, 11)),
    Row("consolidate_segments", ("-N8", "--segment=4", "--consolidate-segments"), "r3:4 r4:4", line=(25, 11),
        prepare=(drain("r1n01"),)),
)


class Duties(LabCase):
    """One test a duty."""

    started = False
    plugin = OURS

    def play(self, stage, row):
        """One row."""
        stage.open(row.site, self.plugin)
        for step in row.prepare:
            step()
        expected = row.expected(self.plugin == OURS, stage.release)
        self.assertEqual(shown((row.see or placement)(*row.request), expected), expected, f"{self.plugin} {row.request}")

    def rows(self, rows):
        """All rows of a duty."""
        stage = Stage()
        self.need_line(min(row.line for row in rows))
        for row in rows:
            if stage.release < row.line:
                self.tell(f"not for this version: {' '.join(row.request)} (Slurm {row.line[0]}.{row.line[1]:02} and later)")
                continue
            with self.subTest(request=row.request, prepared=len(row.prepare)):
                self.play(stage, row)


def _test(rows):
    return lambda self: self.rows(rows)


for _duty in dict.fromkeys(row.duty for row in ROWS):
    setattr(Duties, f"test_{_duty}", _test([row for row in ROWS if row.duty == _duty]))


class StockDuties(Duties):
    """The same rows with topology/block, whose half of the table changes only with Slurm."""

    plugin = STOCK
    for_release = True
