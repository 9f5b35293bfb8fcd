# SPDX-License-Identifier: GPL-2.0-or-later
"""Changing the topology plugin under running jobs: the plugin's file, the folders it is searched in, what has to stay."""

import re
import subprocess
import tempfile
from pathlib import Path

from . import cluster

# What of a job must survive; times and the like may change.
KEPT = ("JobId", "JobState", "NumNodes", "NumCPUs", "NumTasks", "ReqTRES", "AllocTRES", "NodeList", "OverSubscribe",
        "ReqNodeList", "SegmentSize", "Network", "TresPerNode", "Switches")
OTHER_RELEASE = """
const char plugin_name[] = "another release's";
const char plugin_type[] = "{type}";
const unsigned int plugin_version = 0x100000;
"""


def jobs():
    """Those fields of every job, by its id."""
    found = {}
    for line in cluster.ask("scontrol", "-o", "show", "job").splitlines():
        fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
        # slurmctld itself writes 108 before and 108-108 after a restart while a job waits.
        fields["NumNodes"] = re.sub(r"^(\d+)-\1$", r"\1", fields["NumNodes"])
        found[fields["JobId"]] = {key: fields[key] for key in KEPT if key in fields}
    return found


def plugins():
    """The instance's own plugin folder, the first in PluginDir."""
    return cluster.this_instance().plugins


def search_own_plugins(wanted):
    """Puts the instance's folder into PluginDir or leaves only Slurm's own."""
    path = cluster.configuration() / "slurm.conf"
    text = path.read_text("utf-8")
    found = re.search(r"(?m)^PluginDir=(.*)$", text)
    if not found:  # Slurm's own is searched
        return
    others = [entry for entry in found[1].split(":") if entry != str(plugins())]
    line = ":".join([str(plugins()), *others] if wanted else others)
    path.write_text(re.sub(r"(?m)^PluginDir=.*$", f"PluginDir={line}", text), "utf-8")


def make_foreign(path, plugin_type, compiler=("cc",)):
    """Replaces a plugin by one that says it was built for another release."""
    # Renamed into place: a file that a process has mapped must not change.
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        source, made = Path(folder) / "foreign.c", Path(folder) / "foreign.so"
        source.write_text(OTHER_RELEASE.format(type=plugin_type), "utf-8")
        subprocess.run([*compiler, "-shared", "-fPIC", "-nostdlib", "-o", made, source], check=True)
        made.replace(path)


def start_fails():
    """Tries to start slurmctld; returns what its log gains, or None when it starts."""
    before = len(cluster.log().read_text("utf-8", "replace"))
    if cluster.run("lab-ctl", "start").code == 0:
        return None
    return cluster.log().read_text("utf-8", "replace")[before:]
