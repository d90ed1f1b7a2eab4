#include "output/packed.h"

#include <math.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void rt_packed_start(rt_packed *p)
{
    p->text.length = 0;
    p->rest = 0;
    p->n_bits = 0;
}

static void packed_put(rt_packed *p, unsigned byte)
{
    p->rest = p->rest << 8 | byte;
    for (p->n_bits += 8; p->n_bits >= 6; p->n_bits -= 6)
        rt_text_bytes(&p->text, &digits[p->rest >> (p->n_bits - 6) & 63], 1);
}

int rt_packed_round(double x, double largest)
{
    return largest > 0 ? (int)lround(RT_PACKED_MOST * (x / largest)) : 0;
}

void rt_packed_whole(rt_packed *p, int value, int bytes)
{
    const unsigned bits = (unsigned)value;
    packed_put(p, bits & 255);
    if (bytes > 1) packed_put(p, bits >> 8 & 255);
}

void rt_packed_number(rt_packed *p, double x, double largest)
{
    rt_packed_whole(p, rt_packed_round(x, largest), 2);
}

void rt_packed_byte(rt_packed *p, double x, double largest)
{
    packed_put(p, x > 0 && largest > 0 ? (unsigned)lround(RT_PACKED_BYTE * (x / largest)) : 0);
}

void rt_packed_end(rt_packed *p, rt_json *json, const char *key)
{
    if (p->n_bits > 0) {
        rt_text_bytes(&p->text, &digits[p->rest << (6 - p->n_bits) & 63], 1);
        rt_text_bytes(&p->text, "==", p->n_bits == 2 ? 2 : 1);
    }
    rt_json_string(json, key, rt_text_string(&p->text));
    if (p->text.failed) json->text.failed = true; /* for rt_json_finish to tell */
}

void rt_packed_free(rt_packed *p) { rt_text_free(&p->text); }
