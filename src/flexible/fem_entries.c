#define _POSIX_C_SOURCE 200809L
#include "flexible/fem_entries.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool fem_entries_grow(void **block, size_t room, size_t size)
{
    void *wider = realloc(*block, room * size);
    if (wider) *block = wider;
    return wider != NULL;
}

routh_status rt_fe_add(rt_fe_entries *e, long row, long column, double value, routh_error *error)
{
    if (e->n == e->room) {
        const size_t room = e->room ? 2 * e->room : 1024;
        if (!fem_entries_grow((void **)&e->row, room, sizeof *e->row) ||
            !fem_entries_grow((void **)&e->column, room, sizeof *e->column) ||
            !fem_entries_grow((void **)&e->value, room, sizeof *e->value))
            return rt_fail_memory(error);
        e->room = room;
    }
    e->row[e->n] = row;
    e->column[e->n] = column;
    e->value[e->n++] = value;
    return ROUTH_OK;
}

void rt_fe_entries_free(rt_fe_entries *e)
{
    free(e->row);
    free(e->column);
    free(e->value);
    *e = (rt_fe_entries){0};
}

typedef enum matrix_form { MARKET, CALCULIX, ABAQUS, DMIG, OP4, UNKNOWN } matrix_form;

static bool fem_entries_ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

/* By the suffix where it says enough, else by the first line that is no remark. */
static matrix_form form_of(rt_fe_text *t)
{
    if (fem_entries_ends_in(t->path, ".op4")) return OP4;
    if (fem_entries_ends_in(t->path, ".sti") || fem_entries_ends_in(t->path, ".mas"))
        return CALCULIX;
    if (fem_entries_ends_in(t->path, ".pch") || fem_entries_ends_in(t->path, ".bdf") ||
        fem_entries_ends_in(t->path, ".dat"))
        return DMIG;
    matrix_form form = UNKNOWN;
    while (form == UNKNOWN && rt_fe_next(t)) {
        if (rt_fe_begins(t, "%%MatrixMarket"))
            form = MARKET;
        else if (rt_fe_begins(t, "DMIG"))
            form = DMIG;
        else if (rt_fe_blank(t) || *t->begin == '$' || rt_fe_begins(t, "**"))
            continue;
        else if (fem_entries_ends_in(t->path, ".mtx") || rt_fe_begins(t, "*MATRIX"))
            form = ABAQUS;
        else
            break;
    }
    rt_fe_rewind(t);
    return form;
}

static routh_status fem_entries_read_form(rt_fe_text *t, matrix_form form, const char *const *names,
                                          rt_fe_entries *e, routh_error *error)
{
    switch (form) {
    case MARKET: return rt_fe_market(t, e, error);
    case CALCULIX: return rt_fe_calculix(t, e, error);
    case ABAQUS: return rt_fe_abaqus(t, e, error);
    case DMIG: return rt_fe_dmig(t, names, e, error);
    case OP4: return rt_fe_op4(t, names, e, error);
    case UNKNOWN: break;
    }
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, t->path, (rt_place){0}, NULL,
                      "the format of this matrix file is not known; give Matrix Market or Abaqus "
                      "(.mtx), CalculiX (.sti, .mas), Nastran DMIG (.pch) or OUTPUT4 (.op4)");
}

routh_status rt_fe_matrix(const char *path, const char *const *names, rt_fe_entries *e,
                          routh_error *error)
{
    rt_fe_text text;
    *e = (rt_fe_entries){.path = path};
    routh_status status = rt_fe_open(&text, path, error);
    if (status) return status;
    status = fem_entries_read_form(&text, form_of(&text), names, e, error);
    if (!status && e->n == 0)
        status = rt_fail_at(error, ROUTH_SYNTAX_ERROR, path, (rt_place){0}, NULL,
                            "the file contains no matrix entry; check that the export is complete");
    rt_fe_close(&text);
    if (status) rt_fe_entries_free(e);
    return status;
}
