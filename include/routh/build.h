/* What this build of the library is made of: the libraries it stands on with the versions that are
 * loaded, what is not built in, and the licence that the whole is under. */
#ifndef ROUTH_BUILD_H
#define ROUTH_BUILD_H

#include "routh/model.h"
#include "routh/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A library below this one. Texts are constants; nothing needs freeing. */
typedef struct routh_component {
    const char *name;    /* "SUNDIALS" */
    const char *purpose; /* what it is for */
    const char *without; /* what is refused where it is not built in; NULL: always built in */
    const char *package; /* the Debian package that a build needs */
    const char *licence; /* its own, as an SPDX expression */
    int present;         /* 1: built in */
    char version[64];    /* of the loaded library, or of its headers; "" where not known */
} routh_component;

/* The build as a whole. */
typedef struct routh_build {
    const char *version;     /* of Routh: "0.1.0" */
    const char *type;        /* "Release", "Debug", ... */
    const char *compiler;    /* "gcc 12.2.0" */
    const char *licence;     /* that the library is under with all it has loaded, as an SPDX
                                expression; "BSD-3-Clause" where no part asks for more */
    const char *licence_why; /* a sentence */
    const char *kernels;     /* which processor's kernels OpenBLAS has chosen: "Haswell" */
    const char *kernels_advice; /* a sentence where the processor has faster ones; else NULL */
} routh_build;

/* The build; its licence is that of what the process has loaded when this is called. */
ROUTH_API routh_build routh_build_info(void);

/* Fills component number k, from 0, and returns 1; 0 past the last, and where component is NULL. */
ROUTH_API int routh_build_component(int k, routh_component *component);

/* All of it as a table and as JSON. more: n_more components that the caller has besides, such as a
 * solver of the program; may be NULL where n_more is 0. OUT_OF_MEMORY. */
ROUTH_API routh_status routh_build_table(const routh_component *more, int n_more, routh_text *text,
                                         routh_error *error);
ROUTH_API routh_status routh_build_json(const routh_component *more, int n_more, routh_text *text,
                                        routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
