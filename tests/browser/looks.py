# SPDX-License-Identifier: MIT
"""Checks a page's looks: the contrast of its text (WCAG 2.2, 1.4.3) and its width, on a desktop and a telephone, light
and dark. A screenshot without text gives the background, so that pictures, drawings and fields count as drawn."""

import io
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Page, ViewportSize

Colour = tuple[float, ...]
"""Red, green, blue; 0 to 255."""

CONTRAST_MIN = 4.5
CONTRAST_MIN_LARGE = 3.0
LARGE_PX = 24.0
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
TELEPHONE: ViewportSize = {"width": 390, "height": 844}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

# Lists the visible texts: content, colour as sRGB with alpha, box on the page, size. A ::before has no box to query,
# but a background of its own.
_TEXTS = """() => {
  const pen = Object.assign(document.createElement("canvas"), {width: 1, height: 1})
    .getContext("2d", {willReadFrequently: true});
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const found = [];
  const add = (text, element, box, style, opacity = 1, below = null) => {
    if (!text.trim() || !box.width || !element.checkVisibility({visibilityProperty: true})) return;
    for (let one = element; one; one = one.parentElement) opacity *= getComputedStyle(one).opacity;
    const [red, green, blue, alpha] = rgba(element instanceof SVGElement ? style.fill : style.color);
    found.push({text, colour: [red, green, blue], alpha: alpha / 255 * opacity, size: parseFloat(style.fontSize), below,
      box: [box.x + scrollX, box.y + scrollY, box.right + scrollX, box.bottom + scrollY]});
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    range.selectNodeContents(walker.currentNode);
    add(walker.currentNode.data, element, range.getBoundingClientRect(), getComputedStyle(element));
  }
  for (const field of document.querySelectorAll("input:not([type=checkbox], [type=file]), select")) {
    const hint = getComputedStyle(field, "::placeholder");
    if (field.value) add(field.value, field, field.getBoundingClientRect(), getComputedStyle(field));
    else add(field.placeholder ?? "", field, field.getBoundingClientRect(), hint, hint.opacity);
  }
  for (const element of document.body.querySelectorAll("*")) {
    const style = getComputedStyle(element, "::before");
    if (!/attr|"./.test(style.content)) continue;
    const [red, green, blue, alpha] = rgba(style.backgroundColor);
    add("::before", element, element.getBoundingClientRect(), style, 1, alpha ? [red, green, blue] : null);
  }
  return found;
}"""

_WITHOUT_TEXT = """
*, *::before, *::placeholder { -webkit-text-fill-color: transparent !important; transition: none !important;
  text-decoration-color: transparent !important; caret-color: transparent !important }
text { fill: transparent !important }
"""

# A page that draws again when its window changes has done so then.
_NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Lists elements that are wider than the screen or cut off by their box.
_TOO_WIDE = """() => [...document.querySelectorAll("body, body *")]
  .filter((element) => element.checkVisibility() && !element.closest("svg > *"))
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5
    || element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible"
       && !/^(INPUT|SELECT)$/.test(element.tagName))
  .map((element) => element.outerHTML.slice(0, 80))"""


@dataclass(frozen=True)
class Text:
    """A text of a page, and how well it is read."""

    text: str
    contrast: float
    size_px: float

    def is_readable(self) -> bool:
        return self.contrast >= (CONTRAST_MIN_LARGE if self.size_px >= LARGE_PX else CONTRAST_MIN)


def look_at(page: Page) -> None:
    """Asserts that every text of the page is readable and that no element is wider than the screen."""
    for viewport, scheme in product((DESKTOP, TELEPHONE), SCHEMES):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        page.evaluate(_NEXT_FRAME)
        where = f"{scheme}, {viewport['width']} pixels"
        poor = [text for text in texts(page) if not text.is_readable()]
        assert not poor, f"{where}: {poor}"
        assert page.evaluate(_TOO_WIDE) == [], where
    page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="light")


def texts(page: Page) -> list[Text]:
    """The texts that are seen, in the order of the document."""
    found: list[dict[str, Any]] = page.evaluate(_TEXTS)
    assert found, "a page without text"
    picture = _background(page)
    return [
        Text(one["text"].strip()[:40], _contrast(picture.crop(_box(one["box"], picture)), one), one["size"])
        for one in found
    ]


def _background(page: Page) -> Image.Image:
    style = page.add_style_tag(content=_WITHOUT_TEXT)
    octets = page.screenshot(full_page=True, animations="disabled", caret="initial")
    style.evaluate("style => style.remove()")
    return Image.open(io.BytesIO(octets)).convert("RGB")


def _box(box: list[float], picture: Image.Image) -> tuple[int, int, int, int]:
    left, top, right, bottom = (round(edge) for edge in box)
    right, bottom = max(right, left + 1), max(bottom, top + 1)
    return max(left, 0), max(top, 0), min(right, picture.width), min(bottom, picture.height)


def _contrast(background: Image.Image, text: dict[str, Any]) -> float:
    """Returns the contrast with the most frequent colour of the background."""
    counted = Counter(background.get_flattened_data())
    assert counted, f"{text['text']!r} lies outside of the page"
    below: Any = text["below"] or counted.most_common(1)[0][0]
    shown = tuple(
        text["alpha"] * ink + (1 - text["alpha"]) * paper for ink, paper in zip(text["colour"], below, strict=True)
    )
    dark, light = sorted((_luminance(shown), _luminance(below)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    """WCAG 2.2, "relative luminance"."""
    red, green, blue = (
        octet / 255 / 12.92 if octet / 255 <= 0.04045 else ((octet / 255 + 0.055) / 1.055) ** 2.4 for octet in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
