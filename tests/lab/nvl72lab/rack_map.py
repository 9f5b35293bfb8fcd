# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws which job has which node, a rack a line."""


def draw(blocks, letters):
    """blocks: name -> nodes; letters: node -> the letter of its job. Free nodes are dots."""
    width = max(map(len, blocks), default=0)
    lines = []
    for name, nodes in blocks.items():
        cells = "".join(letters.get(node, ".") for node in nodes)
        busy = sum(node in letters for node in nodes)
        lines.append(f"  {name:{width}}  |{cells}|  {busy:2} of {len(nodes)} busy")
    return "\n".join(lines)
