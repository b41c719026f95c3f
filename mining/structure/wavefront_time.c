#include "mining/structure/wavefront_time.h"

#include <math.h>
#include <string.h>

/* Knots of the hinges, as logs of cells: 2^16, 2^18, 2^20 cells of a sub-grid hold 7, 27 and 109 MB
 * in Sweep3D (104 bytes a cell: its README's memory formula), blocks of e^8 and e^10 cells take
 * about 24 and 180 kB an array. They only say where the slope may change, not that it does. */
static const double grid_knot[3] = {11.090354888959125, 12.476649250079015, 13.862943611198906};
static const double block_knot[2] = {8.0, 10.0};

#define INNER_MOMENTS 48.0 /* 8 octants of 6 angles: the sources cost of the order of one sweep */

const struct wavefront_param_info wavefront_param_info[WP_COUNT] = {
	[WP_WG] = {"log_wg", "log s", "time per cell and angle, before all corrections", 0,
		   INFINITY},
	[WP_IT] = {"wg_it", "1", "exponent of it in Wg", 0, 0.02},
	[WP_JT] = {"wg_jt", "1", "exponent of jt in Wg", 0, 0.02},
	[WP_MK] = {"wg_mk", "1", "exponent of mk in Wg", 0, 0.05},
	[WP_MMI] = {"wg_mmi", "1", "exponent of mmi in Wg", 0, 0.05},
	[WP_GRID_1] = {"wg_grid_1", "1", "slope of log Wg beyond 2^16 cells", 0, 0.1},
	[WP_GRID_2] = {"wg_grid_2", "1", "change of the slope of log Wg at 2^18 cells", 0, 0.1},
	[WP_GRID_3] = {"wg_grid_3", "1", "change of the slope of log Wg at 2^20 cells", 0, 0.1},
	[WP_STREAM_1] = {"wg_stream_1", "1", "slope of log Wg over mmi beyond 2^16 cells", 0, 0.1},
	[WP_STREAM_2] = {"wg_stream_2", "1", "change of the slope over mmi at 2^18 cells", 0, 0.1},
	[WP_STREAM_3] = {"wg_stream_3", "1", "change of the slope over mmi at 2^20 cells", 0, 0.1},
	[WP_BLOCK_1] = {"wg_block_1", "1", "slope of log Wg beyond e^8 cells a block", 0, 0.1},
	[WP_BLOCK_2] = {"wg_block_2", "1", "change of the slope of log Wg at e^10 cells a block", 0,
			0.1},
	[WP_EAGER] = {"log_a_eager", "log",
		      "share of the one-way cost, message that does not block", -0.6931471805599453,
		      1},
	[WP_BLOCK] = {"log_a_block", "log", "share of the one-way cost, blocking message", 0, 1},
	[WP_FILL] = {"log_a_fill", "log", "share of the one-way cost, each hop of pipeline fill", 0,
		     1},
	[WP_REDUCE] = {"log_a_reduce", "log", "small messages per level of a global sum", 0, 1},
	[WP_SOURCE] = {"log_a_source", "log", "work outside the sweeps, in sweeps", -5, 1},
	[WP_FIX] = {"log_fix", "log", "extra work of an iteration with flux fix-ups", -3.9, 1},
	[WP_LINE] = {"log_line", "log cells", "start of an inner loop, in cells", 1.1, 1},
	[WP_LONG] = {"log_long", "log cells", "extra start of a long inner loop, in cells", 1.6, 1},
};

static const char *const column_name[WC_COUNT] = {"it_g",	"jt_g",	  "kt",	      "npe_i",
						  "npe_j",	"mk",	  "mmi",      "mm",
						  "iterations", "groups", "timesteps"};

bool wavefront_time_bind(const struct application *app, size_t column[WC_COUNT])
{
	for (int c = 0; c < WC_COUNT; c++) {
		column[c] = application_column(app, column_name[c]);
		if (column[c] == SIZE_MAX)
			return false;
	}
	return true;
}

void wavefront_time_set(struct wavefront_time *w, const double p[WP_COUNT])
{
	for (int i = 0; i < WP_COUNT; i++) {
		w->p[i] = p[i];
		w->amount[i] = exp(p[i]);
	}
}

static double hinge(double x, double knot)
{
	return x > knot ? x - knot : 0;
}

static void put_phi(double *phi, const struct wavefront_point *c)
{
	double l_it = log(c->it), l_jt = log(c->jt), l_mk = log(c->mk);
	double l_grid = l_it + l_jt + log(c->kt), l_block = l_it + l_jt + l_mk;

	phi[WP_WG] = 1;
	phi[WP_IT] = l_it;
	phi[WP_JT] = l_jt;
	phi[WP_MK] = l_mk;
	phi[WP_MMI] = log(c->mmi);
	for (int k = 0; k < 3; k++) {
		phi[WP_GRID_1 + k] = hinge(l_grid, grid_knot[k]);
		phi[WP_STREAM_1 + k] = phi[WP_GRID_1 + k] / c->mmi;
	}
	for (int k = 0; k < 2; k++)
		phi[WP_BLOCK_1 + k] = hinge(l_block, block_knot[k]);
}

static void point_read(const struct wavefront_time *w, const double *row, struct wavefront_point *c)
{
	const size_t *at = w->column;
	double npe_i = row[at[WC_NPE_I]], npe_j = row[at[WC_NPE_J]];

	c->it = ceil(row[at[WC_IT_G]] / npe_i);
	c->jt = ceil(row[at[WC_JT_G]] / npe_j);
	c->kt = row[at[WC_KT]];
	c->mk = row[at[WC_MK]];
	c->mmi = row[at[WC_MMI]];
	c->mm = row[at[WC_MM]];
	c->procs = npe_i * npe_j;
	c->mean_it = row[at[WC_IT_G]] / npe_i;
	c->mean_jt = row[at[WC_JT_G]] / npe_j;
	c->full = 8 * ceil(c->kt / c->mk) * (c->mm / c->mmi);
	c->fill_i = 2 * (npe_i - 1);
	c->fill_j = 4 * (npe_j - 1);
	c->iterations = row[at[WC_ITERATIONS]];
	c->fixed_up = fmax(c->iterations - 7, 0);
	c->repeats = row[at[WC_GROUPS]] * row[at[WC_TIMESTEPS]];
}

/* Wg without the start of inner loops [s]. */
static double cell_time(const struct wavefront_time *w, const struct wavefront_point *c)
{
	double log_wg = 0;

	for (int i = 0; i < WP_N_PHI; i++)
		log_wg += w->p[i] * c->phi[i];
	return exp(log_wg);
}

/* An inner loop over i costs as much as so many cells. */
static double loop_cells(const struct wavefront_time *w, const struct wavefront_point *c, double it)
{
	return it + w->amount[WP_LINE] + (c->it > w->step ? w->amount[WP_LONG] : 0);
}

/* The time of a block: on the processor with the most cells, at whose pace full pipelines go, and
 * the mean over the processors, which is what a wave that fills the pipeline meets [s]. */
struct block_parts {
	double most, mean;
};

static struct block_parts block_time(const struct wavefront_time *w,
				     const struct wavefront_point *c)
{
	double lines_s = cell_time(w, c) * c->mk * c->mmi;

	return (struct block_parts){lines_s * c->jt * loop_cells(w, c, c->it),
				    lines_s * c->mean_jt * loop_cells(w, c, c->mean_it)};
}

/* The terms of T, each of which is one parameter's times something. [s], per group and time step */
struct time_terms {
	double sweep;	  /* full pipeline, computation, without fix-ups */
	double fill;	  /* pipeline fill, computation, without fix-ups */
	double fill_hops; /* messages of the fill */
	double fix;	  /* what fix-ups add to all three */
	double eager, block, reduce, source;
};

static void add_messages(const struct wavefront_time *w, double count, const struct message_time *m,
			 struct time_terms *t)
{
	if (m->blocks)
		t->block += count * w->amount[WP_BLOCK] * m->total_s;
	else
		t->eager += count * w->amount[WP_EAGER] * m->total_s;
}

static void terms_at(const struct wavefront_time *w, const struct wavefront_point *c,
		     struct time_terms *t)
{
	struct block_parts block = block_time(w, c);
	double n = c->iterations;

	t->sweep = n * c->full * block.most;
	t->fill = n * (c->fill_i + c->fill_j) * block.mean;
	t->fill_hops =
		n * w->amount[WP_FILL] * (c->fill_i * c->ew.total_s + c->fill_j * c->ns.total_s);
	t->fix = w->amount[WP_FIX] * (c->fixed_up / n) * (t->sweep + t->fill + t->fill_hops);
	t->eager = t->block = 0;
	if (c->fill_i > 0)
		add_messages(w, n * c->full, &c->ew, t);
	if (c->fill_j > 0)
		add_messages(w, n * c->full, &c->ns, t);
	t->source =
		n * w->amount[WP_SOURCE] * INNER_MOMENTS * c->kt * block.most / (c->mk * c->mmi);
	t->reduce = n * w->amount[WP_REDUCE] * c->levels * c->level_s;
}

static void put_gradient(const struct wavefront_point *c, const struct wavefront_time *w,
			 const struct time_terms *t, double total, double *gradient)
{
	double fix = w->amount[WP_FIX] * (c->fixed_up / c->iterations);
	double most = ((1 + fix) * t->sweep + t->source) / total,
	       mean = (1 + fix) * t->fill / total;
	double starts = most / loop_cells(w, c, c->it) + mean / loop_cells(w, c, c->mean_it);

	for (int i = 0; i < WP_N_PHI; i++)
		gradient[i] = (most + mean) * c->phi[i];
	gradient[WP_EAGER] = t->eager / total;
	gradient[WP_BLOCK] = t->block / total;
	gradient[WP_FILL] = (1 + fix) * t->fill_hops / total;
	gradient[WP_REDUCE] = t->reduce / total;
	gradient[WP_SOURCE] = t->source / total;
	gradient[WP_FIX] = t->fix / total;
	gradient[WP_LINE] = starts * w->amount[WP_LINE];
	gradient[WP_LONG] = c->it > w->step ? starts * w->amount[WP_LONG] : 0;
}

/* Of a message that blocks, the one-way cost once is communication, the rest is waiting. */
static void put_breakdown(const struct wavefront_time *w, const struct time_terms *t,
			  double repeats, struct breakdown *parts)
{
	double transfer = t->block * fmin(1, 1 / w->amount[WP_BLOCK]);
	double pipeline = t->sweep + t->fill + t->fill_hops;
	double fix = pipeline > 0 ? t->fix / pipeline : 0;

	parts->compute_s = repeats * t->sweep * (1 + fix);
	parts->fill_s = repeats * (t->fill + t->fill_hops) * (1 + fix);
	parts->comm_s = repeats * (t->eager + transfer);
	parts->sync_s = repeats * (t->block - transfer + t->reduce);
	parts->other_s = repeats * t->source;
}

void wavefront_point_read(const struct wavefront_time *w, const double *row,
			  struct wavefront_point *out)
{
	point_read(w, row, out);
	put_phi(out->phi, out);
	out->ew = message_cost_at(&w->cost, 8 * out->jt * out->mk * out->mmi);
	out->ns = message_cost_at(&w->cost, 8 * out->it * out->mk * out->mmi);
	out->levels = log2(out->procs);
	out->level_s = message_cost_at(&w->cost, 8).total_s;
}

double wavefront_time_of(const struct wavefront_time *w, const struct wavefront_point *c,
			 double *gradient, struct breakdown *parts)
{
	struct time_terms t;
	double total;

	terms_at(w, c, &t);
	total = t.sweep + t.fill + t.fill_hops + t.fix + t.eager + t.block + t.source + t.reduce;
	if (gradient)
		put_gradient(c, w, &t, total, gradient);
	if (parts)
		put_breakdown(w, &t, c->repeats, parts);
	return c->repeats * total;
}

double wavefront_time_at(const struct wavefront_time *w, const double *row, double *gradient,
			 struct breakdown *parts)
{
	struct wavefront_point c;

	wavefront_point_read(w, row, &c);
	return wavefront_time_of(w, &c, gradient, parts);
}

void wavefront_time_shares(const struct wavefront_time *w, const double *row,
			   struct wavefront_shares *out)
{
	struct wavefront_point c;
	struct block_parts block;
	double n, fix;

	wavefront_point_read(w, row, &c);
	block = block_time(w, &c);
	n = c.repeats * c.iterations;
	fix = 1 + w->amount[WP_FIX] * (c.fixed_up / c.iterations);
	out->base = n * block.most *
		    (fix * c.full + w->amount[WP_SOURCE] * INNER_MOMENTS * c.kt / (c.mk * c.mmi));
	out->ew = n * c.full * w->amount[c.ew.blocks ? WP_BLOCK : WP_EAGER] * c.ew.total_s;
	out->ns = n * c.full * w->amount[c.ns.blocks ? WP_BLOCK : WP_EAGER] * c.ns.total_s;
	out->fill = n * fix * cell_time(w, &c) * c.mk * c.mmi;
	out->loop_start = loop_cells(w, &c, 0);
	out->per_i = n * fix * 2 * w->amount[WP_FILL] * c.ew.total_s;
	out->per_j = n * fix * 4 * w->amount[WP_FILL] * c.ns.total_s;
	out->per_level = n * w->amount[WP_REDUCE] * c.level_s;
}

/* The least of a * x over x in [lo, hi]. */
static double least(double a, double lo, double hi)
{
	return a > 0 ? a * lo : a * hi;
}

/* The least time of a cell over mk and mmi in their ranges: interval arithmetic on its log, which
 * is a sum of functions of one of them each. */
static double least_cell_time(const struct wavefront_time *w, const struct wavefront_point *lo,
			      const struct wavefront_point *hi)
{
	const double *p = w->p;
	double log_wg = p[WP_WG];
	double stream = 0, block_lo = 0, block_hi = 0, block;

	log_wg += p[WP_IT] * lo->phi[WP_IT] + p[WP_JT] * lo->phi[WP_JT];
	log_wg += least(p[WP_MK], lo->phi[WP_MK], hi->phi[WP_MK]);
	log_wg += least(p[WP_MMI], lo->phi[WP_MMI], hi->phi[WP_MMI]);
	for (int k = 0; k < 3; k++) {
		log_wg += p[WP_GRID_1 + k] * lo->phi[WP_GRID_1 + k];
		stream += p[WP_STREAM_1 + k] * lo->phi[WP_GRID_1 + k];
	}
	log_wg += least(stream, 1 / hi->mmi, 1 / lo->mmi);
	/* piecewise linear in log mk: least at an end, or at the second knot between them */
	for (int k = 0; k < 2; k++) {
		block_lo += p[WP_BLOCK_1 + k] * lo->phi[WP_BLOCK_1 + k];
		block_hi += p[WP_BLOCK_1 + k] * hi->phi[WP_BLOCK_1 + k];
	}
	block = fmin(block_lo, block_hi);
	if (lo->phi[WP_BLOCK_2] <= 0 && hi->phi[WP_BLOCK_2] > 0)
		block = fmin(block, p[WP_BLOCK_1] * (block_knot[1] - block_knot[0]));
	log_wg += block;
	return exp(log_wg);
}

/* The least cost of a message of `bytes` or more (a piecewise linear cost may drop at a break). */
static double least_cost(const struct message_cost *cost, double bytes)
{
	double least_s = message_cost_at(cost, bytes).total_s;

	for (size_t i = 0; i < cost->n_range; i++) {
		if (cost->range[i].from_bytes > bytes)
			least_s = fmin(least_s,
				       message_cost_at(cost, cost->range[i].from_bytes).total_s);
	}
	return least_s;
}

/* The corners of what mk and mmi, where NaN, may be. */
static void corners(const struct wavefront_time *w, const double *row, struct wavefront_point *lo,
		    struct wavefront_point *hi)
{
	double mk = row[w->column[WC_MK]], mmi = row[w->column[WC_MMI]];

	point_read(w, row, lo);
	*hi = *lo;
	lo->mk = isnan(mk) ? 1 : mk;
	hi->mk = isnan(mk) ? lo->kt : mk;
	lo->mmi = isnan(mmi) ? 1 : mmi;
	hi->mmi = isnan(mmi) ? lo->mm : mmi;
	put_phi(lo->phi, lo);
	put_phi(hi->phi, hi);
}

/* Wg of cells that take cell_s without the start of inner loops and fix-ups. */
static double whole_wg(const struct wavefront_time *w, const struct wavefront_point *c,
		       double cell_s)
{
	double fix = 1 + w->amount[WP_FIX] * (c->fixed_up / c->iterations);

	return cell_s * loop_cells(w, c, c->it) / c->it * fix;
}

double wavefront_time_wg(const struct wavefront_time *w, const double *row)
{
	struct wavefront_point c;

	point_read(w, row, &c);
	put_phi(c.phi, &c);
	return whole_wg(w, &c, cell_time(w, &c));
}

double wavefront_time_least_wg(const struct wavefront_time *w, const double *row)
{
	struct wavefront_point lo, hi;

	corners(w, row, &lo, &hi);
	return whole_wg(w, &lo, least_cell_time(w, &lo, &hi));
}

double wavefront_time_least_compute_s(const struct wavefront_time *w, const double *row)
{
	struct wavefront_point lo, hi;

	corners(w, row, &lo, &hi);
	/* B mk mmi >= 8 kt mm whatever the blocking; a relative 1e-12 for the rounding of two ways
	 * to sum */
	return lo.repeats * lo.iterations * 8 * lo.kt * lo.mm * lo.it * lo.jt *
	       whole_wg(w, &lo, least_cell_time(w, &lo, &hi)) * (1 - 1e-12);
}

double wavefront_time_lower_bound(const struct wavefront_time *w, const double *row)
{
	double shares = fmin(w->amount[WP_EAGER], w->amount[WP_BLOCK]);
	struct wavefront_point lo, hi;
	double cell_s, column_s, n, messages, total;

	corners(w, row, &lo, &hi);
	cell_s = least_cell_time(w, &lo, &hi);
	column_s = cell_s * lo.jt * loop_cells(w, &lo, lo.it);
	n = lo.iterations;
	messages = 8 * ceil(lo.kt / hi.mk) * (lo.mm / hi.mmi);

	/* B mk mmi >= 8 kt mm whatever the blocking */
	total = n * 8 * lo.kt * lo.mm * column_s;
	total += n * (lo.fill_i + lo.fill_j) * lo.mk * lo.mmi * cell_s * lo.mean_jt *
		 loop_cells(w, &lo, lo.mean_it);
	total += n * w->amount[WP_FILL] *
		 (lo.fill_i * least_cost(&w->cost, 8 * lo.jt * lo.mk * lo.mmi) +
		  lo.fill_j * least_cost(&w->cost, 8 * lo.it * lo.mk * lo.mmi));
	total *= 1 + w->amount[WP_FIX] * (lo.fixed_up / n);
	if (lo.fill_i > 0)
		total += n * messages * shares * least_cost(&w->cost, 8 * lo.jt * lo.mk * lo.mmi);
	if (lo.fill_j > 0)
		total += n * messages * shares * least_cost(&w->cost, 8 * lo.it * lo.mk * lo.mmi);
	total += n * w->amount[WP_SOURCE] * INNER_MOMENTS * lo.kt * column_s;
	total += n * w->amount[WP_REDUCE] * log2(lo.procs) * message_cost_at(&w->cost, 8).total_s;
	/* a relative 1e-12 for the rounding of two ways to sum */
	return lo.repeats * total * (1 - 1e-12);
}

enum err_code wavefront_question_refuse(const struct application *app, struct err *e)
{
	return err_set(e, ERR_ARG,
		       "%s is no wavefront application as the models know it (it_g, jt_g, kt, "
		       "npe_i, npe_j, mk, mmi, "
		       "mm, iterations, groups, timesteps); give --app sweep3d",
		       app->name);
}

enum err_code wavefront_question_at(const struct application *app, const size_t column[WC_COUNT],
				    const double *row, struct sweep *sweep, struct sweep_run *run,
				    struct err *e)
{
	int64_t value[WC_COUNT];

	for (int i = 0; i < WC_COUNT; i++) {
		double count = row[column[i]];

		if (!(count >= 1 && count <= (double)SWEEP_MAX_COUNT))
			return err_set(e, ERR_ARG,
				       "%s = %g is no count, or more than the models count to",
				       app->column[column[i]].name, count);
		value[i] = (int64_t)count;
	}
	*sweep = (struct sweep){
		.it_g = value[WC_IT_G],
		.jt_g = value[WC_JT_G],
		.kt = value[WC_KT],
		.npe_i = value[WC_NPE_I],
		.npe_j = value[WC_NPE_J],
		.mk = value[WC_MK],
		.mmi = value[WC_MMI],
		.mm = value[WC_MM],
	};
	run->iterations = value[WC_ITERATIONS];
	run->groups = value[WC_GROUPS];
	run->timesteps = value[WC_TIMESTEPS];
	return ERR_OK;
}

enum err_code wavefront_question(const struct application *app, const double *row,
				 struct sweep *sweep, struct sweep_run *run, struct err *e)
{
	size_t column[WC_COUNT] = {0};

	if (!wavefront_time_bind(app, column))
		return wavefront_question_refuse(app, e);
	return wavefront_question_at(app, column, row, sweep, run, e);
}
