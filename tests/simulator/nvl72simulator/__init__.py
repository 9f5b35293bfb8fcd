# SPDX-License-Identifier: GPL-2.0-or-later
"""Histories of clusters by seed, inside a slurmctld and without daemons' threads, network and clock."""
