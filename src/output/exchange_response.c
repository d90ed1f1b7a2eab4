/* The frequency response as a file of matrices (docs/guide/response.md). */
#include <stdio.h>
#include <string.h>

#include "output/exchange_format.h"
#include "routh/response.h"

static const char schema[] = "routh-response/1";

typedef struct packing {
    rt_record *record;
    const routh_response *r;
    routh_status status; /* the first failure; nothing is added after it */
    routh_error *error;
} packing;

static rt_value *exchange_response_add(packing *p, const char *name, rt_value_kind kind, int rank,
                                       int rows, int columns)
{
    if (p->status) return NULL;
    rt_value *v =
        rt_record_add(p->record, name, kind, rank, (size_t)rows, (size_t)columns, p->error);
    if (!v) p->status = p->error->status;
    return v;
}

static void exchange_response_text(packing *p, rt_value *v, int k, const char *words)
{
    if (v && !p->status)
        p->status = rt_record_text(p->record, v, (size_t)k, words ? words : "",
                                   words ? strlen(words) : 0, p->error);
}

static void exchange_response_one_text(packing *p, const char *name, const char *words)
{
    exchange_response_text(p, exchange_response_add(p, name, RT_TEXTS, 0, 1, 1), 0, words);
}

static void exchange_response_texts(packing *p, const char *name, char *const *words, int n)
{
    rt_value *v = exchange_response_add(p, name, RT_TEXTS, 1, n, 1);
    for (int k = 0; k < n; k++) exchange_response_text(p, v, k, words[k]);
}

static void exchange_response_reals(packing *p, const char *name, int rank, int rows, int columns,
                                    const double *from)
{
    rt_value *v = exchange_response_add(p, name, RT_REALS, rank, rows, columns);
    const size_t n = (size_t)rows * (size_t)columns;
    if (v && n > 0) memcpy(v->reals, from, n * sizeof *from);
}

/* "travel / road" of each column of H */
static void channel_names(packing *p)
{
    const routh_response *r = p->r;
    char name[512];
    rt_value *v = exchange_response_add(p, "channels", RT_TEXTS, 1, r->n_channels, 1);
    for (int k = 0; k < r->n_channels; k++) {
        snprintf(name, sizeof name, "%.250s / %.250s", r->outputs[r->channels[k].output],
                 r->inputs[r->channels[k].input]);
        exchange_response_text(p, v, k, name);
    }
}

/* One number of each channel, outputs x inputs. */
static void gains(packing *p)
{
    const routh_response *r = p->r;
    rt_value *at_rest =
        exchange_response_add(p, "static_gains", RT_REALS, 2, r->n_outputs, r->n_inputs);
    rt_value *largest = exchange_response_add(p, "largest", RT_REALS, 2, r->n_outputs, r->n_inputs);
    rt_value *where =
        exchange_response_add(p, "largest_hz", RT_REALS, 2, r->n_outputs, r->n_inputs);
    for (int k = 0; k < r->n_channels && where; k++) {
        at_rest->reals[k] = r->channels[k].static_gain;
        largest->reals[k] = r->channels[k].largest;
        where->reals[k] = r->channels[k].largest_hz;
    }
}

/* Rows (channel counted from 1, real, imaginary) of all zeros that were found, and the gains. */
static void exchange_response_zeros(packing *p)
{
    const routh_response *r = p->r;
    int n = 0, i = 0;
    for (int k = 0; k < r->n_channels; k++) {
        if (r->channels[k].n_zeros < 0) return;
        n += r->channels[k].n_zeros;
    }
    rt_value *v = exchange_response_add(p, "zeros", RT_REALS, 2, n, 3);
    rt_value *g = exchange_response_add(p, "gains", RT_REALS, 2, r->n_outputs, r->n_inputs);
    rt_value *rest =
        exchange_response_add(p, "poles_at_rest", RT_INTEGERS, 2, r->n_outputs, r->n_inputs);
    for (int k = 0; k < r->n_channels && rest; k++) {
        const routh_response_channel *c = &r->channels[k];
        g->reals[k] = c->gain;
        rest->reals[k] = c->n_poles_at_rest;
        for (int j = 0; j < c->n_zeros; j++, i++) {
            v->reals[3 * i] = k + 1;
            memcpy(v->reals + 3 * i + 1, c->zeros + 2 * j, 2 * sizeof(double));
        }
    }
}

/* Rows (channel from 1, frequency, |H|, phase, 1 for an antiresonance). */
static void exchange_response_peaks(packing *p)
{
    const routh_response *r = p->r;
    int n = 0, i = 0;
    for (int k = 0; k < r->n_channels; k++) n += r->channels[k].n_peaks;
    rt_value *v = exchange_response_add(p, "peaks", RT_REALS, 2, n, 5);
    for (int k = 0; k < r->n_channels && v; k++)
        for (int j = 0; j < r->channels[k].n_peaks; j++, i++) {
            const routh_response_peak *x = &r->channels[k].peaks[j];
            const double row[5] = {k + 1, x->hz, x->magnitude, x->phase, x->minimum};
            memcpy(v->reals + 5 * i, row, sizeof row);
        }
}

static void exchange_response_random(packing *p)
{
    const routh_response *r = p->r;
    if (!r->random) return;
    exchange_response_reals(p, "psd", 2, r->n, r->n_outputs, r->random->psd);
    rt_value *v = exchange_response_add(p, "rms", RT_REALS, 1, r->n_outputs, 1);
    for (int i = 0; i < r->n_outputs && v; i++) v->reals[i] = r->random->outputs[i].rms;
}

static routh_status exchange_response_pack(packing *p, const routh_linear *l)
{
    const routh_response *r = p->r;
    char program[128];
    snprintf(program, sizeof program, "routh %.100s", l->version ? l->version : "");
    exchange_response_one_text(p, "schema", schema);
    exchange_response_one_text(p, "program", program);
    exchange_response_one_text(p, "title", l->title);
    exchange_response_one_text(p, "file", l->file);
    exchange_response_texts(p, "inputs", r->inputs, r->n_inputs);
    exchange_response_texts(p, "input_units", r->input_units, r->n_inputs);
    exchange_response_texts(p, "outputs", r->outputs, r->n_outputs);
    exchange_response_texts(p, "output_units", r->output_units, r->n_outputs);
    channel_names(p);
    exchange_response_reals(p, "hz", 1, r->n, 1, r->hz);
    exchange_response_reals(p, "H_real", 2, r->n, r->n_channels, r->re);
    exchange_response_reals(p, "H_imaginary", 2, r->n, r->n_channels, r->im);
    gains(p);
    if (r->n_poles > 0) exchange_response_reals(p, "poles", 2, r->n_poles, 2, r->poles);
    exchange_response_zeros(p);
    exchange_response_peaks(p);
    exchange_response_random(p);
    return p->status;
}

static const rt_format *format_of(const char *path, const char *name)
{
    static const rt_format *const kept[] = {&rt_format_mat, &rt_format_hdf5, &rt_format_npz};
    const rt_format *by_name = !name && path ? rt_format_of_name(path) : NULL;
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        if (name ? strcmp(kept[k]->name, name) == 0 : kept[k] == by_name) return kept[k];
    return NULL;
}

routh_status routh_response_save(const routh_response *response, const routh_linear *linear,
                                 const char *path, const char *format, routh_error *error)
{
    routh_error local = {0};
    rt_record record = {0};
    if (!error) error = &local;
    if (!response || !linear || !path || !*path)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a frequency response, its linear model and the name of a file are needed");
    const rt_format *to = format_of(path, format);
    if (!to)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a frequency response is saved as mat, hdf5 or npz, and '%.200s' says none "
                       "of them",
                       format ? format : path);
    packing p = {.record = &record, .r = response, .error = error};
    routh_status status = exchange_response_pack(&p, linear);
    if (!status) status = to->write(&record, path, error);
    rt_record_free(&record);
    return status;
}
