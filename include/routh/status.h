/* Status codes and errors of the whole library.
 *
 * Every call that can fail returns a routh_status and takes a routh_error pointer, which may be
 * NULL. On failure the error says where (file, line, column, element), what is wrong and what
 * would be right; on success it is cleared, its status ROUTH_OK. The caller owns the error; nothing
 * in it points elsewhere, so it needs no freeing.
 *
 * Arguments are looked at before anything is done, and BAD_ARGUMENT names the first one that is
 * wrong ("point of routh_linear_compute is of another mechanism; ..."). Where a header says nothing
 * else,
 *   - pointers are not NULL, but for the error, for options, which are at their defaults then, and
 *     for what is freed, where NULL is allowed;
 *   - objects belong together: an operating point is of the mechanism it is given with (of one
 *     compiled of the same model in the same coordinates), a linear model of the operating point,
 *     modes of the linear model (or of its file read again);
 *   - numbers are finite, counts are not negative, values of enums are among those with names, and
 *     indices count from 0;
 *   - what a call makes is NULL after a failure, and a text that it writes is empty;
 *   - a call without a status gives 0, NULL or "" for what there is not, NAN where it gives
 *     numbers, and fills no array whose length it cannot know.
 *
 * Options may begin as zeros ({0}): a number at 0 is the default where 0 would make no sense, and
 * what the member says where it does; names at NULL are at their default; switches at 0 are off,
 * those too that routh_..._defaults sets to 1, and on at any other number.
 *
 * ROUTH_STOPPED has one meaning: a function of the caller asked for an end. Calls that can give
 * what was done until then (sweep, optimisation, history) give it all the same, to be freed. */
#ifndef ROUTH_STATUS_H
#define ROUTH_STATUS_H

#include <stddef.h>

#if defined(__GNUC__)
#define ROUTH_API __attribute__((visibility("default")))
#else
#define ROUTH_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* One list gives the enum, the names and the meanings. */
#define ROUTH_STATUS_LIST(X)                                                                       \
    X(OK, "done")                                                                                  \
    X(OUT_OF_MEMORY, "an allocation failed")                                                       \
    X(FILE_ERROR, "a file could not be read or written")                                           \
    X(SYNTAX_ERROR, "the text is not well formed")                                                 \
    X(MODEL_ERROR, "the model is well formed but wrong")                                           \
    X(LIMIT_EXCEEDED, "the input exceeds a limit of the reader")                                   \
    X(NOT_ASSEMBLED, "the constraints cannot be satisfied together")                               \
    X(NO_EQUILIBRIUM, "no equilibrium or steady motion was found")                                 \
    X(SINGULAR, "a matrix that must be invertible is not")                                         \
    X(NUMERIC_ERROR, "a computation overflowed, did not converge or met a NaN")                    \
    X(BAD_ARGUMENT, "an argument of the call is out of range")                                     \
    X(NOT_SUPPORTED, "this combination is not available")                                          \
    X(STOPPED, "the caller's progress function asked for an end")

typedef enum routh_status {
#define ROUTH_STATUS_ENUM(name, meaning) ROUTH_##name,
    ROUTH_STATUS_LIST(ROUTH_STATUS_ENUM)
#undef ROUTH_STATUS_ENUM
} routh_status;

/* Where and what. Empty strings and zero lines mean "not known". Lines and columns count from 1. */
typedef struct routh_error {
    routh_status status; /* what kind of error */
    int line;            /* in the file, from 1; 0: none */
    int column;          /* likewise */
    char file[256];      /* its name; "" where there is none */
    char element[192];   /* the kind and the name of what it is about, e.g. "joint bearing" */
    char message[1024];  /* a sentence: what is wrong, and what would be right */
} routh_error;

/* The status as a word, "OK", "MODEL_ERROR", ...; never NULL. */
ROUTH_API const char *routh_status_name(routh_status status);

/* The status as a phrase; never NULL. */
ROUTH_API const char *routh_status_meaning(routh_status status);

/* Writes "file:line:column: element: message" (parts not known left out; the element's name in
 * quotes, "joint 'bearing'") into text, always terminated; returns the length the whole text has,
 * as snprintf does. error NULL: nothing; text may be NULL, for the length alone. */
ROUTH_API int routh_error_text(const routh_error *error, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
