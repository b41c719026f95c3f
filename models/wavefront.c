#include "models/wavefront.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { REMOTE, LOCAL };

/* What equations 7 and 8 add up, named as there; _56 and _78 where the two may differ. */
struct terms {
	double start_1m, start_n1m;
	double send_e_56, receive_n;
	double send_e_78, receive_w;
	double sync_ns, sync_ew; /* (m-1)L and (n-2)L */
	double last_receive_w;
};

/* A model's inputs, checked: the block, and the costs of its messages [between, inside] nodes. */
struct model_setting {
	struct sweep_block block;
	struct wavefront_hops hops;
	int64_t n, m;
};

static enum err_code setting_of(const struct sweep *s, const struct message_cost *remote,
				const struct message_cost *local, double Wg_s,
				struct model_setting *out, struct err *e)
{
	struct wavefront_hops *h = &out->hops;
	enum err_code rc;

	if ((rc = sweep_block_of(s, &out->block, e)) || (rc = sweep_check_Wg(Wg_s, e)))
		return rc;
	*h = (struct wavefront_hops){.tile_i = 1, .tile_j = 1};
	h->W_s = Wg_s * out->block.cell_angles;
	/* With one column (row) there is no message between columns (rows): all its terms are 0. */
	if (s->npe_i > 1) {
		h->ew[REMOTE] = message_cost_at(remote, out->block.ew_bytes);
		h->ew[LOCAL] = message_cost_at(local, out->block.ew_bytes);
	}
	if (s->npe_j > 1) {
		h->ns[REMOTE] = message_cost_at(remote, out->block.ns_bytes);
		h->ns[LOCAL] = message_cost_at(local, out->block.ns_bytes);
	}
	out->n = s->npe_i;
	out->m = s->npe_j;
	return ERR_OK;
}

/* Equations 7 to 9. */
static enum err_code finish(const struct model_setting *at, const struct terms *t,
			    struct wavefront *out, struct err *e)
{
	double W = at->hops.W_s;
	double blocks = 2 * at->block.n_block; /* of an octant pair */
	struct wavefront w = {.W_s = W, .start_1m_s = t->start_1m, .start_n1m_s = t->start_n1m};
	double comm_56 = t->send_e_56 + t->receive_n;
	double comm_78 = t->send_e_78 + t->receive_w + t->receive_n;
	double tail = t->last_receive_w + W;

	w.T56_s = t->start_1m + (W + comm_56 + t->sync_ns) * blocks;
	if (at->n == 1) {
		w.T78_s = w.T56_s;
		comm_78 = comm_56;
		tail = 0;
	} else {
		w.T78_s = t->start_n1m + (W + comm_78 + t->sync_ns + t->sync_ew) * blocks + tail;
	}
	w.all.time_s = 2 * (w.T56_s + w.T78_s);
	w.all.parts = (struct breakdown){
		.compute_s = 4 * W * blocks,
		.comm_s = 2 * (comm_56 + comm_78) * blocks,
		.fill_s = 2 * (t->start_1m + t->start_n1m + tail),
		.sync_s = 2 * (2 * t->sync_ns + t->sync_ew) * blocks,
	};
	if (!isfinite(w.all.time_s))
		return err_set(e, ERR_ARG, "the time of an iteration is too large for a number");
	*out = w;
	return ERR_OK;
}

double wavefront_start_closed(const struct wavefront_hops *h, int64_t n, int64_t m)
{
	const struct message_time *ew = &h->ew[REMOTE], *ns = &h->ns[REMOTE];
	double receive_n = m > 1 ? ns->receive_s : 0;

	return (double)(n - 1) * (h->W_s + ew->total_s + receive_n) +
	       (double)(m - 1) * (h->W_s + ew->send_s + ns->total_s);
}

/* The last column that sends east; with one column, that one. */
static int64_t column_n1(const struct model_setting *at)
{
	return at->n > 1 ? at->n - 1 : 1;
}

/* The waits for a receive that cost L: those of blocking messages, or all. */
enum receive_delay { DELAY_BLOCKING, DELAY_ALWAYS };

static enum err_code one_node_each(const struct sweep *s, const struct message_cost *cost,
				   enum receive_delay delay, double Wg_s, struct wavefront *out,
				   struct err *e)
{
	struct model_setting at;
	enum err_code rc = setting_of(s, cost, cost, Wg_s, &at, e);

	if (rc)
		return rc;

	const struct message_time *ew = &at.hops.ew[REMOTE], *ns = &at.hops.ns[REMOTE];
	const struct terms t = {
		.start_1m = wavefront_start_closed(&at.hops, 1, at.m),
		.start_n1m = wavefront_start_closed(&at.hops, column_n1(&at), at.m),
		.send_e_56 = ew->send_s,
		.send_e_78 = ew->send_s,
		.receive_n = ns->receive_s,
		.receive_w = ew->receive_s,
		.sync_ns = (double)(at.m - 1) * ns->sync_s,
		.sync_ew = at.n > 2 ? (double)(at.n - 2) *
					      (delay == DELAY_ALWAYS ? ew->latency_s : ew->sync_s)
				    : 0,
		.last_receive_w = ew->receive_s,
	};
	return finish(&at, &t, out, e);
}

enum err_code wavefront_basic(const struct sweep *s, const struct message_cost *cost, double Wg_s,
			      struct wavefront *out, struct err *e)
{
	return one_node_each(s, cost, DELAY_BLOCKING, Wg_s, out, e);
}

enum err_code wavefront_printed(const struct sweep *s, const struct message_cost *cost, double Wg_s,
				struct wavefront *out, struct err *e)
{
	return one_node_each(s, cost, DELAY_ALWAYS, Wg_s, out, e);
}

/* StartP(i, j) of Table 3. Its first term depends on i only, its second on j only, so again the
 * order of the steps does not matter: count the even (local) and odd (remote) steps. */
static double start_printed(const struct wavefront_hops *h, int64_t i, int64_t j)
{
	double start = 0;

	for (int where = REMOTE; where <= LOCAL; where++) {
		int64_t east = where == LOCAL ? i / 2 : i - 1 - i / 2;
		int64_t south = where == LOCAL ? j / 2 : j - 1 - j / 2;
		const struct message_time *ew = &h->ew[where], *ns = &h->ns[where];

		start += (double)east * (h->W_s + ew->total_s + ns->receive_s) +
			 (double)south * (h->W_s + ew->send_s + ns->total_s);
	}
	return start;
}

enum err_code wavefront_smp_printed(const struct sweep *s, const struct message_cost *remote,
				    const struct message_cost *local, double Wg_s,
				    struct wavefront *out, struct err *e)
{
	struct model_setting at;
	enum err_code rc = setting_of(s, remote, local, Wg_s, &at, e);

	if (rc)
		return rc;
	if (at.n % 2 != 0 || at.m % 2 != 0)
		return err_set(e, ERR_ARG,
			       "Table 3 puts 2 x 2 processors on a node: npe_i = %" PRId64
			       " and npe_j = %" PRId64 " must be even",
			       at.n, at.m);

	const struct message_time *ew = at.hops.ew, *ns = at.hops.ns;
	const struct terms t = {
		.start_1m = start_printed(&at.hops, 1, at.m),
		.start_n1m = start_printed(&at.hops, at.n - 1, at.m),
		.send_e_56 = ew[LOCAL].send_s,
		.send_e_78 = ew[LOCAL].send_s,
		.receive_n = ns[LOCAL].receive_s,
		.receive_w = ew[LOCAL].receive_s,
		.sync_ns = (double)(at.m - 1) * (ns[LOCAL].sync_s + ns[REMOTE].sync_s) / 2,
		.sync_ew = (double)(at.n - 2) * (ew[LOCAL].sync_s + ew[REMOTE].sync_s) / 2,
		.last_receive_w = ew[LOCAL].receive_s,
	};
	return finish(&at, &t, out, e);
}

/* Is the message into column (row) x, from x - 1, inside a node? */
static int where_into(int64_t x, int64_t tile)
{
	return (x - 1) % tile != 0 ? LOCAL : REMOTE;
}

enum err_code wavefront_start_recurrence(const struct wavefront_hops *h, int64_t n, int64_t m,
					 double *start_s, struct err *e)
{
	double *start = NULL; /* StartP(i+1, j) of the row in hand */

	if (n < 1 || m < 1 || n > WAVEFRONT_MAX_RECURRENCE / m)
		return err_set(e, ERR_ARG,
			       "%" PRId64 " x %" PRId64 " processors: the recurrence takes 1 to "
			       "%" PRId64,
			       n, m, WAVEFRONT_MAX_RECURRENCE);
	start = calloc((size_t)n, sizeof *start);
	if (!start)
		return err_set(e, ERR_NOMEM, "a row of %" PRId64 " processors", n);

	for (int64_t j = 1; j <= m; j++) {
		const struct message_time *ns = &h->ns[where_into(j, h->tile_j)];

		for (int64_t i = 1; i <= n; i++) {
			const struct message_time *ew = &h->ew[where_into(i, h->tile_i)];
			const struct message_time *send = &h->ew[where_into(i + 1, h->tile_i)];
			double receive_n = j > 1 ? ns->receive_s : 0;
			double west_last = 0, north_last = 0;

			if (i > 1)
				west_last = start[i - 2] + h->W_s + ew->total_s + receive_n;
			if (j > 1)
				north_last = start[i - 1] + h->W_s + send->send_s + ns->total_s;
			start[i - 1] = fmax(west_last, north_last);
		}
	}
	*start_s = start[n - 1];
	free(start);
	return ERR_OK;
}

/* L summed over the messages into 2..last. */
static double sum_sync(const struct message_time cost[2], int64_t last, int64_t tile)
{
	int64_t steps = last > 1 ? last - 1 : 0;
	int64_t remote = steps / tile;

	return (double)remote * cost[REMOTE].sync_s + (double)(steps - remote) * cost[LOCAL].sync_s;
}

enum err_code wavefront_smp_tiled(const struct sweep *s, const struct message_cost *remote,
				  const struct message_cost *local, int64_t tile_i, int64_t tile_j,
				  double Wg_s, struct wavefront *out, struct err *e)
{
	struct model_setting at;
	enum err_code rc = setting_of(s, remote, local, Wg_s, &at, e);

	if (rc)
		return rc;
	if (tile_i < 1 || tile_j < 1)
		return err_set(e, ERR_ARG,
			       "%" PRId64 " x %" PRId64 " processors a node: at least 1 x 1",
			       tile_i, tile_j);
	at.hops.tile_i = tile_i;
	at.hops.tile_j = tile_j;

	const struct message_time *ew = at.hops.ew, *ns = at.hops.ns;
	const int64_t n1 = column_n1(&at); /* the last column that sends east */
	struct terms t = {
		.send_e_56 = ew[where_into(2, tile_i)].send_s,
		.send_e_78 = ew[where_into(at.n, tile_i)].send_s,
		.receive_n = ns[where_into(at.m, tile_j)].receive_s,
		/* With n = 2 nothing comes into column 1; (8) as printed still counts one. */
		.receive_w = ew[where_into(n1 > 1 ? n1 : 2, tile_i)].receive_s,
		.sync_ns = sum_sync(ns, at.m, tile_j),
		.sync_ew = sum_sync(ew, n1, tile_i),
		.last_receive_w = ew[where_into(at.n, tile_i)].receive_s,
	};
	if ((rc = wavefront_start_recurrence(&at.hops, 1, at.m, &t.start_1m, e)) ||
	    (rc = wavefront_start_recurrence(&at.hops, n1, at.m, &t.start_n1m, e)))
		return rc;
	return finish(&at, &t, out, e);
}
