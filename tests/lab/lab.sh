# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the entry scripts: finds the lab's folder and makes sure of the few host packages it needs.
# shellcheck shell=bash
set -euo pipefail

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project_dir=$(cd "$lab_dir/../.." && pwd)
export PYTHONPATH="$lab_dir${PYTHONPATH:+:$PYTHONPATH}"
unset PYTHONDONTWRITEBYTECODE # each test starts Python: what it imports must not be compiled each time

# install_missing PACKAGE...: apt-get only when something is really absent, so that a second run costs nothing.
install_missing() {
    local missing=() package
    for package in "$@"; do
        # shellcheck disable=SC2016 # ${Status} is dpkg-query's own field
        [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == *" installed" ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    [[ $(id -u) == 0 ]] || { echo "lab: run as root, or install: ${missing[*]}" >&2; return 1; }
    echo "lab: installing on this machine: ${missing[*]}" >&2
    # Two commands may start at once: dpkg's lock is waited for, and so is the lists' lock.
    apt-get -o DPkg::Lock::Timeout=600 -qq update >&2
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -qq install --no-install-recommends -y \
        "${missing[@]}" >/dev/null
}

# lab_python MODULE ARGUMENT...: Debian's own interpreter, never one that happens to be first on PATH.
lab_python() {
    [[ $(id -u) == 0 ]] || { echo "lab: the lab needs root (chroot, namespaces)" >&2; exit 1; }
    install_missing python3
    exec /usr/bin/python3 -m "$@"
}
