/* How long mining takes inside the process, without loading and without the predictor's fit, and
 * what each step of it takes: runs of Sweep3D that a fixed generator makes in memory, mostly
 * distinct configurations. With a knowledge base instead of a number, the time to load its runs.
 * usage: bench_mining ROWS | KB; prints lines `name wall-seconds cpu-seconds megabytes`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "domain/configuration.h"
#include "kb/kb.h"
#include "mining/rules/mine_rules.h"
#include "mining/cases/rule_miners.h"
#include "mining/numerics/mining_init.h"

enum { MAX_COLUMNS = 64 };

struct stopwatch {
	double wall_s, cpu_s;
};

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static struct stopwatch now(void)
{
	struct timespec t;
	struct rusage use;

	clock_gettime(CLOCK_MONOTONIC, &t);
	getrusage(RUSAGE_SELF, &use);
	return (struct stopwatch){(double)t.tv_sec + 1e-9 * (double)t.tv_nsec,
				  seconds_of(use.ru_utime) + seconds_of(use.ru_stime)};
}

/* The most memory is that of the process so far. */
static struct stopwatch tell(const char *name, struct stopwatch since)
{
	struct stopwatch t = now();
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	printf("%s %.3f %.3f %.0f\n", name, t.wall_s - since.wall_s, t.cpu_s - since.cpu_s,
	       (double)use.ru_maxrss / 1000);
	fflush(stdout);
	return now();
}

/* xorshift64* (Vigna 2016); [0, 1) */
static double uniform(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)((*state * 0x2545f4914f6cdd1du) >> 11) * 0x1p-53;
}

static double pick(uint64_t *state, int n)
{
	return floor(uniform(state) * n);
}

/* The pipeline's shape, a cost for each block, a rule to be found, and noise of 3 %. */
static double time_of(const struct application *a, const double *row, uint64_t *seed)
{
	double blocks = row[application_column(a, "blocks")];
	double efficiency = row[application_column(a, "efficiency")];
	double procs = row[application_column(a, "procs")];
	double mk = row[application_column(a, "mk")];
	double t = 1e-5 * row[application_column(a, "cells_per_proc")] / efficiency + 1e-4 * blocks;

	if (procs >= 64 && mk <= 4)
		t *= 1.3;
	return t * exp(0.03 * (uniform(seed) + uniform(seed) + uniform(seed) + uniform(seed) - 2) *
		       sqrt(3));
}

/* 50 x 50 problems, 32 grids, 20 x 4 blockings: 6.4 million configurations. */
static enum err_code add_run(struct dataset *runs, int64_t run_id, uint64_t *seed, struct err *e)
{
	static const double mmi[] = {1, 2, 3, 6};
	const struct application *a = runs->app;
	double row[MAX_COLUMNS], i = pick(seed, 50), j = pick(seed, 50), grid = pick(seed, 32);

	configuration_clear(a, row);
	row[application_column(a, "it_g")] = 50 + 10 * i;
	row[application_column(a, "jt_g")] = 50 + 10 * j;
	row[application_column(a, "kt")] = 100 + 100 * fmod(i + j, 2);
	row[application_column(a, "npe_i")] = exp2(fmod(grid, 6));
	row[application_column(a, "npe_j")] = 1 + floor(grid / 6);
	row[application_column(a, "nodes")] = ceil(exp2(fmod(grid, 6)) * (1 + floor(grid / 6)) / 8);
	row[application_column(a, "mk")] = 1 + pick(seed, 20);
	row[application_column(a, "mmi")] = mmi[(int)pick(seed, 4)];
	configuration_default_workload(a, row);
	configuration_derive(a, row);
	return dataset_add(runs, row, time_of(a, row, seed), run_id, 1, SOURCE_SIMULATED, RUN_OK, 1,
			   e);
}

static enum err_code make_runs(const struct application *a, long n, struct dataset **out,
			       struct err *e)
{
	struct dataset *runs = dataset_new(a);
	uint64_t seed = 7;
	enum err_code rc = ERR_OK;

	if (!runs)
		return err_set(e, ERR_NOMEM, "runs");
	for (long i = 0; i < n && !rc; i++)
		rc = add_run(runs, i + 1, &seed, e);
	*out = runs;
	return rc;
}

static enum err_code time_steps(const struct dataset *runs, struct err *e)
{
	struct slowdown_table *t = NULL;
	struct findings findings = {0};
	struct rule_list rules = {0};
	struct stopwatch since = now();
	enum err_code rc;

	if ((rc = slowdown_table_make(runs, NULL, &t, e)))
		return rc;
	since = tell("table", since);
	if ((rc = mine_profile(runs, t, &findings, e)))
		goto done;
	since = tell("profile", since);
	if ((rc = mine_effects(t, NULL, &findings, e)))
		goto done;
	since = tell("effects", since);
	if ((rc = mine_hypotheses(t, &findings, e)))
		goto done;
	since = tell("hypotheses", since);
	if ((rc = mine_ranking(t, 0.05, &findings, e)))
		goto done;
	since = tell("ranking", since);
	if ((rc = mine_choice_rules(t, NULL, &rules, e)))
		goto done;
	since = tell("choice_rules", since);
	if ((rc = mine_setting_rules(t, NULL, &rules, e)))
		goto done;
	since = tell("setting_rules", since);
	if ((rc = mine_time_rules(t, NULL, NULL, &rules, e)))
		goto done;
	tell("time_rules", since);
done:
	rule_list_release(&rules);
	findings_release(&findings);
	slowdown_table_free(t);
	return rc;
}

static enum err_code bench_rows(long n, struct err *e)
{
	struct application *a = NULL;
	struct dataset *runs = NULL;
	struct mined mined = {.rules = {.n = 0}};
	struct stopwatch since;
	enum err_code rc;

	if ((rc = application_read("data/applications/sweep3d.conf", &a, e)))
		return rc;
	since = now();
	if ((rc = make_runs(a, n, &runs, e)))
		goto done;
	since = tell("rows_made", since);
	if ((rc = mine_rules(runs, NULL, "bench", NULL, NULL, &mined, e)))
		goto done;
	tell("all", since);
	rc = time_steps(runs, e);
done:
	mined_release(&mined);
	dataset_free(runs);
	application_free(a);
	return rc;
}

static enum err_code bench_load(const char *path, struct err *e)
{
	struct kb *kb = NULL;
	struct application *a = NULL;
	struct dataset *runs = NULL;
	int64_t id;
	struct stopwatch since;
	enum err_code rc;

	if ((rc = kb_open(path, KB_READ, NULL, &kb, e)) ||
	    (rc = kb_get_application(kb, "sweep3d", &a, &id, e)))
		goto done;
	since = now();
	if (!(rc = kb_load_runs(kb, a, NULL, NULL, &runs, e)))
		tell("load", since);
done:
	dataset_free(runs);
	application_free(a);
	kb_close(kb);
	return rc;
}

int main(int argc, char **argv)
{
	struct err e = {0};
	char *end = NULL;
	long n = argc == 2 ? strtol(argv[1], &end, 10) : 0;

	mining_init();
	if (argc != 2)
		err_set(&e, ERR_USAGE, "usage: bench_mining ROWS | KB");
	else if (n > 0 && *end == '\0')
		bench_rows(n, &e);
	else
		bench_load(argv[1], &e);
	if (e.code)
		fprintf(stderr, "bench_mining: %s\n", e.msg);
	return err_exit_status(e.code);
}
