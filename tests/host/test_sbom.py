# SPDX-License-Identifier: MIT
"""`./whit sbom` lists all that set-up fetches, each with its digests, in a form that the library's validator
accepts."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from whit.errors import WhitError
from whit.setup import libraries, packages
from whit.setup.locks import pins
from whit.setup.version import version

from .conftest import ROOT

if find_spec("cyclonedx") is None:
    pytest.skip("cyclonedx-python-lib is not installed: ./whit sbom installs it", allow_module_level=True)
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from whit.commands.sbom import bill, sbom

LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


@pytest.fixture(scope="module")
def components() -> list[dict]:
    return json.loads(bill())["components"]


def sha256(found: list[dict]) -> set[str]:
    return {one["content"] for one in found if one["alg"] == "SHA-256"}


def test_the_schema_takes_it() -> None:
    text = bill()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    found = json.loads(text)
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    assert found["metadata"]["component"]["version"] == version()


def test_the_same_tree_gives_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree without git has no time of a commit."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764288000")
    assert bill() == bill()


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_python_packages_have_all_digests_of_their_lock(lock: Path, components: list[dict]) -> None:
    found = {one["purl"]: one for one in components}
    pinned = list(pins(lock))
    lines = lock.read_text().splitlines()
    assert len(pinned) == sum("==" in line and not line.startswith("#") for line in lines)
    assert sum(len(pin.sha256) for pin in pinned) == sum(line.count("--hash=") for line in lines)
    for pin in pinned:
        component = found[f"pkg:pypi/{pin.name}@{pin.version}"]
        (files,) = component["externalReferences"]
        assert pin.sha256 and sha256(files["hashes"]) == set(pin.sha256)
        assert lock.stem in {one["value"] for one in component["properties"]}
        assert component["scope"] == "required" or lock.stem != "product"


def test_system_packages(components: list[dict]) -> None:
    found = {
        one["name"] for one in components if one["purl"].startswith("pkg:deb/") and "arch=source" not in one["purl"]
    }
    assert found == {package.name for package in packages.every()}
    named = {package.name for wanted in packages.TESTS.values() for package in wanted.needed + wanted.useful}
    assert named | {"gcc", "python3-venv", "gcc-avr"} <= found


def test_sources_have_digest_and_licence(components: list[dict]) -> None:
    found = {one["name"]: one for one in components if one["bom-ref"].startswith("source:")}
    assert set(found) == set(libraries.LIBRARIES)
    for name, library in libraries.LIBRARIES.items():
        assert sha256(found[name]["hashes"]) == {library.sha256}
        (licence,) = found[name]["licenses"]
        words = licence.get("expression") or licence["license"].get("id") or licence["license"]["name"]
        assert words.replace(" OR ", " or ").replace(" AND ", " and ") == library.licence


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(WhitError, match="name a file that can be written"):
        sbom(tmp_path)
    sbom(tmp_path / "whit.cdx.json")
    assert json.loads((tmp_path / "whit.cdx.json").read_text())["version"] == 1
