# SPDX-License-Identifier: MIT
"""Elements and attributes of HTML with special parsing, or that decide what a browser loads."""

URLS = {"action", "background", "cite", "data", "formaction", "href", "icon", "longdesc", "manifest", "poster", "src"}
# Attributes whose URL loads code, or rules over the page.
CODE_URLS = {(tag, "src") for tag in ("embed", "fencedframe", "frame", "iframe", "portal", "script")} | {
    ("html", "manifest"),
    ("link", "href"),
    ("object", "data"),
    ("use", "href"),
}
# A value here chooses a resource, its rights, or the parsing of the page after it.
CONSTANT_TAGS = {"animate", "animatecolor", "animatemotion", "animatetransform", "applet", "base", "param", "set"}
CONSTANT = {
    "embed": {"code", "type"},
    "style": {"type"},
    "annotation-xml": {"encoding"},
    "iframe": {"allow", "csp", "sandbox"},
    "link": {"as", "blocking", "integrity", "rel", "type"},
    "meta": {"charset", "http-equiv"},
    "object": {"archive", "classid", "code", "codebase", "codetype", "type"},
    "template": {"shadowrootmode"},
}
CONSTANT_NAMES = {"attributename", "imagesrcset", "is", "nonce", "ping", "srcdoc", "srcset", "style"}
RAW = {"style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext"}
CODE_TYPES = ("importmap", "speculationrules")
"""Types of <script> with JSON that chooses resources to load."""
TEXT_ONLY = {"title", "textarea"}
FOREIGN = {"svg", "math"}
"""Within these, a browser reads the content of <script>, <style> and <title> as markup (13.2.6.5)."""
