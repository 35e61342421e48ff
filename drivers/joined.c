// SPDX-License-Identifier: MIT
// A segment is joined to the one before it if it differs in its sequence number only. After a PSH or FIN nothing is
// joined. Each connection has one place, which another connection may take. A first segment that is longer than the
// others costs a write: if Linux cut at its length, the others would have the wrong length.
#include "joined.h"

#include <errno.h>
#include <linux/virtio_net.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define PLACES 1024
#define OCTETS_MAX 65535    // longest datagram
#define IP 14
#define TCP (IP + 20)
#define DATA (TCP + 20)
#define PSH_FIN 0x09

static int device = -1;
static bool header, joins;

static void by_itself(void)
{
    joins = false;
    fprintf(
        stderr,
        "TAP: this kernel takes no joined segments; each is written by itself, which takes more of the processor\n");
}

static uint16_t load16_be(const uint8_t *octets)
{
    return (uint16_t)(octets[0] << 8 | octets[1]);
}

static uint32_t load32_be(const uint8_t *octets)
{
    return (uint32_t)load16_be(octets) << 16 | load16_be(octets + 2);
}

static void store16_be(uint8_t *octets, uint16_t value)
{
    octets[0] = (uint8_t)(value >> 8);
    octets[1] = (uint8_t)value;
}

static struct joined {
    struct virtio_net_hdr about;
    uint8_t octets[14 + OCTETS_MAX];
    size_t len;              // 0: free
    uint16_t segment_len;    // data octets of each but the last, which may have fewer
    bool ended;              // nothing may follow
    bool listed;
} places[PLACES];
static uint16_t listed[PLACES], listed_cnt;    // places that may have something
_Static_assert(sizeof(struct virtio_net_hdr) + offsetof(struct joined, about) == offsetof(struct joined, octets),
               "written as one");

// True for a segment with data, without options and in one piece.
static bool is_segment(const uint8_t *frame, size_t len)
{
    return len > DATA && load16_be(frame + 12) == 0x0800 && frame[IP] == 0x45 &&
           (load16_be(frame + IP + 6) & 0x3fff) == 0 && frame[IP + 9] == 6 && frame[TCP + 12] == 0x50 &&
           len == (size_t)IP + load16_be(frame + IP + 2);
}

static uint32_t sum_of(const uint8_t *octets, size_t len)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < len; i += 2)
        sum += load16_be(octets + i);
    return sum;
}

static uint16_t fold(uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

// Linux computes the sums of the segments; it wants that of the pseudo header.
static const struct virtio_net_hdr several_about = {.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
                                                    .gso_type = VIRTIO_NET_HDR_GSO_TCPV4,
                                                    .hdr_len = DATA,
                                                    .csum_start = TCP,
                                                    .csum_offset = 16};

static void describe(struct joined *j)
{
    uint8_t *ip = j->octets + IP;
    uint16_t tcp_len = (uint16_t)(j->len - TCP);
    j->about = several_about;
    j->about.gso_size = j->segment_len;
    store16_be(ip + 2, (uint16_t)(20 + tcp_len));
    store16_be(ip + 10, 0);
    store16_be(ip + 10, (uint16_t)~fold(sum_of(ip, 20)));
    store16_be(j->octets + TCP + 16, fold(sum_of(ip + 12, 8) + 6 + tcp_len));
}

// Writes the joined frames. If the kernel refuses them, they are lost, as on any link. A kernel that refuses joined
// segments gets no more of them.
static bool write_out(struct joined *j)
{
    bool several = j->len > (size_t)DATA + j->segment_len;
    if (several)
        describe(j);
    else
        j->about = (struct virtio_net_hdr){0};
    const void *octets = header ? (const void *)&j->about : j->octets;
    size_t len = header ? sizeof j->about + j->len : j->len;
    j->len = 0;
    if (write(device, octets, len) == (ssize_t)len)
        return true;
    if (several && errno == EINVAL && joins)
        by_itself();
    return false;
}

static bool follows(const struct joined *j, const uint8_t *frame, size_t len)
{
    const uint8_t *tcp = frame + TCP, *first = j->octets + TCP;
    return !j->ended && len - DATA <= j->segment_len && j->len + len - DATA <= 14 + OCTETS_MAX &&
           memcmp(frame, j->octets, IP) == 0 && frame[IP + 1] == j->octets[IP + 1] &&
           memcmp(frame + IP + 6, j->octets + IP + 6, 4) == 0 && memcmp(frame + IP + 12, j->octets + IP + 12, 8) == 0 &&
           memcmp(tcp, first, 4) == 0 && load32_be(tcp + 4) == load32_be(first + 4) + (uint32_t)(j->len - DATA) &&
           memcmp(tcp + 8, first + 8, 5) == 0 && ((tcp[13] ^ first[13]) & ~PSH_FIN) == 0 &&
           memcmp(tcp + 14, first + 14, 2) == 0 && memcmp(tcp + 18, first + 18, 2) == 0;
}

static void join(struct joined *j, const uint8_t *frame, size_t len)
{
    memcpy(j->octets + j->len, frame + DATA, len - DATA);
    j->len += len - DATA;
    j->octets[TCP + 13] |= frame[TCP + 13];
    j->ended = (frame[TCP + 13] & PSH_FIN) != 0 || len - DATA < j->segment_len;
}

static void begin(struct joined *j, const uint8_t *frame, size_t len)
{
    if (j->len != 0)
        write_out(j);
    if (!j->listed)
        listed[listed_cnt++] = (uint16_t)(j - places);
    j->listed = true;
    memcpy(j->octets, frame, len);
    j->len = len;
    j->segment_len = (uint16_t)(len - DATA);
    j->ended = (frame[TCP + 13] & PSH_FIN) != 0;
}

static bool send_alone(const uint8_t *frame, size_t len)
{
    static struct joined alone;
    memcpy(alone.octets, frame, len);
    alone.len = len;
    alone.segment_len = HOST_FRAME_MAX;
    return write_out(&alone);
}

void joined_open(int tap, bool has_header)
{
    device = tap;
    header = joins = has_header;
    if (!joins)
        by_itself();
}

bool joined_send(const uint8_t *frame, size_t len)
{
    if (!joins || !is_segment(frame, len)) {
        joined_flush();    // an empty segment or a reset comes after earlier segments
        return send_alone(frame, len);
    }
    struct joined *j = &places[load16_be(frame + TCP + 2) % PLACES];
    if (j->len != 0 && follows(j, frame, len))
        join(j, frame, len);
    else
        begin(j, frame, len);
    return !j->ended || write_out(j);    // its client can continue while others are answered
}

void joined_flush(void)
{
    for (uint16_t i = 0; i < listed_cnt; i++) {
        struct joined *j = &places[listed[i]];
        if (j->len != 0)
            write_out(j);
        j->listed = false;
    }
    listed_cnt = 0;
}

uint16_t joined_large(void)
{
    return joins ? UINT16_MAX - DATA : 0;
}

void joined_send_large(struct iovec *pieces, int cnt, uint16_t payload)
{
    struct virtio_net_hdr about = several_about;
    size_t len = 0;
    for (int i = 1; i < cnt; i++)
        len += pieces[i].iov_len;
    about.gso_size = payload;
    if (len <= (size_t)DATA + payload)
        about.gso_type = VIRTIO_NET_HDR_GSO_NONE;
    pieces[0] = (struct iovec){&about, sizeof about};
    joined_flush();    // earlier frames are written first
    if (writev(device, pieces, cnt) < 0 && errno == EINVAL && joins)
        by_itself();
}
