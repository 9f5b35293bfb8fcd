# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's topology/block and ours side by side, each in a real slurmctld, on the same states and requests."""
