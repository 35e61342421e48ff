# SPDX-License-Identifier: MIT
"""The worst case of an image's stack, proven from the image itself.

The linked image is disassembled and each function that can be reached is walked with the stack pointer in view, along
all its ways, so that calls of libraries, tail calls and what the compiler moved about are seen as they are. Calls
through pointers come from the tables that the application compiler wrote, and from notes (notes.py).
"""

from whit.image.stack.analysis import Frame, Stack, analyse
from whit.image.stack.model import StackError

__all__ = ["Frame", "Stack", "StackError", "analyse"]
