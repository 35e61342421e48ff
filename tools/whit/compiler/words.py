# SPDX-License-Identifier: MIT
"""Words of media types and dispositions that the engine itself takes apart, with the names of their values in
engine/base/tables.h. HTTP's other words are in grammar.py."""

MEDIA = {
    "multipart/form-data": "WHIT_MEDIA_MULTIPART",
    "application/x-www-form-urlencoded": "WHIT_MEDIA_FORM",
}
PART_MEDIA = {
    "boundary": "WHIT_MEDIA_BOUNDARY",
    "filename": "WHIT_MEDIA_FILENAME",
    "content-type": "WHIT_MEDIA_TYPE",
    "content-disposition": "WHIT_MEDIA_DISPOSITION",
}


def media(parts: bool) -> dict[str, str]:
    """Where requests with a body are answered; `parts`: some of them in parts."""
    return MEDIA | (PART_MEDIA if parts else {})
