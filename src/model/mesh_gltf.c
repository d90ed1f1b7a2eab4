/* Meshes in glTF 2.0 files: the triangles of all nodes of the scene, with the nodes' transforms.
 * Khronos Group, glTF 2.0 Specification (2021): 3.6 buffers and accessors, 3.7 meshes, 4 GLB. */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model/mesh.h"

enum { GLTF_DEPTH = 64, GLTF_NODES = 100000, GLTF_BUFFERS = 64 };

typedef struct gltf_reader {
    const json_t *root;
    const char *path;
    const char *chunk; /* the binary chunk of a GLB file; NULL */
    size_t chunk_length;
    struct {
        const unsigned char *bytes;
        size_t length;
    } buffers[GLTF_BUFFERS];
    int nodes;
    rt_mesh_corners *corners;
    routh_error *error;
} gltf_reader;

#define GLTF_WRONG(r, ...) rt_fail((r)->error, ROUTH_SYNTAX_ERROR, __VA_ARGS__)

/* Entry k of a list of the file; NULL. */
static const json_t *gltf_entry(const gltf_reader *r, const char *list, json_int_t k)
{
    return k < 0 ? NULL : json_array_get(json_object_get(r->root, list), (size_t)k);
}

/* A whole number of an object, or what stands for one that is not given; -1: not a whole number, or
 * below 0. */
static json_int_t gltf_whole(const json_t *object, const char *key, json_int_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    if (!value) return otherwise;
    return json_is_integer(value) && json_integer_value(value) >= 0 ? json_integer_value(value)
                                                                    : -1;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static routh_status gltf_decode(gltf_reader *r, const char *text, int b)
{
    const size_t n = strlen(text);
    unsigned char *bytes = RT_TAKE(r->corners->scratch, unsigned char, n + 1);
    if (!bytes) return rt_fail_memory(r->error);
    uint32_t bits = 0;
    size_t length = 0;
    int held = 0;
    for (const char *c = text; *c && *c != '='; c++) {
        const int digit = base64_digit(*c);
        if (digit < 0) return GLTF_WRONG(r, "buffers[%d]: its data is not base64", b);
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes[length++] = (unsigned char)(bits >> held & 255u);
    }
    r->buffers[b].bytes = bytes;
    r->buffers[b].length = length;
    return ROUTH_OK;
}

/* A file beside this one. */
static routh_status gltf_load(gltf_reader *r, const char *name, int b)
{
    const char *slash = strrchr(r->path, '/');
    const size_t folder = slash ? (size_t)(slash - r->path) + 1 : 0, n = strlen(name);
    if (*name == '/' || strstr(name, "..") || strpbrk(name, ":%"))
        return GLTF_WRONG(r, "buffers[%d]: '%.80s' is not a file below the folder of this one", b,
                          name);
    char *path = RT_TAKE(r->corners->scratch, char, folder + n + 1);
    if (!path) return rt_fail_memory(r->error);
    memcpy(path, r->path, folder);
    memcpy(path + folder, name, n + 1);
    rt_file file;
    const routh_status status = rt_file_read(path, &file, r->error);
    if (status) return status;
    unsigned char *bytes = RT_TAKE(r->corners->scratch, unsigned char, file.length + 1);
    if (bytes) memcpy(bytes, file.bytes, file.length);
    r->buffers[b].bytes = bytes;
    r->buffers[b].length = file.length;
    free(file.bytes);
    return bytes ? ROUTH_OK : rt_fail_memory(r->error);
}

static routh_status gltf_take_buffer(gltf_reader *r, const json_t *buffer, int b)
{
    const char *uri = json_string_value(json_object_get(buffer, "uri"));
    const char *data = uri && !strncmp(uri, "data:", 5) ? strstr(uri, ";base64,") : NULL;
    routh_status status = ROUTH_OK;
    if (data)
        status = gltf_decode(r, data + 8, b);
    else if (uri)
        status = gltf_load(r, uri, b);
    else if (b == 0 && r->chunk) {
        r->buffers[b].bytes = (const unsigned char *)r->chunk;
        r->buffers[b].length = r->chunk_length;
    } else
        return GLTF_WRONG(r, "buffers[%d] has no data", b);
    const json_int_t length = gltf_whole(buffer, "byteLength", -1);
    if (!status && (length < 0 || (size_t)length > r->buffers[b].length))
        return GLTF_WRONG(r, "buffers[%d] has %zu bytes, but byteLength is %lld", b,
                          r->buffers[b].length, (long long)length);
    return status;
}

static routh_status gltf_take_buffers(gltf_reader *r)
{
    const json_t *buffers = json_object_get(r->root, "buffers");
    const size_t n = json_array_size(buffers);
    if (n > GLTF_BUFFERS) return GLTF_WRONG(r, "it has %zu buffers; %d are read", n, GLTF_BUFFERS);
    routh_status status = ROUTH_OK;
    for (size_t b = 0; b < n && !status; b++)
        status = gltf_take_buffer(r, json_array_get(buffers, b), (int)b);
    return status;
}

/* ---- accessors ------------------------------------------------------------------------------- */

enum { GLTF_BYTE = 5121, GLTF_SHORT = 5123, GLTF_INT = 5125, GLTF_FLOAT = 5126 };

typedef struct gltf_accessor {
    const unsigned char *bytes;
    size_t count, stride;
    int component;
} gltf_accessor;

static size_t gltf_size(json_int_t component)
{
    return component == GLTF_BYTE ? 1 : component == GLTF_SHORT ? 2 : 4;
}

/* Where the entries of accessor a are, which has so many components in each. */
static routh_status gltf_take_accessor(gltf_reader *r, json_int_t a, size_t width,
                                       gltf_accessor *out)
{
    const json_t *accessor = gltf_entry(r, "accessors", a);
    const json_t *view = gltf_entry(r, "bufferViews", gltf_whole(accessor, "bufferView", -1));
    if (json_object_get(accessor, "sparse"))
        return GLTF_WRONG(r, "accessors[%lld] is sparse, which is not read", (long long)a);
    if (!accessor || !view)
        return GLTF_WRONG(r,
                          "accessors[%lld], or its bufferView, is missing; compressed meshes are "
                          "not read",
                          (long long)a);
    const json_int_t component = gltf_whole(accessor, "componentType", -1);
    const json_int_t count = gltf_whole(accessor, "count", -1), b = gltf_whole(view, "buffer", -1);
    const json_int_t start = gltf_whole(view, "byteOffset", 0);
    const json_int_t offset = gltf_whole(accessor, "byteOffset", 0);
    const json_int_t length = gltf_whole(view, "byteLength", -1);
    const char *type = json_string_value(json_object_get(accessor, "type"));
    const size_t entry = width * gltf_size(component);
    const json_int_t stride = gltf_whole(view, "byteStride", (json_int_t)entry);
    const bool known =
        width == 3 ? component == GLTF_FLOAT
                   : component == GLTF_BYTE || component == GLTF_SHORT || component == GLTF_INT;
    if (!known || !type || strcmp(type, width == 3 ? "VEC3" : "SCALAR") != 0)
        return GLTF_WRONG(r, "accessors[%lld]: %s", (long long)a,
                          width == 3 ? "positions must be three floats each"
                                     : "indices must be whole numbers without a sign");
    if (b < 0 || b >= GLTF_BUFFERS || !r->buffers[b].bytes || count < 1 || start < 0 ||
        offset < 0 || length < 0 || stride < (json_int_t)entry ||
        start > (json_int_t)r->buffers[b].length ||
        length > (json_int_t)r->buffers[b].length - start || offset > length ||
        (json_int_t)entry > length - offset ||
        count - 1 > (length - offset - (json_int_t)entry) / stride)
        return GLTF_WRONG(r, "accessors[%lld] reaches beyond its buffer", (long long)a);
    out->bytes = r->buffers[b].bytes + start + offset;
    out->count = (size_t)count;
    out->stride = (size_t)stride;
    out->component = (int)component;
    return ROUTH_OK;
}

static uint32_t gltf_low_first(const unsigned char *b, size_t n)
{
    uint32_t x = 0;
    for (size_t k = 0; k < n; k++) x |= (uint32_t)b[k] << 8 * k;
    return x;
}

static size_t gltf_index(const gltf_accessor *indices, size_t k)
{
    if (!indices->bytes) return k;
    return gltf_low_first(indices->bytes + k * indices->stride, gltf_size(indices->component));
}

/* x = T p, T a matrix by rows, the last row left out. */
static bool gltf_corner(const gltf_accessor *points, size_t k, const double T[12], double x[3])
{
    float p[3];
    if (k >= points->count) return false;
    for (size_t i = 0; i < 3; i++) {
        const uint32_t bits = gltf_low_first(points->bytes + k * points->stride + 4 * i, 4);
        memcpy(&p[i], &bits, sizeof bits);
    }
    for (int i = 0; i < 3; i++) {
        x[i] = T[4 * i + 3];
        for (int j = 0; j < 3; j++) x[i] += T[4 * i + j] * (double)p[j];
        if (!isfinite(x[i])) return false;
    }
    return true;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

enum { GLTF_TRIANGLES = 4, GLTF_STRIP = 5, GLTF_FAN = 6 };

/* The corners of triangle t in the list of indices. */
static void gltf_triangle(json_int_t mode, size_t t, size_t at[3])
{
    const size_t odd = t & 1;
    at[0] = mode == GLTF_TRIANGLES ? 3 * t : mode == GLTF_STRIP ? t : 0;
    at[1] = mode == GLTF_TRIANGLES ? 3 * t + 1 : mode == GLTF_STRIP ? t + 1 + odd : t + 1;
    at[2] = mode == GLTF_TRIANGLES ? 3 * t + 2 : mode == GLTF_STRIP ? t + 2 - odd : t + 2;
}

/* A transform that mirrors turns the triangles inside out; their corners are then exchanged. */
static bool gltf_mirrors(const double T[12])
{
    return T[0] * (T[5] * T[10] - T[6] * T[9]) + T[1] * (T[6] * T[8] - T[4] * T[10]) +
               T[2] * (T[4] * T[9] - T[5] * T[8]) <
           0;
}

static routh_status gltf_take_primitive(gltf_reader *r, const json_t *primitive, const double T[12])
{
    const json_int_t mode = gltf_whole(primitive, "mode", GLTF_TRIANGLES);
    gltf_accessor points = {0}, indices = {0};
    if (mode < 0 || mode > GLTF_FAN) return GLTF_WRONG(r, "a primitive has no mode that glTF has");
    if (mode < GLTF_TRIANGLES) return ROUTH_OK; /* points and lines */
    routh_status status = gltf_take_accessor(
        r, gltf_whole(json_object_get(primitive, "attributes"), "POSITION", -1), 3, &points);
    if (!status && json_object_get(primitive, "indices"))
        status = gltf_take_accessor(r, gltf_whole(primitive, "indices", -1), 1, &indices);
    if (status) return status;
    const size_t n = indices.bytes ? indices.count : points.count;
    const size_t triangles = mode == GLTF_TRIANGLES ? n / 3 : n < 2 ? 0 : n - 2;
    if (mode == GLTF_TRIANGLES && n % 3)
        return GLTF_WRONG(r, "a primitive of triangles has %zu corners, no multiple of 3", n);
    const bool mirrors = gltf_mirrors(T);
    for (size_t t = 0; t < triangles && !status; t++) {
        size_t at[3];
        double x[3][3];
        gltf_triangle(mode, t, at);
        for (int i = 0; i < 3; i++)
            if (!gltf_corner(&points, gltf_index(&indices, at[i]), T, x[i]))
                return GLTF_WRONG(r, "a triangle names a point that is not there or not finite");
        status = rt_mesh_add(r->corners, x[0], x[mirrors ? 2 : 1], x[mirrors ? 1 : 2], r->error);
    }
    return status;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Of a node so many numbers, or what stands for them where none are given. */
static routh_status gltf_reals(gltf_reader *r, const json_t *node, const char *key, size_t n,
                               double *out)
{
    const json_t *list = json_object_get(node, key);
    for (size_t k = 0; list && k < n; k++) {
        const json_t *x = json_array_get(list, k);
        if (!json_is_number(x) || json_array_size(list) != n)
            return GLTF_WRONG(r, "%s of a node must be %zu numbers", key, n);
        out[k] = json_number_value(x);
    }
    return ROUTH_OK;
}

/* A rotation is a unit quaternion x, y, z, w, up to the digits that it is written with. */
static routh_status gltf_turn(gltf_reader *r, double q[4])
{
    enum { LENGTH_ALLOWED = 100 }; /* 1/100 from 1 */
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1) * LENGTH_ALLOWED < 1))
        return GLTF_WRONG(r, "rotation of a node is a quaternion of length %.4g; it must be 1",
                          length);
    for (int k = 0; k < 4; k++) q[k] /= length;
    return ROUTH_OK;
}

/* Written by columns; the last row is 0, 0, 0, 1. */
static routh_status gltf_matrix(gltf_reader *r, const double m[16], double T[12])
{
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
        return GLTF_WRONG(r, "matrix of a node must end with the row 0, 0, 0, 1");
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) T[4 * i + j] = m[4 * j + i];
    return ROUTH_OK;
}

/* A node's own transform by rows: its matrix, or T R S. */
static routh_status gltf_own(gltf_reader *r, const json_t *node, double T[12])
{
    double m[16], t[3] = {0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (json_object_get(node, "matrix")) {
        const routh_status status = gltf_reals(r, node, "matrix", 16, m);
        return status ? status : gltf_matrix(r, m, T);
    }
    routh_status status = gltf_reals(r, node, "translation", 3, t);
    if (!status) status = gltf_reals(r, node, "rotation", 4, q);
    if (!status) status = gltf_reals(r, node, "scale", 3, s);
    if (!status) status = gltf_turn(r, q);
    if (status) return status;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                         2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                         2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T[4 * i + j] = R[3 * i + j] * s[j];
        T[4 * i + 3] = t[i];
    }
    return ROUTH_OK;
}

static void gltf_product(const double A[12], const double B[12], double C[12])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            C[4 * i + j] = j == 3 ? A[4 * i + 3] : 0;
            for (int k = 0; k < 3; k++) C[4 * i + j] += A[4 * i + k] * B[4 * k + j];
        }
}

static bool gltf_any(const json_t *weights)
{
    for (size_t k = 0; k < json_array_size(weights); k++)
        if (json_number_value(json_array_get(weights, k)) != 0) return true;
    return false;
}

/* What places or forms the triangles of a node otherwise than its transform does. */
static routh_status gltf_check_node(gltf_reader *r, const json_t *node, json_int_t k,
                                    const json_t *mesh)
{
    if (json_object_get(node, "skin"))
        return GLTF_WRONG(r, "nodes[%lld] has a skin, which is not read; apply it in the file",
                          (long long)k);
    if (json_object_get(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing"))
        return GLTF_WRONG(r, "nodes[%lld] has instances, which are not read; write them as nodes",
                          (long long)k);
    const json_t *own = json_object_get(node, "weights");
    if (gltf_any(own ? own : json_object_get(mesh, "weights")))
        return GLTF_WRONG(r, "nodes[%lld] has weights of morph targets, which are not read",
                          (long long)k);
    return ROUTH_OK;
}

static routh_status gltf_take_mesh(gltf_reader *r, const json_t *node, json_int_t k,
                                   const double T[12])
{
    const json_t *mesh = gltf_entry(r, "meshes", gltf_whole(node, "mesh", -1));
    const json_t *list = json_object_get(mesh, "primitives");
    if (!json_array_size(list))
        return GLTF_WRONG(r, "nodes[%lld] names a mesh that is missing or has no primitives",
                          (long long)k);
    routh_status status = gltf_check_node(r, node, k, mesh);
    for (size_t i = 0; i < json_array_size(list) && !status; i++)
        status = gltf_take_primitive(r, json_array_get(list, i), T);
    return status;
}

static routh_status gltf_take_node(gltf_reader *r, json_int_t k, const double outer[12], int depth)
{
    const json_t *node = gltf_entry(r, "nodes", k), *children = json_object_get(node, "children");
    double own[12], T[12];
    if (!node) return GLTF_WRONG(r, "nodes[%lld] is missing", (long long)k);
    if (depth > GLTF_DEPTH || ++r->nodes > GLTF_NODES)
        return GLTF_WRONG(r, "its nodes are too many, or contain one another");
    if (children && !json_is_array(children))
        return GLTF_WRONG(r, "nodes[%lld]: children must be a list", (long long)k);
    routh_status status = gltf_own(r, node, own);
    if (status) return status;
    gltf_product(outer, own, T);
    if (json_object_get(node, "mesh")) status = gltf_take_mesh(r, node, k, T);
    for (size_t i = 0; i < json_array_size(children) && !status; i++) {
        const json_t *child = json_array_get(children, i);
        status = gltf_take_node(r, json_is_integer(child) ? json_integer_value(child) : -1, T,
                                depth + 1);
    }
    return status;
}

/* What a file requires must be read, unless triangles do not depend on it. */
static routh_status gltf_check_extensions(gltf_reader *r)
{
    static const char *const of_looks[] = {"KHR_materials_", "KHR_texture_",
                                           "EXT_texture_",   "KHR_lights_",
                                           "EXT_lights_",    "KHR_mesh_quantization"};
    const json_t *list = json_object_get(r->root, "extensionsRequired");
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *name = json_string_value(json_array_get(list, k));
        bool known = false;
        for (size_t i = 0; name && i < sizeof of_looks / sizeof of_looks[0]; i++)
            known |= !strncmp(name, of_looks[i], strlen(of_looks[i]));
        if (!known)
            return GLTF_WRONG(r, "it requires the extension %.60s, which is not read",
                              name ? name : "of no name");
    }
    return ROUTH_OK;
}

static routh_status gltf_take(gltf_reader *r)
{
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const char *version =
        json_string_value(json_object_get(json_object_get(r->root, "asset"), "version"));
    if (!version || strncmp(version, "2.", 2) != 0)
        return GLTF_WRONG(r, "it is not glTF of version 2 (asset.version)");
    const json_t *nodes =
        json_object_get(gltf_entry(r, "scenes", gltf_whole(r->root, "scene", 0)), "nodes");
    if (!json_array_size(nodes)) return GLTF_WRONG(r, "its scene has no nodes");
    routh_status status = gltf_check_extensions(r);
    if (!status) status = gltf_take_buffers(r);
    for (size_t i = 0; i < json_array_size(nodes) && !status; i++) {
        const json_t *node = json_array_get(nodes, i);
        status =
            gltf_take_node(r, json_is_integer(node) ? json_integer_value(node) : -1, identity, 0);
    }
    return status;
}

static routh_status gltf_parse(gltf_reader *r, const char *text, size_t length)
{
    json_error_t problem;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (!root) return GLTF_WRONG(r, "it is not JSON: line %d: %.100s", problem.line, problem.text);
    r->root = root;
    const routh_status status = gltf_take(r);
    json_decref(root);
    return status;
}

routh_status rt_mesh_gltf(rt_mesh_corners *corners, const char *path, const char *bytes,
                          size_t length, routh_error *error)
{
    gltf_reader r = {.path = path, .corners = corners, .error = error};
    return gltf_parse(&r, bytes, length);
}

/* GLB: "glTF", 2, the length; chunks of length, type and data: JSON, then at most one of binary. */
routh_status rt_mesh_glb(rt_mesh_corners *corners, const char *path, const char *bytes,
                         size_t length, routh_error *error)
{
    enum { HEADER = 12, CHUNK = 8 };
    const unsigned char *b = (const unsigned char *)bytes;
    gltf_reader r = {.path = path, .corners = corners, .error = error};
    if (length < HEADER + CHUNK || memcmp(bytes, "glTF", 4) != 0 || gltf_low_first(b + 4, 4) != 2 ||
        gltf_low_first(b + 8, 4) > length || memcmp(bytes + 16, "JSON", 4) != 0)
        return GLTF_WRONG(&r, "it is not a GLB file of version 2, or it is cut short");
    const size_t json = gltf_low_first(b + HEADER, 4), rest = HEADER + CHUNK;
    if (json > length - rest) return GLTF_WRONG(&r, "it is cut short");
    const size_t at = rest + json;
    if (length - at >= CHUNK && !memcmp(bytes + at + 4, "BIN", 4)) {
        r.chunk = bytes + at + CHUNK;
        r.chunk_length = gltf_low_first(b + at, 4);
        if (r.chunk_length > length - at - CHUNK) return GLTF_WRONG(&r, "it is cut short");
    }
    return gltf_parse(&r, bytes + rest, json);
}
