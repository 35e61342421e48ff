# SPDX-License-Identifier: MIT
"""A Debian guest for the emulated PC: its kernel, nginx and Apache, made from Debian's packages alone. They are
unpacked, not installed; what these two programs need of them becomes the guest's only file system, in memory."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from whit.errors import WhitError
from whit.paths import ROOT
from whit.real.counted_pc import System, run
from whit.real.relay import CLIENT, SERVER

THERE = ROOT / ".whit" / "guest"
KERNEL = "linux-image-amd64"
PACKAGES = ("nginx", "apache2-bin", "busybox-static")
NAMES = {"nginx": "nginx", "Apache": "apache2-bin"}  # and the package whose version is theirs
DRIVERS = ("virtio_pci", "virtio_net", "e1000")
LIBRARIES = ("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu")
LOADER = "lib64/ld-linux-x86-64.so.2"
THREADS = "lib/x86_64-linux-gnu/libgcc_s.so.1"  # loaded by name when a thread ends
MODULES = "usr/lib/apache2/modules"
APACHE_MODULES = ("mpm_event", "authz_core", "dir", "mime", "file_cache")
WORDS = "console=ttyS0 quiet panic=-1 mitigations=off clocksource=tsc tsc=reliable random.trust_cpu=on"

INIT = """\
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in {modules}; do insmod /modules/$module.ko; done
ip link set lo up
ip addr add {server}/24 dev eth0
ip link set eth0 up
echo 4096 > /proc/sys/net/core/somaxconn
echo 4096 > /proc/sys/net/ipv4/tcp_max_syn_backlog
ulimit -n 65536
for word in $(cat /proc/cmdline); do
    case $word in
        whit=nginx) /usr/sbin/nginx ;;
        whit=Apache) /usr/sbin/apache2 -f /etc/apache.conf ;;
    esac
done
ping -c 1 {client}
echo; echo ready
exec sleep 1000000
"""
# As nginx's guide for static content advises.
NGINX = """\
user root;
worker_processes 1;
worker_rlimit_nofile 65536;
error_log /dev/null crit;
events { worker_connections 16384; multi_accept on; use epoll; }
http {
    types { text/html html; }
    default_type application/octet-stream;
    access_log off;
    server_tokens off;
    sendfile on;
    tcp_nopush on;
    tcp_nodelay on;
    open_file_cache max=1000 inactive=1h;
    open_file_cache_valid 1h;
    keepalive_timeout 600;
    keepalive_requests 100000000;
    reset_timedout_connection on;
    server { listen 80 backlog=4096; root /files; }
}
"""
# As the manual's "Performance Tuning" and "Caching Guide" advise.
APACHE = """\
ServerRoot /etc
PidFile /run/apache.pid
ErrorLog /dev/null
DefaultRuntimeDir /run
ServerName localhost
Listen 80
ListenBacklog 4096
{modules}
ServerTokens Prod
StartServers 1
ServerLimit 4
ThreadsPerChild 64
ThreadLimit 64
MaxRequestWorkers 256
MaxConnectionsPerChild 0
User www-data
Group www-data
HostnameLookups Off
KeepAlive On
KeepAliveTimeout 600
MaxKeepAliveRequests 0
EnableSendfile On
EnableMMAP On
TypesConfig /dev/null
AddType text/html .html
DocumentRoot /files
<Directory />
    AllowOverride None
    Options FollowSymLinks
    Require all granted
</Directory>
{cached}
"""


def why_not() -> str:
    """Why there is no guest here; empty when there is one."""
    return (
        "" if (THERE / "versions").exists() else f"no Debian guest in {THERE.relative_to(ROOT)}: ./whit lab pc makes it"
    )


def system(name: str, files: Mapping[str, bytes]) -> System:
    """The guest with one server, nginx or Apache, that serves these files."""
    initrd, made = THERE / "initrd", THERE / f"initrd.{os.getpid()}"
    made.write_bytes(_archive(_entries(files)))
    made.replace(initrd)  # at once: another process may start from it
    return System(THERE / "vmlinuz", initrd, f"{WORDS} whit={name}")


def versions() -> dict[str, str]:
    """Of the packages that the guest was made from."""
    return dict(line.split() for line in (THERE / "versions").read_text().splitlines())


def kernel() -> str:
    """The version of its package."""
    return next(version for name, version in versions().items() if name.startswith("linux-image-"))


def make() -> None:
    """From the packages that apt names, without root and without a change to this system. WhitError: cannot be had."""
    THERE.mkdir(parents=True, exist_ok=True)
    with open(THERE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
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
        kernel = next((root / "boot").glob("vmlinuz-*"))
        shutil.copyfile(kernel, THERE / "vmlinuz")
        (THERE / "versions").write_text("".join(f"{name} {version}\n" for name, version in sorted(found.items())))


def _fetch(there: Path) -> None:
    """The packages and all that they depend on, as on a machine where nothing is installed; of the kernel's package
    alone, since what it depends on would make an initrd."""
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


def _entries(files: Mapping[str, bytes]) -> dict[str, bytes | None]:
    """The guest's file system: content by path, None for a directory."""
    root = THERE / "root"
    modules = list(_modules(root, DRIVERS))
    names = [module.stem for module in modules]
    programs = ["usr/sbin/nginx", "usr/sbin/apache2", *(f"{MODULES}/mod_{one}.so" for one in APACHE_MODULES), THREADS]
    entries: dict[str, bytes | None] = dict.fromkeys(
        ("proc", "sys", "dev", "run", "tmp", "modules", "files", "etc", "bin", "var/lib/nginx", "var/log/nginx")
    )
    for path in (*programs, LOADER, *_libraries(root, programs)):
        entries[path] = (root / path).read_bytes()
    entries["bin/busybox"] = (root / "bin/busybox").read_bytes()
    entries |= {f"modules/{module.stem}.ko": module.read_bytes() for module in modules}
    entries |= {f"files/{name}": octets for name, octets in files.items()}
    loads = "\n".join(f"LoadModule {one}_module /{MODULES}/mod_{one}.so" for one in APACHE_MODULES)
    cached = "\n".join(f"MMapFile /files/{name}" for name in files)
    entries["etc/passwd"] = b"root:x:0:0::/:/bin/sh\nwww-data:x:33:33::/:/bin/sh\n"
    entries["etc/group"] = b"root:x:0:\nwww-data:x:33:\n"
    entries["etc/nginx/nginx.conf"] = NGINX.encode()
    entries["etc/apache.conf"] = APACHE.format(modules=loads, cached=cached).encode()
    entries["init"] = INIT.format(modules=" ".join(names), server=SERVER, client=CLIENT).encode()
    return entries


def _modules(root: Path, names: Iterable[str]) -> list[Path]:
    """Of the kernel: each after those that it depends on."""
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
    """That the programs need, and that these need."""
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
