# SPDX-License-Identifier: MIT
"""How long a page of an application takes on a link, before a device is flashed.

page     which page loads what, from its HTML and its style sheets
lengths  what a generator says, from the engine in this process
predict  the refined model of all of it
found    how wrong that model was in the laboratory
show     as a table
"""
