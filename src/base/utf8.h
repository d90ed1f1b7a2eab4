/* UTF-8 to code points and back. */
#ifndef RT_BASE_UTF8_H
#define RT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code point at *text, which moves on; false where it is not UTF-8 (RFC 3629). */
bool rt_utf8_next(const char **text, uint32_t *code);

/* How many code points the text has; false where it is not UTF-8. */
bool rt_utf8_count(const char *text, size_t *n);

/* Writes a code point, returns how many bytes it took (at most 4); 0 where it is none. */
size_t rt_utf8_put(char *to, uint32_t code);

#endif
