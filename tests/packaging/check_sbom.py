# SPDX-License-Identifier: GPL-2.0-or-later
"""packaging/sbom names every library that CMake asks for, with a version, and is whole: check_sbom.py PROJECT."""

import json
import re
import subprocess
import sys
from pathlib import Path

SYSTEM = {"Threads", "GTest", "benchmark"}  # libc's, and what only tests use


def asked_for(project):
    """The libraries of find_package() and find_library()."""
    files = [project / "CMakeLists.txt", *(project / "src").rglob("CMakeLists.txt")]
    text = "\n".join(path.read_text("utf-8") for path in files)
    found = set(re.findall(r"find_package\((\w+)", text)) | set(re.findall(r"find_library\(\w+ (\w+)", text))
    return found - SYSTEM


def main():
    """Entry."""
    project = Path(sys.argv[1])
    bill = json.loads(subprocess.run([project / "packaging/sbom"], check=True, capture_output=True, text=True).stdout)
    packages = {package["SPDXID"]: package for package in bill["packages"]}
    names = {package["name"] for package in packages.values()}
    assert len(packages) == len(bill["packages"]), "two packages have one identifier"
    assert asked_for(project) and asked_for(project) <= names, f"not in the bill: {asked_for(project) - names}"
    without = [package["name"] for package in packages.values() if not package.get("versionInfo")]
    assert not without, f"without a version: {without}"
    ends = {relation[end] for relation in bill["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
    assert ends == {"SPDXRef-DOCUMENT", *packages}, f"related: {ends}"
    print(f"{len(packages)} packages")


if __name__ == "__main__":
    main()
