# SPDX-License-Identifier: GPL-2.0-or-later
"""Sphinx's settings for the documentation web pages; `docs/web/build` is the command."""

import os

project = "nvl72block"
release = version = os.environ["NVL72BLOCK_VERSION"]
html_title = f"nvl72block {release}"
html_copy_source = False
html_show_copyright = False
html_theme = "alabaster"
html_theme_options = {"page_width": "72rem", "sidebar_width": "15rem", "body_max_width": "none", "show_powered_by": False,
                      "description": "Block scheduling for NVL72 racks on Slurm"}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}

extensions = ["myst_parser"]
# Anchors as on GitHub, so that one link serves both.
myst_heading_anchors = 4
highlight_language = "none"
nitpicky = True
