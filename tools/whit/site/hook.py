# SPDX-License-Identifier: MIT
"""Hooks of mkdocs. Pages at the tree's root become pages of the site, with working links. The navigation follows the
existing files."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from whit.paths import ROOT
from whit.site.pages import OUTSIDE, adapted, in_site, navigation, slug


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slug
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in (path for pattern in OUTSIDE for path in sorted(ROOT.glob(pattern))):
        name = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, in_site(name), content=path.read_text(encoding="utf-8")))
    config["nav"] = navigation(config["nav"], [file.src_uri for file in files.documentation_pages()])
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return "\n".join(adapted(markdown, page.file.src_uri, {file.src_uri for file in files}))
