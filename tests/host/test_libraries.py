# SPDX-License-Identifier: MIT
"""Third-party libraries are fetched and checked (tools/whit/setup/libraries.py)."""

import io
import os
import tarfile

import pytest

from tests.crypto.built import had
from whit.errors import WhitError
from whit.setup import libraries
from whit.setup.libraries import LIBRARIES, Library, digest, library


def archive(path, **files):
    with tarfile.open(path, "w:gz") as tar:
        for name, octets in files.items():
            member = tarfile.TarInfo(f"thing-1/src/{name}")
            member.size = len(octets)
            tar.addfile(member, io.BytesIO(octets))


@pytest.fixture
def thing(tmp_path, monkeypatch):
    """A library whose archive was put there by hand, so that the network is not used."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a_c").write_bytes(b"int a;\n")
    made = Library("MIT", ("src/a_c",), digest(tmp_path / "kept"), pypi="thing==1 --hash=sha256:00")
    monkeypatch.setattr(libraries, "THERE", tmp_path / "there")
    monkeypatch.setattr(libraries, "LIBRARIES", {"thing": made})
    (tmp_path / "there").mkdir()
    return tmp_path / "there" / "thing-1.tar.gz"


def test_the_files_that_are_named_are_kept(thing):
    archive(thing, a_c=b"int a;\n", b_c=b"int b;\n")
    assert [path.name for path in library("thing").iterdir()] == ["a_c"]
    thing.unlink()
    assert (library("thing") / "a_c").read_bytes() == b"int a;\n"


def test_a_file_that_was_changed_is_refused(thing):
    archive(thing, a_c=b"int b;\n")
    with pytest.raises(WhitError, match="thing: SHA-256"):
        library("thing")
    assert [path.name for path in thing.parent.iterdir() if path.is_dir()] == []


def test_a_broken_archive_is_named(thing):
    thing.write_bytes(b"no archive")
    with pytest.raises(WhitError, match=r"thing-1\.tar\.gz.*delete it"):
        library("thing")


def test_where_it_cannot_be_had_the_way_out_is_told(thing, monkeypatch):
    monkeypatch.setitem(os.environ, "PIP_NO_INDEX", "1")
    with pytest.raises(WhitError, match=r"thing cannot be fetched .*put the archive of thing==1 of PyPI into"):
        library("thing")


@pytest.mark.parametrize("name", sorted(LIBRARIES))
def test_each_is_what_its_digest_says(name):
    assert digest(had(name)) == LIBRARIES[name].sha256
