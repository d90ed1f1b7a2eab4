/* Saving and loading: the format is chosen, and what goes wrong is told with the file's name. */
#include "routh/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/exchange_format.h"
#include "output/exchange_pack.h"

static routh_status cannot_choose(const char *path, routh_error *error)
{
    return rt_fail(
        error, ROUTH_BAD_ARGUMENT,
        "the name '%.200s' says no format; it may end in .json, .mat, .h5, .npz or .csv, "
        "or be a folder, or the format is given beside",
        path);
}

static routh_status exchange_choose(const char *path, const char *name, bool by_content,
                                    const rt_format **format, routh_error *error)
{
    if (!path || *path == '\0')
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the file of a linear model has no name");
    if (name) return rt_format_find(name, format, error);
    *format = by_content ? rt_format_of_file(path) : NULL;
    if (!*format) *format = rt_format_of_name(path);
    return *format ? ROUTH_OK : cannot_choose(path, error);
}

static void name_file(routh_error *error, const char *path)
{
    if (!error->file[0]) snprintf(error->file, sizeof error->file, "%s", path);
}

static routh_status save(const routh_linear *linear, const char *path, const char *name,
                         routh_derivatives derivatives, routh_error *error)
{
    const rt_format *format;
    rt_record record = {0};
    if (!linear)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "there is no linear model to save: it is NULL");
    routh_status status = exchange_choose(path, name, false, &format, error);
    if (status) return status;
    status = rt_record_pack(&record, linear, derivatives, format->lists_members, error);
    if (!status) status = format->write(&record, path, error);
    rt_record_free(&record);
    return status;
}

routh_status routh_linear_save(const routh_linear *linear, const char *path, const char *format,
                               routh_error *error)
{
    routh_error local;
    return save(linear, path, format, ROUTH_DERIVATIVES_STATES, error ? error : &local);
}

routh_status routh_linear_save_by(const routh_linear *linear, const char *path, const char *format,
                                  routh_derivatives derivatives, routh_error *error)
{
    routh_error local;
    return save(linear, path, format, derivatives, error ? error : &local);
}

static routh_status exchange_load(rt_linear_holder *holder, const char *path,
                                  const rt_format *format, routh_error *error)
{
    rt_record record = {0};
    routh_status status = format->read(&record, path, error);
    if (!status) status = rt_record_unpack(holder, &record, error);
    rt_record_free(&record);
    if (status) name_file(error, path);
    return status;
}

routh_status routh_linear_load(routh_linear **linear, const char *path, const char *name,
                               routh_error *error)
{
    routh_error local = {0};
    const rt_format *format;
    if (!error) error = &local;
    *linear = NULL;
    routh_status status = exchange_choose(path, name, true, &format, error);
    if (status) return status;
    rt_linear_holder *holder = rt_kept_calloc(NULL, 1, sizeof *holder);
    if (!holder) return rt_fail_memory(error);
    status = exchange_load(holder, path, format, error);
    if (status)
        routh_linear_free(&holder->linear);
    else
        *linear = &holder->linear;
    return status;
}
