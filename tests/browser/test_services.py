# SPDX-License-Identifier: MIT
"""The page on which a person calls the functions of apps/services, in Chromium."""

import re
import subprocess
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.looks import look_at
from tests.browser.served import served
from tests.compiler.support import make_app
from tests.services.test_get import APP
from whit.paths import ROOT

AT = "services.address=http://10.7.0.2"  # of every run, so that one build serves them
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def calls_of(lines: str) -> list[str]:
    """Returns the answers that the page's first line gets in a shell, and its second line in Python."""
    shell, python = lines.split("\n")
    got = [subprocess.run(["bash", "-c", f"{shell} --silent"], capture_output=True, text=True, check=True).stdout]
    got.append(str(eval(python, {"requests": requests})))
    return got


def test_each_function_is_called(tmp_path: Path, page: Page) -> None:
    with served(ROOT / "apps" / "services", tmp_path, AT) as url:
        page.goto(url)
        expect(page.get_by_role("heading", level=1)).to_have_text("services")
        forms = {form.locator("h2").inner_text(): form for form in page.locator("form").all()}
        assert set(forms) == {"echo", "temperature", "points", "set_points", "readings"}
        echo = forms["echo"]
        echo.get_by_label("text").fill('ä "<b>')
        echo.get_by_role("button").click()
        expect(echo.get_by_role("status")).to_have_text('{ "text": "ä \\"<b>" }')
        temperature = forms["temperature"]
        temperature.get_by_label("unit").select_option("f")
        temperature.get_by_role("button").click()
        expect(temperature.get_by_role("status")).to_have_text(re.compile(r'"value": 6\d\.\d,\s+"unit": "f"'))
        points = forms["set_points"]
        points.get_by_label("day").fill("20.5")
        points.get_by_label("night").fill("16.5")
        points.get_by_role("button").click()
        expect(points.get_by_role("status")).to_have_text("{}")
        forms["points"].get_by_role("button").click()
        expect(forms["points"].get_by_role("status")).to_have_text('{ "day": 20.5, "night": 16.5 }')
        forms["readings"].get_by_label("newest").fill("256")
        forms["readings"].get_by_role("button").click()
        expect(forms["readings"].locator("pre[role=status]")).to_be_empty()  # the browser refuses it
        forms["readings"].get_by_label("newest").fill("")
        forms["readings"].get_by_role("button").click()
        expect(forms["readings"].get_by_role("status")).to_contain_text("uptime_s")
        lines = forms["set_points"].locator("details")
        lines.locator("summary").click()
        expect(lines.locator("pre")).to_have_text(
            f"""curl --json '{{"day":20.5,"night":16.5}}' {url}set_points\n"""
            f"""requests.post("{url}set_points", json={{"day": 20.5, "night": 16.5}}).text"""
        )
        assert set(calls_of(lines.locator("pre").inner_text())) == {"{}"}
        echo.get_by_label("text").fill("it's $HOME")
        echo.locator("summary").click()
        assert set(calls_of(echo.locator("details pre").inner_text())) == {'{"text":"it\'s $HOME"}'}
        look_at(page)


def test_a_fault_is_shown(tmp_path: Path, browser: Browser) -> None:
    """Opens a page of its own: Chromium's console notes each answer of 400."""
    page = browser.new_page()
    with served(ROOT / "apps" / "services", tmp_path, AT) as url:
        page.goto(url)
        points = page.locator("form", has_text="set_points")
        points.get_by_label("day").fill("20.5")
        points.get_by_label("night").fill("21")
        points.get_by_role("button").click()
        expect(points.get_by_role("status")).to_contain_text("nights are not warmer than days")
        expect(points.get_by_role("status")).to_have_class("fault")
    page.close()


def test_what_is_asked_by_get_alone(tmp_path: Path, page: Page) -> None:
    with served(make_app(tmp_path / "room", APP), tmp_path / "data", AT) as url:
        page.goto(url)
        now = page.locator("form").filter(has=page.get_by_role("heading", name="now"))
        now.get_by_label("unit").select_option("f")
        now.get_by_label("text").fill("ä & '")
        now.get_by_role("button", name="Ask").click()
        expect(now.get_by_role("status")).to_have_text('{ "value": 70.7, "text": "ä & \'" }')
        lines = now.locator("details")
        lines.locator("summary").click()
        assert calls_of(lines.locator("pre").inner_text()) == ['{"value":70.7,"text":"ä & \'"}'] * 2


def test_a_file_is_sent(tmp_path: Path, page: Page) -> None:
    """An argument that takes base64 has a file field."""
    photo = tmp_path / "cat.png"
    photo.write_bytes(bytes(range(256)) * 20)
    with served(ROOT / "tests" / "apps" / "pieces", tmp_path, AT) as url:
        page.goto(url)
        form = page.locator("form", has_text="photo")
        form.get_by_label("photo").set_input_files(photo)
        form.locator("summary").click()
        expect(form.locator("details pre")).to_contain_text('curl --json \'{"photo":"…"}\'')
        form.get_by_role("button", name="Call").click()
        expect(form.get_by_role("status")).to_have_text('{ "octets": 5120 }')
        assert requests.get(f"{url}photo.png", timeout=20).content == photo.read_bytes()
        page.mouse.move(0, 0)  # a button is paler below it
        look_at(page)
