#include "ingest/formats/sacct_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/formats/foreign_format.h"

void sacct_job_init(struct sacct_job *j)
{
	const double unknown = (double)NAN;
	const struct step_sizes none = {.nodes = unknown, .tasks = unknown};

	*j = (struct sacct_job){.elapsed_s = unknown,
				.start_s = unknown,
				.restarts = unknown,
				.all_sizes = none,
				.not_cancelled_sizes = none,
				.brief_tasks = unknown};
}

/* ---- steps ---- */

static void add_size(struct step_sizes *s, const struct sacct_step *step)
{
	bool other = step->nodes < s->nodes || step->nodes > s->nodes || step->tasks < s->tasks ||
		     step->tasks > s->tasks;

	s->n++;
	if (other && s->other_line == 0) {
		s->other_line = step->line;
		s->other_nodes = step->nodes;
		s->other_tasks = step->tasks;
	}
	if (isnan(s->nodes))
		s->nodes = step->nodes;
	if (isnan(s->tasks))
		s->tasks = step->tasks;
}

/* A step that takes less than a hundredth of the job, as `srun hostname` does, is not what it ran.
 * One task that takes less than half of it prepares or collects: it is a part of what the others
 * are asked for. */
void sacct_job_add_step(struct sacct_job *j, const struct sacct_step *step)
{
	enum slurm_state state = slurm_state_read(step->state);
	const bool beside = step->tasks == 1 && step->elapsed_s * 2 < j->elapsed_s;
	const bool brief = beside || step->elapsed_s * 100 < j->elapsed_s;

	j->n_steps++;
	j->n_beside += beside;
	if (brief && (isnan(j->brief_tasks) || step->tasks > j->brief_tasks))
		j->brief_tasks = step->tasks;
	if (!brief)
		add_size(&j->all_sizes, step);
	if (!brief && state != SLURM_CANCELLED)
		add_size(&j->not_cancelled_sizes, step);
	j->has_ended_step |= state == SLURM_COMPLETED;
	j->has_cancelled_step |= state == SLURM_CANCELLED;
	if (!*j->failed_state && (state == SLURM_FAILED || state == SLURM_OUT_OF_MEMORY ||
				  state == SLURM_NODE_FAIL || state == SLURM_TIMEOUT))
		snprintf(j->failed_state, sizeof j->failed_state, "%s", step->state);
}

/* Of a job that ended by itself, steps that were cancelled only watched those that ended; where
 * none did, or the job was cut, they were cut with it. */
struct step_sizes sacct_job_sizes(const struct sacct_job *j)
{
	bool by_itself = j->state == SLURM_COMPLETED && j->not_cancelled_sizes.n > 0;
	struct step_sizes sizes = by_itself ? j->not_cancelled_sizes : j->all_sizes;

	if (isnan(sizes.tasks))
		sizes.tasks = j->brief_tasks;
	if (sizes.n == 0)
		sizes.n = j->n_beside; /* of nothing larger */
	return sizes;
}

/* ---- tries ---- */

bool sacct_job_has_ended(const struct sacct_job *j)
{
	return j->requeued || (j->state != SLURM_PENDING && j->state != SLURM_RUNNING);
}

/* Did anything but the job itself end this try? A script may go on, and end well, after what it ran
 * was cancelled. Beside a step that ended, as one that watches is cancelled, nothing was cut. */
static bool is_cut(const struct sacct_job *j)
{
	return j->requeued || j->state == SLURM_CANCELLED || j->state == SLURM_PREEMPTED ||
	       (j->state == SLURM_NODE_FAIL && j->begun_again) ||
	       (j->state == SLURM_COMPLETED && !*j->failed_state && j->has_cancelled_step &&
		!j->has_ended_step);
}

/* Those that are not known first. */
static int compare_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return (isnan(b) != 0) - (isnan(a) != 0);
	return (a > b) - (a < b);
}

/* By job, then by when they began; what is said twice stands together. */
static int compare_tries(const struct sacct_job *a, const struct sacct_job *b)
{
	int order = strcmp(a->key, b->key);

	if (!order)
		order = compare_numbers(a->start_s, b->start_s);
	if (!order)
		order = compare_numbers(a->elapsed_s, b->elapsed_s);
	if (!order)
		order = ((int)a->state - (int)b->state) * 2 + (int)a->requeued - (int)b->requeued;
	return order;
}

/* Of those that say the same, the one with its steps first. */
static int compare_rows(const void *left, const void *right)
{
	const struct sacct_job *a = *(struct sacct_job *const *)left;
	const struct sacct_job *b = *(struct sacct_job *const *)right;
	int order = compare_tries(a, b);

	if (!order)
		order = (a->n_steps < b->n_steps) - (a->n_steps > b->n_steps);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Leave one of those that say the same; returns how many are left. */
static size_t drop_repeated(struct sacct_job **t, size_t n)
{
	size_t n_kept = 0;

	for (size_t i = 0; i < n; i++) {
		t[i]->is_repeated = n_kept > 0 && compare_tries(t[n_kept - 1], t[i]) == 0;
		if (!t[i]->is_repeated)
			t[n_kept++] = t[i];
	}
	return n_kept;
}

/* Tries of one job, sorted, n > 0. Where one does not say when it began, each may have come before
 * the others, and behind them. */
static void link_tries(struct sacct_job **t, size_t n)
{
	bool ordered = !isnan(t[0]->start_s);
	double longest_s = 0, longest_before_s = 0;
	size_t n_before = 0;

	for (size_t i = 0; i < n; i++)
		t[i]->begun_again = ordered ? t[i]->start_s < t[n - 1]->start_s : n > 1;
	for (size_t i = 0; i < n; i++) {
		if (ordered && i > 0 && t[i]->start_s > t[i - 1]->start_s) {
			n_before++;
			longest_before_s = longest_s;
		}
		if (is_cut(t[i]) && t[i]->elapsed_s > longest_s)
			longest_s = t[i]->elapsed_s;
		t[i]->n_before = n_before;
		t[i]->longest_cut_s = longest_before_s;
	}
	for (size_t i = 0; !ordered && i < n; i++) {
		t[i]->n_before = n - 1;
		t[i]->longest_cut_s = longest_s;
	}
}

void sacct_job_link(struct sacct_job **job, size_t n)
{
	if (n > 0)
		qsort(job, n, sizeof(*job), compare_rows);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && strcmp(job[to]->key, job[from]->key) == 0;)
			to++;
		link_tries(job + from, drop_repeated(job + from, to - from));
	}
}

/* ---- ends ---- */

/* The highest exit code of its steps, which people may also set (sacctmgr), tells where the rows of
 * the steps were not asked for. A step that is cancelled beside those that ended has such a code,
 * too. */
static bool failed_by_derived(const struct sacct_job *j)
{
	return j->derived_failed && !(j->has_cancelled_step && j->has_ended_step);
}

/* A last try that took less time than an earlier one, which had not ended by then, did not begin
 * anew; of one whose earlier tries are not all there nobody knows. */
static bool may_have_gone_on(const struct sacct_job *j)
{
	return j->restarts > (double)j->n_before ||
	       (j->longest_cut_s >= FOREIGN_LEAST_CUT_S && j->longest_cut_s >= j->elapsed_s);
}

static enum sacct_end end_of_completed(const struct sacct_job *j)
{
	if (*j->failed_state)
		return SACCT_STEP_FAILED;
	if (failed_by_derived(j))
		return SACCT_DERIVED_FAILED;
	if (!may_have_gone_on(j))
		return SACCT_AS_SAID;
	return j->elapsed_s >= FOREIGN_LEAST_CUT_S ? SACCT_REMAINDER : SACCT_CUT_SOON;
}

enum sacct_end sacct_job_end(const struct sacct_job *j)
{
	if (is_cut(j)) {
		if (j->has_ended_step && !j->has_cancelled_step && !*j->failed_state)
			return SACCT_IDLE;
		return j->elapsed_s >= FOREIGN_LEAST_CUT_S ? SACCT_CUT : SACCT_CUT_SOON;
	}
	if (!sacct_job_has_ended(j))
		return SACCT_UNFINISHED;
	if (j->state == SLURM_TIMEOUT && j->elapsed_s <= 0) /* its deadline came before it began */
		return SACCT_CUT_SOON;
	return j->state == SLURM_COMPLETED ? end_of_completed(j) : SACCT_AS_SAID;
}
