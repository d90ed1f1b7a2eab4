#include "entry/belongs.h"
#include "entry/inner.h"

const char *routh_exchange_format_of_name(const char *path)
{
    return path ? ri_exchange_format_of_name(path) : NULL;
}

const char *routh_exchange_format_of_file(const char *path)
{
    return path ? ri_exchange_format_of_file(path) : NULL;
}

routh_status routh_linear_save(const routh_linear *linear, const char *path, const char *format,
                               routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(linear);
    RT_GIVEN(path);
    RT_WHOLE(linear);
    return RT_RUN(ri_linear_save(linear, path, format, error));
}

routh_status routh_linear_save_by(const routh_linear *linear, const char *path, const char *format,
                                  routh_derivatives derivatives, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(linear);
    RT_GIVEN(path);
    RT_WHOLE(linear);
    RT_CHOICE(derivatives, ROUTH_DERIVATIVES_INPUTS + 1);
    return RT_RUN(ri_linear_save_by(linear, path, format, derivatives, error));
}

int routh_linear_improper(const routh_linear *linear, int *output, int *input)
{
    int first[2] = {-1, -1};
    const int found = linear ? ri_linear_improper(linear, &first[0], &first[1]) : 0;
    if (output) *output = first[0];
    if (input) *input = first[1];
    return found;
}

routh_status routh_linear_load(routh_linear **linear, const char *path, const char *format,
                               routh_error *error)
{
    RT_CALL(error);
    RT_MADE(linear);
    RT_GIVEN(path);
    return RT_RUN(ri_linear_load(linear, path, format, error));
}
