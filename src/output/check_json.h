/* What routh check found, as members of a JSON object that is open. */
#ifndef RT_OUTPUT_CHECK_JSON_H
#define RT_OUTPUT_CHECK_JSON_H

#include "output/results.h"

/* "verdict", counts, "answers" and "cells" */
void rt_json_check(rt_json *json, const routh_check *check);

#endif
