/* The modes in the data of the report's page: numbers, motion of what is drawn, energies. */
#ifndef RT_OUTPUT_REPORT_MODES_H
#define RT_OUTPUT_REPORT_MODES_H

#include "output/packed.h"
#include "output/part_shares.h"
#include "output/report_flexible.h"

typedef struct rt_report_modes {
    const routh_results *results;
    rt_shares shares;
    rt_part_shares parts;
    rt_drawing *drawing;
    rt_packed packed;
    int n_moved, *moved;     /* the markers whose motion the page asks for */
    double *motion;          /* n_moved x 12 */
    int n_drawn, n_animated; /* modes, of a pair one; those of them that carry their motion */
    bool *animated;          /* which */
} rt_report_modes;

/* Free by rt_report_modes_free, after a failure too. */
routh_status rt_report_modes_create(rt_report_modes *modes, const routh_results *results,
                                    routh_error *error);
void rt_report_modes_free(rt_report_modes *modes);

/* "moved", "share_names", "part_names", "modes" */
void rt_json_report_modes(rt_json *json, rt_report_modes *modes);

#endif
