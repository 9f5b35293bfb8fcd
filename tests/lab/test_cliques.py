# SPDX-License-Identifier: GPL-2.0-or-later
"""NVLink cliques from node features: each mode, changes while slurmctld runs, aggregation by name, the tool's round trip."""

import json
import re
import subprocess

from nvl72lab import cluster, plugin_build
from nvl72lab.daemons import wait_until
from nvl72lab.hostlist import compress, expand
from nvl72lab.lab_case import LabCase

UUID = "b78ed242-7b98-426f-b194-b76b8899f4{:02x}"
RACKS = {f"rack{rack + 1}": [f"node{number:03}" for number in range(18 * rack, 18 * rack + 18)] for rack in range(6)}


def clique(rack, partition=32766):
    """The default partition has the same number in every rack; only the UUID tells them apart."""
    return f"{UUID.format(rack)}.{partition}"


def whole_racks():
    """Each rack of the site is one clique."""
    return {clique(rack): nodes for rack, nodes in enumerate(RACKS.values())}


def configure(param, features, topology=None, without=(), more=()):
    """Rewrites slurm.conf so that nodes have features (feature text: nodes), and starts slurmctld with it."""
    path = cluster.configuration() / "slurm.conf"
    kept = [line for line in path.read_text("utf-8").splitlines()
            if not line.startswith(("NodeName=", "PartitionName=", "TopologyParam=", "GresTypes="))]
    (cluster.configuration() / "gres.conf").unlink(missing_ok=True)
    named = {node for nodes in features.values() for node in nodes}
    groups = {**features, "": [node for nodes in RACKS.values() for node in nodes if node not in named]}
    for text, nodes in groups.items():
        nodes = [node for node in nodes if node not in without]
        if nodes:
            kept.append(f"NodeName={compress(nodes)} CPUs=4 RealMemory=900 State=CLOUD"
                        + (f" Feature=gb200,{text}" if text else ""))
    kept += ["PartitionName=main Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE State=UP", f"TopologyParam={param}", *more]
    path.write_text("\n".join(kept) + "\n", "utf-8")
    if topology is not None:
        cluster.write_topology(topology)
    cluster.ask("lab-ctl", "restart")


def change(nodes, feature):
    """What an administrator does when the fabric has changed."""
    cluster.ask("scontrol", "update", f"nodename={compress(nodes)}", f"availablefeatures={feature}", f"activefeatures={feature}")


def shown_blocks():
    """Name and nodes of the base blocks that scontrol shows."""
    return dict(re.findall(r"^BlockName=(\S+) BlockIndex=\d+ Nodes=(\S+)", cluster.ask("scontrol", "show", "topology"), re.M))


def tool(*arguments):
    """Runs the project's command; returns its result."""
    return subprocess.run([plugin_build.command(), *arguments], capture_output=True, text=True, check=False)


class Cliques(LabCase):
    """Six racks of 18 imaginary trays whose features name their cliques."""

    started = False
    needs_command = ("test_check_tells_what_the_log_tells", "test_what_generate_writes_serves_stock_and_us")

    def spread_over(self, nodes, groups):
        """How many of the nodes lie in each group."""
        counts = {name: len(set(nodes) & set(members)) for name, members in groups.items()}
        return {name: count for name, count in counts.items() if count}

    def refusal_of(self, *options):
        """The reason in slurmctld's log why a job has to wait, or the refusal at once."""
        cluster.ask("scontrol", "setdebugflags", "+SelectType")
        mark = len(cluster.read_log())
        number, said = cluster.offer(*options, script="true")
        if number is not None:
            self.assertTrue(cluster.stays_pending(number))
        return cluster.read_log(mark) + said

    def test_verify_reports_and_leaves_placement_alone(self):
        groups = whole_racks()
        groups[clique(0)], groups[clique(1)] = (groups[clique(0)][:16] + groups[clique(1)][16:],
                                                groups[clique(1)][:16] + groups[clique(0)][16:])
        configure("Nvl72Clique=verify", groups)
        log = cluster.read_log()
        self.assertIn("cliques: 4 of 6 blocks agree with 6 cliques, 108 nodes with a clique; 4 findings", log)
        self.assertIn(f"cliques: block rack1 holds 2 cliques: 16 nodes of {clique(0)} (node[000-015]), 2 nodes of {clique(1)} "
                      "(node[016-017])", log)
        self.assertIn(f"cliques: clique {clique(1)} spans 2 blocks: 2 nodes in rack1 (node[016-017]), 16 nodes in rack2 "
                      "(node[018-033])", log)
        self.assert_spread(cluster.place("-N18", "--segment=18", "-w", "node000"), [18])

    def test_verify_reports_a_change_at_run_time(self):
        configure("Nvl72Clique=verify", whole_racks())
        change(RACKS["rack1"][:2], clique(1))
        finding = f"cliques: clique {clique(1)} spans 2 blocks: 2 nodes in rack1 (node[000-001]), 18 nodes in rack2 (node[018-035])"

        def told():
            cluster.cancel(cluster.place("-N18").id)
            return finding in cluster.read_log()

        wait_until(told, cluster.WAIT_SECONDS, "the change was told")

    def test_the_same_id_everywhere_is_no_common_clique(self):
        configure("Nvl72Clique=verify", whole_racks())
        self.assertIn("cliques: 6 of 6 blocks agree with 6 cliques, 108 nodes with a clique; nothing to report", cluster.read_log())

    def test_a_site_without_cliques_hears_nothing_of_them(self):
        configure("Nvl72Policy=pack", {})
        self.assertNotIn("clique", cluster.read_log())
        self.assert_spread(cluster.place("-N18"), [18])

    def test_invalid_cliques_are_told_with_the_reason(self):
        groups = {**whole_racks(), clique(0): RACKS["rack1"][4:]}
        node = iter(RACKS["rack1"])
        for text in ("00000000-0000-0000-0000-000000000000.0", UUID.format(0) + ".x", "CliqueId_7",
                     f"{clique(0)},{clique(1)}"):
            groups[text] = [next(node)]
        configure("Nvl72Clique=verify", groups)
        log = cluster.read_log()
        for reason in ("the ClusterUUID is all zero", "the CliqueId is not a number", "a CliqueId without a ClusterUUID",
                       "two different cliques are named"):
            self.assertIn(f"1 node with an invalid clique, {reason} (", log)

    def test_unknown_values_are_told_and_the_default_holds(self):
        configure("Nvl72Clique=perhaps,Nvl72Aggregate=colour,Nvl72CliquePrefix=", whole_racks())
        log = cluster.read_log()
        self.assertIn("Nvl72Clique=perhaps is unknown, verify is used; write Nvl72Clique=verify or enforce or derive or off", log)
        self.assertIn("Nvl72Aggregate=colour is unknown, position is used", log)
        self.assertIn("Nvl72CliquePrefix= is empty, no prefix is used", log)
        self.assertIn("cliques: 6 of 6 blocks agree", log)

    def only(self, *racks):
        """Leaves these racks alone to the jobs."""
        others = [node for name, nodes in RACKS.items() if name not in racks for node in nodes]
        cluster.ask("scontrol", "update", f"nodename={compress(others)}", "state=drain", "reason=test")

    def test_enforce_keeps_segments_in_one_partition_of_a_carved_rack(self):
        groups = whole_racks()
        groups[clique(0, 1)], groups[clique(0, 2)] = groups[clique(0)][:9], groups.pop(clique(0))[9:]
        configure("Nvl72Clique=enforce", groups)
        self.assertIn("cliques: 5 of 6 blocks agree with 7 cliques, 108 nodes with a clique; 1 finding", cluster.read_log())
        self.only("rack1")
        self.assertIn("NVLink cliques are enforced: at most 9 usable in one clique", self.refusal_of("-N16", "--segment=16"))
        cluster.cancel(*self.waiting())
        job = cluster.place("-N18", "--segment=9")
        self.assertEqual(sorted(job.nodes), RACKS["rack1"])
        # Without cliques the rack is a rack: the same job as one segment.
        cluster.cancel(job.id)
        change(RACKS["rack1"], clique(0))
        self.assertEqual(sorted(cluster.place("-N16", "--segment=16").nodes)[0], "node000")

    def waiting(self):
        """The ids of all jobs that wait."""
        return [int(number) for number in cluster.ask("squeue", "-h", "-t", "PD", "-o", "%i").split()]

    def test_enforce_keeps_swapped_nodes_out_of_segments(self):
        groups = whole_racks()
        one, two = groups[clique(0)], groups[clique(1)]
        groups[clique(0)], groups[clique(1)] = one[:16] + two[16:], two[:16] + one[16:]
        configure("Nvl72Clique=enforce", groups)
        self.only("rack1", "rack2")
        job = cluster.place("-N32", "--segment=16")
        self.assertEqual(sorted(job.nodes), one[:16] + two[:16])
        pair = cluster.submit("-N2", "--segment=2")
        self.assertTrue(cluster.stays_pending(pair), "two swapped nodes made a segment")
        single = [cluster.place("-N1") for _ in range(4)]
        self.assertEqual({node for alone in single for node in alone.nodes}, set(one[16:] + two[16:]))
        # The cables are put right: both racks are whole for the next job.
        cluster.cancel(pair, job.id, *(alone.id for alone in single))
        change(one, clique(0))
        change(two, clique(1))
        self.assertEqual(len(cluster.place("-N36", "--segment=18").nodes), 36)

    def test_enforce_follows_features_at_run_time(self):
        configure("Nvl72Clique=enforce", whole_racks())
        self.only("rack1")
        first = cluster.place("-N18", "--segment=18")
        cluster.cancel(first.id)
        change(RACKS["rack1"][:9], clique(0, 1))
        waiting = cluster.submit("-N18", "--segment=18")
        self.assertTrue(cluster.stays_pending(waiting), "the rack was carved, but the segment spans it")
        change(RACKS["rack1"][:9], clique(0))
        self.assertEqual(sorted(cluster.wait_job(waiting, lambda job: job.placed, "had nodes").nodes), RACKS["rack1"])

    def test_how_features_are_followed_is_nobodys_feature(self):
        configure("Nvl72Clique=enforce", whole_racks())
        cluster.cancel(cluster.place("-N2").id)
        for mark in ("nvl72block(untouched)", "nvl72block(untouched)}"):
            self.assertIn("nvalid feature", cluster.refusal("-N1", f"--constraint={mark}"))
        self.assertNotIn("untouched", cluster.ask("scontrol", "show", "nodes") + cluster.ask("sinfo", "-o", "%f %b"))

    def test_how_features_are_followed_is_no_node_list(self):
        """feature{nvl72block(untouched)} meant all nodes, and places in Slurm's table where no node is."""
        configure("Nvl72Clique=enforce", whole_racks(), more=["MaxNodeCount=200", "TreeWidth=65533"])
        cluster.cancel(cluster.place("-N2").id)
        for mark in ("nvl72block(untouched)", "nvl72block(untouched)}"):
            made = cluster.run("scontrol", "create", "reservation", "starttime=now", "duration=10", "user=root",
                               f"nodes=feature{{{mark}}}")
            self.assertIn("Invalid node name specified", made.err, made)
            number = cluster.submit("-N1", "-w", f"feature{{{mark}}}", "--hold")
            # As with any feature that does not exist.
            unknown = cluster.submit("-N1", "-w", "feature{nonsense}", "--hold")
            self.assertEqual(self.wanted_nodes(number), self.wanted_nodes(unknown))

    def wanted_nodes(self, number):
        """How many nodes the held job wants."""
        return re.search(r"NumNodes=(\S+)", cluster.ask("scontrol", "show", "job", str(number)))[1]

    def test_derive_needs_no_block_line(self):
        configure("Nvl72Clique=derive,Nvl72CliquePrefix=nvl-", {f"nvl-{name}": nodes for name, nodes in whole_racks().items()},
                  topology="BlockSizes=18,36\n")
        self.assertEqual(shown_blocks(), {name: compress(nodes) for name, nodes in whole_racks().items()})
        job = cluster.place("-N64", "--segment=16")
        self.assertEqual(sorted(self.spread_over(job.nodes, RACKS).values()), [16] * 4)
        self.assertEqual(list(self.spread_over(cluster.place("-N18").nodes, RACKS).values()), [18])

    def test_derive_without_a_topology_conf_and_without_cliques(self):
        configure("Nvl72Clique=derive", whole_racks(), topology="# nothing\n")
        self.assertEqual(len(shown_blocks()), 6)
        (cluster.configuration() / "topology.conf").unlink()
        configure("Nvl72Clique=derive", {})
        self.assertIn("Nvl72Clique=derive, but no node names a clique", cluster.read_log())
        self.assertEqual(len(cluster.place("-N2").nodes), 2)
        # The first cliques make the first blocks.
        for name, nodes in whole_racks().items():
            change(nodes, name)
        self.assertEqual(len(shown_blocks()), 6)
        self.assertEqual(list(self.spread_over(cluster.place("-N18", "--segment=18").nodes, RACKS).values()), [18])

    def test_derive_with_wrong_sizes_and_nothing_saved(self):
        """The log named a last good topology that there was not."""
        configure("Nvl72Clique=derive", whole_racks(), topology="BlockSizes=18,27\n")
        self.assertEqual(shown_blocks(), {name: compress(nodes) for name, nodes in whole_racks().items()})
        log = cluster.read_log()
        self.assertRegex(log, r"topology\.conf:1: .* no last good topology was saved; the cliques are used without BlockSizes until the line is "
                              "corrected and scontrol reconfigure run")
        self.assertNotIn("LAST GOOD", log)

    def test_derive_a_node_that_is_created_brings_its_clique(self):
        configure("Nvl72Clique=derive", whole_racks(), topology="BlockSizes=18\n", more=["MaxNodeCount=200", "TreeWidth=65533"])
        self.assertEqual(len(shown_blocks()), 6)
        cluster.ask("scontrol", "create", "nodename=extra[1-2]", "state=cloud", "cpus=4", "realmemory=900",
                    f"features={clique(6)}")
        self.assertEqual(shown_blocks()[clique(6)], "extra[1-2]")

    def test_derive_reads_features_that_slinky_copies_from_annotations(self):
        # Slinky's operator writes each feature of a Kubernetes node's annotation as k8s/FEATURE beside those of the NodeSet.
        configure("Nvl72Clique=derive", {}, topology="BlockSizes=18\n")
        for name, nodes in whole_racks().items():
            change(nodes, f"slinky,k8s/{name}")
        self.assertEqual(shown_blocks(), {name: compress(nodes) for name, nodes in whole_racks().items()})
        self.assertEqual(list(self.spread_over(cluster.place("-N16", "--segment=16").nodes, RACKS).values()), [16])

    def test_derive_a_rack_that_vanishes_renames_no_other(self):
        configure("Nvl72Clique=derive", whole_racks(), topology="BlockSizes=18\n")
        before = shown_blocks()
        gone = whole_racks()
        del gone[clique(2)]
        configure("Nvl72Clique=derive", gone, without=RACKS["rack3"])
        after = shown_blocks()
        self.assertEqual(after, {name: nodes for name, nodes in before.items() if name != clique(2)})

    def test_a_feature_changed_at_run_time_counts_at_the_next_decision(self):
        configure("Nvl72Clique=derive", whole_racks(), topology="BlockSizes=18\n")
        running = cluster.place("-N16", "--segment=16", "-w", "node000")
        self.assertEqual(list(self.spread_over(running.nodes, RACKS).values()), [16])
        # One half of rack 6 is cabled to one half of rack 5: their nodes become two other cliques.
        change(RACKS["rack5"][:9] + RACKS["rack6"][:9], clique(77))
        change(RACKS["rack5"][9:] + RACKS["rack6"][9:], clique(78))
        job = cluster.place("-N18", "--segment=18", "-w", "node072")
        self.assertEqual(sorted(job.nodes), RACKS["rack5"][:9] + RACKS["rack6"][:9])
        self.assertEqual(shown_blocks()[clique(78)], "node[081-089,099-107]")
        self.assertEqual(cluster.job(running.id).nodes, running.nodes)
        # And back, at once.
        cluster.cancel(job.id)
        change(RACKS["rack5"], clique(4))
        change(RACKS["rack6"], clique(5))
        self.assertEqual(sorted(cluster.place("-N18", "--segment=18", "-w", "node072").nodes), RACKS["rack5"])
        self.assertIn("cliques: 6 of 6 blocks agree with 6 cliques", cluster.read_log())

    def test_aggregation_by_name_keeps_the_place_of_a_missing_block(self):
        lines = [f"BlockName=block{number:02} Nodes={compress(nodes)}" for number, nodes in
                 zip((1, 2, 4, 5, 6, 7), RACKS.values())]
        topology = "\n".join(lines) + "\nBlockSizes=18,36,72\n"
        aggregates = lambda: re.findall(r"^AggregatedBlock=(\S+)", cluster.ask("scontrol", "show", "topology"), re.M)
        configure("Nvl72Aggregate=position", {}, topology=topology)
        self.assertEqual(aggregates()[:3], ["block[01-02]", "block[04-05]", "block[06-07]"])
        configure("Nvl72Aggregate=name", {}, topology=topology)
        self.assertEqual(aggregates(), ["block[01-02]", "block[05-06]", "block[01-02,04]", "block[05-07]"])
        self.assertEqual(len(shown_blocks()), 6)
        job = cluster.place("-N36", "-w", RACKS["rack4"][0])  # block05, whose pair is block06
        self.assertEqual(self.spread_over(job.nodes, RACKS), {"rack4": 18, "rack5": 18})
        configure("Nvl72Aggregate=name", {}, topology=topology.replace("block07", "block900000000"))
        self.assertIn("BlockName=block900000000 is numbered beyond", cluster.read_log())
        self.assertEqual(aggregates()[:2], ["block[01-02]", "block[04-05]"])

    def test_check_tells_what_the_log_tells(self):
        groups = whole_racks()
        groups[clique(0, 1)] = groups.pop(clique(0))[:9]
        groups[clique(0, 2)] = RACKS["rack1"][9:]
        configure("Nvl72Clique=verify", groups)
        nodes = cluster.configuration() / "nodes.txt"
        nodes.write_text(cluster.ask("scontrol", "show", "nodes"), "utf-8")
        said = tool("check", "--topology", cluster.configuration() / "topology.conf", "--features", nodes)
        self.assertEqual(said.returncode, 1, said.stderr)
        valid, *lines = said.stdout.splitlines()
        self.assertIn(": valid: 6 base blocks of 18 nodes with 108 nodes", valid)
        for line in lines:
            self.assertIn(f"cliques: {line}", cluster.read_log())
        answer = cluster.run("scontrol", "show", "nodes", "--json")
        if answer.code == 0:
            nodes.write_text(answer.out, "utf-8")
            again = tool("check", "--topology", cluster.configuration() / "topology.conf", "--features", nodes)
            self.assertEqual(again.stdout, said.stdout, again.stderr)
            self.assertEqual(len(json.loads(answer.out)["nodes"]), 108)

    def test_what_generate_writes_serves_stock_and_us(self):
        features = cluster.configuration() / "nodes.txt"
        features.write_text("".join(f"{compress(nodes)} {name}\n" for name, nodes in whole_racks().items()), "utf-8")
        conf = cluster.configuration() / "topology.conf"
        wanted = cluster.configuration() / "features.conf"
        made = tool("generate", "--features", features, "--output", conf, "--slurm-conf", wanted)
        self.assertEqual(made.returncode, 0, made.stderr)
        said = dict(line.split(" Feature=") for line in wanted.read_text("utf-8").splitlines())
        configure("Nvl72Clique=verify", {text: expand(nodes.removeprefix("NodeName=")) for nodes, text in said.items()})
        ours = cluster.ask("scontrol", "show", "topology")
        self.assertIn("BlockName=block006 BlockIndex=5 Nodes=node[090-107] BlockSize=18", ours)
        self.assertIn("cliques: 6 of 6 blocks agree", cluster.read_log())
        cluster.use_plugin("topology/block")
        cluster.ask("lab-ctl", "restart")
        self.assertEqual(cluster.ask("scontrol", "show", "topology"), ours)
        features.write_text(cluster.ask("scontrol", "show", "nodes"), "utf-8")
        checked = tool("check", "--topology", conf, "--features", features)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""), checked.stdout)
        again = tool("generate", "--features", features, "--topology", conf, "--changes")
        self.assertEqual((again.returncode, again.stdout), (0, f"{conf}: no changes\n"))

    def outlast(self, mode, change_cliques, restore, more=()):
        """Jobs that wait, or are submitted, while the cliques let no 16 nodes together run when they do again."""
        configure(f"Nvl72Clique={mode}", whole_racks(), more=more)
        running = cluster.place("-N108")
        waiting = cluster.submit("-N16", "--segment=16")
        self.assertTrue(cluster.stays_pending(waiting))
        change_cliques()
        cluster.scheduler_pass()
        self.assertEqual(cluster.job(waiting).reason, "Resources")
        late, refusal = cluster.offer("-N18", "--segment=18")
        self.assertIsNotNone(late, refusal)
        cluster.cancel(running.id)
        cluster.scheduler_pass()
        for number in (waiting, late):  # on idle nodes, Slurm has no other reason for it
            self.assertEqual((cluster.job(number).state, cluster.job(number).reason), ("PENDING", "Licenses"))
            self.assertRegex(cluster.ask("scontrol", "show", "job", str(number)), r"SystemComment=.*(clique|segment|block)")
        restore()
        for number in (waiting, late):
            self.block_of(cluster.wait_job(number, lambda job: job.placed, "had nodes"))

    def name_few(self):
        """As after a start, when the nodes name their cliques one by one."""
        for nodes in RACKS.values():
            change(nodes[4:], "gb200")

    def name_all(self):
        for rack, nodes in enumerate(RACKS.values()):
            change(nodes, clique(rack))

    def test_a_job_outlasts_cliques_that_are_not_named_yet(self):
        self.outlast("enforce", self.name_few, self.name_all)
        self.name_few()
        self.assertIn("not available", cluster.refusal("-N38", "--segment=19"))  # no clique will ever be so large

    def test_a_job_outlasts_racks_in_two_parts(self):
        def divide():
            for rack, nodes in enumerate(RACKS.values()):
                change(nodes[9:], clique(rack, 1))
        self.outlast("enforce", divide, self.name_all)

    def test_a_job_outlasts_blocks_that_are_not_derived_yet(self):
        self.outlast("derive", self.name_few, self.name_all)

    def test_a_job_that_may_preempt_outlasts_them_without_preempting(self):
        preempting = ("PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE", "PartitionName=low Nodes=node[000-053] PriorityTier=1 OverSubscribe=EXCLUSIVE")
        configure("Nvl72Clique=enforce", whole_racks(), more=preempting)
        cluster.ask("scontrol", "update", "partitionname=main", "prioritytier=10")
        kept = cluster.place("-N54", "-w", "node[054-107]")
        lower = cluster.place("-N54", "-p", "low")
        self.name_few()
        number, refusal = cluster.offer("-N16", "--segment=16")
        self.assertIsNotNone(number, refusal)
        self.assertTrue(cluster.stays_pending(number))
        self.assertNotEqual(cluster.job(number).reason, "BadConstraints")
        for job in (kept, lower):
            self.assertEqual(cluster.job(job.id).nodes, job.nodes)
        self.name_all()
        self.block_of(cluster.wait_job(number, lambda job: job.placed, "had nodes"))
        self.assertNotEqual(cluster.job(lower.id).nodes, lower.nodes)
