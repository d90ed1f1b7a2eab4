#include "output/mode_fields.h"

/* One line for each eigenvalue, conjugates too; index and conjugate count from 0 as in the JSON. */
routh_status routh_modes_csv(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_MODES, error);
    if (status) return status;
    rt_csv csv = {0};
    rt_result_csv_heads(&csv, &rt_mode_table, &(rt_result_row){.results = results});
    for (int i = 0; i < results->modes->n; i++) {
        const rt_result_row row = rt_mode_row(results, i, NULL);
        rt_result_csv(&csv, &rt_mode_table, &row);
    }
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
