// SPDX-License-Identifier: MIT
// Limits of a build, and the constants that follow from them.
#ifndef WHIT_CORE_LIMITS_H
#define WHIT_CORE_LIMITS_H

#include <stdint.h>

#include "called.h"
#include "tables.h"
#include "whit/config.h"
#include "whit_limits.h"

// ------------------------------------------------------------------------------------------------ what must hold

// HOLDS() ends a test build if its condition is false, whatever packets contain, and names it. It is empty in other
// builds.

#ifdef WHIT_CHECKED
void whit_broken(const char *what);    // port: prints it and ends the program
#define HOLDS(condition) ((condition) ? (void)0 : whit_broken(#condition))
#else
#define HOLDS(condition) ((void)0)
#endif

// ------------------------------------------------------------------------------------------------ limits

// The application compiler writes all limits of a build to one page, whit_limits.h. This file has the relations that
// must hold between them, and the constants that follow from them or from the protocols.

#define LEAVES_SLOTS (WHIT_LEAVES_SLOTS && !WHIT_KEEPS_FRAMES && WHIT_CONNECTIONS > 1 && HAS_TAGS)

// HTTPS: [https] in app.toml (tls.h).
#ifndef WHIT_TLS
#define WHIT_TLS 0
#endif
#if !WHIT_TLS
#define WHIT_HTTPS_PORT 0
#define WHIT_HTTPS_IDLE 0
#define WHIT_HTTPS_EARLY 0
#define WHIT_HTTPS_AES 0
#define WHIT_HTTPS_PLAIN_SERVE 0
#define WHIT_HTTPS_PLAIN_REDIRECT 1
#define WHIT_HTTPS_PLAIN_OFF 2
#define WHIT_HTTPS_PLAIN WHIT_HTTPS_PLAIN_SERVE
#endif
#define REDIRECTS (WHIT_TLS && WHIT_HTTPS_PLAIN == WHIT_HTTPS_PLAIN_REDIRECT)    // all plain requests, to HTTPS
// Connections that may stay open idle, where app.toml leaves it open. One that ends takes a place of all idle ones,
// too.
#ifndef WHIT_HTTPS_IDLE
#define WHIT_HTTPS_IDLE (WHIT_HTTPS_IDLE_USUAL < WHIT_IDLE ? WHIT_HTTPS_IDLE_USUAL : WHIT_IDLE - (WHIT_IDLE != 0))
#endif
#define BUFFER_LEN (WHIT_TLS ? WHIT_BUFFER + WHIT_TLS_BUFFER : WHIT_BUFFER)
// part of the buffer for octets that wait to be read
#define INPUT_LEN (WHIT_TLS ? WHIT_BUFFER / 2 + WHIT_TLS_BUFFER : WHIT_BUFFER / 2)

// Early data (RFC 8446, section 2.3). EARLY_MAX: octets of content that a client may send with its hello; they wait
// beside its handshake. EARLY_SEEN: hellos whose early data were accepted lately, which are not accepted again. If all
// entries are young, early data is refused.
#define EARLY_MAX (INPUT_LEN - 576 < 16384 ? INPUT_LEN - 576 : 16384)
#define EARLY_SEEN (WHIT_CONNECTIONS > 16 ? WHIT_CONNECTIONS : 16)

#define HAS_JSON_ERRORS (WHIT_HAS_JSON_ERRORS && !WHIT_HAS_PAGES)    // pages have the request log's reasons
#define HAS_MULTIPART (WHIT_HAS_PARTS || WHIT_HAS_FORM_PARTS)
#define HAS_WSS (WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE)    // WS-Security
#define HAS_PROOFS WHIT_HAS_SIGNATURE                      // signatures are verified, in slices (body.c)
#define HAS_SLICES (WHIT_TLS || HAS_PROOFS)                // long computations run in turns of the main loop (slices.c)
#define TICK_MS 4                                          // grain of all timers
#define TICKS(ms) ((uint16_t)((ms) / TICK_MS))

// up to its CR, with the longest method and version and the blanks between
#define REQUEST_LINE_MAX (WHIT_TARGET_MAX + 15)

#define MSS_MIN (WHIT_TLS ? 96 : 88)    // a SYN that announces less is not answered
// least half of a window: a chunk has but one sum
#define MSS_HALVED_MIN (WHIT_CHUNK > MSS_MIN ? WHIT_CHUNK : MSS_MIN)
#define MSS_DEFAULT 536    // no option: RFC 9293 section 3.7.1
#define MSS_MAX 1460       // MTU of 1500 octets
// Octets of a body wait for their checksum in the half of the buffer that is for input. INPUT_SHARE fits there beside
// the data of the request. With large bodies, a peer's segment has at most that length. A form mostly fits the buffer.
// A request in one segment, head included, is worth the few octets that must be retransmitted.
#define INPUT_SHARE (WHIT_BUFFER / 4 > MSS_MAX ? MSS_MAX : WHIT_BUFFER / 4 < 128 ? 128 : WHIT_BUFFER / 4)
#define MSS_OURS \
    (WHIT_HAS_PARTS ? INPUT_SHARE : WHIT_TLS && WHIT_TLS_BUFFER / 2 < MSS_MAX ? WHIT_TLS_BUFFER / 2 : MSS_MAX)
// Serial lines: the time for `cnt` full segments, ten bits an octet. An acknowledgment may have to wait for four of
// them: two before its segment, the segment, and one that is sent when it arrives. No timer expires within that time.
#define FULL_SEGMENTS(cnt) \
    (WHIT_BOARD_SERIAL ? (cnt) * (MSS_MAX + 40) * UINT32_C(10000) / WHIT_BOARD_BAUD / TICK_MS : 0)
#define AT_LEAST(ticks, least) ((ticks) > (least) ? (ticks) : (least))
#define RTO_MAX TICKS(60000)    // RFC 6298 (2.5)
// (2.1)
#define RTO_INITIAL ((uint16_t)(FULL_SEGMENTS(4) > RTO_MAX ? RTO_MAX : AT_LEAST(TICKS(1000), FULL_SEGMENTS(4))))
#define RTO_KEPT TICKS(8000)      // no more of a backed-off RTO is kept for the next response
#define PERSIST_RETRIES_MAX 15    // about ten minutes of a closed window
#define DELAYED_ACK TICKS(200)    // time for which a peer may delay the acknowledgment of a lone segment
#define CHALLENGE_SHIFT 6         // one challenge ACK each 64 ms (RFC 5961 section 10)
// timeout of an idle TLS connection that keeps its slot, as far as a timer reaches
#define TIMEOUT_REST_S (WHIT_IDLE_TIMEOUT_S < 120 ? WHIT_IDLE_TIMEOUT_S : 120)
#define CLOSING_S 16           // a closing connection is remembered for this long
#define STALLED TICKS(2000)    // a request that is not complete after this makes room for a newcomer
#define CROWDED TICKS(1000)    // after newcomers have found no slot for this time, others are judged more strictly
// for this time a slot is not taken from a connection that makes progress and is its host's only one
#define SERVED_MS UINT32_C(2000)
#define TURNED_AWAY TICKS(4000)    // time within which a peer without a slot sends its request again
#define THREAD_POLL TICKS(20)      // period at which a generator that waits, but not for room, runs again
#define WAIT_POLL TICKS(252)       // period of retries for room, also when no segment arrives
// Unit of a tag's age. An age, and the units that are late when a tag is put down, have five bits.
#define AGE_MS \
    (WHIT_IDLE_TIMEOUT_S <= 26 ? 1024 : WHIT_IDLE_TIMEOUT_S <= 53 ? 2048 : WHIT_IDLE_TIMEOUT_S <= 106 ? 4096 : 8192)
#define AGE_LATE 4                      // units of AGE_MS that may pass before tags are swept
#define TICKS_IDLE TICKS(3 * AGE_MS)    // no timer runs: tags are swept now and then all the same
// Units of AGE_MS that an idle connection is remembered, the one in which it is put down included: idle_timeout_s at
// least. And its age as long as no other takes its place, where that is promised: for PROMISED_MS, or for
// idle_timeout_s where that is less.
#define PROMISED_MS 8192
#define AGE_IDLE ((WHIT_IDLE_TIMEOUT_S * UINT32_C(1000) + AGE_MS - 1) / AGE_MS + 1)
#define AGE_PROMISED (AGE_IDLE > PROMISED_MS / AGE_MS + 1 ? AGE_IDLE - PROMISED_MS / AGE_MS : 1)
#define AGE_CLOSING (CLOSING_S * 1000 / AGE_MS + 1)    // ... and of a closing one
#define BODY_DISCARD_MAX UINT32_C(65535)               // a larger body that is not used is refused with 413
#define BODY_LENGTH_MAX UINT32_C(0x19999999)           // limit of Content-Length: larger values are equal

// Number of SYN-ACKs and RSTs that are kept for retransmission (reply.c), if app.toml does not set it.
#ifndef WHIT_REPEATS
#define WHIT_REPEATS (WHIT_CONNECTIONS > 64 || WHIT_IDLE > 64 ? 64 : WHIT_REPEATS_USUAL)
#endif

// WHIT_KEEPS_WINDOW: a response to a host begins with the window of the last one (recovery_full.c). This is the
// default.
#ifndef WHIT_KEEPS_WINDOW
#define WHIT_KEEPS_WINDOW (WHIT_SACK && WHIT_KEEPS_WINDOW_USUAL)
#endif

// Hosts of which something is known (tcb.h): where they are on Ethernet, round-trip times by the full recovery.
#define HAS_HOSTS (!WHIT_BOARD_SERIAL || WHIT_SACK)
#define PEERS (WHIT_CONNECTIONS > 64 ? 2 * WHIT_CONNECTIONS : WHIT_CONNECTIONS)

// Octets after a request wait in the shared buffer, unless it is small; then the peer retransmits them.
#define KEEPS_INPUT (WHIT_TLS || WHIT_HAS_BODY || (WHIT_PIPELINING && WHIT_BUFFER >= 256))

// A whole request in an acknowledged record may find no room. Its client sends nothing more.
#define SEALED_STARVES (WHIT_TLS && WHIT_HAS_BODY)

// Idle connections are remembered; without tags, each response closes its connection.
#define HAS_TAGS (WHIT_IDLE != 0)
// The port has memory for the addresses of idle connections, 16 octets each. A FIN closes a connection that times out,
// or whose tag another one takes.
#define CLOSES_IDLE (WHIT_CLOSES_IDLE && WHIT_KEEPS_FRAMES && HAS_TAGS)    // these tags know SND.NXT
#define HAS_REPEATS (WHIT_REPEATS != 0 || CLOSES_IDLE)    // segments are sent again without a slot (reply.c)
#define REPEAT_PLACES (WHIT_REPEATS != 0 ? WHIT_REPEATS : 16)
#define ALWAYS_CLOSES (!HAS_TAGS && !WHIT_HAS_BODY && !WHIT_TLS)    // "100 Continue" and a handshake do not

#define WINDOW_RESERVED WHIT_WINDOW_RESERVED
#define WRITTEN_ONCE_MAX WHIT_WRITTEN_ONCE_MAX

_Static_assert(WHIT_CONNECTIONS >= 1 && WHIT_CONNECTIONS <= 10000, "connections: 1..10000");
_Static_assert(WHIT_IDLE >= 0 && WHIT_IDLE <= 100000, "idle: 0..100000");
_Static_assert(WHIT_BUFFER >= 0 && WHIT_BUFFER <= 32768, "buffer: 0..32768");
_Static_assert(BUFFER_LEN <= 61440, "offsets in the buffer have 16 bits");
_Static_assert(!WHIT_TLS || WHIT_POSITION_BITS == 24, "tools/whit/compiler/positions.py");
_Static_assert(WHIT_POSITION_BITS == 16 || WHIT_POSITION_BITS == 24, "tools/whit/compiler/positions.py");
_Static_assert(WHIT_CHUNK >= 4 && WHIT_CHUNK <= 128 && (WHIT_CHUNK & (WHIT_CHUNK - 1)) == 0,
               "chunk: 4, 8, 16, 32, 64 or 128");
_Static_assert(WHIT_REQUEST_TIMEOUT_S >= 1 && WHIT_REQUEST_TIMEOUT_S <= 60, "request_timeout_s: 1..60");
_Static_assert(WHIT_IDLE_TIMEOUT_S >= 5 && WHIT_IDLE_TIMEOUT_S <= 200, "idle_timeout_s: 5..200");
_Static_assert(AGE_IDLE + AGE_LATE < 32 && AGE_CLOSING < 32, "idle_timeout_s: ages of tags have 5 bits");
_Static_assert((AGE_IDLE - 1) * AGE_MS >= WHIT_IDLE_TIMEOUT_S * UINT32_C(1000),
               "idle_timeout_s: a tag lives as long at least");
_Static_assert(AGE_PROMISED >= 1 && AGE_PROMISED < AGE_IDLE,
               "idle_timeout_s: of two tags, the older one may have no promise");
_Static_assert(WHIT_KEEP_ALIVE >= 0 && WHIT_KEEP_ALIVE <= WHIT_IDLE_TIMEOUT_S && (WHIT_KEEP_ALIVE == 0 || HAS_TAGS),
               "keep_alive: no more is told than is kept");
_Static_assert(!WHIT_TLS || WHIT_KEEP_ALIVE <= TIMEOUT_REST_S, "keep_alive: ... under TLS");
_Static_assert(!WHIT_TLS || WHIT_HTTPS_IDLE <= WHIT_IDLE, "https.idle: each is an idle connection that is remembered");
_Static_assert(WHIT_CLIENTS >= 0 && WHIT_CLIENTS <= 64, "client.connections: 1..64");
_Static_assert(WHIT_CLIENT_SEND >= 64 && WHIT_CLIENT_SEND <= 32768, "client.send: 64..32768");
_Static_assert(WHIT_CLIENT_RECEIVE >= 128 && WHIT_CLIENT_RECEIVE <= 32768, "client.receive: 128..32768");
_Static_assert(WHIT_RCV_WND >= 536 && WHIT_RCV_WND <= 65535, "receive_window: 536..65535");

// ------------------------------------------------------------------------------------------------ positions

// whit_position counts octets of a response: in 16 bits if all responses of the application are below 64 kB, else in
// 24.

#if WHIT_POSITION_BITS != 16
typedef uint32_t whit_position;
#elif defined(WHIT_METER)    // test builds overflow where the smallest processor does
typedef uint16_t whit_position;
#else
typedef unsigned whit_position;
#endif
#define POSITION_MAX ((whit_position)((UINT32_C(1) << WHIT_POSITION_BITS) - 1))

// ------------------------------------------------------------------------------------------------ packed numbers

// Numbers of 16 bits in fewer: small ones exact, larger ones with `bits` bits after the leading one, rounded down.
// A code's upper part is the exponent, 0 meaning that the lower part is the number.

static inline uint16_t packed(uint16_t number, uint8_t bits)
{
    uint8_t exponent = 0;
    if (WHIT_FAST && number >> (bits + 1) != 0) {
        exponent = (uint8_t)(8 * sizeof(unsigned) - 1 - bits - (unsigned)__builtin_clz(number));
        number = (uint16_t)(number >> exponent);
    }
    while (!WHIT_FAST && number >> (bits + 1) != 0) {
        number >>= 1;
        exponent++;
    }
    if (number >> bits == 0)
        return number;
    return (uint16_t)((uint16_t)((exponent + 1) << bits) | (number & ((1u << bits) - 1)));
}

static inline uint16_t unpacked(uint16_t code, uint8_t bits)
{
    uint8_t exponent = (uint8_t)(code >> bits);
    uint16_t number = (uint16_t)(code & ((1u << bits) - 1));
    if (exponent == 0)
        return number;
    return (uint16_t)((number | 1u << bits) << (exponent - 1));
}

#define WND_BITS 8         // 12-bit codes: a window loses less than 1/256
#define SSTHRESH_BITS 1    // 4-bit codes: 0..255 segments in steps of a half

#endif
