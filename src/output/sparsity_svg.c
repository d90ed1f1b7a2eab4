/* Patterns of matrices as a picture: a panel each, three or four in a row. Every entry is a square
 * of its panel's grid; a matrix with more rows or columns than GRID is drawn coarser, a square
 * where there is any entry. Runs of squares along a row are one rectangle. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "output/results.h"

enum { GRID = 240, SIDE = 220, GAP = 36, LEFT = 24, TOP = 64, CAPTION = 34, COLUMNS = 4 };

typedef struct sparsity_svg_panel {
    const routh_pattern *p;
    int scale;         /* rows and columns of the matrix in a square */
    int rows, columns; /* of squares */
    double size;       /* of a square, in the picture */
    unsigned char *marked;
} sparsity_svg_panel;

static int sparsity_svg_larger(int a, int b) { return a > b ? a : b; }

static int divide_up(int a, int b) { return (a + b - 1) / b; }

static sparsity_svg_panel panel_of(const routh_pattern *p, unsigned char *marked)
{
    const int n = sparsity_svg_larger(1, sparsity_svg_larger(p->n_rows, p->n_columns)),
              scale = divide_up(n, GRID);
    const sparsity_svg_panel out = {p,
                                    scale,
                                    divide_up(p->n_rows, scale),
                                    divide_up(p->n_columns, scale),
                                    (double)SIDE / divide_up(n, scale),
                                    marked};
    memset(marked, 0, (size_t)GRID * GRID);
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            marked[p->row[e] / scale * GRID + c / scale] = 1;
    return out;
}

static void escaped(rt_text *text, const char *from)
{
    for (; *from; from++) {
        if (*from == '&')
            rt_text_append(text, "&amp;");
        else if (*from == '<')
            rt_text_append(text, "&lt;");
        else if (*from == '>')
            rt_text_append(text, "&gt;");
        else
            rt_text_bytes(text, from, 1);
    }
}

/* A line of text; weight NULL: plain. */
static void sparsity_svg_label(rt_text *text, double x, double y, const char *style,
                               const char *what)
{
    rt_text_append(text, "<text x=\"%.0f\" y=\"%.0f\"%s>", x, y, style);
    escaped(text, what);
    rt_text_append(text, "</text>\n");
}

/* Squares of one panel, in units of squares. */
static void squares(rt_text *text, const sparsity_svg_panel *a)
{
    rt_text_append(text, "<path d=\"");
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++) {
            const int from = j;
            while (j < a->columns && a->marked[i * GRID + j]) j++;
            if (j > from) rt_text_append(text, "M%d %dh%dv1H%dz", from, i, j - from, from);
        }
    rt_text_append(text, "\"/>");
}

static void draw(rt_text *text, const sparsity_svg_panel *a, double x, double y)
{
    const routh_pattern *p = a->p;
    rt_text_append(text, "<g transform=\"translate(%.0f %.0f)\">\n", x, y);
    sparsity_svg_label(text, 0, -22, " font-weight=\"bold\"", p->name);
    sparsity_svg_label(text, 0, -7, " fill=\"#555\"", p->about);
    rt_text_append(text, "<g transform=\"scale(");
    rt_text_real(text, a->size);
    rt_text_append(text,
                   ")\" fill=\"#1f4e9c\">\n<rect width=\"%d\" height=\"%d\" fill=\"#f2f2f2\"/>\n",
                   sparsity_svg_larger(1, a->columns), sparsity_svg_larger(1, a->rows));
    squares(text, a);
    rt_text_append(text, "</g>\n<text y=\"%.0f\" fill=\"#555\">%d x %d, %d entr%s", SIDE + 15.0,
                   p->n_rows, p->n_columns, p->start[p->n_columns],
                   p->start[p->n_columns] == 1 ? "y" : "ies");
    if (a->scale > 1) rt_text_append(text, ", a dot is %d x %d", a->scale, a->scale);
    rt_text_append(text, "</text>\n</g>\n");
}

/* Matrices that belong together stand in a row: factors after the matrix they are of. */
static bool begins_row(const routh_sparsity *s, int k, int in_row)
{
    if (k == 0) return false;
    if (in_row == COLUMNS) return true;
    const bool with_factors = k + 1 < s->n && s->patterns[k + 1].factor_of == k;
    return with_factors || strcmp(s->patterns[k].name, "E") == 0;
}

static int sparsity_svg_count_rows(const routh_sparsity *s)
{
    int rows = 1, in_row = 0;
    for (int k = 0; k < s->n; k++, in_row++)
        if (begins_row(s, k, in_row)) rows++, in_row = 0;
    return rows;
}

static void sparsity_svg_picture(rt_text *text, const routh_sparsity *s, unsigned char *marked)
{
    const int width = 2 * LEFT + COLUMNS * SIDE + (COLUMNS - 1) * GAP;
    const int row = SIDE + GAP + CAPTION + 20, height = TOP + sparsity_svg_count_rows(s) * row + 10;
    rt_text_append(text,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                   "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                   "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
                   width, height, width, height, width, height);
    rt_text_append(text, "<text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"bold\">", LEFT);
    escaped(text, s->title);
    rt_text_append(text,
                   "</text>\n<text x=\"%d\" y=\"46\" fill=\"#555\">%s coordinates; entries "
                   "that are not zero at the operating point</text>\n",
                   LEFT, s->coordinates);
    for (int k = 0, i = 0, j = 0; k < s->n; k++, j++) {
        if (begins_row(s, k, j)) i++, j = 0;
        const sparsity_svg_panel a = panel_of(&s->patterns[k], marked);
        draw(text, &a, LEFT + j * (SIDE + GAP), TOP + CAPTION + 10 + i * row);
    }
    rt_text_append(text, "</svg>\n");
}

routh_status routh_sparsity_svg(const routh_sparsity *sparsity, routh_text *text,
                                routh_error *error)
{
    *text = (routh_text){0};
    if (!sparsity) return rt_fail(error, ROUTH_BAD_ARGUMENT, "sparsity is NULL");
    rt_text out = {0};
    unsigned char *marked = malloc((size_t)GRID * GRID);
    if (!marked) return rt_fail_memory(error);
    sparsity_svg_picture(&out, sparsity, marked);
    free(marked);
    return rt_results_hand_over(&out, text, error);
}
