# SPDX-License-Identifier: MIT
"""A running server's rights: a function of an application tries each forbidden act, and reports the results."""

import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import WHIT, Start, body, get, whit
from .test_tap import ENGINE, WHY_NOT, inside, namespace

__all__ = ["namespace"]  # a fixture

TELL_C = """\
/* <generator>
     <handlers doGet="tell_tries"/>
     <properties persistence="volatile" content-type="text/plain"/>
   </generator> */
#include "tries.h"
#include "whit/app.h"

static char tell_tries(struct args_t *args)
{
    (void)args;
    out_str(tries());
    return 1;
}
"""
TRIES_C = """\
#define _GNU_SOURCE
#include "tries.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[8192];
static int len;

static void tell(const char *what, bool done)
{
    len += sprintf(text + len, "%s %s\\n", what, done ? "yes" : errno == EPERM ? "no" : "other");
}

static bool opened(int fd) { return fd >= 0 && close(fd) == 0; }

static bool forked(void)
{
    long child = syscall(SYS_clone, 17L, 0L, 0L, 0L, 0L);
    if (child == 0)
        _exit(0);
    return child > 0 && waitpid((pid_t)child, NULL, 0) == child;
}

const char *tries(void)
{
    char *none[] = {NULL};
    int code = PROT_READ | PROT_WRITE | PROT_EXEC;
    len = 0;
    tell("execve", execve("/nowhere", none, none) != 0 && errno == ENOENT);
    tell("fork", forked());
    tell("socket", opened(socket(AF_INET, SOCK_STREAM, 0)));
    tell("packet", opened(socket(AF_PACKET, SOCK_RAW, 0)));
    tell("ptrace", ptrace(PTRACE_PEEKDATA, 1, NULL, NULL) != 0 && errno == ESRCH);
    tell("setuid", setuid(getuid()) == 0);
    tell("code", mmap(NULL, 4096, code, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    tell("file", opened(open("/proc/self/status", O_RDONLY)));
    int file = open("/proc/self/status", O_RDONLY);
    ssize_t got = read(file, text + len, sizeof text - 1 - (size_t)len);
    text[len + (got < 0 ? 0 : got)] = 0;
    close(file);
    return text;
}
"""
WRONG_CALL_C = """\
/* <generator>
     <handlers doGet="call"/>
     <properties persistence="volatile" content-type="text/plain"/>
   </generator> */
#include "whit/app.h"

static int one(int number) { return number; }
static void *volatile called = (void *)one;

static char call(struct args_t *args)
{
    (void)args;
    ((void (*)(const char *))called)("one");
    out_str("called");
    return 1;
}
"""
TRIED = ("execve", "fork", "socket", "packet", "ptrace", "setuid", "code", "file")
NOTHING = "0000000000000000"
NOBODY = 65534


@pytest.fixture
def tries(tmp_path: Path) -> Path:
    app = tmp_path / "tries"
    app.mkdir()
    (app / "index.html").write_text("<!doctype html><title>Tries</title><p>a page")
    (app / "tell.c").write_text(TELL_C)
    (app / "tries.c").write_text(TRIES_C)
    (app / "tries.h").write_text("const char *tries(void);\n")
    (app / "app.toml").write_text('name = "tries"\nconnections = 2\nbuffer = 16384\n[persistent]\nsize = 64\n')
    return app


def said(text: bytes) -> dict[str, str]:
    """Returns the results of the attempts, and the lines of /proc/self/status."""
    return dict(re.findall(r"^(\w+):?[ \t]+(.*)$", text.decode(), re.MULTILINE))


def assert_has_nothing(found: dict[str, str]) -> None:
    assert {found[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {NOTHING}
    assert (found["NoNewPrivs"], found["Seccomp"]) == ("1", "2")


@pytest.mark.slow
def test_behind_libslirp(start: Start, tries: Path, port: int) -> None:
    """The server behind libslirp may open connections of this machine, and read files."""
    start(WHIT, "run", tries, "--port", port).read_until("Ctrl-C ends it.")
    found = said(body(get(port, "/tell")))
    assert {name for name in TRIED if found[name] == "yes"} == {"socket", "file"}
    assert_has_nothing(found)


@pytest.mark.slow
def test_unconfined(start: Start, tries: Path, port: int) -> None:
    """The unconfined server keeps all rights: the other tests' attempts could have succeeded."""
    start(WHIT, "run", tries, "--port", port, "--unconfined").read_until("Ctrl-C ends it.")
    found = said(body(get(port, "/tell")))
    machines = {"packet", "ptrace"}  # which a container may forbid by itself
    assert {name for name in TRIED if found[name] == "yes"} >= set(TRIED) - machines
    assert (found["NoNewPrivs"], found["Seccomp"]) != ("1", "2")


@pytest.mark.slow
@pytest.mark.root
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
@pytest.mark.parametrize("by_sudo", [("SUDO_UID", "SUDO_GID"), ("SUDO_UID",), ()], ids=["sudo", "no group", "root"])
def test_on_a_tap_device(
    by_sudo: tuple[str, ...], start: Start, namespace: str, tries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root made the device. The data belongs to the caller of sudo."""
    for name in by_sudo:
        monkeypatch.setenv(name, str(NOBODY))
        for directory in (tmp_path, *tmp_path.parents):
            if directory.stat().st_mode & 0o777 == 0o700 and "pytest" in str(directory):
                directory.chmod(0o755)
    server = start(*inside(namespace), WHIT, "run", tries, "--tap", "whit0")
    server.read_until("Ctrl-C ends it.")
    url = f"http://{ENGINE}/tell"
    answer = subprocess.run(
        [*inside(namespace), "curl", "-sS", "--max-time", "20", url], capture_output=True, check=True
    )
    found = said(answer.stdout)
    assert {name for name in TRIED if found[name] == "yes"} == {"file"}
    assert_has_nothing(found)
    assert found["CapBnd"] == NOTHING
    whose = NOBODY if by_sudo else 0
    assert {*found["Uid"].split(), *found["Gid"].split()} == {str(whose)}
    kept = (tmp_path / ".whit" / "tries").stat()
    assert (kept.st_uid, kept.st_gid) == (whose, whose)
    assert server.end() == 0


@pytest.mark.slow
@pytest.mark.root
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_data_of_root(namespace: str, tries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server does not start where its user cannot write: it could store nothing."""
    by_sudo, place = tmp_path / "roots", tmp_path / "theirs"
    by_sudo.mkdir()
    place.mkdir()
    os.chown(place, NOBODY, NOBODY)
    image = whit("build", tries, cwd=tmp_path).stdout.strip()
    for directory, why in (
        (place, "belongs to another user, and this server gives up root's right to write there"),
        (by_sudo, f"user {NOBODY}, whom this server runs as, may not write there"),
    ):
        arguments = [*inside(namespace), image, "--tap", "whit0", "--data", str(directory / "data.bin")]
        ended = subprocess.run(arguments, capture_output=True, text=True, timeout=20)
        assert ended.returncode == 1
        assert f"{directory}: {why}" in ended.stderr and "--data" in ended.stderr
        monkeypatch.setenv("SUDO_UID", str(NOBODY))


@pytest.mark.slow
def test_how_it_is_built(tries: Path, tmp_path: Path) -> None:
    image = whit("build", tries, cwd=tmp_path).stdout.strip()
    said = subprocess.run(
        ["readelf", "--wide", "--dynamic", "--dyn-syms", image], capture_output=True, text=True, check=True
    ).stdout
    assert "BIND_NOW" in said and "PIE" in said
    assert "__stack_chk_fail" in said and "__memcpy_chk" in said


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_call_of_another_type(
    compiler: str, start: Start, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """clang ends the program at such a call; GCC continues."""
    for program in (compiler, "ld.lld"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    app = tmp_path / "calls"
    app.mkdir()
    (app / "index.html").write_text("<!doctype html><title>Calls</title><p>a page")
    (app / "call.c").write_text(WRONG_CALL_C)
    monkeypatch.setenv("CC", compiler)
    server = start(WHIT, "run", app, "--port", port)
    server.read_until("Ctrl-C ends it.")
    assert b"a page" in body(get(port))
    if compiler == "gcc":
        assert body(get(port, "/call")) == b"called"
    else:
        with contextlib.suppress(OSError):
            assert get(port, "/call") == b""
        server.read_until("ended by itself (signal 4)", 20)
