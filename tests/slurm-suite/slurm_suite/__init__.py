# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's own tests with topology/block and with the project's drop-in for it."""
