/* Meshes in OBJ files: lines "v x y z" of points and "f a b c .." of faces, where a is the number
 * of a point, from 1 on, or from the last one back where it is negative; what follows a slash, and
 * other lines, have no meaning here. Faces of more corners are convex. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/mesh.h"

typedef struct obj_reader {
    const char *at, *end;
    int line;
    double *points;
    size_t n, room;
    rt_mesh_corners *corners;
    routh_error *error;
} obj_reader;

/* The next word of this line; false at its end. A backslash before its end continues it. */
static bool obj_word(obj_reader *r, const char **word, size_t *length)
{
    for (;; r->at++) {
        const bool goes_on =
            r->at + 1 < r->end && *r->at == '\\' && (r->at[1] == '\n' || r->at[1] == '\r');
        if (goes_on) {
            r->at += r->at[1] == '\r' && r->at + 2 < r->end && r->at[2] == '\n' ? 2 : 1;
            r->line++;
        } else if (r->at == r->end || !strchr(" \t\r", *r->at))
            break;
    }
    *word = r->at;
    while (r->at < r->end && !strchr(" \t\r\n\\", *r->at)) r->at++;
    *length = (size_t)(r->at - *word);
    return *length > 0 && **word != '#';
}

/* To the beginning of the next line. */
static void obj_skip_line(obj_reader *r)
{
    for (; r->at < r->end && *r->at != '\n'; r->at++) {
        if (*r->at != '\\' || r->at + 1 == r->end) continue;
        if (r->at[1] == '\r') r->at++;
        if (r->at + 1 < r->end && r->at[1] == '\n') {
            r->at++;
            r->line++;
        }
    }
    if (r->at == r->end) return;
    r->at++;
    r->line++;
}

static routh_status obj_take_point(obj_reader *r)
{
    const char *word;
    size_t length;
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        double *more = RT_TAKE(r->corners->scratch, double, 3 * r->room);
        if (!more) return rt_fail_memory(r->error);
        if (r->n) memcpy(more, r->points, 3 * r->n * sizeof *more);
        r->points = more;
    }
    for (int k = 0; k < 3; k++) {
        double *x = &r->points[3 * r->n + k];
        if (!obj_word(r, &word, &length) || !rt_number_read(word, length, x) || !isfinite(*x))
            return rt_fail(r->error, ROUTH_SYNTAX_ERROR, "line %d: a point (v) has 3 numbers",
                           r->line);
    }
    r->n++;
    return ROUTH_OK;
}

/* The point that a word such as 7, -1 or 7/3/2 of a face names; NULL: there is none. */
static const double *obj_corner(const obj_reader *r, const char *word, size_t length)
{
    char digits[16] = "", *stop;
    const size_t n = length < sizeof digits ? length : sizeof digits - 1;
    memcpy(digits, word, n);
    errno = 0;
    const long k = strtol(digits, &stop, 10);
    if (stop == digits || (*stop && *stop != '/') || errno) return NULL;
    const long at = k < 0 ? (long)r->n + k : k - 1;
    return k && at >= 0 && at < (long)r->n ? r->points + 3 * (size_t)at : NULL;
}

/* A fan of triangles from the first corner. */
static routh_status obj_take_face(obj_reader *r)
{
    const char *word;
    size_t length;
    int n = 0;
    const double *first = NULL, *before = NULL;
    routh_status status = ROUTH_OK;
    for (; !status && obj_word(r, &word, &length); n++) {
        const double *corner = obj_corner(r, word, length);
        if (!corner)
            return rt_fail(r->error, ROUTH_SYNTAX_ERROR,
                           "line %d: a face (f) names point %.*s, but %zu are known", r->line,
                           (int)(length < 20 ? length : 20), word, r->n);
        if (n >= 2) status = rt_mesh_add(r->corners, first, before, corner, r->error);
        if (!n) first = corner;
        before = corner;
    }
    if (!status && n < 3)
        return rt_fail(r->error, ROUTH_SYNTAX_ERROR,
                       "line %d: a face (f) has %d corners; it needs 3", r->line, n);
    return status;
}

routh_status rt_mesh_obj(rt_mesh_corners *corners, const char *path, const char *bytes,
                         size_t length, routh_error *error)
{
    (void)path;
    obj_reader r = {
        .at = bytes, .end = bytes + length, .line = 1, .corners = corners, .error = error};
    routh_status status = ROUTH_OK;
    while (r.at < r.end && !status) {
        const char *word;
        size_t n;
        if (obj_word(&r, &word, &n)) {
            if (n == 1 && *word == 'v') status = obj_take_point(&r);
            if (n == 1 && *word == 'f') status = obj_take_face(&r);
        }
        obj_skip_line(&r);
    }
    return status;
}
