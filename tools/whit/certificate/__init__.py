# SPDX-License-Identifier: MIT
"""Certificates of HTTPS, and the keys that go with them."""
