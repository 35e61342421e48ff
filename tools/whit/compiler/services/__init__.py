# SPDX-License-Identifier: MIT
"""Services: functions with arguments that fill a result, and their generated C and descriptions."""
