# SPDX-License-Identifier: MIT
"""The WSDL of services is valid, and toolkits read the functions' arguments and results from it."""

from decimal import Decimal
from pathlib import Path

import pytest
import xmlschema
import zeep
from lxml import etree
from suds.client import Client
from xmlschema.extras.wsdl import Wsdl11Document

from tests.bodies.support import ask
from tests.compiler.support import error_of, generator, make_app
from tests.harness import opened
from tests.services.described import files, with_soap
from tests.services.soap import calling, envelope, sent, texts
from whit.paths import ROOT
from whit.wire.http import request

XSD = "{http://www.w3.org/2001/XMLSchema}"
GIVES = "static char get(struct result_t *result) { (void)result; return 1; }\n"
VALUE = '<result><value name="v" type="int8"/></result>'


def soap_app(directory: Path, inner: str = VALUE) -> Path:
    return make_app(directory, {"x.c": generator('<service as="soap"/>' + inner, 'call="get"', GIVES)})


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The two WSDL files, by the name of their service."""
    scratch = tmp_path_factory.mktemp("wsdl")
    made = files(with_soap(scratch / "app"), scratch / "out")
    for path, content in made.items():
        if path.endswith(".wsdl"):
            (scratch / path).write_bytes(content)
    return {path.stem: path for path in scratch.glob("*.wsdl")}


def test_there_is_one_for_each_service(described: dict[str, Path]) -> None:
    assert set(described) == {"counter", "device"}


@pytest.mark.parametrize("name", ["counter", "device"])
def test_it_is_valid(described: dict[str, Path], name: str) -> None:
    """The WSDL is valid by its schema, with the one for SOAP 1.1; a reader of 1.1 alone resolves the references."""
    document = etree.parse(described[name])
    xmlschema.XMLSchema(Path(xmlschema.__file__).parent / "schemas" / "WSDL" / "wsdl.xsd").validate(document)
    for element in document.xpath("//*[contains(@name, 'Soap12')]"):
        element.getparent().remove(element)
    read = Wsdl11Document(etree.tostring(document).decode())
    assert [port for service in read.services.values() for port in service.ports] == [f"{name}Soap11"]
    schema = document.find(f".//{XSD}schema")
    assert schema is not None
    etree.XMLSchema(schema)


def test_its_schema_takes_what_the_functions_give(described: dict[str, Path]) -> None:
    schema = etree.XMLSchema(etree.parse(described["device"]).find(f".//{XSD}schema"))

    def takes(inner: str, element: str = "nestedResponse") -> bool:
        space = 'xmlns="urn:whit:device" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"'
        return bool(schema.validate(etree.fromstring(f"<{element} {space}>{inner}</{element}>")))

    point = "<points><x>-0.3</x><names>a0</names><names>a1</names><inner><deep>true</deep></inner></points>"
    assert takes(f"<squares>0</squares><squares>121</squares>{point * 6}<one><last>yes</last></one>")
    assert takes('<one><last i:nil="true"/></one>')
    assert not takes(f"{point * 7}<one><last>yes</last></one>")
    assert not takes("<one><last>perhaps</last></one>")
    assert takes("<u8>255</u8><u16>65.535</u16><i8>-12.8</i8><unit>k</unit><octets>AAEC</octets>", "every")
    for wrong in ("<u8>256</u8>", "<u16>65.536</u16>", "<i8>1.23</i8>", "<unit>x</unit>", f"<text>{'x' * 40}</text>"):
        assert not takes(wrong, "every"), wrong


def test_zeep_reads_it(described: dict[str, Path]) -> None:
    client = zeep.Client(str(described["device"]))
    for port in ("deviceSoap11", "deviceSoap12"):
        binding = client.bind("device", port)
        assert {name for name in dir(binding) if not name.startswith("_")} >= {"every", "nested", "plain", "quiet"}
    message = client.create_message(client.service, "nested", points=2, each=3)
    body = message.find(".//{urn:whit:device}nested")
    assert [(etree.QName(one).localname, one.text) for one in body] == [("points", "2"), ("each", "3")]
    operation = client.service._binding._operations["nested"]
    assert operation.soapaction == "urn:whit:device#nested"


def test_suds_reads_it(described: dict[str, Path]) -> None:
    client = Client(described["counter"].as_uri(), cache=None)
    assert [method for port in client.sd[0].ports for method in port[0].methods] == ["Add", "Add"]
    said = str(client)
    assert "Add(xs:byte by, how how)" in said, said


def test_the_address(tmp_path: Path) -> None:
    """The address follows app.toml's network, or its own setting."""
    app = soap_app(tmp_path / "app")

    def location(**overrides: object) -> list[str]:
        wsdl = etree.fromstring(files(app, tmp_path / "made", **overrides)["device.wsdl"])
        return [str(element.get("location")) for element in wsdl.iter("{*}address")]

    assert location() == ["http://10.7.0.2/device"] * 2
    assert location(**{"network.address": "192.0.2.7", "port": 8080}) == ["http://192.0.2.7:8080/device"] * 2
    assert location(**{"services.address": "https://home.example"}) == ["https://home.example/device"] * 2
    for wrong in ("home.example", "http://home.example/", "http://", "ftp://home.example", "http://a:65536"):
        said = error_of(app, {"services.address": wrong})
        assert f"services.address is '{wrong}': expected an URL without a path" in said


def test_who_has_none(tmp_path: Path) -> None:
    """The WSDL contains the functions that SOAP calls; functions for SOAP alone are in no other description."""
    assert set(files(soap_app(tmp_path / "soap"), tmp_path / "1")) == {"device.wsdl"}
    plain = make_app(tmp_path / "plain", {"x.c": generator(VALUE, 'call="get"', GIVES)})
    assert "device.wsdl" not in files(plain, tmp_path / "2")
    own = make_app(tmp_path / "soap", {"device.wsdl": "mine"})
    assert files(own, tmp_path / "3")["device.wsdl"] == b"mine"
    both = make_app(tmp_path / "soap", {"y.c": generator('<service as="soap json"/>' + VALUE, 'call="get"', GIVES)})
    made = files(both, tmp_path / "4")
    assert b"/x" not in made["openapi.json"] and b"/y" in made["openapi.json"]


def test_the_same_octets_each_time(tmp_path: Path) -> None:
    app = with_soap(tmp_path / "app", ROOT / "apps" / "services")
    assert files(app, tmp_path / "1") == files(app, tmp_path / "2")


def test_by_a_query(tmp_path: Path) -> None:
    """Most toolkits ask for the WSDL by a query; calls are unaffected."""
    app = with_soap(tmp_path / "app")
    with opened(app) as engine:
        octets = ask(engine, request("/device.wsdl")).body
        assert b"definitions" in octets
        for query in ("wsdl", "WSDL"):
            assert ask(engine, request(f"/device?{query}")).body == octets
        assert ask(engine, request("/counter?wsdl")).body != octets
        for other in ("/device?wsdl2", "/device?", "/device%3Fwsdl", "/device.wsdl%3Fwsdl", "/plain?wsdl"):
            assert ask(engine, request(other)).body != octets, other
        assert ask(engine, request("/device.wsdl?wsdl")).body == octets
        assert ask(engine, request("/device")).status == 405
        message = envelope(calling("plain", ""))
        assert texts(sent(engine, message, path="/device?wsdl")) == {"ticks": "2"}
        assert texts(sent(engine, message, path="/device?other=1")) == {"ticks": "3"}


BOUNDS = {
    "int8": ("-12.8", "12.7"),
    "uint8": ("0", "25.5"),
    "int16": ("-3276.8", "3276.7"),
    "uint16": ("0", "6553.5"),
    "int32": ("-214748364.8", "214748364.7"),
    "uint32": ("0", "429496729.5"),
}


def test_bounds_of_decimals(tmp_path: Path) -> None:
    values = "".join(f'<value name="{kind}_v" type="{kind}" scale="1"/>' for kind in BOUNDS)
    made = files(soap_app(tmp_path / "app", f"<result>{values}</result>"), tmp_path / "out")
    document = etree.fromstring(next(content for path, content in made.items() if path.endswith(".wsdl")))
    for kind, bounds in BOUNDS.items():
        facets = [
            document.xpath(f"//x:element[@name='{kind}_v']//x:{name}/@value", namespaces={"x": XSD[1:-1]})
            for name in ("minInclusive", "maxInclusive")
        ]
        assert [[Decimal(value) for value in facet] for facet in facets] == [[Decimal(bound)] for bound in bounds]
