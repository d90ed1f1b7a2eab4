#include "entry/given.h"
#include "entry/inner.h"

routh_status routh_initial_state_json(const routh_initial_state *state, routh_text *text,
                                      routh_error *error)
{
    RT_CALL(error);
    RT_CHECK(rt_call_state(&call, state, "state"));
    RT_TEXT(text);
    return RT_RUN(ri_initial_state_json(state, text, error));
}

routh_status routh_initial_state_read(routh_initial_state **state, const char *path,
                                      routh_error *error)
{
    RT_CALL(error);
    RT_MADE(state);
    RT_GIVEN(path);
    return RT_RUN(ri_initial_state_read(state, path, error));
}

routh_status routh_initial_state_parse(routh_initial_state **state, const char *text, size_t length,
                                       const char *name, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(state);
    RT_GIVEN(text);
    RT_GIVEN(name);
    return RT_RUN(ri_initial_state_parse(state, text, length, name, error));
}
