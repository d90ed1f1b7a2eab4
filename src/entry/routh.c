#include "entry/inner.h"

const char *routh_suggest(const char *word, const char *const *candidates)
{
    return word && candidates ? ri_suggest(word, candidates) : NULL;
}
