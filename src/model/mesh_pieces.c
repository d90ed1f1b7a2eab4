/* Closed meshes, of one piece or several: whether they enclose each point once or not at all, as
 * solids beside one another and hollows within them do. Looked at are points in the middle of
 * triangles: around them goes all the rest of the mesh half a time. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/vec3.h"
#include "model/mesh.h"

/* Triangles seen from points: of so many, points are left out; beyond the others it is not tried.
 */
enum { MOST_WORK = 1000000, LEAST_POINTS = 4, TOO_MUCH_WORK = 200000000 };
enum { MOST_PAIRS = 10000000 }; /* of pieces: of so many, pieces are left out */

typedef struct mesh_piece {
    int first, n; /* of the triangles in order */
    double low[3], high[3], volume;
} mesh_piece;

typedef struct mesh_pieces {
    const rt_mesh *mesh;
    int n, *order;
    mesh_piece *piece;
} mesh_pieces;

static const double *piece_corner(const rt_mesh *mesh, int t, int i)
{
    return mesh->points + 3 * (size_t)mesh->triangles[3 * (size_t)t + i];
}

/* ---- which triangles belong together --------------------------------------------------------- */

static int piece_root(int *above, int t)
{
    while (above[t] != t) t = above[t] = above[above[t]];
    return t;
}

void rt_mesh_unite(int *above, int t, int u)
{
    const int p = piece_root(above, t), q = piece_root(above, u);
    above[p < q ? q : p] = p < q ? p : q;
}

/* Its box, and its volume by tetrahedra from its first corner. */
static void measure_piece(const mesh_pieces *all, mesh_piece *piece)
{
    const double *o = piece_corner(all->mesh, all->order[piece->first], 0);
    for (int k = 0; k < 3; k++) piece->low[k] = piece->high[k] = o[k];
    for (int j = 0; j < piece->n; j++) {
        double x[3][3], across[3];
        for (int i = 0; i < 3; i++) {
            const double *p = piece_corner(all->mesh, all->order[piece->first + j], i);
            for (int k = 0; k < 3; k++) {
                x[i][k] = p[k] - o[k];
                piece->low[k] = fmin(piece->low[k], p[k]);
                piece->high[k] = fmax(piece->high[k], p[k]);
            }
        }
        rt_v3_cross(across, x[1], x[2]);
        piece->volume += rt_v3_dot(x[0], across) / 6;
    }
}

static bool make_pieces(mesh_pieces *all, int *above, rt_arena *scratch)
{
    const int n = all->mesh->n_triangles;
    int *number = RT_TAKE(scratch, int, (size_t)n + 1);
    all->order = RT_TAKE(scratch, int, (size_t)n + 1);
    if (!number || !all->order) return false;
    for (int t = 0; t < n; t++) {
        const int root = piece_root(above, t); /* the first triangle of its piece */
        number[t] = root == t ? all->n++ : number[root];
    }
    all->piece = RT_TAKE(scratch, mesh_piece, (size_t)all->n + 1);
    if (!all->piece) return false;
    memset(all->piece, 0, (size_t)all->n * sizeof *all->piece);
    for (int t = 0; t < n; t++) all->piece[number[t]].n++;
    for (int p = 1; p < all->n; p++)
        all->piece[p].first = all->piece[p - 1].first + all->piece[p - 1].n;
    for (int p = 0; p < all->n; p++) all->piece[p].n = 0;
    for (int t = 0; t < n; t++) {
        mesh_piece *own = &all->piece[number[t]];
        all->order[own->first + own->n++] = t;
    }
    for (int p = 0; p < all->n; p++) measure_piece(all, &all->piece[p]);
    return true;
}

/* ---- how often it goes around a point -------------------------------------------------------- */

/* The solid angle of a triangle, over 4 pi: with its corners a, b, c from the point,
 * tan(W/2) = a . (b x c)/(abc + (a . b) c + (b . c) a + (c . a) b)
 * (van Oosterom and Strackee 1983, IEEE Trans. Biomed. Eng. 30(2), 125-126). */
static double solid_angle(const rt_mesh *mesh, int t, const double at[3])
{
    double x[3][3], across[3], size[3];
    for (int i = 0; i < 3; i++) {
        const double *p = piece_corner(mesh, t, i);
        for (int k = 0; k < 3; k++) x[i][k] = p[k] - at[k];
        size[i] = rt_v3_norm(x[i]);
    }
    rt_v3_cross(across, x[1], x[2]);
    const double along = size[0] * size[1] * size[2] + rt_v3_dot(x[0], x[1]) * size[2] +
                         rt_v3_dot(x[1], x[2]) * size[0] + rt_v3_dot(x[2], x[0]) * size[1];
    return atan2(rt_v3_dot(x[0], across), along) / (2 * RT_PI);
}

static bool is_in_box(const mesh_piece *piece, const double x[3])
{
    for (int k = 0; k < 3; k++)
        if (!(x[k] > piece->low[k] && x[k] < piece->high[k])) return false;
    return true;
}

static bool do_boxes_meet(const mesh_piece *a, const mesh_piece *b)
{
    for (int k = 0; k < 3; k++)
        if (!(a->low[k] < b->high[k] && b->low[k] < a->high[k])) return false;
    return true;
}

/* How often the mesh without triangle t of piece own goes around a point of t, times two: odd.
 * False where another triangle is there too. */
static bool count_around(const mesh_pieces *all, int own, int t, const double x[3], int *twice)
{
    double sum = 0;
    for (int q = 0; q < all->n; q++) {
        const mesh_piece *piece = &all->piece[q];
        if (q != own && !is_in_box(piece, x)) continue;
        for (int j = 0; j < piece->n; j++) {
            const int u = all->order[piece->first + j];
            if (u != t) sum += solid_angle(all->mesh, u, x);
        }
    }
    *twice = 2 * (int)floor(sum) + 1;
    return fabs(2 * sum - *twice) < 0.5;
}

/* The middle of a triangle; false where it is so narrow that the middle is at its sides. */
static bool find_middle(const rt_mesh *mesh, int t, double x[3])
{
    const double *a = piece_corner(mesh, t, 0), *b = piece_corner(mesh, t, 1);
    const double *c = piece_corner(mesh, t, 2);
    double e[3], f[3], g[3], across[3];
    for (int k = 0; k < 3; k++) {
        x[k] = (a[k] + b[k] + c[k]) / 3;
        e[k] = b[k] - a[k];
        f[k] = c[k] - a[k];
        g[k] = c[k] - b[k];
    }
    rt_v3_cross(across, e, f);
    const double longest = fmax(rt_v3_norm(e), fmax(rt_v3_norm(f), rt_v3_norm(g)));
    return rt_v3_norm(across) > 1e-6 * longest * longest;
}

/* ---- what is wrong --------------------------------------------------------------------------- */

/* sense: of the whole, -1 where it faces inward. Around a point of a solid its own surface goes
 * half a time; around one of a hollow -1/2 times, and that of the solid around it once. */
static const char *piece_fault(const mesh_piece *piece, int twice, int sense)
{
    const int own = piece->volume < 0 ? -1 : 1;
    if (twice == sense) return NULL;
    return own == sense ? "it encloses the same space twice"
                        : "a surface of it faces inward that is not a hollow of another";
}

/* It encloses nothing: a sheet of two sides. */
static bool is_flat(const mesh_piece *piece)
{
    double size = 0;
    for (int k = 0; k < 3; k++) size = fmax(size, piece->high[k] - piece->low[k]);
    return fabs(piece->volume) <= 1e-12 * size * size * size;
}

static void look_at_piece(const mesh_pieces *all, int p, int n_points, int sense, rt_mesh *mesh)
{
    const mesh_piece *piece = &all->piece[p];
    if (is_flat(piece)) return;
    for (int j = 0; j < n_points && !mesh->fault; j++) {
        const int t = all->order[piece->first + (int)((double)j * piece->n / n_points)];
        double x[3];
        int twice;
        if (!find_middle(mesh, t, x) || !count_around(all, p, t, x, &twice)) continue;
        mesh->fault = piece_fault(piece, twice, sense);
        memcpy(mesh->fault_at, x, sizeof x);
    }
}

/* Triangles that one point of the piece sees, at most. */
static double work_of(const mesh_pieces *all, int p)
{
    double work = all->piece[p].n;
    for (int q = 0; q < all->n; q++)
        if (q != p && do_boxes_meet(&all->piece[p], &all->piece[q])) work += all->piece[q].n;
    return work;
}

/* The piece of the largest volume is in no other. */
static int largest_piece(const mesh_pieces *all)
{
    int largest = 0;
    for (int p = 1; p < all->n; p++)
        if (fabs(all->piece[p].volume) > fabs(all->piece[largest].volume)) largest = p;
    return largest;
}

static void look_at_pieces(const mesh_pieces *all, rt_mesh *mesh)
{
    const int step = 1 + (int)((double)all->n * all->n / MOST_PAIRS);
    const int sense = all->piece[largest_piece(all)].volume < 0 ? -1 : 1;
    const int n_looked_at = (all->n + step - 1) / step;
    double whole = 0;
    for (int p = 0; p < all->n && !mesh->fault; p += step) {
        const double work = work_of(all, p), most = MOST_WORK / (n_looked_at * work);
        whole += LEAST_POINTS * work;
        if (whole > TOO_MUCH_WORK) {
            mesh->fault =
                "it has too many surfaces within one another to determine what they enclose";
            memcpy(mesh->fault_at, mesh->points, sizeof mesh->fault_at);
            return;
        }
        look_at_piece(all, p, (int)fmin(all->piece[p].n, fmax(LEAST_POINTS, most)), sense, mesh);
    }
}

routh_status rt_mesh_look_at_pieces(rt_mesh *mesh, int *above, rt_arena *scratch,
                                    routh_error *error)
{
    mesh_pieces all = {.mesh = mesh};
    if (!make_pieces(&all, above, scratch)) return rt_fail_memory(error);
    if (all.n > 0) look_at_pieces(&all, mesh);
    return ROUTH_OK;
}
