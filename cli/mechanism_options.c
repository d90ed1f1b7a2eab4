#include "options.h"

const char *option_of_mechanism(const options *given)
{
    const struct {
        const char *name;
        bool is_given;
    } all[] = {
        {"variant", given->variant_given},
        {"set", given->n_settings > 0},
        {"at", given->n_at > 0},
        {"from", given->from != NULL},
        {"fit", given->fit != 0},
        {"save-state", given->save_state != NULL},
        {"coordinates", given->coordinates != NULL},
        {"method", given->method != NULL},
        {"reference", given->reference != NULL},
        {"threads", given->threads != 0},
        {"branches", given->branches},
        {"energies", given->energies},
        {"parts", given->parts > 0},
        {"sparsity", given->sparsity != NULL},
        {"sensitivity", given->sensitivity_by != NULL},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].is_given) return all[k].name;
    return NULL;
}
