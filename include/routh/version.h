/* The version: of these headers, made by tools/renew.py of the project's, and of the library. */
#ifndef ROUTH_VERSION_H
#define ROUTH_VERSION_H

#include "routh/status.h"

#define ROUTH_VERSION_MAJOR 0
#define ROUTH_VERSION_MINOR 1
#define ROUTH_VERSION_PATCH 0

/* 10000 major + 100 minor + patch, for #if ROUTH_VERSION_NUMBER >= 200 */
#define ROUTH_VERSION_NUMBER 100

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0", of the library that is loaded. */
ROUTH_API const char *routh_version(void);

#ifdef __cplusplus
}
#endif
#endif
