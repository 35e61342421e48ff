# SPDX-License-Identifier: MIT
"""Each mistake in a page template gives one line: file, line and expectation."""

from pathlib import Path

import pytest

from tests.compiler.support import error_of, make_app

ARGS = "{% args id: uint32, name: str(20), mode: enum('on off') %}\n"
ROWS = "{% for row in query('SELECT id, name FROM item') %}"

# The second line of a template whose first declares arguments, and its error.
MISTAKES = {
    # forbidden places of a value
    "<p class={{ args.id }}>": "in an attribute without quotes",
    "<p class=a{{ args.id }}>": 'expected quotes around it, class="{{ ... }}"',
    "<p onclick=\"f('{{ args.name }}')\">": "in onclick of <p>: expected an attribute such as data-value",
    '<p style="color: {{ args.name }}">': "in style of <p>: expected constant text",
    '<iframe srcdoc="{{ args.name }}">': "in srcdoc of <iframe>",
    '<img srcset="{{ args.name }} 2x">': "in srcset of <img>",
    "<style>{{ args.name }}</style>": "inside <style>: expected constant text",
    "<!-- {{ args.name }} -->": "in a comment: expected constant text; {# ... #}",
    "<!doctype {{ args.name }}>": "in a declaration",
    "<{{ args.name }}>": "a tag is cut behind its <",
    "<p {{ args.name }}>": "in a tag",
    "<p{{ args.name }}>": "in the name of a tag",
    "<p data-{{ args.name }}='x'>": "in the name of an attribute",
    '<p a="b"{{ args.name }}>': "in a tag, behind an attribute",
    '<script>"{{ args.name }}"</script>': 'in a script, within a string in "',
    "<script>f('{{ args.name }}')</script>": "within a string in '",
    '<script>"a/{% if args.id %}b{% endif %}{{ args.name }}"</script>': 'within a string in "',
    '<script>"a\\{% if args.id %}b{% endif %}{{ args.name }}"</script>': "within what follows a / or a `",
    "<script>`${ {{ args.name }} }`</script>": "within what follows a / or a `",
    "<script>a = b / c; x = {{ args.name }}</script>": "within what follows a / or a `",
    "<script>// {{ args.name }}\n</script>": "within a comment",
    "<script>/* {{ args.name }} */</script>": "within a comment in /* */",
    '<script src="{{ args.name }}"></script>': "at the beginning of src of <script>: expected a constant beginning",
    '<script type="{{ args.name }}"></script>': "in type of <script>",
    '<link href="{{ args.name }}">': "at the beginning of href of <link>",
    '<base href="/{{ args.name }}">': "in href of <base>",
    '<a href="javascript:f({{ args.id }})">': "behind its scheme: expected http, https, mailto, tel, or a path",
    '<a href=" java{{ args.name }}script:{{ args.id }}">': "behind its scheme",
    '<a href="&#106;avascript:{{ args.id }}">': "behind its scheme",
    '<a href="{{ args.name }}:{{ args.id }}">': "a value may become the scheme of href of <a>",
    '<meta http-equiv="refresh" content="0; url={{ args.name }}">': "in <meta http-equiv>: expected constant text",
    "<meta content='{{ args.name }}' http-equiv=refresh>": "http-equiv behind a content with a value in <meta>",
    "<meta content='{{ args.name }}' {% if args.id %}http-equiv='refresh'{% endif %}>": "http-equiv behind a content",
    "<meta http-equiv='{{ args.name }}'>": "in http-equiv of <meta>: expected constant text",
    "<meta charset='{{ args.name }}'>": "in charset of <meta>: expected constant text",
    # URLs that load code have a constant host
    '<script src="//{{ args.name }}/x.js"></script>': "in the host of src of <script>: expected a constant one",
    '<script src="https://{{ args.name }}/x.js"></script>': "in the host of src of <script>",
    '<script src="https://a.{{ args.name }}/x.js"></script>': "in the host of src of <script>",
    '<script src="HTTPS:{{ args.name }}"></script>': "in the host of src of <script>",
    '<script src="/{{ args.name }}/{{ args.name }}"></script>': "in the host of src of <script>",
    '<script src=" /\\{{ args.name }}"></script>': "in the host of src of <script>",
    '<link rel=stylesheet href="//{{ args.name }}.example/x.css">': "in the host of href of <link>",
    '<iframe src="//user@{{ args.name }}/"></iframe>': "in the host of src of <iframe>",
    '<portal src="{{ args.name }}"></portal>': "at the beginning of src of <portal>",
    '<svg><use xlink:href="{{ args.name }}"/></svg>': "at the beginning of xlink:href of <use>",
    '<svg><use href="//{{ args.name }}/a.svg"/></svg>': "in the host of href of <use>",
    # attributes that select a file to load, or its rights
    '<applet code="{{ args.name }}"></applet>': "in code of <applet>: expected constant text",
    '<object codebase="{{ args.name }}"></object>': "in codebase of <object>",
    '<object type="{{ args.name }}"></object>': "in type of <object>",
    '<iframe sandbox="{{ args.name }}"></iframe>': "in sandbox of <iframe>",
    '<object><param value="{{ args.name }}"></object>': "in value of <param>",
    '<link rel="{{ args.name }}" href="/x">': "in rel of <link>",
    '<p is="{{ args.name }}">': "in is of <p>",
    '<math><annotation-xml encoding="{{ args.name }}">': "in encoding of <annotation-xml>",
    "<script>import {{ args.name }}</script>": "behind import of a script",
    "<script>import x from {{ args.name }}</script>": "behind from of a script",
    "<script>export * from {{ args.name }}</script>": "behind from of a script",
    "<script>import({{ args.name }})</script>": "behind import of a script",
    "<script>importScripts('/a.js', {{ args.name }})</script>": "behind importScripts of a script",
    "<script>new Worker({{ args.name }})</script>": "behind Worker of a script",
    "<script>new SharedWorker({{ args.name }})</script>": "behind SharedWorker of a script",
    "<script>navigator.serviceWorker.register({{ args.name }})</script>": "behind serviceWorker.register of a script",
    "<script>new Function('a', {{ args.name }})</script>": "behind Function of a script",
    "<script>eval(/* a */ {{ args.name }})</script>": "behind eval of a script",
    "<script>setTimeout({{ args.name }}, 9)</script>": "behind setTimeout of a script",
    "<script>import('/a/' + {{ args.name }})</script>": "behind import of a script",
    "<script>eval(('f(') + g([{{ args.name }}]))</script>": "behind eval of a script",
    "<script>new Worker(new URL({{ args.name }}, location))</script>": "behind Worker of a script",
    "<script>new Function(')', f(1), // )\n{{ args.name }})</script>": "behind Function of a script",
    "<script>setTimeout('f(' + {{ args.name }}, 9)</script>": "behind setTimeout of a script",
    "<script type=importmap>{{ args.name }}</script>": "in a script that chooses what is loaded",
    "<script type='speculationrules'>{{ args.name }}</script>": "in a script that chooses what is loaded",
    "<fencedframe src='{{ args.name }}'>": "at the beginning of src of <fencedframe>",
    "<embed code='{{ args.name }}'>": "in code of <embed>",
    "<form action='javascript:{{ args.name }}'>": "behind its scheme",
    # texts that a browser may read as markup
    '<math><title><img onerror="{{ args.name }}"></title></math>': "< in <title>, which a browser may take for a tag",
    '<select><title></select><img onerror="{{ args.name }}"></title>': "< in <title>, which a browser may take",
    '<select><textarea></select><a onclick="{{ args.name }}"></textarea>': "< in <textarea>, which a browser may take",
    "<svg><script>const x = {{ args.name }};</script></svg>": "in a script within <svg>: expected the script behind",
    "<svg><script>if (a<b) f()</script></svg>": "< in <script>, which a browser may take for a tag: expected a script",
    '<svg><style><a onclick="</style>{{ args.name }}">': "<style> ends within onclick of <a> of its content",
    '<select><noscript><a onclick="</noscript>{{ args.name }}">': "<noscript> ends within onclick of <a>",
    "{% if args.id %}<svg>{% endif %}<script>f({{ args.id }})</script>": "in a script within <svg>",
    "<svg><svg></svg><script>f({{ args.id }})</script></svg>": "in a script within <svg>",
    "<noscript>{{ args.name }}</noscript>": "inside <noscript>",
    "<script><!-- x </script>": "<!-- in a script: expected none",
    "<![CDATA[ x ]]>": "<![: expected HTML",
    "<p>a</p": "the page ends within a tag",
    '<p class="{{ args.name }}': "the page ends within class of <p>",
    "{% if args.id %}<p{% endif %}>": "the ways through {% if %} end at different places of the page",
    '{% if args.id %}<a href="{% endif %}{{ args.name }}': "the ways through {% if %}",
    "{% for i in range(3) %}<!--{% endfor %}": "{% for %}",
    "<p{% if args.id %} class{% endif %}=x>": "'=' behind a block inside of a tag: expected a blank before it",
    "{% block a %}{% block a %}{% endblock %}{% endblock %}": "a second {% block a %}: the first is on line 2",
    "{% block a %}{% endblock %}{% block a %}{% endblock %}": "a second {% block a %}: the first is on line 2",
    "{% args a: uint8 path, b: uint8 path %}": "a second argument with path: expected one; the others",
    # answers that are kept
    "{% for row in query('SELECT id FROM item', cache=0) %}{% endfor %}": "cache=: expected a constant, 1 to 86400",
    "{% for row in query('SELECT id FROM item', cache=args.id) %}{% endfor %}": "cache=: expected a constant",
    "{% for row in query('SELECT id FROM item', cache='9') %}{% endfor %}": "cache=: expected a constant",
    "{% for row in query('SELECT id FROM item', keep=9) %}{% endfor %}": "keep= of a query: expected cache=60",
    "{% do execute('DELETE FROM item', cache=9) %}": "cache= of execute(): expected it of query() alone",
    # expressions
    "{{ nmae }}": "nmae is not known here: expected args.name",
    "{{ name }}": "; an argument is args.name",
    "{{ args.nmae }}": "argument nmae is not declared: expected {% args nmae: uint32 %} at the template's head; "
    "did you mean name?",
    "{{ args }}": "args is no value",
    "{{ args.id / 2 }}": "expected //, which gives a whole number",
    "{{ args.id // args.id }}": "//: expected a constant above 0",
    "{{ args.name + 1 }}": "a text where a number is needed",
    "{{ 1.5 }}": "1.5: expected a whole number or a text",
    "{{ 9223372036854775808 }}": "expected a number of at most 63 bits",
    "{{ args['id'] }}": "[ ]: expected a name behind a dot",
    "{{ args.name[0] }}": "[ ]: expected a name behind a dot",
    "{{ args.name.upper() }}": "this() is not declared",
    "{{ args.name|safe }}": "filter |safe: values are always escaped",
    "{{ args.name|tojson }}": "filter |tojson: expected no filter",
    "{{ args.name|lenght }}": "expected one of default, e, escape, length; did you mean length?",
    "{{ args.id|default('x') }}": "|default of a number: expected a text or a column",
    "{{ args.name|default(args.id) }}": "|default: expected a constant text",
    "{{ uptime() }}": "uptime() is not declared: expected {% function uptime: int32 %}",
    "{{ query('SELECT id FROM item') }}": "query(...) here: expected {% for row in query(...) %}",
    "{% if args.name < 'x' %}{% endif %}": "< of texts: expected == or !=",
    "{% if args.name == 3 %}{% endif %}": "a text where a number is needed",
    "{% if args.id == '3' %}{% endif %}": "a number and a text",
    "{% if args.mode == 'of' %}{% endif %}": "'of' is no word of mode: expected on or off; did you mean off?",
    "{% if args.id in (1, 2) %}{% endif %}": "in: expected == != < <= > or >=",
    "{% if args.id is string %}{% endif %}": "is string: expected is none",
    "{% if args.mode %}{% endif %}": "neither true nor false",
    "{{ super() }}": "super(): expected a block of that name",
    # statements
    "{% for x in args.name %}{% endfor %}": "expected {% for row in query(",
    "{% for x in range(1, 2, 3) %}{% endfor %}": "range(): expected range(end) or range(begin, end)",
    "{% for x in range(3) if x %}{% endfor %}": "{% for ... if %}: expected {% if %} inside",
    "{% set x = 'a' %}": "a text where a number is needed",
    "{% set args = 1 %}": "{% set args %}: expected another name",
    "{% set x.y = 1 %}": "{% set x.y %}: expected {% set x = namespace(y=0) %} before it",
    "{% set x = namespace() %}": "namespace(): expected names and numbers",
    "{% set x = namespace(last=0) %}{{ x.lats }}": "x has no lats: expected one of last; did you mean last?",
    "{% set x %}a{% endset %}": "{% set %} of a block",
    "{% macro m() %}{% endmacro %}": "{% macro %}: expected {% include %}",
    "{% import 'x' as y %}": "{% import %}: expected {% include %}",
    "{% do f() %}": "{% do %}: expected {% do execute(",
    "{% redirect args.name %}": '{% redirect %}: expected a constant path, {% redirect "/list.html" %}',
    "{% redirect '//example.org' %}": "{% redirect %}: expected a constant path",
    "{% status 'x' %}": "{% status %}: expected one of 200 201",
    "{% status 304 %}": "{% status %}: expected one of 200 201",
    "{% include 'none.html' %}": "no template 'none.html': expected a file of the application",
    "{% include args.name %}": "{% include %}: expected a constant text",
    "{% if args.id %}": "unexpected end of template",
    "{{ args.id ": "unexpected end of template",
    "{% endfor %}": "{% endfor %}: expected {% for %} before it",
    "{% if 1 %}{% endfor %}": "{% endfor %} inside of {% if %}: expected {% endif %} before it",
    "{% for x in range(2) %}{% if 1 %}{% endfor %}": "{% endfor %} inside of {% if %}: expected {% endif %} before it",
    "{% if 1 %}x": "unexpected end of template inside of {% if %}: expected {% endif %} before it",
    '{{ "a }}': '" in a tag: expected a second ", at the end of the text',
    "{{ 'a }}": "' in a tag: expected a second ', at the end of the text",
    "{# a": "{# has no end: expected #}",
    "{% %}": "{% without a word: expected one of the tags if",
    # spellings of other languages
    "{% if args.id && args.name %}{% endif %}": "& in a tag: expected and",
    "{% if args.id || args.name %}{% endif %}": "|| in an expression: expected or",
    "{% if !args.id %}{% endif %}": "! in a tag: expected not, or !=",
    "{% if args.id = 3 %}{% endif %}": "= in a comparison: expected ==",
    "{% if {{ args.id }} %}{% endif %}": "{{ inside of {% %}: expected the name alone",
    "{% if args.id %}{% else if args.name %}{% endif %}": "{% else if %}: expected {% elif ... %}",
    "{% if args.id %}{% endif }": "}: expected %} at the end of a tag",
    "{% fi args.id %}": "{% fi %}: expected one of the tags if, elif",
    "{% incldue '_a.jinja' %}": "; did you mean include?",
    "{% for i in range(9) %}{% break %}{% endfor %}": "{% break %}: expected {% if %} around what is left of the loop",
    "{% autoescape false %}{{ args.name }}{% endautoescape %}": "{% autoescape %}: expected nothing; values are always",
    f"{ROWS}{{% if row.name == none %}}{{% endif %}}{{% endfor %}}": "none: expected a number or a text; of a column",
    # more than Python's stack has room for
    "{{ " + "(" * 300 + "1" + ")" * 300 + " }}": "nested too deeply: expected at most 50 levels; {% set %} names",
    "{{ args.id" + " + 1" * 3000 + " }}": "nested too deeply: expected at most 100 levels",
    "{% if 1 %}" * 250 + "{% endif %}" * 250: "nested too deeply: expected at most 50 levels",
    # declarations
    "{% args a %}": "argument 'a' has no type: expected a: uint32",
    "{% args a: int %}": "unknown type 'int': expected one of uint8, uint16",
    "{% args a: str %}": "str without (): expected str(40), at most 40 bytes",
    "{% args a: str(255) %}": "str(255): expected 1 to 254 bytes",
    "{% args a: str(x) %}": "str(x: expected str(40)",
    "{% args id: uint8 %}": "argument 'id' is declared twice",
    "{% args int: uint8 %}": "argument 'int': expected an identifier that is no word of C",
    "{% args a: uint8 = 256 %}": "default of 'a' is '256': expected 0 to 255",
    "{% args a: uint8 b: uint8 %}": "'b' in {% args %}: expected a comma before the next argument",
    "{% page hot %}": "'hot' of a page: expected one of idempotent, volatile, post",
    "{% page volatile, idempotent %}": "volatile and idempotent: expected one of them",
    "{% function f %}": "function 'f' has no type: expected f(): int32",
    "{% function f(str): int8 %}": "'str' of function 'f': expected one of uint8",
    # queries
    "{% for r in query('SELECT id FROM item WHERE id = ' ~ args.id) %}{% endfor %}": "SQL is one constant text",
    "{% for r in query('SELECT id FROM item WHERE id = %d' % args.id) %}{% endfor %}": "SQL is one constant text",
    "{% for r in query(args.name) %}{% endfor %}": "query(): SQL is one constant text, with a ? for each value",
    "{% for r in query('SELECT id FROM item WHERE id = ?') %}{% endfor %}": "1 ? and 0 values: expected a value",
    "{% for r in query('SELECT * FROM item') %}{% endfor %}": "* in a SELECT: expected the names of its columns",
    "{% for r in query('SELECT COUNT(*) FROM item') %}{% endfor %}": "has no name: expected one, COUNT(*) AS cnt",
    "{% for r in query('SELECT id FROM item WHERE name = 'x'') %}{% endfor %}": "a quote ends the SQL here: expected",
    "{% for r in query('SELECT id FROM item WHERE id = :id', args.id) %}{% endfor %}": "for each ?; write ? for :id",
    "{% for r in query('SELECT id FROM item WHERE id = %s', args.id) %}{% endfor %}": "for each ?; write ? for %s",
    "{% for r in query(\"SELECT id FROM a WHERE b = '?'\", args.id) %}{% endfor %}": "one in quotes is text: write it",
    "{% for r in query(\"SELECT id FROM a WHERE b LIKE '%?%'\", args.id) %}{% endfor %}": "LIKE CONCAT('%', ?, '%')",
    "{% for r in query('DELETE FROM item') %}{% endfor %}": "DELETE in query(): expected SELECT",
    "{% for r in query('SELECT id FROM a; DROP TABLE a') %}{% endfor %}": "; in SQL: expected one statement",
    "{% do execute('SELECT 1') %}": "SELECT in execute(): expected INSERT, UPDATE, DELETE, REPLACE",
    f"{ROWS}{{{{ row.nmae }}}}{{% endfor %}}": "no column nmae: expected one of id, name; did you mean name?",
    f"{ROWS}{{{{ row }}}}{{% endfor %}}": "row is no value",
    f"{ROWS}{{% endfor %}}{{{{ row.id }}}}": "row has no fields",
    f"{ROWS}{{{{ loop.last }}}}{{% endfor %}}": "loop.last: expected loop.index, loop.index0 or loop.first",
    f"{ROWS}{ROWS}{{% endfor %}}{{% endfor %}}": "a query among the rows of another: expected one at a time",
    f"{ROWS}{{% redirect '/' %}}{{% endfor %}}": "{% redirect %} among the rows of a query",
    f"{{% page volatile %}}{ROWS}{{% endfor %}}": "{% page volatile %} of a page with queries, a form or a status",
    "{% for r in query('SELECT id FROM item WHERE mode = ?', args.mode) %}{% endfor %}": "an enum as a value",
    "{% for r in query('SELECT id FROM item WHERE name = ?', 'x') %}{% endfor %}": "a constant text as a value",
}


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake[:80])
def test_a_mistake(tmp_path: Path, mistake: str) -> None:
    app = make_app(tmp_path / "app", {"list.html.jinja": f"{ARGS}{mistake}\n"})
    said = error_of(app)
    assert MISTAKES[mistake] in said
    lines = ("2", "3") if "\n" in mistake or "ends within" in said or "end of template" in said else ("2",)
    assert said.startswith(tuple(f"list.html.jinja:{line}: " for line in lines)), said
    assert "\n" not in said


FILES = {
    "in what is included": (
        {"a.html.jinja": "x\n{% include '_b.jinja' %}", "_b.jinja": "y\n\n<p onclick='{{ 1 }}'>"},
        "_b.jinja:3: {{ ... }} in onclick of <p>",
    ),
    "in what is extended": (
        {"a.html.jinja": "{% extends '_b.jinja' %}", "_b.jinja": "\n{% block x %}<p {{ 1 }}>{% endblock %}"},
        "_b.jinja:2: {{ ... }} in a tag",
    ),
    "in the block of the page": (
        {"a.html.jinja": "{% extends '_b.jinja' %}\n{% block x %}{{ 1 }}{% endblock %}", "_b.jinja": "<p {% block x %}x"
         "{% endblock %}>"},
        "a.html.jinja:2: {{ ... }} in",
    ),
    "beside a block": (
        {"a.html.jinja": "{% extends '_b.jinja' %}\nlost", "_b.jinja": "x"},
        "a.html.jinja:2: outside of a block of a template that extends another",
    ),
    "a circle of templates": (
        {"a.html.jinja": "{% extends '_b.jinja' %}", "_b.jinja": "{% extends '_c.jinja' %}", "_c.jinja":
         "{% extends '_b.jinja' %}"},
        "more than 20 templates extend each other",
    ),
    "what includes itself": (
        {"a.html.jinja": "{% include '_b.jinja' %}", "_b.jinja": "\n{% include '_b.jinja' %}"},
        "_b.jinja:2: {% include %} in a circle",
    ),
    "no HTML": ({"a.txt.jinja": "x"}, "a.txt.jinja: a template of a.txt: expected HTML, a.html.jinja or a name"),
    "a name of C": ({"a b.html.jinja": "x"}, "a template's name: expected letters, digits"),
    "twice": ({"a.html.jinja": "x", "a.html": "y"}, "a second resource under /a.html"),
    "not UTF-8": ({"a.html.jinja": b"x\n\xff"}, "a.html.jinja:2: not UTF-8"),
    "too many octets of arguments": (
        {"a.html.jinja": "{% args a: str(200), b: str(100) %}"},
        "a.html.jinja:1: the arguments take 302 bytes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("files", FILES)
def test_a_mistake_in_files(tmp_path: Path, files: str) -> None:
    made, message = FILES[files]
    said = error_of(make_app(tmp_path / "app", made))
    assert message in said
    assert "\n" not in said
