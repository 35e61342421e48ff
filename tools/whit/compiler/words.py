# SPDX-License-Identifier: MIT
"""Words of media types and dispositions that the engine itself takes apart, with the names of their values in
engine/core/tables.h. HTTP's other words are in grammar.py."""

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
FORM_MEDIA = {"name": "WHIT_MEDIA_NAME"}
SOAP_MEDIA = {
    "charset=": "WHIT_MEDIA_CHARSET",
    "charset=utf-8": "WHIT_MEDIA_UTF_8",
    "charset=iso-8859-1": "WHIT_MEDIA_ISO_8859_1",
    "charset=us-ascii": "WHIT_MEDIA_US_ASCII",
}


def media(parts: bool, form_parts: bool = False, soap: bool = False) -> dict[str, str]:
    """Returns the media types of requests with a body. `parts`: some handlers take the body in parts; `form_parts`:
    forms are in parts, too; `soap`: some are messages of SOAP, in several charsets."""
    return (
        MEDIA
        | (PART_MEDIA if parts or form_parts else {})
        | (FORM_MEDIA if form_parts else {})
        | (SOAP_MEDIA if soap else {})
    )
