# SPDX-License-Identifier: MIT
"""`whit sbom`: the bill of materials of fetched programs and libraries, in CycloneDX 1.6."""

import os
import subprocess
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from whit.errors import WhitError
from whit.paths import ROOT
from whit.setup import libraries, packages
from whit.setup.locks import Pin, pins
from whit.setup.version import version

LOCKS = ROOT / "requirements"
PRODUCT = "product"
"""The lock with the packages that every command uses."""
PYPI = "https://pypi.org/simple"
DIGEST_OF_FILES = "The digest is over the path and the content of each file that is used, in the order of paths."


def sbom(file: Path | None) -> None:
    """Writes it to the file, or prints it. WhitError: the file cannot be written."""
    text = bill()
    if file is None:
        print(text)
        return
    try:
        file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise WhitError(f"{file}: {error.strerror}; name a file that can be written") from error
    print(file)


def bill() -> str:
    """Returns the bill as text, the same for the same tree."""
    components = sorted((*python_packages(), *debian_packages(), *sources()), key=lambda one: str(one.bom_ref))
    whit = Component(
        name="whit",
        version=version(),
        type=ComponentType.APPLICATION,
        bom_ref=f"pkg:generic/whit@{version()}",
        purl=PackageURL("generic", name="whit", version=version()),
        licenses=[LicenseFactory().make_from_string("MIT")],
    )
    parts = "\n".join(str(one.bom_ref) + "".join(sorted(str(each) for each in digests(one))) for one in components)
    bom = Bom(
        components=components,
        serial_number=uuid5(NAMESPACE_URL, f"{whit.bom_ref}\n{parts}"),
        metadata=BomMetaData(component=whit, timestamp=_time()),
        dependencies=[Dependency(whit.bom_ref, [Dependency(one.bom_ref) for one in components])],
    )
    return str(JsonV1Dot6(bom).output_as_string(indent=2))


def digests(component: Component) -> list[str]:
    there = [*component.hashes, *(each for one in component.external_references for each in one.hashes)]
    return [str(one.content) for one in there]


def python_packages() -> Iterator[Component]:
    """Yields a component for each version. The product's packages are required, others optional."""
    locks: dict[Pin, list[str]] = {}
    for lock in sorted(LOCKS.glob("*.lock")):
        for pin in pins(lock):
            locks.setdefault(pin, []).append(lock.stem)
    for pin, names in locks.items():
        purl = PackageURL("pypi", name=pin.name.lower().replace("_", "-"), version=pin.version)
        files = ExternalReference(
            type=ExternalReferenceType.DISTRIBUTION,
            url=XsUri(f"{PYPI}/{purl.name}/"),
            comment="digests of the files that set-up accepts",
            hashes=_sha256(pin.sha256),
        )
        yield Component(
            name=pin.name,
            version=pin.version,
            purl=purl,
            bom_ref=str(purl),
            scope=_scope(PRODUCT in names),
            external_references=[files],
            properties=[Property(name="whit:lock", value=name) for name in names],
        )


def debian_packages() -> Iterator[Component]:
    """Yields the system packages with the versions of this machine's release."""
    required = {package.name for package in packages.HOST}
    for package in packages.every():
        purl = PackageURL("deb", "debian", package.name)
        yield Component(
            name=package.name,
            purl=purl,
            bom_ref=str(purl),
            scope=_scope(package.name in required),
            description="package of Debian 12 or 13, or what brings the same programs; not needed if it is there",
        )


def sources() -> Iterator[Component]:
    for name, library in libraries.LIBRARIES.items():
        purl, archive = _origin(library)
        yield Component(
            name=name,
            version=purl.version,
            purl=purl,
            bom_ref=f"source:{name}",
            scope=ComponentScope.OPTIONAL,
            description=DIGEST_OF_FILES,
            licenses=[LicenseFactory().make_from_string(_spdx(library.licence))],
            hashes=_sha256([library.sha256]),
            external_references=archive,
            properties=[Property(name="whit:files", value=pattern) for pattern in library.files],
        )


def _origin(library: libraries.Library) -> tuple[PackageURL, list[ExternalReference]]:
    """The package that the files are taken from."""
    if library.debian:
        package, release = library.debian.split("/")
        return PackageURL("deb", "debian", package, qualifiers={"arch": "source", "distro": release}), []
    requirement, digest = library.pypi.split(" --hash=sha256:")
    package, number = requirement.split("==")
    archive = ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION, url=XsUri(f"{PYPI}/{package}/"), hashes=_sha256([digest])
    )
    return PackageURL("pypi", name=package, version=number), [archive]


def _spdx(licence: str) -> str:
    """An expression of SPDX where the words are names of licences; else the words."""
    return licence.replace(" or ", " OR ").replace(" and ", " AND ")


def _sha256(found: Iterable[str]) -> list[HashType]:
    return [HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in found]


def _scope(required: bool) -> ComponentScope:
    return ComponentScope.REQUIRED if required else ComponentScope.OPTIONAL


def _time() -> datetime:
    """Returns SOURCE_DATE_EPOCH, or the commit's time, or now if both are missing."""
    said = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not said:
        command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        try:
            said = subprocess.run(command, capture_output=True, text=True).stdout.strip()
        except OSError:
            said = ""
    return datetime.fromtimestamp(int(said), UTC) if said.isdigit() else datetime.now(UTC)
