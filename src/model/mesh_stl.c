/* Meshes in STL files, of text or binary, and the choice among the formats. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/number.h"
#include "model/mesh.h"

/* ---- binary: 80 bytes, the count; of each triangle 12 floats and 2 bytes, low ends first -- */

enum { STL_HEADER = 84, STL_TRIANGLE = 50 };

static uint32_t stl_whole(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double stl_float(const unsigned char *b)
{
    const uint32_t bits = stl_whole(b);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static bool is_binary_stl(const char *bytes, size_t length)
{
    return length >= STL_HEADER &&
           length ==
               STL_HEADER + (size_t)stl_whole((const unsigned char *)bytes + 80) * STL_TRIANGLE;
}

static routh_status stl_binary(rt_mesh_corners *corners, const char *bytes, size_t length,
                               routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (size_t at = STL_HEADER; at < length && !status; at += STL_TRIANGLE) {
        double x[9];
        for (size_t k = 0; k < 9; k++)
            x[k] = stl_float((const unsigned char *)bytes + at + 12 + 4 * k);
        for (int k = 0; k < 9; k++)
            if (!isfinite(x[k]))
                return rt_fail(error, ROUTH_SYNTAX_ERROR, "triangle %zu has no finite corner",
                               (at - STL_HEADER) / STL_TRIANGLE + 1);
        status = rt_mesh_add(corners, x, x + 3, x + 6, error);
    }
    return status;
}

/* ---- text: "vertex x y z", three for each facet ---------------------------------------------- */

/* The next word of the text; false at its end. Lines are counted. */
static bool stl_word(const char **at, const char *end, int *line, const char **word, size_t *length)
{
    for (; *at < end && strchr(" \t\r\n", **at); ++*at) *line += **at == '\n';
    *word = *at;
    while (*at < end && !strchr(" \t\r\n", **at)) ++*at;
    *length = (size_t)(*at - *word);
    return *length > 0;
}

static bool stl_is(const char *word, size_t length, const char *wanted)
{
    return length == strlen(wanted) && !strncasecmp(word, wanted, length);
}

static routh_status stl_text(rt_mesh_corners *corners, const char *bytes, size_t length,
                             routh_error *error)
{
    const char *at = bytes, *end = bytes + length, *word;
    size_t n;
    double x[9];
    int line = 1, corner = 0;
    routh_status status = ROUTH_OK;
    while (!status && stl_word(&at, end, &line, &word, &n)) {
        if (stl_is(word, n, "solid") || stl_is(word, n, "endsolid")) /* a name follows */
            while (at < end && *at != '\n') at++;
        if (stl_is(word, n, "endfacet") && corner)
            return rt_fail(error, ROUTH_SYNTAX_ERROR,
                           "line %d: a facet has %d vertices; it must have 3", line, corner);
        if (!stl_is(word, n, "vertex")) continue;
        for (int k = 0; k < 3; k++)
            if (!stl_word(&at, end, &line, &word, &n) ||
                !rt_number_read(word, n, &x[3 * corner + k]) || !isfinite(x[3 * corner + k]))
                return rt_fail(error, ROUTH_SYNTAX_ERROR, "line %d: a vertex has 3 numbers", line);
        if (++corner < 3) continue;
        corner = 0;
        status = rt_mesh_add(corners, x, x + 3, x + 6, error);
    }
    if (!status && corner)
        return rt_fail(error, ROUTH_SYNTAX_ERROR, "line %d: it ends within a facet", line);
    return status;
}

routh_status rt_mesh_stl(rt_mesh_corners *corners, const char *path, const char *bytes,
                         size_t length, routh_error *error)
{
    (void)path;
    if (is_binary_stl(bytes, length)) return stl_binary(corners, bytes, length, error);
    size_t start = 0;
    while (start < length && strchr(" \t\r\n", bytes[start])) start++;
    if (length - start >= 5 && !strncasecmp(bytes + start, "solid", 5) && !memchr(bytes, 0, length))
        return stl_text(corners, bytes, length, error);
    return rt_fail(error, ROUTH_SYNTAX_ERROR,
                   "it is neither an STL file of text, which begins with \"solid\", nor a binary "
                   "one of the length that its count of triangles says");
}

/* ---- any ------------------------------------------------------------------------------------- */

static rt_mesh_format *mesh_format_of(const char *path)
{
    static const struct {
        const char *ending;
        rt_mesh_format *read;
    } formats[] = {{".stl", rt_mesh_stl},
                   {".obj", rt_mesh_obj},
                   {".gltf", rt_mesh_gltf},
                   {".glb", rt_mesh_glb}};
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot && k < sizeof formats / sizeof formats[0]; k++)
        if (!strcasecmp(dot, formats[k].ending)) return formats[k].read;
    return NULL;
}

routh_status rt_mesh_read(const char *path, double unit, rt_arena *keep, rt_arena *scratch,
                          rt_mesh *mesh, routh_error *error)
{
    rt_mesh_format *const read = mesh_format_of(path);
    rt_mesh_corners corners = {.scratch = scratch};
    rt_file file;
    if (!read)
        return rt_fail(error, ROUTH_SYNTAX_ERROR,
                       "a mesh is in a file whose name ends with .stl, .obj, .gltf or .glb");
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    status = read(&corners, path, file.bytes, file.length, error);
    free(file.bytes);
    *mesh = (rt_mesh){0};
    if (!status) status = rt_mesh_join(&corners, unit, keep, mesh, error);
    if (!status && !mesh->n_triangles)
        return rt_fail(error, ROUTH_SYNTAX_ERROR, "it has no triangle");
    return status ? status : rt_mesh_measure(mesh, scratch, error);
}
