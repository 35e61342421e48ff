# SPDX-License-Identifier: MIT
"""Fuzzes what the application compiler reads: C files with a <generator> element, and app.toml.

    PYTHONPATH=tools python -m fuzz.compiler.fuzz_compiler [--runs N] [--seed S] [FILE ...]

Inputs are the corpus, mutated by octets and by words of the languages. Whatever the input, the compiler accepts it or
says CompileError in one line with a line number of the input; what it accepts keeps its promises (check_c, check_toml).
With FILEs, only these are run. A failing input is printed and written to `failed-<seed>-<run>` with the suffix of its
kind; once repaired it belongs in the corpus, where the tests run it for ever.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from whit.compiler import annotation, app_toml, c_source, protothread
from whit.compiler.errors import CompileError
from whit.compiler.resources import generated

CORPUS = Path(__file__).parent / "corpus"

_ELEMENTS = ("generator", "handlers", "properties", "args", "arg", "content-types", "content-type")
_ATTRIBUTES = (
    "init",
    "initGet",
    "doGet",
    "doPost",
    "doPostIn",
    "doPostOut",
    "persistence",
    "channel",
    "content-type",
    "name",
    "type",
    "size",
    "optional",
    "values",
    "default",
)
_VALUES = (
    "get",
    "idempotent",
    "volatile",
    "uint8",
    "int32",
    "bool",
    "enum",
    "on off",
    "str",
    "255",
    "256",
    "2",
    "-1",
    "true",
    "text/html",
)
C_WORDS = [
    *(f"<{name}>" for name in _ELEMENTS),
    *(f"</{name}>" for name in _ELEMENTS),
    *(f"<{name}/>" for name in _ELEMENTS),
    *(f' {name}="' for name in _ATTRIBUTES),
    *(f'{value}"' for value in _VALUES),
    *(
        "/*",
        "*/",
        "//",
        "\n",
        '"',
        "'",
        "\\",
        "\\\n",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "&amp;",
        "&#0;",
        "&x;",
    ),
    *(
        "<!DOCTYPE x>",
        ' xmlns:a="b"',
        "{",
        "}",
        "(",
        ")",
        ";",
        "static ",
        "char get(void) {",
        "char get(struct args_t *a) {",
        "char get(struct whit_pt *pt, struct args_t *a, struct state_t *s) {",
        "struct whit_part *part",
        "uint32_t i, uint16_t len",
        "void **data",
        "PT_BEGIN(pt);",
        "PT_END(pt);",
        "PT_OUT_C(pt, c);\n",
        "PT_IN(pt, c);\n",
        "uint8_t c",
        " = 3;\n",
        "for (;;)",
        "if (c)",
        "else",
        "do",
        "while (c)",
        "switch (c)",
        "#define ",
        "\0",
        "\xff",
        "\u20ac",
    ),
]
TOML_WORDS = [
    *app_toml.KEYS,
    *(
        "=",
        " = ",
        "\n",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        ",",
        '"',
        "'",
        '"""',
        "'''",
        "#",
        ".",
        "\\",
        "\\u0000",
        "true",
        "false",
    ),
    *(
        "0",
        "1",
        "-1",
        "0x",
        "1e9",
        "inf",
        "nan",
        "1_0",
        "9" * 30,
        "1979-05-27T07:32:00Z",
        "\0",
        "\r",
        "\r\n",
        "\xff",
        "\u20ac",
    ),
    *("[network]\n", "[link]\n", '"10.0.0.1"', '"02:00:00:00:00:01"', '"255.255.255.255"'),
]


def check_c(text: str) -> None:
    """Checks one C file: the values of its element fit the engine's fields."""
    source = c_source.read("x.c", text)
    assert len(source.code) == len(source.comments) == len(text)
    assert source.code.count("\n") == source.comments.count("\n") == text.count("\n")
    functions = source.functions()
    protothread.check("x.c", source)
    for function in functions.values():
        assert text.startswith(function.name, function.start)
        assert function.start < function.body < function.end <= len(text)
        protothread.check_statics("x.c", source, function)
    generator = annotation.read("x.c", source, {})
    if generator is None:
        return
    annotation.check_args_len("x.c", generator)
    assert generator.get or generator.has_body
    assert set(generator.handlers) <= set(functions)
    assert len({argument.name for argument in generator.arguments}) == len(generator.arguments) <= 16
    assert all(1 <= argument.line <= text.count("\n") + 1 for argument in generator.arguments)
    octets = generated("x.c", generator).representations[0].head.octets
    assert octets.count(b"\r\n") == 2


def check_toml(text: str) -> None:
    """app.toml: every limit that comes out is in its range."""
    settings = app_toml.read("app.toml", text, {})
    settings.network()
    limits = settings.limits(has_generators=True)
    assert 1 <= limits.connections <= 10000
    assert 1 <= limits.idle <= 20000
    assert 0 <= limits.buffer <= 32768
    assert limits.chunk in app_toml.CHUNKS
    for key in settings.values:
        assert 1 <= app_toml.line_of(text, key) <= text.count("\n") + 1


KINDS: dict[str, tuple[Callable[[str], None], list[str]]] = {
    ".c": (check_c, C_WORDS),
    ".toml": (check_toml, TOML_WORDS),
}


def run(kind: str, text: str) -> bool:
    """True if the input is accepted. Raises the errors that the fuzzer looks for."""
    try:
        KINDS[kind][0](text)
    except CompileError as error:
        assert "\n" not in str(error)
        assert error.line is None or 1 <= error.line <= text.count("\n") + 1, f"line {error.line}"
        return False
    return True


def mutate(rng: random.Random, text: str, other: str, words: list[str]) -> str:
    """A few random edits; `other` is another input to take pieces from."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.choice((0, 0, 1, 2, 8, 40)))
        piece = rng.choice(
            (
                rng.choice(words),
                "",
                chr(rng.choice((0, 9, 10, 34, 39, 42, 47, 60, 62, 92, 127, 255, rng.randint(0, 0xD7FF)))),
                text[start:end] * rng.choice((2, 3, 50)),
                other[rng.randint(0, len(other)) :][: rng.randint(0, 60)],
            )
        )
        text = text[:start] + piece + text[end:]
    return text[:20_000]


def corpus(kind: str) -> list[str]:
    return [path.read_bytes().decode("utf-8") for path in sorted(CORPUS.glob(f"*{kind}"))]


def inputs(seed: int, runs: int) -> Iterator[tuple[str, str]]:
    """Yields kind and text of each run. Accepted inputs, and inputs with a new message, are mutated further."""
    rng = random.Random(seed)
    pool = {kind: corpus(kind) for kind in KINDS}
    for _ in range(runs):
        kind = rng.choice(list(KINDS))
        text = mutate(rng, rng.choice(pool[kind]), rng.choice(pool[kind]), KINDS[kind][1])
        yield kind, text
        if rng.random() < 0.1 and len(pool[kind]) < 500:
            pool[kind].append(text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzzes the application compiler.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="run these inputs only: *.c, *.toml")
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    options = parser.parse_args()
    if options.files:
        for file in options.files:
            print(f"{file}: {'accepted' if run(file.suffix, file.read_text()) else 'refused'}")
        return 0
    accepted = 0
    for number, (kind, text) in enumerate(inputs(options.seed, options.runs)):
        try:
            accepted += run(kind, text)
        except Exception:
            failed = Path(f"failed-{options.seed}-{number}{kind}")
            failed.write_bytes(text.encode("utf-8", "surrogatepass"))
            print(f"--seed {options.seed}, run {number}, written to {failed}:\n{text}", file=sys.stderr)
            raise
    print(f"{options.runs} inputs of --seed {options.seed}: {accepted} accepted, the others refused with a line")
    return 0


if __name__ == "__main__":
    sys.exit(main())
