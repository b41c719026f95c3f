#include "recommend/space/placement.h"

#include <inttypes.h>
#include <math.h>

#include "domain/configuration.h"

/* Value of a well-known column; NaN if the application has none. */
static double value_of(const double *row, size_t i_column)
{
	return i_column == SIZE_MAX ? NAN : row[i_column];
}

/* Processors of the grid; NaN while a side is free, or if the application has none. */
static double grid_procs(const struct application *app, const double *row)
{
	const struct group_flag *grid = application_grid(app);
	double procs = 1;

	for (size_t i = 0; grid && i < grid->n; i++)
		procs *= row[grid->column[i]];
	return grid ? procs : NAN;
}

/* Processors that fit on a node, 0 when that is not known. */
static double procs_per_node(const struct placement *p, const double *row)
{
	double threads = value_of(row, p->app->i_threads);

	if (!isnan(p->fixed_ppn))
		return p->fixed_ppn;
	if (p->cores <= 0)
		return 0;
	return fmax(1, floor(p->cores / (threads > 1 ? threads : 1)));
}

static double nodes_needed(const struct placement *p, double procs, const double *row)
{
	double each = procs_per_node(p, row);

	return each > 0 ? ceil(procs / each) : procs;
}

double placement_procs(const struct placement *p, const double *row)
{
	double procs = value_of(row, p->app->i_procs);
	double nodes = value_of(row, p->app->i_nodes);
	double ppn = value_of(row, p->app->i_ppn);

	if (!isnan(procs))
		return procs;
	if (!isnan(nodes))
		return isnan(ppn) ? nodes : nodes * ppn;
	return 1;
}

double placement_nodes(const struct placement *p, const double *row)
{
	double nodes = value_of(row, p->app->i_nodes);

	return isnan(nodes) ? nodes_needed(p, placement_procs(p, row), row) : nodes;
}

double placement_paid(const struct placement *p, const double *row)
{
	return placement_has_nodes(p) ? placement_nodes(p, row) : configuration_cores(p->app, row);
}

double placement_cores_seen(const struct dataset *runs)
{
	const struct application *app = runs->app;
	double most = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const double *row = dataset_row(runs, i);
		double threads = value_of(row, app->i_threads);
		double each = value_of(row, app->i_procs) / value_of(row, app->i_nodes);

		if (isnan(each))
			each = value_of(row, app->i_ppn);
		each *= threads > 1 ? threads : 1;
		/* A failed run may have asked for more than there is. */
		if (runs->status[i] != RUN_FAILED && each > most && isfinite(each))
			most = each;
	}
	return ceil(most); /* nodes need not be full alike */
}

/* ---- limits ---- */

/* Cores per node tell how many nodes processes take, but not GPUs. */
bool placement_has_nodes(const struct placement *p)
{
	return p->app->i_nodes != SIZE_MAX ||
	       ((!isnan(p->fixed_ppn) || p->cores > 0) && !configuration_counts_gpus(p->app));
}

bool placement_counts_gpus(const struct placement *p)
{
	return !placement_has_nodes(p) && configuration_counts_gpus(p->app);
}

/* Processes, or GPUs, where nobody knows of nodes. */
static int64_t most_nodes_seen(const struct placement *p, const struct dataset *runs)
{
	const bool gpus = placement_counts_gpus(p);
	double most = 0;

	for (size_t i = 0; runs && i < runs->n; i++) {
		const double *row = dataset_row(runs, i);
		double nodes = gpus ? configuration_cores(p->app, row) : placement_nodes(p, row);

		most = nodes > most ? nodes : most;
	}
	return most < 9e15 ? (int64_t)most : INT64_C(9000000000000000);
}

/* What the request fixes on its own: this many nodes at least. 0: nothing. */
static double nodes_asked(const struct placement *p, const double *row)
{
	if (!isnan(p->fixed_nodes))
		return p->fixed_nodes;
	return isnan(p->fixed_procs) ? 0 : nodes_needed(p, p->fixed_procs, row);
}

/* Does no limit on nodes say anything? A machine of 10 nodes runs more than 10 processes. Only
 * where no run tells how many there may be, each has a node of its own. */
static bool has_no_use_for_nodes(const struct placement *p, const struct advice_request *q)
{
	return !placement_has_nodes(p) && most_nodes_seen(p, q->runs) > 0;
}

static void find_limit(struct placement *p, const struct advice_request *q, bool unused)
{
	if (q->max_nodes > 0) {
		p->max_nodes = q->max_nodes;
		p->max_nodes_origin = "asked for";
	} else if (q->machine->nodes > 0 && !unused) {
		p->max_nodes = q->machine->nodes;
		p->max_nodes_origin = "the machine's size";
	} else {
		p->max_nodes = most_nodes_seen(p, q->runs);
		p->max_nodes_origin = placement_has_nodes(p) ? "the most nodes seen in runs"
				      : placement_counts_gpus(p)
					      ? "the most GPUs seen in runs"
					      : "the most processes seen in runs";
	}
}

static void put_count(struct strbuf *out, double n, const char *what)
{
	strbuf_printf(out, "%.0f %s%s", n, what, n == 1 ? "" : "s");
}

void placement_put_limit(const struct placement *p, struct strbuf *out)
{
	if (placement_has_nodes(p) || placement_counts_gpus(p))
		put_count(out, (double)p->max_nodes, placement_has_nodes(p) ? "node" : "GPU");
	else
		strbuf_printf(out, "%.0f process%s", (double)p->max_nodes,
			      p->max_nodes == 1 ? "" : "es");
	strbuf_printf(out, " (%s)", p->max_nodes_origin);
}

/* "128 processors need 128 nodes of 1 core, and the limit is 16 nodes (asked for)" */
static enum err_code too_many_nodes(const struct placement *p, const double *row, double asked,
				    struct err *e)
{
	double each = procs_per_node(p, row);
	struct strbuf s = STRBUF_INIT;
	enum err_code rc;

	if (isnan(p->fixed_nodes)) {
		put_count(&s, p->fixed_procs, "processor");
		strbuf_puts(&s, p->fixed_procs == 1 ? " needs " : " need ");
	}
	put_count(&s, asked, "node");
	if (isnan(p->fixed_nodes) && each > 0) {
		strbuf_puts(&s, " of ");
		put_count(&s, each, "processor");
	}
	if (!isnan(p->fixed_nodes))
		strbuf_puts(&s, asked == 1 ? " is asked for" : " are asked for");
	strbuf_puts(&s, ", and the limit is ");
	placement_put_limit(p, &s);
	rc = err_set(e, ERR_ARG, "%s", strbuf_text(&s));
	strbuf_release(&s);
	return rc;
}

/* Is it known that no more processors than procs_per_node() fit on a node? */
static bool forbids_more(const struct placement *p)
{
	return !isnan(p->fixed_ppn) || (p->cores > 0 && !p->cores_seen_only);
}

/* Where both are given nodes may be partly empty, not overfilled. */
static enum err_code check_room(const struct placement *p, const double *row, struct err *e)
{
	double each = procs_per_node(p, row);
	struct strbuf s = STRBUF_INIT;
	enum err_code rc;

	if (!forbids_more(p) || !(p->fixed_procs > each * p->fixed_nodes))
		return ERR_OK;
	put_count(&s, p->fixed_procs, "processor");
	strbuf_puts(&s, " do not fit on ");
	put_count(&s, p->fixed_nodes, "node");
	strbuf_printf(&s, " of %s: ", p->machine->name);
	put_count(&s, each, "processor");
	strbuf_puts(&s, " a node");
	rc = err_set(e, ERR_ARG, "%s", strbuf_text(&s));
	strbuf_release(&s);
	return rc;
}

/* Who sets a limit on nodes does not mean processes, or GPUs. */
static enum err_code refuse_limit(const struct placement *p, const struct advice_request *q,
				  struct err *e)
{
	const bool gpus = placement_counts_gpus(p);

	return err_set(e, ERR_ARG,
		       "a limit of %" PRId64
		       " node%s says nothing here (--max-nodes): the runs tell"
		       " only of %s, not on how many nodes they were; give %s a value (--set"
		       " NAME=VALUE)%s%s",
		       q->max_nodes, q->max_nodes == 1 ? "" : "s", gpus ? "GPUs" : "processes",
		       gpus ? "the GPUs" : "the processes",
		       gpus ? "" : ", or cores_per_node in the definition of ",
		       gpus ? "" : q->machine->name);
}

static enum err_code limit_nodes(struct placement *p, const struct advice_request *q,
				 const double *given, struct err *e)
{
	const double asked = nodes_asked(p, given);
	const bool unused = has_no_use_for_nodes(p, q);
	const bool firm = q->max_nodes > 0 || (q->machine->nodes > 0 && !unused);

	if (q->max_nodes > 0 && unused)
		return refuse_limit(p, q, e);
	find_limit(p, q, unused);
	if (firm && asked > (double)p->max_nodes)
		return too_many_nodes(p, given, asked, e);
	/* What runs have shown is no limit to what somebody asks for by name. */
	if (!firm && asked > (double)p->max_nodes) {
		p->max_nodes = (int64_t)asked;
		p->max_nodes_origin = "asked for";
	}
	if (p->max_nodes <= 0)
		return err_set(e, ERR_ARG,
			       "nothing says how many nodes %s has: give the most nodes to"
			       " use (--max-nodes)",
			       q->machine->name);
	return check_room(p, given, e);
}

enum err_code placement_init(struct placement *p, const struct advice_request *q,
			     const double *given, struct err *e)
{
	double grid = grid_procs(q->app, given);

	*p = (struct placement){
		.app = q->app,
		.machine = q->machine,
		.max_procs = q->max_procs > 0 ? (double)q->max_procs : INFINITY,
		.fixed_nodes = value_of(given, q->app->i_nodes),
		.fixed_ppn = value_of(given, q->app->i_ppn),
		.fixed_procs = value_of(given, q->app->i_procs),
		.memory_checked =
			q->app->memory_bytes_per_proc && q->machine->memory_bytes_per_node > 0,
	};
	p->cores = (double)q->machine->cores_per_node;
	if (p->cores <= 0) {
		p->cores = q->runs ? placement_cores_seen(q->runs) : 0;
		p->cores_seen_only = p->cores > 0;
	}
	if (isnan(p->fixed_procs))
		p->fixed_procs = grid;
	if (p->fixed_procs != grid && !isnan(grid))
		return err_set(e, ERR_ARG, "%.0f processors are asked for, and the grid has %.0f",
			       p->fixed_procs, grid);
	if (p->fixed_procs > p->max_procs)
		return err_set(e, ERR_ARG,
			       "the values given need %.0f processors, and the limit is %.0f",
			       p->fixed_procs, p->max_procs);
	return limit_nodes(p, q, given, e);
}

double placement_procs_on(const struct placement *p, double n)
{
	double each = isnan(p->fixed_ppn) ? p->cores : p->fixed_ppn;

	return each > 0 ? n * each : n;
}

double placement_most_procs(const struct placement *p)
{
	double nodes = isnan(p->fixed_nodes) ? (double)p->max_nodes : p->fixed_nodes;

	if (!isnan(p->fixed_procs))
		return p->fixed_procs;
	/* Doubles count exactly to here, and nobody builds such a machine. */
	return fmin(fmin(placement_procs_on(p, nodes), p->max_procs), 9e15);
}

double placement_least_procs(const struct placement *p)
{
	if (!isnan(p->fixed_procs))
		return p->fixed_procs;
	/* Threads share the cores of a node: then fewer processors fill it. */
	if (isnan(p->fixed_nodes) || p->app->i_threads != SIZE_MAX)
		return 1;
	return placement_procs_on(p, p->fixed_nodes - 1) + 1;
}

bool placement_put(const struct placement *p, double procs, double *row)
{
	double need = nodes_needed(p, procs, row);
	double nodes = isnan(p->fixed_nodes) ? need : p->fixed_nodes;

	if (!isnan(p->fixed_nodes) && need != nodes) {
		/* Some nodes partly empty, never one overfilled: see check_room(). */
		if (isnan(p->fixed_procs) || (forbids_more(p) && need > nodes))
			return false;
	}
	if (nodes > (double)p->max_nodes || procs > p->max_procs)
		return false;
	if (p->app->i_nodes != SIZE_MAX)
		row[p->app->i_nodes] = nodes;
	if (p->app->i_ppn != SIZE_MAX && p->app->column[p->app->i_ppn].role != COL_DERIVED)
		row[p->app->i_ppn] = isnan(p->fixed_ppn) ? ceil(procs / nodes) : p->fixed_ppn;
	if (p->app->i_procs != SIZE_MAX && p->app->column[p->app->i_procs].role != COL_DERIVED)
		row[p->app->i_procs] = procs;
	return true;
}

bool placement_within(const struct placement *p, const double *row)
{
	return placement_nodes(p, row) <= (double)p->max_nodes &&
	       placement_procs(p, row) <= p->max_procs;
}

/* ---- memory ---- */

double placement_memory_bytes(const struct placement *p, const double *row)
{
	double ppn = value_of(row, p->app->i_ppn);

	if (isnan(ppn))
		ppn = ceil(placement_procs(p, row) / placement_nodes(p, row));
	return ppn * configuration_memory_bytes_per_proc(p->app, row);
}

bool placement_fits_memory(const struct placement *p, const double *row)
{
	/* Written so that what is not known fits. */
	return !p->memory_checked ||
	       !(placement_memory_bytes(p, row) > p->machine->memory_bytes_per_node);
}
