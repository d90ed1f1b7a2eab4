/* Routh: exact linearization of constrained multibody systems. The whole public interface. */
#ifndef ROUTH_ROUTH_H
#define ROUTH_ROUTH_H

#include "routh/animation.h"
#include "routh/answers.h"
#include "routh/attribution.h"
#include "routh/benchmark.h"
#include "routh/build.h"
#include "routh/check.h"
#include "routh/compare.h"
#include "routh/confirm.h"
#include "routh/deal.h"
#include "routh/document.h"
#include "routh/dynamics.h"
#include "routh/exchange.h"
#include "routh/factors.h"
#include "routh/function.h"
#include "routh/history.h"
#include "routh/linear.h"
#include "routh/matrices.h"
#include "routh/mechanism.h"
#include "routh/model.h"
#include "routh/motion.h"
#include "routh/optimise.h"
#include "routh/output.h"
#include "routh/parametric.h"
#include "routh/periodic.h"
#include "routh/reduce.h"
#include "routh/response.h"
#include "routh/state.h"
#include "routh/sensitivity.h"
#include "routh/status.h"
#include "routh/sweep.h"
#include "routh/symbolic.h"
#include "routh/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "Did you mean": the candidate nearest to word, or NULL when none is near; candidates ends with
 * NULL. NULL too where one of the two is. */
ROUTH_API const char *routh_suggest(const char *word, const char *const *candidates);

#ifdef __cplusplus
}
#endif
#endif
