# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads from the host's apt where Debian's packages come from: mirror, proxy, credentials."""

import re
import shutil
import subprocess
from pathlib import Path

APT = Path("/etc/apt")
DEFAULT_MIRROR = "http://deb.debian.org/debian"
# What says how to reach a mirror; the rest of the host's apt.conf is the host's own business.
REACHING = re.compile(r"Acquire::(http|https|ftp|Retries|ForceIPv[46]|Check-Valid-Until|Check-Date|Max-FutureTime)\b",
                      re.IGNORECASE)


def _one_line_entries(text):
    """(uri, suite) of each 'deb [options] uri suite component...' line."""
    for line in text.splitlines():
        match = re.match(r"\s*deb\s+(?:\[[^]]*\]\s*)?(\S+)\s+(\S+)", line)
        if match:
            yield match.groups()


def _deb822_entries(text):
    """(uri, suite) of each stanza of a .sources file."""
    for stanza in re.split(r"\n\s*\n", re.sub(r"(?m)^#.*\n?", "", text)):
        fields = {key.lower(): value.split() for key, value in
                  re.findall(r"(?m)^([\w-]+):\s*((?:.*)(?:\n[ \t].*)*)", stanza)}
        if "deb" in fields.get("types", []) and fields.get("enabled") != ["no"]:
            for uri in fields.get("uris", []):
                for suite in fields.get("suites", []):
                    yield uri, suite


def mirror():
    """The URL of the mirror from which the host itself takes its Debian release."""
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text("utf-8").splitlines() if "=" in line)
    suites = {release.get("VERSION_CODENAME", "").strip('"'), "stable", "oldstable"}
    entries = []
    for path in [APT / "sources.list", *sorted((APT / "sources.list.d").glob("*"))]:
        if path.is_file() and path.suffix in (".list", ".sources"):
            text = path.read_text("utf-8", "replace")
            entries += _deb822_entries(text) if path.suffix == ".sources" else _one_line_entries(text)
    for uri, suite in entries:
        if suite in suites and re.match(r"https?://", uri):
            return uri.rstrip("/")
    return DEFAULT_MIRROR


def _config():
    dump = subprocess.run(["apt-config", "dump"], check=True, capture_output=True, text=True).stdout
    return [line for line in dump.splitlines() if REACHING.match(line)]


def proxy_environment():
    """For debootstrap, which fetches with wget and does not read apt's configuration."""
    found = {}
    for line in _config():
        match = re.match(r'Acquire::(https?)::Proxy "(.+)";', line, re.IGNORECASE)
        if match:
            found[f"{match[1].lower()}_proxy"] = match[2]
    return found


def give_to(root):
    """Lets the apt inside root reach the mirror in the way the host's does."""
    config = root / "etc/apt/apt.conf.d/90host"
    config.write_text("".join(f"{line}\n" for line in _config()), "utf-8")
    for folder in ("auth.conf.d", "trusted.gpg.d"):
        if (APT / folder).is_dir():
            shutil.copytree(APT / folder, root / "etc/apt" / folder, dirs_exist_ok=True)
    if (APT / "auth.conf").is_file():
        shutil.copy(APT / "auth.conf", root / "etc/apt/auth.conf")
    # An https mirror may be signed by an authority that only this host knows.
    bundle = Path("/etc/ssl/certs/ca-certificates.crt")
    if bundle.is_file():
        (root / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
        shutil.copy(bundle, root / "etc/ssl/certs/ca-certificates.crt")
