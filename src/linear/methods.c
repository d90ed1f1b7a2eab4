/* The list of methods. */
#include "linear/method.h"

static const rt_method *const methods[] = {&rt_method_augmented, &rt_method_minimal,
                                           &rt_method_redundant, &rt_method_difference};

static const rt_method *named(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
        if (strlen(methods[k]->name) == length && memcmp(methods[k]->name, name, length) == 0)
            return methods[k];
    return NULL;
}

static bool find_variant(const rt_method *method, const char *text, const char **variant)
{
    for (int k = 0; method->variants && method->variants[k]; k++)
        if (strcmp(method->variants[k], text) == 0) {
            *variant = method->variants[k];
            return true;
        }
    return false;
}

routh_status rt_method_find(const char *name, const rt_method **method, const char **variant,
                            routh_error *error)
{
    const char *text = name ? name : methods[0]->name, *colon = strchr(text, ':');
    *variant = NULL;
    *method = named(text, colon ? (size_t)(colon - text) : strlen(text));
    if (*method && (!colon || find_variant(*method, colon + 1, variant))) return ROUTH_OK;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "there is no method '%s' in this version; there are: augmented, minimal (by "
                   "partition), minimal:qr, minimal:svd, minimal:zero-eigenvalue, "
                   "minimal:gram-schmidt, redundant, and difference",
                   text);
}
