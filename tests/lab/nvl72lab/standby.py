# SPDX-License-Identifier: GPL-2.0-or-later
"""A backup slurmctld beside the instance's own: the same files and saved state, another host name, address and /run."""

import os
import re
import signal
import socket
import subprocess
from contextlib import contextmanager

from . import cluster, daemons, namespace, sanitizer

PRIMARY, NAME, ADDRESS = "primary", "standby", "127.0.0.2"
# The primary's pid file and sockets stay its own.
ENTER = 'hostname "$1"; mount --bind "$2" "$3"; mount --bind "$4" "$5"; shift 5; exec "$@"'


def configure():
    """Names this host and writes both into slurm.conf; each slurmctld listens at its own address only."""
    instance = cluster.this_instance()
    hosts = instance.folder / "hosts"
    hosts.write_text(f"127.0.0.1 localhost {PRIMARY}\n{ADDRESS} {NAME}\n", "ascii")
    namespace.mount(hosts, f"{instance.release.root or ''}/etc/hosts", flags=namespace.MS_BIND)
    # To Slurm, "localhost" is whichever host reads it.
    socket.sethostname(PRIMARY)
    path = instance.slurm_conf
    text = re.sub(r"(?m)^(SlurmctldHost|SlurmctldTimeout|CommunicationParameters)=.*\n", "", path.read_text("utf-8"))
    path.write_text(f"SlurmctldHost={PRIMARY}(127.0.0.1)\nSlurmctldHost={NAME}({ADDRESS})\nSlurmctldTimeout=10\n"
                    f"CommunicationParameters=NoCtldInAddrAny\n{text}", "utf-8")


class Standby:
    """Used with `with`: the backup runs from the beginning to the end of the block. As a daemon it is replaced by another process at a
    reconfigure; in the foreground it replaces itself."""

    def __init__(self, daemon=False):
        self.daemon = daemon
        self.instance = cluster.this_instance()
        self.root = self.instance.release.root or ""
        self.pid_folder = self.instance.folder / "standby"
        self.sockets = self.instance.folder / "standby-run"
        self.process = None

    def start(self):
        """Starts it and returns when it watches the primary, or has taken over where there is none."""
        for folder in (self.pid_folder, self.sockets):
            folder.mkdir(exist_ok=True)
        command = ["unshare", "--mount", "--uts", "sh", "-ec", ENTER, "sh", NAME, str(self.sockets), f"{self.root}/run",
                   str(self.pid_folder), f"{self.root}{self.instance.run}",
                   *self.instance.release.command("slurmctld", *([] if self.daemon else ["-D"]))]
        mark = len(cluster.read_log())
        with open(self.instance.log / "standby.out", "ab") as stream:
            # pylint: disable=consider-using-with # stop() ends it
            self.process = subprocess.Popen(command, env={**self.instance.environment(), **sanitizer.preload()}, stdin=subprocess.DEVNULL,
                                            stdout=stream, stderr=stream)
        cluster.wait_until(lambda: re.search(r"slurmctld running in background mode|Running as primary controller", cluster.read_log(mark)),
                           cluster.WAIT_SECONDS, "the backup slurmctld watched the primary")

    def pid(self):
        """Its process; None where it has ended."""
        if self.daemon:
            return daemons.running_pid(self.pid_folder / self.instance.controller_pid.name)
        return self.process.pid if self.process.poll() is None else None

    def end(self, number=signal.SIGTERM):
        """Ends it with a signal."""
        if pid := self.pid():
            os.kill(pid, number)
        self.process.wait(daemons.STOP_SECONDS)

    @contextmanager
    def clients(self):
        """Clients run on the backup's host: they get their credentials from its slurmctld."""
        namespace.bind(self.sockets, f"{self.root}/run")
        try:
            yield
        finally:
            namespace.unmount(f"{self.root}/run")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)

