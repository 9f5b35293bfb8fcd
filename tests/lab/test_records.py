# SPDX-License-Identifier: GPL-2.0-or-later
"""What nvl72block-records prints, beside what scontrol prints of the same cluster."""

import json
import os
import re
from datetime import datetime, timezone

from nvl72lab import cluster
from nvl72lab.daemons import wait_until
from nvl72lab.lab_case import LabCase

SETTINGS = [
    "SelectTypeParameters=CR_Core_Memory", "DefMemPerCPU=1", "MaxNodeCount=120", "PrivateData=usage", "TopologyParam=Nvl72Aggregate=name",
    "MaxMemPerCPU=20000", "Licenses=matlab:2", "PreemptType=preempt/partition_prio", "PreemptMode=CANCEL",
    "NodeName=node[000-107] CPUs=144 Sockets=2 CoresPerSocket=72 RealMemory=900000 TmpDisk=5000 MemSpecLimit=1000 Gres=gpu:4 Feature=quad,big Weight=3 State=CLOUD",
    "PartitionName=main Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE MaxTime=INFINITE PreemptMode=OFF State=UP",
    "PartitionName=shared Nodes=node[000-017] OverSubscribe=FORCE:2 MaxTime=2-00:00:00 DefaultTime=30 MinNodes=2 MaxNodes=8 PriorityTier=7"
    " MaxMemPerNode=800000 MaxCPUsPerNode=100 MaxCPUsPerSocket=60 DefCpuPerGPU=3",
    "PartitionName=one Nodes=node[018-035] ExclusiveUser=YES OverSubscribe=NO State=DOWN",
    "PartitionName=blocks Nodes=node[036-071] ExclusiveTopo=YES State=DRAIN",
    "PartitionName=maybe Nodes=node[072-089] OverSubscribe=YES:4 DefMemPerGPU=10",
    "PartitionName=closed Nodes=node[072-089] AllowGroups=root,daemon AllowAccounts=a,b AllocNodes=login1,login2 RootOnly=YES ReqResv=YES",
    "PartitionName=most Nodes=node[072-089] DenyAccounts=c",
]
JOBS = [
    "-N2 -t30", "-pshared -N2 -n4 -c2 --mem=100 --gres=gpu:2", "-N2-4 -Cbig -H", "-N1 --array=0-7:2%1 -pmaybe", "-N1,3,5 -H",
    "-N4 -w node[090-091] -x node[092-093] -H", "-N1 --begin=now+1hour --contiguous --switches=3@60", "-pmaybe,main -n6 --ntasks-per-node=3 --mem-per-cpu=7 -H",
    "-N2 --gpus=8 -H", "-N2 --gpus-per-node=4 -H", "-n2 --gpus-per-task=1 -pmaybe -H", "-N2 --gpus-per-socket=1 --sockets-per-node=2 -H",
    "-N108 --segment=18", "-pmaybe -N1 --exclusive=user -H", "-N2 --exclusive=topo -H", "-N1 --mincpus=9 -t1-00:00:00 --reservation=later -H", "-N1 -Lmatlab:2 -H",
    "-N2 -n8 --gpus=4 --gres-flags=enforce-binding --hint=memory_bound --ntasks-per-core=1 -H", "-N1 --core-spec=1 -H",
    "-N2 -n4 --gpus=4 --mem-per-gpu=10 --cpus-per-gpu=1 --ntasks-per-gpu=1 --tmp=400 -H", "-N2 -n4 --ntasks-per-socket=1 -t20 --time-min=10 --deadline=now+9hours -H",
]


def records(kind):
    """Those that scontrol shows, in its order: a value ends where the next KEY= begins."""
    lines = cluster.ask("scontrol", "-a", "-d", "-F", "-o", "show", kind).splitlines()
    return [dict(re.findall(r"(?:^|\s)([A-Za-z/:]+)=(.*?)(?=\s+[A-Za-z/:]+=|\s*$)", line)) for line in lines if "=" in line]


def look():
    """The document and scontrol's records of one moment."""
    before = json.loads(cluster.ask("nvl72block-records"))
    theirs = {kind: records(kind) for kind in ("nodes", "partitions", "reservations", "jobs", "topology")}
    theirs["config"] = dict(re.findall(r"(?m)^(\S+) += (.*)$", cluster.ask("scontrol", "show", "config")))
    after = json.loads(cluster.ask("nvl72block-records"))
    before["config"]["time"] = after["config"]["time"]
    return (after, theirs) if before == after else None


def word(text):
    """None for what the document leaves out."""
    return None if text in (None, "", "(null)", "N/A", "None", "Unknown", "UNLIMITED", "NONE") else text


def number(text):
    """The same of a number, of which 0 is left out, too; memory is in megabytes."""
    return int(re.sub("M$", "", text)) or None if word(text) else None


def seconds(text):
    """Of a time limit."""
    if not word(text):
        return None
    days, _, clock = text.rpartition("-")
    hours, minutes, rest = clock.split(":")
    return ((int(days or 0) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(rest)


def yes(condition):
    """A flag is left out where it does not hold."""
    return condition or None


class Records(LabCase):
    """Six racks of 18."""

    started = False

    def make_mess(self):
        """Most fields have more than one value."""
        path = cluster.configuration() / "slurm.conf"
        kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(("NodeName=", "PartitionName=", "SelectTypeP"))]
        path.write_text("\n".join([*kept, *SETTINGS]) + "\n", "utf-8")
        cluster.ask("lab-ctl", "start")
        for name, start, more in (("now", "now", ["nodes=node[101-105]", "flags=maint"]), ("later", "now+2hours", ["nodes=node[100-105]"]),
                                  ("flex", "now+3hours", ["nodes=node106", "flags=flex,magnetic,overlap"]),
                                  ("part", "now+3hours", ["nodes=node107", "corecnt=4"])):
            cluster.ask("scontrol", "create", "reservation", f"reservationname={name}", f"starttime={start}", "duration=60", "user=root", *more)
        for node, words in (("node017", ["state=drain", "reason=bad tray = fan"]), ("node050", ["state=down", "reason=gone"]),
                            ("node051", ["activefeatures=quad"]), ("node052", ["activefeatures="]), ("node053", ["weight=9"])):
            cluster.ask("scontrol", "update", f"nodename={node}", *words)
        numbers = [cluster.submit(*job.split()) for job in JOBS]
        cluster.ask("sbatch", "-N2", "-t30", ":", "-N3", "-t40", "--wrap", "sleep 1000")
        cluster.submit("-N1", f"--dependency=afterok:{numbers[0]}")
        cluster.ask("scontrol", "requeue", str(cluster.place("-N1", "--requeue", "-w", "node089").id))
        cluster.scheduler_pass()
        return wait_until(look, cluster.WAIT_SECONDS, "nothing changed for a moment")

    def time(self, text):
        """Of scontrol's time, as the document has it."""
        return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()) - self.offset if word(text) else None

    def compare(self, ours, theirs):
        """Member by member; none of ours is left over."""
        expected = {key: value for key, value in theirs.items() if value is not None}
        self.assertEqual(ours, expected)

    def check_nodes(self, ours, theirs):
        self.assertEqual(len(ours), len(theirs))
        for node, told in zip(ours, theirs):
            self.compare(node, {
                "name": told["NodeName"], "state": told["State"], "available_features": word(told["AvailableFeatures"]),
                "active_features": word(told["ActiveFeatures"]), "reason": word(told.get("Reason", "").split(" [")[0]),
                "cpus": number(told["CPUEfctv"]), "allocated_cpus": number(told["CPUAlloc"]),
                "memory": number(told["RealMemory"]) - (number(told.get("MemSpecLimit", "0")) or 0),
                "allocated_memory": number(told["AllocMem"]), "gres": word(told["Gres"]), "gres_used": word(told["GresUsed"]),
                "allocated_tres": word(told["AllocTRES"]), "weight": number(told["Weight"]),
                "threads_per_core": number(told["ThreadsPerCore"])})

    def check_partitions(self, ours, theirs):
        self.assertEqual(len(ours), len(theirs))
        for partition, told in zip(ours, theirs):
            sharing, exclusive = told["OverSubscribe"], told.get("Exclusive")
            per_node, per_cpu = (number(told.get(key)) for key in ("MaxMemPerNode", "MaxMemPerCPU"))
            self.compare(partition, {
                "name": told["PartitionName"], "nodes": told["Nodes"], "default": yes(told["Default"] == "YES"),
                "up": yes(told["State"] in ("UP", "DRAIN")), "exclusive_topo": yes(exclusive == "TOPO" or told.get("ExclusiveTopo") == "YES"),
                "exclusive_node": yes(sharing == "EXCLUSIVE" or exclusive in ("NODE", "TOPO")),
                "exclusive_user": yes(exclusive == "USER" or told.get("ExclusiveUser") == "YES"),
                "shares_cpus": yes(sharing.startswith(("FORCE", "YES"))), "closed": yes(told["State"] in ("DRAIN", "INACTIVE")),
                "max_memory_per_node": per_node, "max_memory_per_cpu": per_cpu or (None if per_node else 20000),  # slurm.conf's
                "max_cpus_per_node": number(told["MaxCPUsPerNode"]), "max_cpus_per_socket": number(told["MaxCPUsPerSocket"]), "max_time": seconds(told["MaxTime"]),
                "default_time": seconds(told["DefaultTime"]), "min_nodes": number(told["MinNodes"]), "max_nodes": number(told["MaxNodes"]),
                **{member: self.default_per_gpu(told, key) for member, key in
                   (("default_cpus_per_gpu", "DefCpuPerGPU"), ("default_memory_per_gpu", "DefMemPerGPU"))},
                **self.access(told), "tier": number(told["PriorityTier"]), "preemptible": yes(told["PreemptMode"] != "OFF"), "topology": word(told.get("Topology"))})

    @staticmethod
    def default_per_gpu(told, key):
        """Of "DefCpuPerGPU=3,DefMemPerGPU=10", which scontrol shows as one value."""
        return number(dict(each.split("=") for each in told["JobDefaults"].split(",") if "=" in each).get(key))

    @staticmethod
    def access(told):
        """Whose jobs a partition takes."""
        lists = {"allow_groups": "AllowGroups", "allow_accounts": "AllowAccounts", "deny_accounts": "DenyAccounts", "allow_qos": "AllowQos",
                 "deny_qos": "DenyQos", "alloc_nodes": "AllocNodes"}
        return {**{member: None if told.get(key) == "ALL" else word(told.get(key)) for member, key in lists.items()},
                "root_only": yes(told["RootOnly"] == "YES"), "needs_reservation": yes(told["ReqResv"] == "YES")}

    def check_reservations(self, ours, theirs):
        self.assertEqual(len(ours), len(theirs))
        for reservation, told in zip(ours, theirs):
            self.compare(reservation, {"name": told["ReservationName"], "nodes": told["Nodes"], "start": self.time(told["StartTime"]),
                                       "end": self.time(told["EndTime"]), "partial": yes("CoreIDs" in told),
                                       **{flag: yes(flag.upper() in told["Flags"].split(",")) for flag in ("flex", "any_nodes", "magnetic", "maint", "overlap")}})

    def check_blocks(self, ours, theirs):
        self.assertEqual(len(ours), len(theirs))
        for block, told in zip(ours, theirs):
            self.compare(block, {"name": told.get("BlockName") or told["AggregatedBlock"], "aggregated": yes("AggregatedBlock" in told),
                                 "index": number(told["BlockIndex"]), "nodes": told["Nodes"], "size": number(told["BlockSize"])})

    def job_members(self, told):
        """Of a job that scontrol shows, but those whose form differs much: check_jobs() has them."""
        # Before 26.05 OverSubscribe=NO means that the job has its nodes for itself.
        whom = told["Exclusive"] if "Exclusive" in told else told["OverSubscribe"].replace("NO", "NODE")
        return {
            "id": number(told["JobId"]), "array_id": number(told.get("ArrayJobId")), "array_tasks": told.get("ArrayTaskId"),
            "het_id": number(told.get("HetJobId")), "het_offset": number(told.get("HetJobOffset")), "name": told["JobName"],
            "user": told["UserId"].split("(")[0], "state": told["JobState"], "reason": told["Reason"], "priority": number(told["Priority"]),
            "dependency": word(told["Dependency"]), "partition": told["Partition"], "reservation": word(told.get("Reservation")),
            "submit": self.time(told["SubmitTime"]), "eligible": self.time(told["EligibleTime"]), "start": self.time(told["StartTime"]),
            "end": self.time(told["EndTime"]), "time_limit": seconds(told["TimeLimit"]), "time_min": seconds(told["TimeMin"]), "deadline": self.time(told["Deadline"]), "nodes": word(told.get("NodeList")),
            "required_nodes": word(told["ReqNodeList"]), "excluded_nodes": word(told["ExcNodeList"]), "cpus": number(told["NumCPUs"]),
            "cpus_per_node": number(told["MinCPUsNode"]), "cpus_per_task": number(told["CPUs/Task"]),
            "tasks_per_node": number(told["NtasksPerN:B:S:C"].split(":")[0]),
            "tasks_per_socket": number(told["NtasksPerN:B:S:C"].split(":")[2].strip("*")),
            "tasks_per_core": number(told["NtasksPerN:B:S:C"].split(":")[3].strip("*")), "sockets_per_node": number(told["Socks/Node"].strip("*")),
            "cores_per_socket": number(told["ReqB:S:C:T"].split(":")[2].strip("*")), "threads_per_core": number(told["ReqB:S:C:T"].split(":")[3].strip("*")),
            "core_spec": yes(told["CoreSpec"].split()[0] != "*"), "enforces_binding": yes("Yes" in told.get("GresEnforceBind", "")),
            "tasks_per_tres": number(told.get("NtasksPerTRES")), "temporary_disk": number(told["MinTmpDiskNode"]),
            "cpus_per_tres": word(told.get("CpusPerTres")), "memory_per_tres": word(told.get("MemPerTres")), "memory_per_node": number(told.get("MinMemoryNode") or told.get("MinMemoryTRES")),
            "memory_per_cpu": number(told.get("MinMemoryCPU")), "features": word(told["Features"]), "licenses": word(told["Licenses"]), "contiguous": yes(told["Contiguous"] == "1"),
            "switches": number(told.get("Switches", "").split("@")[0]),
            **{f"tres_per_{part.lower()}": word(told.get(f"TresPer{part}")) for part in ("Job", "Node", "Socket", "Task")},
            "tres": word(told["AllocTRES"]) or word(told["ReqTRES"]), "exclusive": None if whom in ("NO", "OK", "YES") else whom.lower(),
            "segment_size": number(told.get("SegmentSize")), "system_comment": word(told.get("SystemComment"))}

    def check_jobs(self, ours, theirs):
        ours = {job["id"]: job for job in ours}
        self.assertEqual(sorted(ours), sorted(number(told["JobId"]) for told in theirs))
        for told in theirs:
            job = ours[number(told["JobId"])]
            least, most = job.pop("min_nodes"), job.pop("max_nodes", 0)
            counts, tasks = job.pop("node_counts", None), job.pop("tasks", None)
            job.pop("tasks_asked", None)  # scontrol does not tell
            shown = told["NumNodes"].split("-")
            if counts or job["state"] != "PENDING":
                self.assertEqual(counts or str(least), told["NumNodes"])
            else:
                self.assertEqual((min(least, most or least), most or least), (int(shown[0]), int(shown[-1])), told)
            self.assertEqual(tasks or least, number(told["NumTasks"]) or least)
            self.compare(job, self.job_members(told))

    def check_config(self, ours, theirs):
        self.assertLess(abs(ours.pop("time") - datetime.now().timestamp()), 600)
        self.compare(ours, {"cluster_name": theirs["ClusterName"], "slurm_version": theirs["SLURM_VERSION"],
                            "topology_plugin": theirs["TopologyPlugin"], "topology_param": theirs["TopologyParam"],
                            "private_data": theirs["PrivateData"], "preempt_type": word(theirs["PreemptType"]), "slurm_conf": theirs["SLURM_CONF"],
                            "max_nodes": number(theirs["MaxNodeCount"]), "state_save_location": theirs["StateSaveLocation"],
                            "enforce_part_limits": theirs["EnforcePartLimits"]})

    def test_like_scontrol(self):
        """Every member of every record."""
        document, theirs = self.make_mess()
        self.offset = document["utc_offset"]  # pylint: disable=attribute-defined-outside-init
        self.assertEqual((document["format"], document["user"]), (2, "root"))
        self.check_config(document["config"], theirs["config"])
        self.check_nodes(document["nodes"], theirs["nodes"])
        self.check_partitions(document["partitions"], theirs["partitions"])
        self.check_reservations(document["reservations"], theirs["reservations"])
        self.check_blocks(document["blocks"], theirs["topology"])
        self.check_jobs(document["jobs"], theirs["jobs"])
        members = sorted({member for job in document["jobs"] for member in job})
        self.tell(f"{len(document['jobs'])} jobs with {', '.join(members)}")

    def test_forged_name(self):
        """A job's name is one member, whatever it contains; the document is printable."""
        cluster.ask("lab-ctl", "start")
        name = 'a\nJobId=77 JobState=RUNNING NodeList=node000\x1b[2J"},{"id":77,"name":"b\u00e9\u202e\\'
        number_of_job = cluster.submit("-N1", "-H", "-J", os.fsdecode(name.encode() + b"\xff\xc3"))
        text = cluster.ask("nvl72block-records")
        jobs = json.loads(text)["jobs"]
        self.assertEqual([(job["id"], job["name"]) for job in jobs], [(number_of_job, name + "\\xff\\xc3")])
        self.assertRegex(text, r"\A[\n -~]+\Z")

    def test_broken_configuration(self):
        """Slurm's own messages, which it writes by a function that the C library has under the same name."""
        conf = cluster.configuration() / "broken.conf"
        conf.write_text("NoSuchKey=1\n", "utf-8")
        answer = cluster.run("nvl72block-records", environment={"SLURM_CONF": str(conf)})
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("NoSuchKey", answer.err)

    def test_slurmctld_is_down(self):
        """One sentence, and no part of a document."""
        with open(cluster.configuration() / "slurm.conf", "a", encoding="utf-8") as conf:
            conf.write("MessageTimeout=2\n")  # for so long the client tries again
        cluster.ask("lab-ctl", "start")
        cluster.ask("lab-ctl", "stop")
        answer = cluster.run("nvl72block-records")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("Unable to contact slurm controller", answer.err)


class NodesOfBlocks(LabCase):
    """Six racks of 18, whose lines of topology.conf write their nodes in other ways than as one list."""

    started = False

    def blocks(self, plugin):
        """Of each base block the Nodes= that nvl72block-records has."""
        cluster.use_plugin(plugin)
        cluster.ask("lab-ctl", "restart")
        document = json.loads(cluster.ask("nvl72block-records"))
        return {block["name"]: block["nodes"] for block in document["blocks"] if not block.get("aggregated")}

    def test_blanks_in_quotes(self):
        """The list ended at its first blank, and the command took node017 for a node of no block."""
        cluster.write_topology('BlockName=rack1 Nodes="node[000-016], node017"\nBlockName=rack2 Nodes=node[018-035]\nBlockSizes=18,36\n')
        expected = {"rack1": "node[000-016], node017", "rack2": "node[018-035]"}
        self.assertEqual(self.blocks("topology/block"), expected)
        self.assertEqual(self.blocks("topology/nvl72block"), expected)

    def test_what_only_slurmctld_can_resolve(self):
        """scontrol showed feature{first}, the name of a node set and ALL, so that for the command the blocks had no nodes."""
        path = cluster.configuration() / "slurm.conf"
        text = path.read_text("utf-8")
        line = re.search(r"(?m)^NodeName=node\[000-107\] (.*)$", text)[1]
        path.write_text(re.sub(r"(?m)^NodeName=.*$", f"NodeName=node[000-017] {line} Feature=first\nNodeName=node[018-107] {line}\n"
                               "NodeSet=second Nodes=node[018-035]\nNodeSet=third Nodes=node036", text), "utf-8")
        cluster.write_topology("BlockName=rack1 Nodes=feature{first}\nBlockName=rack2 Nodes=second\nBlockName=rack3 Nodes=third\n"
                               "BlockName=rack4 Nodes=node[054,055]\nBlockSizes=18\n")
        self.assertEqual(self.blocks("topology/nvl72block"), {"rack1": "node[000-017]", "rack2": "node[018-035]", "rack3": "node036",
                                                              "rack4": "node[054,055]"})
        self.assertIn("BlockName=rack2 BlockIndex=1 Nodes=node[018-035] BlockSize=18\n", cluster.ask("scontrol", "show", "topology"))
        cluster.write_topology("BlockName=all Nodes=ALL\nBlockSizes=18\n")
        self.assertEqual(self.blocks("topology/nvl72block"), {"all": "node[000-107]"})


class ManyBlocks(LabCase):
    """A cluster of 30,000 nodes without NVLink between them: each is a block."""

    started = False
    nodes = 30000

    @staticmethod
    def processor_seconds(pid):
        """Of slurmctld, so far."""
        fields = cluster.ask("cat", f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_blocks_are_numbered_in_one_pass(self):
        """The number of each aggregated block was counted from the first one, so that slurmctld was busy for many seconds."""
        path = cluster.configuration() / "slurm.conf"
        kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(("NodeName=", "PartitionName=", "GresTypes="))]
        (cluster.configuration() / "gres.conf").unlink(missing_ok=True)
        path.write_text("\n".join([*kept, f"NodeName=node[00001-{self.nodes}] CPUs=4 RealMemory=900 State=CLOUD",
                                   "PartitionName=main Nodes=ALL Default=YES State=UP"]) + "\n", "utf-8")
        cluster.write_topology("".join(f"BlockName=b{number:05} Nodes=node{number:05}\n" for number in range(1, self.nodes + 1))
                               + "BlockSizes=1,2,4,8,16\n")
        cluster.ask("lab-ctl", "start")
        pid = cluster.ask("lab-ctl", "pid").strip()
        before = self.processor_seconds(pid)
        shown = cluster.ask("scontrol", "show", "topology")
        spent = self.processor_seconds(pid) - before
        self.tell(f"slurmctld was busy for {spent:.1f} s")
        self.assertIn("AggregatedBlock=b[29985-30000] BlockIndex=58113 Nodes=node[29985-30000] BlockSize=16\n", shown)
        self.assertLess(spent, 2)
