# SPDX-License-Identifier: MIT
"""`python -m whit_lab.mutants.outputs` in a copy of the tree prints a digest of what its compiler makes of each
application there: while that is the same, so are the images, and their tests need not run."""

import hashlib
import tempfile
from pathlib import Path

from whit.compiler import CompileError, compile_application
from whit.paths import ROOT


def digest() -> str:
    said = hashlib.sha256()
    for app in sorted([*(ROOT / "apps").iterdir(), *(ROOT / "tests" / "apps").iterdir()]):
        with tempfile.TemporaryDirectory() as name:
            try:
                compile_application(app, Path(name))
            except CompileError as error:
                said.update(str(error).encode())
            for path in sorted(Path(name).iterdir()):
                said.update(path.name.encode() + path.read_bytes())
    return said.hexdigest()


if __name__ == "__main__":
    print(digest())
