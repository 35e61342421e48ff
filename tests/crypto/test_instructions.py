# SPDX-License-Identifier: MIT
"""AES by a processor's own instructions: where it has them, and without asking it for each record."""

import re
import shutil
import subprocess

import pytest

from tests.crypto.built import GCM, KINDS, compile_with, has_aes, on_this_machine

SEALS = """#include "whit/crypto.h"
int main(void)
{
    static struct whit_aead_key key;
    struct whit_aead aead;
    uint8_t text[40] = {0};
    whit_gcm_begin(&aead, &key, text, 5);
    whit_gcm_seal(&aead, &key, text, text, sizeof text);
    whit_gcm_open(&aead, &key, text, text, sizeof text);
    whit_gcm_end(&aead, &key, text);
    return text[0] & 1;
}
"""


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_fast_where_there_are_some(kind):
    assert on_this_machine(kind).whit_gcm_is_fast() == (kind == "wide" and has_aes())


@pytest.mark.skipif(not has_aes() or shutil.which("objdump") is None, reason="no instructions, or no binutils")
def test_a_processor_is_asked_once(tmp_path):
    """CPUID takes microseconds under a hypervisor. Only libgcc's start-up code may use it in a program that seals and
    opens: __cpu_indicator_init() and its callees."""
    (tmp_path / "main.c").write_text(SEALS)
    sources = (*KINDS["wide"], GCM["wide"], tmp_path / "main.c")
    program = compile_with(("gcc", "-O2"), "flat", sources, tmp_path / "program")
    listed = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", program], capture_output=True, text=True, check=True
    )
    functions = re.split(r"^[0-9a-f]+ <(.+)>:$", listed.stdout, flags=re.MULTILINE)[1:]
    having = {
        name: set(re.findall(r"\t(aesenc|pclmul|cpuid)", code))
        for name, code in zip(functions[::2], functions[1::2], strict=True)
    }
    assert {"aesenc", "pclmul"} <= set().union(*having.values())
    asking = [name for name, has in having.items() if "cpuid" in has]
    assert [name for name in asking if not name.startswith(("__cpu_indicator", "get_available_features"))] == []
