# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a Python function in namespaces of its own.

Mounts, processes and ports made there vanish with the process, even when it is killed with SIGKILL: nothing is left
to clean up, and several instances never meet.
"""

import ctypes
import errno
import fcntl
import os
import signal
import socket
import struct
import sys
import traceback

from .places import LabError, say

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWPID, CLONE_NEWNET = 0x00020000, 0x04000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x1000, 0x4000, 0x40000
PR_SET_PDEATHSIG = 1
SIOCGIFFLAGS, SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8913, 0x8914, 0x8916, 0x1
DOCUMENTATION_ADDRESS = "192.0.2.1"

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result, what):
    if result != 0:
        code = ctypes.get_errno()
        hint = " (the lab needs root and kernel namespaces)" if code in (errno.EPERM, errno.ENOSYS) else ""
        raise LabError(f"{what}: {os.strerror(code)}{hint}")


def mount(source, target, fstype="none", flags=0, options=""):
    """mount(2); the target must exist."""
    result = _libc.mount(os.fsencode(source), os.fsencode(target), fstype.encode(), ctypes.c_ulong(flags),
                         options.encode())
    _checked(result, f"mount {source} on {target}")


def bind(source, target):
    """Shows a folder at a second place, with what is mounted below it."""
    os.makedirs(target, exist_ok=True)
    mount(source, target, flags=MS_BIND | MS_REC)


def unmount(target):
    """Takes away what was mounted there last."""
    _checked(_libc.umount(os.fsencode(target)), f"unmount {target}")


def empty(target):
    """Puts an empty folder in memory over target."""
    os.makedirs(target, exist_ok=True)
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755")


def _loopback_up():
    """A new network namespace has its loopback device down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))
        # Slurm asks the resolver for addresses of configured families; 127.0.0.1 alone does not count as one.
        address = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(DOCUMENTATION_ADDRESS))
        fcntl.ioctl(control, SIOCSIFADDR, struct.pack("16s16s8x", b"lo:1", address))


def _become_init(network):
    """First steps of process 1 of the new namespaces."""
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV)
    if network:
        return
    _loopback_up()
    # Slurm looks up the host's name: one that needs no name server.
    socket.sethostname("localhost")


def _child(function, parent, network):
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # Process 1 gets only the signals that it handles.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        # The parent may have died before prctl; then nobody would end this process.
        if not os.read(parent, 1):
            os._exit(1)
        _become_init(network)
        status = function()
    except LabError as error:
        say(error)
        status = 1
    except KeyboardInterrupt:
        status = 130
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:  # pylint: disable=broad-except # the child must never return into the caller's code
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status or 0)


def _wait(child):
    """Waits for the child; a SIGTERM or SIGHUP goes on to it, a terminal's SIGINT reaches it by itself."""
    def forward(number, _frame):
        os.kill(child, signal.SIGTERM if number == signal.SIGHUP else number)
    before = {number: signal.signal(number, forward) for number in (signal.SIGTERM, signal.SIGHUP)}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, lambda *_: None)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for number, handler in before.items():
        signal.signal(number, handler)
    return status if status >= 0 else 128 - status


def end_with(parent):
    """Lets this process, a fork of that one, be killed when it ends."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def run(function, network=False):
    """Runs function as process 1 of new namespaces and returns its status.

    With network=True the host's network stays; otherwise there is a loopback device and nothing else.
    """
    # unshare(2) moves the children's PID namespace but this process's mounts: hence one fork more.
    outer = os.getpid()
    middle = os.fork()
    if middle:
        return _wait(middle)
    try:
        end_with(outer)
        flags = CLONE_NEWNS | CLONE_NEWPID | (0 if network else CLONE_NEWNET | CLONE_NEWUTS)
        _checked(_libc.unshare(flags), "unshare")
        mount("none", "/", flags=MS_REC | MS_PRIVATE)
        alive, ready = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(ready)
            _child(function, alive, network)
        os.write(ready, b"x")
        status = _wait(child)
    except LabError as error:
        say(error)
        status = 1
    os._exit(status)
