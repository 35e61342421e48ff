# SPDX-License-Identifier: MIT
"""What compiles and is probably not meant: told in one line, and built all the same."""

import re
from collections.abc import Iterator

from .c_source import CSource

_ARGS = re.compile(r"\bstruct\s+args_t\s*\*\s*(?:const\s+)?(\w+)")

# Of a pointer that is taken as a truth value, or compared with none.
_BEFORE = r"(?:\b(?:if|while)\s*\(|\breturn\b|&&|\|\||\?)"
_AFTER = r"(?:\)|&&|\|\||\?|[!=]=\s*(?:NULL\b|0\b))"


def hints(file: object, source: CSource) -> Iterator[str]:
    """About one C file."""
    for name in sorted({match[1] for match in _ARGS.finditer(source.statements)}):
        asked = rf"{_BEFORE}\s*!?\s*\(?\s*{name}\s*{_AFTER}"
        for match in re.finditer(asked, source.statements):
            text = f"{name} is never NULL: an optional argument that is absent has its default, or is 0 or empty"
            yield f"{file}:{source.line_at(match.start())}: {text}"
