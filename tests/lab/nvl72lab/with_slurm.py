# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a command beside a real slurmctld of its own, then stops everything.

COMMAND runs on this host with SLURM_CONF set and Slurm's client commands and `lab-ctl` first on PATH. The instance has
its own network (ports), processes, folders and copy of the configuration, so several can run at once, and nothing of it
outlives this command.
"""

import argparse
import os
import shutil
import signal
import sys
import time
from contextlib import nullcontext
from pathlib import Path

from . import daemons, emulation, instance as instances, namespace, plugin_build, sanitizer, site_conf, slurm_release
from .places import NOTE, LabError, say

OURS = "topology/nvl72block"
CRASHED = 99


def parse(arguments):
    """The options, and COMMAND after the first '--'."""
    parser = argparse.ArgumentParser(prog="with", description=__doc__, usage="with --config DIR [OPTION...] -- COMMAND...",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, required=True, metavar="DIR",
                        help="folder with slurm.conf, topology.conf, gres.conf ...; it is copied, never changed")
    parser.add_argument("--plugin", metavar="NAME",
                        help="nvl72block, block, tree ...: replaces the TopologyPlugin line of slurm.conf")
    parser.add_argument("--dropin", action="store_true",
                        help="TopologyPlugin=topology/block, served by the project's own topology_block.so")
    slurm_release.add_options(parser.add_argument)
    parser.add_argument("--no-build", action="store_true", help="take the plugin as the last call built it")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="another line of slurm.conf")
    parser.add_argument("--stopped", action="store_true", help="leave it to COMMAND to start slurmctld: lab-ctl start")
    parser.add_argument("--save-logs", type=Path, metavar="DIR", help="copy the daemons' logs there at the end")
    if "--" not in arguments:
        parser.print_help() if {"-h", "--help"} & set(arguments) else parser.error("no '-- COMMAND...'")
        sys.exit(0)
    split = arguments.index("--")
    options = parser.parse_args(arguments[:split])
    options.command = arguments[split + 1:]
    if not options.command:
        parser.error("no COMMAND after '--'")
    if options.dropin and options.plugin:
        parser.error("--dropin already says which plugin")
    if not (options.config / "slurm.conf").is_file():
        parser.error(f"{options.config} has no slurm.conf")
    return options


def _topology_plugin(options):
    """The TopologyPlugin to write, and whether one of ours must be built."""
    if options.dropin:
        return "topology/block", True
    if options.plugin:
        plugin = options.plugin if "/" in options.plugin else f"topology/{options.plugin}"
        return plugin, plugin == OURS
    written = site_conf.value((options.config / "slurm.conf").read_text("utf-8"), "TopologyPlugin")
    return None, written == OURS


def _refused(instance, status):
    """Whether slurmctld ended before it answered, by its own decision.

    After the fatal message the exit itself can die of a signal: OpenSSL's clean-up races with Slurm's threads (26.05).
    """
    if instance.answered.exists():
        return False
    return os.WIFEXITED(status) or " fatal: " in daemons.tail(instance.controller_log, 5)


def _crashed(instance, pid, status):
    """Whether this ended child is the slurmctld that should be running; refusing to start is no crash."""
    if status == 0 or _refused(instance, status) or daemons.is_killed(instance):
        return False
    try:
        return int(instance.controller_pid.read_text("ascii")) == pid
    except (OSError, ValueError):
        return False


def _spawn(command):
    """What starts COMMAND in an environment; its process id."""
    return lambda environment: os.posix_spawnp(command[0], command, environment)


def _run_command(instance, start):
    """Runs what start() starts; as process 1 it also collects whatever else ends meanwhile."""
    child = start({**instance.environment(), daemons.PATIENCE: str(daemons.patience(instance))})
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
    signal.signal(signal.SIGINT, lambda *_: None)  # a terminal sends it to COMMAND too
    crash = None
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            break
        if _crashed(instance, pid, status):
            crash = f"slurmctld ended by itself ({os.waitstatus_to_exitcode(status)})"
            say(f"{crash}; its log ends with:{daemons.tail(instance.controller_log)}")
    code = code if code >= 0 else 128 - code
    return code or (CRASHED if crash else 0)


def _session(instance, start, stopped):
    """All that happens inside the instance's namespaces."""
    with emulation.aarch64() if instance.release.cross_root else nullcontext():
        return _run_beside(instance, start, stopped)


def _run_beside(instance, start, stopped):
    instance.release.enter()
    if not stopped:
        started = time.monotonic()
        daemons.start_controller(instance)
        daemons.start_compute(instance)
        say(f"slurmctld answers after {time.monotonic() - started:.1f} s")
    status = _run_command(instance, start)
    try:
        daemons.stop_controller(instance, daemons.CLOSING_SECONDS)
    except LabError as error:
        # Rarely, slurmctld 24.11 logs a SIGTERM that comes seconds after its start and never acts on it. It is killed by now; a test
        # that stops it itself still fails.
        print(f"{NOTE}{error}", file=sys.stderr, flush=True)
    ours, others = sanitizer.reports(instance)
    if others:
        print(f"{NOTE}{len(others)} reports of the sanitizer without the plugin, the first: {others[0][:1500]!r}", file=sys.stderr, flush=True)
    if ours:
        say("the sanitizer reported:\n" + "\n".join(ours))
        return status or CRASHED
    return status


def run(options, start):
    """Makes an instance as the options of parse() say, runs what start(environment) starts beside it; its status."""
    try:
        release = slurm_release.chosen(options)
        plugin, ours = _topology_plugin(options)
        build = plugin_build.ensure(release, options.no_build) if ours else None
        settings = dict(entry.partition("=")[::2] for entry in options.set)
        instance, owner = instances.create(release, options.config, build, plugin, options.dropin, settings)
    except LabError as error:
        say(error)
        return 1
    say(f"starting Slurm {release.version} on {options.config.name}, {plugin or 'TopologyPlugin as configured'}")
    try:
        return namespace.run(lambda: _session(instance, start, options.stopped))
    finally:
        if options.save_logs:
            shutil.copytree(instance.log, options.save_logs, dirs_exist_ok=True)
        shutil.rmtree(instance.folder, ignore_errors=True)
        owner.close()


def main():
    """Entry of tests/lab/with."""
    options = parse(sys.argv[1:])
    return run(options, _spawn(options.command))


if __name__ == "__main__":
    sys.exit(main())
