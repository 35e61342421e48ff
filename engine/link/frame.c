// SPDX-License-Identifier: MIT
// Outgoing frames: they begin with their headers, and go to the driver piece by piece.
#include <string.h>

#include "link.h"
#include "walk.h"
#include "../base/checksum.h"
#include "../base/state.h"
#include "whit/driver.h"
#include "whit/port.h"

bool frame_begin(const uint8_t *head, uint8_t head_len, uint16_t carried, const struct whit_tcb *to)
{
    bool begun = link_out(to, (uint16_t)(head_len + carried));
    count(begun ? WHIT_COUNT_FRAMES_OUT : WHIT_COUNT_DRIVER_BUSY);
    if (begun)
        whit_driver_put(head, head_len, WHIT_IN_RAM);
    return begun;
}

bool frame_begin_behind(uint8_t *head, uint8_t head_len, uint16_t carried, const struct whit_tcb *to)
{
    uint8_t link_len = link_write(head, to), len = (uint8_t)(link_len + head_len);
    bool begun = whit_driver_begin((uint16_t)(len + carried));
    count(begun ? WHIT_COUNT_FRAMES_OUT : WHIT_COUNT_DRIVER_BUSY);
    if (begun)
        whit_driver_put(head - link_len, len, WHIT_IN_RAM);
    return begun;
}

uint8_t *walk_record;

void walk_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    if (!walk_collects()) {
        whit_driver_put(octets, len, place);
        return;
    }
    if (place == WHIT_IN_FLASH)
        whit_flash_copy(walk_record, octets, len);
    else if (WHIT_HAS_STORED && place == WHIT_IN_PERSISTENT)
        (void)whit_port_persistent_read((uint16_t)(octets - whit_port_persistent_at(0)), walk_record, len);
    else
        memmove(walk_record, octets, len);
    walk_record += len;
}

void walk_ram(struct walk *w, const uint8_t *octets, uint16_t len, uint8_t place)
{
    if (w->skip >= len) {
        w->skip = (whit_position)(w->skip - len);
        return;
    }
    octets += w->skip;
    len = (uint16_t)(len - w->skip);
    w->skip = 0;
    len = len < w->limit ? len : w->limit;
    if (len == 0)
        return;
    w->limit = (uint16_t)(w->limit - len);
    if (w->puts)
        walk_put(octets, len, place);
    else
        walk_count(w, len, checksum_octets(0, octets, len, false));
}

void walk_count(struct walk *w, uint16_t len, uint16_t sum)
{
    w->sum = checksum_add(w->sum, w->len & 1 ? checksum_swap(sum) : sum);
    w->len = (uint16_t)(w->len + len);
}
