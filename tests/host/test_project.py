# SPDX-License-Identifier: MIT
"""Files for contributors: the changelog's form and version, the promises' commands, templates of issues."""

import re
import shlex

from whit.setup.version import version

from .conftest import ROOT

KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
PROMISE = re.compile(r"^\|[^|]+\|[^|]+\| `\./whit test ([^`]+)` \|$", re.MULTILINE)


def test_the_changelog_has_the_version_of_pyproject() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    sections = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert sections[0] == "Unreleased"
    released = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) – \d{4}-\d\d-\d\d", section) for section in sections[1:]]
    assert all(released), sections
    versions = [tuple(map(int, match.groups())) for match in released if match]
    assert versions == sorted(versions, reverse=True)
    assert ".".join(map(str, versions[0])) == version()


def test_the_changelog_has_one_heading_of_a_kind() -> None:
    for section in (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1:]:
        kinds = re.findall(r"^### (.*)$", section, re.MULTILINE)
        assert set(kinds) <= set(KINDS) and len(kinds) == len(set(kinds)), kinds


def test_each_promise_names_tests_that_are_there() -> None:
    promised = PROMISE.findall((ROOT / "SECURITY.md").read_text())
    assert len(promised) >= 10
    for words in map(shlex.split, promised):
        wanted = words[words.index("-k") + 1] if "-k" in words else ""
        for path in (ROOT / word for word in words if word.startswith("tests/")):
            assert path.exists(), path
            assert not wanted or f"def test_{wanted}" in path.read_text(), (path, wanted)


def test_templates_of_issues_have_a_name_and_a_purpose() -> None:
    templates = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
    assert [path.stem for path in templates] == ["board", "bug", "idea"]
    for path in templates:
        assert re.match(r"---\nname: .+\nabout: .+\nlabels: \w+\n---\n", path.read_text()), path
