/* Status codes and errors of the whole library.
 *
 * Every call that can fail returns a routh_status and takes a routh_error pointer, which may be
 * NULL. On failure the error says where (file, line, column, element), what is wrong and what
 * would be right. The caller owns the error; nothing in it points elsewhere, so it needs no
 * freeing. */
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
 * as snprintf does. */
ROUTH_API int routh_error_text(const routh_error *error, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
