# SPDX-License-Identifier: GPL-2.0-or-later
"""Reduces a failure to a small command and a small cluster: anything that can go or get lower without the fault going."""

import re
import time
from dataclasses import replace

from nvl72lab import hostlist

from .requests import JOB
from .scenes import named_nodes

NODE_LISTS = ("-w", "-x", "--nodelist", "--exclude")
WORDS = ("-C", "-p", "--prefer", "--distribution", "--reservation", "PartitionName", "Features", "Flags", "--hint")  # no numbers in these
NEEDED = ("SelectTypeParameters", "DefMemPerCPU")  # left out, the lab's own value would take their place


def _pairs(options):
    """Options with the values that stand beside them."""
    pairs = []
    for option in options:
        if pairs and pairs[-1][-1] in ("-w", "-x", "-C", "-p") and len(pairs[-1]) == 1:
            pairs[-1] = (*pairs[-1], option)
        else:
            pairs.append((option,))
    return pairs


def _flat(pairs):
    return tuple(option for pair in pairs for option in pair)


def _is_empty_range(option):
    """-N with more nodes at least than at most."""
    ends = [int(end) for end in re.findall(r"\d+", option)]
    return option.startswith("-N") and ends[0] > ends[-1]


def _lower(option):
    """The option with one of its numbers lowered, lowest first."""
    if option.startswith(WORDS):
        return
    for found in re.finditer(r"\d+", option):
        number = int(found[0])
        for smaller in dict.fromkeys((1, number // 2, number - 1)):
            lowered = option[:found.start()] + str(smaller) + option[found.end():]
            if 0 < smaller < number and not _is_empty_range(lowered):
                yield lowered


def _smaller_options(options):
    pairs = _pairs(options)
    for position, pair in enumerate(pairs):
        if len(pairs) > 1:
            yield _flat(pairs[:position] + pairs[position + 1:])
    for position, pair in enumerate(pairs):
        def put(new, position=position):
            return _flat([*pairs[:position], new, *pairs[position + 1:]])
        if pair[0] in NODE_LISTS:
            names = hostlist.expand(pair[1])
            for name in names if len(names) > 1 else ():
                yield put((pair[0], hostlist.compress([other for other in names if other != name])))
        elif len(pair) == 1:
            yield from (put((lower,)) for lower in _lower(pair[0]))


def smaller_requests(request):
    """Every request that is one step smaller, the largest steps first."""
    parts = request.components
    if request.late:
        yield replace(request, late=())
    if request.command == JOB and len(parts) > 1:
        yield from (replace(request, components=(part,)) for part in parts)
    for position, options in enumerate(parts):
        for fewer in _smaller_options(options):
            yield replace(request, components=(*parts[:position], fewer, *parts[position + 1:]))


def _halves(entries):
    """Without all, without each half, without each one."""
    if not entries:
        return
    yield ()
    half = len(entries) // 2
    if half:
        yield entries[half:]
        yield entries[:half]
    if len(entries) > 2:
        yield from (entries[:position] + entries[position + 1:] for position in range(len(entries)))


def _kept(names, nodes):
    return tuple(name for name in names if name in nodes)


def _fewer_racks(scene):
    grounds = replace(scene.grounds, racks=scene.grounds.racks[:-1])
    nodes = set(grounds.nodes())
    partitions = tuple(_in_partition(line, nodes) for line in grounds.partitions)
    standing = () if scene.standing else scene.standing
    return replace(scene, grounds=replace(grounds, small=_kept(grounds.small, nodes), partitions=partitions),
                   drained=_kept(scene.drained, nodes), standing=standing,
                   busy=tuple(options for options in scene.busy if named_nodes(options)[0] in nodes))


def _in_partition(line, nodes):
    names = re.search(r" Nodes=(\S+)", line)[1]
    if names == "ALL":
        return line
    left = _kept(hostlist.expand(names), nodes) or sorted(nodes)
    return line.replace(f" Nodes={names}", f" Nodes={hostlist.compress(left)}")


def smaller_scenes(scene):
    """Every cluster that is one step simpler, the largest steps first."""
    grounds = scene.grounds
    yield from (replace(scene, busy=left) for left in _halves(scene.busy))
    yield from (replace(scene, drained=left) for left in _halves(scene.drained))
    yield from (replace(scene, suspended=left) for left in _halves(scene.suspended))
    yield from (replace(scene, shrunk=left) for left in _halves(scene.shrunk))
    if scene.standing:
        yield replace(scene, standing=())
    if len(grounds.racks) > 2:
        yield _fewer_racks(scene)
    if grounds.small:
        yield replace(scene, grounds=replace(grounds, small=()))
    if grounds.outside:
        yield replace(scene, grounds=replace(grounds, outside=0))
    if "," in grounds.sizes:
        yield replace(scene, grounds=replace(grounds, sizes=grounds.sizes.rsplit(",", 1)[0]))
    if scene.preempts():  # slurmctld takes none of them alone
        yield replace(scene, grounds=replace(grounds, settings=tuple(pair for pair in grounds.settings if not pair[0].startswith("Preempt"))))
    for key, value in grounds.settings:
        if key.startswith("Preempt"):
            continue
        plain = {"SelectTypeParameters": value.split(",", maxsplit=1)[0], "DefMemPerCPU": "0"}.get(key)
        if plain != value:
            rest = tuple(pair for pair in grounds.settings if pair[0] != key)
            yield replace(scene, grounds=replace(grounds, settings=(*rest, (key, plain)) if key in NEEDED else rest))
    for position, line in enumerate(grounds.partitions):
        plain = re.sub(r"( MaxTime=INFINITE).*", r"\1", line)
        if plain != line:
            lines = (*grounds.partitions[:position], plain, *grounds.partitions[position + 1:])
            yield replace(scene, grounds=replace(grounds, partitions=lines))


def _step(candidates, fails, end):
    for candidate in candidates:
        if time.monotonic() > end:
            return None
        if fails(candidate):
            return candidate
    return None


def shrink(scene, request, fails, seconds):
    """The smallest pair that was found in that time; fails(scene, request) tells whether the fault is still there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        fewer = _step(smaller_requests(request), lambda one: fails(scene, one), end)
        if fewer:
            request = fewer
            continue
        simpler = _step(smaller_scenes(scene), lambda one: fails(one, request), end)
        if not simpler:
            break
        scene = simpler
    return scene, request
