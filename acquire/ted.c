#include "acquire/ted.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "acquire/ted_private.h"
#include "mining/numerics/order_statistics.h"

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Time and memory grow with what is asked for; a description says where they end. */
static enum err_code check_only(const struct task_description *t, const double *asked,
				struct err *e)
{
	struct strbuf only = STRBUF_INIT;

	if (!t->run.only || expr_holds(t->run.only, asked))
		return ERR_OK;
	expr_put_text(t->run.only, &only);
	err_set(e, ERR_ARG, "%s: not for it %g, jt %g, kt %g, mk %g, mmi %g, mm %g: only where %s",
		t->name, asked[TASK_IT], asked[TASK_JT], asked[TASK_KT], asked[TASK_MK],
		asked[TASK_MMI], asked[TASK_MM], strbuf_text(&only));
	strbuf_release(&only);
	return ERR_ARG;
}

enum err_code ted_evaluate(const struct task_description *t, const double *asked,
			   const struct ted_options *o, struct ted_result *out, struct err *e)
{
	const double none = (double)NAN;
	double start_s = now_s();
	enum err_code rc;

	*out = (struct ted_result){.spread_s = none,
				   .instructions = none,
				   .data_accesses = none,
				   .D1_miss_rate = none,
				   .LL_miss_rate = none,
				   .tlb_miss_rate = none,
				   .miss_share = none};
	if ((rc = check_only(t, asked, e)))
		return rc;
	switch (t->method) {
	case TASK_MEASURE:
		rc = ted_measure(t, asked, o, out, e);
		break;
	case TASK_DATABASE:
		rc = ted_database(t, asked, out, e);
		break;
	case TASK_SIMULATE:
		rc = ted_simulate(t, asked, o, out, e);
		break;
	case TASK_TRACE:
		rc = ted_trace(t, asked, o, out, e);
		break;
	}
	out->cost_s = now_s() - start_s;
	if (!rc && out->evidence.failed)
		rc = err_set(e, ERR_NOMEM, "the evidence of a task");
	return rc;
}

void ted_result_release(struct ted_result *r)
{
	strbuf_release(&r->evidence);
	*r = (struct ted_result){0};
}

void ted_path(const struct task_description *t, const char *path, struct strbuf *out)
{
	if (path[0] != '/')
		strbuf_puts(out, t->folder);
	strbuf_puts(out, path);
}

void ted_summarise(double *times, size_t n, struct ted_result *out)
{
	order_sort(times, n);
	out->Wg_s = order_quantile(times, n, 0.5);
	out->n = n;
	if (n < 2)
		return;
	for (size_t i = 0; i < n; i++)
		times[i] = fabs(times[i] - out->Wg_s);
	order_sort(times, n);
	out->spread_s = 1.4826 * order_quantile(times, n, 0.5); /* the sigma of normal data */
}

void ted_take_counts(const struct memory_counts *counts, const struct task_description *t,
		     double cell_angles, struct ted_result *out)
{
	struct task_time time = task_time_of(counts, &t->memory, &t->processor);

	out->Wg_s = time.time_s / cell_angles;
	out->n = 1;
	out->instructions = (double)counts->access[ACCESS_INSTRUCTION] / cell_angles;
	out->data_accesses =
		((double)counts->access[ACCESS_READ] + (double)counts->access[ACCESS_WRITE]) /
		cell_angles;
	out->D1_miss_rate = time.D1_miss_rate;
	out->LL_miss_rate = time.LL_miss_rate;
	out->tlb_miss_rate = time.tlb_miss_rate;
	out->miss_share = (time.miss_s + time.tlb_s) / time.time_s;
}
