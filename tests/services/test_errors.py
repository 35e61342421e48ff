# SPDX-License-Identifier: MIT
"""Mistakes of an author in a service give one line each; a correct service gives the right C."""

import subprocess
from pathlib import Path

import pytest

from tests.compiler.support import INCLUDES, WARNINGS, error_of, generator, make_app
from whit.compiler import compile_application
from whit.paths import ROOT

BOTH = "static char get(struct args_t *args, struct result_t *result) { (void)args; (void)result; return 1; }\n"
GIVES = "static char get(struct result_t *result) { (void)result; return 1; }\n"
TAKES = (
    """
static bool take(struct args_t *args, const uint8_t *octets, uint8_t len) { return args && octets && len; }
static char char_take(struct args_t *args, const uint8_t *octets, uint8_t len) { return args && octets && len; }
static bool give(struct args_t *args, uint32_t at, uint8_t *octets, uint8_t len) { return args && octets && at + len; }
"""
    + BOTH
)
DIGEST = '<service as="soap" security="digest"/>'
VOLATILE = '<properties persistence="volatile"/><service as="get"/>'
ARG = '<args><arg name="a" type="int8"/></args>'
VALUE = '<result><value name="v" type="int8"/></result>'
CALL = 'call="get"'


def service(inner: str, code: str = BOTH, handlers: str = CALL) -> str:
    return generator(inner, handlers, code)


def values(*inner: str) -> str:
    return service(f"<result>{''.join(inner)}</result>", GIVES)


DEEP = '<record name="a"><record name="b"><record name="c"><value name="v" type="bool"/></record></record></record>'
MANY = "".join(f'<value name="v{i}" type="bool"/>' for i in range(33))
SIXTEEN = "".join(f'<arg name="a{i}" type="bool"/>' for i in range(16))
ERRORS = [
    ("call and doGet", service(ARG + VALUE, handlers='call="get" doGet="get"'), "2: call and doGet: expected one of"),
    ("no result", service(ARG), "1: get takes struct result_t *: expected <result>, which declares its members"),
    ("no args", service(VALUE), "1: get takes struct args_t *: expected <args>"),
    ("args unused", service(ARG + VALUE, GIVES), "3: <args> and get without struct args_t *: expected both"),
    ("rest", service(f'<service as="rest"/>{ARG}{VALUE}'), "3: as is 'rest': expected some of soap, json and form"),
    ("digest", service(f'<service security="digest"/>{ARG}{VALUE}'), '3: security is "digest", and as is "json form"'),
    ("signed", service(f'<service as="soap json" security="signed"/>{ARG}{VALUE}'), "the other ways carry no token"),
    (
        "a word",
        service(f'<service security="sign"/>{ARG}{VALUE}'),
        "security is 'sign': expected none, digest or signed",
    ),
    ("no key", service(f'<service as="soap" security="digest"/>{ARG}{VALUE}'), "expected in app.toml who may call"),
    ("as nothing", service(f'<service as=""/>{ARG}{VALUE}'), "3: as is '': expected some of soap, json and form"),
    ("as twice", service(f'<service as="json json"/>{ARG}{VALUE}'), "3: as is 'json json': expected some of"),
    ("a name", service(f'<service name="a b"/>{ARG}{VALUE}'), "3: name is 'a b': expected a name of letters"),
    ("an URI", service(f'<service namespace="x"/>{ARG}{VALUE}'), "3: namespace is 'x': expected an URI"),
    ("result without call", generator(VALUE), '3: <result> without call: expected <handlers call="function"/>'),
    ("content type", service('<properties content-type="text/html"/>' + ARG + VALUE), "3: content-type of a service"),
    ("types", service("<content-types/>" + ARG + VALUE), "3: <content-types> of a service: expected <service as="),
    ("too deep", values(DEEP), "3: record 'c' is number 4 in one another: expected 3, the result included"),
    ("too many", values(MANY), "3: <result> has 33 values: expected 1 to 32"),
    ("none", values(), "3: <result> has 0 values: expected 1 to 32"),
    ("arguments", service(f"<args>{SIXTEEN}</args>{VALUE}"), "3: 16 arguments of a service: expected 15"),
    ("float", values('<value name="v" type="float"/>'), "3: value 'v' is of unknown type 'float': expected one of"),
    ("a keyword", values('<value name="int" type="bool"/>'), "3: <value> has the name 'int': expected a C identifier"),
    ("twice", values('<value name="v" type="bool"/><value name="v" type="bool"/>'), "3: a second value 'v'"),
    (
        "a count",
        values('<value name="v" type="bool" count="2"/><value name="v_cnt" type="bool"/>'),
        "3: 'v_cnt' is a generated field of 'v': expected another name",
    ),
    (
        "a length",
        values('<value name="v_len" type="bool"/><value name="v" type="base64" size="3"/>'),
        "3: 'v_len' is a generated field of 'v': expected another name",
    ),
    (
        "two structs",
        values(
            '<record name="a"><record name="b"><value name="v" type="bool"/></record></record>',
            '<record name="a_b"><value name="v" type="bool"/></record>',
        ),
        "3: a second struct result_a_b_t: expected another name",
    ),
    (
        "reserved",
        service(f'<service as="soap" name="whit"/>{ARG}{VALUE}'),
        "3: SOAP calls the functions of whit at /whit, which is reserved: expected another name",
    ),
    ("scale", values('<value name="v" type="bool" scale="1"/>'), "3: 'v' is bool: expected scale with int8 to uint32"),
    ("scale 10", values('<value name="v" type="int8" scale="10"/>'), "3: scale of 'v' is '10': expected the digits"),
    ("count", values('<value name="v" type="int8" count="256"/>'), "3: count is '256': expected 1 to 255 elements"),
    ("text", values('<value name="v" type="str"/>'), "3: value 'v' has no size: expected 2 to 255 bytes"),
    ("stack", values('<value name="v" type="str" size="200" count="6"/>'), "3: the result takes 1201 bytes: expected"),
    ("wide", values('<record name="r"><value name="v" type="str" size="9" count="40"/></record>'), "takes 361 bytes"),
    ("base64s", values('<value name="v" type="base64" size="9" count="4"/>'), "3: 'v' is an array of base64"),
    ("a default", service(ARG.replace("/>", ' scale="1" default="12.8"/>', 1) + VALUE), "expected -12.8 to 12.7"),
    (
        "base64",
        service('<args><arg name="a" type="base64" size="4"/></args>' + VALUE),
        "expected a multiple of 3 bytes",
    ),
    *(
        (f"pieces {expected}", service(f"{before}<args><arg {arg}/></args>{VALUE}", TAKES), expected)
        for before, arg, expected in (
            ("", 'name="a" type="str" size="9" take="take"', "argument 'a' has take: expected it with base64 of"),
            ("", 'name="a" type="base64" take="none"', "take is 'none': no function of that name is defined in this"),
            ("", 'name="a" type="base64" take="get"', "expected static bool get(struct args_t *, const uint8_t *, ui"),
            ("", 'name="a" type="base64" take="char_take"', "expected static bool char_take(struct args_t *, const"),
            ("", 'name="a" type="base64" take="take" size="x"', "argument 'a' has size 'x': expected 1 to 12000000"),
            ("", 'name="a" type="base64" take="take" count="3"', "'a' is an array of base64: expected one value"),
            ("", 'name="a" type="base64" take="take" source="path"', "source of argument 'a', which is taken by pie"),
            ("", 'name="a" type="base64" take="take"/><arg name="a_ticket" type="bool"', "'a_ticket' is a generated"),
            ("", 'name="a" type="base64" take="take"/><arg name="a_len" type="bool"', "'a_len' is a generated"),
            (DIGEST, 'name="a" type="base64" take="take"', "take of 'a', and security is \"digest\": expected none"),
            (VOLATILE, 'name="a" type="base64" take="take"', 'take of \'a\', and as is "get": expected as="json"'),
        )
    ),
    *(
        (f"pieces {expected}", service(f"{ARG}<result>{value}</result>", TAKES), expected)
        for value, expected in (
            ('<value name="v" type="str" size="9" give="give"/>', "value 'v' has give: expected it with base64 only"),
            ('<value name="v" type="base64" give="take"/>', "expected static bool take(struct args_t *, uint32_t, "),
            ('<value name="v" type="base64" give="give" size="0"/>', "value 'v' has size '0': expected 1 to 12000000"),
            (
                '<value name="v" type="base64" give="give"/><value name="w" type="str" size="227"/>',
                "3: the result takes 232 bytes beside what is given by pieces: expected at most 230, as they are kept",
            ),
            ('<value name="v" type="base64" give="give" count="3"/>', "'v' is an array of base64: expected one value"),
            (
                '<record name="r"><value name="v" type="base64" give="give"/></record>',
                "give of 'v', which is in a record: expected it in <args> or <result> itself",
            ),
        )
    ),
    ("scale elsewhere", generator('<args><arg name="a" type="int8" scale="1"/></args>'), "3: scale without <handlers"),
    ("date elsewhere", generator('<args><arg name="a" type="date-time"/></args>'), "of unknown type 'date-time'"),
    ("path", service(ARG.replace("/>", ' source="path"/>', 1) + VALUE), "source='path' of a persistent service"),
    ("record", service(f'{ARG}<result record="x"/>'), "3: record is 'x': expected a table [persistent.x] in app.toml"),
]


@pytest.mark.parametrize(("text", "expected"), [one[1:] for one in ERRORS], ids=[one[0] for one in ERRORS])
def test_told_in_one_line(tmp_path: Path, text: str, expected: str) -> None:
    said = error_of(make_app(tmp_path / "app", {"x.c": text}))
    assert expected in said
    assert "\n" not in said


def test_an_operation_that_is_called_as_the_answer_of_another_one(tmp_path: Path) -> None:
    said = f'<service as="soap" operation="{{}}"/>{ARG}{VALUE}'
    files = {f"{name}.c": service(said.format(name)) for name in ("a", "aResponse")}
    expected = "aResponse.c:3: operations 'a' and 'aResponse': one is the answer of the other in SOAP"
    assert expected in error_of(make_app(tmp_path / "soap", files))
    made = make_app(tmp_path / "json", {name: text.replace("soap", "json") for name, text in files.items()})
    compile_application(made, tmp_path / "out")


RECORD = '[persistent.contact]\nrecords = 2\nname = { type = "str", size = 8 }\nage = "uint8"\nmarks = "int8[3]"\n'
OF_RECORD = """static char get(struct args_t *args, struct result_t *result)
{
    return args->id < 2 && persistent_load_contact(args->id, &result->contact);
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "avr-gcc"])
def test_c_that_compilers_take(tmp_path: Path, compiler: str) -> None:
    """The generated C compiles with all warnings, except those about constants in persistent_read(). The applications
    are the tests', and one whose result is a record of persistent memory."""
    record = service('<args><arg name="id" type="uint8"/></args><result record="contact"/>', OF_RECORD)
    text = RECORD.replace('"int8[3]"', '{ type = "int8", count = 3 }')
    own = (ROOT / "tests" / "apps" / name for name in ("services", "pieces"))
    apps = [*own, make_app(tmp_path / "app", {"x.c": record, "app.toml": text})]
    port = ["-mmcu=atmega1284p", f"-I{ROOT}/ports/avr"] if compiler == "avr-gcc" else []
    for number, app in enumerate(apps):
        out = tmp_path / str(number)
        compile_application(app, out)
        for log in (0, 1):
            for source in sorted(out.glob("generator_*.c")):
                flags = [
                    *WARNINGS,
                    "-Wno-pointer-arith",
                    *port,
                    *INCLUDES,
                    f"-I{out}",
                    f"-I{app}",
                    f"-DWHIT_HAS_LOG={log}",
                ]
                subprocess.run([compiler, *flags, "-c", str(source), "-o", str(tmp_path / "o")], check=True)
