# SPDX-License-Identifier: MIT
"""The pages of the example applications in Chromium."""

import re
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.looks import look_at
from tests.browser.network import Recorder
from tests.browser.served import served
from whit.paths import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
APPS = ROOT / "apps"


def test_plain(tmp_path: Path, page: Page) -> None:
    with served(APPS / "plain", tmp_path) as url:
        page.goto(url)
        expect(page.locator("#visits")).to_have_text("1")
        expect(page.locator("#uptime")).to_have_text(re.compile(r"0:\d\d:\d\d"))
        expect(page.get_by_alt_text("squares")).to_have_js_property("naturalWidth", 144)
        page.reload()
        expect(page.locator("#visits")).to_have_text("2")
        look_at(page)
        page.goto("about:blank")  # it would go on asking when the server is gone


def test_samples(tmp_path: Path, page: Page) -> None:
    with served(APPS / "samples", tmp_path) as url:
        page.goto(url)
        expect(page.locator("#message")).to_have_text(re.compile(r"^5\d\d samples, the last of them \d\d\.\d °C\.$"))
        assert page.locator("polyline").evaluate("line => line.points.length") >= 512
        degrees, minutes = axes(page.locator("#chart"), " °C", " min")
        assert (degrees, minutes) == (["14", "18", "22", "26", "30"], ["0", "2", "4", "6", "8"])
        page.get_by_role("button").click()
        expect(page.locator("#taken")).to_have_text(re.compile(r"^Taken: 5\d\d samples, mean \d\d\.\d °C\.$"))
        expect(page.locator("#message")).to_have_text(re.compile(r"^(\d\d? samples, the last|The log is empty)"))
        look_at(page)
        page.goto("about:blank")


def test_live(tmp_path: Path, page: Page) -> None:
    with served(APPS / "live", tmp_path) as url:
        page.goto(url)
        requests = page.locator("#requests")
        expect(requests).to_have_text("5")
        expect(page.locator("#celsius")).to_have_text(re.compile(r"^\d\d\.\d$"))
        chart = page.locator("#chart")
        assert chart.locator("polyline").evaluate("line => line.points.length") >= 4
        degrees, times = axes(chart, " °C", " s")
        assert len(degrees) >= 3
        assert times == ["now", "−30", "−60", "−90", "−120"]
        look_at(page)
        page.goto("about:blank")


def test_form(tmp_path: Path, page: Page) -> None:
    with served(APPS / "form", tmp_path) as url:
        page.goto(url)
        interval, message = page.get_by_label("Read the sensor"), page.get_by_role("status")
        expect(interval).to_have_value("60")
        interval.fill("5")
        page.get_by_label("Heating").select_option("boost")
        page.get_by_label("Lamp").check()
        page.get_by_label("Name of this thing").fill('Küche "&+')
        page.get_by_role("button").click()
        expect(message).to_have_text("Saved.")
        expect(page.get_by_label("Name of this thing")).to_have_value('Küche "&+')
        look_at(page)
        page.reload()
        expect(interval).to_have_value("5")
        expect(page.get_by_label("Heating")).to_have_value("boost")
        expect(page.get_by_label("Lamp")).to_be_checked()
        expect(page.get_by_label("Name of this thing")).to_have_value('Küche "&+')
        page.get_by_label("Lamp").uncheck()
        page.get_by_role("button").click()
        expect(message).to_have_text("Saved.")
        assert page.request.get(url + "settings").json()["lamp"] is False


def test_form_without_script(tmp_path: Path, browser: Browser) -> None:
    """The form is sent by the browser itself, and the answer is shown as it is."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    with served(APPS / "form", tmp_path) as url:
        page.goto(url)
        page.get_by_label("Read the sensor").fill("7")
        page.get_by_role("button").click()
        expect(page.locator("body")).to_contain_text('"interval":7,"mode":"off"')
        assert page.url == url + "settings"
        again = page.reload()  # the browser was redirected: it does not send the form again
        assert again is not None and again.request.method == "GET"
    context.close()


def test_upload(tmp_path: Path, page: Page) -> None:
    """A picture that fits is sent unchanged. A larger one, or one that is no PNG, is drawn again. It is served as a
    file."""
    logo = APPS / "contacts" / "logo.png"
    large = tmp_path / "large.jpeg"
    page.set_content("<h1 style='background: linear-gradient(45deg, red, blue); height: 900px'>A large picture")
    page.screenshot(path=large, type="jpeg")
    with served(APPS / "upload", tmp_path / "data") as url:
        page.goto(url)
        expect(page.get_by_text("CRC-32")).to_be_hidden()  # a table's head without rows
        look_at(page)
        form = page.locator("#picture")
        message, image = form.get_by_role("status"), form.get_by_alt_text("what is stored")
        form.get_by_label("Picture").set_input_files(logo)
        form.locator("button").click()
        expect(message).to_have_text(re.compile(rf"^Stored: {logo.stat().st_size} of \d+ octets\.$"))
        expect(image).to_have_js_property("naturalWidth", 160)
        assert page.request.get(url + "picture.png").body() == logo.read_bytes()
        page.reload(wait_until="networkidle")
        recorder = Recorder(page)
        page.reload(wait_until="networkidle")
        expect(image).to_have_js_property("naturalWidth", 160)
        assert recorder.take_by_path()["/picture.png"].status == 304
        form.get_by_label("Picture").set_input_files(large)
        form.locator("button").click()
        expect(message).to_have_text(re.compile(r"^Stored: \d+ of"))
        expect(image).not_to_have_js_property("naturalWidth", 160)
        expect(image).not_to_have_js_property("naturalWidth", 0)
        form.get_by_label("Picture").set_input_files(APPS / "upload" / "style.css")
        form.locator("button").click()
        expect(message).to_have_text("This is no picture.")


def test_upload_of_several_files(tmp_path: Path, page: Page) -> None:
    files = [APPS / "upload" / name for name in ("style.css", "script.js", "index.html")]
    with served(APPS / "upload", tmp_path) as url:
        page.goto(url)
        form = page.locator("#checksums")
        form.get_by_label("Files").set_input_files(files)
        form.locator("button").click()
        expect(form.locator("tr")).to_have_count(4)
        for row, file in zip(form.locator("tr").all()[1:], files, strict=True):
            octets = file.read_bytes()
            expect(row.locator("td")).to_have_text([file.name, str(len(octets)), f"{zlib.crc32(octets):08x}"])
        look_at(page)


def test_buttons(tmp_path: Path, page: Page) -> None:
    """A host has no keys, and the page shows this."""
    with served(APPS / "buttons", tmp_path) as url:
        page.goto(url)
        expect(page.locator("#said")).to_have_text("no keys here")
        look_at(page)
        page.goto("about:blank")


_AXES = """chart => {
  const inner = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const labels = [...chart.querySelectorAll("text")];
  const boxes = labels.map((label) => label.getBoundingClientRect());
  const fits = boxes.every((box, i) => inner(box, chart.getBoundingClientRect()) &&
    boxes.slice(0, i).every((other) => apart(box, other)));
  return fits ? labels.map((label) => label.textContent) : ["labels overlap or leave the chart"];
}"""


def axes(chart: Locator, vertical: str, horizontal: str) -> tuple[list[str], list[str]]:
    """The labels of both axes without their units. None lies on another, and all lie within the chart."""
    labels: list[str] = chart.evaluate(_AXES)
    upright = [label.removesuffix(vertical) for label in labels if label.endswith(vertical)]
    return upright, [label.removesuffix(horizontal) for label in labels if not label.endswith(vertical)]
