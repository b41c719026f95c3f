#ifndef TERMS_APPLICATION_H
#define TERMS_APPLICATION_H
/* An application with terms, and runs whose time is made of them. */
#include "tests/support/check.h"
#include "tests/support/made_runs.h"
#include "tests/support/uniform.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "domain/dataset.h"

#define TERMS_APPLICATION_COMPUTE "\"n * n * n / procs\", \"m * n\""
#define TERMS_APPLICATION_COMMUNICATION "\"log2(procs)\", \"n * procs\""

struct terms_run {
	double n, m, nodes, ppn;
};

/* terms: the text of the keys compute and communication. */
static inline struct application *terms_application(const char *terms)
{
	struct strbuf text = STRBUF_INIT;
	struct application *a = NULL;

	strbuf_printf(
		&text,
		"application = { name = \"t\";"
		"  problem = ( { name = \"n\"; min = 1; }, { name = \"m\"; min = 1; } );"
		"  resources = ( { name = \"nodes\"; min = 1; }, { name = \"ppn\"; min = 1; } );"
		"  derived = ( { name = \"procs\"; expr = \"nodes * ppn\"; } );"
		"  target = { name = \"time\"; unit = \"s\"; }; %s };",
		terms);
	must(application_parse(strbuf_text(&text), "t.conf", &a, &err));
	strbuf_release(&text);
	return a;
}

static inline struct application *terms_application_true(void)
{
	return terms_application("compute = [ " TERMS_APPLICATION_COMPUTE
				 " ]; communication = [ " TERMS_APPLICATION_COMMUNICATION " ];");
}

static inline void terms_row(const struct application *a, struct terms_run r, double *row)
{
	configuration_clear(a, row);
	row[application_column(a, "n")] = r.n;
	row[application_column(a, "m")] = r.m;
	row[application_column(a, "nodes")] = r.nodes;
	row[application_column(a, "ppn")] = r.ppn;
	configuration_derive(a, row);
}

#define TERMS_CUBE 2e-9	   /* s, of n^3 / procs */
#define TERMS_PRODUCT 5e-8 /* s, of m n */
#define TERMS_LEVEL 4e-3   /* s, of log2(procs) */

/* Three terms cost, the fourth nothing. */
static inline double terms_time(struct terms_run r)
{
	const double procs = r.nodes * r.ppn;

	return TERMS_CUBE * r.n * r.n * r.n / procs + TERMS_PRODUCT * r.m * r.n +
	       TERMS_LEVEL * log2(procs);
}

/* A factorial design of 4 n, 3 m, nodes 1 to most_nodes in doublings, ppn 1, 4 and 16. */
static inline struct dataset *terms_runs(const struct application *a, double most_nodes,
					 double (*time_s)(struct terms_run r), double noise)
{
	static const double n[] = {100, 200, 400, 800}, m[] = {10, 1000, 100000},
			    ppn[] = {1, 4, 16};
	struct dataset *d = dataset_new(a);
	uint64_t seed = 5;

	assert_non_null(d);
	for (double nodes = 1; nodes <= most_nodes; nodes *= 2) {
		for (int i = 0; i < 36; i++) {
			const struct terms_run r = {n[i % 4], m[i / 4 % 3], nodes, ppn[i / 12]};
			double row[16];

			terms_row(a, r, row);
			runs_add(d, row, time_s(r) * (1 + uniform_draw(&seed, -noise, noise)));
		}
	}
	return d;
}

#endif
