# SPDX-License-Identifier: MIT
"""Installs what a command needs: system packages and a private Python environment. Standard library only."""

import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from whit.paths import ROOT
from whit.setup import packages
from whit.setup.alone import alone
from whit.setup.packages import Wanted
from whit.setup.pytest_words import mistake
from whit.setup.version import version

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCKS = ROOT / "requirements"
STAMP = VENV / "whit-requirements"
"""Installed locks: a line for each, with its name and its digest."""
INSTALL = ("install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes")
"""Options of pip for a lock: a file without a listed digest is refused."""
LOCK_PATIENCE_S = 600.0
"""Waits while another program installs, such as unattended-upgrades of a machine that was just started."""
LOCK_PAUSE_S = 1.0
LOCKED = re.compile(
    r"^(?:E|dpkg: error): (Could not get lock.*|.*is another process using it\?|.* locked by another process.*)",
    re.MULTILINE,
)
CONTAINER = "Dockerfile"


def _fail(text: str) -> NoReturn:
    print(f"whit: {text}", file=sys.stderr)
    sys.exit(2)


def _say(text: str) -> None:
    print(f"whit: {text}", file=sys.stderr, flush=True)


def _apt_install(names: list[str]) -> bool:
    """Installs as root. The log is shown only when it fails."""
    install = ["install", "-y", "-qq", "--no-install-recommends", *names]
    _say(f"installing {' '.join(names)}")
    if _has_lists() and _apt_get(install).returncode == 0:
        return True
    _apt_get(["update", "-qq"])
    done = _apt_get(install)
    if done.returncode != 0:
        print(done.stdout + done.stderr, file=sys.stderr)
    return done.returncode == 0


def _apt_get(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs it again while another program has one of its locks: dpkg's two, that of the lists or that of the archives.
    DPkg::Lock::Timeout covers dpkg's only, and with it apt does not name the holder."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    command = ["apt-get", *words]
    until, told = time.monotonic() + LOCK_PATIENCE_S, ""
    while True:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        held = LOCKED.search(done.stderr)
        if done.returncode == 0 or held is None or time.monotonic() >= until:
            return done
        if held[1] != told:
            told = held[1]
            _say(f"waiting at most {LOCK_PATIENCE_S:.0f} s for another program that installs packages. {told}")
        time.sleep(LOCK_PAUSE_S)


def _has_lists() -> bool:
    """False if this machine has no package lists of its mirror."""
    return any(Path("/var/lib/apt/lists").glob("*_Packages*"))


def _way_out(names: Sequence[str]) -> str:
    """Returns the command by which this user installs them."""
    if shutil.which("apt-get") is None:
        return f"install what these packages of Debian bring, or use the container ({CONTAINER}): {' '.join(names)}"
    steps = [f"apt-get install -y --no-install-recommends {' '.join(names)}"]
    if not _has_lists():
        steps.insert(0, "apt-get update")
    if os.geteuid() == 0:
        return "install them with: " + " && ".join(steps)
    command = " && ".join(f"sudo {step}" for step in steps)
    without = "" if shutil.which("sudo") else "  # this machine has no sudo: become root, and leave that word out"
    return f"install them with: {command}{without}"


def _install_packages(wanted: Wanted) -> None:
    """All that are missing are installed, or named in one line."""
    missing = wanted.missing()
    if not missing:
        return
    can_install = os.geteuid() == 0 and shutil.which("apt-get") is not None
    if can_install and _apt_install(missing):
        importlib.invalidate_caches()
        missing = wanted.missing()
        if not missing:
            return
    if any(not package.here() for package in wanted.needed):
        _fail(f"system packages are missing; {_way_out(missing)}")
    _say(f"some of it will be skipped, as system packages are missing; {_way_out(missing)}")


def lock_of(name: str) -> Path:
    """Returns the file that pins the packages of one purpose, such as "product"."""
    return LOCKS / f"{name}.lock"


def _digest(name: str) -> str:
    return hashlib.sha256(repr((lock_of(name).read_text(), str(VENV))).encode()).hexdigest()


def _installed() -> dict[str, str]:
    """Returns the digest of each lock that is installed, by name."""
    if not PYTHON.exists() or not STAMP.exists():
        return {}
    lines = [line.split() for line in STAMP.read_text().splitlines()]
    return dict(line for line in lines if len(line) == 2)


def _missing(names: Sequence[str]) -> list[str]:
    """Returns the locks that are not installed as they are now."""
    here = _installed()
    return [name for name in names if here.get(name) != _digest(name)]


def _has_pip() -> bool:
    """False also for an environment that was left half made, or moved."""
    return PYTHON.exists() and subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode == 0


def _run_or_fail(command: list[str], what: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr)
        _fail(f"{what} failed; its output is above. Is the network there? Then try again.")


def _make_python_environment(names: Sequence[str]) -> None:
    """Creates the private environment if it is missing, and installs the missing locks."""
    with alone(ROOT / ".whit" / "setup.lock"):
        missing = _missing(names)
        if not missing:
            return
        if not _has_pip():
            _say("creating the Python environment in .venv")
            _run_or_fail([sys.executable, "-m", "venv", "--clear", str(VENV)], "python3 -m venv")
            missing = list(names)
        _say(f"installing the Python packages of {', '.join(f'requirements/{name}.lock' for name in missing)}")
        files = [word for name in missing for word in ("--requirement", str(lock_of(name)))]
        _run_or_fail([str(PYTHON), "-m", "pip", *INSTALL, *files], "pip install")
        for site_packages in VENV.glob("lib/python3*/site-packages"):
            (site_packages / "whit.pth").write_text(f"{ROOT / 'tools'}\n")
        here = _installed() | {name: _digest(name) for name in missing}
        STAMP.write_text("".join(f"{name} {digest}\n" for name, digest in sorted(here.items())))


def _check_tests(arguments: Sequence[str]) -> None:
    """Ends with a message if arguments for pytest are wrong, before minutes of installing."""
    words = [word for word in arguments[1:] if word not in packages.TEST_OPTIONS[:4]]
    ours = any(word.startswith(("--mutants", "--seed", "--in")) for word in words)
    can_tell = not _missing(packages.LOCKS_OF_TESTS)
    if arguments[:1] == ["test"] and words and not ours and can_tell and (wrong := mistake(words, PYTHON)):
        _fail(wrong)


def enter(arguments: Sequence[str]) -> NoReturn:
    """Goes on as the package's program in the private environment, with all there that the command needs."""
    if list(arguments) == ["--version"]:
        print(f"whit {version()}")
        sys.exit(0)
    try:
        wanted, names = packages.wanted(arguments), packages.locks(arguments)
        if _missing(names) and not _has_pip():
            wanted = replace(wanted, needed=(packages.VENV, *wanted.needed))
        if wanted.missing():
            _check_tests(arguments)
        _install_packages(wanted)
        if _missing(names):
            _make_python_environment(names)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        _fail(f"{error.filename or ROOT}: {error.strerror}; the source tree must be writable for .venv and build")
    os.execv(PYTHON, [str(PYTHON), "-P", "-m", "whit", *arguments])
