# SPDX-License-Identifier: MIT
"""The user who called sudo. The server changes to that user once its TAP device is open (ports/linux/confine.c)."""

import os
import pwd
from pathlib import Path


def caller() -> tuple[int, int] | None:
    """Returns user and group; the user's own group if sudo does not name one. None: not root, or root called itself."""
    user, group = os.environ.get("SUDO_UID", ""), os.environ.get("SUDO_GID", "")
    if os.geteuid() != 0 or not user.isdecimal() or int(user) == 0:
        return None
    return int(user), int(group) if group.isdecimal() and int(group) != 0 else _group_of(int(user))


def _group_of(user: int) -> int:
    try:
        return pwd.getpwuid(user).pw_gid
    except KeyError:  # sudo knows users by number too
        return user


def give(directory: Path, pattern: str) -> None:
    """Gives the directory and its files that match to the user who called sudo, who otherwise could not write there."""
    owner = caller()
    if owner is None:
        return
    for path in (directory, *directory.glob(pattern)):
        os.chown(path, *owner, follow_symlinks=False)
