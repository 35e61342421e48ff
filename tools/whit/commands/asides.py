# SPDX-License-Identifier: MIT
"""Copies of persistent memory that `whit run --live` leaves. A server that finds data of another layout renames them to
persistent.bin.old, .old.2 and so on. Only the data from before the experiments are worth keeping. A file in the same
directory lists the copies from before --live began, so that the next command can clean up after a crash."""

import json
import re
from collections.abc import Iterable
from pathlib import Path


class Asides:
    """The copies of one file of persistent memory."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._list = data.with_name(f"{data.name}.live")

    def begin(self, *, live: bool) -> list[Path]:
        """Cleans up before the first server starts. Returns the removed copies of an earlier --live."""
        removed = self.tidy()
        made = self._made()
        if live:
            kept = [path.name for path in made or []]
            self._list.write_text(json.dumps({"kept": kept, "others": _names(self._there(), kept)}))
        else:
            self._list.unlink(missing_ok=True)
        return removed

    def tidy(self) -> list[Path]:
        """Keeps the first copy that this --live has made, or else that of an earlier one. Returns removed copies."""
        made = self._made()
        if not made:
            return []
        kept = json.loads(self._list.read_text())["kept"]
        ours = [path for path in made if path.name not in kept]
        removed = [path for path in made if path != (ours or made)[0]]
        for path in removed:
            path.unlink(missing_ok=True)
        return removed

    def _made(self) -> list[Path] | None:
        """Copies that --live has made, the oldest first. None: the list is missing."""
        try:
            others = json.loads(self._list.read_text())["others"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return [path for path in self._there() if path.name not in others]

    def _there(self) -> list[Path]:
        name = re.compile(re.escape(self._data.name) + r"\.old(?:\.\d+)?")
        found = [path for path in self._data.parent.iterdir() if name.fullmatch(path.name)]
        return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def _names(paths: Iterable[Path], without: Iterable[str]) -> list[str]:
    left_out = set(without)
    return [path.name for path in paths if path.name not in left_out]
