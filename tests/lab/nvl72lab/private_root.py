# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the private root: Debian 13 with its Slurm, a compiler, and the source tree of that Slurm.

Each step leaves a stamp; an interrupted call goes on where the last finished step ended, and a base system that was
not finished is made again.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from . import host_apt, namespace
from .places import LAB, ROOT, LabError, locked, say

SUITE = "trixie"
HOST_PACKAGES = ["debootstrap", "debian-archive-keyring"]
SLURM_PACKAGES = ["slurmctld", "slurmd", "slurm-client"]
# MariaDB's server without what Debian's mariadb-server adds: a service, a user, a database.
ACCOUNTING_PACKAGES = ["slurmdbd", "mariadb-server-core"]
BUILD_PACKAGES = ["g++", "cmake", "ninja-build", "pkg-config", "libfmt-dev", "libboost-graph-dev", "nlohmann-json3-dev",
                  "libcli11-dev", "libyaml-dev", "libcsv-dev", "xz-utils", "dpkg-dev", "libfaketime"]
SOURCE_TREE = "usr/src/slurm"
STAMPS = ROOT / "var/lib/nvl72block-lab"
LOG = LAB / "setup.log"
CLEAN_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                     "DEBIAN_FRONTEND": "noninteractive"}


def logged(command, **more):
    """Runs a noisy command into the setup log; its last lines are shown when it fails."""
    environment = {**CLEAN_ENVIRONMENT, **more.pop("environment", {})}
    with open(LOG, "ab") as log:
        result = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                env=environment, check=False, **more)
    if result.returncode:
        tail = "\n  ".join(LOG.read_text("utf-8", "replace").splitlines()[-15:])
        raise LabError(f"{' '.join(command[:4])} ... failed (all of it: {LOG}):\n  {tail}")


def _in_root(*command):
    logged(["chroot", str(ROOT), *command])


def _base_system():
    if ROOT.exists():
        say("removing a root that was not finished")
        # Mounts live in this process's own namespace only, so nothing of the host can be below.
        subprocess.run(["rm", "-rf", "--one-file-system", str(ROOT)], check=True)
    mirror = host_apt.mirror()
    say(f"making a Debian {SUITE} base system from {mirror} (about a minute)")
    ROOT.mkdir(parents=True)
    logged(["debootstrap", "--variant=minbase", "--include=ca-certificates", SUITE, str(ROOT), mirror],
           environment=host_apt.proxy_environment())
    host_apt.give_to(ROOT)
    (ROOT / "etc/apt/sources.list").write_text(
        f"deb {mirror} {SUITE} main\ndeb-src {mirror} {SUITE} main\n", "utf-8")
    # Services must not start inside the root.
    policy = ROOT / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n", "utf-8")
    policy.chmod(0o755)
    (ROOT / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n", "utf-8")
    _in_root("apt-get", "-qq", "update")


def _install(what, packages):
    say(f"installing {what} in the root (about a minute)")
    # An earlier call may have been killed in the middle of an installation.
    _in_root("dpkg", "--configure", "-a")
    _in_root("apt-get", "-o", "Dpkg::Options::=--force-unsafe-io", "-y", "-q", "install", "--no-install-recommends",
             *packages)


def _build_tools():
    _in_root("apt-get", "-qq", "update")  # the root may be old, and the list longer than it was
    _install("compiler and libraries", BUILD_PACKAGES)


def _accounting():
    _in_root("apt-get", "-qq", "update")  # the root may be old
    _install("slurmdbd and MariaDB", ACCOUNTING_PACKAGES)


def _source():
    say("fetching the source of that Slurm")
    work = ROOT / "usr/src/fetched"
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(ROOT / SOURCE_TREE, ignore_errors=True)
    work.mkdir(parents=True)
    _in_root("sh", "-ec", "cd /usr/src/fetched && apt-get -q source --tar-only slurm-wlm")
    tarballs = list(work.glob("slurm-wlm_*.orig.tar.*"))
    if len(tarballs) != 1:
        raise LabError(f"expected one upstream tarball of slurm-wlm, got {[path.name for path in tarballs]}")
    (ROOT / SOURCE_TREE).mkdir()
    _in_root("tar", "-x", "--strip-components=1", "-C", f"/{SOURCE_TREE}", "-f", f"/usr/src/fetched/{tarballs[0].name}")
    shutil.rmtree(work)
    shutil.rmtree(ROOT / "var/cache/apt/archives", ignore_errors=True)


def _check_versions():
    """The plugin must be built from exactly the Slurm that runs."""
    runs = subprocess.run(["chroot", str(ROOT), "/usr/sbin/slurmctld", "-V"], check=True, capture_output=True,
                          text=True, env=CLEAN_ENVIRONMENT).stdout.split()[-1]
    source = source_version(ROOT / SOURCE_TREE)
    if runs != source:
        raise LabError(f"the root runs Slurm {runs} but its source tree is {source}")


def source_version(tree):
    """major.minor.micro as a Slurm source tree's META states it, and what follows it in a pre-release, as slurmctld -V tells it."""
    try:
        meta = (Path(tree) / "META").read_text("utf-8")
    except OSError as error:
        raise LabError(f"{tree} is no Slurm source tree: {error}") from error
    version, packaged = (re.search(rf"(?m)^\s*{key}:\s*(\S+)", meta) for key in ("Version", "Release"))
    if not version:
        raise LabError(f"{tree}/META states no version")
    return version[1] if not packaged or packaged[1] == "1" else f"{version[1]}-{packaged[1]}"


STEPS = [
    ("base", _base_system),
    ("slurm", lambda: _install("Slurm", SLURM_PACKAGES)),
    ("build", _build_tools),
    ("source", _source),
    ("checked", _check_versions),
]


# Not every user of the lab needs these.
ACCOUNTING_STEPS = [("accounting", _accounting)]


def _stamp_text(name):
    """What a step depends on besides its name: a root made with other build packages gets the new ones."""
    return " ".join(BUILD_PACKAGES) if name == "build" else ""


def _missing_steps(steps):
    def is_done(name):
        stamp = STAMPS / name
        return stamp.exists() and stamp.read_text("utf-8") == _stamp_text(name)
    return [(name, step) for name, step in steps if not is_done(name)]


def _make(steps):
    for name, step in _missing_steps(steps):
        if name != "base":
            mount_basics(ROOT)
        step()
        STAMPS.mkdir(parents=True, exist_ok=True)
        (STAMPS / name).write_text(_stamp_text(name), "utf-8")
    say(f"the root is ready: {ROOT}")
    return 0


def mount_basics(root):
    """What apt and maintainer scripts expect; it vanishes with this process."""
    if not os.path.ismount(root / "proc"):
        namespace.mount("proc", root / "proc", "proc")
        namespace.bind("/dev", root / "dev")


def _host_packages():
    missing = [name for name in HOST_PACKAGES if subprocess.run(
        ["dpkg-query", "-W", "-f", "${Status}", name], capture_output=True, text=True, check=False
    ).stdout.split()[-1:] != ["installed"]]
    if missing:
        say(f"installing on this machine: {' '.join(missing)}")
        logged(["apt-get", "-o", "DPkg::Lock::Timeout=600", "-q", "update"])
        logged(["apt-get", "-o", "DPkg::Lock::Timeout=600", "-y", "-q", "install", "--no-install-recommends", *missing])


def ensure(steps=tuple(STEPS)):
    """The root, made if need be."""
    if not _missing_steps(steps):
        return ROOT
    with locked(LAB / "setup.lock", "it is making the private root"):
        if _missing_steps(steps):
            _host_packages()
            if namespace.run(lambda: _make(steps), network=True) != 0:
                raise LabError("the private root could not be made")
    return ROOT


def ensure_accounting():
    """Adds slurmdbd and MariaDB to the root."""
    return ensure((*STEPS, *ACCOUNTING_STEPS))


def main():
    """Entry of tests/lab/setup."""
    try:
        ensure()
    except LabError as error:
        say(error)
        return 1
    print(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
