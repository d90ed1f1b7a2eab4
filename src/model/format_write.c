/* The lines of a layout written out, comments at their sides in a column where they were in one. */
#include "model/format_parts.h"

static bool parts_run(const rt_format_line *line)
{
    return line->whole || (line->begin == line->end && !line->comment);
}

/* Lines from..to without a gap: where their comments begin; 0: each behind its line. */
static int comment_column(const rt_formatter *f, size_t from, size_t to)
{
    int widest = 0, common = -1;
    for (size_t k = from; k < to; k++) {
        const rt_format_line *line = &f->lines[k];
        if (!line->comment) continue;
        if (common < 0) common = line->comment_column;
        if (line->comment_column != common) return 0;
        if (line->width > widest) widest = line->width;
    }
    return widest + 2;
}

static void write_line(const rt_formatter *f, const rt_format_line *line, int column, rt_text *out)
{
    size_t end = line->end;
    const char *code = rt_text_string(&f->code);
    while (!line->kept && end > line->begin && code[end - 1] == ' ') end--;
    const int width =
        line->whole ? line->width : rt_format_width(code + line->begin, end - line->begin);
    rt_text_bytes(out, code + line->begin,
                  line->whole ? line->end - line->begin : end - line->begin);
    if (line->comment && !line->whole)
        for (int k = width; k < column; k++) rt_text_bytes(out, " ", 1);
    if (line->comment) rt_text_bytes(out, line->comment, line->comment_length);
    rt_text_bytes(out, "\n", 1);
}

void rt_format_write_lines(const rt_formatter *f, rt_text *out)
{
    size_t first = 0, n = f->n_lines;
    while (first < n && f->lines[first].begin == f->lines[first].end && !f->lines[first].comment)
        first++;
    while (n > first && f->lines[n - 1].begin == f->lines[n - 1].end && !f->lines[n - 1].comment &&
           !f->lines[n - 1].kept)
        n--;
    for (size_t k = first; k < n;) {
        size_t to = k;
        while (to < n && !parts_run(&f->lines[to])) to++;
        const int common = to > k ? comment_column(f, k, to) : 0;
        int beside = 0; /* the column of the comment before */
        for (; k < to; k++) {
            const rt_format_line *line = &f->lines[k];
            const bool follows = line->begin == line->end; /* a comment below one at a side */
            if (line->comment && !follows) beside = common ? common : line->width + 2;
            write_line(f, line, beside, out);
        }
        if (k < n) write_line(f, &f->lines[k++], 0, out);
    }
}
