# SPDX-License-Identifier: MIT
"""Columns of every type, in a page: as the `mariadb` client shows them, and compared as MariaDB compares them."""

import html
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

from tests.host.conftest import Running
from whit.machines.free_port import free_port
from whit.paths import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("mariadb"),
    pytest.mark.skipif("WHIT_SANITIZE" in os.environ, reason="other programs are not started under sanitizers"),
    pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed"),
    pytest.mark.skipif(not shutil.which("mariadb-install-db"), reason="mariadb-server-core is not installed"),
    pytest.mark.skipif(not shutil.which("mariadb"), reason="mariadb-client-core is not installed"),
]
INTEGERS, REALS, DECIMALS, BITS, TEXTS = "integers", "reals", "decimals", "bits", "texts"
# The kind of each type, and its values. Each column has a NULL too.
TYPES: dict[str, tuple[str, tuple[str, ...]]] = {
    "TINYINT": (INTEGERS, ("-128", "0", "1", "127")),
    "TINYINT UNSIGNED": (INTEGERS, ("0", "1", "255")),
    "SMALLINT": (INTEGERS, ("-32768", "0", "32767")),
    "SMALLINT UNSIGNED": (INTEGERS, ("65535",)),
    "MEDIUMINT": (INTEGERS, ("-8388608", "8388607")),
    "INT": (INTEGERS, ("-2147483648", "0", "2147483647")),
    "INT UNSIGNED": (INTEGERS, ("4294967295",)),
    "BIGINT": (INTEGERS, ("-9223372036854775808", "-1", "0", "9223372036854775806")),
    "BIGINT UNSIGNED": (INTEGERS, ("0", "1", "18446744073709551615", "9223372036854775807", "9223372036854775808")),
    "BOOLEAN": (INTEGERS, ("FALSE", "TRUE")),
    "INT(5) ZEROFILL": (INTEGERS, ("0", "7", "123456")),
    "TINYINT(3) ZEROFILL": (INTEGERS, ("0", "7")),
    "BIGINT(255) ZEROFILL": (INTEGERS, ("0", "7")),
    "YEAR": (INTEGERS, ("0", "1999", "2026")),
    "BIT": (BITS, ("b'0'", "b'1'")),
    "BIT(9)": (BITS, ("0", "1", "257", "511")),
    "BIT(64)": (BITS, ("0", "1", "18446744073709551615")),
    "DECIMAL": (DECIMALS, ("0", "1", "-1", "9999999999")),
    "DECIMAL(9, 2)": (DECIMALS, ("0", "0.01", "-0.01", "1", "1.5", "-1.5", "12.5")),
    "DECIMAL(65, 30)": (DECIMALS, ("0", "1", "1e-30", "-1e-30", "12345678901234567890123456789012345.5")),
    "DECIMAL(65)": (DECIMALS, ("0", "1e64", "-1e64", "18446744073709551616")),
    "DECIMAL(9, 3) ZEROFILL": (DECIMALS, ("0", "1.5", "0.001")),
    "FLOAT": (REALS, ("0", "1.5", "-0.25", "0.1", "123456789", "3.4e38", "1.5e-10", "1e-44", "1")),
    "FLOAT(7, 3)": (REALS, ("0", "0.1", "-0.0005", "1e3", "1")),
    "FLOAT ZEROFILL": (REALS, ("0", "1.5", "1e20")),
    "DOUBLE": (
        REALS,
        (
            *("0", "1.5", "0.1", "1.5e-10", "2.5e-6", "123456789.123456789", "1.79e308", "-1.7976931348623157e308"),
            *("5e-324", "1e15", "123456789012345", "1e-15", "1.5e-16", "0.30000000000000004", "1e22", "-2", "1"),
        ),
    ),
    "DOUBLE(10, 2)": (REALS, ("0", "0.1", "2.675", "-0.004", "12345678.9", "1")),
    "DOUBLE(255, 30)": (REALS, ("0.5", "1e224", "1e-29", "0.3")),
    "DOUBLE(8, 2) ZEROFILL": (REALS, ("0", "1.5", "100000")),
    "DOUBLE ZEROFILL": (REALS, ("0", "1.5", "1e-10", "1e200")),
    "DATE": (TEXTS, ("'2026-01-02'", "'0000-00-00'", "'9999-12-31'")),
    "TIME": (TEXTS, ("'00:00:00'", "'-838:59:59'", "'100:01:02'")),
    "TIME(2)": (TEXTS, ("'00:00:00'", "'1:2:3.5'", "'-1:2:3'", "'-0:0:0.25'")),
    "DATETIME": (TEXTS, ("'2026-01-02 03:04:05'", "'0000-00-00'", "'2026-01-02'")),
    "DATETIME(3)": (TEXTS, ("'2026-01-02 03:04:05.25'", "'2026-01-02'", "'0000-00-00'")),
    "DATETIME(6)": (TEXTS, ("'2026-01-02 03:04:05.000001'", "'2026-01-02 03:04:05'", "'2026-01-02'")),
    "TIMESTAMP NULL": (TEXTS, ("'2026-01-02 03:04:05'",)),
    "TIMESTAMP(1) NULL": (TEXTS, ("'2026-01-02 03:04:05.2'", "'2026-01-02 03:04:05'")),
    "CHAR(9)": (TEXTS, ("''", "'a<b'", "'0'", "'it''s'", "'ä€😀'")),
    "VARCHAR(40)": (TEXTS, ("''", "'</script>'", "'&amp;\"'", "'1.50'")),
    "TEXT": (TEXTS, ("''", "REPEAT('ä', 300)")),
    "BINARY(3)": (TEXTS, ("'abc'",)),
    "VARBINARY(9)": (TEXTS, ("''", "'abc'")),
    "BLOB": (TEXTS, ("''", "'<b>'")),
    "ENUM('on', 'off', '')": (TEXTS, ("'on'", "'off'", "''")),
    "SET('a', 'b', 'c')": (TEXTS, ("''", "'a'", "'a,c'")),
    "JSON": (TEXTS, ('\'{"a": [1, 2.50, "x"]}\'', "'null'")),
    "UUID": (TEXTS, ("'123e4567-e89b-12d3-a456-426655440000'",)),
    "INET6": (TEXTS, ("'::1'", "'::ffff:192.0.2.1'", "'2001:db8::ff'")),
}
COMPARED = (-1, 0, 1, 2)
SIGNS = ("<", "<=", "==", ">=", ">", "!=")


def name(kind: str) -> str:
    return "c_" + re.sub(r"\W+", "_", kind.split("'")[0]).lower().strip("_")


COLUMNS = {name(kind): (kind, *TYPES[kind]) for kind in TYPES}
ROWS = max(len(values) for _, _, values in COLUMNS.values()) + 1  # the last: all NULL
NUMBERS = [one for one, (_, what, _) in COLUMNS.items() if what != TEXTS]
# The columns keep the order of the issue: a page printed T T F F F F T 2.
SUMS = "SELECT CAST(0 AS DECIMAL) AS a, SUM(0) AS b, 0.5 AS c, -0.5 AS d, 0.5e0 AS e, 1.50 AS f FROM item"
SUMS_PAGE = f"""{{% for row in query("{SUMS}") %}}{{{{ "T" if row.a else "F" }}}} {{{{ "T" if row.b else "F" }}}}
 {{{{ "T" if row.c > 0 else "F" }}}} {{{{ "T" if row.d < 0 else "F" }}}} {{{{ "T" if row.e > 0 else "F" }}}}
 {{{{ "T" if row.f > 1 else "F" }}}} {{{{ "T" if row.f == 1 else "F" }}}}{{% endfor %}}
"""
REFUSED = {
    "{{ row.v * 2 }}": (
        "1.50",
        "row.v is a DECIMAL with 2 digits behind the point: a page computes with whole numbers",
    ),
    "{% set n = row.v %}{{ n }}": ("1.5e0", "row.v is a DOUBLE: a page computes with whole numbers of 64 bits"),
    "{{ row.v // 2 }}": ("'3'", "row.v is a text: expected a number; SQL converts it, CAST(... AS INT)"),
    "{{ 1 if row.v > 0 }}": ("'3a'", "row.v is a text: expected a number; SQL converts it"),
    "{{ 1 if 0 < row.v }}": ("DATE'2026-01-02'", "row.v is a DATE: expected a number; SQL converts it"),
    "{{ 1 if row.v > row.w }}": ("'3'", "row.v is a text: expected a number; SQL converts it"),
    '{{ 1 if row.v == "3" }}': (
        "3",
        "row.v is an INT: expected a text here; without quotes, it is compared as a number",
    ),
    "{{ row.v|length }}": ("1.5e0", "row.v is a DOUBLE: expected a text here; without quotes"),
    "{{ 1 if row.v is odd }}": ("1.5", "row.v is a DECIMAL with 1 digits behind the point: a page computes"),
    "{% for i in range(row.v) %}{{ i }}{% endfor %}": ("2.5", "row.v is a DECIMAL with 1 digits behind the point"),
}
TAKEN = {
    "{{ row.v + 1 }}": ("SUM(41)", "42"),
    "{{ row.v - 1 }} ": ("CAST(-9223372036854775807 AS DECIMAL(20))", "-9223372036854775808 "),
    "{{ row.v * 2 }}": ("(SELECT MAX(c_bit_9) FROM t)", "1022"),
    "{{ row.v * 2 }} ": ("(SELECT c_bit_9 FROM t WHERE id = 3)", "1022 "),
    "{{ row.v // 2 }}": ("YEAR('2026-01-02')", "1013"),
    "{{ row.v + 0 }}": ("CAST(18446744073709551615 AS UNSIGNED)", "503"),  # more than 64 bits with a sign
    "{{ row.v + 0 }} ": ("CAST(9223372036854775808 AS DECIMAL(20))", "503"),
    '{{ 1 if row.v == "1.50" else 0 }}': ("1.50", "1"),
    '{{ 1 if row.v == "on" else 0 }}': ("NULL", "0"),
    "{{ 1 if row.v == 0 else 0 }}{{ 1 if row.v != 0 else 0 }}{{ 1 if row.v < 1 else 0 }}": ("NULL", "010"),
    "{{ 1 if row.v == row.w else 0 }}": ("'3'", "0"),  # a text and a number
    "{{ 1 if row.v == row.w else 0 }} ": ("3.00", "1 "),
    "{{ 1 if row.v >= row.w else 0 }}": ("0.3e1", "1"),
    "{{ row.v|length }}": ("'ä€'", "2"),
}


@dataclass(frozen=True)
class Served:
    """The application, its database's client, and the output of `./whit run`."""

    port: int
    there: Path
    server: Running

    def get(self, page: str) -> str:
        """The content, or the status where it is not 200."""
        command = ["curl", "-s", "-m", "20", "-w", "%{http_code}", f"http://127.0.0.1:{self.port}/{page}"]
        said = subprocess.run(command, capture_output=True, check=True).stdout.decode()
        return said[:-3] if said.endswith("200") else said[-3:]

    def sql(self, statement: str) -> list[str]:
        """The one column of each row."""
        port, password = ((self.there / one).read_text().strip() for one in ("port", "password"))
        command = ["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{port}", "-uwhit", f"-p{password}", "whit"]
        command += ["--default-character-set=utf8mb4", "--batch", "--raw", "--skip-column-names", "-e", statement]
        return subprocess.run(command, capture_output=True, check=True).stdout.decode().splitlines()


def _application(app: Path) -> None:
    columns = ", ".join(f"{one} {kind}" for one, (kind, _, _) in COLUMNS.items())
    schema = "SET NAMES utf8mb4;\nSET sql_mode = '';\nSET time_zone = '+00:00';\nCREATE TABLE item (id INT);\n"
    schema += f"INSERT INTO item VALUES (1);\nCREATE TABLE t (id INT PRIMARY KEY, {columns});\n"
    for row in range(ROWS):
        given = [values[row] if row < len(values) else "NULL" for _, _, values in COLUMNS.values()]
        schema += f"INSERT INTO t VALUES ({row}, {', '.join(given)});\n"
    (app / "schema.sql").write_text(schema)
    (app / "app.toml").write_text('name = "types"\n[database]\nrow = 32768\ntimeout_ms = 10000\n')
    for one, (_, what, _) in COLUMNS.items():
        loop = f'{{% for row in query("SELECT {one} FROM t ORDER BY id") %}}'
        (app / f"{one}.html.jinja").write_text(
            f'{loop}<p title="{{{{ row.{one} }}}}">{{{{ row.{one} }}}}</p>\n{{% endfor %}}'
        )
        script = f"{loop}<script>const v = {{{{ row.{one} }}}};</script>\n{{% endfor %}}"
        (app / f"{one}_script.jinja").write_text(script)
        (app / f"{one}_true.jinja").write_text(f"{loop}{{{{ 1 if row.{one} else 0 }}}}{{% endfor %}}")
        if what != TEXTS:
            tests = " ".join(
                f"{{{{ 1 if row.{one} {sign} {number} else 0 }}}}" for number in COMPARED for sign in SIGNS
            )
            (app / f"{one}_order.jinja").write_text(f"{loop}{tests}\n{{% endfor %}}")
    (app / "sums.jinja").write_text(SUMS_PAGE)
    for prefix, pages in (("refused", REFUSED), ("taken", TAKEN)):
        for number, (text, (value, _)) in enumerate(pages.items()):
            loop = f'{{% for row in query("SELECT {value} AS v, 3 AS w") %}}'
            (app / f"{prefix}{number}.jinja").write_text(f"{loop}\n{text}{{% endfor %}}")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    there, port = tmp_path_factory.mktemp("types"), free_port()
    (there / "app").mkdir()
    _application(there / "app")
    command = [str(ROOT / "whit"), "run", str(there / "app"), "--port", str(port), "--counters"]
    server = Running([*command, "--data", str(there / "data")], there)
    try:
        server.read_until("Ctrl-C ends it.")
        yield Served(port, next((there / "data").rglob("database")), server)
        assert server.end(signal.SIGINT) == 0
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


def shown(pages: Served, one: str) -> list[str]:
    """Returns a column as the client shows it; a BIT is read as a number, not as octets."""
    return pages.sql(f"SELECT {one}{' + 0' if COLUMNS[one][1] == BITS else ''} FROM t ORDER BY id")


@pytest.mark.parametrize("one", COLUMNS)
def test_it_is_shown_as_the_client_shows_it(pages: Served, one: str) -> None:
    """A page shows the client's text, as content and in an attribute."""
    expected = ["" if text == "NULL" else text for text in shown(pages, one)]
    found = re.findall(r'<p title="(.*?)">(.*?)</p>', pages.get(f"{one}.html"))
    assert [html.unescape(inside) for _, inside in found] == expected
    assert [html.unescape(title) for title, _ in found] == expected


@pytest.mark.parametrize("one", COLUMNS)
def test_it_is_a_number_or_a_string_in_a_script(pages: Served, one: str) -> None:
    """Numbers as JSON has them: without zeros in front."""
    expected = [None if text == "NULL" else text for text in shown(pages, one)]
    said = re.findall(r"<script>const v = (.*?);</script>", pages.get(f"{one}_script"))
    found = [json.loads(text, parse_float=Decimal, parse_int=Decimal) for text in said]
    assert found == [text if text is None or one not in NUMBERS else Decimal(text) for text in expected]


@pytest.mark.parametrize("one", COLUMNS)
def test_it_is_true_unless_it_is_0_or_empty(pages: Served, one: str) -> None:
    nothing = "0" if one in NUMBERS else "''"
    test = f"CONCAT({one}) <> {nothing}" if one not in NUMBERS else f"{one} <> {nothing}"
    assert list(pages.get(f"{one}_true")) == pages.sql(f"SELECT IFNULL({test}, 0) FROM t ORDER BY id")


@pytest.mark.parametrize("one", NUMBERS)
def test_it_is_compared_as_mariadb_compares_it(pages: Served, one: str) -> None:
    """A page compares as MariaDB does. Two exceptions: a NULL differs from a number only, and a YEAR is a number. To
    MariaDB, 1 is the year 2001."""
    tests = [
        f"IFNULL({one} + 0 {'=' if sign == '==' else sign} {number}, {int(sign == '!=')})"
        for number in COMPARED
        for sign in SIGNS
    ]
    assert pages.get(f"{one}_order").splitlines() == pages.sql(
        f"SELECT CONCAT_WS(' ', {', '.join(tests)}) FROM t ORDER BY id"
    )


def test_conditions_of_decimals_and_sums(pages: Served) -> None:
    assert pages.get("sums").split() == ["F", "F", "T", "T", "T", "T", "F"]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_a_page_cannot_compute_is_refused(pages: Served, number: int) -> None:
    """The page gets 503, never a wrong number. The log names the line and the way out when the statement is
    prepared."""
    assert pages.get(f"refused{number}") == "503"
    said = [line for line in pages.server.output.splitlines() if f"refused{number}.jinja:2: " in line]
    assert len(said) == 1
    assert list(REFUSED.values())[number][1] in said[0]


@pytest.mark.parametrize("number", range(len(TAKEN)))
def test_what_it_computes_is_right(pages: Served, number: int) -> None:
    assert pages.get(f"taken{number}") == list(TAKEN.values())[number][1]
    assert f"taken{number}.jinja" not in pages.server.output


def test_the_log_says_why(pages: Served) -> None:
    assert [pages.get("refused0"), pages.get("nowhere")] == ["503", "404"]
    said = pages.server.read_until("GET /nowhere 404 ")
    words = "page() returned PT_UNAVAILABLE: the database: a column of another type than the page computes with"
    assert f"GET /refused0 503 {words}: SQL computes, or CAST\n" in said
