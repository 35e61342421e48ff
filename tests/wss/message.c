// SPDX-License-Identifier: MIT
// A signed message: passes the scanner's events as a reader of messages does.
#include "core/tables.h"
#include "http/xml.h"
#include "wss/wss.h"

const uint8_t whit_wss_points[][64] = {
    {1},    // an unknown caller
    {
#include "point.h"
    },
};
const uint8_t whit_wss_point_cnt = 2;
const struct whit_rsa_key whit_wss_moduli[] = {
    {{1}, {1}, 0},    // an unknown caller
    {
#include "modulus.h"
    },
};
const uint8_t whit_wss_modulus_cnt = 2;

// Returns the fault of the message; 100: not a document. `size`: octets of the state.
int host_signed(const uint8_t *octets, uint32_t len, uint32_t first, uint32_t step, uint32_t *size)
{
    static struct xml x;
    static struct wss_signed w;
    *size = sizeof w;
    xml_begin(&x, 0x9e3779b9, 0);
    signed_begin(&w);
    for (uint32_t at = 0, now = first; at < len; at += now, now = step) {
        now = now < len - at ? now : len - at;
        struct xml_input in = {octets + at, octets + at + now, NULL, 0};
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
        if (event == XML_WRONG)
            return 100;
    }
    if (!xml_ended(&x))
        return 100;
    enum wss_fault fault = signed_admit(&w);
    while (fault == WSS_MORE)
        if (signed_slice(&w))
            fault = signed_admit(&w);
    return (int)fault;
}

// The same of a Security header with a token.
int host_token(const uint8_t *octets, uint32_t len, uint32_t step)
{
    static struct xml x;
    static struct wss w;
    xml_begin(&x, 0x9e3779b9, 0);
    wss_begin(&w);
    for (uint32_t at = 0, now = step; at < len; at += now) {
        now = now < len - at ? now : len - at;
        struct xml_input in = {octets + at, octets + at + now, NULL, 0};
        enum xml_event event;
        while ((event = xml_next(&x, &in)) > XML_WRONG) {
            switch (event) {
            case XML_VALUED:
                if (!x.declares)
                    wss_valued(&w, x.attribute, x.value);
                break;
            case XML_OPENED:
                wss_opened(&w, xml_element_uri(&x), x.name);
                break;
            case XML_TEXT:
                wss_text(&w, in.octets, in.len);
                break;
            case XML_CLOSED:
                wss_closed(&w);
                break;
            default:
                break;
            }
        }
        if (event == XML_WRONG)
            return 100;
    }
    return xml_ended(&x) ? (int)wss_admit(&w) : 100;
}
