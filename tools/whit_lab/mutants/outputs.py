# SPDX-License-Identifier: MIT
"""`python -m whit_lab.mutants.outputs` prints a digest of the compiler's output for each application, in a copy of the
tree.

While the digest is the same, the images are equal, and their tests need not run.
"""

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
