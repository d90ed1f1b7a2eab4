/* What this build is made of: one row a library, with how its version is asked for. */
#include "routh/build.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <SuiteSparse_config.h>
#include <cblas.h>
#include <hdf5.h>
#include <jansson.h>
#include <lapacke.h>
#include <matio.h>
#include <yaml.h>
#include <zip.h>
#ifdef ROUTH_HAS_SUNDIALS
#include <sundials/sundials_version.h>
#endif
#ifdef ROUTH_HAS_NLOPT
#include <nlopt.h>
#endif
#ifdef ROUTH_HAS_FLINT
#include <arb.h>
#include <calcium/calcium.h>
#include <flint/flint.h>
#include <gmp.h>
#endif
#ifdef ROUTH_FFTW
#include <fftw3.h>
#endif

#include "output/loaded.h"
#include "output/report_page.h"
#include "routh/routh.h"

#define TEXT_OF(x) #x
#define QUOTED(x) TEXT_OF(x)

/* ---- versions -------------------------------------------------------------------------------- */

enum { ROOM = sizeof((routh_component *)0)->version };

static void put(char *to, const char *version) { snprintf(to, ROOM, "%s", version ? version : ""); }

/* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." */
static void openblas(char *to)
{
    const char *blank = strchr(openblas_get_config(), ' ');
    if (blank) snprintf(to, ROOM, "%.*s", (int)strcspn(blank + 1, " "), blank + 1);
}

static void lapack(char *to)
{
    lapack_int major = 0, minor = 0, patch = 0;
    LAPACKE_ilaver(&major, &minor, &patch);
    snprintf(to, ROOM, "%d.%d.%d", (int)major, (int)minor, (int)patch);
}

static void suitesparse(char *to)
{
    int v[3] = {0};
    SuiteSparse_version(v);
    snprintf(to, ROOM, "%d.%d.%d", v[0], v[1], v[2]);
}

/* It has no call for it: CMake reads what is beside the library. */
static void arpack(char *to) { put(to, ROUTH_ARPACK_VERSION); }

static void yaml(char *to) { put(to, yaml_get_version_string()); }

static void jansson(char *to) { put(to, jansson_version_str()); }

static void matio(char *to)
{
    int v[3] = {0};
    Mat_GetLibraryVersion(&v[0], &v[1], &v[2]);
    snprintf(to, ROOM, "%d.%d.%d", v[0], v[1], v[2]);
}

/* That of its headers, from which the loaded one may not differ: a call would begin all of HDF5. */
static void hdf5(char *to)
{
    put(to, QUOTED(H5_VERS_MAJOR) "." QUOTED(H5_VERS_MINOR) "." QUOTED(H5_VERS_RELEASE));
}

static void libzip(char *to) { put(to, zip_libzip_version()); }

#ifdef ROUTH_HAS_SUNDIALS
static void sundials(char *to) { SUNDIALSGetVersion(to, ROOM); }
#else
#define sundials NULL
#endif

#ifdef ROUTH_HAS_NLOPT
static void nlopt(char *to)
{
    int v[3] = {0};
    nlopt_version(&v[0], &v[1], &v[2]);
    snprintf(to, ROOM, "%d.%d.%d", v[0], v[1], v[2]);
}
#else
#define nlopt NULL
#endif

#ifdef ROUTH_HAS_FLINT
static void flint(char *to) { put(to, FLINT_VERSION); }
static void arb(char *to) { put(to, arb_version); }
static void calcium(char *to) { put(to, calcium_version()); }
static void gmp(char *to) { put(to, gmp_version); }
#else
#define flint NULL
#define arb NULL
#define calcium NULL
#define gmp NULL
#endif

#ifdef ROUTH_FFTW
static void fftw(char *to)
{
    const char *dash = strchr(fftw_version, '-'); /* "fftw-3.3.10-sse2-avx" */
    if (dash) snprintf(to, ROOM, "%.*s", (int)strcspn(dash + 1, "-"), dash + 1);
}
#else
#define fftw NULL
#endif

#ifdef _OPENMP
static void openmp(char *to)
{
    switch (_OPENMP) { /* the month of its standard */
        case 201511: put(to, "4.5"); break;
        case 201811: put(to, "5.0"); break;
        case 202011: put(to, "5.1"); break;
        case 202111: put(to, "5.2"); break;
        default: put(to, QUOTED(_OPENMP));
    }
}
#else
#define openmp NULL
#endif

/* ---- the table ------------------------------------------------------------------------------- */

#define FOR_SYMBOLIC "routh symbolic; the closed form in routh check"
#define NO_SYMBOLIC "routh symbolic is refused, and routh check lacks its closed form"
#define GCC_EXCEPTION "GPL-3.0-or-later WITH GCC-exception-3.1"

#ifdef __clang__
#define OPENMP_LICENCE "Apache-2.0 WITH LLVM-exception"
#else
#define OPENMP_LICENCE GCC_EXCEPTION
#endif

typedef struct build_row {
    routh_component component;
    void (*version)(char *to); /* NULL: not built in */
} build_row;

static const build_row table[] = {
    {{"OpenBLAS", "dense matrices", NULL, "libopenblas-dev", "BSD-3-Clause", 0, ""}, openblas},
    {{"LAPACK", "eigenvalues, dense factors", NULL, "liblapacke-dev", "BSD-3-Clause", 0, ""},
     lapack},
    {{"SuiteSparse", "sparse factors (KLU, BTF, AMD, COLAMD)", NULL, "libsuitesparse-dev",
      "LGPL-2.1-or-later AND BSD-3-Clause", 0, ""},
     suitesparse},
    {{"ARPACK", "some eigenvalues of large mechanisms", NULL, "libarpack2-dev", "BSD-3-Clause", 0,
      ""},
     arpack},
    {{"libyaml", "model files", NULL, "libyaml-dev", "MIT", 0, ""}, yaml},
    {{"jansson", "reading JSON", NULL, "libjansson-dev", "MIT", 0, ""}, jansson},
    {{"HDF5", "time histories and linear models in .h5", NULL, "libhdf5-dev", "BSD-3-Clause", 0,
      ""},
     hdf5},
    {{"matio", "linear models in .mat", NULL, "libmatio-dev", "BSD-2-Clause", 0, ""}, matio},
    {{"libzip", "linear models in .npz", NULL, "libzip-dev", "BSD-3-Clause", 0, ""}, libzip},
    {{"SUNDIALS", "integrators explicit-runge-kutta, adams, bdf",
      "routh simulate integrates by hht and generalized-alpha only", "libsundials-dev",
      "BSD-3-Clause", 0, ""},
     sundials},
    {{"NLopt", "routh optimise", "routh optimise is refused", "libnlopt-dev",
      "LGPL-2.1-or-later AND MIT", 0, ""},
     nlopt},
    {{"FLINT", FOR_SYMBOLIC, NO_SYMBOLIC, "libcalcium-dev", "LGPL-2.1-or-later", 0, ""}, flint},
    {{"Arb", FOR_SYMBOLIC, NO_SYMBOLIC, "libflint-arb-dev", "LGPL-2.1-or-later", 0, ""}, arb},
    {{"Calcium", FOR_SYMBOLIC, NO_SYMBOLIC, "libcalcium-dev", "LGPL-2.1-or-later", 0, ""}, calcium},
    {{"GMP", FOR_SYMBOLIC, NO_SYMBOLIC, "libcalcium-dev", "LGPL-3.0-or-later OR GPL-2.0-or-later",
      0, ""},
     gmp},
    {{"OpenMP", "several threads", "all runs in one thread", "gcc", OPENMP_LICENCE, 0, ""}, openmp},
    {{"FFTW", "Fourier transforms", "Routh's own Fourier transform is used", "libfftw3-dev",
      "GPL-2.0-or-later", 0, ""},
     fftw},
};
enum { N_TABLE = sizeof table / sizeof *table };

/* The page is no library: it is built by npm, of three.js, and embedded. */
static routh_component page(void)
{
    return (routh_component){"report page",
                             "routh report (with three.js)",
                             "routh report is refused",
                             "npm",
                             "MIT",
                             rt_report_page_size > 0,
                             ""};
}

int routh_build_component(int k, routh_component *component)
{
    if (k == N_TABLE) {
        *component = page();
        return 1;
    }
    if (k < 0 || k > N_TABLE) return 0;
    *component = table[k].component;
    component->present = table[k].version != NULL;
    if (component->present) table[k].version(component->version);
    return 1;
}

/* ---- the whole ------------------------------------------------------------------------------- */

#if defined(__clang__)
#define COMPILER                                                                                   \
    "clang " QUOTED(__clang_major__) "." QUOTED(__clang_minor__) "." QUOTED(__clang_patchlevel__)
#elif defined(__GNUC__)
#define COMPILER "gcc " QUOTED(__GNUC__) "." QUOTED(__GNUC_MINOR__) "." QUOTED(__GNUC_PATCHLEVEL__)
#else
#define COMPILER "unknown"
#endif

/* An OpenBLAS that is older than the processor takes its oldest kernels. */
static const char *kernels_advice(const char *kernels)
{
#if defined(__x86_64__) && defined(__GNUC__)
    static const char *const old[] = {"Prescott", "Core2", "Penryn", "Nehalem", "Barcelona"};
    bool slow = false;
    for (size_t k = 0; k < sizeof old / sizeof *old; k++)
        slow = slow || strcmp(kernels, old[k]) == 0;
    if (slow && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "this processor has AVX2: OPENBLAS_CORETYPE=HASWELL in the environment takes "
               "kernels that are up to twice as fast";
#else
    (void)kernels;
#endif
    return NULL;
}

routh_build routh_build_info(void)
{
    const rt_copyleft *part = rt_copyleft_loaded();
    return (routh_build){
        .version = routh_version(),
        .type = ROUTH_BUILD_TYPE,
        .compiler = COMPILER,
        .licence = part ? part->licence : "BSD-3-Clause",
        .licence_why = part ? part->why
                            : "what it has loaded is under permissive licences or the LGPL",
        .kernels = openblas_get_corename(),
        .kernels_advice = kernels_advice(openblas_get_corename()),
    };
}
