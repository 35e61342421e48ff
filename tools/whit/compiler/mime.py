# SPDX-License-Identifier: MIT
"""Media types by file name extension (IANA's registry), the same on every machine."""

DEFAULT = "application/octet-stream"

_TEXT = {
    "html": "text/html",
    "htm": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "mjs": "text/javascript",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "xml": "text/xml",
    "vcf": "text/vcard",
    "ics": "text/calendar",
    "vtt": "text/vtt",
}

_OTHER = {
    "json": "application/json",
    "map": "application/json",
    "webmanifest": "application/manifest+json",
    "xhtml": "application/xhtml+xml",
    "atom": "application/atom+xml",
    "rss": "application/rss+xml",
    "wsdl": "application/wsdl+xml",
    "pdf": "application/pdf",
    "wasm": "application/wasm",
    "zip": "application/zip",
    "gz": "application/gzip",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "ico": "image/vnd.microsoft.icon",
    "bmp": "image/bmp",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "ttf": "font/ttf",
    "otf": "font/otf",
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
    "wav": "audio/wav",
    "mp4": "video/mp4",
    "webm": "video/webm",
}


def content_type_of(path: str, content: bytes) -> str:
    """Returns the Content-Type of a file, with the charset of UTF-8 text."""
    name = path.rpartition("/")[2]
    extension = name.rpartition(".")[2].lower() if "." in name else ""
    if extension not in _TEXT:
        return _OTHER.get(extension, DEFAULT)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return _TEXT[extension]
    return f"{_TEXT[extension]}; charset=utf-8"
