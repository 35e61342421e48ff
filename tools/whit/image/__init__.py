# SPDX-License-Identifier: MIT
"""From an application to an image, and what that costs."""
