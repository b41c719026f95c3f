#ifndef QR_APPLICATION_H
#define QR_APPLICATION_H
/* An application made from flags, as somebody with a CSV file of QR factorisations has it: matrix m
 * x n, block size b, a data layout (text: "row" 0, "column" 1, "tiled" 2), processors. */
#include "tests/support/check.h"
#include "tests/support/made_runs.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "domain/dataset.h"

struct qr {
	double m, n, b, layout, procs;
};

static inline struct application *qr_application(void)
{
	struct application *a = made_application("qr", "m,n", "b,layout", "layout", "procs");

	made_levels(a, "layout", "row,column,tiled");
	return a;
}

static inline void qr_row(const struct application *a, struct qr c, double *row)
{
	configuration_clear(a, row);
	row[application_column(a, "m")] = c.m;
	row[application_column(a, "n")] = c.n;
	row[application_column(a, "b")] = c.b;
	row[application_column(a, "layout")] = c.layout;
	row[application_column(a, "procs")] = c.procs;
	configuration_derive(a, row);
}

static inline void qr_add_as(struct dataset *d, struct qr c, double wall_s, enum run_status status)
{
	double row[16];

	qr_row(d->app, c, row);
	runs_add_as(d, row, wall_s, SOURCE_MEASURED, status);
}

static inline void qr_add(struct dataset *d, struct qr c, double wall_s)
{
	qr_add_as(d, c, wall_s, RUN_OK);
}

#endif
