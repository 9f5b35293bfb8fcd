# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns a site's configuration folder into one that runs here: what is missing is filled in, what would reach outside
the instance is replaced.
"""

import re
import shutil

# Without these the site's own values would touch the host, or need services that are not here.
FORCED = {
    "SlurmctldHost": "localhost(127.0.0.1)",
    "SlurmUser": "root",
    "SlurmdUser": "root",
    "AuthType": "auth/slurm",
    "CredType": "cred/slurm",
    "StateSaveLocation": "{state}",
    "SlurmctldPidFile": "{run}/slurmctld.pid",
    "SlurmctldLogFile": "{log}/slurmctld.log",
    "SlurmdSpoolDir": "{state}/slurmd-%n",
    "SlurmdPidFile": "{run}/slurmd-%n.pid",
    "SlurmdLogFile": "{log}/slurmd-%n.log",
    "PluginDir": "{plugin_dirs}",
}
DEFAULTS = {
    "ClusterName": "lab",
    "SlurmctldPort": "6817",
    "SlurmdPort": "6818",
    "SlurmctldDebug": "verbose",
    "ProctrackType": "proctrack/linuxproc",
    "TaskPlugin": "task/none",
    "JobAcctGatherType": "jobacct_gather/none",
    "MpiDefault": "none",
    "SelectType": "select/cons_tres",
    "ReturnToService": "2",
    "SlurmctldTimeout": "30",
    # slurmctld waits up to 10 s for its threads before it reconfigures; a client that gives up then (the default) takes this for a refusal.
    "MessageTimeout": "60",
    "SlurmdTimeout": "300",
    # A test should not wait for a scheduler that wakes once in half a minute.
    "SchedulerParameters": "sched_interval=1,bf_interval=1,sched_min_interval=0",
    # Imaginary nodes: they are handed out, and jobs wait on them forever.
    "SuspendProgram": "/bin/true",
    "ResumeProgram": "/bin/true",
    "SuspendTime": "-1",
    "ResumeTimeout": "65000",
}
REAL_DEFAULTS = {"SlurmdParameters": "config_overrides"}
# A site's older spelling of a forced key must go as well.
REPLACED = {"controlmachine", "controladdr", "backupcontroller", "backupaddr"}
IMAGINARY = ("CLOUD", "EXTERNAL", "FUTURE")


def logical_lines(text):
    """Lines with continuations joined and comments cut."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        line = line.split("#", 1)[0].strip()
        if line:
            yield line


def keys(text):
    """The lower-case first key of each line."""
    return {line.split("=", 1)[0].strip().lower() for line in logical_lines(text) if "=" in line}


def value(text, key):
    """The last value of a one-value line such as TopologyPlugin=..., or None."""
    found = None
    for line in logical_lines(text):
        name, _, rest = line.partition("=")
        if name.strip().lower() == key.lower():
            found = rest.strip().strip('"')
    return found


def real_nodes(text):
    """The NodeName expressions that want a slurmd on this machine."""
    found = []
    for line in logical_lines(text):
        fields = {key.lower(): val for key, val in re.findall(r"(\w+)=(\S+)", line)}
        imaginary = any(word in fields.get("state", "").upper() for word in IMAGINARY)
        if "nodename" in fields and fields.get("nodeaddr") in ("127.0.0.1", "localhost") and not imaginary:
            found.append(fields["nodename"])
    return found


def _without(text, unwanted):
    """The text with the lines of some keys commented out, so that line numbers stay."""
    def keep(line):
        return line if line.split("=", 1)[0].strip().lower() not in unwanted else f"# lab: {line}"
    return "".join(f"{keep(line)}\n" for line in text.splitlines())


def complete(text, places, topology_plugin=None, settings=()):
    """slurm.conf's text, ready to run in an instance whose folders are `places`."""
    forced = {key: val.format(**places) for key, val in FORCED.items()}
    if topology_plugin:
        forced["TopologyPlugin"] = topology_plugin
    forced.update(settings)
    defaults = {**DEFAULTS, **(REAL_DEFAULTS if real_nodes(text) else {})}
    present = keys(text)
    added = {**{key: val for key, val in defaults.items() if key.lower() not in present}, **forced}
    kept = _without(text, REPLACED | {key.lower() for key in forced})
    return kept + "\n# --- filled in by the lab ---\n" + "".join(f"{key}={val}\n" for key, val in added.items())


def install(source, target, places, topology_plugin=None, settings=()):
    """Copies a site's folder to target and completes its slurm.conf and cgroup.conf."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    conf = target / "slurm.conf"
    conf.write_text(complete(conf.read_text("utf-8"), places, topology_plugin, settings), "utf-8")
    cgroup = target / "cgroup.conf"
    if not cgroup.exists():
        cgroup.write_text("CgroupPlugin=disabled\n", "utf-8")
