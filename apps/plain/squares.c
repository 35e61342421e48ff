// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="draw_squares"/>
     <properties persistence="idempotent" content-type="image/bmp"/>
   </generator> */
// A picture of 20 kB that is nowhere: each pixel is the exclusive or of its row and its column. It says the same each
// time, so it is idempotent. No buffer needs to hold it: the engine runs it again for each segment and keeps only the
// octets that the segment carries. When such a run is long, write it by index instead, as apps/samples does.
#include <whit/app.h>

#define SIDE 144    // pixels; rows of a bitmap are multiples of 4 octets

#define LE16(number) (number) & 0xff, (number) >> 8
#define LE32(number) LE16((number) & 0xffff), LE16((number) >> 16)
#define COLOUR_CNT 256
#define PIXELS_AT (54 + 4 * COLOUR_CNT)

// BITMAPFILEHEADER and BITMAPINFOHEADER.
static const uint8_t header[54] WHIT_FLASH = {
    'B', 'M', LE32(PIXELS_AT + (uint32_t)SIDE * SIDE), LE32(0), LE32(PIXELS_AT),
    LE32(40), LE32(SIDE), LE32(SIDE), LE16(1), LE16(8), LE32(0), LE32(0), LE32(0), LE32(0), LE32(COLOUR_CNT), LE32(0),
};

// Up and down again, twice in 256.
static char wave(uint8_t at)
{
    uint8_t half = (uint8_t)(at & 0x7f);

    return (char)(half < 64 ? 4 * half : 4 * (127 - half));
}

static char draw_squares(struct args_t *args)
{
    (void)args;
    for (uint8_t i = 0; i < sizeof header; i++)
        out_c((char)whit_flash_u8(&header[i]));
    for (uint16_t i = 0; i < COLOUR_CNT; i++) {    // blue, green, red, nothing
        out_c((char)(255 - i / 2));
        out_c(wave((uint8_t)i));
        out_c((char)i);
        out_c(0);
    }
    for (uint8_t row = 0; row < SIDE; row++)
        for (uint8_t column = 0; column < SIDE; column++)
            out_c((char)(row ^ column));
    return 1;
}
