# SPDX-License-Identifier: GPL-2.0-or-later
"""What slurmctld's log tells of the plugin."""

import re

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from test_cliques import RACKS, change, clique, configure, whole_racks

NAME = "topology/nvl72block"


class Log(LabCase):
    """Six racks of 18."""

    started = False

    def test_one_line_at_the_start_tells_what_runs(self):
        blocks = "".join(f"BlockName={name} Nodes=node[{nodes[0][4:]}-{nodes[-1][4:]}]\n" for name, nodes in RACKS.items())
        configure("Nvl72Policy=compact,Nvl72Clique=enforce,Nvl72CliquePrefix=nvl-", {}, topology=f"{blocks}BlockSizes=18,36\n")
        version = cluster.ask("lab-ctl", "version").strip()
        told = [line for line in cluster.read_log().splitlines() if f"for Slurm {version}, topology default: " in line][-1:]
        self.assertEqual(len(told), 1, cluster.read_log())
        self.assertRegex(told[0], r"topology nvl72block plugin \d+\.\d+\.\d+ for Slurm")
        self.assertIn("topology default: 6 base blocks of 18 nodes, 2 levels, Nvl72Policy=compact Nvl72Fragmentation=stock "
                      "Nvl72Clique=enforce Nvl72Aggregate=position ", told[0])
        self.assertTrue(told[0].endswith(" Nvl72CliquePrefix=nvl- Nvl72Demand=auto"), told)

    def test_no_line_names_the_plugin_twice(self):
        """Slurm itself puts the plugin's name before lines of info, verbose and debug; the plugin did it once more."""
        configure("Nvl72Clique=verify", whole_racks(), more=["SlurmctldDebug=debug3"], topology="".join(
            f"BlockName={name} Nodes=node[{nodes[0][4:]}-{nodes[-2][4:]}]\n" for name, nodes in RACKS.items()))
        cluster.ask("scontrol", "setdebugflags", "+SelectType")
        cluster.cancel(cluster.place("-N18").id)
        change(RACKS["rack1"][:2], clique(1))
        cluster.cancel(cluster.place("-N2").id)
        cluster.cancel(cluster.submit("-N18", "--segment=18"))
        if cluster.release() >= (25, 5):
            cluster.ask("scontrol", "update", "nodename=node000", "topology=default:rack2")
            cluster.run("scontrol", "update", "nodename=node000", "topology=default:typo")
        lines = [line for line in cluster.read_log().splitlines() if NAME in line]
        # Configuration, cliques, a decision.
        self.assertGreater(len(lines), 5)
        self.assertIn("6 nodes are in no block", cluster.read_log())
        self.assertEqual([line for line in lines if len(re.findall(NAME, line)) > 1], [])


class Passes(LabCase):
    """Racks whose nodes are shared, unless a job wants them for itself."""

    config = "eight-by-18"

    def told(self, *request):
        """How the log names the pass in which a job was placed."""
        number = cluster.place(*request).id
        cluster.cancel(number)
        return re.search(rf"JobId={number}: \d+ nodes in .*; (.*), \d+ questions, \d+ us", cluster.read_log())[1]

    def test_a_decision_tells_its_pass(self):
        """A job with whole nodes has all cores, so that its first pass allows any GRES; the log called it the second pass."""
        cluster.ask("scontrol", "setdebugflags", "+SelectType")
        self.assertEqual(self.told("-N1"), "first pass")
        self.assertEqual(self.told("-N1", "--gpus-per-node=1"), "first pass with GRES near the cores")
        self.assertEqual(self.told("-N1", "--gpus-per-node=1", "--exclusive"), "first pass with any GRES")
