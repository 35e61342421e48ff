# SPDX-License-Identifier: MIT
"""Values computed before a client asks: pairs and nonces serve once, come from entropy, and are wiped."""

import ctypes
import hashlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile

from tests.tls.host import code, identity, start

MORE, READY = 0, 1  # enum ahead
STEPS_MAX = 1000
CLIENT = X25519PrivateKey.from_private_bytes(bytes(range(32)))
POINT = CLIENT.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
DIGEST = hashlib.sha256(b"what is signed").digest()


def until_ready(step) -> int:
    """Returns the number of slices before the step is ready."""
    for taken in range(STEPS_MAX):
        if step() == READY:
            return taken
    raise AssertionError("it is never ready")


def signature(digest: bytes = DIGEST, of_digest: bytes | None = None) -> bytes:
    until_ready(lambda: code().ahead_nonce(of_digest))
    made = ctypes.create_string_buffer(64)
    assert code().ahead_sign(made, digest)
    return made.raw


def holds(made: bytes, digest: bytes = DIGEST) -> bool:
    public = ec.derive_private_key(int.from_bytes(identity().key, "big"), ec.SECP256R1()).public_key()
    r, s = int.from_bytes(made[:32], "big"), int.from_bytes(made[32:], "big")
    public.verify(utils.encode_dss_signature(r, s), digest, ec.ECDSA(utils.Prehashed(hashes.SHA256())))
    return True


def taken() -> tuple[bytes, bytes, bool]:
    """Share, shared secret, and whether it is one."""
    share, shared = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
    good = bool(code().ahead_take(share, shared) & 1)
    return share.raw, shared.raw, good


def memory() -> bytes:
    """Returns all memory of the library: the writable part of its file, and the memory behind it."""
    library = Path(code()._name)
    maps = Path("/proc/self/maps").read_text().splitlines()
    mapped = next(line for line in maps if str(library) in line)  # "(deleted)" follows where another test made it anew
    loaded_at = int(mapped.split("-")[0], 16)
    with library.open("rb") as file:
        segments = [one.header for one in ELFFile(file).iter_segments("PT_LOAD") if one.header.p_flags & P_FLAGS.PF_W]
    return b"".join(ctypes.string_at(loaded_at + one.p_vaddr, one.p_memsz) for one in segments)


@pytest.fixture(autouse=True)
def switched_on() -> None:
    start()


def test_nonces_come_from_entropy_and_serve_once() -> None:
    made = [signature() for _ in range(4)]
    assert all(map(holds, made))
    start(2)
    made += [signature() for _ in range(4)]
    assert all(map(holds, made)) and len({one[:32] for one in made}) == 8
    start(2)
    assert signature() == made[4], "the same entropy"


def test_a_nonce_of_the_digest_needs_no_entropy() -> None:
    first = signature(of_digest=DIGEST)
    start(2)
    other = hashlib.sha256(b"another").digest()
    assert signature(of_digest=DIGEST) == first and holds(first)
    assert signature(other, other)[:32] != first[:32]


def test_what_is_shared_is_what_the_client_has() -> None:
    shares = set()
    for seed in (1, 1, 2):
        start(seed)
        until_ready(code().ahead_pair)
        until_ready(lambda: code().ahead_shared(POINT))
        share, shared, good = taken()
        assert good and shared == CLIENT.exchange(X25519PublicKey.from_public_bytes(share))
        assert shared not in memory()
        shares.add(share)
        assert code().ahead_pair() == MORE, "it serves once"
    assert len(shares) == 2


def test_the_library_s_memory_is_looked_at() -> None:
    until_ready(code().ahead_pair)
    until_ready(lambda: code().ahead_shared(POINT))
    pair = memory()
    share, shared, _ = taken()
    assert shared in pair and share in pair


def test_a_point_that_shares_nothing() -> None:
    until_ready(code().ahead_pair)
    until_ready(lambda: code().ahead_shared(bytes(32)))
    assert taken()[1:] == (bytes(32), False)


@pytest.mark.parametrize("steps", [0, 1, 5, STEPS_MAX])
def test_a_pair_of_somebody_who_went_is_not_used_again(steps: int) -> None:
    """A pair is dropped once its client's point has been used; before that, the next client gets it."""
    until_ready(code().ahead_pair)
    for _ in range(steps):
        if code().ahead_shared(POINT) == READY:
            break
    code().ahead_give_up()
    assert code().ahead_pair() == (READY if steps == 0 else MORE)
    until_ready(code().ahead_pair)
    until_ready(lambda: code().ahead_shared(POINT))
    share, shared, good = taken()
    assert good and shared == CLIENT.exchange(X25519PublicKey.from_public_bytes(share))


def test_who_goes_leaves_what_is_for_nobody_yet() -> None:
    """Half a pair or half a nonce is kept: the computation continues."""
    whole = until_ready(code().ahead_pair)
    whole_nonce = until_ready(lambda: code().ahead_nonce(None))
    start()
    for _ in range(whole // 2):
        code().ahead_pair()
    code().ahead_give_up()
    assert until_ready(code().ahead_pair) == whole - whole // 2
    for _ in range(whole_nonce // 2):
        code().ahead_nonce(None)
    code().ahead_give_up()
    assert until_ready(lambda: code().ahead_nonce(None)) == whole_nonce - whole_nonce // 2
    assert code().ahead_pair() == READY


@pytest.mark.parametrize("leave", ["ahead_give_up", "ahead_no_nonce"])
def test_half_a_nonce_that_is_dropped(leave: str) -> None:
    """A half-computed nonce is dropped: with its client if it has a digest, else by a client that needs none. The pair
    stays."""
    digest = DIGEST if leave == "ahead_give_up" else None
    until_ready(code().ahead_pair)
    whole = until_ready(lambda: code().ahead_nonce(digest))
    assert code().ahead_sign(ctypes.create_string_buffer(64), DIGEST)
    code().ahead_nonce(digest)
    assert bool(code().ahead_amid_nonce() & 1) == (digest is None)
    code()[leave]()
    assert not code().ahead_amid_nonce() & 1
    assert until_ready(lambda: code().ahead_nonce(digest)) == whole
    assert code().ahead_pair() == READY
