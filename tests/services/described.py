# SPDX-License-Identifier: MIT
"""tests/apps/services with SOAP, and its descriptions."""

import re
import shutil
from pathlib import Path

from tests.services.support import APP
from whit.compiler import compile_application


def with_soap(directory: Path, app: Path = APP) -> Path:
    """Returns a copy of an application with all functions callable by SOAP too."""
    shutil.copytree(app, directory)
    for source in directory.glob("*.c"):
        text = source.read_text()
        if "call=" not in text:
            continue
        if "<service" not in text:
            text = text.replace("<handlers", "<service/><handlers", 1)
        element = re.search(r"<service[^>]*/>", text)
        assert element
        if "soap" in element[0]:
            continue
        said = element[0].replace('as="', 'as="soap ')
        said = said if 'as="' in said else said.replace("/>", ' as="soap json form"/>')
        source.write_text(text.replace(element[0], said))
    return directory


def files(app: Path, out: Path, **overrides: object) -> dict[str, bytes]:
    """Returns the served files that are known at compile time."""
    application = compile_application(app, out, overrides=overrides)
    return {one.path: one.representations[0].body for one in application.resources if not one.made_later}
