#include "output/heading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "output/table.h"

static void label_only(rt_text *text, const char *label) { rt_text_append(text, "%-22s", label); }

void rt_heading_line(rt_text *text, const char *label, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    label_only(text, label);
    rt_text_plain(text, line);
    rt_text_bytes(text, "\n", 1);
}

static void title(rt_text *text, const routh_results *results)
{
    rt_text_plain(text, rt_results_title(results));
    const char *file = rt_results_file(results);
    if (*file) {
        rt_text_append(text, "  (");
        rt_text_plain(text, file);
        rt_text_append(text, ")");
    }
    rt_text_append(text, "\n");
}

static void heading_operating_point(rt_text *text, const routh_results *results)
{
    char time[RT_NUMBER_SIZE], residual[RT_NUMBER_SIZE];
    rt_number_text(time, rt_results_time(results), 6);
    rt_number_text(residual, rt_results_residual(results), 2);
    const char *type = rt_results_point_type(results);
    rt_heading_line(text, "operating point", "%s, at t = %s s",
                    strcmp(type, "static") == 0   ? "static equilibrium"
                    : strcmp(type, "state") == 0  ? "given state"
                    : strcmp(type, "steady") == 0 ? "steady motion"
                                                  : "reference configuration",
                    time);
    rt_heading_line(text, "equilibrium residual", "%s of the largest single force", residual);
    rt_heading_line(text, "state", "%s", rt_results_state(results));
}

static void redundant(rt_text *text, const routh_operating_point *point, int named)
{
    if (point->n_redundant == 0) {
        rt_heading_line(text, "redundant equations", "none");
        return;
    }
    rt_heading_line(text, "redundant equations", "%d constraint equation%s, removed:",
                    point->n_redundant, point->n_redundant == 1 ? "" : "s");
    const int n = point->n_redundant < named ? point->n_redundant : named;
    for (int i = 0; i < n; i++)
        rt_heading_line(text, "", "%s: %s", point->redundant[i].joint, point->redundant[i].row);
    if (n < point->n_redundant)
        rt_heading_line(text, "", "... and %d more", point->n_redundant - n);
}

static void degrees(rt_text *text, const routh_results *results)
{
    const routh_linear *linear = results->linear;
    if (!linear) {
        rt_heading_line(text, "degrees of freedom", "%d", results->point->degrees_of_freedom);
        return;
    }
    char control[64] = "";
    if (linear->n_control > 0)
        snprintf(control, sizeof control, ", and %d state%s of controllers", linear->n_control,
                 linear->n_control == 1 ? "" : "s");
    if (linear->n_position == linear->n_velocity)
        rt_heading_line(text, "degrees of freedom", "%d%s (%d states)", linear->n_position, control,
                        linear->n_states);
    else
        rt_heading_line(text, "degrees of freedom", "%d of position, %d of velocity%s (%d states)",
                        linear->n_position, linear->n_velocity, control, linear->n_states);
    rt_heading_line(text, "method", "%s coordinates, %s%s; reference frame: %s",
                    linear->coordinates, linear->method,
                    linear->method_by_auto ? " (chosen by auto)" : "", linear->reference);
}

void rt_heading(rt_text *text, const routh_results *results, int named)
{
    title(text, results);
    heading_operating_point(text, results);
    degrees(text, results);
    if (results->point) redundant(text, results->point, named);
}

static void heading_one_warning(void *context, const char *warning)
{
    rt_text *text = context;
    label_only(text, "warning");
    rt_text_plain(text, warning);
    rt_text_bytes(text, "\n", 1);
}

void rt_heading_warnings(rt_text *text, const routh_results *results)
{
    rt_results_warnings(results, heading_one_warning, text);
}

const char *rt_words_without_states(const routh_linear *linear)
{
    return linear->n_infinite > 0 && strcmp(linear->method, "redundant") != 0
               ? "No motion has inertia or damping: give a body a mass."
               : "Its joints fix every body: free one of them.";
}
