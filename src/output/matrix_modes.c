/* Modes of matrices: the table of their fields, and by it terminal table, JSON and CSV. */
#include "output/descriptor.h"
#include "output/heading.h"

/* ---- a mode ---------------------------------------------------------------------------------- */

static int matrix_mode_index(const rt_result_row *row) { return row->index; }

static int matrix_mode_number(const rt_result_row *row) { return row->number; }

static const char *matrix_mode_note(const rt_result_row *row)
{
    const routh_matrix_mode *mode = row->of;
    return mode->rigid ? "rigid-body mode" : mode->eigenvalue[0] > 0 ? "UNSTABLE" : "";
}

static const rt_result_field matrix_mode_fields[] = {
    {.csv = "index", .type = RT_RESULT_COUNT, .count = matrix_mode_index,
     .meaning = "place in `modes` of the JSON, from 0"},
    {.type = RT_RESULT_COUNT, .count = matrix_mode_number, .head = "mode",
     .meaning = "number of the mode, from 1"},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, RT_AT(routh_matrix_mode, eigenvalue),
     .unit = "1/s",
     .meaning = "`[re, im]`, 1/s and rad/s; of a pair the one with positive imaginary part"},
    {.csv = "real", .member = "eigenvalue", .type = RT_RESULT_REAL,
     RT_AT(routh_matrix_mode, eigenvalue), .out_of = 2, .unit = "1/s",
     .meaning = "real part of the eigenvalue", .head = "real part", .digits = 10},
    {.csv = "imaginary", .member = "eigenvalue", .part_of = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_matrix_mode, eigenvalue), .out_of = 2, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part of the eigenvalue", .head = "imaginary", .digits = 10},
    {.key = "frequency_hz", .csv = "frequency_hz", .type = RT_RESULT_REAL,
     RT_AT(routh_matrix_mode, frequency_hz), .unit = "Hz",
     .meaning = "undamped natural frequency, |s| / 2 pi; exactly 0 for a rigid-body mode",
     .head = "frequency", .digits = 10},
    {.key = "damping_ratio", .csv = "damping_ratio", .type = RT_RESULT_REAL,
     RT_AT(routh_matrix_mode, damping_ratio),
     .meaning = "damping ratio, -Re s / |s|; 0 for a rigid-body mode", .head = "damping",
     .digits = 4, .percent = true},
    {.key = "rigid", .csv = "rigid", .type = RT_RESULT_TRUTH, RT_AT(routh_matrix_mode, rigid),
     .meaning = "true: no more than its error bound away from 0"},
    {.key = "error_bound", .csv = "error_bound", .type = RT_RESULT_REAL,
     RT_AT(routh_matrix_mode, error_bound), .nullable = true, .unit = "1/s",
     .meaning = "of the eigenvalue, due to rounding and the iteration",
     .head = "error at most", .head_unit = "rad/s", .circular = true, .digits = 2},
    {.type = RT_RESULT_TEXT, .text = matrix_mode_note, .head = "", .align = 'l',
     .meaning = "unstable or rigid-body mode"},
};
static const rt_result_table matrix_mode_table = {"matrix_mode", "Mode of matrices", "",
                                                  RT_FIELDS(matrix_mode_fields)};

/* ---- the document: of a routh_matrix_modes; parent: the names of the three files ------------- */

static const char *matrix_file(const rt_result_row *row, int k)
{
    return ((const char *const *)row->parent)[k];
}

static const char *matrix_mass(const rt_result_row *row) { return matrix_file(row, 0); }

static const char *matrix_stiffness(const rt_result_row *row) { return matrix_file(row, 1); }

static const char *matrix_damping(const rt_result_row *row) { return matrix_file(row, 2); }

static const char *matrix_counted_by(const rt_result_row *row)
{
    return routh_count_name((routh_count)((const routh_matrix_modes *)row->of)->counted);
}

static const rt_result_field matrix_modes_fields[] = {
    {.key = "mass", .type = RT_RESULT_TEXT, .text = matrix_mass, .nullable = true,
     .meaning = "file of the mass matrix"},
    {.key = "stiffness", .type = RT_RESULT_TEXT, .text = matrix_stiffness, .nullable = true,
     .meaning = "file of the stiffness matrix"},
    {.key = "damping", .type = RT_RESULT_TEXT, .text = matrix_damping, .nullable = true,
     .meaning = "file of the damping matrix; `null` where there is none"},
    {.key = "unknowns", .type = RT_RESULT_COUNT, RT_AT(routh_matrix_modes, order),
     .meaning = "rows of the matrices"},
    {.key = "counted", .type = RT_RESULT_TRUTH, RT_AT(routh_matrix_modes, counted),
     .meaning = "true: there are no others among them; false: equal ones may be missing"},
    {.key = "counted_by", .type = RT_RESULT_TEXT, .text = matrix_counted_by,
     .words = rt_count_names, .meaning = "how it is known that none is missing"},
    {.key = "shift", .type = RT_RESULT_REAL, RT_AT(routh_matrix_modes, shift),
     .meaning = "the last that was used, (1/s)^2; in 1/s where not counted"},
    {.key = "factorizations", .type = RT_RESULT_COUNT, RT_AT(routh_matrix_modes, n_factors),
     .meaning = "those of the count too; 0: not known"},
    {.key = "solves", .type = RT_RESULT_COUNT, RT_AT(routh_matrix_modes, n_solves),
     .meaning = "with the factors"},
    {.key = "factor_bytes", .type = RT_RESULT_REAL, RT_AT(routh_matrix_modes, factor_bytes),
     .meaning = "size of the largest factor; 0: not known"},
    {.key = "modes", .type = RT_RESULT_LIST, .items = &matrix_mode_table,
     RT_AT(routh_matrix_modes, modes), .n_at = RT_PLACE(routh_matrix_modes, n),
     .size = sizeof(routh_matrix_mode),
     .meaning = "by frequency; a pair of eigenvalues is one mode"},
};
const rt_result_table rt_matrix_modes_document = {"matrix_modes", "routh modes --mass --json", "",
                                                  RT_FIELDS(matrix_modes_fields)};

/* ---- the terminal table ---------------------------------------------------------------------- */

static void matrix_modes_heading(rt_text *text, const routh_matrix_modes *m,
                                 const char *const names[3])
{
    static const char *const labels[] = {"mass", "stiffness", "damping"};
    for (int k = 0; k < 3; k++)
        if (names[k]) rt_heading_line(text, labels[k], "%s", names[k]);
    rt_heading_line(text, "unknowns", "%d", m->order);
    rt_heading_line(text, "modes",
                    m->counted == ROUTH_COUNT_ALL ? "%d, these are all there are"
                    : m->counted                  ? "%d, counted by %s: there are no others among "
                                                    "them"
                                                  : "%d, not counted: equal ones may be missing",
                    m->n, routh_count_name((routh_count)m->counted));
    if (m->n_factors > 0)
        rt_heading_line(text, "work", "%d factorizations of %.3g MB, %d solves", m->n_factors,
                        m->factor_bytes / 1e6, m->n_solves);
    else
        rt_heading_line(text, "work", "%d solves", m->n_solves);
    rt_text_append(text, "\n");
}

routh_status routh_matrix_modes_table(const routh_matrix_modes *m, const char *const names[3],
                                      const routh_units *units, routh_text *text,
                                      routh_error *error)
{
    rt_text out = {.units = units};
    *text = (routh_text){0};
    matrix_modes_heading(&out, m, names);
    rt_result_print(&out, &matrix_mode_table, &(rt_result_row){.of = m}, m->modes, m->n,
                    sizeof *m->modes);
    return rt_results_hand_over(&out, text, error);
}

routh_status routh_matrix_modes_json(const routh_matrix_modes *m, const char *const names[3],
                                     routh_text *text, routh_error *error)
{
    rt_result_row row = {.of = m, .parent = names};
    return rt_result_document_json(&rt_matrix_modes_document, &row, text, error);
}

routh_status routh_matrix_modes_csv(const routh_matrix_modes *m, const char *const names[3],
                                    routh_text *text, routh_error *error)
{
    (void)names;
    return rt_result_list_csv(&matrix_mode_table, &(rt_result_row){.of = m}, m->modes, m->n,
                              sizeof *m->modes, text, error);
}
