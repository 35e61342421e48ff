# SPDX-License-Identifier: MIT
"""A value is accepted in a script only where it cannot directly become code, markup, or an address of the browser."""

from pathlib import Path

import pytest

from tests.compiler.support import error_of
from whit.compiler.pages.markup import Misplaced, Place, read, value_at

TAKEN = (  # V: a value
    "location = V",
    "var location = V",
    'location.href = "java" + V',
    'window.location = "a" + V',
    "location.assign(V)",
    'location.replace("//" + V)',
    "window.open(V)",
    "open(V)",
    "$.getScript(V)",
    "new Worker\n(V)",
    "self.importScripts?.(V)",
    "window.setTimeout?.(V)",
    "import\n(V)",
    "s.src = V",
    'a.href = c ? V : "/x"',
    "CSS.paintWorklet.addModule(V)",
    'el.innerHTML = "<b>" + V + "</b>"',
    'el["innerHTML"] = V',
    'el.innerHTML += items.map(i => "<b>" + V)',
    'document.write("<p>", V)',
    'el.insertAdjacentHTML("beforeend", V)',
    "f.srcdoc = V",
    "$(V)",
    '$("#a").html(V)',
    'el.setAttribute("onclick", V)',
    "el.onclick = V",
    "if (a) { location = V }",
    "setTimeout('f(' + V, 9)",
)
RUN = (
    "eval?.(V)",
    "eval\n(V)",
    "eval // x\n(V)",
    "(eval)(V)",
    "new (Function)(V)",
    "eval.apply(null, [V])",
    "(0,eval)(V)",
    'window["eval"](V)',
    "\\u0065val(V)",
    "Function.call(null, V)",
    "Reflect.construct(Function, [V])",
    "[].constructor.constructor(V)",
    "[V].map(eval)",
    "setTimeout(eval, 1, V)",
    'const f = new Function("return " + V)',
)
DATA = (
    "const a = V;",
    "var x = V, y = V",
    "f(V)",
    "$(function () { const x = V; })",
    "$(() => { const x = V; f(x) })",
    '$("#a").text(V)',
    "el.textContent = V",
    'location.href = "/find?q=" + V',
    'window.open("/a?b=" + V)',
    'img.src = "/img/" + V',
    "const href = V",
    "el.onclick = () => f(V)",
    "el.onclick = function () { f(V) }",
    "if (location.href === V) f()",
    'if (a) { el.innerHTML = "x"; } f(V)',
    'el.innerHTML = "x"\nconst y = V',
    "const o = {href: V, src: V}",
    "class A { constructor() { this.x = V } }",
    "data.push([V, V])",
    "const a = V\nb = c.replace(/\\s+/g, '')",
    "const a = V\nb = `\\n`",
    "db.import(V)",
    "page.setTimeout(V)",
    "xhr.open(V, url)",
    'window.open("/a?b=" + V)',
    "for (const x of [V, V]) f(x)",
)


def judged(script: str) -> None:
    place = Place()
    first, *more = f"<script>{script}</script>".split("V")
    place = read(place, first)
    for piece in more:
        place = read(value_at(place)[1], piece)


@pytest.mark.parametrize("script", [*TAKEN, *RUN])
def test_no_value_becomes_code(script: str) -> None:
    with pytest.raises(Misplaced, match="of a script"):
        judged(script)


def test_deep_brackets_take_no_time_and_no_value() -> None:
    judged("(" * 200_000 + ")" * 200_000 + "; f(V)")
    with pytest.raises(Misplaced, match="more than 100 brackets of a script"):
        judged("(" * 101 + "V")


@pytest.mark.parametrize("script", DATA)
def test_data_may_stand_in_a_script(script: str) -> None:
    judged(script)


@pytest.mark.parametrize(
    "script",
    [
        "eval({# a #}{{ args.name }})",
        "location = {% set n = 1 %}{{ args.name }}",
        "{% if args.id %}el.innerHTML = {% else %}x = {% endif %}{{ args.name }}",
        "x = [{% for i in range(3) %}{{ args.name }}, {% endfor %}].map(eval)",
        "x = 1{% for i in range(3) %} + {{ args.name }}; location = a{% endfor %}",
    ],
)
def test_tags_between_hide_nothing(script: str, tmp_path: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()
    (app / "a.html.jinja").write_text(f'{{% args id: uint16 = 0, name: str(40) = "" %}}\n<script>{script}</script>\n')
    assert "of a script" in error_of(app)
