#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune_history.h"
#include "tune/tune_neighbourhood.h"
#include "tune/tune_objects.h"
#include "tune/tune_selection.h"
#include "tune/tune_timing.h"

/* The limits are stated twice, as selection knows nothing of MPI. */
#define SAME(a, b) _Static_assert((int)(a) == (int)(b), "limits differ")
SAME(LTUNE_MAX_FUNCTIONS, SELECTION_MAX_FUNCTIONS);
SAME(LTUNE_MAX_ATTRIBUTES, SELECTION_MAX_ATTRIBUTES);
SAME(LTUNE_MAX_TESTS, SELECTION_MAX_TESTS);
SAME(LTUNE_MAX_TESTS, TUNE_FILTER_MAX);

enum { MAX_PAUSE = 20 };

/* What LogGP says is right to a factor of 1.35, one standard deviation. Assumed. */
static const double NETWORK_SD = 0.3;

/* What process 0 tells the others when a decision is made; alike on all machines of a run. */
struct decision {
	struct selection_plan plan;
	int pause; /* uses before the next window */
	int asks_network;
	double overhead_max_s;
};

/* Rank 0: what is expected of each function before the first test. */
struct tune_expectation {
	int n_known; /* functions */
	double log_s[LTUNE_MAX_FUNCTIONS], sd[LTUNE_MAX_FUNCTIONS];
	double level_sd; /* 0: the level is not known */
};

struct ltune_request {
	struct ltune_topology *topology;
	struct ltune_vector *vector, *result;
	struct ltune_function_set *set;
	struct ltune_context context;
	struct ltune_options options; /* pointers in it are not kept */
	enum tune_filter filter;
	/* Of each function, or of the first one that it shares them with. */
	int is_prepared[LTUNE_MAX_FUNCTIONS];
	void *state[LTUNE_MAX_FUNCTIONS];

	/* selection: everybody follows the plan, rank 0 makes it */
	struct selection *selection; /* on rank 0 */
	struct selection_plan plan;
	double agreeing_s; /* rank 0: the fastest decision so far, by the slowest process */
	double agreed_s;   /* the last decision, here */
	int entry, test;   /* where in the plan */
	int warm[LTUNE_MAX_FUNCTIONS];	 /* warm-ups so far */
	int tested[LTUNE_MAX_FUNCTIONS]; /* tests so far */
	double *local_s, *largest_s; /* of a plan: 1 + tests numbers for each entry, and two more */
	/* drift, windows of the choice */
	int watches;
	double window_s[LTUNE_MAX_TESTS];
	int n_window, n_slow;
	int pause;	  /* uses before the window begins; rank 0 decides */
	int asks_network; /* when the request is made; rank 0 decides */
	struct tune_probe probe;
	double level_s; /* rank 0: of the fastest window, 0: none yet */

	int under_way; /* the function between init and wait, -1 */
	double begin_s;
	struct ltune_report report;
	char *log;
	struct ltune_history_key key;
};

void ltune_options_init(struct ltune_options *options)
{
	if (!options)
		return;
	*options = (struct ltune_options){
		.logic = "elimination",
		.filter = "iqr",
		.tests = 5,
		.threshold = 2,
		.iterations = 1000,
		.noise = 0.05,
		.network = 1,
		.drift_factor = 1.5,
		.drift_window = 50,
		.drift_windows = 2,
		.op = MPI_SUM,
	};
}

/* ---- preparing ---- */

/* Where the state of function f is kept. */
static int state_of(const struct ltune_request *r, int f)
{
	const struct ltune_function *function = r->set->functions[f];

	for (int g = 0; function->shares_state && g < f; g++) {
		const struct ltune_function *other = r->set->functions[g];

		if (other->shares_state && other->steps.prepare == function->steps.prepare)
			return g;
	}
	return f;
}

/* Rank 0: what preparing took, for the selection. */
static void record_preparing(struct ltune_request *r, int owner, double took_s)
{
	for (int f = 0; r->selection && f < r->set->n; f++) {
		if (state_of(r, f) == owner)
			r->selection->prepare_s[f] = took_s;
	}
}

/* Collective, before the first use of a function. */
static enum ltune_code prepare(struct ltune_request *r, int f, struct ltune_error *e)
{
	const int owner = state_of(r, f);
	const struct ltune_function *function = r->set->functions[f];
	double begin_s, took_s;
	enum ltune_code rc = LTUNE_OK;
	int mpi_code = MPI_SUCCESS;

	if (r->is_prepared[owner])
		return LTUNE_OK;
	begin_s = tune_now(&r->options);
	r->is_prepared[owner] = 1;
	if (function->steps.prepare) {
		mpi_code = function->steps.prepare(&r->context, &r->state[owner]);
		rc = mpi_code == MPI_ERR_NO_MEM
			     ? ltune_fail(e, LTUNE_NOMEM, "%s: out of memory", function->name)
			     : ltune_fail_mpi(e, mpi_code, function->name);
		rc = ltune_agree(r->context.comm, rc, e);
		if (rc) {
			if (function->steps.release)
				function->steps.release(&r->context, r->state[owner]);
			r->state[owner] = NULL;
			r->is_prepared[owner] = 0;
		}
	}
	took_s = tune_elapsed(begin_s, tune_now(&r->options));
	r->report.overhead_s += took_s;
	record_preparing(r, owner, took_s);
	return rc;
}

/* Collective. What can be prepared without the others, all of it for one agreement. If anything
 * fails nothing was prepared: the first use of each tells. */
static void prepare_alone(struct ltune_request *r)
{
	const double begin_s = tune_now(&r->options);
	int here[LTUNE_MAX_FUNCTIONS] = {0};
	int mpi_code = MPI_SUCCESS;
	enum ltune_code rc;

	for (int f = 0; !mpi_code && f < r->set->n; f++) {
		const struct ltune_function *function = r->set->functions[f];

		if (!function->prepares_alone || state_of(r, f) != f)
			continue;
		mpi_code = function->steps.prepare(&r->context, &r->state[f]);
		here[f] = r->is_prepared[f] = 1;
	}
	rc = ltune_agree(r->context.comm, ltune_fail_mpi(NULL, mpi_code, "preparing"), NULL);
	for (int f = 0; rc && f < r->set->n; f++) {
		if (!here[f])
			continue;
		r->set->functions[f]->steps.release(&r->context, r->state[f]);
		r->state[f] = NULL;
		r->is_prepared[f] = 0;
	}
	r->report.overhead_s += tune_elapsed(begin_s, tune_now(&r->options));
}

/* ---- creating ---- */

static enum ltune_code check_counts(const struct ltune_options *o, struct ltune_error *e)
{
	if (o->tests < 1 || o->tests > LTUNE_MAX_TESTS)
		return ltune_fail(e, LTUNE_ARG, "tests: %d, not 1 to %d", o->tests,
				  LTUNE_MAX_TESTS);
	if (o->warmup < 0 || o->threshold < 1 || o->iterations < 1)
		return ltune_fail(e, LTUNE_ARG, "warmup >= 0, threshold and iterations >= 1");
	if (!(o->noise > 0) || !(o->noise < 10))
		return ltune_fail(e, LTUNE_ARG, "noise: %g, not above 0 and below 10", o->noise);
	if (o->drift_factor == 0)
		return LTUNE_OK;
	if (!(o->drift_factor > 1) || o->drift_window < 1 || o->drift_window > LTUNE_MAX_TESTS ||
	    o->drift_windows < 1)
		return ltune_fail(e, LTUNE_ARG, "drift: factor above 1, window of 1 to %d uses",
				  LTUNE_MAX_TESTS);
	return LTUNE_OK;
}

static enum ltune_code read_options(struct ltune_request *r, struct selection_options *out,
				    struct ltune_error *e)
{
	const struct ltune_options *o = &r->options;
	const int logic = selection_logic_by_name(o->logic);
	const int filter = tune_filter_by_name(o->filter);
	enum ltune_code rc;

	if (logic < 0)
		return ltune_fail(e, LTUNE_ARG, "no logic is called %.60s",
				  o->logic ? o->logic : "NULL");
	if (filter < 0)
		return ltune_fail(e, LTUNE_ARG, "no filter is called %.60s",
				  o->filter ? o->filter : "NULL");
	if ((rc = check_counts(o, e)))
		return rc;
	r->filter = (enum tune_filter)filter;
	*out = (struct selection_options){
		.logic = (enum selection_logic)logic,
		.filter = r->filter,
		.fixed = -1,
		.tests = o->tests,
		.threshold = o->threshold,
		.iterations = o->iterations,
		.noise = o->noise,
	};
	for (int f = 0; o->fixed && f < r->set->n; f++) {
		if (!strcmp(r->set->functions[f]->name, o->fixed))
			out->fixed = f;
	}
	if (out->logic == SELECTION_FIXED && out->fixed < 0)
		return ltune_fail(e, LTUNE_ARG, "no function of %s is called %.60s", r->set->name,
				  o->fixed ? o->fixed : "NULL");
	r->watches = o->drift_factor != 0 && out->logic != SELECTION_FIXED;
	if (o->root < 0 || o->root >= r->topology->n_procs)
		return ltune_fail(e, LTUNE_ARG, "root: there is no process %d", o->root);
	return LTUNE_OK;
}

static void context_init(struct ltune_request *r)
{
	const struct ltune_topology *t = r->topology;
	const struct ltune_vector *v = r->vector;

	r->context = (struct ltune_context){
		.comm = t->comm,
		.n_procs = t->n_procs,
		.rank = t->rank,
		.ndims = v->ndims,
		.grid_ndims = t->ndims,
		.grid = t->grid,
		.coordinate = t->coordinate,
		.neighbour = t->neighbour,
		.buffer = v->buffer,
		.result = r->result ? r->result->buffer : NULL,
		.dims = v->dims,
		.halo = v->halo,
		.type = v->type,
		.type_bytes = v->type_bytes,
		.root = r->options.root,
		.op = r->options.op,
	};
}

/* Collective. Nodes are counted by their first processes. */
static int count_nodes(MPI_Comm comm, int *n_nodes)
{
	MPI_Comm node = MPI_COMM_NULL;
	int rank = 0, first, rc;

	rc = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	if (rc)
		return rc;
	MPI_Comm_rank(node, &rank);
	MPI_Comm_free(&node);
	first = rank == 0;
	return MPI_Allreduce(&first, n_nodes, 1, MPI_INT, MPI_SUM, comm);
}

/* A cell of the log: what CSV would have to quote becomes a dash. */
static void put_cell(char *cell, size_t size, const char *text)
{
	size_t n = 0;

	for (; text && *text > ' ' && n + 1 < size; text++)
		cell[n++] =
			*text == ',' || *text == '"' || *text == '#' || *text > '~' ? '-' : *text;
	cell[n] = '\0';
}

/* Collective. */
static int key_init(struct ltune_request *r)
{
	struct ltune_history_key *key = &r->key;
	const struct ltune_vector *v = r->vector;
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	char *cut;
	int length;

	MPI_Get_library_version(text, &length);
	/* "Open MPI v4.1.4, package: ..."; "MPICH Version:\t4.0.2\n...": name and number */
	for (cut = text; *cut && *cut != ',' && *cut != '\n'; cut++)
		*cut = *cut == ' ' || *cut == '\t' ? '-' : *cut;
	*cut = '\0';
	put_cell(key->mpi, sizeof key->mpi, text);
	MPI_Get_processor_name(text, &length);
	put_cell(key->machine, sizeof key->machine, r->options.machine ? r->options.machine : text);
	key->set = r->set->name;
	key->procs = r->topology->n_procs;
	key->ndims = v->ndims;
	key->halo = v->halo;
	key->type_bytes = (int)v->type_bytes;
	key->msg_bytes = (double)v->type_bytes;
	for (int d = 0; d < v->ndims; d++) {
		double face = (double)v->type_bytes * v->halo;

		key->cells[d] = v->dims[d];
		key->grid[d] = d < r->topology->ndims ? r->topology->grid[d] : 1;
		key->periodic[d] = d < r->topology->ndims ? r->topology->periodic[d] : 0;
		for (int k = 0; k < v->ndims; k++)
			face *= k == d ? 1 : v->dims[k];
		if (v->halo && face > key->msg_bytes)
			key->msg_bytes = face;
	}
	for (int d = 0; d < v->ndims && !v->halo; d++)
		key->msg_bytes *= v->dims[d];
	return count_nodes(r->context.comm, &key->nodes);
}

/* Rank 0. What was handed in goes before what is remembered. */
static enum ltune_code expect(const struct ltune_request *r, struct tune_expectation *x,
			      struct ltune_error *e)
{
	const struct ltune_options *o = &r->options;
	int n_found = 0;
	enum ltune_code rc;

	*x = (struct tune_expectation){.n_known = 0};
	for (int f = 0; f < LTUNE_MAX_FUNCTIONS; f++) {
		x->log_s[f] = NAN;
		x->sd[f] = 0.2;
	}
	if (o->candidates && (rc = ltune_history_candidates(o->candidates, &r->key, r->set, e)))
		return rc;
	if (o->history && (rc = ltune_history_nearest(o->history, &r->key, r->set, x->log_s, x->sd,
						      &x->level_sd, &n_found, e)))
		return rc;
	if (!n_found)
		x->level_sd = 0;
	for (int f = 0; o->prior_time_s && f < r->set->n; f++) {
		const int known = o->prior_time_s[f] > 0 && isfinite(o->prior_time_s[f]);

		x->log_s[f] = known ? log(o->prior_time_s[f]) : NAN;
		x->sd[f] = o->prior_sd && o->prior_sd[f] > 0 ? o->prior_sd[f] : 0.2;
		x->level_sd = 0;
	}
	x->n_known = 0;
	for (int f = 0; f < r->set->n; f++)
		x->n_known += !isnan(x->log_s[f]);
	return LTUNE_OK;
}

/* Rank 0. Functions that nothing is known about, on the level of those that something is. */
static void expect_of_network(const struct ltune_request *r, const struct tune_network *network,
			      struct tune_expectation *x)
{
	double time_s[LTUNE_MAX_FUNCTIONS], level = 0;

	if (!r->asks_network)
		return;
	r->set->expect(r->set, &r->context, r->topology->periodic, network, time_s);
	for (int f = 0; f < r->set->n; f++) {
		if (!isnan(x->log_s[f]))
			level += (x->log_s[f] - log(time_s[f])) / x->n_known;
	}
	for (int f = 0; f < r->set->n; f++) {
		if (!isnan(x->log_s[f]))
			continue;
		x->log_s[f] = log(time_s[f]) + level;
		x->sd[f] = NETWORK_SD;
	}
}

/* Rank 0. */
static enum ltune_code selection_begin(struct ltune_request *r,
				       const struct selection_options *options,
				       const struct tune_expectation *x, struct ltune_error *e)
{
	struct selection_set set = {.n = r->set->n, .n_attributes = r->set->functions[0]->set->n};

	for (int a = 0; a < set.n_attributes; a++)
		set.derived[a] = r->set->functions[0]->set->attributes[a]->derived;
	for (int f = 0; f < set.n; f++)
		memcpy(set.values[f], r->set->functions[f]->values, sizeof set.values[f]);
	r->selection = malloc(sizeof *r->selection);
	if (!r->selection)
		return ltune_fail(e, LTUNE_NOMEM, "selection: out of memory");
	selection_init(r->selection, &set, options, x->log_s, x->sd);
	if (x->level_sd > 0)
		r->selection->level_sd = x->level_sd;
	for (int f = 0; f < set.n; f++) {
		r->selection->agreements[f] = r->set->functions[f]->agreements;
		if (r->is_prepared[state_of(r, f)])
			r->selection->prepare_s[f] = 0;
	}
	r->selection->agreeing_s = r->agreeing_s;
	selection_plan_next(r->selection, 0, &r->plan);
	return LTUNE_OK;
}

/* Without communication: what can be refused, and memory. */
static enum ltune_code request_set_up(struct ltune_request *r, struct selection_options *options,
				      struct ltune_error *e)
{
	const size_t n_times =
		(size_t)r->set->n * (1 + (size_t)(r->options.tests > 0 ? r->options.tests : 0)) + 2;
	enum ltune_code rc;

	if ((rc = read_options(r, options, e)))
		return rc;
	if (r->result &&
	    (r->result->ndims != r->vector->ndims || r->result->halo != r->vector->halo ||
	     r->result->type_bytes != r->vector->type_bytes ||
	     memcmp(r->result->dims, r->vector->dims, sizeof r->result->dims)))
		return ltune_fail(e, LTUNE_MISMATCH, "the result vector has another shape");
	r->local_s = calloc(n_times, sizeof *r->local_s);
	r->largest_s = calloc(n_times, sizeof *r->largest_s);
	if (r->options.log) {
		r->log = malloc(strlen(r->options.log) + 1);
		if (r->log)
			strcpy(r->log, r->options.log);
	}
	if (r->set->expect && options->logic == SELECTION_ELIMINATION && r->options.network &&
	    !tune_probe_init(&r->probe, r->vector))
		return ltune_fail(e, LTUNE_NOMEM, "request: out of memory");
	if (!r->local_s || !r->largest_s || (r->options.log && !r->log))
		return ltune_fail(e, LTUNE_NOMEM, "request: out of memory");
	return LTUNE_OK;
}

static void request_release(struct ltune_request *r, struct ltune_error *e, enum ltune_code *rc)
{
	enum ltune_code freed;

	if (!r)
		return;
	for (int f = 0; r->set && f < r->set->n; f++) {
		const struct ltune_steps *steps = &r->set->functions[f]->steps;

		if (r->is_prepared[f] && steps->release)
			steps->release(&r->context, r->state[f]);
	}
	ltune_function_set_free(&r->set);
	ltune_vector_free(&r->vector);
	ltune_vector_free(&r->result);
	freed = ltune_topology_free(&r->topology, e);
	if (!*rc)
		*rc = freed;
	free(r->selection);
	free(r->local_s);
	free(r->largest_s);
	tune_probe_release(&r->probe);
	free(r->log);
	free(r);
}

/* Windows are as rare as it takes for what watching costs to be a hundredth of what is watched;
 * MAX_PAUSE windows apart at most. */
static int pause_of(const struct ltune_request *r)
{
	const double most = (double)MAX_PAUSE * r->options.drift_window;
	double use_s, uses;

	if (!r->selection || !r->watches || r->plan.chosen < 0)
		return 0;
	use_s = selection_estimate_s(r->selection, r->plan.chosen);
	uses = 100 * r->agreeing_s / use_s - r->options.drift_window;
	return uses > 0 ? (int)(uses < most ? uses : most) : 0;
}

/* Collective, also for those that failed: rank 0's plan to all, and the largest overhead. */
static enum ltune_code share_plan(struct ltune_request *r, struct ltune_error *e)
{
	struct decision d;
	enum ltune_code rc;

	memset(&d, 0, sizeof d);
	if (r->context.rank == 0) {
		d.plan = r->plan;
		d.pause = pause_of(r);
		d.asks_network = r->asks_network;
		d.overhead_max_s = r->report.overhead_max_s;
	}
	rc = ltune_fail_mpi(e, MPI_Bcast(&d, sizeof d, MPI_BYTE, 0, r->context.comm),
			    "sharing the plan");
	if (!rc) {
		r->plan = d.plan;
		r->pause = d.pause;
		r->asks_network = d.asks_network;
		r->report.overhead_max_s = d.overhead_max_s;
	}
	r->entry = r->test = 0;
	return rc;
}

/* Collective. What all processes measured, at rank 0: the largest of each number. */
static enum ltune_code gather(struct ltune_request *r, int n, struct ltune_error *e)
{
	return ltune_fail_mpi(
		e, MPI_Reduce(r->local_s, r->largest_s, n, MPI_DOUBLE, MPI_MAX, 0, r->context.comm),
		"gathering times");
}

/* Collective. What a decision will take at first, the same messages without waiting for anybody's
 * operation; and what messages between neighbours take, if rank 0 wants to know. */
static enum ltune_code measure(struct ltune_request *r, struct tune_network *network,
			       struct ltune_error *e)
{
	double begin_s = tune_now(&r->options), took_s[5] = {0}, largest_s[5];
	enum ltune_code rc = gather(r, 2, e);

	if (!rc)
		rc = share_plan(r, e);
	took_s[0] = tune_elapsed(begin_s, tune_now(&r->options));
	begin_s = tune_now(&r->options);
	if (!rc && r->asks_network)
		rc = ltune_fail_mpi(
			e, tune_probe_neighbours(&r->probe, &r->context, &r->options, took_s + 1),
			"timing messages");
	if (r->asks_network)
		r->report.network_s = tune_elapsed(begin_s, tune_now(&r->options));
	if (!rc)
		rc = ltune_fail_mpi(
			e,
			MPI_Allreduce(took_s, largest_s, 5, MPI_DOUBLE, MPI_MAX, r->context.comm),
			"measuring decisions");
	if (rc)
		return rc;
	r->agreed_s = r->agreeing_s = largest_s[0];
	*network = (struct tune_network){
		.small_bytes = TUNE_SMALL_BYTES,
		.large_bytes = r->probe.bytes,
		.post_s = {largest_s[1], largest_s[3]},
		.message_s = {largest_s[2], largest_s[4]},
	};
	return LTUNE_OK;
}

/* Collective: from what is known to the first plan. */
static enum ltune_code request_begin(struct ltune_request *r,
				     const struct selection_options *options, struct ltune_error *e)
{
	struct tune_expectation x = {.n_known = 0};
	struct tune_network network;
	const int decides = r->context.rank == 0;
	enum ltune_code rc = ltune_fail_mpi(e, key_init(r), "counting nodes");

	if (rc)
		return rc;
	if ((rc = ltune_agree(r->context.comm, decides ? expect(r, &x, e) : LTUNE_OK, e)))
		return rc;
	if (decides)
		r->asks_network =
			r->probe.buffer && x.n_known < r->set->n && r->topology->n_procs > 1;
	if ((rc = measure(r, &network, e)))
		return rc;
	if (options->logic != SELECTION_FIXED)
		prepare_alone(r);
	if (decides) {
		expect_of_network(r, &network, &x);
		rc = selection_begin(r, options, &x, e);
	}
	tune_probe_release(&r->probe);
	if ((rc = ltune_agree(r->context.comm, rc, e)))
		return rc;
	return share_plan(r, e);
}

enum ltune_code ltune_request_create(struct ltune_topology *topology, struct ltune_vector *vector,
				     struct ltune_function_set *set,
				     const struct ltune_options *options,
				     struct ltune_request **out, struct ltune_error *e)
{
	struct selection_options selection = {.fixed = -1};
	struct ltune_request *r;
	enum ltune_code rc = LTUNE_OK;

	if (!topology)
		return ltune_fail(e, LTUNE_ARG, "request: no topology");
	r = calloc(1, sizeof *r);
	if (!r)
		rc = ltune_fail(e, LTUNE_NOMEM, "request: out of memory");
	else if (!vector || !set || !out)
		rc = ltune_fail(e, LTUNE_ARG, "request: needs a vector and a function set");
	if ((rc = ltune_agree(topology->comm, rc, e)) || !r || !vector || !set || !out) {
		free(r);
		return rc;
	}
	ltune_options_init(&r->options);
	if (options)
		r->options = *options;
	r->topology = ltune_topology_keep(topology);
	r->vector = ltune_vector_keep(vector);
	r->set = ltune_function_set_keep(set);
	if (r->options.result)
		r->result = ltune_vector_keep(r->options.result);
	r->under_way = r->report.chosen_index = -1;
	r->report.functions = set->n;
	context_init(r);
	rc = ltune_agree(r->context.comm, request_set_up(r, &selection, e), e);
	if (!rc && set->check)
		rc = ltune_agree(r->context.comm, set->check(&r->context, e), e);
	if (!rc)
		rc = request_begin(r, &selection, e);
	if (rc) {
		request_release(r, e, &rc);
		return rc;
	}
	if (r->plan.chosen >= 0) {
		r->report.chosen_index = r->plan.chosen;
		r->report.chosen = ltune_function_set_name(set, r->plan.chosen);
	}
	/* What the first use needs; if that fails, the first use tells. */
	prepare(r, r->plan.chosen < 0 ? r->plan.entry[0].function : r->plan.chosen, NULL);
	*out = r;
	return LTUNE_OK;
}

/* ---- deciding ---- */

/* Collective, when the plan is done: the next one, or the choice. */
static enum ltune_code decide(struct ltune_request *r, struct ltune_error *e)
{
	double *at = r->local_s;
	int n = 0;
	enum ltune_code rc;

	/* Times stand behind the places of their means. */
	for (int k = 0; k < r->plan.n; k++) {
		const int tests = r->plan.entry[k].tests;

		*at = tune_filter_mean(r->filter, at + 1, tests);
		at += 1 + tests;
		n += 1 + tests;
		if (!r->tested[r->plan.entry[k].function])
			r->report.functions_tested++;
		r->tested[r->plan.entry[k].function] += tests;
	}
	r->local_s[n++] = r->report.overhead_s;
	r->local_s[n++] = r->agreed_s;
	if ((rc = gather(r, n, e)))
		return rc;
	if (r->context.rank == 0) {
		selection_record(r->selection, &r->plan, r->largest_s);
		/* A wait for others was a wait for their operations. */
		if (r->largest_s[n - 1] < r->agreeing_s)
			r->agreeing_s = r->largest_s[n - 1];
		r->selection->agreeing_s = r->agreeing_s;
		selection_plan_next(r->selection, r->report.uses, &r->plan);
		r->report.overhead_max_s = r->largest_s[n - 2];
	}
	if ((rc = share_plan(r, e)))
		return rc;
	if (r->plan.chosen >= 0) {
		r->report.chosen_index = r->plan.chosen;
		r->report.chosen = ltune_function_set_name(r->set, r->plan.chosen);
		r->report.decided_after = r->report.uses;
		r->n_window = r->n_slow = 0;
		r->level_s = 0;
	}
	return LTUNE_OK;
}

/* Collective, at the end of a window. The level of the choice is that of its fastest window: that
 * of its tests may have been luck. */
static enum ltune_code watch_drift(struct ltune_request *r, struct ltune_error *e)
{
	enum ltune_code rc;

	r->local_s[0] = tune_filter_mean(r->filter, r->window_s, r->n_window);
	r->n_window = 0;
	if ((rc = gather(r, 1, e)))
		return rc;
	if (r->context.rank == 0) {
		const double window_s = r->largest_s[0];

		if (!(r->level_s > 0) || window_s < r->level_s)
			r->level_s = window_s;
		r->n_slow = window_s > r->options.drift_factor * r->level_s ? r->n_slow + 1 : 0;
		if (r->n_slow >= r->options.drift_windows) {
			/* What was learnt holds no longer, nor does what was handed in. */
			selection_begin_again(r->selection);
			selection_plan_next(r->selection, r->report.uses, &r->plan);
		}
	}
	if ((rc = share_plan(r, e)))
		return rc;
	if (r->plan.chosen < 0) {
		r->report.restarts++;
		r->report.chosen = NULL;
		r->report.chosen_index = -1;
		memset(r->warm, 0, sizeof r->warm);
	}
	return LTUNE_OK;
}

static enum ltune_code count_test(struct ltune_request *r, int f, double time_s,
				  struct ltune_error *e)
{
	double *at = r->local_s;
	double begin_s;
	enum ltune_code rc;

	r->report.tests += time_s < SELECTION_UNUSABLE_S;
	if (r->warm[f] < r->options.warmup) {
		r->warm[f]++;
		return LTUNE_OK;
	}
	for (int k = 0; k < r->entry; k++)
		at += 1 + r->plan.entry[k].tests;
	at[1 + r->test++] = time_s;
	if (r->test < r->plan.entry[r->entry].tests)
		return LTUNE_OK;
	r->test = 0;
	if (++r->entry < r->plan.n)
		return LTUNE_OK;
	begin_s = tune_now(&r->options);
	rc = decide(r, e);
	r->agreed_s = tune_elapsed(begin_s, tune_now(&r->options));
	r->report.overhead_s += r->agreed_s;
	return rc;
}

static enum ltune_code count_use(struct ltune_request *r, int f, double time_s,
				 struct ltune_error *e)
{
	double begin_s;
	enum ltune_code rc;

	r->report.uses++;
	r->report.operation_s += time_s;
	if (r->plan.chosen < 0)
		return count_test(r, f, time_s, e);
	if (!r->watches)
		return LTUNE_OK;
	if (r->pause > 0) {
		r->pause--;
		return LTUNE_OK;
	}
	r->window_s[r->n_window++] = time_s;
	if (r->n_window < r->options.drift_window)
		return LTUNE_OK;
	begin_s = tune_now(&r->options);
	rc = watch_drift(r, e);
	r->report.overhead_s += tune_elapsed(begin_s, tune_now(&r->options));
	return rc;
}

/* ---- using ---- */

/* Collective. The function to use now, prepared. A test of one that cannot be prepared is over:
 * some MPI cannot make windows, and the others still can exchange. */
static enum ltune_code next_function(struct ltune_request *r, int *out, struct ltune_error *e)
{
	for (;;) {
		const int testing = r->plan.chosen < 0;
		const int f = testing ? r->plan.entry[r->entry].function : r->plan.chosen;
		enum ltune_code rc = prepare(r, f, testing ? NULL : e);

		*out = f;
		if (!rc || !testing)
			return rc;
		for (int n = r->plan.entry[r->entry].tests - r->test; n > 0; n--) {
			r->warm[f] = r->options.warmup;
			if ((rc = count_test(r, f, SELECTION_UNUSABLE_S, e)))
				return rc;
		}
	}
}

enum ltune_code ltune_request_init(struct ltune_request *r, struct ltune_error *e)
{
	const struct ltune_function *function;
	double start_s;
	int f;
	enum ltune_code rc;

	if (!r)
		return ltune_fail(e, LTUNE_ARG, "no request");
	if (r->under_way >= 0)
		return ltune_fail(e, LTUNE_STATE, "the request is under way: wait for it first");
	if ((rc = next_function(r, &f, e)))
		return rc;
	function = r->set->functions[f];
	start_s = tune_now(&r->options);
	rc = ltune_fail_mpi(e, function->steps.begin(&r->context, r->state[state_of(r, f)]),
			    function->name);
	if (rc)
		return rc;
	r->begin_s = tune_elapsed(start_s, tune_now(&r->options));
	r->under_way = f;
	return LTUNE_OK;
}

enum ltune_code ltune_request_wait(struct ltune_request *r, struct ltune_error *e)
{
	const struct ltune_function *function;
	double time_s, start_s;
	int f;
	enum ltune_code rc = LTUNE_OK;

	if (!r)
		return ltune_fail(e, LTUNE_ARG, "no request");
	if (r->under_way < 0)
		return ltune_fail(e, LTUNE_STATE, "the request is not under way");
	f = r->under_way;
	function = r->set->functions[f];
	r->under_way = -1;
	time_s = r->begin_s;
	if (function->steps.end) {
		start_s = tune_now(&r->options);
		rc = ltune_fail_mpi(e, function->steps.end(&r->context, r->state[state_of(r, f)]),
				    function->name);
		if (rc)
			return rc;
		time_s += tune_elapsed(start_s, tune_now(&r->options));
	}
	return count_use(r, f, time_s, e);
}

enum ltune_code ltune_request_start(struct ltune_request *r, struct ltune_error *e)
{
	enum ltune_code rc = ltune_request_init(r, e);

	return rc ? rc : ltune_request_wait(r, e);
}

/* ---- what is known, and the end ---- */

void ltune_request_report(const struct ltune_request *r, struct ltune_report *out)
{
	*out = r->report;
}

double ltune_request_estimate_s(const struct ltune_request *r, int i)
{
	return r && r->selection && i >= 0 && i < r->set->n ? selection_estimate_s(r->selection, i)
							    : NAN;
}

static enum ltune_code write_log(const struct ltune_request *r, struct ltune_error *e)
{
	double estimate_s[LTUNE_MAX_FUNCTIONS];

	for (int f = 0; f < r->set->n; f++)
		estimate_s[f] = selection_estimate_s(r->selection, f);
	return ltune_history_append(r->log, &r->key, r->set, estimate_s, r->selection->n_tests,
				    r->report.chosen_index, e);
}

enum ltune_code ltune_request_free(struct ltune_request **request, struct ltune_error *e)
{
	struct ltune_request *r = request ? *request : NULL;
	enum ltune_code rc = LTUNE_OK;

	if (!r)
		return LTUNE_OK;
	if (r->under_way >= 0)
		return ltune_fail(e, LTUNE_STATE, "the request is under way: wait for it first");
	*request = NULL;
	if (r->log && r->selection)
		rc = write_log(r, e);
	request_release(r, e, &rc);
	return rc;
}
