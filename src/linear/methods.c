/* The list of methods. */
#include "methods/method.h"

#include "base/text.h"

static const rt_method *const methods[] = {&rt_method_augmented, &rt_method_minimal,
                                           &rt_method_redundant, &rt_method_penalty,
                                           &rt_method_difference};

static const rt_method *named(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
        if (strlen(methods[k]->name) == length && memcmp(methods[k]->name, name, length) == 0)
            return methods[k];
    return NULL;
}

/* "minimal:qr" in full; the variant is what follows the colon. */
static bool find_variant(const rt_method *method, const char *text, const char **variant)
{
    for (int k = 0; method->variants && method->variants[k]; k++)
        if (strcmp(method->variants[k], text) == 0) {
            *variant = strchr(method->variants[k], ':') + 1;
            return true;
        }
    return false;
}

const char *routh_method_name(int k)
{
    for (size_t i = 0; k >= 0 && i < sizeof methods / sizeof methods[0]; i++) {
        const char *const *variants = methods[i]->variants;
        if (!variants && k-- == 0) return methods[i]->name;
        for (int v = 0; variants && variants[v]; v++)
            if (k-- == 0) return variants[v];
    }
    return NULL;
}

routh_status rt_method_find(const char *name, const rt_method **method, const char **variant,
                            routh_error *error)
{
    const char *text = name ? name : methods[0]->name, *colon = strchr(text, ':');
    char names[512];
    *variant = NULL;
    *method = named(text, colon ? (size_t)(colon - text) : strlen(text));
    if (*method && (!colon || find_variant(*method, text, variant))) return ROUTH_OK;
    rt_list_names(names, sizeof names, routh_method_name);
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the method '%s' does not exist; use one of: auto, %s", text, names);
}
