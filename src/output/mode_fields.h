/* What is said of modes: the tables of their fields, and what these take from one another. */
#ifndef RT_OUTPUT_MODE_FIELDS_H
#define RT_OUTPUT_MODE_FIELDS_H

#include "output/descriptor.h"
#include "output/part_shares.h"

/* What a row of rt_mode_table has as its work, for JSON and terminal table. */
typedef struct rt_mode_work {
    rt_shares shares;
    rt_part_shares parts; /* the tree, and what is summed by it */
    double *elastic; /* room for the elastic coordinates of any flexible body, re and im */
} rt_mode_work;

routh_status rt_mode_work_create(rt_mode_work *work, const routh_linear *linear,
                                 routh_error *error);
void rt_mode_work_free(rt_mode_work *work);

/* Not rigid, and its real part is above its error bound. */
bool rt_mode_is_unstable(const routh_mode *mode);

/* The row of mode i. */
rt_result_row rt_mode_row(const routh_results *results, int i, void *work);

/* Cells of the terminal table that are no plain numbers. */
void rt_mode_cell_real(rt_table *table, const rt_result_row *row);
void rt_mode_cell_imaginary(rt_table *table, const rt_result_row *row);
void rt_mode_cell_undamped(rt_table *table, const rt_result_row *row);
void rt_mode_cell_damped(rt_table *table, const rt_result_row *row);
void rt_mode_cell_damping(rt_table *table, const rt_result_row *row);
void rt_mode_cell_kinetic(rt_table *table, const rt_result_row *row);
void rt_mode_cell_strain(rt_table *table, const rt_result_row *row);
void rt_mode_cell_note(rt_table *table, const rt_result_row *row);

/* Members of a mode's object that are lists and objects of their own. */
void rt_mode_write_energies(rt_json *json, const char *key, const rt_result_row *row);
void rt_mode_write_parts(rt_json *json, const char *key, const rt_result_row *row);
void rt_mode_write_shape(rt_json *json, const char *key, const rt_result_row *row);
void rt_mode_write_nodes(rt_json *json, const char *key, const rt_result_row *row);

/* The part, as deep as results->parts, or what is in none, with most of the energy whose fractions
 * work->shares has. NULL: there is none. */
const char *rt_mode_largest_part(rt_mode_work *work, const rt_result_row *row, double *fraction);

/* "Energies by part" below the table of modes, where they are asked for. */
void rt_part_energies_lines(rt_text *text, const routh_results *results, rt_mode_work *work);

/* What these are: for the schema and the reference page. */
extern const rt_result_table rt_energies_table, rt_part_energies_table;
extern const rt_result_table rt_marker_motion_table, rt_node_motion_table, rt_attribution_fields;
extern const rt_result_table rt_mode_realization_table, rt_branches_fields, rt_selection_table;

#endif
