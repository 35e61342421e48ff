# SPDX-License-Identifier: MIT
"""Random protothreads accepted by the compiler give the same output whether they wait everywhere or nowhere."""

import random
import subprocess
from pathlib import Path

from whit.compiler import c_source, protothread
from whit.compiler.errors import CompileError
from whit.paths import ROOT

PROGRAM_CNT = 400
# Runs each function twice: where no place to wait does wait, and where each does, its stack spoilt in between.
MAIN = r"""
#include <stdio.h>
#include <string.h>
#include <whit/app.h>

static int is_waiting, has_waited, octet, step_cnt, len;
static unsigned said[5000];

static bool passes(void)
{
    has_waited = is_waiting && !has_waited;
    return !has_waited;
}
bool whit_pt_in_ready(void) { return passes(); }
int16_t in(void) { return (int16_t)(octet++ % 7); }
void out_uint(uint32_t number) { said[len++ % 5000] = number; }
bool whit_pt_uint(uint32_t number)
{
    if (!passes())
        return false;
    out_uint(number);
    return true;
}
// Ends what would not end.
static int turn(void) { return ++step_cnt < 200; }

struct args_t;
struct state_t { uint8_t n; };
typedef char thread(struct whit_pt *pt, struct args_t *args, struct state_t *state);

static __attribute__((noinline)) void spoil(void)
{
    volatile unsigned char stack[2000];
    for (int i = 0; i < 2000; i++)
        stack[i] = 0xa5;
}

static int run(thread *one, int waiting, unsigned *to)
{
    struct whit_pt pt = { 0, 0 };
    struct state_t state = { 0 };
    is_waiting = waiting, has_waited = 0, octet = 0, step_cnt = 0, len = 0;
    do {
        spoil();
    } while (one(&pt, NULL, &state) != PT_DONE);
    memcpy(to, said, sizeof said);
    return len;
}
"""
END = r"""
int main(void)
{
    static unsigned with[5000], without[5000];
    for (unsigned i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        int len0 = run(threads[i], 0, without), len1 = run(threads[i], 1, with);
        printf("%d", len0 == len1 && memcmp(with, without, (size_t)len0 * sizeof *with) == 0);
    }
    return 0;
}
"""


class Writer:
    """Writes one random protothread, a statement a line."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.variable_cnt = 0

    def value(self, names: list[str]) -> str:
        choices = [str(self.rng.randint(0, 3)), "state->n", *names, *names]
        return self.rng.choice(choices)

    def name(self) -> str:
        # A name is now and then that of another variable.
        self.variable_cnt += 1
        return f"v{self.rng.randint(0, self.variable_cnt)}"

    def block(self, names: list[str], depth: int) -> None:
        names = list(names)
        for _ in range(self.rng.randint(1, 4)):
            self.statement(names, depth)

    def statement(self, names: list[str], depth: int) -> None:
        one = self.rng.choice(
            ["set", "say", "wait", "in", "declare", "state", "add", "if", "for", "while", "do", "block", "else"]
        )
        value = self.value(names)
        target = self.rng.choice(names) if names else "state->n"
        if one == "set":
            self.lines.append(f"{target} = {value};")
        elif one == "add":
            self.lines.append(f"{target} += {value};")
        elif one == "say":
            self.lines.append(f"out_uint({value});")
        elif one == "wait":
            self.lines.append(f"PT_OUT_UINT(pt, {value});")
        elif one == "in":
            self.lines.append(f"PT_IN(pt, {target});")
        elif one == "state":
            self.lines.append(f"state->n = {value};")
        elif one == "declare":
            name = self.name()
            if self.lines[-1] != "{":
                self.lines.append(";")
            if not any(line.startswith(f"uint8_t {name} ") for line in self.lines):
                self.lines.append(f"uint8_t {name} = {value};")
                names.append(name)
        elif depth > 0:
            self.nested(one, target, value, names, depth - 1)

    def nested(self, one: str, target: str, value: str, names: list[str], depth: int) -> None:
        head = {
            "if": f"if ({value} > 1)",
            "else": f"if ({value} > 1)",
            "for": f"for ({target} = 0; {target} < 2 && turn(); {target}++)",
            "while": f"while ({value} < 2 && turn())",
            "do": "do",
            "block": "",
        }[one]
        if self.rng.random() < 0.3 and one != "block":
            self.lines.append(head)
            self.lines.append(f"{target} = {value};" if self.rng.random() < 0.5 else f"PT_OUT_UINT(pt, {value});")
        else:
            self.lines += [head, "{"]
            self.block(names, depth)
            self.lines.append("}")
        if one == "else":
            self.lines += ["else", f"{target} = {value};"]
        elif one == "do":
            self.lines.append(f"while ({value} > 2 && turn());")

    def thread(self, number: int) -> str:
        self.lines = [
            f"char f{number}(struct whit_pt *pt, struct args_t *args, struct state_t *state)",
            "{",
            "(void)args;",
        ]
        names: list[str] = []
        for _ in range(self.rng.randint(0, 2)):
            self.lines.append(f"uint8_t {(name := self.name())} = {self.rng.randint(0, 3)};")
            if name in names:
                self.lines.pop()
            else:
                names.append(name)
        self.lines.append("PT_BEGIN(pt);")
        for _ in range(self.rng.randint(2, 6)):
            self.statement(names, 2)
        return "\n".join([*self.lines, *(f"out_uint({name});" for name in names), "PT_END(pt);", "}\n"])


def passes(text: str) -> bool:
    try:
        protothread.check("x.c", c_source.read("x.c", text))
    except CompileError:
        return False
    return True


def agree(programs: list[str], directory: Path) -> list[bool]:
    """Returns, for each program, whether its output is the same with and without waiting."""
    table = ", ".join(f"f{number}" for number in range(len(programs)))
    names = [program.replace("char f(", f"char f{number}(", 1) for number, program in enumerate(programs)]
    text = "\n".join([MAIN, *names, f"static thread *const threads[] = {{ {table} }};", END])
    (directory / "threads.c").write_text(text)
    (directory / "whit_persistent.h").write_text("")
    includes = [f"-I{ROOT}/include", f"-I{ROOT}/ports/flat", f"-I{directory}"]
    command = ["gcc", "-std=c11", "-O0", "-w", *includes, f"{directory}/threads.c", "-o", f"{directory}/threads"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = subprocess.run([f"{directory}/threads"], capture_output=True, text=True, timeout=60, check=True).stdout
    assert len(said) == len(programs)
    return [octet == "1" for octet in said]


def test_what_passes_is_sound(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    good: list[str] = []
    bad: list[str] = []
    while len(good) < PROGRAM_CNT or len(bad) < PROGRAM_CNT:
        text = Writer(rng).thread(0).replace("char f0(", "char f(", 1)
        (good if passes(text) else bad).append(text)
    good, bad = [text for text in good if "PT_" in text][:PROGRAM_CNT], bad[:PROGRAM_CNT]
    for text, same in zip(good, agree(good, tmp_path), strict=True):
        assert same, f"passes, and says something else when it waits:\n{text}"
    assert agree(bad, tmp_path).count(False) > PROGRAM_CNT // 10, "refused ones that would have been wrong"
