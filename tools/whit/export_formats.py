# SPDX-License-Identifier: MIT
"""What each build system wants beside the sources."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from whit.errors import WhitError
from whit.paths import ROOT

if TYPE_CHECKING:
    from whit.export import Exported

VERSION = "0.1.0"
CMAKE = ROOT / "cmake" / "package"


@dataclass(frozen=True)
class Format:
    """`link`: unless another one is asked for."""

    link: str
    write: Callable[["Exported"], None]


def find(name: str) -> Format:
    """WhitError names those that there are."""
    if name not in FORMATS:
        raise WhitError(f"--format {name}: expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


def _write_cmake(exported: "Exported") -> None:
    sources = "\n".join(f"    {source.replace('src/', '${whit_src}/', 1)}" for source in exported.sources)
    for name in ("CMakeLists.txt", "whit.cmake", "WhitConfig.cmake", "WhitConfigVersion.cmake", "README.md"):
        _fill(CMAKE / name, exported.directory / name, exported, SOURCES=sources)


def _fill(template: Path, to: Path, exported: "Exported", **more: str) -> None:
    """Copies with the words in @SIGNS@ replaced."""
    words = {"NAME": exported.application.name, "LINK": exported.link, "VERSION": VERSION, **more}
    text = re.sub(r"@([A-Z]+)@", lambda match: words[match[1]], template.read_text(encoding="utf-8"))
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(text, encoding="utf-8")


FORMATS = {"cmake": Format("ethernet", _write_cmake)}
