# SPDX-License-Identifier: MIT
"""Predicts the load time of an application's page on a link, before a device is flashed.

* page: the resources that each page loads, from its HTML and its style sheets
* lengths: the lengths of generators' responses, from the engine in this process
* predict: runs the refined model
* found: the model's error in the laboratory
* show: prints the prediction as a table
"""
