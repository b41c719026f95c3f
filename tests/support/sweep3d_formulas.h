#ifndef TESTS_SWEEP3D_FORMULAS_H
#define TESTS_SWEEP3D_FORMULAS_H
#include <stdint.h>
#include "base/err.h"
#include "models/sweep.h"

/* What Sweep3D prints about a configuration before and after a run. Source: README and sample
 * outputs of Sweep3D 2.2b, LANL LA-CC-97-5. KB = ceil(kt/mk), MMO = mm/mmi, I = npe_i,
 * J = npe_j. All refuse what sweep_block_of() refuses. */

/* 8 MMO KB / (8 MMO KB + 2 (I-1) + 4 (J-1)), in (0, 1]: the share of the time that a processor
 * computes if messages are free. */
enum err_code sweep3d_efficiency(const struct sweep *s, double *out, struct err *e);

/* 8 KB MMO ((I-1) J + (J-1) I) messages of all processors in one iteration. */
enum err_code sweep3d_messages_per_iteration(const struct sweep *s, double *out, struct err *e);

/* 8 (it jt kt (3 + isct + 1 + 2 nm) + 3 (it+1) (jt+1) (kt+1)) bytes of the largest sub-grid, with
 * nm flux moments and scattering order isct (the sample runs: 4 and 1); the second term holds the
 * face currents. */
enum err_code sweep3d_memory_bytes_per_domain(const struct sweep *s, int64_t nm, int64_t isct,
					      double *out, struct err *e);

/* elapsed / (cells * 8 mm * iterations) [s], over all processors; on one processor the first
 * estimate of Wg. Errors: ARG also for a time that is not finite and > 0. */
enum err_code sweep3d_grind_s(const struct sweep *s, int64_t iterations, double elapsed_s,
			      double *out, struct err *e);

#endif
