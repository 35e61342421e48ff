# SPDX-License-Identifier: MIT
"""Finds the context of a value in an HTML page, as a browser parses it (tokenizer of the HTML standard, 13.2.5).

The constant parts of a template are read in their order. A value may be in text, in a quoted attribute, in a URL and
between the tokens of a script. Every other place is an error: no value can become markup or code.
"""

import html
import re
from dataclasses import dataclass, replace
from enum import Enum

from .elements import CODE_TYPES, CODE_URLS, CONSTANT, CONSTANT_NAMES, CONSTANT_TAGS, FOREIGN, RAW, TEXT_ONLY, URLS
from .script import CONSTANT as NO_CODE
from .script import Code, Script, behind_value, either, follow, ran, takes
from .script import read as read_script


class Escape(Enum):
    """The way to write a value; the C name is WHIT_ESCAPE_ and the name."""

    HTML = "text"
    URL = "an URL"
    URL_PART = "a part of an URL"
    JSON = "a value in a script"


class Misplaced(Exception):
    """A value in a context that is not allowed, or ambiguous markup; the message says what was expected."""


class State(Enum):
    TEXT = "text"
    TAG_NAME = "the name of a tag"
    TAG = "a tag"
    ATTRIBUTE = "the name of an attribute"
    BEHIND_NAME = "a tag, behind an attribute's name"
    BEFORE_VALUE = "an attribute without quotes"
    DOUBLE = 'an attribute in "'
    SINGLE = "an attribute in '"
    UNQUOTED = "an attribute without quotes "
    BEHIND_VALUE = "a tag, behind an attribute"
    BETWEEN = "a tag, behind a block"
    COMMENT = "a comment"
    DECLARATION = "a declaration <!...>"
    RAW = "the content of an element"


class Url(Enum):
    """Within the value of an attribute that is an URL."""

    NONE = "no URL"
    START = "nothing of it yet"
    BEGUN = "constant letters"
    VALUE = "a value, which may be its scheme"
    HOST = "a host that is not complete, or a / that may become //"
    REST = "its path or what follows it"
    FOREIGN = "a scheme that takes no value"


_BLANK = " \t\n\r\f"
SCHEMES = ("http", "https", "mailto", "tel")


@dataclass(frozen=True)
class Place:
    """A place between two characters of a page."""

    state: State = State.TEXT
    tag: str = ""  # the tag being read, or the element whose content is read
    closing: bool = False  # it is an end tag
    attribute: str = ""
    url: Url = Url.NONE
    begun: str = ""  # of an URL: its constant beginning, while it may become a scheme
    script: Script = Script.CODE
    code: Code = NO_CODE  # the part of the script that was read
    rules: bool = False  # the script has one of CODE_TYPES
    fresh: bool = False  # directly after <textarea> or <pre>, where a browser drops a line feed
    refreshes: bool = False  # the tag is <meta> with http-equiv
    described: bool = False  # the tag is <meta>, and its content has a value
    foreign: tuple[str, ...] = ()  # elements of FOREIGN that may be open
    inner: "Place | None" = None  # within an element's content: the place for a browser that reads it as markup

    @property
    def name(self) -> str:
        """The place's name in messages."""
        if self.state in (State.DOUBLE, State.SINGLE):
            return f"{self.attribute} of <{self.tag}>"
        if self.state == State.RAW:
            return f"<{self.tag}>"
        return str(self.state.value).strip()


def read(place: Place, text: str) -> Place:
    """Returns the place after a constant part of the page."""
    at = 0
    while at < len(text):
        place, at = _READERS[place.state](place, text, at)
    return place


def value_at(place: Place) -> tuple[Escape, Place]:
    """Returns the way to write a value here, and the place after it."""
    state = place.state
    if state == State.TEXT:
        return Escape.HTML, replace(place, fresh=False)
    if state == State.RAW and place.tag in TEXT_ONLY:
        return Escape.HTML, replace(place, fresh=False)
    if state == State.RAW and place.tag == "script":
        if place.foreign:
            raise Misplaced(f"in a script within <{place.foreign[-1]}>: expected the script behind that element")
        if place.script != Script.CODE:
            raise Misplaced(
                f"in a script, within {place.script.value}: expected it between tokens, <script>const x = "
                "{{ ... }};</script>, where it becomes a number or a string with its quotes"
            )
        if place.rules:
            raise Misplaced("in a script that chooses what is loaded: expected constant text in this type of script")
        if taken := takes(place.code):
            way = "expected a constant; const x = {{ ... }} takes data"
            raise Misplaced(f"behind {taken} of a script, which takes code, markup or where to go: {way}")
        return Escape.JSON, replace(place, code=behind_value(place.code))
    if state == State.RAW:
        raise Misplaced(f"inside <{place.tag}>: expected constant text; choose by a class, or an attribute in quotes")
    if state in (State.DOUBLE, State.SINGLE):
        return _in_attribute(place)
    if state in (State.BEFORE_VALUE, State.UNQUOTED):
        raise Misplaced(f'in an attribute without quotes: expected quotes around it, {place.attribute}="{{{{ ... }}}}"')
    if state == State.COMMENT:
        raise Misplaced("in a comment: expected constant text; {# ... #} is a comment that is not sent")
    raise Misplaced(f"in {place.name}: expected it in text, in an attribute in quotes, or in a script")


def _in_attribute(place: Place) -> tuple[Escape, Place]:
    tag, name = place.tag, place.attribute
    if name.startswith("on") or name in CONSTANT_NAMES:
        way = "an attribute such as data-value, which a script reads" if name.startswith("on") else "constant text"
        raise Misplaced(f"in {name} of <{tag}>: expected {way}")
    if (tag == "script" and name != "src") or tag in CONSTANT_TAGS or name in CONSTANT.get(tag, ()):
        raise Misplaced(f"in {name} of <{tag}>: expected constant text")
    if tag == "meta" and name == "content":
        if place.refreshes:
            raise Misplaced("in <meta http-equiv>: expected constant text")
        return Escape.HTML, replace(place, described=True)
    if place.url == Url.NONE:
        return Escape.HTML, place
    if place.url == Url.START:
        if (tag, name.rpartition(":")[2]) in CODE_URLS:
            raise Misplaced(f'at the beginning of {name} of <{tag}>: expected a constant beginning, {name}="/path/..."')
        return Escape.URL, replace(place, url=Url.VALUE)
    if place.url == Url.HOST:
        raise Misplaced(f'in the host of {name} of <{tag}>: expected a constant one, {name}="/path/..."')
    if place.url == Url.FOREIGN:
        schemes = ", ".join(SCHEMES)
        raise Misplaced(f"in {name} of <{tag}>, behind its scheme: expected {schemes}, or a path")
    return Escape.URL_PART, replace(place, begun=place.begun + "\0") if place.url == Url.BEGUN else place


_IN_TAG = (State.TAG_NAME, State.TAG, State.ATTRIBUTE, State.BEHIND_NAME, State.BEHIND_VALUE, State.BETWEEN)


def meet(one: Place, other: Place) -> Place | None:
    """Returns the common place after two branches of a template; None if they end differently."""
    foreign = _either(one.foreign, other.foreign)
    code, rules = either(one.code, other.code), one.rules or other.rules
    if code is None:
        return None
    one, other = (replace(p, fresh=False, foreign=foreign, code=code, rules=rules) for p in (one, other))
    if one == other:
        return one
    if one.state in _IN_TAG and other.state in _IN_TAG and (one.tag, one.closing) == (other.tag, other.closing):
        return Place(
            State.BETWEEN,
            one.tag,
            one.closing,
            refreshes=one.refreshes or other.refreshes,
            described=one.described or other.described,
            foreign=one.foreign,
            rules=one.rules,
        )
    return None


def _either(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the elements that may be open after either of two branches."""
    more = (tag for tag in FOREIGN for _ in range(other.count(tag) - one.count(tag)))
    return (*one, *more)


# ------------------------------------------------------------------------------------------------ constant parts


def _text(place: Place, text: str, at: int) -> tuple[Place, int]:
    start = text.find("<", at)
    if start < 0:
        return replace(place, fresh=False), len(text)
    if text.startswith("<!--", start):
        return replace(place, state=State.COMMENT, fresh=False), start + 4
    behind = text[start + 1 : start + 2]
    if behind == "!" and text.startswith("<![", start):
        raise Misplaced("<![: expected HTML; there are no sections of XML in it")
    if behind in ("!", "?"):
        return replace(place, state=State.DECLARATION, fresh=False), start + 2
    closing = behind == "/"
    first = text[start + 1 + closing : start + 2 + closing]
    if first == "":
        raise Misplaced("a tag is cut behind its <: expected its name in the same piece of text; or &lt;")
    if not (first.isascii() and first.isalpha()):
        if closing:
            raise Misplaced(f"</{first}: expected the name of an element; or &lt;")
        return replace(place, fresh=False), start + 1
    return Place(State.TAG_NAME, closing=closing, foreign=place.foreign), start + 1 + closing


def _tag_name(place: Place, text: str, at: int) -> tuple[Place, int]:
    name = re.compile(r"[^ \t\n\r\f/>]*").match(text, at)
    assert name
    place = replace(place, tag=place.tag + name[0].lower())
    if name.end() == len(text):
        return place, name.end()
    return replace(place, state=State.TAG), name.end()


def _tag(place: Place, text: str, at: int) -> tuple[Place, int]:
    one = text[at]
    if one == ">":
        return _behind_tag(place, is_whole=text[at - 1 : at] == "/"), at + 1
    if one in _BLANK or one == "/":
        return replace(place, state=State.TAG), at + 1
    if place.state == State.BEHIND_NAME and one == "=":
        return replace(place, state=State.BEFORE_VALUE), at + 1
    return replace(place, state=State.ATTRIBUTE, attribute=one.lower(), url=Url.NONE, begun=""), at + 1


def _behind_tag(place: Place, *, is_whole: bool = False) -> Place:
    """is_whole: the tag ends with "/>", which counts for elements of SVG and MathML only."""
    foreign = place.foreign
    if place.closing:
        if place.tag in foreign:
            last = len(foreign) - 1 - foreign[::-1].index(place.tag)
            foreign = foreign[:last] + foreign[last + 1 :]
        return Place(foreign=foreign)
    if place.tag in FOREIGN and not is_whole:
        return Place(foreign=(*foreign, place.tag))
    if place.tag in RAW | TEXT_ONLY | {"script"}:
        inner = Place() if place.tag in RAW - {"plaintext"} else None
        return Place(
            State.RAW, place.tag, fresh=place.tag == "textarea", foreign=foreign, inner=inner, rules=place.rules
        )
    return Place(fresh=place.tag in ("pre", "listing"), foreign=foreign)


def _attribute(place: Place, text: str, at: int) -> tuple[Place, int]:
    name = re.compile(r"[^ \t\n\r\f/>=]*").match(text, at)
    assert name
    place = replace(place, attribute=place.attribute + name[0].lower())
    if name.end() == len(text):
        return place, name.end()
    refreshes = place.refreshes or (place.tag == "meta" and place.attribute == "http-equiv")
    if refreshes and place.described:
        raise Misplaced("http-equiv behind a content with a value in <meta>: expected constant text in content")
    return replace(place, state=State.BEHIND_NAME, refreshes=refreshes), name.end()


def _behind_name(place: Place, text: str, at: int) -> tuple[Place, int]:
    return (place, at + 1) if text[at] in _BLANK else _tag(place, text, at)


def _between(place: Place, text: str, at: int) -> tuple[Place, int]:
    if text[at] not in _BLANK + "/>":
        raise Misplaced(f"{text[at]!r} behind a block inside of a tag: expected a blank before it")
    return _tag(place, text, at)


def _before_value(place: Place, text: str, at: int) -> tuple[Place, int]:
    one = text[at]
    if one in _BLANK:
        return place, at + 1
    if one == ">":
        return _behind_tag(place), at + 1
    is_url = place.attribute.rpartition(":")[2] in URLS
    place = replace(place, url=Url.START if is_url else Url.NONE, begun="")
    states = {'"': State.DOUBLE, "'": State.SINGLE}
    return replace(place, state=states.get(one, State.UNQUOTED)), at + (one in states)


def _quoted(place: Place, text: str, at: int) -> tuple[Place, int]:
    end = text.find('"' if place.state == State.DOUBLE else "'", at)
    piece = text[at : end if end >= 0 else len(text)]
    place = _typed(_url(place, piece), piece)
    if end < 0:
        return place, len(text)
    return replace(place, state=State.BEHIND_VALUE, url=Url.NONE, begun=""), end + 1


def _typed(place: Place, piece: str) -> Place:
    chooses = (place.tag, place.attribute) == ("script", "type") and html.unescape(piece).strip().lower() in CODE_TYPES
    return replace(place, rules=True) if chooses else place


def _url(place: Place, piece: str) -> Place:
    """Returns the place after the piece. Raises Misplaced if a value would become the URL's scheme."""
    if place.url in (Url.NONE, Url.REST, Url.FOREIGN) or not piece:
        return place
    if place.url == Url.VALUE:
        found = re.search(r"[:/?#&]", piece)
        if found is None:
            return place
        if found[0] in ":&":
            raise Misplaced(f"a value may become the scheme of {place.name}: expected a / before the {found[0]}")
        return replace(place, url=Url.REST)
    begun = place.begun + piece
    found = re.search(r"[:/?#&\\\t\n\r]", begun)
    if found is None:
        return replace(place, url=Url.BEGUN if begun.strip() else Url.START, begun=begun if begun.strip() else "")
    scheme = begun[: found.start()].strip().lower()
    if (found[0] == ":" and scheme not in SCHEMES) or found[0] in "&\\\t\n\r":
        return replace(place, url=Url.FOREIGN, begun="")
    is_code = (place.tag, place.attribute.rpartition(":")[2]) in CODE_URLS
    if is_code and not _SETTLED.match(begun.strip()):
        return replace(place, url=Url.HOST, begun=begun)
    return replace(place, url=Url.REST, begun="")


_SETTLED = re.compile(r"(?:https?:)?//[^/\\?#&\s\0]+[/?#]|/[^/\\&\s\0]|[^/\\:&\s]+[/?#]|[?#]", re.IGNORECASE)
"""Beginnings of a URL after which nothing can change its host: a host with its path, or a path. An empty value after
a lone / would make // of it and of the next /."""


def _unquoted(place: Place, text: str, at: int) -> tuple[Place, int]:
    found = re.compile(r"[ \t\n\r\f>]").search(text, at)
    place = _typed(place, text[at : found.start() if found else len(text)])
    if found is None:
        return place, len(text)
    return (_behind_tag(place), found.end()) if found[0] == ">" else (replace(place, state=State.TAG), found.end())


def _comment(place: Place, text: str, at: int) -> tuple[Place, int]:
    # A comment ends at "-->", or earlier, as the standard says, at "--!>", and ">" or "->" at its beginning.
    found = re.compile(r"--!?>").search(text, max(0, at - 2))
    if text.startswith((">", "->"), at) and text[max(0, at - 4) : at] == "<!--":
        raise Misplaced("a comment that ends where it begins: expected <!-- text -->")
    if found is None:
        if text.endswith("-"):
            raise Misplaced("a comment is cut behind a -: expected --> in one piece of text")
        return place, len(text)
    return Place(foreign=place.foreign), found.end()


def _declaration(place: Place, text: str, at: int) -> tuple[Place, int]:
    end = text.find(">", at)
    return (place, len(text)) if end < 0 else (Place(foreign=place.foreign), end + 1)


def _raw(place: Place, text: str, at: int) -> tuple[Place, int]:
    found = re.compile(rf"</{place.tag}(?=[ \t\n\r\f/>])", re.IGNORECASE).search(text, at)
    if place.tag == "plaintext":
        found = None
    piece = text[at : found.start() if found else len(text)]
    if place.tag == "script" and "<!--" in piece:
        raise Misplaced("<!-- in a script: expected none; it changes where the script ends")
    if found is None and re.search(rf"<(?:/{_beginnings(place.tag)})?\Z", piece, re.IGNORECASE):
        raise Misplaced(f"the end of <{place.tag}> is cut: expected </{place.tag}> in one piece of text")
    if "<" in piece and (place.tag in TEXT_ONLY or (place.tag == "script" and place.foreign)):
        raise Misplaced(f"< in <{place.tag}>, which a browser may take for a tag: expected {_INSTEAD[place.tag]}")
    script, code = place.script, place.code
    if place.tag == "script":
        script, code = read_script(script, piece), follow(code, script, piece)
    if runs := ran(code):
        raise Misplaced(
            f"{runs} in one statement of a script with a value: expected const x = {{{{ ... }}}}; before it"
        )
    inner = read(place.inner, piece) if place.inner else None
    if found:
        if inner and inner.state != State.TEXT:
            raise Misplaced(f"<{place.tag}> ends within {inner.name} of its content: expected that to end before")
        return Place(State.TAG, place.tag, closing=True, foreign=place.foreign), found.end()
    return replace(place, script=script, code=code, inner=inner, fresh=place.fresh and not piece), len(text)


_INSTEAD = {"title": "&lt;", "textarea": "&lt;", "script": "a script outside of <svg> and <math>"}


def _beginnings(tag: str) -> str:
    """A pattern of all beginnings of a name, the empty one and the whole included."""
    pattern = ""
    for letter in reversed(tag):
        pattern = f"(?:{letter}{pattern})?"
    return pattern


_READERS = {
    State.TEXT: _text,
    State.TAG_NAME: _tag_name,
    State.TAG: _tag,
    State.ATTRIBUTE: _attribute,
    State.BEHIND_NAME: _behind_name,
    State.BEFORE_VALUE: _before_value,
    State.DOUBLE: _quoted,
    State.SINGLE: _quoted,
    State.UNQUOTED: _unquoted,
    State.BEHIND_VALUE: _tag,
    State.BETWEEN: _between,
    State.COMMENT: _comment,
    State.DECLARATION: _declaration,
    State.RAW: _raw,
}
