# SPDX-License-Identifier: MIT
"""Contents that are fixed at run time: written once into persistent memory, then served as files are."""

import pytest

from tests.harness import Make, ask
from tests.http.stored import HEADER, OWN, SIZES, URLS, bank_len, get, made, persistent, target_of, write
from whit.wire.http import request
from whit_testbed.net import Net


def test_never_written_is_not_there(make_stored: Make) -> None:
    engine = make_stored()
    for which in URLS:
        assert get(engine, which).status == 404
        assert get(engine, which, method="HEAD").status == 404
        assert get(engine, which, "If-None-Match: *").status == 404
        assert get(engine, which, 'If-None-Match: "00000000"').status == 404
        assert get(engine, which, "If-Match: *").status == 404


def test_head_fields(make_stored: Make) -> None:
    engine = make_stored()
    assert [write(engine, which, 20, 1) for which in URLS] == [200] * 3
    types = [get(engine, which).field("content-type") for which in URLS]
    assert types == ["text/html; charset=utf-8", "image/png", "text/x-plain"]
    response = get(engine, 1)
    own = ["cache-control", "content-type", "etag", "content-length"]
    assert [name for name, _ in response.fields] == ["connection", "keep-alive", *own]
    assert response.field("cache-control") == "no-cache"
    head = get(engine, 1, method="HEAD")
    assert head.fields == response.fields and head.body == b""
    assert get(engine, 1, method="POST").status in (405, 501)


@pytest.mark.parametrize("chunk", [4, 32, 128])
@pytest.mark.parametrize("step", [1, 7, 31, 32, 33, 64, 256])
def test_every_size_in_every_step(make_stored: Make, chunk: int, step: int) -> None:
    engine = make_stored(chunk=chunk)
    for cnt in (0, 1, 2, 3, 31, 32, 33, 64, 99, 100):
        assert write(engine, 0, cnt, cnt + 1, step) == 200
        assert get(engine, 0).body == made(cnt, cnt + 1), cnt
    for cnt in (chunk * 8 - 1, chunk * 8, chunk * 8 + 1, chunk * 16, 3999, 4000):
        assert write(engine, 1, cnt, cnt, step) == 200
        assert get(engine, 1).body == made(cnt, cnt), cnt
    assert engine.static_checksum_octets == 0


@pytest.mark.parametrize("step", [1, 34, 256])
def test_more_than_it_may_have(make_stored: Make, step: int) -> None:
    engine = make_stored()
    assert write(engine, 2, 33, 1, step) == 200
    tag = get(engine, 2).field("etag")
    for cnt in (34, 35, 1000):
        assert write(engine, 2, cnt, 2, step) == 500
        assert get(engine, 2).body == made(33, 1)
    assert get(engine, 2).field("etag") == tag
    assert write(engine, 2, 33, 3, step) == 200
    assert get(engine, 2).body == made(33, 3)
    assert write(engine, 3, 1, 1) == 500  # no such content
    assert write(engine, 255, 1, 1) == 500


def test_entity_tags(make_stored: Make) -> None:
    engine = make_stored()
    tags = []
    for seed in (1, 1, 2, 2, 3):
        assert write(engine, 1, 500, seed) == 200
        tags.append(get(engine, 1).field("etag") or "")
        not_modified = get(engine, 1, f"If-None-Match: {tags[-1]}")
        assert (not_modified.status, not_modified.field("etag")) == (304, tags[-1])
        assert get(engine, 1, f'If-None-Match: "x", W/{tags[-1]}').status == 304
        assert get(engine, 1, "If-None-Match: *").status == 304
        assert get(engine, 1, f"If-None-Match: {tags[-1]}", method="HEAD").status == 304
        assert get(engine, 1, f"If-Match: {tags[-1]}").status == 200
        for old in tags[:-1]:
            assert get(engine, 1, f"If-None-Match: {old}").body == made(500, seed)
            assert get(engine, 1, f"If-Match: {old}").status == 412
    assert len(set(tags)) == len(tags)
    assert all(len(tag) == 10 for tag in tags)


@pytest.mark.parametrize(
    ("name", "written", "status"),
    [("If-None-Match", 1, 200), ("If-Match", 1, 412), ("If-None-Match", 2, 304), ("If-Match", 2, 200)],
)
def test_tag_that_was_compared_before_a_new_version(make_stored: Make, name: str, written: int, status: int) -> None:
    """The field is read, then the content changes, then the request ends. Another content's version does not matter."""
    engine = make_stored()
    assert write(engine, 1, 500, 1) == 200
    octets = request(URLS[1], f"{name}: {get(engine, 1).field('etag')}")
    net = Net(engine)
    client = net.host("10.0.0.5").client()
    client.send(octets[:-2])
    net.idle(0.1)
    assert not client.connection.unacknowledged
    writer = net.host("10.0.0.6").client()
    size = 700 if written == 1 else 30
    assert net.get(writer, target_of(written, size, 9)).status == 200
    client.connection.send(octets[-2:])
    net.run(client)
    assert client.responses[0].status == status
    assert status != 200 or client.responses[0].body == (made(700, 9) if written == 1 else made(500, 1))


def test_stays_over_a_restart(make_stored: Make) -> None:
    engine = make_stored()
    assert write(engine, 1, 3333, 7) == 200
    tag = get(engine, 1).field("etag")
    engine.reset()
    assert get(engine, 1).body == made(3333, 7)
    other = make_stored(persistent=persistent(engine))
    assert get(other, 1).body == made(3333, 7)
    assert get(other, 1).field("etag") == tag
    assert get(other, 1, f"If-None-Match: {tag}").status == 304
    assert get(other, 0).status == 404


def test_a_write_that_a_restart_cuts_off(make_stored: Make) -> None:
    engine = make_stored()
    write(engine, 1, 1000, 1)
    assert write(engine, 1, 600, 2, more="&stay=1") == 200
    assert get(engine, 1).body == made(1000, 1)
    engine.reset()
    assert write(engine, 1, 10, 3, more="&add=1") == 500  # its ticket is worth nothing any more
    assert get(engine, 1).body == made(1000, 1)


def test_a_new_write_ends_the_one_on_its_way(make_stored: Make) -> None:
    engine = make_stored()
    assert write(engine, 1, 600, 2, more="&stay=1") == 200
    assert write(engine, 1, 40, 3, more="&add=1") == 200
    assert get(engine, 1).body == made(600, 2) + made(40, 3)


def test_a_handler_asks_for_the_length(make_stored: Make) -> None:
    """The length of unwritten content is 0, and so is that of a number that does not exist."""
    engine = make_stored()

    def told(which: int) -> bytes:
        return ask(engine, request(target_of(which, 0, 0, more="&ask=1"))).body

    assert [told(which) for which in (0, 1, 2, 3, 255)] == [b"0"] * 5
    assert write(engine, 1, 17, 1) == 200
    assert [told(which) for which in (0, 1, 2, 3, 255)] == [b"0", b"17", b"0", b"0", b"0"]


@pytest.mark.parametrize("before", [65534, 65535, 65536])
def test_tickets_wrap(make_stored: Make, before: int) -> None:
    """0 is no ticket: the one after 65 535 is 1."""
    engine = make_stored()
    assert write(engine, 2, 5, 1, more=f"&before={before}") == 200
    assert get(engine, 2).body == made(5, 1)


def test_a_write_ends_once(make_stored: Make) -> None:
    """A ticket is invalid after its write has ended or was given up."""
    engine = make_stored()
    assert write(engine, 2, 20, 1) == 200
    tag = get(engine, 2).field("etag")
    assert write(engine, 2, 0, 2, more="&add=1") == 500
    assert write(engine, 2, 34, 3) == 500
    assert write(engine, 2, 0, 4, more="&add=1") == 500
    assert get(engine, 2).body == made(20, 1) and get(engine, 2).field("etag") == tag
    assert write(engine, 2, 10, 5, more="&stay=1") == 200
    assert get(engine, 2).body == made(20, 1)
    assert write(engine, 2, 0, 6, more="&add=1") == 200
    assert get(engine, 2).body == made(10, 5)


@pytest.mark.slow
@pytest.mark.parametrize("which", [0, 1])
def test_power_cut_at_every_write(make_stored: Make, which: int) -> None:
    cnt = SIZES[which]
    engine = make_stored()
    assert write(engine, which, cnt // 2, 1) == 200
    before, old = persistent(engine), get(engine, which)
    began = engine.persistent_writes
    assert write(engine, which, cnt, 2, 100) == 200
    after, writes = persistent(engine), engine.persistent_writes - began
    assert writes >= 3
    for cut in range(writes):
        cut_off = make_stored(persistent=before)
        cut_off.persistent_fail_after(cut)
        assert write(cut_off, which, cnt, 2, 100) == 500
        again = make_stored(persistent=persistent(cut_off))
        assert get(again, which).raw == old.raw, cut
        assert write(again, which, 7, 3) == 200
        assert get(again, which).body == made(7, 3)
    assert get(make_stored(persistent=after), which).body == made(cnt, 2)


@pytest.mark.slow
def test_torn_header(make_stored: Make) -> None:
    """A faulty medium stores only some octets of the last write."""
    engine = make_stored()
    for seed in (1, 2):
        assert write(engine, 0, 50 + seed, seed) == 200
    before = persistent(engine)
    assert write(engine, 0, 90, 3) == 200
    after = persistent(engine)
    header = slice(OWN, OWN + HEADER)
    assert before[header] != after[header]
    for keep in range(256):
        torn = bytearray(after)
        for bit in range(HEADER):
            if not keep >> bit & 1:
                torn[OWN + bit] = before[OWN + bit]
        response = get(make_stored(persistent=bytes(torn)), 0)
        # The version before the torn one, or all of the new one.
        assert response.body == (made(90, 3) if torn[header] == after[header] else made(52, 2)), keep


def test_what_lies_in_the_idle_bank_does_not_matter(make_stored: Make) -> None:
    engine = make_stored()
    assert write(engine, 2, 33, 1) == 200
    octets = bytearray(persistent(engine))
    start = OWN + 2 * bank_len(0) + 2 * bank_len(1) + bank_len(2)
    for fill in (0x00, 0xFF, 0x5A):
        octets[start:] = bytes([fill]) * (len(octets) - start)
        again = make_stored(persistent=bytes(octets))
        assert get(again, 2).body == made(33, 1)
        assert write(again, 2, 30, 2) == 200
        assert get(again, 2).body == made(30, 2)


@pytest.mark.parametrize("fill", [0xFF, 0x5A, 0x01])
def test_memory_full_of_something_else(make_stored: Make, fill: int) -> None:
    engine = make_stored(persistent=bytes([fill]) * 8843)
    for which in URLS:
        assert get(engine, which).status == 404
        assert write(engine, which, 20, 5) == 200
        assert get(engine, which).body == made(20, 5)


def test_another_layout_is_not_taken_for_a_version(make_stored: Make) -> None:
    engine = make_stored()
    for which in URLS:
        write(engine, which, 30, 1)
    other = make_stored(chunk=16, persistent=persistent(engine))
    assert [get(other, which).status for which in URLS] == [404] * 3


def test_versions_wrap(make_stored: Make) -> None:
    """65 535 is followed by 1, which is newer."""
    engine = make_stored()
    write(engine, 2, 5, 1)
    octets = bytearray(persistent(engine))
    start = OWN + 2 * bank_len(0) + 2 * bank_len(1)
    words = [int.from_bytes(octets[start + i : start + i + 2], "little") for i in range(0, HEADER, 2)]
    assert words[:2] == [1, 5]
    octets[start : start + 2] = b"\xff\xff"  # 0 in one's complement: the check is that of version 0
    sum_ = (0xFFFF - words[3] - 0x0100) % 0xFFFF
    octets[start + 6 : start + 8] = (0xFFFF - sum_).to_bytes(2, "little")
    again = make_stored(persistent=bytes(octets))
    assert (get(again, 2).field("etag") or "").startswith('"ffff')
    for seed in (2, 3, 4):
        assert write(again, 2, 6, seed) == 200
        assert get(again, 2).body == made(6, seed)
        assert (get(again, 2).field("etag") or "").startswith(f'"{seed - 1:04x}')


def test_the_application_stays_within_its_own_octets(make_stored: Make) -> None:
    engine = make_stored()
    for address, cnt, may in ((0, 5, 1), (4, 1, 1), (5, 0, 1), (5, 1, 0), (4, 2, 0), (65535, 8, 0)):
        answer = ask(engine, request(f"/own?address={address}&cnt={cnt}"))
        assert answer.body == (b"11" if may else b"00"), (address, cnt)
