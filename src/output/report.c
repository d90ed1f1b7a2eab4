/* The report: the page of viewer/ with the data in the place kept for it. */
#include <string.h>

#include "output/report_data.h"
#include "output/report_page.h"
#include "routh/output.h"

static const char place[] = "<!--ROUTH-DATA-->";
static const char before[] = "<script type=\"application/json\" id=\"routh-data\">\n";
static const char after[] = "</script>";

/* Where the data go, or NULL. */
static const char *find_place(const char *page, size_t size)
{
    const size_t n = sizeof place - 1;
    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(page + i, place, n) == 0) return page + i;
    return NULL;
}

static void report_assemble(rt_text *out, const char *page, size_t size, const char *at,
                            const rt_text *data)
{
    const size_t head = (size_t)(at - page), tail = head + sizeof place - 1;
    rt_text_bytes(out, page, head);
    rt_text_bytes(out, before, sizeof before - 1);
    rt_text_bytes(out, rt_text_string(data), data->length);
    rt_text_bytes(out, after, sizeof after - 1);
    rt_text_bytes(out, page + tail, size - tail);
}

routh_status routh_report_html(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(
        results, RT_NEED_MODEL | RT_NEED_POINT | RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (status) return status;
    const char *page = (const char *)rt_report_page;
    const char *at = find_place(page, rt_report_page_size);
    if (!at)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the page of the report was not built into this library; "
                       "install npm and build again to have it");
    rt_json json = {0};
    status = rt_report_data(results, &json, error);
    if (status) return status;
    rt_text out = {0};
    report_assemble(&out, page, rt_report_page_size, at, &json.text);
    rt_text_free(&json.text);
    return rt_results_hand_over(&out, text, error);
}
