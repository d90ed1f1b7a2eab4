/* A model file laid out anew: its tokens (format_scan.c), and which scalars need their quotes
 * (format_scalar.c). */
#ifndef RT_MODEL_FORMAT_H
#define RT_MODEL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* What the tokens of YAML are, as far as the layout goes. */
typedef enum rt_format_kind {
    RT_FORMAT_PLAIN,  /* scalars: plain, in quotes, lines below | or > */
    RT_FORMAT_QUOTED,
    RT_FORMAT_BLOCK,
    RT_FORMAT_KEY,    /* a name follows; nothing stands there */
    RT_FORMAT_COLON,
    RT_FORMAT_DASH,
    RT_FORMAT_OPEN,   /* [ { */
    RT_FORMAT_CLOSE,  /* ] } */
    RT_FORMAT_COMMA,
    RT_FORMAT_MAPPING, /* block style begins; nothing stands there */
    RT_FORMAT_LIST,
    RT_FORMAT_LEAVE,   /* and ends */
    RT_FORMAT_LINE,    /* ---, ..., %YAML: as they stand */
    RT_FORMAT_FILE_END
} rt_format_kind;

typedef struct rt_format_token {
    rt_format_kind kind;
    size_t begin, end; /* bytes of the file */
    int line, column;  /* where it begins, from 0; in characters */
    int end_line;
    const char *text; /* what is written: of one line; else as it stands */
    size_t length;
    int width; /* of the text's first line, in characters */
    bool several; /* lines */
    int pad;      /* a colon: blanks behind it, beyond the first */
} rt_format_token;

/* Does a scalar of this value mean the same without quotes to everyone who reads YAML? */
bool rt_format_is_plain(const char *value, size_t length, bool flow);

#endif
