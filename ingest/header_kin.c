#include "ingest/header_kin.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "ingest/header_match.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* ---- words for one thing ---- */

enum kin_of { KIN_TIME, KIN_NODES, KIN_PROCS, KIN_PPN, KIN_THREADS, KIN_WORK, KIN_NAMED };

struct kin {
	enum kin_of of;
	const char *resource; /* the field of --resource that it is; NULL: none */
	const char *words;
	const char *loose; /* may also count or number something else: suggested, never taken */
};

static const struct kin kins[] = {
	{KIN_TIME, NULL,
	 "time runtime run_time walltime wall_time wall wallclock wall_clock wallclock_time "
	 "wall_clock_time elapsed elapsedraw elapsed_time duration total_time time_total real_time "
	 "exec_time execution_time time_to_solution resources_used.walltime",
	 "total seconds real secs"},
	{KIN_NODES, "nodes",
	 "nodes nnodes n_nodes num_nodes node_count nodecount allocnodes alloc_nodes nodect "
	 "number_of_nodes resource_list.nodect",
	 "node"},
	{KIN_PROCS, "procs",
	 "procs nprocs n_procs num_procs nproc np ranks nranks n_ranks num_ranks mpi_ranks "
	 "mpi_procs mpi_tasks processes n_processes num_processes nprocesses mpi_processes ntasks "
	 "n_tasks num_tasks number_of_processes number_of_ranks",
	 "cores ncpus cpus tasks ncores alloccpus slots nslots nreq_slot alloc_slot "
	 "resource_list.ncpus resource_list.mpiprocs resources_used.ncpus"},
	{KIN_PPN, "ppn",
	 "ppn procs_per_node ranks_per_node tasks_per_node ntasks_per_node processes_per_node "
	 "mpi_per_node ranks/node procs/node tasks/node num_tasks_per_node n_ranks_per_node",
	 ""},
	{KIN_THREADS, "threads",
	 "threads nthreads n_threads num_threads omp_threads omp_num_threads threads_per_rank "
	 "threads_per_proc threads_per_process threads_per_task omp cpus_per_task "
	 "num_cpus_per_task n_threads_per_proc n_threads_per_rank",
	 "thread"},
	{KIN_WORK, NULL,
	 "iterations its iters niter niters n_iter n_iters n_iterations niterations num_iter "
	 "num_iters num_iterations nits max_iter maxiter number_of_iterations",
	 "iter iteration it"},
	{KIN_WORK, NULL,
	 "timesteps time_steps ntimesteps n_timesteps num_timesteps nsteps n_steps num_steps nstep "
	 "number_of_steps nts",
	 "steps step timestep time_step"},
	{KIN_NAMED, "gpus", "gpus ngpus n_gpus num_gpus gpu_count number_of_gpus", "gpu"},
	{KIN_NAMED, NULL, "groups ngroups n_groups num_groups energy_groups", ""},
};

static bool is_kin(const struct kin *k, const char *text, bool loosely)
{
	return text_has_word(k->words, text) || (loosely && text_has_word(k->loose, text));
}

/* Does the application call column i by one of these words? */
static bool column_is_kin(const struct application *a, size_t i, const struct kin *k)
{
	const struct column *c = &a->column[i];

	if (c->role == COL_DERIVED)
		return false;
	if (is_kin(k, c->name, true))
		return true;
	for (size_t n = 0; n < c->n_alias; n++) {
		if (is_kin(k, c->alias[n], true))
			return true;
	}
	return false;
}

/* ---- what a header means ---- */

static struct header_match of_column(const struct application *a, size_t i)
{
	struct header_match m = {.kind = FIELD_KIND_COUNT, .unit = cell_unit_same};

	if (i == SIZE_MAX)
		return m;
	m.kind = a->column[i].role != COL_DERIVED ? FIELD_COLUMN : FIELD_PROCS;
	m.index = m.kind == FIELD_COLUMN ? i : 0;
	return m;
}

/* The only column of the application that goes by such a word. */
static struct header_match of_named(const struct application *a, const struct kin *k)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (!column_is_kin(a, i, k))
			continue;
		if (found != SIZE_MAX)
			return of_column(a, SIZE_MAX);
		found = i;
	}
	return of_column(a, found);
}

static struct header_match of_time(const struct application *a, const struct header_name *h)
{
	struct header_match m = {.kind = FIELD_TIME, .unit = cell_unit_of_ratio(a->target_unit_s)};

	m.unit_from = UNIT_ASSUMED;
	m.rank = h->statistic != STATISTIC_NONE ? RANK_AGGREGATE : RANK_GENERIC;
	if (strcmp(h->stem, "elapsedraw") == 0) { /* of sacct: seconds */
		m.unit = cell_unit_same;
		m.unit_from = UNIT_IN_HEADER;
	}
	if (!*h->unit)
		return m;
	if (!cell_unit_between(h->unit, "s", &m.unit))
		m.unit_from = UNIT_WRONG;
	else
		m.unit_from = !h->bracketed && strcmp(h->unit, "min") == 0 ? UNIT_AMBIGUOUS
									   : UNIT_IN_HEADER;
	return m;
}

static struct header_match find(const struct application *a, const struct kin *k,
				const struct header_name *h)
{
	struct header_match m = of_column(a, SIZE_MAX);

	if (k->of == KIN_TIME)
		return of_time(a, h);
	if (*h->unit || h->statistic != STATISTIC_NONE)
		return m; /* "iterations_s" counts nothing */
	switch (k->of) {
	case KIN_NODES:
		return of_column(a, a->i_nodes);
	case KIN_PROCS:
		return of_column(a, a->i_procs);
	case KIN_PPN:
		if (a->i_ppn != SIZE_MAX)
			return of_column(a, a->i_ppn);
		m.kind = a->i_nodes != SIZE_MAX ? FIELD_PPN : FIELD_KIND_COUNT;
		return m;
	case KIN_THREADS:
		return of_column(a, a->i_threads);
	default:
		return of_named(a, k);
	}
}

struct header_match header_kin_find(const struct application *a, const char *header)
{
	struct header_name h;

	if (!header_name_read_plain(header, &h))
		return of_column(a, SIZE_MAX);
	for (size_t i = 0; i < COUNT(kins); i++) {
		if (is_kin(&kins[i], h.stem, false))
			return find(a, &kins[i], &h);
	}
	return of_column(a, SIZE_MAX);
}

/* "nodes" of "nodes_used", in place. */
static void without_use(char *stem)
{
	static const char *const end[] = {"_used", "_allocated", "_in_use"};
	const size_t n = strlen(stem);

	for (size_t i = 0; i < COUNT(end); i++) {
		if (n > strlen(end[i]) && strcmp(stem + n - strlen(end[i]), end[i]) == 0)
			stem[n - strlen(end[i])] = '\0';
	}
}

const char *header_kin_resource(const char *header, bool loosely)
{
	struct header_name h;

	if (!*header || !header_name_read_plain(header, &h))
		return NULL;
	without_use(h.stem);
	for (size_t i = 0; i < COUNT(kins); i++) {
		if (is_kin(&kins[i], h.stem, loosely))
			return kins[i].resource;
	}
	return NULL;
}

bool header_kin_counts_work(const char *header)
{
	struct header_name h;

	if (!*header || !header_name_read_plain(header, &h))
		return false;
	for (size_t i = 0; i < COUNT(kins); i++) {
		if (kins[i].of == KIN_WORK && is_kin(&kins[i], h.stem, false))
			return true;
	}
	return false;
}

/* ---- what it may have meant ---- */

/* Letters and digits only, in small letters: where words are compared. */
static size_t squeeze(const char *text, char *out, size_t size)
{
	size_t n = 0;

	for (; *text && n + 1 < size; text++) {
		char c = *text;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			out[n++] = c;
	}
	out[n] = '\0';
	return n;
}

enum { WORD_MAX = 40 };

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Letters to insert, delete, replace or swap with their neighbour (optimal string alignment: F. J.
 * Damerau, CACM 7(3), 1964). */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1];

	for (size_t i = 0; i <= n; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			d[i][j] = smallest(d[i - 1][j] + 1, d[i][j - 1] + 1,
					   d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[n][m];
}

/* A typing mistake: one in four letters, two in seven. Or one begins with all of the other. */
static bool is_close(const char *header, const char *name)
{
	enum { ONE_FROM = 4, TWO_FROM = 7, PREFIX_FROM = 5 };
	char a[WORD_MAX], b[WORD_MAX];
	size_t n = squeeze(header, a, sizeof a);
	size_t m = squeeze(name, b, sizeof b);
	size_t shorter = n < m ? n : m;

	if (shorter < ONE_FROM)
		return n == m && n > 1 && strcmp(a, b) == 0;
	if (shorter >= PREFIX_FROM && strncmp(a, b, shorter) == 0)
		return true;
	return distance(a, n, b, m) <= (shorter >= TWO_FROM ? 2u : 1u);
}

static bool is_close_to_column(const struct application *a, size_t i, const char *header,
			       const char *stem)
{
	const struct column *c = &a->column[i];
	bool close = is_close(header, c->name);

	for (size_t k = 0; k < c->n_alias && !close; k++)
		close = is_close(header, c->alias[k]);
	for (size_t k = 0; k < COUNT(kins) && !close; k++)
		close = kins[k].of != KIN_TIME && is_kin(&kins[k], stem, true) &&
			column_is_kin(a, i, &kins[k]);
	return close;
}

static bool is_close_to_time(const struct application *a, const char *header, const char *stem)
{
	return is_kin(&kins[0], stem, true) || is_close(header, a->target) ||
	       is_close(stem, "runtime") || is_close(stem, "walltime") || is_close(stem, "elapsed");
}

const char *header_kin_suggest(const struct column_mapping *m, size_t i, size_t *i_column)
{
	static const enum field_kind general[] = {FIELD_MACHINE, FIELD_STATUS, FIELD_REPEAT,
						  FIELD_N_REPEATS};
	const struct application *a = m->app;
	const char *header = text_table_column(m->table, i);
	struct header_name h;

	if (!header_name_read_plain(header, &h))
		return NULL;
	for (*i_column = 0; *i_column < a->n_columns; ++*i_column) {
		if (a->column[*i_column].role != COL_DERIVED &&
		    m->of_column[*i_column] == SIZE_MAX &&
		    is_close_to_column(a, *i_column, header, h.stem))
			return a->column[*i_column].name;
	}
	*i_column = SIZE_MAX;
	if (m->of_kind[FIELD_TIME] == SIZE_MAX && is_close_to_time(a, header, h.stem))
		return field_kind_name(FIELD_TIME);
	for (size_t k = 0; k < COUNT(general); k++) {
		if (m->of_kind[general[k]] == SIZE_MAX &&
		    is_close(h.stem, field_kind_name(general[k])))
			return field_kind_name(general[k]);
	}
	return NULL;
}

void header_kin_put_map(const char *header, const char *field, struct strbuf *out)
{
	struct strbuf word = STRBUF_INIT;

	strbuf_printf(&word, "%s=%s", header, field);
	strbuf_puts(out, "--map ");
	text_put_shell_word(out, strbuf_text(&word));
	out->failed |= word.failed;
	strbuf_release(&word);
}
