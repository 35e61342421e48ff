# SPDX-License-Identifier: MIT
"""Traffic models: how long a web server's response takes on a link, and what memory that costs the server.

paper, charge, dynaweb   as the papers print them, with formulas repaired where print or extraction damaged them
presets                  the papers' own readings of their tables
refined                  what this engine does, segment by segment
"""
