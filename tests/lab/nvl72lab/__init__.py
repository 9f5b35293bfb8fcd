# SPDX-License-Identifier: GPL-2.0-or-later
"""The lab: a real Slurm on one machine, for tests and demonstrations."""
