/* JSON that was written, read by another library. */
#ifndef TESTS_SUPPORT_JSON_TEXT_H
#define TESTS_SUPPORT_JSON_TEXT_H

#include <jansson.h>

#include "routh/routh.h"

/* The text as JSON, duplicates refused; fails the test when it is not JSON. To be released with
 * json_decref. */
json_t *sample_json(const routh_text *text);

/* The number at a path such as "modes", 1, "eigenvalue", 0: fails the test where there is none. */
const json_t *sample_at(const json_t *json, const char *path);
double sample_number(const json_t *json, const char *path);

#endif
