/* The tables of what routh check found, for JSON and terminal. */
#ifndef RT_OUTPUT_CHECK_FIELDS_H
#define RT_OUTPUT_CHECK_FIELDS_H

#include "output/descriptor.h"

/* What the cells of the terminal table need beside the cell of the check: the row's work. */
typedef struct rt_check_line {
    bool same_coordinates; /* as in the line before */
    int note;              /* number of the remark; 0: none */
    int more;              /* cells alike that the line stands for too */
} rt_check_line;

/* Rows: of a routh_finding; of routh_mode number `index` of the check `parent`; of a
 * routh_check_cell. */
extern const rt_result_table rt_finding_table, rt_check_eigenvalue_table, rt_cell_table;

#endif
