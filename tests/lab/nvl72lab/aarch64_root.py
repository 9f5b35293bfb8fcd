# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes what aarch64 (Grace) is tested with: a root that cross-compiles, and a Debian root of that architecture.

The second one is unpacked by this machine's tools. No maintainer script runs: under emulation they, and dpkg, take
minutes. What the scripts would have made and Slurm needs comes from the private root, which has the same packages.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import namespace, private_root
from .places import LAB, PROJECT, ROOT, LabError, locked, say

AARCH64 = Path(os.environ.get("NVL72BLOCK_AARCH64_LAB") or PROJECT / "build" / "lab-aarch64").absolute()
CROSS = AARCH64 / "cross"
TARGET = AARCH64 / "root"
STAMPS = AARCH64 / "stamps"
DEBIAN = "arm64"  # Debian's name of the architecture
TRIPLET = "aarch64-linux-gnu"
ASKED_FOR = "NVL72BLOCK_AARCH64"  # environment: run-aarch64 has made what the tests need
ARCHIVES = "var/cache/apt/arm64"
CROSS_PACKAGES = ["crossbuild-essential-arm64", "libfmt-dev:arm64", "libboost-graph-dev:arm64", "libyaml-dev:arm64", "libcsv-dev:arm64",
                  "libgtest-dev:arm64", "libgmock-dev:arm64"]
# The command's libraries with those of Slurm.
TARGET_PACKAGES = ["?essential", *private_root.SLURM_PACKAGES, "libstdc++6", "libyaml-0-2", "libcsv3"]
# dpkg's record of a package that was unpacked by other means.
INSTALLED = "Status: install ok installed\n"


def _in_cross(*command):
    private_root.logged(["chroot", str(CROSS), *command])


def _make_cross():
    say("making a copy of the private root that compiles for aarch64 (a minute or two)")
    _remove(CROSS)
    with locked(LAB / "setup.lock", "it is changing the private root"):
        subprocess.run(["cp", "-a", "--one-file-system", "--reflink=auto", str(ROOT), str(CROSS)], check=True)
    private_root.mount_basics(CROSS)
    _in_cross("dpkg", "--add-architecture", DEBIAN)
    _in_cross("apt-get", "-qq", "update")
    _in_cross("apt-get", "-o", "Dpkg::Options::=--force-unsafe-io", "-y", "-q", "install", "--no-install-recommends",
              *CROSS_PACKAGES)


def _download():
    """The packages of a minimal system with Slurm, as apt would install them where nothing is installed."""
    say("fetching Debian's packages for aarch64 (half a minute)")
    _remove(CROSS / ARCHIVES)
    (CROSS / ARCHIVES / "partial").mkdir(parents=True)
    (CROSS / "tmp/no-packages").touch()
    private_root.mount_basics(CROSS)
    _in_cross("apt-get", "-qq", "update")
    _in_cross("apt-get", "-o", f"APT::Architecture={DEBIAN}", "-o", "Dir::State::status=/tmp/no-packages",
              "-o", f"Dir::Cache::archives=/{ARCHIVES}", "-y", "-q", "install", "--no-install-recommends",
              "--download-only", *TARGET_PACKAGES)


def _unpack():
    say("unpacking them")
    _remove(TARGET)
    TARGET.mkdir(parents=True)
    # base-files has the links from /bin and /lib to /usr.
    archives = sorted((CROSS / ARCHIVES).glob("*.deb"), key=lambda path: (not path.name.startswith("base-files_"), path.name))
    status = "".join(_unpack_one(path) for path in archives)
    database = TARGET / "var/lib/dpkg"
    (database / "status").write_text(status, "utf-8")
    (database / "available").touch()
    (database / "info/format").write_text("1\n", "ascii")  # lists are named by architecture where there can be several
    for name in ("passwd", "group", "hosts"):
        shutil.copy(ROOT / "etc" / name, TARGET / "etc" / name)
    _take_alternatives()
    shutil.rmtree(CROSS / ARCHIVES)


def _unpack_one(archive):
    """Unpacks a package; returns dpkg's record of it."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE) as content:
        names = subprocess.run(["tar", "-xv", "-C", TARGET, "--keep-directory-symlink"], stdin=content.stdout, check=True,
                               capture_output=True, text=True).stdout
    if content.returncode:
        raise LabError(f"{archive} is damaged")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["dpkg-deb", "--control", archive, folder], check=True)
        control = Path(folder, "control").read_text("utf-8")
        sums = Path(folder, "md5sums").read_bytes() if Path(folder, "md5sums").exists() else b""
    name, own = (re.search(rf"(?m)^{field}: (.*)$", control) for field in ("Package", "Multi-Arch"))
    name = f"{name[1]}:{DEBIAN}" if own and own[1] == "same" else name[1]
    info = TARGET / "var/lib/dpkg/info"
    info.mkdir(parents=True, exist_ok=True)
    listed = (re.sub(r"^\.?/*", "/", line).rstrip("/") for line in names.splitlines())
    (info / f"{name}.list").write_text("".join(f"{path or '/.'}\n" for path in listed), "utf-8")
    (info / f"{name}.md5sums").write_bytes(sums)
    first, rest = control.split("\n", 1)
    return f"{first}\n{INSTALLED}{rest.rstrip()}\n\n"


def _take_alternatives():
    """The links that update-alternatives made in the private root, where their targets are here, too."""
    alternatives = TARGET / "etc/alternatives"
    alternatives.mkdir(exist_ok=True)
    for link in (ROOT / "etc/alternatives").iterdir():
        if link.is_symlink() and (TARGET / os.readlink(link).lstrip("/")).exists():
            (alternatives / link.name).symlink_to(os.readlink(link))
    for folder in ("usr/bin", "usr/sbin"):
        for link in (ROOT / folder).iterdir():
            if link.is_symlink() and os.path.lexists(TARGET / os.readlink(link).lstrip("/")) \
                    and os.readlink(link).startswith("/etc/alternatives/") and not os.path.lexists(TARGET / folder / link.name):
                (TARGET / folder / link.name).symlink_to(os.readlink(link))


def _remove(folder):
    # Mounts live in this process's own namespace only.
    if folder.exists():
        subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=True)


STEPS = [("cross", _make_cross), ("fetched", _download), ("root", _unpack)]


def _missing_steps():
    return [(name, step) for name, step in STEPS if not (STAMPS / name).exists()]


def compiler():
    """A C compiler for aarch64 that reads and writes files of this machine below LAB; in an instance only."""
    for folder in ("dev", "mnt"):
        namespace.bind(Path("/") / folder, CROSS / folder)
    return ["chroot", str(CROSS), f"{TRIPLET}-gcc"]


def _make():
    for name, step in _missing_steps():
        step()
        STAMPS.mkdir(parents=True, exist_ok=True)
        (STAMPS / name).touch()
    return 0


def ensure():
    """The root for aarch64, made if need be."""
    private_root.ensure()
    with locked(AARCH64 / "setup.lock", "it is making the root for aarch64"):
        if _missing_steps() and namespace.run(_make, network=True) != 0:
            raise LabError("the root for aarch64 could not be made")
    return TARGET
