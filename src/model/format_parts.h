/* What the steps of laying out a model file share: the tokens, the lines, and where they are. */
#ifndef RT_MODEL_FORMAT_PARTS_H
#define RT_MODEL_FORMAT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "model/format.h"
#include "model/yaml.h"

enum { RT_FORMAT_DEEPEST = 3 * RT_YAML_DEPTH_LIMIT };

/* A line of what is written. */
typedef struct rt_format_line {
    size_t begin, end; /* of its code, in `code` */
    int width;
    const char *comment; /* NULL: none */
    size_t comment_length;
    int comment_column; /* where it stood */
    bool whole;         /* a comment alone, below the code before, not at its side */
    bool kept;          /* of a text in lines: blank ones stay at the end of the file too */
} rt_format_line;

typedef struct rt_format_level {
    bool list, own_dashes; /* dashes that stand below the name, not further in */
    int column, indent;    /* before and after */
} rt_format_level;

typedef struct rt_format_flow {
    int indent, close;
} rt_format_flow;

typedef struct rt_formatter {
    const char *source;
    size_t length;
    const char *file;
    int most; /* columns */
    rt_arena arena;
    routh_error *error;
    rt_format_token *tokens;
    int n_tokens, room_tokens;
    rt_text code;
    rt_format_line *lines;
    size_t n_lines, room_lines;
    rt_format_line now; /* the line under way */
    int indent;         /* of it */
    bool open;          /* it has begun */
    rt_format_level block[RT_FORMAT_DEEPEST];
    int n_block;
    rt_format_flow flow[RT_FORMAT_DEEPEST];
    int n_flow;
    bool failed;
} rt_formatter;
/* ---- tokens (format_scan.c) ------------------------------------------------------------------ */

routh_status rt_format_scan(rt_formatter *f);

/* In characters. */
int rt_format_width(const char *text, size_t length);
/* Something of it is in the text. */
bool rt_format_stands(const rt_format_token *t);
bool rt_format_is_scalar(const rt_format_token *t);
/* The next one that stands in the text. */
int rt_format_next(const rt_formatter *f, int k);

/* ---- steps ----------------------------------------------------------------------------------- */

/* Values that stand in one column (format_columns.c). */
routh_status rt_format_find_columns(rt_formatter *f);
/* The tokens in lines (format_layout.c). */
routh_status rt_format_lay_out(rt_formatter *f);
/* The lines with their comments (format_write.c). */
void rt_format_write_lines(const rt_formatter *f, rt_text *out);

#endif
