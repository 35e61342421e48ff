// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="answer"/>
     <properties content-type="application/json"/>
   </generator> */
// Takes files of any size and keeps none: [{"name":"a.txt","octets":3,"crc32":"352441c2"}]. The checksum is that of zip
// and PNG, so that others can find it too.
#include <whit/app.h>

#define FILE_CNT 6    // further files are only counted

struct file {
    uint32_t octet_cnt, crc;
    char name[24];
};
struct state_t {
    struct file files[FILE_CNT];
    uint8_t file_cnt;
};

// CRC-32 of half a byte (ISO 3309; polynomial 0xedb88320, reflected).
static CONST_VAR(uint32_t, crc_of_nibble[16]) = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static uint32_t crc_add(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    crc = (crc >> 4) ^ CONST_UI32(crc_of_nibble[crc & 15]);
    return (crc >> 4) ^ CONST_UI32(crc_of_nibble[crc & 15]);
}

// Stores the part's name, which is valid while the part lasts. A character that JSON would have to escape becomes a
// question mark.
static void begin_file(struct file *file, const char *name)
{
    for (uint8_t i = 0; i < sizeof file->name - 1 && name[i] != '\0'; i++)
        file->name[i] = (uint8_t)name[i] < ' ' || name[i] == '"' || name[i] == '\\' ? '?' : name[i];
    file->crc = UINT32_MAX;
}

// Called for one part after the other.
static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    struct file *file = state->file_cnt < FILE_CNT ? &state->files[state->file_cnt] : NULL;
    int16_t byte;

    PT_BEGIN(pt);
    if (file != NULL)
        begin_file(file, part->filename);
    for (;;) {
        PT_IN(pt, byte);
        if (byte < 0)
            break;
        if (file != NULL) {
            file->crc = crc_add(file->crc, (uint8_t)byte);
            file->octet_cnt++;
        }
    }
    if (state->file_cnt < UINT8_MAX)
        state->file_cnt++;
    PT_END(pt);
}

static void say_hexadecimal(uint32_t number)
{
    for (uint8_t i = 0; i < 8; i++, number <<= 4) {
        uint8_t digit = (uint8_t)(number >> 28);

        out_c((char)(digit < 10 ? '0' + digit : 'a' - 10 + digit));
    }
}

static char answer(uint8_t content_type, struct state_t *state)
{
    (void)content_type;
    out_c('[');
    for (uint8_t i = 0; i < state->file_cnt; i++) {
        const struct file *file = &state->files[i];

        if (i == FILE_CNT) {
            out_str(",{\"more\":");
            out_uint((uint32_t)(state->file_cnt - FILE_CNT));
            out_c('}');
            break;
        }
        if (i > 0)
            out_c(',');
        out_str("{\"name\":\"");
        out_str(file->name);
        out_str("\",\"octets\":");
        out_uint(file->octet_cnt);
        out_str(",\"crc32\":\"");
        say_hexadecimal(~file->crc);
        out_str("\"}");
    }
    out_c(']');
    return 1;
}
