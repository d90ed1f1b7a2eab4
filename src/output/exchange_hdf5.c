/* HDF5: a data set for each value, in a group where its name has a point. All files
 * have check sums (the form of HDF5 1.8) and data in one piece, and nothing else is read: what is
 * broken is then seen before the library trusts it. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hdf5_groups.h"
#include "base/save.h"
#include "output/exchange_fields.h"
#include "base/file.h"
#include "output/exchange_format.h"

static const char magic[] = "\x89HDF\r\n\x1a\n";

enum { MAGIC = 8, MOST_LINKS = 200, INCREMENT = 1 << 20 };

/* The library tells errors on stderr unless it is asked not to. */
typedef struct quiet {
    H5E_auto2_t tell;
    void *context;
} quiet;

static void be_quiet(quiet *before)
{
    /* after a broken file it would also tell at the end of the program that it lost memory */
    H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &before->tell, &before->context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void be_as_before(const quiet *before)
{
    H5Eset_auto2(H5E_DEFAULT, before->tell, before->context);
}

/* "operating_point.time" as "operating_point/time". */
static void exchange_hdf5_path_of(const char *name, char path[96])
{
    snprintf(path, 96, "%.90s", name);
    for (char *c = path; *c; c++)
        if (*c == '.') *c = '/';
}

/* In the form with check sums. Negative on failure. */
static hid_t access_with_sums(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0)
        return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}

/* ---- writing -------------------------------------------------------------------------------- */

static routh_status cannot_make(routh_error *error)
{
    return rt_fail(error, ROUTH_FILE_ERROR,
                   "HDF5 cannot write the file; check whether memory, disk space, a quota or the "
                   "limit on the size of files (ulimit -f) is short");
}

/* Texts padded with zeros to one length; to be freed. */
static char *pad_texts(const rt_value *v, size_t *length)
{
    const size_t n = rt_value_count(v);
    *length = 1;
    for (size_t k = 0; k < n; k++)
        if (strlen(v->texts[k]) > *length) *length = strlen(v->texts[k]);
    char *padded = calloc(n ? n : 1, *length);
    for (size_t k = 0; padded && k < n; k++)
        memcpy(padded + k * *length, v->texts[k], strlen(v->texts[k]));
    return padded;
}

static hid_t text_type(size_t length)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, length) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    if (type >= 0) H5Tclose(type);
    return -1;
}

static bool put_data(hid_t file, const rt_value *v, hid_t in_file, hid_t in_memory,
                     const void *data)
{
    char path[96];
    const hsize_t shape[2] = {v->rows, v->columns};
    exchange_hdf5_path_of(v->name, path);
    const hid_t space = v->rank ? H5Screate_simple(v->rank, shape, NULL) : H5Screate(H5S_SCALAR);
    const hid_t make = H5Pcreate(H5P_DATASET_CREATE);
    bool done = space >= 0 && make >= 0 && H5Pset_obj_track_times(make, 0) >= 0 &&
                rt_hdf5_make_groups(file, path);
    const hid_t set =
        done ? H5Dcreate2(file, path, in_file, space, H5P_DEFAULT, make, H5P_DEFAULT) : -1;
    done = set >= 0 && (rt_value_count(v) == 0 ||
                        H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    if (set >= 0) H5Dclose(set);
    if (make >= 0) H5Pclose(make);
    if (space >= 0) H5Sclose(space);
    return done;
}

static routh_status put_texts(hid_t file, const rt_value *v, routh_error *error)
{
    size_t length;
    char *padded = pad_texts(v, &length);
    if (!padded) return rt_fail_memory(error);
    const hid_t type = text_type(length);
    const bool done = type >= 0 && put_data(file, v, type, type, padded);
    if (type >= 0) H5Tclose(type);
    free(padded);
    return done ? ROUTH_OK : cannot_make(error);
}

static routh_status exchange_hdf5_put_value(hid_t file, const rt_value *v, routh_error *error)
{
    if (v->kind == RT_TEXTS) return put_texts(file, v, error);
    const hid_t type = v->kind == RT_REALS      ? H5T_IEEE_F64LE
                       : v->kind == RT_INTEGERS ? H5T_STD_I64LE
                                                : H5T_STD_I8LE;
    return put_data(file, v, type, H5T_NATIVE_DOUBLE, v->reals) ? ROUTH_OK : cannot_make(error);
}

/* Links stand in the head of a group, which is the simplest of its forms. */
static hid_t create_file(const char *name)
{
    const hid_t access = access_with_sums(), make = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = -1;
    if (access >= 0 && make >= 0 && H5Pset_link_phase_change(make, MOST_LINKS, 0) >= 0 &&
        H5Pset_obj_track_times(make, 0) >= 0)
        file = H5Fcreate(name, H5F_ACC_TRUNC, make, access);
    if (make >= 0) H5Pclose(make);
    if (access >= 0) H5Pclose(access);
    return file;
}

static routh_status exchange_hdf5_put_all(const rt_record *record, const char *name,
                                          routh_error *error)
{
    const hid_t file = create_file(name);
    routh_status status = file >= 0 ? ROUTH_OK : cannot_make(error);
    for (int k = 0; k < record->n && !status; k++)
        status = exchange_hdf5_put_value(file, &record->values[k], error);
    if (file >= 0 && H5Fclose(file) < 0 && !status) status = cannot_make(error);
    return status;
}

static routh_status exchange_hdf5_fill(void *context, int fd, const char *name, routh_error *error)
{
    quiet before;
    (void)fd;
    be_quiet(&before);
    const routh_status status = exchange_hdf5_put_all(context, name, error);
    be_as_before(&before);
    return status;
}

static routh_status exchange_hdf5_write_model(const rt_record *record, const char *path,
                                              routh_error *error)
{
    return rt_save(path, exchange_hdf5_fill, (void *)record, error);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* What a data set is, as far as it is one of ours. */
typedef struct exchange_hdf5_shape {
    int rank;
    hsize_t size[2];
    bool texts;
    size_t entry; /* bytes */
} exchange_hdf5_shape;

/* In one piece, within the file and of the size that its entries need. */
static bool in_one_piece(hid_t set, const exchange_hdf5_shape *s, size_t most)
{
    const hid_t made = H5Dget_create_plist(set);
    if (made < 0) return false;
    const H5D_layout_t layout = H5Pget_layout(made);
    const bool plain = (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) &&
                       H5Pget_external_count(made) == 0 && H5Pget_nfilters(made) == 0;
    H5Pclose(made);
    if (!plain || s->entry == 0 || s->entry > most) return false;
    if (s->size[0] && s->size[1] > most / s->size[0]) return false;
    const hsize_t n = s->size[0] * s->size[1];
    return n <= most / s->entry && (n == 0 || H5Dget_storage_size(set) == n * s->entry);
}

static bool shape_of_space(hid_t set, exchange_hdf5_shape *s)
{
    const hid_t space = H5Dget_space(set);
    if (space < 0) return false;
    s->size[0] = s->size[1] = 1;
    s->rank = H5Sget_simple_extent_ndims(space);
    const bool known = H5Sis_simple(space) > 0 && H5Sget_simple_extent_type(space) != H5S_NULL &&
                       s->rank >= 0 && s->rank <= 2 &&
                       H5Sget_simple_extent_dims(space, s->size, NULL) == s->rank;
    H5Sclose(space);
    return known;
}

static bool shape_of_type(hid_t type, exchange_hdf5_shape *s)
{
    const H5T_class_t class = H5Tget_class(type);
    s->texts = class == H5T_STRING;
    s->entry = H5Tget_size(type);
    if (s->texts) return H5Tis_variable_str(type) == 0;
    return (class == H5T_FLOAT || class == H5T_INTEGER) && s->entry <= 8;
}

static routh_status exchange_hdf5_take_texts(rt_record *record, rt_value *v, hid_t set, hid_t type,
                                             size_t length, routh_error *error)
{
    const size_t n = rt_value_count(v);
    char *padded = calloc(n ? n : 1, length);
    if (!padded) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    if (n && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded) < 0)
        status = rt_value_broken(v->name, error, "cannot be read");
    for (size_t k = 0; k < n && !status; k++) {
        const char *text = padded + k * length, *zero = memchr(text, 0, length);
        status = rt_record_text(record, v, k, text, zero ? (size_t)(zero - text) : length, error);
    }
    free(padded);
    return status;
}

static routh_status exchange_hdf5_take_set(rt_record *record, const char *name, hid_t set,
                                           hid_t type, size_t most, routh_error *error)
{
    exchange_hdf5_shape s;
    if (!shape_of_space(set, &s) || !shape_of_type(type, &s) || !in_one_piece(set, &s, most))
        return rt_value_broken(name, error,
                               "is no data set of numbers or of texts of one length, in one piece, "
                               "of at most two dimensions");
    rt_value *v = rt_record_add(record, name, s.texts ? RT_TEXTS : RT_REALS, s.rank,
                                (size_t)s.size[0], (size_t)s.size[1], error);
    if (!v) return error->status;
    if (s.texts) return exchange_hdf5_take_texts(record, v, set, type, s.entry, error);
    if (rt_value_count(v) == 0 ||
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v->reals) >= 0)
        return ROUTH_OK;
    return rt_value_broken(name, error, "cannot be read");
}

/* 1: the link is there and is none to elsewhere; 0: it is not there; -1: it is broken. */
static int find_link(hid_t file, const char *path)
{
    H5L_info_t info;
    const htri_t found = H5Lexists(file, path, H5P_DEFAULT);
    if (found <= 0) return found < 0 ? -1 : 0;
    if (H5Lget_info(file, path, &info, H5P_DEFAULT) < 0) return -1;
    return info.type == H5L_TYPE_HARD ? 1 : -1;
}

/* The same of a path that may have a group before it. */
static int exchange_hdf5_find_path(hid_t file, const char *path)
{
    char group[96];
    const char *slash = strchr(path, '/');
    snprintf(group, sizeof group, "%.*s", slash ? (int)(slash - path) : 0, path);
    const int there = slash ? find_link(file, group) : 1;
    return there == 1 ? find_link(file, path) : there;
}

static routh_status take_value(rt_record *record, const char *name, hid_t file, size_t most,
                               routh_error *error)
{
    char path[96];
    exchange_hdf5_path_of(name, path);
    const int there = exchange_hdf5_find_path(file, path);
    if (there == 0) return ROUTH_OK;
    const hid_t set = there > 0 ? H5Dopen2(file, path, H5P_DEFAULT) : -1;
    const hid_t type = set >= 0 ? H5Dget_type(set) : -1;
    const routh_status status = type >= 0
                                    ? exchange_hdf5_take_set(record, name, set, type, most, error)
                                    : rt_value_broken(name, error, "is no sound data set");
    if (type >= 0) H5Tclose(type);
    if (set >= 0) H5Dclose(set);
    return status;
}

static hid_t open_in_memory(const rt_file *image)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, INCREMENT, 0) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_file_image(access, image->bytes, image->length) >= 0)
        file = H5Fopen("routh-linear.h5", H5F_ACC_RDONLY, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

static routh_status read_image(rt_record *record, const rt_file *image, routh_error *error)
{
    const rt_exchange_field *f;
    const hid_t file = open_in_memory(image);
    if (file < 0) return rt_fail(error, ROUTH_SYNTAX_ERROR, "it is no sound file of HDF5");
    routh_status status = take_value(record, "members", file, image->length, error);
    for (int k = 0; (f = rt_field_at(k)) && !status; k++)
        status = take_value(record, f->name, file, image->length, error);
    H5Fclose(file);
    return status;
}

/* The number of the superblock's form follows the signature; check sums came with 2. */
static routh_status check_form(const rt_file *image, routh_error *error)
{
    if (image->length <= MAGIC || memcmp(image->bytes, magic, MAGIC) != 0)
        return rt_fail(error, ROUTH_SYNTAX_ERROR, "it does not begin as a file of HDF5");
    if ((unsigned char)image->bytes[MAGIC] >= 2) return ROUTH_OK;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "it is in the older form of HDF5, which has no check sums; write it in that of "
                   "1.8 or later (h5py: libver='v108')");
}

static routh_status exchange_hdf5_read_model(rt_record *record, const char *path,
                                             routh_error *error)
{
    rt_file image;
    quiet before;
    routh_status status = rt_file_read(path, &image, error);
    if (status) return status;
    be_quiet(&before);
    status = check_form(&image, error);
    if (!status) status = read_image(record, &image, error);
    be_as_before(&before);
    free(image.bytes);
    return status;
}

const rt_format rt_format_hdf5 = {.name = "hdf5",
                                  .suffixes = {".h5", ".hdf5"},
                                  .magic = magic,
                                  .by_suffix = true,
                                  .lists_members = true,
                                  .write = exchange_hdf5_write_model,
                                  .read = exchange_hdf5_read_model};
