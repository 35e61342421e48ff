# SPDX-License-Identifier: MIT
"""The application compiler: a directory in, constant C tables out."""

from .application import compile_application
from .errors import CompileError
from .model import Application

__all__ = ["Application", "CompileError", "compile_application"]
