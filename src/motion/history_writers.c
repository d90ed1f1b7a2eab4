/* The writers, by the suffixes of files. */
#include <string.h>

#include "motion/history_writer.h"

static const rt_history_writer *const writers[] = {&rt_history_hdf5, &rt_history_csv};

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

routh_status rt_history_writer_find(const char *file, const rt_history_writer **writer,
                                    routh_error *error)
{
    for (size_t k = 0; k < sizeof writers / sizeof *writers; k++)
        for (int j = 0; writers[k]->suffixes[j]; j++)
            if (ends_with(file, writers[k]->suffixes[j])) {
                *writer = writers[k];
                return ROUTH_OK;
            }
    if (strcmp(file, "-") == 0)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "time histories cannot be written to standard output; give a file that ends "
                       "in .h5, .hdf5 or .csv (--output)");
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the format of %s is not known; give a file that ends in .h5, .hdf5 or "
                   ".csv",
                   file);
}
