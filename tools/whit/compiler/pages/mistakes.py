# SPDX-License-Identifier: MIT
"""Rewords errors of Jinja's parser about a template, with the way out."""

import re

from whit.suggest import did_you_mean

TAGS = (
    "if", "elif", "else", "endif", "for", "endfor", "set", "include", "extends", "block", "endblock", "do", "args",
    "page", "function", "redirect", "status",
)  # fmt: skip
_SIGNS = {"&": "and", "!": "not, or !="}


def nested(most: int) -> str:
    """More than Python's stack has room for."""
    return (
        f"tags, parentheses or operators nested too deeply: expected at most {most} levels; {{% set %}} names a part "
        "of an expression, {% include %} takes a part of the page"
    )


def syntax(line: str, message: str) -> str:
    """`line`: of the template, where it went wrong."""
    if found := re.match(r"""unexpected char (['"])(.*?)\1 at \d+""", message):
        sign = found[2]
        if sign in ("'", '"'):
            return f"{sign} in a tag: expected a second {sign}, at the end of the text"
        return f"{sign} in a tag: expected {_SIGNS.get(sign, 'a name, a number or an operator')}"
    found = re.search(r"(?:looking for|following tags:) [^.]*'(end\w+)'.*needs to be closed is '(\w+)'", message)
    met = re.match(r"encountered unknown tag '(end\w+|else|elif)'", message, re.IGNORECASE)
    if found and (met or message.startswith("unexpected end")):
        where = f"{{% {met[1]} %}}" if met else "unexpected end of template"
        return f"{where} inside of {{% {found[2]} %}}: expected {{% {found[1]} %}} before it"
    if found := re.match(r"encountered unknown tag '(\w+)'", message, re.IGNORECASE):
        return _tag(found[1])
    if re.search(r"\{%[^}]*?\{\{", line) and "expected token" in message:
        return "{{ inside of {% %}: expected the name alone, {% if args.id %}"
    if re.search(r"\{%-?\s*else\s+if\b", line):
        return "{% else if %}: expected {% elif ... %}"
    if message == "tag name expected":
        return f"{{% without a word: expected one of the tags {', '.join(TAGS)}"
    if message.startswith("missing end of comment"):
        return "{# has no end: expected #}"
    if "got '='" in message:
        return "= in a comparison: expected =="
    if "'|'" in message or "got '|'" in message or ("||" in line and "expected token 'name'" in message):
        return "|| in an expression: expected or"
    if re.search(r"\b(?:query|execute)\(", line) and "expected token ','" in message:
        return "a quote ends the SQL here: expected the other kind of quotes around it, and no letter before it"
    if message.startswith("unexpected '}'"):
        return "}: expected %} at the end of a tag, or }} at that of a value"
    return message if "expected" in message else f"{message}; expected Jinja's syntax"


def _tag(name: str) -> str:
    if name in ("break", "continue"):
        return f"{{% {name} %}}: expected {{% if %}} around what is left of the loop, or a LIMIT in SQL"
    if (begin := name.removeprefix("end")) in TAGS and begin != name:
        return f"{{% {name} %}}: expected {{% {begin} %}} before it"
    return f"{{% {name} %}}: expected one of the tags {', '.join(TAGS)}{did_you_mean(name, TAGS)}"


def values(sql: str, marks: int, cnt: int) -> str:
    """Returns the message about a query whose number of values differs from its number of ?."""
    said = f"{marks} ? and {cnt} values: expected a value for each ?"
    if marks >= cnt:
        return said
    texts = re.findall(r"'[^']*'|\"[^\"]*\"", sql)
    if any("%?" in text or "?%" in text for text in texts):
        return f"{said}; one in quotes is text: LIKE CONCAT('%', ?, '%')"
    if any("?" in text for text in texts):
        return f"{said}; one in quotes is text: write it without them"
    if found := re.search(r"%[sd]\b|(?<![:\w]):[A-Za-z_]\w*|\{\w*\}|\$\d+|@\w+", sql):
        return f"{said}; write ? for {found[0]}"
    return said
