#include "acquire/adaptive_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/knowledge_gradient.h"
#include "mining/numerics/posterior_samples.h"
#include "base/splitmix.h"
#include "mining/training/config_table.h"
#include "recommend/search/rank.h"

enum {
	MAX_CONTENDERS = 48,  /* of a question */
	MAX_CANDIDATES = 192, /* runs that are looked at because they may be answers */
	FURTHER = 64,	      /* and others, at random */
	DRAWS = 128,	      /* of joint beliefs, for the expected loss */
	OUTCOMES = 16,	      /* of a run, where there is a deadline */
	QUANTILES = 64,	      /* of a predicted time */
	MAX_LEARNT = 1000, /* runs that correlations are learnt from; of more, evenly taken ones */
	PREDICTED_PER_POLL = 1000
};

/* recommend's own default. */
static const double confidence = 0.9;
/* A job that misses its deadline costs as much again. */
static const double log_miss = 0.69314718055994530942;
/* The least noise of a run, of log time: even a simulation's formula differs from itself by a
 * placement. */
static const double least_noise = 0.02;
/* The noise of what was run, in variances of the process. */
static const double nugget = 0.01;
/* Of runs that gain at least this share of the most, price decides, as in recommend/next. */
static const double enough = 0.25;

static const double *row_of(const struct adaptive_state *s, size_t i)
{
	return s->request->row + i * s->app->n_columns;
}

static double nodes_of(const struct adaptive_state *s, size_t i)
{
	size_t c = s->app->i_nodes != SIZE_MAX ? s->app->i_nodes : s->app->i_procs;

	return c == SIZE_MAX || isnan(row_of(s, i)[c]) ? 1 : row_of(s, i)[c];
}

/* ---- what was run ---- */

static bool same_configuration(const struct application *app, const double *a, const double *b)
{
	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role != COL_DERIVED && a[c] != b[c] &&
		    !(isnan(a[c]) && isnan(b[c])))
			return false;
	}
	return true;
}

static enum err_code match_runs(struct adaptive_state *s, struct err *e)
{
	const struct dataset *runs = s->request->in->runs;
	struct err own = {0};
	enum err_code rc = config_table_make(runs, &s->runs, &own);

	if (rc && rc != ERR_NODATA) /* none was finished */
		return err_set(e, rc, "%s", own.msg);
	for (size_t i = 0; i < s->request->n_points; i++) {
		s->time_s[i] = NAN;
		for (size_t k = 0; s->runs && k < s->runs->n; k++) {
			if (same_configuration(s->app, row_of(s, i), config_table_row(s->runs, k)))
				s->time_s[i] = s->runs->time_s[k];
		}
		for (size_t r = 0; r < runs->n && !s->taken[i]; r++)
			s->taken[i] =
				same_configuration(s->app, row_of(s, i), dataset_row(runs, r));
		s->failed[i] = s->taken[i] && isnan(s->time_s[i]);
	}
	return ERR_OK;
}

static enum err_code fit(struct adaptive_state *s, struct err *e)
{
	struct err own = {0};
	enum err_code rc;

	rc = predictor_fit(NULL, s->request->in, &s->predictor, &own);
	if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		return ERR_OK; /* the start goes on */
	return rc ? err_set(e, rc, "%s", own.msg) : ERR_OK;
}

static enum err_code interrupted(struct err *e)
{
	return err_set(e, ERR_INTERRUPTED, "interrupted while choosing the next runs");
}

static enum err_code believe(struct adaptive_state *s, struct err *e)
{
	size_t n = s->request->n_points;

	for (size_t i = 0; i < n; i += PREDICTED_PER_POLL) {
		size_t n_now = n - i < PREDICTED_PER_POLL ? n - i : PREDICTED_PER_POLL;

		if (!progress_step(s->request->in->progress, "predictions", i, n))
			return interrupted(e);
		predictor_predict(s->predictor, row_of(s, i), n_now, s->at + i);
	}
	for (size_t i = 0; i < n; i++) {
		const struct prediction *at = &s->at[i];
		double epistemic_sd =
			hypot(prediction_epistemic_sd(s->predictor, at), at->trend_sd);

		s->noise[i] = fmax(prediction_noise_sd(s->predictor, at), least_noise);
		s->mean[i] = log(isnan(s->time_s[i]) ? at->time_s : s->time_s[i]);
		s->sd[i] = isnan(s->time_s[i]) ? fmax(epistemic_sd, least_noise) : s->noise[i];
	}
	return ERR_OK;
}

enum err_code adaptive_state_init(struct adaptive_state *s, const struct adaptive_request *q,
				  struct err *e)
{
	size_t n = q->n_points;
	enum err_code rc;

	*s = (struct adaptive_state){.request = q, .app = q->in->runs->app};
	s->taken = calloc(n, 1);
	s->barred = calloc(n, 1);
	s->failed = calloc(n, 1);
	s->time_s = calloc(n, sizeof *s->time_s);
	s->at = calloc(n, sizeof *s->at);
	s->mean = calloc(n, sizeof *s->mean);
	s->sd = calloc(n, sizeof *s->sd);
	s->noise = calloc(n, sizeof *s->noise);
	s->recommended = calloc(q->n_questions, sizeof *s->recommended);
	if (!s->taken || !s->barred || !s->failed || !s->time_s || !s->at || !s->mean || !s->sd ||
	    !s->noise || !s->recommended) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", n);
		goto done;
	}
	if ((rc = match_runs(s, e)) || (rc = fit(s, e)))
		goto done;
	for (size_t i = 0; i < n; i++) {
		s->taken[i] |= q->pending && q->pending[i];
		s->barred[i] = !s->taken[i] && q->runnable && !q->runnable[i];
		s->n_known += s->taken[i];
		s->n_left += !s->taken[i] && !s->barred[i];
	}
	if (s->predictor)
		rc = believe(s, e);
done:
	if (rc)
		adaptive_state_release(s);
	return rc;
}

void adaptive_state_release(struct adaptive_state *s)
{
	predictor_free(s->predictor);
	correlated_beliefs_release(&s->beliefs);
	free(s->taken);
	free(s->barred);
	free(s->failed);
	free(s->time_s);
	free(s->at);
	free(s->mean);
	free(s->sd);
	free(s->noise);
	free(s->recommended);
	free(s->first);
	free(s->alternative);
	free(s->own_gain);
	free(s->place);
	free(s->candidate);
	free(s->covariance);
	config_table_free(s->runs);
	*s = (struct adaptive_state){0};
}

/* ---- what would be answered ---- */

static struct feasibility feasibility_at(const struct adaptive_state *s,
					 const struct adaptive_question *q, size_t i)
{
	const struct prediction *at = &s->at[i];
	bool measured = !isnan(s->time_s[i]);
	struct feasibility o = {.nodes = nodes_of(s, i),
				.time_s = at->time_s,
				.p_meet = 1,
				.p_budget = 1,
				.in_time = true,
				.in_budget = true};

	o.support = measured ? SUPPORT_INSIDE : at->support;
	o.score_s =
		measured ? s->time_s[i] : prediction_quantile_s(s->predictor, at, RANK_SCORE_PROB);
	o.promise_s = prediction_quantile_s(s->predictor, at, confidence);
	if (!isinf(q->deadline_s)) {
		o.p_meet = prediction_p_meet(s->predictor, at, q->deadline_s);
		o.in_time = o.p_meet >= confidence;
	}
	return o;
}

/* recommend's choice; SIZE_MAX: none meets the deadline with the confidence. */
static size_t answer(const struct adaptive_state *s, const struct adaptive_question *q)
{
	static const enum criterion of[] = {[OBJECTIVE_NODES] = FEWEST_NODES,
					    [OBJECTIVE_NODE_HOURS] = CHEAPEST,
					    [OBJECTIVE_TIME] = FASTEST};
	const enum criterion c = of[q->objective];
	struct rank_key best = {{0}};
	size_t chosen = SIZE_MAX;

	for (size_t k = 0; k < q->n; k++) {
		size_t i = q->point[k];
		struct feasibility o;
		struct rank_key key;

		if (s->failed[i])
			continue;
		o = feasibility_at(s, q, i);
		if (!criterion_admits(c, &o))
			continue;
		key = rank_key(c, &o);
		if (chosen == SIZE_MAX || rank_key_compare(&key, &best) < 0) {
			best = key;
			chosen = i;
		}
	}
	return chosen;
}

/* ---- alternatives ---- */

static double chance_above(double limit, double mean, double sd)
{
	return 0.5 * erfc((limit - mean) / (sd * sqrt(2)));
}

/* The log of what the objective keeps low, if the log time is x. */
static double objective_at(const struct adaptive_state *s, const struct adaptive_question *q,
			   size_t i, double x)
{
	switch (q->objective) {
	case OBJECTIVE_NODES:
		return log(nodes_of(s, i));
	case OBJECTIVE_NODE_HOURS:
		return x + log(nodes_of(s, i));
	case OBJECTIVE_TIME:
		break;
	}
	return x;
}

/* The log of what an answer is expected to cost, misses of a deadline included. */
static double expected_cost(const struct adaptive_state *s, const struct adaptive_question *q,
			    size_t i, double mean, double sd)
{
	const double cost = objective_at(s, q, i, mean);

	if (isinf(q->deadline_s))
		return cost;
	return cost + log_miss * chance_above(log(q->deadline_s), mean, hypot(sd, s->noise[i]));
}

/* Cost if the log time is x. */
static double cost_at(const struct adaptive_state *s, const struct adaptive_question *q, size_t i,
		      double x)
{
	return expected_cost(s, q, i, x, 0);
}

struct ranked_point {
	double cost;
	size_t point;
};

static int compare_standings(const void *a, const void *b)
{
	const struct ranked_point *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return (x->point > y->point) - (x->point < y->point);
}

/* What is answered, and those that could be best if luck has it: the smallest costs, one standard
 * deviation of log time below what is expected. out[MAX_CONTENDERS]. Returns how many. */
static size_t choose_alternatives(struct adaptive_state *s, size_t k, struct ranked_point *work,
				  size_t *out)
{
	const struct adaptive_question *q = &s->request->question[k];
	size_t n = 0, n_out = 0, first = answer(s, q);

	for (size_t j = 0; j < q->n; j++) {
		size_t i = q->point[j];

		if (s->failed[i])
			continue;
		work[n++] = (struct ranked_point){
			expected_cost(s, q, i, s->mean[i] - s->sd[i], s->sd[i]), i};
	}
	qsort(work, n, sizeof *work, compare_standings);
	s->recommended[k] = first;
	if (first != SIZE_MAX)
		out[n_out++] = first;
	for (size_t j = 0; j < n && n_out < MAX_CONTENDERS; j++) {
		if (work[j].point != first)
			out[n_out++] = work[j].point;
	}
	return n_out;
}

static enum err_code find_alternatives(struct adaptive_state *s, struct err *e)
{
	const struct adaptive_request *q = s->request;
	size_t most = 0, room = 0;
	struct ranked_point *work;

	for (size_t k = 0; k < q->n_questions; k++) {
		most = q->question[k].n > most ? q->question[k].n : most;
		room += q->question[k].n < MAX_CONTENDERS ? q->question[k].n : MAX_CONTENDERS;
	}
	work = calloc(most + 1, sizeof *work);
	s->first = calloc(q->n_questions + 1, sizeof *s->first);
	s->alternative = calloc(room + 1, sizeof *s->alternative);
	if (!work || !s->first || !s->alternative) {
		free(work);
		return err_set(e, ERR_NOMEM, "%zu questions", q->n_questions);
	}
	for (size_t k = 0; k < q->n_questions; k++)
		s->first[k + 1] =
			s->first[k] + choose_alternatives(s, k, work, s->alternative + s->first[k]);
	free(work);
	return ERR_OK;
}

/* ---- candidates ---- */

/* What a run of alternative j of question k would bring that question by itself: it is worse than
 * the second best, if it is what is answered, or better than that. The outcome is distributed as
 * the predictor's held-out residuals are, whose tails are heavy: that is why an answer is tried
 * before it is believed for good. (The expected improvement of Jones, Schonlau and Welch,
 * "Efficient global optimization of expensive black-box functions", J. Global Optim. 13, 1998, over
 * what is answered rather than over the best run.) */
static double own_gain(const struct adaptive_state *s, size_t k, size_t j, double answered,
		       double other)
{
	const struct adaptive_question *q = &s->request->question[k];
	size_t i = s->alternative[j];
	double sum = 0;

	if (s->taken[i])
		return 0;
	for (int m = 0; m < QUANTILES; m++) {
		double prob = (m + 0.5) / QUANTILES;
		double x = log(prediction_quantile_s(s->predictor, &s->at[i], prob));
		double cost = cost_at(s, q, i, x);

		sum += j == s->first[k] ? fmax(0, cost - other) : fmax(0, answered - cost);
	}
	return sum / QUANTILES;
}

static enum err_code find_own_gains(struct adaptive_state *s, struct err *e)
{
	s->own_gain = calloc(s->first[s->request->n_questions] + 1, sizeof *s->own_gain);
	if (!s->own_gain)
		return err_set(e, ERR_NOMEM, "%zu questions", s->request->n_questions);
	for (size_t k = 0; k < s->request->n_questions; k++) {
		const struct adaptive_question *q = &s->request->question[k];
		double answered = 0, other = INFINITY;

		for (size_t j = s->first[k]; j < s->first[k + 1]; j++) {
			size_t i = s->alternative[j];
			double cost = expected_cost(s, q, i, s->mean[i], s->sd[i]);

			if (j == s->first[k])
				answered = cost;
			else
				other = fmin(other, cost);
		}
		for (size_t j = s->first[k]; j < s->first[k + 1] && !isinf(other); j++)
			s->own_gain[j] = own_gain(s, k, j, answered, other);
	}
	return ERR_OK;
}

/* The best rated, and some at random. */
static enum err_code choose_candidates(struct adaptive_state *s, struct err *e)
{
	size_t n = s->request->n_points, n_open = 0;
	double *rating = calloc(n, sizeof *rating);
	struct ranked_point *open = calloc(n, sizeof *open);
	uint64_t random = s->request->seed + s->n_known;

	s->candidate = calloc(MAX_CANDIDATES + FURTHER, sizeof *s->candidate);
	if (!rating || !open || !s->candidate) {
		free(rating);
		free(open);
		return err_set(e, ERR_NOMEM, "%zu configurations", n);
	}
	for (size_t k = 0; k < s->request->n_questions; k++) {
		for (size_t j = s->first[k]; j < s->first[k + 1]; j++)
			rating[s->alternative[j]] +=
				s->request->question[k].weight * s->own_gain[j];
	}
	for (size_t i = 0; i < n; i++) {
		if (!s->taken[i] && !s->barred[i])
			open[n_open++] = (struct ranked_point){-rating[i], i};
	}
	qsort(open, n_open, sizeof *open, compare_standings);
	for (size_t j = 0; j < n_open && s->n_candidates < MAX_CANDIDATES + FURTHER; j++) {
		if (j >= MAX_CANDIDATES) {
			size_t other = j + (size_t)(splitmix_next(&random) % (n_open - j));
			struct ranked_point swap = open[j];

			open[j] = open[other];
			open[other] = swap;
		}
		s->candidate[s->n_candidates++] = open[j].point;
	}
	free(rating);
	free(open);
	return ERR_OK;
}

/* ---- joint beliefs ---- */

static size_t add_place(struct adaptive_state *s, size_t point, double *rows, size_t n)
{
	if (s->place[point] != SIZE_MAX)
		return n;
	memcpy(rows + n * s->app->n_columns, row_of(s, point), s->app->n_columns * sizeof *rows);
	s->place[point] = n;
	return n + 1;
}

/* Configurations that were run come first. */
static size_t list_places(struct adaptive_state *s, double *rows, const size_t *learnt,
			  size_t n_learnt)
{
	size_t n = 0, n_alternatives = s->first[s->request->n_questions];

	for (size_t i = 0; i < s->request->n_points; i++)
		s->place[i] = SIZE_MAX;
	for (; n < n_learnt; n++)
		memcpy(rows + n * s->app->n_columns, config_table_row(s->runs, learnt[n]),
		       s->app->n_columns * sizeof *rows);
	for (size_t j = 0; j < n_alternatives; j++)
		n = add_place(s, s->alternative[j], rows, n);
	for (size_t j = 0; j < s->n_candidates; j++)
		n = add_place(s, s->candidate[j], rows, n);
	for (size_t i = 0; i < s->request->n_points; i++) {
		if (s->request->pending && s->request->pending[i])
			n = add_place(s, i, rows, n);
	}
	return n;
}

static enum err_code learn(struct adaptive_state *s, size_t n_learnt, size_t n_places,
			   struct err *e)
{
	double *sd = calloc(n_places + 1, sizeof *sd);
	enum err_code rc = sd ? ERR_OK : err_set(e, ERR_NOMEM, "beliefs");

	for (size_t r = 0; r < n_learnt && !rc; r++) {
		if (!progress_step(s->request->in->progress, "beliefs", r, n_learnt))
			rc = interrupted(e);
		else
			rc = correlated_beliefs_learn(&s->beliefs, r, nugget, e);
	}
	for (size_t r = 0; r < n_learnt && !rc; r++)
		sd[r] = least_noise;
	for (size_t i = 0; i < s->request->n_points && !rc; i++) {
		if (s->place[i] != SIZE_MAX)
			sd[s->place[i]] = s->sd[i];
	}
	if (!rc)
		correlated_beliefs_rescale(&s->beliefs, sd);
	for (size_t i = 0; i < s->request->n_points && !rc; i++) {
		if (s->request->pending && s->request->pending[i])
			rc = correlated_beliefs_learn(&s->beliefs, s->place[i], nugget, e);
	}
	free(sd);
	return rc;
}

static enum err_code join_beliefs(struct adaptive_state *s, struct err *e)
{
	size_t n = s->request->n_points, n_places, n_learnt;
	size_t *learnt = calloc(s->runs->n + 1, sizeof *learnt);
	double *rows = calloc((s->runs->n + n) * s->app->n_columns + 1, sizeof *rows);
	enum err_code rc;

	s->place = calloc(n, sizeof *s->place);
	if (!learnt || !rows || !s->place) {
		rc = err_set(e, ERR_NOMEM, "beliefs about %zu configurations", n);
		goto done;
	}
	n_learnt = config_table_pick(s->runs, MAX_LEARNT, learnt);
	n_places = list_places(s, rows, learnt, n_learnt);
	if (!(rc = correlated_beliefs_init(&s->beliefs, s->app, rows, n_places, e)))
		rc = learn(s, n_learnt, n_places, e);
done:
	free(learnt);
	free(rows);
	return rc;
}

static double covariance(const struct adaptive_state *s, size_t a, size_t b)
{
	return correlated_beliefs_covariance(&s->beliefs, s->place[a], s->place[b]);
}

/* ---- the expected loss ---- */

static double standard_normal(uint64_t *random)
{
	double u = 1 - splitmix_uniform(random), v = splitmix_uniform(random);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* l[n * n], lower triangle: of the covariance of alternatives, a little noise added. */
static void factor_alternatives(const struct adaptive_state *s, const size_t *point, size_t n,
				double *l)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j <= i; j++) {
			double sum = covariance(s, point[i], point[j]);

			for (size_t m = 0; m < j; m++)
				sum -= l[i * n + m] * l[j * n + m];
			if (i == j)
				l[i * n + i] = sqrt(fmax(sum, 1e-10));
			else
				l[i * n + j] = sum / l[j * n + j];
		}
	}
}

/* What the first alternative is expected to cost more than the best, over draws of opposite sign.
 */
static double question_loss(const struct adaptive_state *s, size_t k, double *l)
{
	const struct adaptive_question *q = &s->request->question[k];
	const size_t *point = s->alternative + s->first[k];
	size_t n = s->first[k + 1] - s->first[k];
	double z[MAX_CONTENDERS] = {0}, sum = 0;
	uint64_t random = 1; /* common random numbers: a change is no matter of luck */

	if (n < 2)
		return 0;
	factor_alternatives(s, point, n, l);
	for (int draw = 0; draw < DRAWS; draw++) {
		double least = INFINITY, first = 0;

		for (size_t i = 0; i < n; i++)
			z[i] = draw % 2 ? -z[i] : standard_normal(&random);
		for (size_t i = 0; i < n; i++) {
			double x = s->mean[point[i]], cost;

			for (size_t j = 0; j <= i; j++)
				x += l[i * n + j] * z[j];
			cost = cost_at(s, q, point[i], x);
			first = i == 0 ? cost : first;
			least = fmin(least, cost);
		}
		sum += first - least;
	}
	return sum / DRAWS;
}

enum err_code adaptive_state_answer(struct adaptive_state *s, size_t *recommended, double *loss,
				    struct err *e)
{
	size_t n = s->request->n_questions;
	double sum = 0, weights = 0, *l;
	enum err_code rc;

	for (size_t k = 0; k < n; k++)
		recommended[k] = SIZE_MAX;
	if (!s->predictor)
		return ERR_OK;
	if ((rc = find_alternatives(s, e)) || (rc = find_own_gains(s, e)) ||
	    (rc = choose_candidates(s, e)) || (rc = join_beliefs(s, e)))
		return rc;
	l = calloc(MAX_CONTENDERS * MAX_CONTENDERS, sizeof *l);
	if (!l)
		return err_set(e, ERR_NOMEM, "beliefs");
	for (size_t k = 0; k < n && !rc; k++) {
		if (!progress_step(s->request->in->progress, "questions", k, n))
			rc = interrupted(e);
		sum += s->request->question[k].weight * question_loss(s, k, l);
		weights += s->request->question[k].weight;
	}
	free(l);
	if (rc)
		return rc;
	memcpy(recommended, s->recommended, n * sizeof *recommended);
	*loss = sum / weights;
	return ERR_OK;
}

/* ---- what runs would tell ---- */

/* Of a question with a deadline, whose cost is not linear in time: over outcomes z[OUTCOMES]. */
static double deadline_gain(const struct adaptive_state *s, const struct adaptive_question *q,
			    const size_t *point, const double *gain, size_t n, const double *z)
{
	double before = INFINITY, after = 0;

	for (size_t i = 0; i < n; i++)
		before = fmin(before,
			      expected_cost(s, q, point[i], s->mean[point[i]], s->sd[point[i]]));
	for (int m = 0; m < OUTCOMES; m++) {
		double least = INFINITY;

		for (size_t i = 0; i < n; i++) {
			double sd = s->sd[point[i]];
			double left = sqrt(fmax(sd * sd - gain[i] * gain[i], 0));

			least = fmin(least,
				     expected_cost(s, q, point[i],
						   s->mean[point[i]] + z[m] * gain[i], left));
		}
		after += least / OUTCOMES;
	}
	return fmax(0, before - after);
}

/* mean[]: of what each alternative costs, without a deadline. */
static double run_gain(const struct adaptive_state *s, size_t c, const double *z, double *mean,
		       double *gain, size_t *order)
{
	size_t n_alternatives = s->first[s->request->n_questions], point = s->candidate[c];
	double variance = covariance(s, point, point), sum = 0, weights = 0;
	double per_sd = 1 / sqrt(variance + s->noise[point] * s->noise[point]);

	for (size_t j = 0; j < n_alternatives; j++)
		gain[j] = s->covariance[c * n_alternatives + j] * per_sd;
	for (size_t k = 0; k < s->request->n_questions; k++) {
		const struct adaptive_question *q = &s->request->question[k];
		size_t first = s->first[k], n = s->first[k + 1] - first;
		double value =
			isinf(q->deadline_s)
				? knowledge_gradient(mean + first, gain + first, n, order)
				: deadline_gain(s, q, s->alternative + first, gain + first, n, z);

		for (size_t j = first; j < first + n; j++) {
			if (s->alternative[j] == point)
				value = fmax(value, s->own_gain[j]);
		}
		sum += q->weight * value;
		weights += q->weight;
	}
	return sum / weights;
}

static enum err_code find_covariance(struct adaptive_state *s, struct err *e)
{
	size_t n_alternatives = s->first[s->request->n_questions];

	double *row = calloc(s->beliefs.n + 1, sizeof *row);

	s->covariance = calloc(s->n_candidates * n_alternatives + 1, sizeof *s->covariance);
	if (!row || !s->covariance) {
		free(row);
		return err_set(e, ERR_NOMEM, "beliefs about %zu runs", s->n_candidates);
	}
	for (size_t c = 0; c < s->n_candidates; c++) {
		correlated_beliefs_row(&s->beliefs, s->place[s->candidate[c]], row);
		for (size_t j = 0; j < n_alternatives; j++)
			s->covariance[c * n_alternatives + j] = row[s->place[s->alternative[j]]];
	}
	free(row);
	return ERR_OK;
}

static double node_hours(const struct adaptive_state *s, size_t i)
{
	return nodes_of(s, i) * exp(s->mean[i]) / 3600;
}

static size_t pick(const struct adaptive_state *s, const double *of)
{
	size_t best = SIZE_MAX;
	double most = 0, best_value = 0;

	for (size_t c = 0; c < s->n_candidates; c++)
		most = fmax(most, of[c]);
	for (size_t c = 0; c < s->n_candidates; c++) {
		double value =
			s->request->per_node_hour ? of[c] / node_hours(s, s->candidate[c]) : of[c];

		if (of[c] > 0 && of[c] >= enough * most && value > best_value) {
			best = c;
			best_value = value;
		}
	}
	return best;
}

enum err_code adaptive_state_best(struct adaptive_state *s, size_t *point, double *gain,
				  struct err *e)
{
	size_t n_alternatives = s->first[s->request->n_questions], best;
	double *mean = calloc(n_alternatives + 1, sizeof *mean), z[OUTCOMES];
	double *gains = calloc(n_alternatives + 1, sizeof *gains);
	double *of = calloc(s->n_candidates + 1, sizeof *of);
	size_t *order = calloc(MAX_CONTENDERS, sizeof *order);
	enum err_code rc = ERR_OK;

	if (!mean || !gains || !of || !order) {
		rc = err_set(e, ERR_NOMEM, "beliefs");
		goto done;
	}
	if (!s->covariance && (rc = find_covariance(s, e)))
		goto done;
	posterior_samples_outcomes(z, OUTCOMES);
	for (size_t k = 0; k < s->request->n_questions; k++) {
		for (size_t j = s->first[k]; j < s->first[k + 1]; j++)
			mean[j] = objective_at(s, &s->request->question[k], s->alternative[j],
					       s->mean[s->alternative[j]]);
	}
	for (size_t c = 0; c < s->n_candidates; c++) {
		if (!s->taken[s->candidate[c]])
			of[c] = run_gain(s, c, z, mean, gains, order);
	}
	if ((best = pick(s, of)) != SIZE_MAX) {
		*point = s->candidate[best];
		*gain = of[best];
	}
done:
	free(mean);
	free(gains);
	free(of);
	free(order);
	return rc;
}

size_t adaptive_state_untried(const struct adaptive_state *s)
{
	size_t best = SIZE_MAX;
	double most = 0;

	for (size_t k = 0; k < s->request->n_questions; k++) {
		size_t i = s->recommended[k];
		double weighted_sd;

		if (i == SIZE_MAX || s->taken[i] || s->barred[i])
			continue;
		weighted_sd = s->request->question[k].weight * s->sd[i];
		if (weighted_sd > most) {
			most = weighted_sd;
			best = i;
		}
	}
	return best;
}

/* Of its questions: until the outcome is known, other runs teach more of other questions. */
static void forget_own_gains(struct adaptive_state *s, size_t point)
{
	for (size_t k = 0; s->own_gain && k < s->request->n_questions; k++) {
		bool there = false;

		for (size_t j = s->first[k]; j < s->first[k + 1]; j++)
			there |= s->alternative[j] == point;
		for (size_t j = s->first[k]; j < s->first[k + 1] && there; j++)
			s->own_gain[j] = 0;
	}
}

enum err_code adaptive_state_take(struct adaptive_state *s, size_t point, struct err *e)
{
	const struct correlated_beliefs *b = &s->beliefs;
	size_t n_alternatives;
	const double *root;
	enum err_code rc;

	s->taken[point] = 1;
	forget_own_gains(s, point);
	if (!s->covariance || s->place[point] == SIZE_MAX)
		return ERR_OK;
	if ((rc = correlated_beliefs_learn(
		     &s->beliefs, s->place[point],
		     s->noise[point] * s->noise[point] /
			     (b->scale[s->place[point]] * b->scale[s->place[point]]),
		     e)))
		return rc;
	n_alternatives = s->first[s->request->n_questions];
	root = b->root + (b->n_roots - 1) * b->n;
	for (size_t c = 0; c < s->n_candidates; c++) {
		size_t at = s->place[s->candidate[c]];

		for (size_t j = 0; j < n_alternatives; j++) {
			size_t other = s->place[s->alternative[j]];

			s->covariance[c * n_alternatives + j] -=
				b->scale[at] * root[at] * b->scale[other] * root[other];
		}
	}
	return ERR_OK;
}
