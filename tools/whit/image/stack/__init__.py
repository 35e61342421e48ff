# SPDX-License-Identifier: MIT
"""The worst case of an image's stack, proven from the image itself.

The linked image is disassembled. The walk follows each path through each reachable function and tracks the stack
pointer. Calls of libraries, tail calls and code that the compiler moved are therefore seen as they are. The targets
of calls through pointers come from the application compiler's tables, and from notes (notes.py).
"""

from whit.image.stack.analysis import Frame, Stack, analyse
from whit.image.stack.model import StackError

__all__ = ["Frame", "Stack", "StackError", "analyse"]
