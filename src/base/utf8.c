#include "base/utf8.h"

bool rt_utf8_next(const char **text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)*text;
    const size_t n = *s < 0x80 ? 1 : *s >= 0xF0 ? 4 : *s >= 0xE0 ? 3 : 2;
    if (n == 1) {
        *code = *s;
        *text += 1;
        return true;
    }
    if (*s < 0xC0 || *s > 0xF7) return false;
    uint32_t c = *s & (0x7FU >> n);
    for (size_t k = 1; k < n; k++) {
        if ((s[k] & 0xC0) != 0x80) return false;
        c = c << 6 | (s[k] & 0x3F);
    }
    if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return false;
    *code = c;
    *text += n;
    return true;
}

bool rt_utf8_count(const char *text, size_t *n)
{
    uint32_t code;
    for (*n = 0; *text; ++*n)
        if (!rt_utf8_next(&text, &code)) return false;
    return true;
}

size_t rt_utf8_put(char *to, uint32_t c)
{
    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return 0;
    const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (n == 1) {
        to[0] = (char)c;
        return 1;
    }
    for (size_t k = n - 1; k > 0; k--, c >>= 6) to[k] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)((0xF00 >> n & 0xFF) | c);
    return n;
}
