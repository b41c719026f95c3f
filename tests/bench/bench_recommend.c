/* How long the search for advice takes inside the process: two questions, the median of nine
 * answers each, after fitting the predictor to the runs of data/runs/simulated_sp2like.csv.
 * usage: bench_recommend [DATA-FOLDER]; prints lines `name value unit`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "domain/configuration.h"
#include "mining/numerics/mining_init.h"
#include "recommend/space/recommend.h"

enum { REPEATS = 9, MAX_COLUMNS = 64 };

struct bench {
	struct application *app;
	struct machine *machine;
	struct dataset *runs;
	struct predictor *predictor;
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* app,machine,source,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat */
static enum err_code add_line(struct bench *b, const char *line, int64_t run_id, struct err *e)
{
	static const char *const name[] = {"it_g",  "jt_g", "kt",  "npe_i",	"npe_j",
					   "nodes", "mk",   "mmi", "iterations"};
	enum { N = sizeof name / sizeof *name };
	double v[N], wall_s, row[MAX_COLUMNS];

	if (sscanf(line, "%*[^,],%*[^,],%*[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v[0],
		   &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &wall_s) != N + 1)
		return run_id == 0 ? ERR_OK /* the header */ : err_set(e, ERR_PARSE, "%s", line);
	configuration_clear(b->app, row);
	for (int i = 0; i < N; i++)
		row[application_column(b->app, name[i])] = v[i];
	configuration_default_workload(b->app, row);
	return dataset_add(b->runs, row, wall_s, run_id, 1, SOURCE_SIMULATED, RUN_OK, 1, e);
}

static enum err_code read_runs(struct bench *b, const char *path, struct err *e)
{
	FILE *f = fopen(path, "r");
	char line[512];
	enum err_code rc = ERR_OK;

	if (!f)
		return err_set(e, ERR_IO, "cannot read %s", path);
	for (int64_t i = 0; !rc && fgets(line, sizeof line, f); i++)
		rc = add_line(b, line, i, e);
	fclose(f);
	return rc;
}

static enum err_code prepare(struct bench *b, const char *data, struct err *e)
{
	char path[4096];
	enum err_code rc;

	snprintf(path, sizeof path, "%s/applications/sweep3d.conf", data);
	if ((rc = application_read(path, &b->app, e)))
		return rc;
	if (b->app->n_columns > MAX_COLUMNS)
		return err_set(e, ERR_ARG, "more than %d columns", MAX_COLUMNS);
	snprintf(path, sizeof path, "%s/machines/sp2like.conf", data);
	if ((rc = machine_read(path, &b->machine, e)))
		return rc;
	b->runs = dataset_new(b->app);
	if (!b->runs)
		return err_set(e, ERR_NOMEM, "runs");
	snprintf(path, sizeof path, "%s/runs/simulated_sp2like.csv", data);
	if ((rc = read_runs(b, path, e)))
		return rc;
	return predictor_fit(NULL, &(struct fit_input){.runs = b->runs, .machine = b->machine},
			     &b->predictor, e);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static enum err_code ask(const struct bench *b, const char *name, const char *problem,
			 double deadline_s, int64_t max_nodes, struct err *e)
{
	double row[MAX_COLUMNS], took_s[REPEATS];
	struct advice_request q = {
		.app = b->app,
		.machine = b->machine,
		.predictor = b->predictor,
		.runs = b->runs,
		.row = row,
		.deadline_s = deadline_s,
		.confidence = 0.9,
		.objective = OBJECTIVE_NODES,
		.max_nodes = max_nodes,
	};
	enum err_code rc;

	configuration_clear(b->app, row);
	if ((rc = configuration_set_problem(b->app, problem, true, row, e)))
		return rc;
	configuration_default_workload(b->app, row);
	for (int i = 0; i < REPEATS; i++) {
		struct advice *a = NULL;
		double start = now_s();

		if ((rc = advice_find(&q, &a, e)))
			return rc;
		took_s[i] = now_s() - start;
		if (i == 0)
			printf("%s_configurations %.0f count\n%s_predicted %.0f count\n", name,
			       (double)a->n_legal, name, (double)a->n_predicted);
		advice_free(a);
	}
	qsort(took_s, REPEATS, sizeof *took_s, compare);
	printf("%s_time %.3f ms\n", name, 1e3 * took_s[REPEATS / 2]);
	return ERR_OK;
}

int main(int argc, char **argv)
{
	struct bench b = {0};
	struct err e = {0};

	mining_init();
	if (!prepare(&b, argc > 1 ? argv[1] : "data", &e) &&
	    !ask(&b, "recommend_280_4096", "280x280x255", 3600, 4096, &e) &&
	    !ask(&b, "recommend_280_4096_tight", "280x280x255", 120, 4096, &e))
		ask(&b, "recommend_1000_million", "1000x1000x1000", 86400, 1000000, &e);
	if (e.code)
		fprintf(stderr, "bench_recommend: %s\n", e.msg);
	predictor_free(b.predictor);
	dataset_free(b.runs);
	machine_free(b.machine);
	application_free(b.app);
	return err_exit_status(e.code);
}
