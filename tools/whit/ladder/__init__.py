# SPDX-License-Identifier: MIT
"""What passed between a client and a server, as a ladder of segments."""
