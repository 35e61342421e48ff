# SPDX-License-Identifier: MIT
"""The caller of sudo: the user, and a group other than root's where sudo names none."""

import os
import pwd

import pytest

from whit.sudo import caller

NOBODY = pwd.getpwnam("nobody")
UNKNOWN = 4_000_000


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"SUDO_UID": "0", "SUDO_GID": "0"}, None),
        ({"SUDO_UID": f"{NOBODY.pw_uid}", "SUDO_GID": "12"}, (NOBODY.pw_uid, 12)),
        ({"SUDO_UID": f"{NOBODY.pw_uid}"}, (NOBODY.pw_uid, NOBODY.pw_gid)),
        ({"SUDO_UID": f"{NOBODY.pw_uid}", "SUDO_GID": "x"}, (NOBODY.pw_uid, NOBODY.pw_gid)),
        ({"SUDO_UID": f"{UNKNOWN}"}, (UNKNOWN, UNKNOWN)),
    ],
)
def test_caller(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: tuple[int, int] | None) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for name in ("SUDO_UID", "SUDO_GID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert caller() == expected
