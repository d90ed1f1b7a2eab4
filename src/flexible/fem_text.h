/* A text file of a finite-element program, line by line and word by word. */
#ifndef RT_FLEXIBLE_FEM_TEXT_H
#define RT_FLEXIBLE_FEM_TEXT_H

#include <stdbool.h>

#include "base/error.h"
#include "base/file.h"

typedef struct rt_fe_text {
    const char *path;
    rt_file file;
    const char *next;        /* the line after the present one */
    int line;                /* number of the present one, from 1 */
    const char *begin, *end; /* the present line without its end */
    const char *at;          /* next word */
} rt_fe_text;

/* FILE_ERROR and OUT_OF_MEMORY with the file's name. Close with rt_fe_close. */
routh_status rt_fe_open(rt_fe_text *text, const char *path, routh_error *error);
void rt_fe_close(rt_fe_text *text);

/* Goes back to before the first line. */
void rt_fe_rewind(rt_fe_text *text);

/* The next line; false at the end of the file. */
bool rt_fe_next(rt_fe_text *text);

/* The present line is read once more by rt_fe_next. */
void rt_fe_back(rt_fe_text *text);

/* SYNTAX_ERROR at the present line. */
routh_status rt_fe_wrong(const rt_fe_text *text, routh_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Words are parted by blanks and commas. */
bool rt_fe_word(rt_fe_text *text, const char **word, size_t *length);
bool rt_fe_take_int(rt_fe_text *text, int *value);
bool rt_fe_take_real(rt_fe_text *text, double *value);
bool rt_fe_blank(const rt_fe_text *text); /* nothing is left on the line */

/* Whole words as numbers, blanks around them allowed. Reals as Fortran and Nastran write them:
 * 1.5D+03, 1.5+3. */
bool rt_fe_int(const char *word, size_t length, int *value);
bool rt_fe_real(const char *word, size_t length, double *value);

/* Does the present line begin with that word, whatever its case? */
bool rt_fe_begins(const rt_fe_text *text, const char *word);

#endif
