/* Any bytes as a small model file: what the reader accepts is brought into closed form and written,
 * and its eigenvalues are certified, or it is refused with a message. The first byte says which.
 * FLINT ends the process where it gets no memory, which is found too. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/model.h"
#include "routh/routh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 4000, MOST_BODIES = 3, MOST_ELEMENTS = 6, MOST_SYMBOLS = 6, MOST_SIZE = 18 };

static const char *const no_symbols[] = {NULL};

static bool is_small(const routh_model *m, bool symbols)
{
    return m->n_bodies <= MOST_BODIES && m->n_joints <= MOST_ELEMENTS &&
           m->n_loads <= MOST_ELEMENTS && (!symbols || m->n_parameters <= MOST_SYMBOLS);
}

static void write_all(const routh_symbolic *s)
{
    double M[MOST_SIZE * MOST_SIZE], C[MOST_SIZE * MOST_SIZE], K[MOST_SIZE * MOST_SIZE];
    for (int k = ROUTH_NOTATION_TEXT; k <= ROUTH_NOTATION_MODELICA; k++) {
        routh_text text = {0};
        assert(routh_symbolic_write(s, (routh_notation)k, &text, NULL) == ROUTH_OK);
        assert(text.length > 0);
        routh_text_free(&text);
    }
    const int n = routh_symbolic_size(s);
    assert(n > 0 && n <= MOST_SIZE);
    assert(routh_symbolic_evaluate(s, NULL, NULL, 0, M, C, K, NULL) == ROUTH_OK);
    for (int k = 0; k < n; k++) assert(routh_symbolic_coordinate(s, k)[0]);
}

static routh_status formulas(const routh_model *m, unsigned what, routh_error *error)
{
    const bool symbols = what & 2;
    const char *const unknowns[] = {m->n_parameters ? m->parameters[0].name : "", NULL};
    const routh_symbolic_options o = {.symbols = symbols ? NULL : no_symbols,
                                      .unknowns = what & 4 && m->n_parameters ? unknowns : NULL,
                                      .stability = what & 8 ? 1 : 0,
                                      .only_matrices = what & 16 ? 1 : 0};
    routh_symbolic *s = NULL;
    const routh_status status = routh_symbolic_compute(&s, m, &o, error);
    assert((status == ROUTH_OK) == (s != NULL));
    if (s) write_all(s);
    routh_symbolic_free(s);
    return status;
}

static routh_status certificate(const routh_model *m, unsigned what, routh_error *error)
{
    const char *const unknowns[] = {m->n_parameters ? m->parameters[0].name : "", NULL};
    routh_certificate *c = NULL;
    const routh_status status =
        routh_certificate_compute(&c, m, what & 4 && m->n_parameters ? unknowns : NULL, 20, error);
    assert((status == ROUTH_OK) == (c != NULL));
    for (int k = 0; c && k < c->n; k++)
        assert(isfinite(c->eigenvalues[k].value[0]) && c->eigenvalues[k].reach[0] >= 0);
    routh_certificate_free(c);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > MOST_BYTES) return 0;
    routh_error error = {0};
    routh_model *model = NULL;
    routh_status status =
        routh_model_parse(&model, (const char *)data + 1, size - 1, "fuzz.yaml", NULL, 0, &error);
    const unsigned what = data[0];
    if (model && is_small(model, what & 2))
        status = what & 1 ? certificate(model, what, &error) : formulas(model, what, &error);
    assert(status == ROUTH_OK || (status == error.status && error.message[0]));
    routh_model_free(model);
    return 0;
}
