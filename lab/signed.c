// SPDX-License-Identifier: MIT
// Prints the cost of a signed message on an emulated Cortex-M3, in instructions, as it arrives in segments. The
// verification of its signature is counted separately.
#include "counted.h"

#include "core/text.h"
#include "core/grammar.h"
#include "core/state.h"
#include "http/xml.h"
#include "wss/wss.h"

#define SEGMENT 1460

const uint8_t whit_words[GRAMMAR_SETS] = {0};
#define OCTETS(value) (value) & 0xff, (value) >> 8
const uint8_t whit_targets[] = {
#include "uris.h"
};
const uint8_t whit_wss_points[][64] = {{
#include "point.h"
}};
const uint8_t whit_wss_point_cnt = 1;
const struct whit_wss_key whit_wss_keys[] = {{"alice", "secret"}};
const uint8_t whit_wss_key_cnt = 1;
const uint32_t whit_wss_built_s = 1700000000;
const uint16_t whit_wss_floor_at = 0;
const char *const whit_wss_namespaces[] = {"urn:whit:device"};
const uint8_t whit_wss_namespace_cnt = 1;
struct whit_engine whit;

static const uint8_t message[] = {
#include "message.h"
};

uint32_t whit_port_unix_s(void)
{
    return 0;
}
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    memset(to, 7, len);
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    (void)address;
    memset(to, 0, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    (void)address;
    (void)from;
    (void)len;
    return true;
}

static struct xml x;
static struct wss_signed w;

static bool read_segment(const uint8_t *octets, uint16_t len)
{
    struct xml_input in = {octets, octets + len, NULL, 0};
    enum xml_event event;
    while ((event = xml_next(&x, &in)) > XML_WRONG) {
        switch (event) {
        case XML_NAME:
            signed_name(&w, in.octets, in.len);
            break;
        case XML_ATTRIBUTE:
            signed_attribute(&w, in.octets, in.len);
            break;
        case XML_VALUE:
            signed_value(&w, in.octets, in.len);
            break;
        case XML_VALUED:
            signed_valued(&w);
            break;
        case XML_OPENED:
            signed_opened(&w, true);
            break;
        case XML_TEXT:
            signed_text(&w, in.octets, in.len);
            break;
        case XML_END_NAME:
            signed_end_name(&w, in.octets, in.len);
            break;
        case XML_CLOSED:
            signed_closed(&w);
            break;
        default:
            break;
        }
    }
    return event != XML_WRONG;
}

int main(void)
{
    bool fine = true;
    enum wss_fault fault;
    uint32_t began = now();
    wss_init();
    xml_begin(&x, 0x9e3779b9, 0);
    signed_begin(&w);
    for (uint16_t at = 0; at < sizeof message; at += SEGMENT)
        fine &= read_segment(message + at, sizeof message - at < SEGMENT ? (uint16_t)(sizeof message - at) : SEGMENT);
    fine &= xml_ended(&x);
    fault = signed_admit(&w);
    took(began);
    struct slices before = slices;
    memset(&slices, 0, sizeof slices);
    for (bool last = fault != WSS_MORE; !last;) {
        began = now();
        last = signed_slice(&w);
        took(began);
    }
    told("verified");
    slices = before;
    began = now();
    fault = signed_admit(&w);
    took(began);
    told(fine && fault == WSS_FINE ? "signed" : "failed");
    return 0;
}
