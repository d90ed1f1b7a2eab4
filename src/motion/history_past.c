/* The part of an HDF5 file up to the place where its run can be taken up again. */
#include "motion/history_hdf5.h"

#include <stdlib.h>

/* The reading under way. The file may be anything: every size is compared with what the head says
 * before it is used. */
typedef struct history_past_reading {
    const char *name;
    const rt_history_head *head;
    hid_t file;
    routh_error *error;
} history_past_reading;

static routh_status history_past_cannot_read(const history_past_reading *r, const char *what)
{
    return rt_fail(r->error, ROUTH_FILE_ERROR,
                   "%s cannot be resumed: its %s is missing or damaged; start again without "
                   "--resume",
                   r->name, what);
}

static routh_status differs(const history_past_reading *r, const char *what)
{
    return rt_fail(r->error, ROUTH_BAD_ARGUMENT,
                   "%s cannot be resumed: it was made with another %s; use the same model and "
                   "options, or start again without --resume",
                   r->name, what);
}

/* ---- attributes ------------------------------------------------------------ */

static bool get_attribute(hid_t at, const char *name, hid_t type, size_t size, void *value)
{
    const hid_t a = H5Aexists(at, name) > 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
    const hid_t stored = a >= 0 ? H5Aget_type(a) : -1, space = a >= 0 ? H5Aget_space(a) : -1;
    const bool done = stored >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Tget_class(stored) == H5Tget_class(type) && H5Tget_size(stored) <= size &&
                      H5Tis_variable_str(stored) <= 0 && H5Aread(a, type, value) >= 0;
    if (space >= 0) H5Sclose(space);
    if (stored >= 0) H5Tclose(stored);
    if (a >= 0) H5Aclose(a);
    return done;
}

static routh_status same_text(const history_past_reading *r, const char *name, const char *text)
{
    const size_t size = strlen(text) + 1;
    const hid_t type = rt_history_text_type(size);
    char *found = calloc(size, 1);
    const bool got = type >= 0 && found && get_attribute(r->file, name, type, size, found);
    const bool same = got && memcmp(found, text, size) == 0;
    free(found);
    if (type >= 0) H5Tclose(type);
    return same ? ROUTH_OK : differs(r, name);
}

static routh_status same_real(const history_past_reading *r, const char *name, double value)
{
    double found;
    if (!get_attribute(r->file, name, H5T_NATIVE_DOUBLE, sizeof found, &found))
        return history_past_cannot_read(r, name);
    return memcmp(&found, &value, sizeof found) == 0 || (isnan(found) && isnan(value))
               ? ROUTH_OK
               : differs(r, name);
}

static bool get_count(hid_t at, const char *name, long *value)
{
    int64_t wide;
    if (!get_attribute(at, name, H5T_NATIVE_INT64, sizeof wide, &wide)) return false;
    *value = (long)wide;
    return wide >= 0 && wide <= 1000000000;
}

/* ---- data ------------------------------------------------------------ */

/* The first n rows of a data set of that many columns (0: a plain number), its texts of
 * RT_HISTORY_TEXT bytes; into memory rows `stride` apart. */
static bool get_rows(const history_past_reading *r, const char *path, hid_t type, int columns,
                     long n, void *data, long stride)
{
    hsize_t size[2] = {0, 1};
    const hid_t set = H5Dopen2(r->file, path, H5P_DEFAULT);
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1,
                stored = set >= 0 ? H5Dget_type(set) : -1;
    const int rank = columns > 1 ? 2 : 1;
    const hsize_t first[2] = {0, 0}, count[2] = {(hsize_t)n, (hsize_t)columns};
    const hsize_t shape[2] = {(hsize_t)n, (hsize_t)stride};
    bool done = space >= 0 && stored >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, size, NULL) == rank && size[0] >= (hsize_t)n &&
                size[1] == (hsize_t)columns && H5Tget_class(stored) == H5Tget_class(type) &&
                H5Tget_size(stored) == H5Tget_size(type);
    const hid_t in_memory = done && n > 0 ? H5Screate_simple(2, shape, NULL) : -1;
    if (done && n > 0)
        done = in_memory >= 0 &&
               H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
               H5Sselect_hyperslab(in_memory, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
               H5Dread(set, type, in_memory, space, H5P_DEFAULT, data) >= 0;
    if (in_memory >= 0) H5Sclose(in_memory);
    if (stored >= 0) H5Tclose(stored);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    return done;
}

enum { CHECK_SUM = 4 };

/* A data set of one piece of exactly so many bytes, with or without a check sum. */
static bool get_piece(const history_past_reading *r, const char *path, hid_t type, size_t bytes,
                      void *data)
{
    const hid_t set = H5Dopen2(r->file, path, H5P_DEFAULT);
    const hsize_t stored = set >= 0 ? H5Dget_storage_size(set) : 0;
    const bool done = (stored == bytes || stored == bytes + CHECK_SUM) &&
                      H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (set >= 0) H5Dclose(set);
    return done;
}

static routh_status same_model(const history_past_reading *r)
{
    const routh_model *model = r->head->model;
    const size_t size = model->text_length + 1;
    const hid_t type = rt_history_text_type(size);
    char *found = calloc(size, 1);
    bool same = type >= 0 && found && get_piece(r, "model/text", type, size, found) &&
                memcmp(found, model->text, size) == 0;
    free(found);
    if (type >= 0) H5Tclose(type);
    for (int k = 0; k < model->n_parameters && same; k++) {
        char path[300];
        double value;
        snprintf(path, sizeof path, "model/parameters/%.200s", model->parameters[k].name);
        same = get_piece(r, path, H5T_NATIVE_DOUBLE, sizeof value, &value) &&
               memcmp(&value, &model->parameters[k].number.value, sizeof value) == 0;
    }
    return same ? ROUTH_OK : differs(r, "model");
}

static routh_status compare_head(const history_past_reading *r)
{
    const rt_history_head *h = r->head;
    long block;
    routh_status status = same_text(r, "format", RT_HISTORY_FORMAT);
    if (!status) status = same_text(r, "version", ROUTH_VERSION);
    if (!status) status = same_model(r);
    if (!status) status = same_text(r, "coordinates", h->coordinates);
    if (!status) status = same_text(r, "integrator", h->integrator);
    if (!status) status = same_text(r, "groups", h->groups);
    if (!status) status = same_real(r, "tolerance", h->tolerance);
    if (!status) status = same_real(r, "step", h->fixed_step);
    if (!status) status = same_real(r, "largest_step", h->largest_step);
    if (!status) status = same_real(r, "dissipation", h->dissipation);
    if (!status) status = same_real(r, "start", h->start);
    if (!status) status = same_real(r, "end", h->end);
    if (!status) status = same_real(r, "every", h->every);
    if (!status && (!get_count(r->file, "block", &block) || block != h->block))
        status = differs(r, "block");
    return status;
}

static routh_status history_past_read_events(const history_past_reading *r, rt_history_past *past)
{
    const long n = past->n_events;
    past->events = calloc((size_t)n + 1, sizeof *past->events);
    double *time = calloc((size_t)n + 1, sizeof *time);
    int64_t *whole = calloc(2 * (size_t)n + 1, sizeof *whole);
    char(*text)[RT_HISTORY_TEXT] = calloc(2 * (size_t)n + 1, sizeof *text);
    const hid_t type = rt_history_text_type(RT_HISTORY_TEXT);
    routh_status status = ROUTH_OK;
    if (!past->events || !time || !whole || !text || type < 0)
        status = rt_fail_memory(r->error);
    else if (!get_rows(r, "events/time", H5T_NATIVE_DOUBLE, 1, n, time, 1) ||
             !get_rows(r, "events/direction", H5T_NATIVE_INT64, 1, n, whole, 1) ||
             !get_rows(r, "events/action", H5T_NATIVE_INT64, 1, n, whole + n, 1) ||
             !get_rows(r, "events/name", type, 1, n, text, 1) ||
             !get_rows(r, "events/what", type, 1, n, text + n, 1))
        status = history_past_cannot_read(r, "list of events");
    for (long k = 0; k < n && !status; k++) {
        struct rt_past_event *e = &past->events[k];
        e->time = time[k];
        e->direction = (int)whole[k], e->action = (int)whole[n + k];
        snprintf(e->name, sizeof e->name, "%.127s", text[k]);
        snprintf(e->what, sizeof e->what, "%.127s", text[n + k]);
    }
    if (type >= 0) H5Tclose(type);
    free(text);
    free(whole);
    free(time);
    return status;
}

static routh_status read_counts(const history_past_reading *r, rt_history_past *past)
{
    const hid_t set = H5Dopen2(r->file, "restart/numbers", H5P_DEFAULT);
    const bool done = set >= 0 && get_count(set, "records", &past->n_records) &&
                      get_count(set, "events", &past->n_events) &&
                      past->n_records % r->head->block == 0;
    if (set >= 0) H5Dclose(set);
    return done ? ROUTH_OK : history_past_cannot_read(r, "state to continue from");
}

static routh_status read_data(const history_past_reading *r, rt_history_past *past)
{
    const routh_channels *c = r->head->channels;
    const size_t n = r->head->n_numbers, width = (size_t)c->width;
    routh_status status = read_counts(r, past);
    if (status) return status;
    past->numbers = malloc((n + 1) * sizeof(double));
    past->records = calloc((size_t)past->n_records * width + 1, sizeof(double));
    if (!past->numbers || !past->records) return rt_fail_memory(r->error);
    if (!get_piece(r, "restart/numbers", H5T_NATIVE_DOUBLE, n * sizeof(double), past->numbers))
        return history_past_cannot_read(r, "state to continue from");
    for (int k = 0; k < c->n; k++)
        if (!get_rows(r, c->channel[k].path, H5T_NATIVE_DOUBLE, c->channel[k].size, past->n_records,
                      past->records + c->channel[k].first, c->width))
            return history_past_cannot_read(r, c->channel[k].path);
    return history_past_read_events(r, past);
}

routh_status rt_history_read_past(const char *file, const rt_history_head *head,
                                  rt_history_past *past, routh_error *error)
{
    rt_quiet quiet;
    rt_history_be_quiet(&quiet);
    history_past_reading r = {.name = file, .head = head, .error = error};
    r.file = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    routh_status status =
        r.file >= 0
            ? compare_head(&r)
            : rt_fail(error, ROUTH_FILE_ERROR,
                      "%s cannot be resumed: it does not exist, or is not an HDF5 file; start "
                      "again without --resume",
                      file);
    if (!status) status = read_data(&r, past);
    if (r.file >= 0) H5Fclose(r.file);
    rt_history_as_before(&quiet);
    return status;
}

void rt_history_past_free(rt_history_past *past)
{
    free(past->records);
    free(past->numbers);
    free(past->events);
    *past = (rt_history_past){0};
}
