/* An HDF5 file: a data set for each channel, along its first dimension time, its unit an attribute;
 * the model's text and the options at the root; what the run can be taken up from. All that is
 * written follows from the run alone, so two equal runs give the same bytes: no times of creation,
 * and space is taken in the order of writing. Data have check sums. */
#include "motion/history_hdf5.h"

#include <stdlib.h>

#include "base/hdf5_groups.h"

typedef struct history_file {
    hid_t file;
    const rt_history_head *head;
    hid_t *set; /* of each channel; -1: none */
    hid_t event_time, event_direction, event_action, event_name, event_what;
    hid_t numbers;
    long n, n_events;
} history_file;

static routh_status history_hdf5_cannot_write(routh_error *error)
{
    return rt_fail(error, ROUTH_FILE_ERROR,
                   "HDF5 cannot write the file; check whether memory, disk space, a quota or the "
                   "limit on the size of files (ulimit -f) is short");
}

/* ---- attributes and plain data ------------------------------------------------------------ */

static bool put_attribute(hid_t at, const char *name, hid_t type, const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t a = space >= 0 ? H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const bool done = a >= 0 && H5Awrite(a, type, value) >= 0;
    if (a >= 0) H5Aclose(a);
    if (space >= 0) H5Sclose(space);
    return done;
}

static bool history_hdf5_put_text(hid_t at, const char *name, const char *text)
{
    const hid_t type = rt_history_text_type(strlen(text) + 1);
    const bool done = type >= 0 && put_attribute(at, name, type, text);
    if (type >= 0) H5Tclose(type);
    return done;
}

static bool put_real(hid_t at, const char *name, double value)
{
    return put_attribute(at, name, H5T_NATIVE_DOUBLE, &value);
}

static bool put_count(hid_t at, const char *name, long value)
{
    const int64_t wide = value;
    return put_attribute(at, name, H5T_NATIVE_INT64, &wide);
}

/* A data set that grows by blocks of rows, columns wide (0: a number each). -1 on failure. */
static hid_t make_growing(hid_t file, const char *path, hid_t type, int block, int columns)
{
    const int rank = columns > 1 ? 2 : 1;
    const hsize_t size[2] = {0, (hsize_t)columns}, most[2] = {H5S_UNLIMITED, (hsize_t)columns};
    const hsize_t chunk[2] = {(hsize_t)block, (hsize_t)columns};
    const hid_t space = H5Screate_simple(rank, size, most);
    const hid_t make = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    const char zeros[RT_HISTORY_TEXT] = {0};
    if (space >= 0 && make >= 0 && rt_hdf5_make_groups(file, path) &&
        H5Pset_obj_track_times(make, 0) >= 0 && H5Pset_chunk(make, rank, chunk) >= 0 &&
        H5Pset_fill_value(make, type, zeros) >= 0 &&
        H5Pset_fill_time(make, H5D_FILL_TIME_ALLOC) >= 0 && H5Pset_fletcher32(make) >= 0)
        set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, make, H5P_DEFAULT);
    if (make >= 0) H5Pclose(make);
    if (space >= 0) H5Sclose(space);
    return set;
}

/* n rows more, from memory in which a row is `stride` numbers apart; type: in memory. */
static bool history_hdf5_grow(hid_t set, hid_t type, int columns, long from, long n,
                              const void *data, long stride)
{
    const int rank = columns > 1 ? 2 : 1;
    const hsize_t size[2] = {(hsize_t)(from + n), (hsize_t)columns};
    const hsize_t start[2] = {(hsize_t)from, 0}, count[2] = {(hsize_t)n, (hsize_t)columns};
    const hsize_t shape[2] = {(hsize_t)n, (hsize_t)stride}, first[2] = {0, 0};
    if (H5Dset_extent(set, size) < 0) return false;
    const hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(2, shape, NULL);
    const bool done =
        in_file >= 0 && in_memory >= 0 &&
        H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Sselect_hyperslab(in_memory, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
        H5Dwrite(set, type, in_memory, in_file, H5P_DEFAULT, data) >= 0;
    if (in_memory >= 0) H5Sclose(in_memory);
    if (in_file >= 0) H5Sclose(in_file);
    return done && rank > 0;
}

/* In one chunk, which has a check sum. */
static bool history_hdf5_sum_up(hid_t make, hsize_t n)
{
    return H5Pset_chunk(make, 1, &n) >= 0 && H5Pset_fletcher32(make) >= 0 &&
           H5Pset_fill_time(make, H5D_FILL_TIME_ALLOC) >= 0;
}

/* A data set of fixed size, written at once where data are given; lists have a check sum. */
static hid_t make_fixed(hid_t file, const char *path, hid_t type, size_t n, const void *data)
{
    const hsize_t size[1] = {n};
    const hid_t space = n > 1 ? H5Screate_simple(1, size, NULL) : H5Screate(H5S_SCALAR);
    const hid_t make = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    if (space >= 0 && make >= 0 && rt_hdf5_make_groups(file, path) &&
        H5Pset_obj_track_times(make, 0) >= 0 &&
        H5Pset_alloc_time(make, H5D_ALLOC_TIME_EARLY) >= 0 &&
        (n <= 1 || history_hdf5_sum_up(make, n)))
        set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, make, H5P_DEFAULT);
    if (set >= 0 && data && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        H5Dclose(set);
        set = -1;
    }
    if (make >= 0) H5Pclose(make);
    if (space >= 0) H5Sclose(space);
    return set;
}

/* ---- the head ------------------------------------------------------------ */

static bool put_model(hid_t file, const routh_model *model)
{
    const hid_t type = rt_history_text_type(model->text_length + 1);
    const hid_t set = type >= 0 ? make_fixed(file, "model/text", type, 1, model->text) : -1;
    bool done = set >= 0;
    if (set >= 0) H5Dclose(set);
    if (type >= 0) H5Tclose(type);
    for (int k = 0; k < model->n_parameters && done; k++) {
        char path[300];
        snprintf(path, sizeof path, "model/parameters/%.200s", model->parameters[k].name);
        const hid_t p =
            make_fixed(file, path, H5T_NATIVE_DOUBLE, 1, &model->parameters[k].number.value);
        done = p >= 0;
        if (p >= 0) H5Dclose(p);
    }
    return done;
}

static bool put_head(hid_t file, const rt_history_head *h)
{
    return history_hdf5_put_text(file, "format", RT_HISTORY_FORMAT) &&
           history_hdf5_put_text(file, "version", ROUTH_VERSION) &&
           history_hdf5_put_text(file, "title", h->model->title ? h->model->title : "") &&
           history_hdf5_put_text(file, "coordinates", h->coordinates) &&
           history_hdf5_put_text(file, "integrator", h->integrator) &&
           history_hdf5_put_text(file, "groups", h->groups) &&
           put_real(file, "tolerance", h->tolerance) && put_real(file, "step", h->fixed_step) &&
           put_real(file, "largest_step", h->largest_step) &&
           put_real(file, "dissipation", h->dissipation) && put_real(file, "start", h->start) &&
           put_real(file, "end", h->end) && put_real(file, "every", h->every) &&
           put_count(file, "block", h->block) && put_model(file, h->model);
}

static bool make_channels(history_file *f)
{
    const routh_channels *c = f->head->channels;
    for (int k = 0; k < c->n; k++) {
        const routh_channel *channel = &c->channel[k];
        f->set[k] =
            make_growing(f->file, channel->path, H5T_IEEE_F64LE, f->head->block, channel->size);
        if (f->set[k] < 0 || !history_hdf5_put_text(f->set[k], "unit", channel->unit)) return false;
        if (*channel->components &&
            !history_hdf5_put_text(f->set[k], "components", channel->components))
            return false;
    }
    return true;
}

static bool make_events(history_file *f)
{
    enum { CHUNK = 16 };
    const hid_t text = rt_history_text_type(RT_HISTORY_TEXT);
    if (text < 0) return false;
    f->event_time = make_growing(f->file, "events/time", H5T_IEEE_F64LE, CHUNK, 1);
    f->event_direction = make_growing(f->file, "events/direction", H5T_STD_I64LE, CHUNK, 1);
    f->event_action = make_growing(f->file, "events/action", H5T_STD_I64LE, CHUNK, 1);
    f->event_name = make_growing(f->file, "events/name", text, CHUNK, 1);
    f->event_what = make_growing(f->file, "events/what", text, CHUNK, 1);
    H5Tclose(text);
    return f->event_time >= 0 && f->event_direction >= 0 && f->event_action >= 0 &&
           f->event_name >= 0 && f->event_what >= 0 &&
           history_hdf5_put_text(f->event_time, "unit", "s");
}

static bool make_all(history_file *f, const char *name)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), make = H5Pcreate(H5P_FILE_CREATE);
    if (access >= 0 && make >= 0 && H5Pset_obj_track_times(make, 0) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0)
        f->file = H5Fcreate(name, H5F_ACC_TRUNC, make, access);
    if (make >= 0) H5Pclose(make);
    if (access >= 0) H5Pclose(access);
    if (f->file < 0 || !put_head(f->file, f->head) || !make_channels(f) || !make_events(f))
        return false;
    f->numbers =
        make_fixed(f->file, "restart/numbers", H5T_NATIVE_DOUBLE, f->head->n_numbers, NULL);
    return f->numbers >= 0 && put_count(f->numbers, "records", 0) &&
           put_count(f->numbers, "events", 0);
}

/* ---- the writer ------------------------------------------------------------ */

static routh_status history_hdf5_create(void **own, const char *name, const rt_history_head *head,
                                        routh_error *error)
{
    const int n = head->channels->n;
    rt_quiet quiet;
    history_file *f = malloc(sizeof *f + (size_t)n * sizeof(hid_t));
    if (!f) return rt_fail_memory(error);
    *f = (history_file){.file = -1, .head = head, .set = (hid_t *)(void *)(f + 1)};
    f->event_time = f->event_direction = f->event_action = f->event_name = f->event_what = -1;
    f->numbers = -1;
    for (int k = 0; k < n; k++) f->set[k] = -1;
    *own = f;
    rt_history_be_quiet(&quiet);
    const bool done = make_all(f, name);
    rt_history_as_before(&quiet);
    return done ? ROUTH_OK : history_hdf5_cannot_write(error);
}

static routh_status history_hdf5_append(void *own, const double *records, long n,
                                        routh_error *error)
{
    history_file *f = own;
    const routh_channels *c = f->head->channels;
    rt_quiet quiet;
    bool done = true;
    rt_history_be_quiet(&quiet);
    for (int k = 0; k < c->n && done; k++)
        done = history_hdf5_grow(f->set[k], H5T_NATIVE_DOUBLE, c->channel[k].size, f->n, n,
                                 records + c->channel[k].first, c->width);
    rt_history_as_before(&quiet);
    f->n += n;
    return done ? ROUTH_OK : history_hdf5_cannot_write(error);
}

static bool put_event(history_file *f, const routh_event *e)
{
    char name[RT_HISTORY_TEXT] = {0}, what[RT_HISTORY_TEXT] = {0};
    const int64_t direction = e->direction, action = e->action;
    snprintf(name, sizeof name, "%s", e->name);
    snprintf(what, sizeof what, "%s", e->what);
    const hid_t text = rt_history_text_type(RT_HISTORY_TEXT);
    const bool done =
        text >= 0 &&
        history_hdf5_grow(f->event_time, H5T_NATIVE_DOUBLE, 1, f->n_events, 1, &e->time, 1) &&
        history_hdf5_grow(f->event_direction, H5T_NATIVE_INT64, 1, f->n_events, 1, &direction, 1) &&
        history_hdf5_grow(f->event_action, H5T_NATIVE_INT64, 1, f->n_events, 1, &action, 1) &&
        history_hdf5_grow(f->event_name, text, 1, f->n_events, 1, name, 1) &&
        history_hdf5_grow(f->event_what, text, 1, f->n_events, 1, what, 1);
    if (text >= 0) H5Tclose(text);
    f->n_events++;
    return done;
}

static routh_status history_hdf5_event(void *own, const routh_event *e, routh_error *error)
{
    rt_quiet quiet;
    rt_history_be_quiet(&quiet);
    const bool done = put_event(own, e);
    rt_history_as_before(&quiet);
    return done ? ROUTH_OK : history_hdf5_cannot_write(error);
}

static bool change_count(hid_t at, const char *name, long value)
{
    const int64_t wide = value;
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    const bool done = a >= 0 && H5Awrite(a, H5T_NATIVE_INT64, &wide) >= 0;
    if (a >= 0) H5Aclose(a);
    return done;
}

static routh_status history_hdf5_keep(void *own, const double *numbers, routh_error *error)
{
    history_file *f = own;
    rt_quiet quiet;
    rt_history_be_quiet(&quiet);
    const bool done =
        H5Dwrite(f->numbers, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0 &&
        change_count(f->numbers, "records", f->n) &&
        change_count(f->numbers, "events", f->n_events) && H5Fflush(f->file, H5F_SCOPE_LOCAL) >= 0;
    rt_history_as_before(&quiet);
    return done ? ROUTH_OK : history_hdf5_cannot_write(error);
}

static bool put_summary(hid_t file, const routh_history_summary *s)
{
    const routh_statistics *c = &s->statistics;
    return history_hdf5_put_text(file, "ended",
                                 s->interrupted ? "interrupted"
                                 : s->stopped   ? "stopped by an event"
                                 : s->failed    ? "the integration failed"
                                                : "at its end") &&
           put_count(file, "records", s->records) && put_count(file, "steps", c->steps) &&
           put_count(file, "steps_rejected", c->rejected) &&
           put_real(file, "smallest_step_taken", c->smallest_step) &&
           put_real(file, "largest_step_taken", c->largest_step);
}

static routh_status history_hdf5_finish(void *own, const routh_history_summary *summary,
                                        routh_error *error)
{
    history_file *f = own;
    rt_quiet quiet;
    rt_history_be_quiet(&quiet);
    const bool done = put_summary(f->file, summary) && H5Fflush(f->file, H5F_SCOPE_LOCAL) >= 0;
    rt_history_as_before(&quiet);
    return done ? ROUTH_OK : history_hdf5_cannot_write(error);
}

static void close_file(void *own)
{
    history_file *f = own;
    rt_quiet quiet;
    if (!f) return;
    const hid_t sets[] = {f->event_time, f->event_direction, f->event_action,
                          f->event_name, f->event_what,      f->numbers};
    rt_history_be_quiet(&quiet);
    for (int k = 0; k < f->head->channels->n; k++)
        if (f->set[k] >= 0) H5Dclose(f->set[k]);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        if (sets[k] >= 0) H5Dclose(sets[k]);
    if (f->file >= 0) H5Fclose(f->file);
    rt_history_as_before(&quiet);
    free(f);
}

const rt_history_writer rt_history_hdf5 = {
    .suffixes = {".h5", ".hdf5"},
    .resumes = true,
    .create = history_hdf5_create,
    .append = history_hdf5_append,
    .event = history_hdf5_event,
    .keep = history_hdf5_keep,
    .finish = history_hdf5_finish,
    .close = close_file,
};
