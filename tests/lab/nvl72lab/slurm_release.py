# SPDX-License-Identifier: GPL-2.0-or-later
"""The Slurm that an instance runs: Debian's in the private root, or one built from source on this host."""

import os
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from . import aarch64_root, namespace, private_root, sanitizer
from .places import LAB, PLUGIN_BUILDS, PROJECT, LabError

CLIENTS = ["sacct", "sacctmgr", "salloc", "sattach", "sbatch", "sbcast", "scancel", "scontrol", "sdiag", "sinfo",
           "sprio", "squeue", "sreport", "srun", "sshare", "sstat", "strigger"]
DAEMONS = ["slurmctld", "slurmd", "sackd"]
RECORDS = "nvl72block-records"  # of the plugin's build
ROOT_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"

# The command's environment and folder are kept; only what is executed comes from the root.
WRAPPER = """#!/bin/sh
PATH={path} exec /usr/sbin/chroot {root} /bin/sh -c 'cd "$1" 2>/dev/null || cd /; shift; exec "$@"' sh "$PWD" {program} "$@"
"""
WITH_VARIABLES = """#!/bin/sh
exec /usr/bin/env {variables} {program} "$@"
"""


@dataclass(frozen=True)
class SlurmRelease:
    """Where one Slurm's programs, plugins and source are, as seen from the host."""

    version: str
    prefix: Path  # programs are in prefix/bin and prefix/sbin
    plugins: Path  # as the daemons see it
    source: Path  # as the compiler sees it
    root: Path | None = None  # the root that daemons, clients and compiler run in
    cross_root: Path | None = None  # the root that its compiler runs in, if it is another architecture's; root is emulated

    def command(self, program, *arguments):
        """The command line that runs a program of this release inside an instance."""
        if program == RECORDS:
            return self.inside(str(PLUGIN_BUILDS / self.build_name() / "plugin" / program), *arguments)
        # lexists: in the root, links are absolute and lead nowhere on the host.
        path = next((folder / program for folder in (self.prefix / "bin", self.prefix / "sbin")
                     if os.path.lexists(folder / program)), None)
        if path is None:
            raise LabError(f"{self.prefix} has no {program}")
        if self.root is None:
            return [str(path), *arguments]
        return ["/usr/sbin/chroot", str(self.root), f"/{path.relative_to(self.root)}", *arguments]

    def line(self):
        """The version's first two numbers, as (25, 5)."""
        return tuple(int(part) for part in self.version.split(".")[:2])

    def name(self):
        """What its builds are called."""
        return f"{self.version}{'-aarch64' if self.cross_root else '-root' if self.root else ''}"

    def build_name(self):
        """What the build of its plugin is called."""
        return self.name() + (f"-{sanitizer.chosen()}" if sanitizer.chosen() else "")

    def compiler(self):
        """The release whose root has the compiler."""
        return replace(self, root=self.cross_root) if self.cross_root else self

    def inside(self, *command):
        """The command line that runs any program where this release's compiler is."""
        return [*(["/usr/sbin/chroot", str(self.root)] if self.root else []), *command]

    def command_with(self, library, program, *arguments):
        """command(), with a library that is loaded first."""
        line = self.command(program, *arguments)
        inner = 2 if self.root else 0  # after chroot, which is the host's
        return [*line[:inner], "/usr/bin/env", f"LD_PRELOAD={sanitizer.preload(library)['LD_PRELOAD']}", *line[inner:]]

    def enter(self):
        """Called in an instance's namespaces: makes host folders visible where the daemons run."""
        # Slurm's authentication listens at a fixed path below /run: every instance needs its own.
        namespace.empty("/run")
        if self.root is None:
            return
        namespace.empty(self.root / "run")
        namespace.bind("/proc", self.root / "proc")
        namespace.bind("/sys", self.root / "sys")
        namespace.bind("/dev", self.root / "dev")
        namespace.bind("/tmp", self.root / "tmp")
        for folder in {PROJECT, LAB}:
            # Below /tmp it is visible already.
            if not folder.is_relative_to("/tmp"):
                namespace.bind(folder, Path(f"{self.root}{folder}"))

    def write_wrappers(self, folder):
        """Makes the client commands and daemons callable from the host."""
        for program in [*CLIENTS, *DAEMONS, RECORDS]:
            try:
                command = self.command(program)
            except LabError:
                continue
            path = folder / program
            variables = " ".join(f"{name}={value}" for name, value in sanitizer.preload().items())
            if self.root:
                program = f"/usr/bin/env {variables} {command[-1]}" if variables else command[-1]
                path.write_text(WRAPPER.format(path=ROOT_PATH, root=self.root, program=program), "utf-8")
                path.chmod(0o755)
            elif variables:
                path.write_text(WITH_VARIABLES.format(variables=variables, program=command[0]), "utf-8")
                path.chmod(0o755)
            else:
                path.symlink_to(command[0])


def _from_private_root():
    root = private_root.ensure()
    plugins = next(root.glob("usr/lib/*/slurm-wlm"), None) or next(root.glob("usr/lib/*/slurm"))
    return SlurmRelease(private_root.source_version(root / private_root.SOURCE_TREE), root / "usr",
                        Path(f"/{plugins.relative_to(root)}"), Path("/") / private_root.SOURCE_TREE, root)


def _from_prefix(prefix, source):
    plugins = next((prefix / lib / "slurm" for lib in ("lib", "lib64") if (prefix / lib / "slurm").is_dir()), None)
    if plugins is None or not (prefix / "sbin/slurmctld").exists():
        raise LabError(f"{prefix} is no installed Slurm: sbin/slurmctld and lib/slurm are expected below it")
    answer = subprocess.run([prefix / "sbin/slurmctld", "-V"], capture_output=True, text=True, check=False)
    if answer.returncode:
        raise LabError(f"{prefix}/sbin/slurmctld -V failed: {answer.stderr.strip()}")
    version = answer.stdout.split()[-1]
    if source and private_root.source_version(source) != version:
        raise LabError(f"{prefix} is Slurm {version} but {source} is {private_root.source_version(source)}: "
                       "a plugin serves exactly one release")
    return SlurmRelease(version, prefix, plugins, source)


def on_aarch64():
    """Debian's release for aarch64, emulated; the compiler runs on this machine."""
    root = aarch64_root.ensure()
    source = Path("/") / private_root.SOURCE_TREE
    return SlurmRelease(private_root.source_version(f"{aarch64_root.CROSS}{source}"), root / "usr",
                        Path(f"/usr/lib/{aarch64_root.TRIPLET}/slurm-wlm"), source, root, aarch64_root.CROSS)


def find(prefix=None, source=None, aarch64=False):
    """The release for --slurm-prefix and --slurm-source, or the private root's, or with --aarch64 the emulated one."""
    if aarch64:
        return on_aarch64()
    if prefix is None and source is None:
        return _from_private_root()
    if prefix is None:
        raise LabError("--slurm-source needs --slurm-prefix")
    return _from_prefix(Path(os.path.abspath(prefix)), Path(os.path.abspath(source)) if source else None)


def add_options(add):
    """The options that say which Slurm it is, for a parser's add_argument or pytest's addoption."""
    add("--slurm-prefix", metavar="DIR", help="an installed Slurm instead of the private root's")
    add("--slurm-source", metavar="DIR", help="the source tree of that Slurm")
    add("--aarch64", action="store_true", help="Debian's Slurm for aarch64, emulated")


def chosen(options):
    """The release that those options name."""
    return find(options.slurm_prefix, options.slurm_source, options.aarch64)
