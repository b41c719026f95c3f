/* Adaptive choice of runs against Latin hypercubes and random ones, with shipped runs as the
 * oracle: the mean loss of the recommendation (time over the best's, minus 1) over all problems
 * that were measured in several configurations, by the number of runs spent. usage: bench_adaptive
 * BASE APPLICATION MACHINE METHOD SEED RUNS...; METHOD: adaptive, latin or random; fastest: as
 * latin, but the answer is the fastest prediction, whatever supports it; hindsight: runs as
 * somebody would choose them who knows all times. Prints lines "METHOD SEED RUNS LOSS EXPECTED
 * LOSS-BUT-WORST". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/adaptive.h"
#include "acquire/design.h"
#include "acquire/point_levels.h"
#include "kb/kb.h"
#include "mining/numerics/mining_init.h"
#include "base/splitmix.h"
#include "mining/predictor/predictor.h"
#include "mining/training/config_table.h"

enum { EXCHANGES = 400 };

struct oracle {
	const struct fit_input *in;
	struct config_table *configs;
	struct adaptive_question *question;
	size_t n_questions;
	size_t n_start;
	uint64_t seed;
	const char *method;
};

/* The runs of the configurations with seen[i] != 0, one each: its typical time. */
static struct dataset *spend(const struct oracle *o, const unsigned char *seen, struct err *e)
{
	struct dataset *d = dataset_new(o->configs->app);

	for (size_t i = 0; d && i < o->configs->n; i++) {
		if (seen[i] &&
		    dataset_add(d, config_table_row(o->configs, i), o->configs->time_s[i],
				(int64_t)i + 1, 1, o->configs->source[i], RUN_OK, 1, e)) {
			dataset_free(d);
			return NULL;
		}
	}
	return d;
}

/* *but_worst: the mean over all problems but the one that loses most. */
static double loss(const struct oracle *o, const size_t *recommended, double *but_worst)
{
	double sum = 0, most = 0;

	for (size_t k = 0; k < o->n_questions; k++) {
		const struct adaptive_question *q = &o->question[k];
		double least = INFINITY, mean = 0, lost;

		for (size_t i = 0; i < q->n; i++) {
			least = fmin(least, o->configs->time_s[q->point[i]]);
			mean += o->configs->time_s[q->point[i]] / (double)q->n;
		}
		/* without an answer somebody takes any */
		lost = (recommended[k] == SIZE_MAX ? mean : o->configs->time_s[recommended[k]]) /
			       least -
		       1;
		sum += lost;
		most = fmax(most, lost);
	}
	*but_worst = o->n_questions > 1 ? (sum - most) / (double)(o->n_questions - 1) : 0;
	return sum / (double)o->n_questions;
}

static enum err_code ask(const struct oracle *o, const unsigned char *seen, size_t n_batch,
			 struct adaptive_choice *out, struct err *e)
{
	struct fit_input in = *o->in;
	struct dataset *runs = spend(o, seen, e);
	struct adaptive_request q = {.in = &in,
				     .row = o->configs->x,
				     .n_points = o->configs->n,
				     .question = o->question,
				     .n_questions = o->n_questions,
				     .n_batch = n_batch,
				     .seed = o->seed};
	enum err_code rc;

	if (!runs)
		return err_set(e, ERR_NOMEM, "runs");
	in.runs = runs;
	rc = adaptive_choose(&q, out, e);
	dataset_free(runs);
	return rc;
}

/* In place of what recommend answers: the least of measured times and predictions. */
static enum err_code answer_fastest(const struct oracle *o, const unsigned char *seen,
				    size_t *answer, struct err *e)
{
	struct fit_input in = *o->in;
	struct dataset *runs = spend(o, seen, e);
	struct predictor *p = NULL;
	struct prediction at;
	enum err_code rc;

	if (!runs)
		return err_set(e, ERR_NOMEM, "runs");
	in.runs = runs;
	if ((rc = predictor_fit(NULL, &in, &p, e)))
		goto done;
	for (size_t k = 0; k < o->n_questions; k++) {
		const struct adaptive_question *q = &o->question[k];
		double least = INFINITY;

		for (size_t j = 0; j < q->n; j++) {
			const size_t i = q->point[j];
			double time_s = o->configs->time_s[i];

			if (!seen[i]) {
				predictor_predict(p, config_table_row(o->configs, i), 1, &at);
				time_s = at.time_s;
			}
			if (time_s < least) {
				least = time_s;
				answer[k] = i;
			}
		}
	}
done:
	predictor_free(p);
	dataset_free(runs);
	return rc;
}

static enum err_code report(const struct oracle *o, const unsigned char *seen, size_t n,
			    struct err *e)
{
	struct adaptive_choice c = {0};
	enum err_code rc = ask(o, seen, 0, &c, e);

	if (!rc && !strcmp(o->method, "fastest"))
		rc = answer_fastest(o, seen, c.recommended, e);
	if (!rc) {
		double but_worst, all = loss(o, c.recommended, &but_worst);

		printf("%s %llu %zu %.5f %.5f %.5f\n", o->method, (unsigned long long)o->seed, n,
		       all, c.loss, but_worst);
		fflush(stdout);
	}
	adaptive_choice_release(&c);
	return rc;
}

static enum err_code choose_at_once(const struct oracle *o, size_t n, unsigned char *seen,
				    struct err *e)
{
	size_t *chosen = calloc(o->configs->n + 1, sizeof *chosen);
	struct point_levels p = {0};
	uint64_t random = o->seed;
	enum err_code rc =
		chosen ? point_levels_init(&p, o->configs->app, o->configs->x, o->configs->n, e)
		       : err_set(e, ERR_NOMEM, "a design");

	if (!rc && strcmp(o->method, "random") != 0) {
		struct design_list l = {.n_points = o->configs->n,
					.n_factors = p.n_factors,
					.n_levels = p.n_levels,
					.nominal = p.nominal,
					.level = p.level};

		rc = design_choose(&l, NULL, n, o->seed, chosen, e);
	} else if (!rc) {
		for (size_t i = 0; i < o->configs->n; i++) {
			size_t k = (size_t)(splitmix_next(&random) % (i + 1));

			chosen[i] = chosen[k];
			chosen[k] = i;
		}
	}
	memset(seen, 0, o->configs->n);
	for (size_t i = 0; i < n && !rc; i++)
		seen[chosen[i]] = 1;
	point_levels_release(&p);
	free(chosen);
	return rc;
}

/* A tenth of what was run, at least four. */
static size_t next_batch(size_t n)
{
	return n / 10 > 4 ? n / 10 : 4;
}

static enum err_code one_after_another(const struct oracle *o, size_t n_stops, char **stop,
				       unsigned char *seen, struct err *e)
{
	size_t n = 0;
	enum err_code rc = ERR_OK;

	for (size_t s = 0; s < n_stops && !rc; s++) {
		size_t until = (size_t)atol(stop[s]);
		while (n < until && !rc) {
			size_t batch = n < o->n_start ? o->n_start - n : next_batch(n);
			struct adaptive_choice c = {0};

			batch = batch < until - n ? batch : until - n;
			if (!(rc = ask(o, seen, batch, &c, e)) && c.n == 0)
				until = n;
			for (size_t i = 0; i < c.n && !rc; i++)
				seen[c.run[i].point] = 1;
			n += c.n;
			adaptive_choice_release(&c);
		}
		if (!rc)
			rc = report(o, seen, n, e);
	}
	return rc;
}

/* The least loss that sets of n runs were found to leave by somebody who knows all times: from a
 * random set, one run after another is exchanged for another and kept so if less is lost. */
static enum err_code choose_by_hindsight(const struct oracle *o, size_t n, unsigned char *seen,
					 struct err *e)
{
	struct oracle random = *o;
	uint64_t luck = o->seed;
	double least = INFINITY;
	enum err_code rc;

	random.method = "random";
	rc = choose_at_once(&random, n, seen, e);
	for (int k = 0; k < EXCHANGES && !rc; k++) {
		struct adaptive_choice c = {0};
		size_t in, out;
		double lost, but_worst;

		do {
			in = (size_t)(splitmix_next(&luck) % o->configs->n);
			out = (size_t)(splitmix_next(&luck) % o->configs->n);
		} while (!seen[out] || seen[in]);
		seen[in] = k > 0;
		seen[out] = k == 0;
		if (!(rc = ask(o, seen, 0, &c, e)) &&
		    (lost = loss(o, c.recommended, &but_worst)) <= least) {
			least = lost;
		} else {
			seen[in] = 0;
			seen[out] = 1;
		}
		adaptive_choice_release(&c);
	}
	return rc;
}

static enum err_code replay(const struct oracle *o, size_t n_stops, char **stop, struct err *e)
{
	unsigned char *seen = calloc(o->configs->n + 1, 1);
	enum err_code rc = seen ? ERR_OK : err_set(e, ERR_NOMEM, "runs");

	if (!rc && !strcmp(o->method, "adaptive")) {
		rc = one_after_another(o, n_stops, stop, seen, e);
	} else {
		for (size_t s = 0; s < n_stops && !rc; s++) {
			size_t n = (size_t)atol(stop[s]);

			n = n < o->configs->n ? n : o->configs->n;
			rc = !strcmp(o->method, "hindsight") ? choose_by_hindsight(o, n, seen, e)
							     : choose_at_once(o, n, seen, e);
			if (!rc)
				rc = report(o, seen, n, e);
		}
	}
	free(seen);
	return rc;
}

int main(int argc, char **argv)
{
	struct kb *kb = NULL;
	struct application *a = NULL;
	struct dataset *runs = NULL;
	struct machine *machine = NULL;
	struct oracle o = {0};
	struct err e = {0};
	struct kb_filter of_machine = {0};
	int64_t app_id;
	enum err_code rc;

	if (argc < 7) {
		fputs("usage: bench_adaptive BASE APPLICATION MACHINE METHOD SEED RUNS...\n",
		      stderr);
		return 2;
	}
	mining_init();
	if (!(rc = kb_open(argv[1], KB_READ, NULL, &kb, &e)) &&
	    !(rc = kb_get_application(kb, argv[2], &a, &app_id, &e)) &&
	    !(rc = kb_get_machine(kb, argv[3], &machine, &of_machine.machine_id, &e)) &&
	    !(rc = kb_load_runs(kb, a, &of_machine, NULL, &runs, &e)) &&
	    !(rc = dataset_order_by_content(runs, &e)) &&
	    !(rc = config_table_make(runs, &o.configs, &e))) {
		const struct fit_input in = {.runs = runs, .machine = machine};

		o.in = &in;
		o.n_start = adaptive_default_start(a, o.configs->x, o.configs->n);
		o.method = argv[4];
		o.seed = strtoull(argv[5], NULL, 10);
		if (!(rc = adaptive_questions_of_space(a, o.configs->x, o.configs->n, &o.question,
						       &o.n_questions, &e)))
			rc = replay(&o, (size_t)argc - 6, argv + 6, &e);
	}
	if (rc)
		fprintf(stderr, "bench_adaptive: %s\n", e.msg);
	free(o.question);
	config_table_free(o.configs);
	dataset_free(runs);
	machine_free(machine);
	application_free(a);
	kb_close(kb);
	return rc != ERR_OK;
}
