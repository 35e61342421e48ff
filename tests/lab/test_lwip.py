# SPDX-License-Identifier: MIT
"""lwIP as a peer in virtual time."""

import io
import tarfile

import pytest

from tests.lab.lwip_here import lwip_library
from whit.errors import WhitError
from whit.model.policy import AckPolicy, Options
from whit.setup.sources import source_lists, unpack_plain
from whit_testbed import lwip_build
from whit_testbed.link import Impairment
from whit_testbed.lwip import Content, Lwip
from whit_testbed.net import Net

BODY = bytes(index * 7 & 255 for index in range(50_000))
KEEP = "Connection: keep-alive"
LINK = Impairment(delay_us=10_000, rate=1_250_000)


@pytest.fixture(scope="module")
def library():
    return lwip_library()


def serve(library, *, loss=0.0, seed=1, generated=False, **settings):
    """Serves two responses on one connection. Returns their times, the frames and the memory held."""
    with Lwip(library, {"/a": Content(BODY, generated=generated)}, **settings) as server:
        net = Net(server, up=Impairment(delay_us=10_000, rate=1_250_000, loss=loss), seed=seed)
        passed = []
        net.down.tap = lambda begin_us, frame: passed.append((begin_us, frame))
        client = net.host().client(Options(ack=AckPolicy.DELAYED))
        for _ in range(2):
            response = net.get(client, "/a", KEEP)
            assert response.status == 200 and response.body == BODY
        net.idle(1)
        assert server.error_cnt == 0
        return passed, server.held, server.held_max, server.charge_bs


@pytest.mark.parametrize("generated", [False, True])
def test_it_serves_and_gives_back_what_it_held(library, generated):
    _, held, most, charge = serve(library, generated=generated)
    assert held.transfer == 0
    assert held.connections > 0
    assert charge > 0
    # lwIP copies generated content until it is acknowledged, but not constants.
    assert (most.transfer >= 2 * 1460) is generated


def test_the_same_seed_gives_the_same_frames(library):
    assert serve(library, loss=0.05, seed=3) == serve(library, loss=0.05, seed=3)
    assert serve(library, loss=0.05, seed=3) != serve(library, loss=0.05, seed=4)


def test_the_send_buffer_bounds_what_is_in_flight(library):
    """Delayed acknowledgments make a window below two segments wait."""
    times = {size: serve(library, snd_buf=size)[0][-1][0] for size in (1460, 2920)}
    assert times[1460] > 4 * times[2920]


def test_memory_is_that_of_a_small_device(library):
    """The elements are smaller with 32-bit pointers; the octets of content are the same."""
    sizes = lwip_build.sizes_32()
    if sizes is None:
        pytest.skip("arm-none-eabi-gcc not found; install gcc-arm-none-eabi")
    _, _, here, _ = serve(library, generated=True)
    _, _, there, _ = serve(library, generated=True, sizes=sizes)
    assert 2 * 1460 < there.transfer < here.transfer
    assert 100 < there.connections < here.connections


def test_an_archive_that_is_not_lwip_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lwip_build, "THERE", tmp_path)
    monkeypatch.setattr(lwip_build, "SOURCES", tmp_path / "lwip")
    (tmp_path / lwip_build.ARCHIVE).write_bytes(b"not lwIP")
    with pytest.raises(WhitError, match="SHA-256"):
        lwip_build.sources()


def test_without_a_package_manager_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(lwip_build, "THERE", tmp_path)
    monkeypatch.setattr(lwip_build, "SOURCES", tmp_path / "lwip")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WhitError, match=r"put lwip_2\.1\.3\S+ into"):
        lwip_build.sources()


def archive_of(path, *members):
    with tarfile.open(path, "w:xz") as tar:
        for name, kind in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size = kind, "/etc/passwd", 2 if kind == tarfile.REGTYPE else 0
            tar.addfile(member, io.BytesIO(b"ok"))
    return path


def test_archive_is_unpacked_without_links(tmp_path):
    members = ("lwip/src", tarfile.DIRTYPE), ("lwip/src/a.c", tarfile.REGTYPE), ("lwip/link", tarfile.SYMTYPE)
    unpack_plain(archive_of(tmp_path / "archive", *members), tmp_path / "there")
    assert (tmp_path / "there/lwip/src/a.c").read_bytes() == b"ok"
    assert sorted(path.name for path in (tmp_path / "there/lwip").iterdir()) == ["src"]


@pytest.mark.parametrize("name", ["../beside", "lwip/../../beside", "/tmp/whit-beside"])
def test_archive_that_reaches_outside_is_refused(tmp_path, name):
    with pytest.raises(WhitError, match="outside"):
        unpack_plain(archive_of(tmp_path / "archive", (name, tarfile.REGTYPE)), tmp_path / "there")
    assert not (tmp_path / "beside").exists()


def test_unpacking_needs_no_filter_of_tarfile(tmp_path, monkeypatch):
    """Debian 12's Python 3.11.2 has none."""
    for name in ("data_filter", "fully_trusted_filter", "tar_filter"):
        monkeypatch.delattr(tarfile, name, raising=False)
    monkeypatch.setattr(tarfile.TarFile, "extractall", lambda self, path=".", members=None, *, numeric_owner=False: 1)
    unpack_plain(archive_of(tmp_path / "archive", ("lwip/a.c", tarfile.REGTYPE)), tmp_path / "there")
    assert (tmp_path / "there/lwip/a.c").exists()


def test_sources_are_those_of_the_release_that_has_them():
    """Debian 13 has a later lwIP."""
    lists = "Types: deb\nURIs: http://mirror/debian\nSuites: trixie trixie-updates\nComponents: main\n"
    expected = "Types: deb-src\nURIs: http://mirror/debian\nSuites: bookworm bookworm-updates\nComponents: main\n"
    assert source_lists(lists, "trixie", "bookworm") == expected
    one_line = "deb [signed-by=/k.gpg] http://mirror/debian trixie main\ndeb http://mirror/debian trixie-updates main\n"
    assert source_lists(one_line, "trixie", "bookworm") == one_line.replace("deb ", "deb-src ").replace(
        "trixie", "bookworm"
    )
    assert source_lists("deb http://mirror/debian bookworm main\n", "bookworm", "bookworm").count("bookworm") == 1
