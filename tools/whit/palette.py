# SPDX-License-Identifier: MIT
"""The colours of all pictures, by name, on a light screen and on a dark one."""

import re

LIGHT = {
    "page": "#ffffff",
    "shade": "#f4f6f8",
    "ink": "#222222",
    "grid": "#d9d9d9",
    "faint": "#efefef",
    "grey": "#6b6b6b",
    "grey-2": "#9a9a9a",
    "grey-3": "#cfcfcf",
    "blue": "#1f5fa8",
    "blue-2": "#6fa3d8",
    "orange": "#d1701c",
    "orange-2": "#f0b27a",
    "green": "#3d8b4f",
    "violet": "#8a4fa0",
    "red": "#b02a4c",
    "teal": "#00838f",
    "gold": "#b8860b",
    "pink": "#c06fa5",
    "olive": "#7a8f2a",
}
DARK = {
    "page": "#14181d",
    "shade": "#1d232a",
    "ink": "#e4e8ec",
    "grid": "#37404a",
    "faint": "#20272e",
    "grey": "#a8a8a8",
    "grey-2": "#7d7d7d",
    "grey-3": "#565656",
    "blue": "#5b9fe8",
    "blue-2": "#9cc6f2",
    "orange": "#f0944a",
    "orange-2": "#a9652e",
    "green": "#6cc182",
    "violet": "#bb85d0",
    "red": "#f0708f",
    "teal": "#3fc0cc",
    "gold": "#dcb14a",
    "pink": "#e29aca",
    "olive": "#b3c860",
}
NAMES = {colour: name for name, colour in LIGHT.items()} | {
    "#3a3a3a": "ink",  # colours of ladders follow
    "#666666": "grey",
    "#a8a8a8": "grey-2",
    "#c62828": "red",
    "#a06000": "gold",
    "#f3c98b": "orange-2",
    "#0f8b8d": "teal",
    "#fff8e6": "page",
    "#c2185b": "pink",
    "#7a8b00": "olive",
    "#6d4c41": "gold",
    "#6d4c2f": "gold",
    "#5e35b1": "violet",
}
"""The name of each colour of a picture."""


def variables() -> str:
    """CSS: each name as a variable, which a dark screen changes."""
    light, dark = (" ".join(f"--{name}: {colour};" for name, colour in one.items()) for one in (LIGHT, DARK))
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def with_dark(drawn: str) -> str:
    """Returns the SVG with a style for dark screens: an image in a page of Markdown cannot take that page's colours. A
    viewer without the media query shows the light colours."""
    rules = [_darkened(style) for style in re.findall(r"<style[^>]*>(.*?)</style>", drawn, re.DOTALL)]
    body = re.sub(r"<style.*?</style>", "", drawn, flags=re.DOTALL)
    for colour in dict.fromkeys(re.findall(r"#[0-9a-f]{6}\b", body)):
        if colour not in NAMES:
            continue
        for paint in ("fill", "stroke"):
            in_style, as_attribute = f"{paint}: {colour}", f'{paint}="{colour}"'
            if in_style in body:
                rules.append(f'[style*="{in_style}"] {{ {paint}: {DARK[NAMES[colour]]} !important }}')
            if as_attribute in body:
                rules.append(f"[{as_attribute}] {{ {paint}: {DARK[NAMES[colour]]} }}")
    style = "\n".join(["<style>@media (prefers-color-scheme: dark) {", *rules, "}</style>"])
    end = drawn.rindex("</svg>")
    return f"{drawn[:end]}{style}\n{drawn[end:]}"


def _darkened(style: str) -> str:
    return re.sub(r"#[0-9a-f]{6}\b", lambda found: DARK.get(NAMES.get(found[0], ""), found[0]), style).strip()
