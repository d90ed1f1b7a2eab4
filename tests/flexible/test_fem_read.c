/* Every form of file is written by the test, read back to the same model; broken ones have their
 * message. */
#define _XOPEN_SOURCE 700
#include "flexible/fem.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fe_mesh.h"

static char folder[64];

static const fe_box block = {{2, 1, 1}, {0, 0, 0}, {0.12, 0.02, 0.014}, 210e9, 0.3, 7800};
static const fe_rod rod = {.elements = 3,
                           .length = 1.3,
                           .young = 210e9,
                           .shear = 80e9,
                           .density = 7800,
                           .area = 6e-4,
                           .inertia_y = 2e-8,
                           .inertia_z = 4.5e-8,
                           .torsion = 4e-8};

static const char *in_folder(const char *name)
{
    static char paths[256][128]; /* more than one test uses */
    static int next;
    char *path = paths[next++ % 256];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static FILE *open_file(const char *name)
{
    FILE *f = fopen(in_folder(name), "w");
    assert_non_null(f);
    return f;
}

static void put(const char *name, const char *text)
{
    FILE *f = open_file(name);
    fputs(text, f);
    fclose(f);
}

/* ---- writers -------------------------------------------------------------------------------- */

typedef void (*entry_writer)(FILE *f, const rt_fe_model *fe, int row, int column, double x);

static void each(FILE *f, const rt_fe_model *fe, const double *values, bool lower, bool all,
                 entry_writer write)
{
    for (int j = 0; j < fe->n; j++)
        for (int k = fe->pattern.start[j]; k < fe->pattern.start[j + 1]; k++)
            if (all || (lower ? fe->pattern.row[k] >= j : fe->pattern.row[k] <= j))
                write(f, fe, fe->pattern.row[k], j, values[k]);
}

static void triple(FILE *f, const rt_fe_model *fe, int row, int column, double x)
{
    (void)fe;
    fprintf(f, "%d %d %.17g\n", row + 1, column + 1, x);
}

static void labels(FILE *f, const rt_fe_model *fe, int row, int column, double x)
{
    fprintf(f, "%d,%d, %d,%d, %.17e\n", fe->number[fe->node[row]], fe->direction[row] + 1,
            fe->number[fe->node[column]], fe->direction[column] + 1, x);
}

static void market(const char *name, const rt_fe_model *fe, const double *values, bool symmetric)
{
    FILE *f = open_file(name);
    int n = 0;
    for (int j = 0; j < fe->n; j++)
        for (int k = fe->pattern.start[j]; k < fe->pattern.start[j + 1]; k++)
            n += !symmetric || fe->pattern.row[k] >= j;
    fprintf(f, "%%%%MatrixMarket matrix coordinate real %s\n%% a remark\n%d %d %d\n",
            symmetric ? "symmetric" : "general", fe->n, fe->n, n);
    each(f, fe, values, true, !symmetric, triple);
    fclose(f);
}

static void lists(const char *name, const rt_fe_model *fe, const double *values, bool labelled,
                  bool lower)
{
    FILE *f = open_file(name);
    if (labelled) fprintf(f, "** made by a test\n*MATRIX INPUT, NAME=K, TYPE=SYMMETRIC\n");
    each(f, fe, values, lower, false, labelled ? labels : triple);
    fclose(f);
}

/* Large fields of 16; half of the columns with numbers that touch. */
static void dmig(const char *name, const char *matrix, const rt_fe_model *fe, const double *values)
{
    FILE *f = open_file(name);
    fprintf(f, "$ a remark\nDMIG    OTHER          0       6       2       0\n"
               "DMIG*   OTHER                          1               1\n"
               "*                      1               1 7.0D+00\n");
    fprintf(f, "DMIG    %-8s       0       6       2       0\n", matrix);
    for (int j = 0; j < fe->n; j++) {
        fprintf(f, "DMIG*   %-16s%16d%16d\n", matrix, fe->number[fe->node[j]],
                fe->direction[j] + 1);
        for (int k = fe->pattern.start[j]; k < fe->pattern.start[j + 1]; k++) {
            char number[40];
            const int i = fe->pattern.row[k];
            if (i > j) continue;
            snprintf(number, sizeof number, "%16.9E", values[k]);
            if (strchr(number, 'E')) *strchr(number, 'E') = 'D';
            fprintf(f, "*       %16d%16d%s\n", fe->number[fe->node[i]], fe->direction[i] + 1,
                    number);
        }
    }
    fclose(f);
}

static double value_at(const rt_fe_model *fe, const double *values, int row, int column)
{
    for (int k = fe->pattern.start[column]; k < fe->pattern.start[column + 1]; k++)
        if (fe->pattern.row[k] == row) return values[k];
    return 0;
}

/* dense: whole columns; else strings of what is not zero, big: row and length apart. */
static void op4_matrix(FILE *f, const char *name, const rt_fe_model *fe, const double *values,
                       bool is_dense, bool big)
{
    fprintf(f, "%8d%8d%8d%8d%-8s1P,3E24.16\n", fe->n, big ? -fe->n : fe->n, 6, 2, name);
    for (int j = 0; j < fe->n; j++) {
        fprintf(f, "%8d%8d%8d\n", j + 1, is_dense ? 1 : 0, 2 * fe->n);
        for (int i = 0; i < fe->n;) {
            int length = is_dense ? fe->n : 0;
            while (!is_dense && i + length < fe->n && value_at(fe, values, i + length, j) != 0)
                length++;
            if (!length && ++i) continue;
            if (!is_dense && big) fprintf(f, "%8d%8d\n", 2 * length + 1, i + 1);
            if (!is_dense && !big) fprintf(f, "%12d\n", i + 1 + 65536 * (2 * length + 1));
            for (int k = 0; k < length; k++)
                fprintf(f, "%24.16E%s", value_at(fe, values, i + k, j),
                        k % 3 == 2 || k == length - 1 ? "\n" : "");
            i += length;
        }
    }
    fprintf(f, "%8d%8d%8d\n%24.16E\n", fe->n + 1, 1, 2, 1.0);
}

static void op4(const char *name, const rt_fe_model *fe, bool is_dense, bool big)
{
    FILE *f = open_file(name);
    op4_matrix(f, "OTHER", fe, fe->M, true, false);
    op4_matrix(f, "KGG", fe, fe->K, is_dense, big);
    op4_matrix(f, "MGG", fe, fe->M, is_dense, big);
    fclose(f);
}

static void nodes_file(const char *name, const rt_fe_model *fe, const char *head,
                       const char *format, const char *tail)
{
    FILE *f = open_file(name);
    fputs(head, f);
    for (int k = fe->n_nodes - 1; k >= 0; k--) { /* in any order */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        fprintf(f, format, fe->number[k], fe->X[3 * k], fe->X[3 * k + 1], fe->X[3 * k + 2]);
#pragma GCC diagnostic pop
    }
    fputs(tail, f);
    fclose(f);
}

static void plain(const rt_fe_model *fe)
{
    nodes_file("nodes.txt", fe, "# nodes\n", "%d %.17g %.17g %.17g\n", "");
}

/* ---- reading back --------------------------------------------------------------------------- */

static void check_same(const rt_fe_model *fe, const rt_fe_model *back, double allowed,
                       double allowed_X)
{
    assert_int_equal(back->n, fe->n);
    assert_int_equal(back->n_nodes, fe->n_nodes);
    for (int k = 0; k < fe->n_nodes; k++) {
        assert_int_equal(back->number[k], fe->number[k]);
        for (int c = 0; c < 3; c++)
            assert_true(fabs(back->X[3 * k + c] - fe->X[3 * k + c]) <= allowed_X);
    }
    for (int j = 0; j < fe->n; j++) {
        assert_int_equal(back->node[j], fe->node[j]);
        assert_int_equal(back->direction[j], fe->direction[j]);
        for (int i = 0; i < fe->n; i++) {
            const double k = value_at(fe, fe->K, i, j), m = value_at(fe, fe->M, i, j);
            assert_true(fabs(value_at(back, back->K, i, j) - k) <= allowed * fabs(k));
            assert_true(fabs(value_at(back, back->M, i, j) - m) <= allowed * fabs(m));
        }
    }
}

static void check_read(const rt_fe_model *fe, const rt_fe_files *files, double allowed)
{
    rt_arena arena = {0};
    rt_fe_model *back;
    routh_error error = {0};
    if (rt_fe_read(&back, files, &arena, &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    check_same(fe, back, allowed, 1e-6);
    rt_arena_free(&arena);
}

/* Matrices that mirrored entries make equal to the last bit. */
static rt_fe_model *make(bool beams, rt_arena *arena)
{
    rt_fe_model *fe = beams ? make_rod(&rod, arena) : make_box(&block, arena);
    for (int j = 0; j < fe->n; j++)
        for (int k = fe->pattern.start[j]; k < fe->pattern.start[j + 1]; k++)
            if (fe->pattern.row[k] > j) {
                fe->K[k] = value_at(fe, fe->K, j, fe->pattern.row[k]);
                fe->M[k] = value_at(fe, fe->M, j, fe->pattern.row[k]);
            }
    return fe;
}

static void check_all_forms(bool beams)
{
    rt_arena arena = {0};
    const rt_fe_model *fe = make(beams, &arena);
    rt_fe_files files = {.stiffness = in_folder("k.mtx"),
                         .mass = in_folder("m.mtx"),
                         .nodes = in_folder("nodes.txt")};
    plain(fe);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        market("k.mtx", fe, fe->K, symmetric), market("m.mtx", fe, fe->M, symmetric);
        check_read(fe, &files, 0);
    }
    for (int labelled = 0; labelled < 2; labelled++)
        for (int lower = 0; lower < 2; lower++) {
            lists("k.mtx", fe, fe->K, labelled, lower), lists("m.mtx", fe, fe->M, labelled, lower);
            check_read(fe, &files, 0);
        }
    lists("b.sti", fe, fe->K, false, false), lists("b.mas", fe, fe->M, false, false);
    files = (rt_fe_files){.stiffness = in_folder("b.sti"),
                          .mass = in_folder("b.mas"),
                          .nodes = in_folder("nodes.txt")};
    check_read(fe, &files, 0);
    dmig("k.pch", "KAAX", fe, fe->K), dmig("m.pch", "MAAX", fe, fe->M);
    files.stiffness = in_folder("k.pch"), files.mass = in_folder("m.pch");
    check_read(fe, &files, 1e-8);
    files.stiffness_name = "OTHER";
    files.stiffness = files.mass = in_folder("both.op4"), files.stiffness_name = NULL;
    for (int form = 0; form < 3; form++) {
        op4("both.op4", fe, form == 0, form == 2);
        check_read(fe, &files, 0);
    }
    rt_arena_free(&arena);
}

static void matrices_are_read_back(void **state)
{
    (void)state;
    check_all_forms(false);
    check_all_forms(true);
}

static void nodes_are_read_from_every_form(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *fe = make(false, &arena);
    rt_fe_files files = {.stiffness = in_folder("k.mtx"), .mass = in_folder("m.mtx")};
    lists("k.mtx", fe, fe->K, true, true), lists("m.mtx", fe, fe->M, true, true);
    nodes_file("n.inp", fe, "*HEADING\n*Node, NSET=ALL\n** remark\n", "%d, %.9g, %.9g, %.9g\n",
               "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1,2,5,4,7,\n 8,11,10\n2, 2,3,6,5,8,9,12,11\n"
               "*NSET, NSET=END\n1, 4, 7\n10\n*NSET, NSET=HALF, GENERATE\n1, 9, 2\n");
    files.nodes = in_folder("n.inp");
    check_read(fe, &files, 0);
    rt_fe_model *drawn;
    assert_int_equal(rt_fe_read(&drawn, &files, &arena, NULL), ROUTH_OK);
    assert_int_equal(drawn->n_triangles, 2 * 10); /* the face between the two bricks is inside */
    int *set, n;
    assert_int_equal(rt_fe_node_set(files.nodes, "end", &set, &n, &arena, NULL), ROUTH_OK);
    assert_int_equal(n, 4);
    assert_int_equal(set[3], 10);
    assert_int_equal(rt_fe_node_set(files.nodes, "HALF", &set, &n, &arena, NULL), ROUTH_OK);
    assert_true(n == 5 && set[4] == 9);
    nodes_file("n.bdf", fe, "SOL 103\nBEGIN BULK\n", "GRID,%d,,%.9f,%.9f,%.9f\n", "ENDDATA\n");
    files.nodes = in_folder("n.bdf");
    check_read(fe, &files, 0);
    nodes_file("n.bdf", fe, "$\n", "GRID    %8d        %8.6f%8.6f%8.6f\n", "");
    check_read(fe, &files, 0);
    nodes_file(
        "n.frd", fe,
        "    1Cblock\n    2C                            12"
        "                                     1\n",
        " -1%10d%12.5E%12.5E%12.5E\n",
        " -3\n    3C                             2                                     1\n"
        " -1         1    1    0    1\n"
        " -2         1         2         5         4         7         8        11        10\n"
        " -1         2    1    0    1\n"
        " -2         2         3         6         5         8         9        12        11\n"
        " -3\n 9999\n");
    files.nodes = in_folder("n.frd");
    check_read(fe, &files, 0);
    assert_int_equal(rt_fe_read(&drawn, &files, &arena, NULL), ROUTH_OK);
    assert_int_equal(drawn->n_triangles, 2 * 10);
    rt_arena_free(&arena);
}

/* Rows in another order, said by a list. */
static void a_list_says_which_row_is_which(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_fe_model *fe = make(true, &arena);
    plain(fe);
    market("k.mtx", fe, fe->K, true), market("m.mtx", fe, fe->M, true);
    FILE *f = open_file("b.dof");
    for (int k = 0; k < fe->n; k++) {
        fe->node[k] = fe->n_nodes - 1 - k / 6; /* as if it were so */
        fprintf(f, k % 2 ? "%d.%d\n" : "%d %d\n", fe->number[fe->node[k]], fe->direction[k] + 1);
    }
    fclose(f);
    const rt_fe_files files = {.stiffness = in_folder("k.mtx"),
                               .mass = in_folder("m.mtx"),
                               .nodes = in_folder("nodes.txt"),
                               .dofs = in_folder("b.dof")};
    check_read(fe, &files, 0);
    rt_arena_free(&arena);
}

/* ---- broken files --------------------------------------------------------------------------- */

typedef struct broken {
    const char *name, *text; /* of the stiffness; or "nodes.txt" */
    int line;
    const char *message;
} broken;

#define MARKET "%%MatrixMarket matrix coordinate real symmetric\n"

static const broken wrong_files[] = {
    {"k.mtx", "%%MatrixMarket matrix array real general\n", 1, "the first line must be"},
    {"k.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n", 1, "skew-symmetric"},
    {"k.mtx", MARKET "6 5 3\n", 2, "6 rows and 5 columns"},
    {"k.mtx", MARKET "6 6 3\n1 1 2.\n2 2 2.\n", 4, "ends after 2 of 3 entries"},
    {"k.mtx", MARKET "6 6 1\n1 1 2.\n2 2 2.\n", 4,
     "more entries than the 1 in the line of the size"},
    {"k.mtx", MARKET "6 6 2\n1 1 2.\n1 2 2.\n", 4, "above the diagonal"},
    {"k.mtx", MARKET "6 6 2\n1 1 2.\n7 2 2.\n", 4, "row 7, column 2 are outside"},
    {"k.mtx", MARKET "6 6 2\n1 1 2.\n2 2\n", 4, "is not `row column value`"},
    {"k.mtx", MARKET "7 7 1\n1 1 2.\n", 0,
     "the mass matrix is of order 6, but the stiffness matrix of order 7"},
    {"k.mtx", MARKET "3 3 1\n1 1 2.\n", 0,
     "the mass matrix is of order 6, but the stiffness matrix of order 3"},
    {"k.sti", "7 7 2.\n", 0, "the mass matrix is of order 6, but the stiffness matrix of order 7"},
    {"k.op4",
     "       3       3       6       2KGG     1P,3E23.16\n       1       1       2\n"
     " 1.0000000000000000E+00\n       4       1       1\n 1.0\n",
     0, "the mass matrix is of order 6, but the stiffness matrix of order 3"},
    {"nodes.txt", "1 0 0 0\n2 1 0 0\n3 2 0 0\n", 0, "6 rows, and"},
    {"k.mtx", "1,1, 1,1, 5.\n1,2, 1,1,\n", 2, "is not `node, dof, node, dof, value`"},
    {"k.mtx", "1,1, 1,8, 5.\n", 1, "degree of freedom 8 of node 1"},
    {"k.mtx", "1,1, 2,0, 5.\n", 1, "degree of freedom 0 of node 2"},
    {"k.mtx", "1,1, 0,1, 5.\n", 1, "degree of freedom 1 of node 0"},
    {"k.mtx", "1,1, 1,1, 5.\n0,2, 1,1, 5.\n", 2, "degree of freedom 2 of node 0"},
    {"k.mtx", "1,1, 1,1, 5.\n3,1, 3,1, 5.\n", 0, "in the same format"},
    {"k.sti", "1 1 5.\n1 2 3\n1\n", 3, "check whether the file is cut off"},
    {"k.sti", "0 1 5.\n", 1, "count from 1, not from 0"},
    {"k.sti", "", 0, "no matrix entry"},
    {"k.xyz", "1 2 3\n", 0, "the format of this matrix file is not known"},
    {"k.pch", "DMIG    KAAX           0       9       2       0\n", 1, "form 9"},
    {"k.pch", "DMIG    KAAX           0\n", 1, "form 0"},
    {"k.pch", "DMIG    KAAX\n", 1, "the card DMIG is incomplete"},
    {"k.pch", "DMIG    KAAX           0       6       3       0\n", 1, "type 3"},
    {"k.pch", "DMIG    OTHER          0       6       2       0\n", 0,
     "the file has no matrix KAAX or"},
    {"k.pch",
     "DMIG    KAAX           0       6       2       0\n"
     "DMIG*   KAAX                           1               0\n",
     2, "scalar points"},
    {"k.pch",
     "DMIG    KAAX           0       6       2       0\n"
     "DMIG*   KAAX                           1               1\n"
     "*                      1               1 1.0D+\n",
     3, "a number is missing"},
    {"k.op4", "junk\n", 1, "not the header of a matrix"},
    {"k.op4", "       6       6       6       3KGG     1P,3E23.16\n", 1, "type 3"},
    {"k.op4", "       6       6       6       2KGG     1P,3E23.16\n       1       1       4\n", 2,
     "ends in column 1 of 6"},
    {"k.op4",
     "       6       6       6       2KGG     1P,3E23.16\n       1       1       2\n"
     " 1.0000000000000000E+00 1.0000000000000000E+00\n",
     3, "more numbers than its header states"},
    {"k.op4",
     "       6       6       6       2KGG     1P,3E23.16\n       1       1       8\n"
     " 1.0000000000000000E+00 1.0000000000000000E+00\n       2       1       2\n",
     4, "2 numbers of column 1 are missing"},
    {"nodes.txt", "1 0 0\n", 1, "is not `number x y z`"},
    {"nodes.txt", "1 0 0 0\n1 0 0 1\n", 0, "node 1 is given twice"},
    {"nodes.txt", "0 0 0 0\n-1 1 0 0\n", 0, "a node has the number -1; number the nodes from 1"},
    {"nodes.txt", "", 0, "contains no node"},
};

static void broken_files_are_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrong_files / sizeof *wrong_files; k++) {
        const broken *b = &wrong_files[k];
        const bool nodes = strcmp(b->name, "nodes.txt") == 0;
        rt_arena arena = {0};
        rt_fe_model *fe;
        routh_error error = {0};
        put("k.mtx", MARKET "6 6 6\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n6 6 1\n");
        put("m.mtx", MARKET "6 6 6\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n6 6 1\n");
        put("nodes.txt", "1 0 0 0\n2 1 0 0\n");
        put(b->name, b->text);
        const rt_fe_files files = {.stiffness = in_folder(nodes ? "k.mtx" : b->name),
                                   .mass = in_folder("m.mtx"),
                                   .nodes = in_folder("nodes.txt")};
        const routh_status status = rt_fe_read(&fe, &files, &arena, &error);
        if (status == ROUTH_OK || !strstr(error.message, b->message) || error.line != b->line ||
            !strstr(error.file, folder))
            fail_msg("case %zu: %s:%d: \"%s\" for \"%s\"", k, error.file, error.line, error.message,
                     b->message);
        assert_null(fe);
        rt_arena_free(&arena);
    }
}

/* GENERATE: first, last, step */
static void node_sets_that_cannot_be_counted_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"0, 5",     "-3, 5",         "4", "1, 5, 0",
                                        "1, 5, -1", "1, 2000000000", ""};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        rt_arena arena = {0};
        routh_error error = {0};
        char text[200];
        int *set, n;
        snprintf(text, sizeof text,
                 "*NODE\n1, 0, 0, 0\n*NSET, NSET=BAD, GENERATE\n%s\n*NSET, NSET=GOOD, "
                 "GENERATE\n1, 5, 2\n",
                 lines[k]);
        put("n.inp", text);
        const routh_status status =
            rt_fe_node_set(in_folder("n.inp"), "BAD", &set, &n, &arena, &error);
        if (*lines[k] && (status == ROUTH_OK || error.line != 4 || !strstr(error.message, "step`")))
            fail_msg("'%s' (line %d): %s", lines[k], error.line, error.message);
        assert_int_equal(rt_fe_node_set(in_folder("n.inp"), "GOOD", &set, &n, &arena, NULL),
                         ROUTH_OK);
        assert_true(n == 3 && set[0] == 1 && set[1] == 3 && set[2] == 5);
        rt_arena_free(&arena);
    }
}

static void matrices_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_fe_model *fe = make(true, &arena), *back;
    routh_error error = {0};
    const rt_fe_files files = {.stiffness = in_folder("k.mtx"),
                               .mass = in_folder("m.mtx"),
                               .nodes = in_folder("nodes.txt")};
    plain(fe);
    fe->K[fe->pattern.start[1]] *= 1.01; /* row 1 or 5 of column 1 */
    for (int k = fe->pattern.start[1]; k < fe->pattern.start[2]; k++)
        if (fe->pattern.row[k] == 5) fe->K[k] *= 1.02;
    market("k.mtx", fe, fe->K, false), market("m.mtx", fe, fe->M, false);
    assert_int_equal(rt_fe_read(&back, &files, &arena, &error), ROUTH_MODEL_ERROR);
    if (!strstr(error.message, "the largest difference is at row 10.y, column 10.rz"))
        fail_msg("%s", error.message);
    put("nodes.txt", "10 0 0 0\n20 1 0 0\n30 2 0 0\n");
    lists("k.mtx", fe, fe->K, true, true), lists("m.mtx", fe, fe->M, true, true);
    assert_int_equal(rt_fe_read(&back, &files, &arena, &error), ROUTH_MODEL_ERROR);
    if (!strstr(error.message, "the matrices have node 40")) fail_msg("%s", error.message);
    plain(fe);
    fe->K[0] = 1e36;
    lists("k.mtx", fe, fe->K, true, true);
    assert_int_equal(rt_fe_read(&back, &files, &arena, &error), ROUTH_MODEL_ERROR);
    if (!strstr(error.message, "1e+36 at 10.x")) fail_msg("%s", error.message);
    assert_int_equal(
        rt_fe_read(&back, &(rt_fe_files){.stiffness = "none", .mass = "none"}, &arena, &error),
        ROUTH_FILE_ERROR);
    assert_string_equal(error.file, "none");
    rt_arena_free(&arena);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/routh-fem-XXXXXX", P_tmpdir);
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_read_back),
        cmocka_unit_test(nodes_are_read_from_every_form),
        cmocka_unit_test(a_list_says_which_row_is_which),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(node_sets_that_cannot_be_counted_are_refused),
        cmocka_unit_test(matrices_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
