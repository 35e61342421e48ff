# SPDX-License-Identifier: MIT
"""A Debian guest for the emulated PC: its kernel, nginx, Apache and PHP, made from Debian's packages alone.

They are unpacked, not installed. The files that a server needs become the guest's only file system, in memory.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from whit.errors import WhitError
from whit.paths import ROOT
from whit.setup.alone import alone
from whit_lab.real.counted_pc import System
from whit_lab.real.guest import INIT, Server
from whit_lab.real.programs import run
from whit_lab.real.relay import CLIENT, SERVER

THERE = ROOT / ".whit" / "guest"
KERNEL = "linux-image-amd64"
# The last package replaces systemd, on which PHP-FPM otherwise depends.
PACKAGES = (
    "nginx",
    "apache2-bin",
    "libapache2-mod-php",
    "php-fpm",
    "php-mysql",
    "busybox-static",
    "systemd-standalone-tmpfiles",
)
DRIVERS = ("virtio_pci", "virtio_net", "e1000")
LIBRARIES = ("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu")
LOADER = "lib64/ld-linux-x86-64.so.2"
WORDS = "console=ttyS0 quiet panic=-1 mitigations=off clocksource=tsc tsc=reliable no_timer_check random.trust_cpu=on"


def why_not() -> str:
    """Returns the reason if there is no guest; "" if there is one."""
    has = versions() if (THERE / "versions").exists() else {}
    missing = f"no Debian guest in {THERE.relative_to(ROOT)}: ./whit lab pc makes it"
    return "" if has.keys() >= set(PACKAGES) else missing


def system(server: Server, files: Mapping[str, bytes]) -> System:
    """Returns the guest with one server, and these files."""
    initrd = THERE / f"initrd.{server.name}"
    made = THERE / f"{initrd.name}.{os.getpid()}"
    made.write_bytes(_archive(_entries(server, files)))
    made.replace(initrd)  # atomically: another process may start from it
    return System(THERE / "vmlinuz", initrd, WORDS)


def versions() -> dict[str, str]:
    """Returns the versions of the packages from which the guest was made."""
    return dict(line.split() for line in (THERE / "versions").read_text().splitlines())


def kernel() -> str:
    """Returns the version of the kernel's package."""
    return next(version for name, version in versions().items() if name.startswith("linux-image-"))


def make() -> None:
    """Makes the guest from apt's packages, without root and without a change to this system. Raises WhitError if it
    cannot."""
    with alone(THERE / "lock"):
        if not why_not():
            return
        if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
            raise WhitError("there is no apt-get to fetch Debian's packages for the guest")
        with tempfile.TemporaryDirectory(dir=THERE) as made:
            _fetch(Path(made))
            found = {_field(one, "Package"): _field(one, "Version") for one in Path(made).glob("*.deb")}
            root = THERE / "root"
            shutil.rmtree(root, ignore_errors=True)
            for archive in Path(made).glob("*.deb"):
                run(["dpkg-deb", "-x", str(archive), str(root)])
        for old in THERE.glob("initrd*"):
            old.unlink()
        kernel = next((root / "boot").glob("vmlinuz-*"))
        shutil.copyfile(kernel, THERE / "vmlinuz")
        (THERE / "versions").write_text("".join(f"{name} {version}\n" for name, version in sorted(found.items())))


def _fetch(there: Path) -> None:
    """Fetches the packages with all their dependencies, as for a machine without packages.

    The kernel's package comes alone, since its dependencies would make an initrd.
    """
    (there / "status").touch()
    (there / "partial").mkdir()
    depends = run(["apt-cache", "show", "--no-all-versions", KERNEL])
    kernel = re.search(r"^Depends: (linux-image-\S+)", depends, re.MULTILINE)
    if not kernel:
        raise WhitError(f"apt knows no {KERNEL}; apt-get update may help")
    apt = ["apt-get", "-q", "-o", "APT::Sandbox::User=", "-o", "Debug::NoLocking=1"]
    alone = ["-o", f"Dir::State::status={there / 'status'}", "-o", f"Dir::Cache::archives={there}"]
    done = subprocess.run([*apt, "download", kernel[1]], cwd=there, capture_output=True, text=True)
    if done.returncode != 0:
        raise WhitError(f"{kernel[1]} cannot be fetched ({done.stderr.strip().rpartition(chr(10))[2]})")
    run([*apt, *alone, "--no-install-recommends", "--download-only", "-y", "install", *PACKAGES])


def _field(archive: Path, name: str) -> str:
    return run(["dpkg-deb", "-f", str(archive), name]).strip()


def _entries(server: Server, files: Mapping[str, bytes]) -> dict[str, bytes | None]:
    """The guest's file system: content by path, None for a directory."""
    root = THERE / "root"
    modules = list(_modules(root, DRIVERS))
    programs = {path: str(_one(root, pattern)) for path, pattern in server.programs.items()}
    libraries = (LOADER, *_libraries(root, list(programs.values())))
    entries: dict[str, bytes | None] = dict.fromkeys(
        ("proc", "sys", "dev", "run", "tmp", "modules", "files", "etc", "bin", "var/lib/nginx", "var/log/nginx")
    )
    for path, source in {**programs, **dict(zip(libraries, libraries, strict=True))}.items():
        entries[path] = (root / source).read_bytes()
    entries["bin/busybox"] = (root / "bin/busybox").read_bytes()
    entries |= {f"modules/{module.stem}.ko": module.read_bytes() for module in modules}
    entries |= {f"files/{name}": octets for name, octets in files.items()}
    entries["etc/passwd"] = b"root:x:0:0::/:/bin/sh\nwww-data:x:33:33::/:/bin/sh\n"
    entries["etc/group"] = b"root:x:0:\nwww-data:x:33:\n"
    cached = "\n".join(f"MMapFile /files/{name}" for name in files if name.endswith(".html"))
    entries |= {path: text.replace("{cached}", cached).encode() for path, text in server.settings.items()}
    names = " ".join(module.stem for module in modules)
    entries["init"] = INIT.format(modules=names, server=SERVER, client=CLIENT, start=server.start).encode()
    return entries


def _one(root: Path, pattern: str) -> Path:
    """Returns the only path below the root that matches."""
    found = sorted(root.glob(pattern))
    if len(found) != 1:
        raise WhitError(f"lab: the guest's packages have {len(found)} files {pattern}; one was expected", 1)
    return found[0].relative_to(root)


def _modules(root: Path, names: Iterable[str]) -> list[Path]:
    """Returns the kernel's modules; each follows its dependencies."""
    every = {path.stem: path for path in root.glob("lib/modules/*/kernel/**/*.ko")}
    order: dict[str, Path] = {}

    def add(name: str) -> None:
        path = every.get(name.replace("-", "_")) or every[name.replace("_", "-")]
        said = re.search(rb"\0depends=([^\0]*)\0", path.read_bytes())
        for other in said[1].decode().split(",") if said and said[1] else ():
            add(other)
        order.setdefault(name, path)

    for name in names:
        add(name)
    return list(order.values())


def _libraries(root: Path, programs: Sequence[str]) -> list[str]:
    """Returns the libraries that the programs need, and the libraries of these."""
    found: dict[str, None] = {}
    waiting = list(programs)
    while waiting:
        said = run(["readelf", "-d", str(root / waiting.pop())])
        for name in re.findall(r"\(NEEDED\).*\[(\S+)\]", said):
            path = next((f"{place}/{name}" for place in LIBRARIES if (root / place / name).exists()), None)
            if path and path not in found:
                found[path] = None
                waiting.append(path)
    return list(found)


def _archive(entries: Mapping[str, bytes | None]) -> bytes:
    """An initrd: cpio's "newc" format, as Documentation/driver-api/early-userspace/buffer-format.rst describes it."""
    parents = {str(parent) for path in entries for parent in Path(path).parents if str(parent) != "."}
    whole = dict.fromkeys(sorted(parents)) | dict(entries)
    octets = bytearray()
    for number, (path, content) in enumerate([*whole.items(), ("TRAILER!!!", b"")], 1):
        mode = 0o40755 if content is None else 0o100755
        name, body = path.encode() + b"\0", content or b""
        fields = (number, mode, 0, 0, 1, 0, len(body), 0, 0, 0, 0, len(name), 0)
        octets += b"070701" + b"".join(b"%08X" % field for field in fields) + name
        octets += bytes(-len(octets) % 4) + body
        octets += bytes(-len(octets) % 4)
    return bytes(octets)
