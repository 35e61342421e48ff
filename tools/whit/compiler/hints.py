# SPDX-License-Identifier: MIT
"""Hints at probable mistakes that compile: one line each; the build goes on."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from . import app_toml
from .c_source import CSource, Function
from .features import features
from .model import Generator, Limits, Persistence, Resource, Writer

_COPY = re.compile(r".+(?:~|\.(?:bak|orig|old|rej|swp|tmp))|#.+#")
_TEMPLATE = re.compile(r"(.+?)\.(?:j2|jinja2|tpl|tmpl|php|erb|ejs|mustache|hbs)")
_ARGS = re.compile(r"\bstruct\s+args_t\s*\*\s*(?:const\s+)?(\w+)")

# Constant text that is written by a statement of its own.
_TEXT = re.compile(r"(?<=[;{}])\s*\b(?:out_str|out_flash)\s*\(")
_STRINGS = re.compile(r'\s*((?:"(?:\\.|[^"\\\n])*"\s*)+)\)')
_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]+|[0-7]{1,3}|.)")

_LOCATION = re.compile(r'\banswer_field\("Location", "([^"]*)"\);')  # pages/writer.py

BUFFER_MAX = 32768
BLOCK_HEAD = 4  # octets: engine/core/buffer.c

# Code around a pointer that is used as a truth value, or compared with NULL.
_BEFORE = r"(?:\b(?:if|while)\s*\(|\breturn\b|&&|\|\||\?)"
_AFTER = r"(?:\)|&&|\|\||\?|[!=]=\s*(?:NULL\b|0\b))"


def hints(file: object, source: CSource) -> Iterator[str]:
    """Yields hints about one C file."""
    for name in sorted({match[1] for match in _ARGS.finditer(source.statements)}):
        asked = rf"{_BEFORE}\s*!?\s*\(?\s*{name}\s*{_AFTER}"
        for match in re.finditer(asked, source.statements):
            text = f"{name} is never NULL: an optional argument that is absent has its default, or is 0 or empty"
            yield f"{file}:{source.line_at(match.start())}: {text}"


def editors_copy(file: object, source: str) -> Iterator[str]:
    """Yields a hint at a file that an editor or a tool left: anybody could read it, also an old version of a C file."""
    if _COPY.fullmatch(source.rpartition("/")[2]):
        yield f"{file}: looks like an editor's copy, and is served as /{source}: remove it if clients must not read it"


def others_template(file: object, source: str) -> Iterator[str]:
    """Warns of a file that another program fills in: it is served unchanged, with its placeholders."""
    if found := _TEMPLATE.fullmatch(source):
        yield f"{file}: is served as /{source}, unchanged: expected {found[1]}.jinja of a page template"


def other_name(file: object, source: str) -> Iterator[str]:
    """Yields a hint at a file whose name is similar to one with a meaning at the top of the directory."""
    if source != app_toml.FILE and re.fullmatch(r"ap+\.to?m?l", source, re.IGNORECASE):
        yield f"{file}: is served as /{source}, and none of its settings are used: expected the name {app_toml.FILE}"
    found = re.fullmatch(r"([45]\d\d)\.(?:html?|c|html\.jinja|jinja)", source)
    if found and source != f"{found[1]}.html":
        yield f"{file}: is served as a page, not with status {found[1]}: expected a plain file, {found[1]}.html"
    elif found:
        yield f"{file}: is served as a page: the engine has no status {found[1]}; 400, 404 and 500 are the usual ones"


def text_len(source: CSource, function: Function) -> int:
    """Octets of the constant text that a function writes whatever else it does: not those of a loop or a branch."""
    octets = 0
    for match in _TEXT.finditer(source.statements, function.body, function.end):
        before = source.statements[function.body : match.start()]
        strings = _STRINGS.match(source.text, match.end())
        if strings and before.count("{") - before.count("}") == 1:
            texts = (_ESCAPE.sub(".", text) for text in _STRING.findall(strings[1]))
            octets += sum(len(text.encode()) for text in texts)
    return octets


def too_long(app_dir: object, resources: tuple[Resource, ...], limits: Limits) -> Iterator[str]:
    """Yields hints at functions whose constant text exceeds the shared buffer: each request gets 500."""
    again = any(one.used for one in features(resources) if one.name in ("IDEMPOTENT", "VOLATILE", "RERUN"))

    def room(generator: Generator, buffer: int) -> int:
        """Returns the room of plain_begin() in engine/response/generator.c if nothing else is buffered."""
        left = buffer - (min(buffer // 4, 256) if again else 0)
        free = left - BLOCK_HEAD - (BLOCK_HEAD + -(-generator.args_len // 4) * 4 if generator.args_len else 0)
        once = left // 2 if generator.persistence == Persistence.PERSISTENT and limits.connections > 1 else left
        return min(free, once)

    for resource in resources:
        generator = resource.generator
        if generator is None or generator.get is None or generator.get.writer != Writer.PLAIN:
            continue
        octets = generator.text_len
        if generator.persistence == Persistence.IDEMPOTENT or octets <= (there := room(generator, limits.buffer)):
            continue
        enough = next((size for size in range(limits.buffer, BUFFER_MAX + 1) if room(generator, size) >= octets), None)
        way_out = f"set buffer = {enough} in app.toml, or make it" if enough else "make it"
        text = f"{generator.get.name} writes {octets} bytes of text, and the buffer has room for {there}"
        yield f"{app_dir}/{resource.source}:{generator.line}: {text}: clients get 500; {way_out} a protothread"


def lost_redirects(app_dir: object, resources: tuple[Resource, ...]) -> Iterator[str]:
    """Yields hints at templates that redirect a browser to a path that is not served."""
    served = {url for resource in resources for url in resource.urls}
    tails = tuple(f"/{one.path}/" for one in resources if one.generator and one.tail is not None)
    for resource in resources:
        for target in dict.fromkeys(_LOCATION.findall(resource.page)):
            path = unquote(re.split(r"[?#]", target)[0])
            if path not in served and not path.startswith((*tails, "/whit/")):
                text = f'{{% redirect "{target}" %}}: nothing is served there, clients get 404'
                yield f"{app_dir}/{resource.source}: {text}"


def wide_window(settings: app_toml.Settings, limits: Limits) -> Iterator[str]:
    """Yields a hint at a receive window for bodies that the buffer cannot hold."""
    most = app_toml.window_of_bodies(limits.buffer)
    if "receive_window" not in settings.values or limits.receive_window <= max(most, limits.buffer // 2):
        return
    text = f"receive_window is {limits.receive_window}, and half of the buffer keeps {limits.buffer // 2} bytes"
    enough = 2 * limits.receive_window
    way_out = f"expected {most} at most{f', or buffer = {enough}' if enough <= BUFFER_MAX else ''}"
    yield f"{settings.file}:{settings.line_at('receive_window')}: {text}: longer bodies are sent twice; {way_out}"


def narrow_buffer(settings: app_toml.Settings, limits: Limits, usual: int) -> Iterator[str]:
    """Yields a hint at a buffer with less than SEGMENT_ROOM for a call. `usual`: the size with that room."""
    if "buffer" in settings.values and limits.buffer < usual:
        room = app_toml.SEGMENT_ROOM - (usual - limits.buffer + 1) // 2
        text = f"buffer is {limits.buffer}: a call longer than {room} bytes may take seconds, by its client's timer"
        yield f"{settings.file}:{settings.line_at('buffer')}: {text}; expected {usual} for such calls"
