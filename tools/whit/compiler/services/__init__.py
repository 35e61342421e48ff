# SPDX-License-Identifier: MIT
"""Services: functions that are called with arguments and fill a result, and what is written of them."""
