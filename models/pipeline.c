#include "models/pipeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A message as the recurrence needs it. */
struct hop {
	double lead;	/* from the send's start until the message is there */
	double receive; /* from the meeting to the end of the receive */
	double send;	/* from the send's start to its end, if it does not block */
	double tail;	/* from the meeting to the end of a blocking send */
	bool blocks;
};

/* The causes of delay that are in force; the rest are left out. */
enum effects { WORK_ONLY, WITH_MESSAGES, WITH_BLOCKING };

struct pipeline_evaluation {
	const struct pipeline *p;
	struct hop *ew;	 /* [npe_j] */
	struct hop *ns;	 /* [npe_i] */
	double *free_at; /* [npe_j * npe_i]: the end of the last action known so far */
};

static enum err_code check_message(const struct message_time *t, const char *direction, int64_t at,
				   struct err *e)
{
	double lead = t->total_s - t->receive_s;
	/* Differences of rounded sums may miss 0 by a little; they are cut off later. */
	double slack = 1e-9 * t->total_s;
	bool fits = isfinite(t->send_s) && isfinite(t->total_s) && t->send_s >= 0 &&
		    t->receive_s >= 0 && lead >= -slack &&
		    (!t->blocks || t->send_s - lead >= -slack);

	if (!fits)
		return err_set(e, ERR_ARG,
			       "%s message %" PRId64 ": send %g s, receive %g s and total %g s do "
			       "not fit together",
			       direction, at, t->send_s, t->receive_s, t->total_s);
	return ERR_OK;
}

static enum err_code check_size(const struct pipeline *p, struct err *e)
{
	const int64_t count[] = {p->npe_i, p->npe_j, p->angle_groups, p->k_blocks};
	double procs = (double)p->npe_i * (double)p->npe_j;
	double steps = procs * 8 * (double)p->angle_groups * (double)p->k_blocks;

	for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
		if (count[i] < 1)
			return err_set(e, ERR_ARG,
				       "%" PRId64 " x %" PRId64 " processors, %" PRId64
				       " angle groups, %" PRId64 " k blocks: each at least 1",
				       count[0], count[1], count[2], count[3]);
	}
	if (procs > (double)PIPELINE_MAX_PROCS || steps > PIPELINE_MAX_STEPS)
		return err_set(e, ERR_ARG,
			       "%g processors and %g blocks on them: the exact pipeline takes up "
			       "to %g and %g",
			       procs, steps, (double)PIPELINE_MAX_PROCS, PIPELINE_MAX_STEPS);
	if (!(p->last_share > 0 && p->last_share <= 1))
		return err_set(e, ERR_ARG, "the last k block is %g of a block: above 0, up to 1",
			       p->last_share);
	return ERR_OK;
}

enum err_code pipeline_check(const struct pipeline *p, struct err *e)
{
	enum err_code rc = check_size(p, e);

	for (int64_t j = 0; !rc && j < p->npe_j; j++)
		rc = check_message(&p->ew[j], "east-west", j, e);
	for (int64_t i = 0; !rc && i < p->npe_i; i++)
		rc = check_message(&p->ns[i], "north-south", i, e);
	for (int64_t k = 0; !rc && k < p->npe_i * p->npe_j; k++) {
		if (!isfinite(p->work_s[k]) || p->work_s[k] < 0)
			rc = err_set(e, ERR_ARG,
				     "work_s[%" PRId64 "] = %g s must be finite and >= 0", k,
				     p->work_s[k]);
	}
	return rc;
}

static double max(double a, double b)
{
	return a > b ? a : b; /* one instruction; fmax() is a call for the sake of NaN */
}

/* A message over h: the receiver, free at *receiver, takes part until the new *receiver; the
 * sender called send at *sender and is free at the new *sender. */
static inline void meet(const struct hop *h, double *sender, double *receiver)
{
	double x = max(*sender + h->lead, *receiver);

	*sender = h->blocks ? x + h->tail : *sender + h->send;
	*receiver = x + h->receive;
}

/* One block of one octant on all processors, in the order of the sweep: i_step, j_step = +1 or -1
 * from the corner.
 *
 * The order makes each meeting computable when the receiver's turn comes. The receiver has
 * finished its previous block, sends included, as every send of that block was completed in the
 * turn of its receiver. The west sender has computed and calls its first send. The north sender's
 * first send was completed in the turn of its east neighbour, one row before, so it calls its
 * second. free_at[] holds exactly these times, so it is all the memory needed. */
static void sweep_block(const struct pipeline_evaluation *v, int i_step, int j_step, double share)
{
	const int64_t n = v->p->npe_i, m = v->p->npe_j;
	const int64_t i_first = i_step > 0 ? 0 : n - 1;
	int64_t j = j_step > 0 ? 0 : m - 1;

	for (int64_t row = 0; row < m; row++, j += j_step) {
		const struct hop ew = v->ew[j];
		const double *work = v->p->work_s + j * n;
		double *here = v->free_at + j * n;
		double *north = row > 0 ? here - j_step * n : NULL;
		int64_t i = i_first;

		for (int64_t column = 0; column < n; column++, i += i_step) {
			double now = here[i];

			if (column > 0)
				meet(&ew, &here[i - i_step], &now);
			if (north)
				meet(&v->ns[i], &north[i], &now);
			here[i] = now + work[i] * share;
		}
	}
}

static void sweep_octant(const struct pipeline_evaluation *v, int i_step, int j_step)
{
	for (int64_t a = 0; a < v->p->angle_groups; a++) {
		for (int64_t k = 1; k < v->p->k_blocks; k++)
			sweep_block(v, i_step, j_step, 1);
		sweep_block(v, i_step, j_step, v->p->last_share);
	}
}

static struct hop hop_of(const struct message_time *t, enum effects effects)
{
	if (effects == WORK_ONLY)
		return (struct hop){.blocks = false};
	return (struct hop){
		.lead = message_lead_s(t),
		.receive = t->receive_s,
		.send = t->send_s,
		.tail = message_tail_s(t),
		.blocks = t->blocks && effects == WITH_BLOCKING,
	};
}

static double makespan(const struct pipeline_evaluation *v, enum effects effects)
{
	static const int step[] = {-1, +1};
	const struct pipeline *p = v->p;
	double last = 0;

	for (int64_t j = 0; j < p->npe_j; j++)
		v->ew[j] = hop_of(&p->ew[j], effects);
	for (int64_t i = 0; i < p->npe_i; i++)
		v->ns[i] = hop_of(&p->ns[i], effects);
	for (int64_t k = 0; k < p->npe_i * p->npe_j; k++)
		v->free_at[k] = 0;
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2; j++) {
			sweep_octant(v, step[i], step[j]);
			sweep_octant(v, step[i], step[j]);
		}
	}
	for (int64_t k = 0; k < p->npe_i * p->npe_j; k++)
		last = max(last, v->free_at[k]);
	return last;
}

static void evaluation_release(struct pipeline_evaluation *v)
{
	free(v->ew);
	free(v->ns);
	free(v->free_at);
}

static enum err_code evaluation_init(struct pipeline_evaluation *v, const struct pipeline *p,
				     struct err *e)
{
	enum err_code rc = pipeline_check(p, e);

	*v = (struct pipeline_evaluation){.p = p};
	if (rc)
		return rc;
	v->ew = calloc((size_t)p->npe_j, sizeof *v->ew);
	v->ns = calloc((size_t)p->npe_i, sizeof *v->ns);
	v->free_at = calloc((size_t)(p->npe_i * p->npe_j), sizeof *v->free_at);
	if (v->ew && v->ns && v->free_at)
		return ERR_OK;
	evaluation_release(v);
	return err_set(e, ERR_NOMEM, "pipeline of %" PRId64 " x %" PRId64 " processors", p->npe_i,
		       p->npe_j);
}

static double busiest_work_s(const struct pipeline *p)
{
	double k_blocks = (double)(p->k_blocks - 1) + p->last_share;
	double most = 0;

	for (int64_t k = 0; k < p->npe_i * p->npe_j; k++)
		most = max(most, p->work_s[k]);
	return 8 * (double)p->angle_groups * k_blocks * most;
}

enum err_code pipeline_evaluate(const struct pipeline *p, struct sweep_time *out, struct err *e)
{
	struct pipeline_evaluation v;
	double free_s, eager_s, time_s, compute_s;
	enum err_code rc = evaluation_init(&v, p, e);

	if (rc)
		return rc;
	free_s = makespan(&v, WORK_ONLY);
	eager_s = makespan(&v, WITH_MESSAGES);
	time_s = makespan(&v, WITH_BLOCKING);
	evaluation_release(&v);
	if (!isfinite(time_s))
		return err_set(e, ERR_ARG, "the time of an iteration is too large for a number");

	/* The sum of a processor's blocks is rounded in another order than their product. */
	compute_s = fmin(busiest_work_s(p), free_s);
	*out = (struct sweep_time){
		.time_s = time_s,
		.parts =
			{
				.compute_s = compute_s,
				.comm_s = fmax(eager_s - free_s, 0),
				.fill_s = free_s - compute_s,
				.sync_s = fmax(time_s - eager_s, 0),
			},
	};
	return ERR_OK;
}

/* The work of each processor and the messages of each row and column. */
static void deal_out(const struct sweep *s, const struct message_cost *cost, double Wg_s,
		     struct pipeline_case *c)
{
	double height = (double)s->mk * (double)s->mmi;

	for (int64_t i = 0; i < s->npe_i; i++) {
		c->ns_bytes[i] = 8 * (double)sweep_cells_of(s->it_g, s->npe_i, i) * height;
		c->ns[i] = message_cost_at(cost, c->ns_bytes[i]);
	}
	for (int64_t j = 0; j < s->npe_j; j++) {
		double jt = (double)sweep_cells_of(s->jt_g, s->npe_j, j);

		c->ew_bytes[j] = 8 * jt * height;
		c->ew[j] = message_cost_at(cost, c->ew_bytes[j]);
		for (int64_t i = 0; i < s->npe_i; i++) {
			double it = (double)sweep_cells_of(s->it_g, s->npe_i, i);

			c->work_s[j * s->npe_i + i] = Wg_s * (height * it * jt);
		}
	}
}

void pipeline_case_release(struct pipeline_case *c)
{
	free(c->work_s);
	free(c->ew);
	free(c->ns);
	free(c->ew_bytes);
	free(c->ns_bytes);
	*c = (struct pipeline_case){0};
}

static enum err_code allocate_case(struct pipeline_case *c, size_t n, size_t m, struct err *e)
{
	c->work_s = calloc(n * m, sizeof *c->work_s);
	c->ew = calloc(m, sizeof *c->ew);
	c->ns = calloc(n, sizeof *c->ns);
	c->ew_bytes = calloc(m, sizeof *c->ew_bytes);
	c->ns_bytes = calloc(n, sizeof *c->ns_bytes);
	if (c->work_s && c->ew && c->ns && c->ew_bytes && c->ns_bytes)
		return ERR_OK;
	pipeline_case_release(c);
	return err_set(e, ERR_NOMEM, "work of %zu processors", n * m);
}

enum err_code pipeline_case_init(struct pipeline_case *c, const struct sweep *s,
				 const struct message_cost *cost, double Wg_s, struct err *e)
{
	struct sweep_block b;
	int64_t procs;
	enum err_code rc;

	*c = (struct pipeline_case){0};
	if ((rc = sweep_block_of(s, &b, e)) || (rc = sweep_check_Wg(Wg_s, e)))
		return rc;
	procs = s->npe_i * s->npe_j; /* each at most 1e9, so the product fits */
	if (procs > PIPELINE_MAX_PROCS)
		return err_set(e, ERR_ARG,
			       "%" PRId64 " processors: the exact pipeline takes up to %" PRId64,
			       procs, PIPELINE_MAX_PROCS);
	if ((rc = allocate_case(c, (size_t)s->npe_i, (size_t)s->npe_j, e)))
		return rc;
	deal_out(s, cost, Wg_s, c);
	c->p = (struct pipeline){
		.npe_i = s->npe_i,
		.npe_j = s->npe_j,
		.angle_groups = b.angle_groups,
		.k_blocks = b.k_blocks,
		.last_share = (double)(s->kt - (b.k_blocks - 1) * s->mk) / (double)s->mk,
		.work_s = c->work_s,
		.ew = c->ew,
		.ns = c->ns,
	};
	return ERR_OK;
}

enum err_code pipeline_iteration(const struct sweep *s, const struct message_cost *cost,
				 double Wg_s, struct sweep_time *out, struct err *e)
{
	struct pipeline_case c;
	enum err_code rc = pipeline_case_init(&c, s, cost, Wg_s, e);

	if (!rc)
		rc = pipeline_evaluate(&c.p, out, e);
	pipeline_case_release(&c);
	return rc;
}
