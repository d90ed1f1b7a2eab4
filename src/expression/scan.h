/* Text of expressions cut into tokens. */
#ifndef RT_EXPRESSION_SCAN_H
#define RT_EXPRESSION_SCAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

typedef enum rt_token_kind {
    RT_TOKEN_END,
    RT_TOKEN_NUMBER,
    RT_TOKEN_NAME,
    RT_TOKEN_QUOTED, /* a name in quotes */
    RT_TOKEN_POWER,  /* ^ or ** */
    RT_TOKEN_SIGN,   /* one of + - * / ( ) and comma, in sign */
} rt_token_kind;

typedef struct rt_token {
    rt_token_kind kind;
    int start, end; /* offsets in the text, from 0 */
    double number;
    const char *name; /* in the arena */
    char sign;
} rt_token;

/* The token at or after offset at. Fails with a message and column on what is no token. */
routh_status rt_scan(const char *text, int at, rt_arena *arena, rt_token *token,
                     routh_error *error);

#endif
