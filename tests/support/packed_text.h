/* What the page's packed numbers say (output/packed.h), read back. */
#ifndef TESTS_SUPPORT_PACKED_TEXT_H
#define TESTS_SUPPORT_PACKED_TEXT_H

#include <stdint.h>
#include <string.h>

/* Byte k of base64 text. */
static inline int packed_byte(const char *text, size_t k)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0;
    for (size_t i = 0; i < 4; i++) {
        const char *at = strchr(digits, text[k / 3 * 4 + i]);
        bits = bits << 6 | (at ? (unsigned)(at - digits) & 63 : 0);
    }
    return (int)(bits >> (16 - 8 * (k % 3)) & 255);
}

/* Whole number k of two bytes. */
static inline int packed_number(const char *text, size_t k)
{
    const int low = packed_byte(text, 2 * k), high = packed_byte(text, 2 * k + 1);
    return (int16_t)(high << 8 | low);
}

/* How many bytes there are. */
static inline size_t packed_size(const char *text)
{
    const size_t n = strlen(text), pads = n - strcspn(text, "=");
    return n / 4 * 3 - pads;
}

#endif
