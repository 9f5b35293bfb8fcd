# SPDX-License-Identifier: GPL-2.0-or-later
"""`nvl72block check` refuses exactly the topology files that the plugin refuses in slurmctld."""

import subprocess

from nvl72lab import cluster, plugin_build
from nvl72lab.lab_case import LabCase

RACK1 = "BlockName=rack1 Nodes=node[000-017]\n"
RACK2 = "BlockName=rack2 Nodes=node[018-035]\n"
CONF = {
    "two racks": RACK1 + RACK2 + "BlockSizes=18,36\n",
    "without sizes": RACK1 + RACK2,
    "an empty block": RACK1 + "BlockName=rack2\nBlockSizes=18\n",
    "all nodes": "BlockName=all Nodes=ALL\n",
    "node sets": RACK1 + "BlockName=rack2 Nodes=second\nBlockName=rack3 Nodes=node036,half[1-2]\nBlockSizes=18\n",
    "an unknown node set": RACK1 + "BlockName=rack2 Nodes=fourth\n",
    "sizes above the blocks": RACK1 + "BlockSizes=18,36,72\n",
    "a short block": RACK1 + "BlockName=rack2 Nodes=node[018-020]\nBlockSizes=18\n",
    "a feature beside nodes": "BlockName=rack1 Nodes=node[000-017],feature{none}\n",
    "no block": "BlockSizes=18\n",
    "a size that is no number": RACK1 + "BlockSizes=18x\n",
    "a size that is no power of two": RACK1 + RACK2 + "BlockSizes=18,54\n",
    "a size of 0": RACK1 + "BlockSizes=0\n",
    "a node in two blocks": RACK1 + "BlockName=rack2 Nodes=node[017-034]\n",
    "an unknown node": RACK1 + "BlockName=rack2 Nodes=node[018-034],mode035\n",
    "a name twice": RACK1 + "BlockName=rack1 Nodes=node[018-035]\n",
    "a mistyped key": RACK1 + "BlockSize=18\n",
    "a mistyped key in a block": RACK1 + "BlockName=rack2 Node=node[018-035]\nBlockSizes=18\n",
    "a function of blocks": RACK1 + "BlockName=rack2 Nodes=block{rack1}\n",
    "a feature of no node": RACK1 + "BlockName=rack2 Nodes=feature{none}\n",
    "a list of features": "BlockName=rack1 Nodes=node[000-017],feature{none[1-3]}\n",
    "a function of the blocks": RACK1 + "BlockName=rack2 Nodes=block{rack1}\nBlockSizes=18\n",
    "a function of the blocks beside nodes": RACK1 + "BlockName=rack2 Nodes=node[018-035],block{rack1}\n",
    "a function of the node's own block": RACK1 + "BlockName=rack2 Nodes=blockwith{node018}\n",
    "a function of switches": RACK1 + "BlockName=rack2 Nodes=switchwith{node018}\n",
    "no function": RACK1 + "BlockName=rack2 Nodes={node018}\n",
    "a function in capitals": RACK1 + "BlockName=rack2 Nodes=node018,Feature{none}\n",
    "text behind a function": RACK1 + "BlockName=rack2 Nodes=node018,feature{none}x\n",
    "a function without end": RACK1 + "BlockName=rack2 Nodes=node018,feature{none\n",
    "a function of nothing": RACK1 + "BlockName=rack2 Nodes=node018,feature{}\n",
    "two features in one function": RACK1 + "BlockName=rack2 Nodes=node018,feature{a,b}\n",
    "a sign in a range": RACK1 + "BlockName=rack2 Nodes=node[+18-35]\n",
    "a range without end": RACK1 + "BlockName=rack2 Nodes=node[018-]\n",
    "text in a range": RACK1 + "BlockName=rack2 Nodes=node[018x-019]\n",
    "an empty range": RACK1 + "BlockName=rack2 Nodes=node[018,,019]\n",
    "two lists in brackets": RACK1 + "BlockName=rack2 Nodes=node0[1-3][8-9]\n",
    "a list behind brackets": RACK1 + 'BlockName=rack2 Nodes="node018 node019"\n',
    "commas at both ends": RACK1 + "BlockName=rack2 Nodes=,node018,\n",
    "brackets without list": RACK1 + "BlockName=rack2 Nodes=node[]\n",
    "brackets in the wrong order": RACK1 + "BlockName=rack2 Nodes=node]018[\n",
    "a control character": RACK1 + "BlockName=rack2 Nodes=node018,\x01node019\n",
    "a name with braces": RACK1 + "BlockName=rack{2} Nodes=node[018-035]\n",
    "a name with brackets": RACK1 + "BlockName=rack[2-3] Nodes=node[018-035]\n",
    "a name with a comma": RACK1 + "BlockName=rack2,rack3 Nodes=node[018-035]\n",
    "a name with a quote": RACK1 + "BlockName=rack'2 Nodes=node[018-035]\n",
    "a malformed list": "BlockName=rack1 Nodes=node[000-017\n",
    "a tree": "SwitchName=s1 Nodes=node[000-017]\n",
    "no nodes at all": "BlockName=rack1\n",
}
DEFAULT = "- topology: racks\n  cluster_default: true\n  block:\n"
BLOCKS = "    blocks:\n      - block: rack1\n        nodes: node[000-017]\n      - block: rack2\n        nodes: node[018-035]\n"
YAML = {
    "two racks": DEFAULT + "    block_sizes:\n      - 18\n      - 36\n" + BLOCKS,
    "without sizes": DEFAULT + BLOCKS,
    "one size": DEFAULT + "    block_sizes: 18\n" + BLOCKS,
    "one topology, one block": "topology: racks\ncluster_default: true\nblock:\n  blocks:\n    block: rack1\n    nodes: node[000-017]\n",
    "an unknown key": DEFAULT + "    sizes: 18\n" + BLOCKS,
    "flat": "- topology: racks\n  cluster_default: true\n  flat: true\n",
    "flat and blocks": DEFAULT + BLOCKS + "  flat: true\n",
    "a word for true": DEFAULT.replace("true", "yes") + BLOCKS,
    "a word that is neither true nor false": DEFAULT.replace("true", "perhaps") + BLOCKS,
    "a size that is no number": DEFAULT + "    block_sizes:\n      - 18x\n" + BLOCKS,
    "sizes as a text": DEFAULT + "    block_sizes: 18,36\n" + BLOCKS,
    "a negative size": DEFAULT + "    block_sizes:\n      - -18\n" + BLOCKS,
    "a size that is no power of two": DEFAULT + "    block_sizes:\n      - 18\n      - 54\n" + BLOCKS,
    "an unknown node": DEFAULT + BLOCKS.replace("035", "235"),
    "a name twice": DEFAULT + BLOCKS.replace("rack2", "rack1"),
    "a list of nodes": DEFAULT + BLOCKS.replace("node[018-035]", "[node018, node019]"),
    "no name": DEFAULT + BLOCKS.replace("block: rack2", "name: rack2"),
    "no block": DEFAULT + "    block_sizes:\n      - 18\n",
    "no YAML": DEFAULT + "\t" + BLOCKS,
    "an alias": DEFAULT + BLOCKS.replace("node[000-017]", "&one node[000-017]").replace("node[018-035]", "*one"),
    "a text": "racks\n",
}


def logged(mark):
    """What the log tells of the topology, and of what went wrong."""
    lines = cluster.read_log(mark).splitlines()
    return "\n".join(line for line in lines if any(word in line for word in ("topology", "fatal", "error", "YAML", "parse")))


class Files(LabCase):
    """Each file is checked with the nodes of the running cluster, then loaded."""

    fails_to_reconfigure = ("test_topology_conf", "test_topology_yaml")
    own_words = ()  # what slurmctld refuses in words of its own

    def compare(self, name, texts):
        path = cluster.configuration() / name
        refused = set()
        for what, text in texts.items():
            path.write_text(text, "utf-8")
            said = subprocess.run([plugin_build.command(), "check", "--topology", path, "--live"], capture_output=True,
                                  text=True, check=False)
            mark = len(cluster.read_log())
            loaded = cluster.reconfigure()
            with self.subTest(file=what):
                self.assertIn(said.returncode, (0, 2), said)
                self.assertEqual(said.returncode == 0, loaded.code == 0, f"{loaded}\n{text}\n{said}\n{logged(mark)}")
                if said.returncode:
                    refused.add(what)
                    self.assertRegex(said.stderr, rf"{name}(:\d+)?: .*; ")
                    self.check_log(what, path, said.stderr.strip().split(str(path), 1)[1], cluster.read_log(mark))
        self.assertTrue(refused and refused != set(texts))

    def check_log(self, what, path, told, log):
        """One line of the log names the file, and says the same."""
        lines = [line for line in log.splitlines() if f"{path}:" in line]
        self.assertEqual(len(lines), 1, log)
        self.assertTrue(what in self.own_words or lines[0].endswith(told), (lines, told))


class Check(Files):
    """topology.conf, as slurmctld reads it at scontrol reconfigure."""

    own_words = ("a malformed list",)  # read by Slurm's hostlist there
    needs_command = ("test_topology_conf",)

    def test_topology_conf(self):
        with (cluster.configuration() / "slurm.conf").open("a", encoding="utf-8") as conf:
            conf.write("NodeSet=second Nodes=node[018-035]\nNodeSet=half1 Nodes=node[037-045]\nNodeSet=half2 Nodes=node046,node047\n")
        self.compare("topology.conf", CONF)


class CheckYaml(Files):
    """The same of topology.yaml, with the plugin in place of topology/block."""

    options = ("--dropin",)
    oldest = (25, 5)
    needs_command = ("test_topology_yaml",)

    def test_topology_yaml(self):
        path = cluster.configuration() / "topology.yaml"
        path.write_text(YAML["two racks"], "utf-8")
        cluster.ask("lab-ctl", "restart")
        self.compare("topology.yaml", YAML)

    def check_log(self, what, path, told, log):
        """What Slurm's own parser refuses, it refuses in its own words, and not always with the file's name."""
        self.assertLessEqual(len([line for line in log.splitlines() if f"{path}:" in line]), 1, log)
        self.assertRegex(log, r"(error|fatal): .*(YAML|topology)", what)
