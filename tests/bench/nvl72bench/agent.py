# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs beside one slurmctld and does what the comparison asks of it: a line of JSON in, a line of JSON out."""

import json
import os
import re
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

from nvl72lab import cluster
from nvl72lab.daemons import wait_until
from nvl72lab.places import LabError

SETTLE_SECONDS = 120
BEGIN_SECONDS = 15  # enough to submit the queue before its jobs may begin

WARMING_CYCLES = 1  # after a switch
MEASURED_CYCLES = 3


class TooSlow(Exception):
    """slurmctld did not answer in the time that a case has."""


def _ask(limit, *command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired as error:
        raise TooSlow from error
    if done.returncode:
        raise LabError(f"{' '.join(command)[:200]} ended with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def _figure(text, label, part=0):
    """A number of sdiag: part 0 is the main scheduler, 1 backfill. None where sdiag leaves it out."""
    found = re.search(rf"{label}:\s+(\d+)", text.split("Backfilling stats")[part])
    return int(found[1]) if found else None


def _in_cycle(noted, cpu, cycles):
    """CPU time of a cycle, in microseconds: `cpu` as measured, the plugin's, and in shadow mode the plugin's without topology/block's."""
    within = [call["cpu"] for call in noted if call["kind"] == "within"]
    plugin = [call["cpu"] for call in noted if call["kind"] != "within"]
    beside = sum(plugin) - sum(within) if within else 0
    return {"cpu_us": cpu / cycles, "plugin_us": sum(plugin) / 1000 / cycles, "beside_us": beside / 1000 / cycles, "calls": len(plugin) / cycles}


class Agent:
    """The requests, one method each."""

    def __init__(self):
        self.times = Path(os.environ["NVL72BLOCK_TIMES"])
        self.limit = 60

    def _noted(self, offset, number=None, end=None):
        """What the timer wrote from `offset` on, of one job or of all; the times in nanoseconds."""
        with open(self.times, encoding="ascii") as file:
            file.seek(offset)
            lines = [line.split() for line in file.read(None if end is None else end - offset).splitlines()]
        return [{"kind": kind, "elapsed": int(elapsed), "cpu": int(cpu), "result": int(result)}
                for kind, elapsed, cpu, result, job in lines if number is None or int(job) == number]

    def _all_idle(self):
        """Whether no node has a job any more."""
        return not _ask(SETTLE_SECONDS, "squeue", "-h", "-o", "%i").strip() and not _ask(
            SETTLE_SECONDS, "sinfo", "-h", "-p", "main", "-t", "alloc,comp,drng", "-o", "%D").strip()

    def _settle(self):
        wait_until(self._all_idle, SETTLE_SECONDS, "all jobs had left their nodes")

    def _submit(self, options):
        text = _ask(self.limit, "sbatch", "--parsable", "--output=/dev/null", "--time=60", *options, "--wrap", "true")
        return int(text.split(";")[0])

    def wake(self, nodes):
        """Gives every node to one job once, so that the first measured job finds what the others find."""
        number = self._submit([f"-N{nodes}"])
        cluster.wait_job(number, lambda job: job.placed, "had all nodes")
        _ask(self.limit, "scancel", str(number))
        self._settle()

    def drain(self, nodes, before):
        """Drains `nodes` and gives back those drained before; either may be None."""
        if before:
            _ask(self.limit, "scontrol", "update", f"nodename={before}", "state=undrain")
        if nodes:
            _ask(self.limit, "scontrol", "update", f"nodename={nodes}", "state=drain", "reason=bench")

    def _tried(self, number):
        """The job, once the main scheduler has decided about it."""
        if not _figure(_ask(self.limit, "sdiag"), "Total cycles"):
            return None
        job = cluster.job(number)
        return job if job.placed or job.reason not in ("None", "JobHeldUser", "") else None

    def cycle(self, options):
        """One job through one cycle of the main scheduler; the state is afterwards as before."""
        number = self._submit(["--hold", *options])
        try:
            _ask(self.limit, "sdiag", "--reset")
            offset = self.times.stat().st_size
            _ask(self.limit, "scontrol", "release", str(number))
            job = wait_until(lambda: self._tried(number), self.limit, f"job {number} was tried")
            noted = self._noted(offset, number)
            cycle = wait_until(lambda: self._cycle(noted), SETTLE_SECONDS, "sdiag knew of the cycle")
        except LabError as error:
            if "in vain" in str(error):
                raise TooSlow from error
            raise
        _ask(self.limit, "scancel", str(number))
        self._settle()
        return {"placed": job.placed, "nodes": len(job.nodes), "reason": job.reason, "calls": noted, "cycle_us": cycle}

    def _cycle(self, noted):
        """The longest cycle, once it is long enough for what was noted: a cycle is counted after its jobs are seen."""
        cycle = _figure(_ask(self.limit, "sdiag"), "Max cycle") or 0
        return cycle if cycle * 1000 > sum(call["cpu"] for call in noted) else None

    def _through(self, started):
        text = _ask(self.limit, "sdiag")
        return text if started(text) else None

    def queue(self, jobs):
        """Jobs that may all begin at the same moment, through one cycle of each scheduler."""
        begin = datetime.now() + timedelta(seconds=BEGIN_SECONDS)
        for options in jobs:
            self._submit([f"--begin={begin:%Y-%m-%dT%H:%M:%S}", *options])
        if datetime.now() > begin - timedelta(seconds=1):
            raise LabError(f"submitting {len(jobs)} jobs took longer than {BEGIN_SECONDS} s")
        time.sleep(max(0, (begin - datetime.now()).total_seconds() - 0.5))
        _ask(self.limit, "sdiag", "--reset")
        offset = self.times.stat().st_size
        wait_until(lambda: self._through(lambda text: (_figure(text, "Max cycle", 1) or 0) > 0 and
                                         (_figure(text, "Last depth cycle", 1) or 0) > 0),
                   2 * self.limit, "backfill had looked at the queue")
        text = _ask(self.limit, "sdiag")
        noted = self._noted(offset)
        running = len(_ask(self.limit, "squeue", "-h", "-t", "CF,R", "-o", "%i").split())
        _ask(self.limit, "scancel", "--user=root")
        self._settle()
        return {"started": running, "calls": noted, "cycle_us": _figure(text, "Max cycle"),
                "backfill_us": _figure(text, "Max cycle", 1), "backfill_depth": _figure(text, "Last depth cycle", 1)}

    def _cpu_of_main_scheduler(self):
        """Microseconds, in whole clock ticks, that slurmctld's thread of the main scheduler has run."""
        threads = Path(f"/proc/{int(_ask(self.limit, 'lab-ctl', 'pid'))}/task").iterdir()
        thread = next(thread for thread in threads if (thread / "comm").read_text("ascii").strip() == "sched_agent")
        user, system = (thread / "stat").read_text("ascii").rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) * 1e6 / os.sysconf("SC_CLK_TCK")

    def _all_tried(self):
        reasons = _ask(self.limit, "squeue", "-h", "-t", "PD", "-o", "%r").split()
        return not {"None", "PartitionDown"} & set(reasons)

    def burst(self, jobs):
        """Jobs of one partition that may all start at the same moment, through one cycle of the main scheduler."""
        partition = f"partition={jobs[0][0].split('=')[1]}"
        _ask(self.limit, "scontrol", "update", partition, "state=down")
        for options in jobs:
            self._submit(options)
        _ask(self.limit, "sdiag", "--reset")
        cpu, offset = self._cpu_of_main_scheduler(), self.times.stat().st_size
        _ask(self.limit, "scontrol", "update", partition, "state=up")
        wait_until(self._all_tried, self.limit, "all jobs were tried")
        noted = self._noted(offset)
        cycle = wait_until(lambda: self._cycle(noted), SETTLE_SECONDS, "sdiag knew of the cycle")
        cpu = self._cpu_of_main_scheduler() - cpu
        started = len(_ask(self.limit, "squeue", "-h", "-t", "CF,R", "-o", "%i").split())
        _ask(self.limit, "scancel", "--user=root")
        self._settle()
        return {"started": started, "cycle_us": cycle} | _in_cycle(noted, cpu, 1)

    def refused(self):
        """A cycle of the main scheduler that refuses all jobs."""
        self._after_cycles(WARMING_CYCLES)
        _ask(self.limit, "sdiag", "--reset")
        _, first, offset = self._after_cycles(1)
        cpu = self._cpu_of_main_scheduler()
        _, last, end = self._after_cycles(MEASURED_CYCLES)
        cpu = self._cpu_of_main_scheduler() - cpu
        return {"started": 0, "cycle_us": _figure(_ask(self.limit, "sdiag"), "Mean cycle")} | _in_cycle(self._noted(offset, end=end), cpu, last - first)

    def wait_in_vain(self, options, count):
        """So many jobs that nothing can start, all at once: a submission waits for the scheduler's cycle."""
        jobs = [self._submit(["--hold", *options]) for _ in range(count)]
        _ask(self.limit, "scontrol", "release", ",".join(map(str, jobs)))

    def _set_explain(self, setting):
        conf = cluster.configuration() / "slurm.conf"
        text = re.sub(r"(?m)^TopologyParam=.*\n", "", conf.read_text("utf-8"))
        conf.write_text(f"{text.rstrip()}\nTopologyParam=Nvl72Explain={setting}\n", "utf-8")
        _ask(self.limit, "scontrol", "reconfigure")

    def _after_cycles(self, count):
        """slurmctld's CPU time between two cycles, its number of cycles and where the timer's file ends then."""
        def cycles():
            return _figure(_ask(self.limit, "sdiag"), "Total cycles")
        wanted = cycles() + count
        wait_until(lambda: cycles() >= wanted, self.limit, "the scheduler had run")
        pid = int(_ask(self.limit, "lab-ctl", "pid"))
        # The clock of another process's CPU time, as clock_getcpuclockid() makes it.
        return time.clock_gettime_ns((~pid << 3) | 2), cycles(), self.times.stat().st_size

    def refusals(self, setting):
        """The cost of a main cycle that refuses all jobs, with Nvl72Explain= set so."""
        self._set_explain(setting)
        self._after_cycles(WARMING_CYCLES)
        _ask(self.limit, "sdiag", "--reset")
        cpu, first, offset = self._after_cycles(1)
        cpu_end, last, end = self._after_cycles(MEASURED_CYCLES)
        noted = self._noted(offset, end=end)
        told = _ask(self.limit, "squeue", "-h", "-t", "PD", "-O", "system_comment:30").count("nvl72block:")
        return {"cycle_us": _figure(_ask(self.limit, "sdiag"), "Mean cycle"), "told": told} | _in_cycle(noted, (cpu_end - cpu) / 1000, last - first)

    def restart(self, nodes):
        """A new slurmctld without a past, after one that did not answer."""
        _ask(SETTLE_SECONDS, "lab-ctl", "kill")
        _ask(SETTLE_SECONDS, "lab-ctl", "forget")
        _ask(SETTLE_SECONDS, "lab-ctl", "start")
        self.wake(nodes)

    def answer(self, request):
        """Carries out one request."""
        action = request.pop("do")
        self.limit = request.pop("limit", self.limit)
        try:
            return {"result": getattr(self, action)(**request)}
        except TooSlow:
            return {"too_slow": self.limit}
        except LabError as error:
            return {"error": str(error)}


def main():
    """Answers until its input ends."""
    agent = Agent()
    for line in sys.stdin:
        print(json.dumps(agent.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
