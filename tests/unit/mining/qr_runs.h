#ifndef QR_RUNS_H
#define QR_RUNS_H
/* Runs of the QR application made from a known formula. */
#include "tests/support/uniform.h"
#include "tests/unit/mining/qr_application.h"

/* t = 1e-9 m n^2 / (p b^0.2), twice that with layout "column", half with "tiled". */
static inline double qr_power_law(struct qr c)
{
	static const double factor[3] = {1, 2, 0.5};

	return 1e-9 * c.m * c.n * c.n / (c.procs * pow(c.b, 0.2)) * factor[(int)c.layout];
}

enum { QR_DESIGN_N = 162 };

/* Configuration i of a factorial design: 3 values each of m, n, b and procs, two layouts; the
 * processors change slowest. */
static inline struct qr qr_design(int i)
{
	static const double m[] = {1000, 4000, 16000}, n[] = {500, 1000, 2000}, b[] = {16, 64, 256},
			    procs[] = {1, 4, 16};

	return (struct qr){m[i % 3], n[i / 3 % 3], b[i / 9 % 3], i / 27 % 2, procs[i / 54]};
}

/* All of them once, with relative noise up to +-noise. */
static inline struct dataset *qr_runs(const struct application *a, double (*time_s)(struct qr c),
				      double noise)
{
	struct dataset *d = dataset_new(a);
	uint64_t seed = 5;

	for (int i = 0; i < QR_DESIGN_N; i++) {
		struct qr c = qr_design(i);

		qr_add(d, c, time_s(c) * (1 + uniform_draw(&seed, -noise, noise)));
	}
	return d;
}

#endif
