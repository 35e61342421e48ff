# SPDX-License-Identifier: MIT
"""Requests that are followed through the engine: for a file, for a persistent thread, and a POST of JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from whit_lab.instruments.served import application_of, content

FILE_LEN, THREAD_LEN = 4000, 3000  # bytes
JSON = b'{"day":2100,"night":170}'
SETTINGS = b"connections = 4\nbuffer = 512\n"

THREAD = f"""/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="persistent"/>
   </generator> */
#include <whit/app.h>

struct state_t {{
    uint16_t at;
}};

static char tell(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{{
    (void)args;
    PT_BEGIN(pt);
    for (; state->at < {THREAD_LEN}; state->at++)
        PT_OUT_C(pt, 'x');
    PT_END(pt);
}}
"""
POST = """/* <generator>
     <handlers doPost="set"/>
     <args><arg name="day" type="uint16"/><arg name="night" type="uint16"/></args>
     <properties persistence="persistent"/>
     <content-types><content-type type="application/json"/></content-types>
   </generator> */
#include <whit/app.h>

static char set(struct args_t *args)
{
    out_uint(args->day + args->night);
    return 1;
}
"""


@dataclass(frozen=True)
class Followed:
    """A request to an application, with the acknowledgments of its response."""

    what: str
    files: Mapping[str, bytes]
    request: bytes

    def application(self) -> Path:
        """Returns the application's directory."""
        return application_of("followed_post" if "set.c" in self.files else "followed", dict(self.files))


def _get(target: str) -> bytes:
    return f"GET {target} HTTP/1.1\r\nHost: 10.7.0.2\r\n\r\n".encode()


_FILES = {f"{FILE_LEN}.bin": content(FILE_LEN), "thread.c": THREAD.encode(), "app.toml": SETTINGS}
_HEAD = f"POST /set HTTP/1.1\r\nHost: 10.7.0.2\r\nContent-Type: application/json\r\nContent-Length: {len(JSON)}\r\n\r\n"
FOLLOWED: Mapping[str, Followed] = {
    "get": Followed(f"kept-alive GET of a file of {FILE_LEN} octets", _FILES, _get(f"/{FILE_LEN}.bin")),
    "thread": Followed(f"kept-alive GET of the {THREAD_LEN} octets of a persistent thread", _FILES, _get("/thread")),
    "post": Followed(
        f"kept-alive POST of {len(JSON)} octets of JSON to a form's function",
        {"set.c": POST.encode(), "app.toml": SETTINGS},
        _HEAD.encode() + JSON,
    ),
}
