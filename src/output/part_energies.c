/* Energies of modes summed by part: in JSON of all parts, in the terminal table to the depth that
 * was asked for. */
#include <math.h>

#include "output/mode_fields.h"

static const double part_least_shown = 5e-4; /* of the terminal table */

static const rt_part_of_shares *part_at(const rt_result_row *row) { return row->of; }

static const char *part_row_name(const rt_result_row *row) { return part_at(row)->name; }

/* Number of the mode, in its first line. */
static void part_cell_mode(rt_table *table, const rt_result_row *row)
{
    if (row->number > 0)
        rt_table_format(table, "%d", row->number);
    else
        rt_table_cell(table, "");
}

/* Parts of parts stand further to the right. */
static void part_cell_name(rt_table *table, const rt_result_row *row)
{
    rt_table_format(table, "%*s%s", 2 * (part_at(row)->depth - 1), "", part_at(row)->name);
}

#define PART_SUM(kind_, name_, meaning_)                                                           \
    {.key = (name_), .type = RT_RESULT_REAL, RT_AT(rt_part_of_shares, sum), .out_of = 3,           \
     .part_of = (kind_), .meaning = (meaning_), .head = (name_), .head_unit = "%", .digits = 4,    \
     .percent = true}

static const rt_result_field part_fields[] = {
    {.type = RT_RESULT_COUNT, .cell = part_cell_mode, .meaning = "number of the mode",
     .head = "mode"},
    {.key = "part", .type = RT_RESULT_TEXT, .text = part_row_name, .cell = part_cell_name,
     .meaning = "name of the part", .head = "part", .align = 'l'},
    PART_SUM(ROUTH_ENERGY_KINETIC, "kinetic", "fraction of the kinetic energy"),
    PART_SUM(ROUTH_ENERGY_STRAIN, "strain", "fraction of the strain energy"),
    PART_SUM(ROUTH_ENERGY_DISSIPATION, "dissipation", "fraction of the dissipation"),
};
const rt_result_table rt_part_energies_table = {
    "part_energies", "Energies of a part in a mode",
    "What is in the parts of a part counts too. See "
    "[the guide](../guide/parts.md#energies-of-parts).",
    RT_FIELDS(part_fields)};

/* ---- sums ------------------------------------------------------------------------------------ */

static void part_sums(rt_mode_work *work, const rt_result_row *row)
{
    const routh_linear *linear = row->results->linear;
    for (int kind = ROUTH_ENERGY_KINETIC; kind <= ROUTH_ENERGY_DISSIPATION; kind++) {
        rt_shares_of(&work->shares, linear, row->of, (routh_energy_kind)kind);
        rt_part_shares_sum(&work->parts, linear, work->shares.fractions, (routh_energy_kind)kind);
    }
}

static bool part_has(const rt_part_of_shares *part, double least)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(part->sum[k]) < least)) return true;
    return false;
}

void rt_mode_write_parts(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_mode_work *work = row->work;
    part_sums(work, row);
    rt_json_array(json, key);
    for (int p = 0; p < work->parts.n; p++) {
        const rt_result_row part = {.results = row->results, .of = &work->parts.parts[p]};
        if (!part_has(part.of, RT_SHARE_LEAST)) continue;
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &rt_part_energies_table, &part);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- the terminal table ---------------------------------------------------------------------- */

/* The parts so deep, and what is in none, by their fraction: the largest one's name. */
const char *rt_mode_largest_part(rt_mode_work *work, const rt_result_row *row, double *fraction)
{
    rt_part_shares *tree = &work->parts;
    const routh_linear *linear = row->results->linear;
    const char *name = NULL;
    *fraction = 0;
    for (int p = 0; p < tree->n; p++) tree->parts[p].own = 0;
    for (int k = 0; k < linear->n_shares; k++) {
        const double x = work->shares.fractions[k];
        const int p = rt_part_shares_at_depth(tree, tree->of_share[k], row->results->parts);
        if (p >= 0)
            tree->parts[p].own += x;
        else if (rt_share_size(x) > rt_share_size(*fraction))
            *fraction = x, name = linear->shares[k].name;
    }
    for (int p = 0; p < tree->n; p++)
        if (rt_share_size(tree->parts[p].own) > rt_share_size(*fraction))
            *fraction = tree->parts[p].own, name = tree->parts[p].name;
    return name;
}

void rt_part_energies_lines(rt_text *text, const routh_results *results, rt_mode_work *work)
{
    const routh_modes *modes = results->modes;
    const rt_part_shares *tree = &work->parts;
    rt_result_lines lines;
    rt_result_row row = {.results = results};
    if (!results->parts || modes->wanted.n_regions > 0) return;
    if (!tree->n) {
        rt_text_append(text, "\nThe model has no parts, so there are no energies of parts.\n");
        return;
    }
    rt_text_append(text, "\nEnergies by part\n");
    rt_result_begin(&lines, text, &rt_part_energies_table, &row);
    for (int i = 0, number = 0; i < modes->n; i++) {
        bool first = true;
        if (modes->modes[i].eigenvalue[1] < 0 && modes->modes[i].conjugate != i) continue;
        row = rt_mode_row(results, i, work);
        part_sums(work, &row);
        number++;
        for (int p = 0; p < tree->n; p++) {
            row.of = &tree->parts[p];
            if (tree->parts[p].depth > results->parts || !part_has(row.of, part_least_shown))
                continue;
            row.number = first ? number : 0;
            rt_result_line(&lines, &row);
            first = false;
        }
    }
    rt_result_end(&lines);
}
