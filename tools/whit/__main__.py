# SPDX-License-Identifier: MIT
"""The program. Ctrl-C ends it quietly also while it is still being loaded."""

import sys

try:
    from whit.cli import main

    main()
except KeyboardInterrupt:
    sys.exit(130)
