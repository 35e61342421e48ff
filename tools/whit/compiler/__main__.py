# SPDX-License-Identifier: MIT
"""python -m whit.compiler APP_DIR OUT_DIR [--set key=value ...]"""

import argparse
import sys
from pathlib import Path

from .application import compile_application
from .errors import CompileError
from .toml_text import key_and_value


def _setting(text: str) -> tuple[str, object]:
    key, value = key_and_value(text)
    if not key:
        raise argparse.ArgumentTypeError(f"{text!r}: expected key=value, for example connections=2")
    if value in ("true", "false"):
        return key, value == "true"
    return key, int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 1 for a mistake in the application, reported in one line."""
    parser = argparse.ArgumentParser(prog="python -m whit.compiler", description="Compiles an application to C tables.")
    parser.add_argument("app_dir", type=Path, help="the application's directory")
    parser.add_argument("out_dir", type=Path, help="where the generated sources go")
    parser.add_argument("--set", type=_setting, action="append", default=[], metavar="KEY=VALUE", help="over app.toml")
    options = parser.parse_args(arguments)
    try:
        compile_application(options.app_dir, options.out_dir, overrides=dict(options.set))
    except CompileError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
