#include "base/suggest.h"
#include "routh/routh.h"

const char *routh_version(void)
{
    return ROUTH_VERSION;
}

const char *routh_suggest(const char *word, const char *const *candidates)
{
    return rt_suggest(word, candidates);
}
