# SPDX-License-Identifier: MIT
"""The example applications by HTTPS from two slots, in Chromium and Firefox, which trust the authority. Each page
arrives whole, its script fills it in, and its controls work."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser

from tests.https import chromium as chromiums
from tests.https.firefox import Firefox, firefox
from tests.https.relay import relayed
from tests.https.served import Served, served
from whit.certificate import places
from whit.certificate.authority import authority
from whit.errors import WhitError
from whit.machines import mariadb
from whit.machines.free_port import free_port
from whit.paths import ROOT

Tab = chromiums.Tab | Firefox
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("https-browsers")]  # they share servers

TWO_SLOTS = ("--https", "--set", "connections=2")
FILLED = """const texts = () => Object.keys(said[0]).map((name) => {
  const element = document.querySelector(name);
  return element ? element.value ?? element.textContent : null;
});
const wanted = Object.values(said[0]).map((text) => new RegExp(text));
for (let times = 0; times < 200; times++) {
  if (texts().every((text, at) => wanted[at].test(text))) break;
  await new Promise((go) => setTimeout(go, 50));
}
return texts();"""
WHOLE = """return isSecureContext
  && performance.getEntriesByType("navigation")[0].nextHopProtocol === "http/1.1"
  && [...document.images].every((image) => image.complete && image.naturalWidth)
  && [...document.styleSheets].every((sheet) => sheet.cssRules.length);"""
ALL = "return (await Promise.all(said[0].map(async (path) => (await fetch(path)).status)));"
FAULTS = """const fault = await fetch("/not_there");
document.head.append(Object.assign(document.createElement("script"), {textContent: "not_here();"}));
return fault.status;"""


@dataclass(frozen=True)
class Example:
    name: str
    asked: set[str]
    """Beside the page itself, and by what a person does."""
    filled: dict[str, str]
    """What its script makes of the text or the value of elements, as a regular expression."""
    does: str = ""
    """What a person does then."""
    after: dict[str, str] = field(default_factory=dict)


EXAMPLES = [
    Example(
        "contacts",
        {"/style.css", "/script.js", "/logo.png", "/cb_extract", "/cb_add?name=Ada&phone=&mail="},
        {"main section": r"Nobody is here yet\.|Ada"},
        """const form = document.forms[0];
        form.elements.name.value = "Ada";
        form.requestSubmit();""",
        {"#message": "^Ada was added.$", "summary": "^Ada$"},
    ),
    Example(
        "plain",
        {"/style.css", "/script.js", "/squares", "/visits", "/uptime"},
        {"#visits": r"^\d+$", "#uptime": r"^0:\d\d:\d\d$"},
    ),
    Example(
        "samples",
        {"/style.css", "/script.js", "/samples", "/log_flush"},
        {"#message": r"^\d+ samples, the last of them \d\d\.\d °C\.$"},
        'document.getElementById("flush").click();',
        {"#taken": r"^Taken: \d+ samples, mean \d\d\.\d °C\.$"},
    ),
    Example("live", {"/style.css", "/script.js", "/readings"}, {"#celsius": r"^\d\d\.\d$", "#requests": r"^\d+$"}),
    Example(
        "form",
        {"/style.css", "/script.js", "/settings"},
        {"[name=interval]": r"^\d+$", "#url": "^https://"},
        """document.forms[0].elements.interval.value = 5;
        document.forms[0].requestSubmit();""",
        {"#message": "^Saved.$", "[name=interval]": "^5$"},
    ),
    Example(
        "upload",
        {"/style.css", "/script.js", "/picture", "/checksums"},
        {"h1": "^Uploads$"},
        """const chosen = new DataTransfer(), form = document.getElementById("checksums");
        chosen.items.add(new File(["x".repeat(100000)], "many"));
        form.elements.files.files = chosen.files;
        form.requestSubmit();""",
        {"tr:nth-child(2)": "^many100000fe071171$"},
    ),
    Example("buttons", {"/script.js", "/buttons"}, {"#said": "^no keys here$", "#message": r"^An answer takes \d+ ms"}),
    Example(
        "services",
        {"/openapi.json", "/echo"},
        {"h1": "^services$"},
        """const form = [...document.forms].find((each) => each.textContent.includes("echo"));
        form.querySelector("input").value = "ä";
        form.requestSubmit();""",
        {"form [role=status]": '"text": "ä"'},
    ),
    Example(
        "catalogue",
        {"/style.css", "/new", "/added", "/find?q=%C3%84sop"},
        {"nav span": r"^1 to 20 of 24\d$", "tr:nth-child(20) a": r"^\S+ \S+$"},
        """const frame = document.body.appendChild(document.createElement("iframe"));
        const shown = (act) => new Promise((go) => { frame.onload = go; act(frame.contentDocument); });
        await shown(() => { frame.src = "/new"; });
        await shown((page) => {
          const form = page.querySelector("form.new");
          Object.entries({name: "Äsop’s <b>", kind: "books", cents: 1250, stock: 3}).forEach(
            ([name, value]) => { form.elements[name].value = value; });
          form.requestSubmit();
        });
        const added = frame.contentDocument.querySelector("h1").textContent;
        await shown((page) => {
          page.forms[0].elements.q.value = "Äsop";
          page.forms[0].requestSubmit();
        });
        const cells = frame.contentDocument.querySelectorAll("tbody tr:last-child td");
        const found = [...cells].map((each) => each.innerText);
        document.querySelector("h1, .name").insertAdjacentHTML("afterend", "<p id=added></p><p id=found></p>");
        document.getElementById("added").textContent = added;
        document.getElementById("found").textContent = found.join("|").replace(/\\n/g, "");""",
        {"#added": "^Äsop’s <b> is in the catalogue$", "#found": r"^Äsop’s <b>\|books\|12\.50\|3$"},
    ),
    Example("mashup", {"/style.css", "/script.js", "/merged"}, {"#merged": r'Lille[^$]*"uptime_s": \d+'}),
]


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda example: example.name)
def site(request, tmp_path_factory) -> Iterator[tuple[Example, Served]]:
    example, data, plain = request.param, tmp_path_factory.mktemp("data"), free_port()
    app = ROOT / "apps" / example.name
    if example.name == "catalogue":  # `whit run` starts its database
        try:
            mariadb.program("mariadbd")
        except WhitError as error:
            pytest.skip(str(error))
    with served(data, app, *TWO_SLOTS, plain=plain) as server:
        yield example, server


@pytest.fixture(scope="module")
def in_chromium(browser: Browser, tmp_path_factory) -> Iterator[Browser]:
    authority()
    home = tmp_path_factory.mktemp("home")
    chromiums.trust(home)
    with chromiums.chromium(browser, home) as its_own:
        yield its_own


@pytest.fixture(scope="module")
def in_firefox(tmp_path_factory) -> Iterator[Firefox]:
    authority()
    with firefox(tmp_path_factory.mktemp("firefox"), places.THERE / places.AUTHORITY) as tab:
        tab.watch()
        yield tab


def test_chromium(site: tuple[Example, Served], in_chromium: Browser) -> None:
    look_at(*site, chromiums.Tab(in_chromium))


def test_firefox(site: tuple[Example, Served], in_firefox: Firefox) -> None:
    look_at(*site, in_firefox)


def test_firefox_resumes(in_firefox: Firefox, tmp_path) -> None:
    with served(tmp_path, ROOT / "apps" / "plain", *TWO_SLOTS) as server, relayed(server.port) as relay:
        url = f"https://127.0.0.1:{relay.port}/"
        in_firefox.go(url)
        assert relay.resumed and not relay.resumed[0]
        relay.cut()
        before = len(relay.resumed)
        in_firefox.go(f"{url}?again")
        assert in_firefox.run("return document.title") == "Plain functions" and any(relay.resumed[before:])
        in_firefox.go("about:blank")


def look_at(example: Example, server: Served, tab: Tab) -> None:
    """Uses the page, and fails if the browser saw an error. It must have seen all answers, to prove that it can see
    errors."""
    tab.go(f"{server.url}/")
    filled_in(tab, example.filled)
    assert tab.run(WHOLE)
    if example.does:
        tab.run(example.does)
        filled_in(tab, example.after)
    assert tab.run(ALL, ["/"] * 12) == [200] * 12
    answered, wrong = tab.seen(server.url)
    assert wrong == []
    assert answered >= {"/", *example.asked}, answered
    assert tab.run(FAULTS) == 404
    _, wrong = tab.seen(server.url)
    assert any("/not_there: 404" in each for each in wrong) and any("not_here is not" in each for each in wrong), wrong
    tab.go("about:blank")  # it would go on asking when the server is gone


def filled_in(tab: Tab, wanted: dict[str, str]) -> None:
    texts = tab.run(FILLED, wanted)
    for (name, pattern), text in zip(wanted.items(), texts, strict=True):
        assert text is not None and re.search(pattern, text), (name, pattern, text)
