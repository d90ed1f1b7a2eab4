/* Operating points that are asked for: --at, once or several times. */
#ifndef ROUTH_CLI_AT_H
#define ROUTH_CLI_AT_H

#include "options.h"

typedef enum at_kind {
    AT_MODEL, /* as the model says */
    AT_GIVEN,
    AT_STATIC,
    AT_STEADY,
    AT_STATE, /* of a file */
    AT_TIME   /* on the motion from --from on */
} at_kind;

typedef struct at_point {
    at_kind kind;
    double time;
    const char *file;
    char label[64]; /* "static", "time=2.5", the file's name */
} at_point;

typedef struct at_points {
    at_point *points;
    int n;
} at_points;

/* All that --at asks for, in order; one of kind AT_MODEL where it is not given. Returns an exit
 * status, having said what is wrong. Free with at_free. */
int at_read(at_points *at, const options *given);
void at_free(at_points *at);

/* One word of --at or --from that is no time: "static", "given", a file. */
int at_parse(at_point *point, const char *option, const char *word);

#endif
