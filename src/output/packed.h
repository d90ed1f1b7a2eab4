/* Numbers of the report's page, packed: base64 of whole numbers of two bytes, the low one first, or
 * of bytes. Half as long as digits, and finer. */
#ifndef RT_OUTPUT_PACKED_H
#define RT_OUTPUT_PACKED_H

#include "base/json.h"
#include "base/text.h"

enum { RT_PACKED_MOST = 32767, RT_PACKED_BYTE = 255 };

/* A string that is gathered piece by piece; begins zeroed, freed by rt_packed_free. */
typedef struct rt_packed {
    rt_text text;
    unsigned rest; /* bits that make no whole digit yet */
    int n_bits;
} rt_packed;

void rt_packed_start(rt_packed *packed);

/* The whole number next to RT_PACKED_MOST x / largest; |x| <= largest; 0 where that is 0. */
void rt_packed_number(rt_packed *packed, double x, double largest);
int rt_packed_round(double x, double largest);

/* A whole number of one or two bytes, which hold it. */
void rt_packed_whole(rt_packed *packed, int value, int bytes);

/* 0 to 255: x / largest, where negative as 0. */
void rt_packed_byte(rt_packed *packed, double x, double largest);

/* Writes what was gathered since rt_packed_start as a member. */
void rt_packed_end(rt_packed *packed, rt_json *json, const char *key);
void rt_packed_free(rt_packed *packed);

#endif
