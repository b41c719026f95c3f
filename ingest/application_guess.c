#include "ingest/application_guess.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"
#include "base/units.h"
#include "ingest/cell_number.h"
#include "ingest/field_names.h"
#include "ingest/foreign_file.h"
#include "ingest/header_kin.h"
#include "ingest/header_match.h"
#include "ingest/row_parts.h"
#include "ingest/table_style.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* ---- words ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text);
	size_t n_end = strlen(end);

	return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* A whole run, so a better target than the part that "solve_s" names. */
static bool is_run_time(const char *stem)
{
	return text_has_word("runtime run_time wall walltime wall_time wallclock elapsed "
			     "elapsed_time duration time total_time time_total total seconds secs "
			     "t_total t_wall total_t real overall t_tot tot_time ttot",
			     stem);
}

/* "t1", "time2", "run3": a repeat; the number of it, 0: none. *n: how long the word before it is.
 */
static long repeat_of(const char *stem, size_t *n)
{
	static const char *const word[] = {"time",    "t",	 "run",	   "rep",     "trial",
					   "time_",   "t_",	 "run_",   "rep_",    "repeat",
					   "repeat_", "runtime", "trial_", "runtime_"};

	for (size_t i = 0; i < COUNT(word); i++) {
		const char *digits = stem + strlen(word[i]);

		*n = strlen(word[i]);
		if (strncmp(stem, word[i], *n) == 0 && *digits &&
		    strspn(digits, "0123456789") == strlen(digits))
			return strtol(digits, NULL, 10);
	}
	return 0;
}

static long repeat_number(const char *stem)
{
	size_t n;

	return repeat_of(stem, &n);
}

bool application_guess_are_repeats(const char *header, const char *other)
{
	struct header_name x, y;
	size_t n_x, n_y;

	return header_name_read_plain(header, &x) && header_name_read_plain(other, &y) &&
	       repeat_of(x.stem, &n_x) != repeat_of(y.stem, &n_y) && repeat_of(x.stem, &n_x) > 0 &&
	       repeat_of(y.stem, &n_y) > 0 && n_x == n_y && strncmp(x.stem, y.stem, n_x) == 0 &&
	       strcmp(x.unit, y.unit) == 0;
}

/* "tmin", "max": of times, if the table has several of them. */
static bool is_statistic(const char *stem)
{
	return text_has_word("min max avg mean median average q1 q3 p95 p99 best "
			     "worst",
			     stem + (*stem == 't' && stem[1] != '_'));
}

static bool is_time(const struct header_name *h)
{
	return is_run_time(h->stem) || strcmp(h->stem, "t") == 0 ||
	       text_has_word("inclusive exclusive perf_value", h->stem) ||
	       ends_with(h->stem, "time") || strncmp(h->stem, "time_", strlen("time_")) == 0 ||
	       strncmp(h->stem, "t_", strlen("t_")) == 0 || ends_with(h->stem, "_t") ||
	       repeat_number(h->stem) > 0 || cell_unit_seconds(h->unit) > 0;
}

/* "solve", "comm": how long a part of the run took, if the cell is no whole number. */
static bool is_part_of_run(const char *stem)
{
	return text_has_word("solve solver compute computation comp calc calculation comm "
			     "communication kernel kernels setup set_up init initialization "
			     "assembly assemble io i/o mpi factor factorization factorisation "
			     "preconditioner precond output write read finalize overhead wait "
			     "halo exchange sweep gemm spmv allreduce transfer h2d d2h load "
			     "partitioning main_loop loop solve_phase user sys",
			     stem);
}

/* What precedes the work proper. */
static bool is_preparation(const char *stem)
{
	return text_has_word("setup_time set_up_time init_time initialization_time "
			     "initialisation_time startup_time start_up_time launch_time "
			     "time_setup time_init t_setup t_init warmup_time warm_up_time "
			     "setup init",
			     stem);
}

/* Times in what is simulated, and steps of these. */
static bool is_simulated(const char *stem)
{
	return text_has_word(
		"dt delta_t deltat time_step timestep timestep_size step_size sim_time "
		"simtime simulated_time physical_time model_time final_time "
		"t_end tend t_final tfinal",
		stem);
}

/* What comes out of a run beside its time. */
static bool is_result(const char *stem)
{
	return text_has_word("speedup efficiency throughput bandwidth energy power fom maxrss "
			     "max_rss std stddev std_dev memory_usage performance perf score bw "
			     "gbps mbps fps tps qps iops loss accuracy residual eff eff. par_eff "
			     "scaling parallel_efficiency stdev sd variance mlups glups teps "
			     "gteps joules watts avg_power power_w percent wait queue_wait "
			     "pending visits calls instructions ipc cput rss peak_rss maxvmem "
			     "max_vmem max_mem maxmem peak_mem peak_memory max_memory "
			     "cost price su sus service_units speed_up parallel_eff "
			     "figure_of_merit gups sypd queue_time wait_time pending_time std_time "
			     "time_std time_stddev time_sd stderr norm_time normalized_time "
			     "normalised_time relative_time rel_time relative_runtime time_ratio "
			     "inverse_time predicted_time estimated_time",
			     stem) ||
	       strncmp(stem, "cost_", strlen("cost_")) == 0 || ends_with(stem, "flops") ||
	       ends_with(stem, "flop_s") || ends_with(stem, "rate") || ends_with(stem, "_per") ||
	       ends_with(stem, "error") || ends_with(stem, "_pct") || ends_with(stem, "_percent") ||
	       ends_with(stem, "_misses") || strncmp(stem, "energy_", strlen("energy_")) == 0 ||
	       strncmp(stem, "papi_", strlen("papi_")) == 0 ||
	       (strncmp(stem, "resources_used.", strlen("resources_used.")) == 0 &&
		!ends_with(stem, "walltime"));
}

/* "s" and "time_per_step": "time per step" has the parts "time" and "step". */
static bool split_ratio(const char *header, char *over, char *under, size_t size)
{
	static const char *const mark[] = {"/", "_per_", " per ", "-per-"};
	const char *at = NULL;
	size_t n = 0;

	for (size_t i = 0; i < COUNT(mark) && !at; i++) {
		at = strstr(header, mark[i]);
		n = strlen(mark[i]);
	}
	if (!at || at == header || !at[n] || strlen(header) >= size)
		return false;
	memcpy(over, header, (size_t)(at - header));
	over[at - header] = '\0';
	strcpy(under, at + n);
	under[strcspn(under, " [(_")] = '\0';
	return true;
}

static bool is_unit_of_time(const char *text)
{
	return cell_unit_seconds(text) > 0;
}

/* "ranks_per_gpu", "cores/rank" */
static bool split_resource(const char *header)
{
	char over[HEADER_NAME_MAX], under[HEADER_NAME_MAX];

	return split_ratio(header, over, under, sizeof over) && header_kin_resource(over, true);
}

enum no_run_time no_run_time_of_header(const char *header)
{
	char small[HEADER_NAME_MAX];
	char over[HEADER_NAME_MAX];
	char under[HEADER_NAME_MAX];
	struct header_name h, of_over;
	size_t n = strlen(header);

	if (!header_name_read_plain(header, &h))
		return IS_RUN_TIME;
	for (size_t i = 0; i <= n; i++)
		small[i] = (char)(header[i] >= 'A' && header[i] <= 'Z' ? header[i] - 'A' + 'a'
								       : header[i]);
	if (split_ratio(!h.bracketed	      ? small
			: strchr(h.unit, '/') ? h.unit
					      : h.stem,
			over, under, sizeof small) &&
	    !text_has_word("run job simulation execution repeat", under) &&
	    !header_kin_resource(over, true)) {
		/* "Max time/rank" is that of one of them */
		if (text_has_word("rank process proc task thread core cpu node", under) &&
		    header_name_read_plain(over, &of_over) && is_run_time(of_over.stem) &&
		    of_over.statistic == STATISTIC_NONE)
			return IS_SHARE;
		if (text_has_word("rank process proc task thread", under))
			return IS_RUN_TIME;
		if (!is_unit_of_time(under) && header_name_read_plain(over, &of_over) &&
		    (is_time(&of_over) || is_unit_of_time(over)))
			return IS_PART;
		return IS_RESULT;
	}
	if (text_has_word("step_time iter_time iteration_time epoch_time time_iter time_iteration "
			  "time_epoch t_iter t_iteration t_epoch grind_time",
			  h.stem))
		return IS_PART;
	if (is_preparation(h.stem))
		return IS_PREPARATION;
	if (is_simulated(h.stem))
		return IS_SIMULATED;
	/* "core_hours", but not "core" */
	if (text_has_word("cpu cpu_time cputime core node user_time sys_time cumulative "
			  "system_time cumulative_time total_cpu cum_time cumtime total_cpu_time "
			  "totalcpu cputimeraw corehours nodehours cpuhours gpuhours "
			  "aggregate_time sum_of_times gpu",
			  h.stem) &&
	    (is_unit_of_time(h.unit) || strlen(h.stem) > 4))
		return IS_SUM;
	/* as time(1) names them beside "real" */
	if (text_has_word("user sys", h.stem))
		return IS_SUM;
	return is_result(h.stem) || text_has_word("hz khz mhz ghz freq frequency", h.stem)
		       ? IS_RESULT
		       : IS_RUN_TIME;
}

/* How the work is cut up, laid out or ordered. */
static bool is_tunable(const char *stem)
{
	static const char *const part[] = {"block",    "blk",	 "chunk",   "tile",	"nest",
					   "layout",   "unroll", "buffer",  "algo",	"variant",
					   "stripe",   "scheme", "pattern", "strategy", "stride",
					   "schedule", "decomp", "topology"};
	const char *end = strchr(stem, '_');

	if (text_has_word("nb mb kb bs mk mmi px py pz p q npx npy npz npe_i npe_j grid_p grid_q "
			  "ht smt hyperthreading version release freq frequency ghz mhz",
			  stem))
		return true;
	for (size_t i = 0; i < COUNT(part); i++) {
		if (strstr(stem, part[i]))
			return true;
	}
	/* "dirsets", "zset_x"; "dataset" is a problem. */
	return !strstr(stem, "dataset") && !strstr(stem, "offset") &&
	       (ends_with(stem, "sets") || ends_with(stem, "set") ||
		(end && end - stem >= 3 && strncmp(end - 3, "set", 3) == 0));
}

/* A word is a choice, unless it names what is solved. */
static bool is_name_of_problem(const char *stem)
{
	static const char words[] =
		"problem system input dataset case matrix mesh deck name jobname job_name test "
		"grid model scenario benchmark workload testcase graph size shape dims dimensions "
		"domain resolution";
	static const char *const end[] = {"_name", "_file", "_case", "_size", NULL};
	char head[HEADER_NAME_MAX];

	if (text_has_word(words, stem))
		return true;
	for (size_t i = 0; end[i]; i++) {
		if (ends_with(stem, end[i])) { /* "matrix_name" */
			snprintf(head, sizeof head, "%.*s", (int)(strlen(stem) - strlen(end[i])),
				 stem);
			return text_has_word(words, head);
		}
	}
	return false;
}

/* ---- roles ---- */

enum guessed_role {
	GUESS_NONE,	    /* what import reads itself, or does not store */
	GUESS_TARGET,	    /* the run time: one column at most */
	GUESS_RESULT,	    /* a further time or rate: it would leak the answer */
	GUESS_NAME,	    /* words, others in each row: the name of a run */
	GUESS_CIRCUMSTANCE, /* warm or cold: how a run came about */
	GUESS_PROBLEM,	    /* whatever looks like nothing else */
	GUESS_TUNABLE,
	GUESS_RESOURCE
};
struct guessed_column {
	enum guessed_role role;
	const char *resource; /* the field it fills: "nodes"; each once */
	bool words;	      /* the first row has no number there */
	int may_be_target;    /* and so may others, as likely */
};

/* Sizes as 280x280x255 and 64KB are numbers. */
static bool holds_words(const struct table_record *first, size_t i)
{
	struct cell_size size[CELL_SIZES_MAX];
	double bytes;

	return first->raw && !first->bad && i < first->n_fields && word_is_word(first->field[i]) &&
	       cell_sizes(first->field[i], size) == 0 && !size_in_table(first->field[i], &bytes);
}

static bool has_fraction(const struct table_record *first, size_t i)
{
	double x;

	return first->raw && !first->bad && i < first->n_fields &&
	       cell_number(first->field[i], &x) == NUMBER_OK && trunc(x) != x;
}

/* "n" is as likely a matrix size as a number of repeats. */
static bool is_read_by_import(const char *stem)
{
	return field_is_personal(stem) ||
	       text_has_word("jobid job_id id run_id partition queue "
			     "date timestamp submit start end qos "
			     "import_id line computed flag extra "
			     "excluded index reqtres alloctres "
			     "starttime endtime reqmem req_mem "
			     "req_mem_bytes seed rng_seed "
			     "random_seed",
			     stem) ||
	       (field_kind_of_header(stem) != FIELD_KIND_COUNT && strcmp(stem, "n") != 0);
}

/* What a cell of it is like: no number; how a run ended or came about; no whole number. */
struct cell_look {
	bool words, ended, circumstance, fraction;
};

static struct guessed_column guess_alone(const char *header, struct cell_look cell)
{
	struct guessed_column c = {.role = GUESS_NONE, .words = cell.words};
	struct header_name h;

	if (!*header || !header_name_read_plain(header, &h))
		return c;
	if ((c.resource = header_kin_resource(header, true)))
		c.role = cell.words ? GUESS_NONE : GUESS_RESOURCE;
	else if (field_kind_of_header(h.stem) == FIELD_LIMIT)
		c.role = GUESS_NONE;
	else if (is_simulated(h.stem) && strstr(h.stem, "sim") == NULL)
		c.role = cell.words ? GUESS_NONE : GUESS_PROBLEM;
	else if (is_time(&h) || (!cell.words && !is_tunable(h.stem) &&
				 no_run_time_of_header(header) != IS_RUN_TIME))
		c.role = cell.words && !is_run_time(h.stem) ? GUESS_NONE : GUESS_RESULT;
	else if (is_read_by_import(h.stem) || row_parts_names_figures(header) ||
		 strncmp(h.stem, "perf_", strlen("perf_")) == 0) /* of ReFrame */
		c.role = GUESS_NONE;
	else if (is_result(h.stem) ||
		 (cell.fraction && (is_part_of_run(h.stem) || strcmp(h.stem, "run") == 0)))
		c.role = GUESS_RESULT;
	else if (outcome_of_header(header) != OUTCOME_NONE || cell.ended)
		c.role = GUESS_NONE;
	else if (cell.circumstance)
		c.role = GUESS_CIRCUMSTANCE;
	else if (is_tunable(h.stem) || split_resource(header) ||
		 (cell.words && !is_name_of_problem(h.stem)))
		c.role = GUESS_TUNABLE;
	else
		c.role = GUESS_PROBLEM;
	return c;
}

/* One column for each resource: the first whose name says nothing else; "cores" may be others than
 * "ntasks". */
static void drop_second_resources(const struct text_table *t, struct guessed_column *column,
				  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i && column[i].role == GUESS_RESOURCE; k++) {
			if (column[k].role != GUESS_RESOURCE ||
			    strcmp(column[k].resource, column[i].resource) != 0)
				continue;
			if (!header_kin_resource(text_table_column(t, k), false) &&
			    header_kin_resource(text_table_column(t, i), false))
				column[k].role = GUESS_NONE;
			else
				column[i].role = GUESS_NONE;
		}
	}
}

/* How well a column of times may be the target: that of a whole run, a statistic of whole runs, its
 * mean or median before its best and worst, a part. 0: it is none. */
enum { TARGET_NONE, TARGET_PART, TARGET_STATISTIC, TARGET_MEAN, TARGET_WHOLE };

static bool may_be_asked_about(const char *header)
{
	const enum no_run_time what = no_run_time_of_header(header);

	return what == IS_PREPARATION || what == IS_SHARE;
}

static int target_rank(const char *header, bool fraction)
{
	struct header_name h;

	if (!header_name_read_plain(header, &h))
		return TARGET_NONE;
	if (may_be_asked_about(header)) /* beside others, never alone */
		return TARGET_PART;
	if (no_run_time_of_header(header) != IS_RUN_TIME)
		return TARGET_NONE;
	if (is_statistic(h.stem) || is_statistic(h.stem + 5 * (strncmp(h.stem, "time_", 5) == 0)))
		return strchr(h.stem, 'v') || strstr(h.stem, "me") ? TARGET_MEAN : TARGET_STATISTIC;
	if (strcmp(h.unit, "min") == 0 && !h.bracketed) /* "time_min": minutes, or the minimum? */
		return TARGET_STATISTIC;
	if (is_run_time(h.stem) || strcmp(h.stem, "t") == 0 ||
	    (fraction && strcmp(h.stem, "run") == 0)) /* not a number of the run */
		return TARGET_WHOLE;
	return is_time(&h) || (fraction && is_part_of_run(h.stem)) ? TARGET_PART : TARGET_NONE;
}

/* Of all times one is the target; of several that are as likely none, for somebody has to say. */
static void choose_target(const struct text_table *t, const struct table_record *first,
			  struct guessed_column *column, size_t n)
{
	size_t best = SIZE_MAX, n_best = 0;
	int best_rank = TARGET_NONE;

	for (size_t i = 0; i < n; i++) {
		int rank;

		if (column[i].role != GUESS_RESULT)
			continue;
		rank = target_rank(text_table_column(t, i), has_fraction(first, i));
		column[i].may_be_target = rank;
		n_best = rank > best_rank ? 1 : n_best + (rank == best_rank);
		if (rank > best_rank) {
			best = i;
			best_rank = rank;
		}
	}
	for (size_t i = 0; i < n; i++)
		column[i].may_be_target = column[i].may_be_target == best_rank && n_best > 1 &&
					  best_rank != TARGET_NONE;
	if (best != SIZE_MAX && n_best == 1 && !may_be_asked_about(text_table_column(t, best)))
		column[best].role = GUESS_TARGET;
}

/* Columns that are statistics only where there are several: "min" alone may be anything. */
static void find_statistics(const struct text_table *t, struct guessed_column *column, size_t n)
{
	size_t n_found = 0;

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < n; i++) {
			struct header_name h;

			if (column[i].words || column[i].role == GUESS_NONE ||
			    !header_name_read_plain(text_table_column(t, i), &h) ||
			    !is_statistic(h.stem))
				continue;
			n_found += round == 0;
			if (round == 1 && n_found > 1)
				column[i].role = GUESS_RESULT;
		}
	}
}

/* "350 ms", ">1h" or "OOM" in a column of times */
static bool is_time_in_words(const struct text_table *t, const struct table_record *first, size_t i)
{
	const char *text = first->field[i];
	struct header_name h;
	double seconds;
	char bound[64];

	return header_name_read_plain(text_table_column(t, i), &h) && is_time(&h) &&
	       (cell_clock(text, CLOCK_HMS, '.', &seconds) == CLOCK_OK ||
		cell_is_lower_bound(text, bound, sizeof bound) || status_from_time_cell(text) >= 0);
}

/* Units in place of times: words in it are none of a run. */
static bool is_row_of_units(const struct text_table *t, const struct table_record *first)
{
	char unit[CELL_UNIT_MAX];
	struct header_name h;

	for (size_t i = 0; first->raw && !first->bad && i < first->n_fields; i++) {
		if (cell_is_unit_of_time(first->field[i], unit) &&
		    header_name_read_plain(text_table_column(t, i), &h) && is_time(&h))
			return true;
	}
	return false;
}

/* column[n_columns]. first: its first row, raw NULL where there is none. */
static void application_guess(const struct text_table *t, const struct table_record *first,
			      struct guessed_column *column)
{
	size_t n = text_table_n_columns(t);
	const bool units = is_row_of_units(t, first);

	for (size_t i = 0; i < n; i++) {
		const bool words =
			!units && holds_words(first, i) && !is_time_in_words(t, first, i);
		const struct cell_look cell = {
			.words = words,
			.ended = words && status_from_word(first->field[i]) >= 0,
			.circumstance = words && (field_is_circumstance(text_table_column(t, i)) ||
						  word_is_circumstance(first->field[i])),
			.fraction = has_fraction(first, i),
		};

		column[i] = guess_alone(text_table_column(t, i), cell);
	}
	drop_second_resources(t, column, n);
	find_statistics(t, column, n);
	choose_target(t, first, column, n);
}

static int by_hash(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* FNV-1a */
static uint64_t hash_of(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return h;
}

/* Are there LEAST_NAMED rows or more, each with a word of its own in column i? */
static enum err_code names_each_row(struct text_table *t, size_t i, bool *out, struct err *e)
{
	enum { LEAST_NAMED = 8, MOST_READ = 2000 };
	uint64_t hash[MOST_READ] = {0};
	struct table_record rec;
	enum err_code rc = text_table_rewind(t, e);
	size_t n = 0;

	while (!rc && n < MOST_READ && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		if (!rec.bad)
			hash[n++] = hash_of(rec.field[i]);
	}
	qsort(hash, n, sizeof *hash, by_hash);
	*out = n >= LEAST_NAMED;
	for (size_t k = 1; k < n && *out; k++)
		*out = hash[k] != hash[k - 1];
	return rc;
}

/* What each row has for itself is no choice that another run could make. */
static enum err_code find_names(struct text_table *t, struct guessed_column *column, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < text_table_n_columns(t) && !rc; i++) {
		bool names = false;

		if (column[i].role == GUESS_TUNABLE && column[i].words &&
		    !(rc = names_each_row(t, i, &names, e)) && names)
			column[i].role = GUESS_NAME;
	}
	return rc;
}

size_t application_guess_whole_time(const struct text_table *t, const char *target)
{
	const int of_target = target_rank(target, true);

	if (of_target == TARGET_WHOLE)
		return SIZE_MAX;
	for (size_t i = 0; i < text_table_n_columns(t); i++) {
		const char *header = text_table_column(t, i);
		struct header_name h;

		if (target_rank(header, true) == TARGET_WHOLE && header_name_read(header, &h) &&
		    h.statistic == STATISTIC_NONE)
			return i;
	}
	return SIZE_MAX;
}

/* ---- the command ---- */

/* A message has room for no more. */
enum { COMMAND_MAX = 600 };

struct listing {
	const struct text_table *table;
	const struct guessed_column *column;
	struct strbuf *out;
};

/* " --flag a,b": the columns of these roles, where words_only those with words. otherwise: what
 * stands for them where there are none; NULL: no flag. */
static void put_columns(const struct listing *l, const char *flag, unsigned roles, bool words_only,
			const char *otherwise)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		const struct guessed_column *c = &l->column[i];

		if (!(roles & 1u << c->role) || (words_only && !c->words))
			continue;
		if (l->out->len + list.len > COMMAND_MAX) {
			strbuf_puts(&list, list.len ? ",..." : "...");
			break;
		}
		strbuf_printf(&list, "%s%s", list.len ? "," : "", text_table_column(l->table, i));
		if (c->role == GUESS_RESOURCE)
			strbuf_printf(&list, "=%s", c->resource);
	}
	if (list.len > 0) {
		strbuf_printf(l->out, " %s ", flag);
		text_put_shell_word(l->out, strbuf_text(&list));
	} else if (otherwise) {
		strbuf_printf(l->out, " %s %s", flag, otherwise);
	}
	l->out->failed |= list.failed;
	strbuf_release(&list);
}

static void put_role(const struct listing *l, enum guessed_role role, const char *why)
{
	size_t n = 0;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		if (l->column[i].role != role || l->out->len > COMMAND_MAX)
			continue;
		strbuf_puts(l->out, n++ ? ", " : why);
		text_put_safe(l->out, text_table_column(l->table, i), false);
	}
}

static void put_left_out(const struct listing *l)
{
	size_t n = 0;

	put_role(l, GUESS_RESULT, "\nleft out, for a result gives the answer away: ");
	put_role(l, GUESS_NAME, "\nleft out, for each row has its own: ");
	put_role(l, GUESS_CIRCUMSTANCE, "\nleft out, for no submission can ask for it: ");
	/* the first may be the index that programs write */
	for (size_t i = 1; i < text_table_n_columns(l->table); i++) {
		if (!*text_table_column(l->table, i) && l->out->len <= COMMAND_MAX)
			strbuf_printf(l->out, "%s%zu",
				      n++ ? ", " : "\nleft out, for it has no name: column ",
				      i + 1);
	}
}

/* "1 node" and "2 nodes" are "node"; "" where there is no number. */
static void without_number(const char *stem, char *out)
{
	const char *digits = strpbrk(stem, "0123456789");
	size_t n = 0;

	for (const char *p = stem; digits && *p; p++) {
		if (!strchr("0123456789 _", *p))
			out[n++] = *p;
	}
	n -= n > 0 && out[n - 1] == 's';
	out[n] = '\0';
}

/* Do the numbers in such headers count processors? */
static bool counts_processors(const char *rest)
{
	return text_has_word("node proc process rank core cpu np task", rest);
}

/* "time_1node" and "t_p16", but not "t_solve2" */
static bool times_by_processors(const char *rest)
{
	const char *of = rest + (strncmp(rest, "time", 4) == 0 ? 4 : *rest == 't');

	return of > rest && (strcmp(of, "p") == 0 || counts_processors(of));
}

/* Tables that are none of runs: one column for each number of nodes, or for each repeat. */
static bool has_a_run_in_each_column(const struct listing *l)
{
	size_t n_numbers = 0, n_repeats = 0, n_nodes = 0;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		char rest[HEADER_NAME_MAX];
		struct header_name h;
		double x;

		n_numbers += cell_number(text_table_column(l->table, i), &x) == NUMBER_OK;
		if (!header_name_read_plain(text_table_column(l->table, i), &h))
			continue;
		n_repeats +=
			repeat_number(h.stem) > 0 || /* "time (1)" */
			(h.bracketed && *h.unit && h.unit[strspn(h.unit, "0123456789")] == '\0');
		without_number(h.stem, rest);
		n_nodes += counts_processors(rest) || times_by_processors(rest);
	}
	return n_numbers > 1 || n_repeats > 1 || n_nodes > 1;
}

static void put_doubt(const struct listing *l)
{
	size_t n = 0;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		if (!l->column[i].may_be_target || l->out->len > COMMAND_MAX)
			continue;
		strbuf_puts(l->out, n++ ? " or " : "\nwhich is the time of the whole run: ");
		text_put_safe(l->out, text_table_column(l->table, i), false);
	}
	if (n > 0) {
		strbuf_puts(l->out, "? Where all are parts of it, make a column of their sum");
		return;
	}
	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		if (l->column[i].role == GUESS_TARGET)
			return;
	}
	strbuf_puts(l->out,
		    "\nno column has the name of a run time: which is it? Where only a rate "
		    "was kept, or when runs began and ended, make a column of times from it "
		    "(work / rate, end - start)");
}

static void put_mark(struct strbuf *out, const char *flag, char mark)
{
	struct strbuf word = STRBUF_INIT;

	strbuf_printf(out, " %s ", flag);
	if (mark == '\t')
		strbuf_puts(&word, "tab");
	else
		strbuf_putc(&word, mark);
	text_put_shell_word(out, strbuf_text(&word));
	out->failed |= word.failed;
	strbuf_release(&word);
}

static void put_option(struct strbuf *out, const char *flag, const char *value)
{
	if (!value)
		return;
	strbuf_printf(out, " %s ", flag);
	text_put_shell_word(out, value);
}

static void put_options(struct strbuf *out, const char *flag, const char *const *value)
{
	for (; value && *value; value++)
		put_option(out, flag, *value);
}

/* What was said of the file holds for the command, too. */
static void put_what_was_said(struct strbuf *out, const struct ingest_options *o)
{
	if (o->format && strcmp(o->format, foreign_format_auto) != 0)
		put_option(out, "--input-format", o->format);
	put_option(out, "--patterns", o->patterns);
	put_option(out, "--region", o->region);
	put_option(out, "--metric", o->metric);
	put_options(out, "--match", o->match);
	put_options(out, "--map", o->map);
	put_options(out, "--unit", o->unit);
	if (o->source >= 0)
		put_option(out, "--source", run_source_name((enum run_source)o->source));
	if (o->node.cores > 0)
		strbuf_printf(out, " --cores-per-node %lld", (long long)o->node.cores);
	if (o->keep_personal)
		strbuf_puts(out, " --keep-personal");
	if (o->delimiter)
		put_mark(out, "--delimiter", o->delimiter);
	if (o->decimal)
		put_mark(out, "--decimal", o->decimal);
}

/* What a template takes apart is no column of its own. */
static void leave_out_matched(const struct text_table *t, const char *const *match,
			      struct guessed_column *column)
{
	for (; match && *match; match++) {
		for (size_t i = 0; i < text_table_n_columns(t); i++) {
			const size_t n = strlen(text_table_column(t, i));

			if (strncmp(*match, text_table_column(t, i), n) == 0 && (*match)[n] == '=')
				column[i].role = GUESS_NONE;
		}
	}
}

static bool reads_as_time(const char *letters, size_t n)
{
	char name[HEADER_NAME_MAX];
	struct header_name h;

	snprintf(name, sizeof name, "%.*s", (int)n, letters);
	return header_name_read_plain(name, &h) && is_time(&h);
}

/* "lu_n{n}_t{tval}" of "lu_n800_t16": numbers in the names of jobs become columns called as the
 * letters before them. False: there are none, or two of one name. */
static bool put_template(const char *text, struct strbuf *out)
{
	const char *name[8];
	size_t len[8], n = 0;

	for (const char *p = text; *p;) {
		const size_t digits = strspn(p, "0123456789");
		const char *from = p;

		if (digits == 0) {
			strbuf_putc(out, *p++);
			continue;
		}
		while (from > text && isalpha((unsigned char)from[-1]))
			from--;
		if (from == p || n == COUNT(name))
			return false;
		for (size_t i = 0; i < n; i++) {
			if (len[i] == (size_t)(p - from) && memcmp(name[i], from, len[i]) == 0)
				return false;
		}
		name[n] = from;
		len[n++] = (size_t)(p - from);
		strbuf_printf(out, "{%.*s%s}", (int)(p - from), from,
			      reads_as_time(from, (size_t)(p - from)) ? "val" : "");
		p += digits;
	}
	return n > 0;
}

/* Names of jobs that say what was solved. first: the row at hand */
static void put_match_hint(const struct text_table *t, const struct table_record *first,
			   const struct guessed_column *column, struct strbuf *out)
{
	struct strbuf match = STRBUF_INIT;

	for (size_t i = 0; text_table_is_foreign(t) && first->raw && !first->bad &&
			   match.len == 0 && i < text_table_n_columns(t);
	     i++) {
		if (column[i].role != GUESS_PROBLEM || !column[i].words)
			continue;
		strbuf_printf(&match, "%s=", text_table_column(t, i));
		if (!put_template(first->field[i], &match)) {
			strbuf_clear(&match);
			continue;
		}
		strbuf_puts(
			out,
			"\ndo the names say what was solved or chosen? Say, with the same file, "
			"--match ");
		text_put_shell_word(out, strbuf_text(&match));
		strbuf_puts(out, ", which makes columns of the numbers");
	}
	out->failed |= match.failed;
	strbuf_release(&match);
}

enum err_code application_guess_put_command(struct text_table *t, const struct table_record *first,
					    const struct ingest_options *o, const char *app,
					    bool machine_known, struct strbuf *out, struct err *e)
{
	struct guessed_column *column = calloc(text_table_n_columns(t) + 1, sizeof *column);
	const struct listing l = {t, column, out};
	struct strbuf hint = STRBUF_INIT;
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "%s: no memory", text_table_name(t));
	application_guess(t, first, column);
	leave_out_matched(t, o->match, column);
	put_match_hint(t, first, column, &hint);
	if ((rc = find_names(t, column, e)))
		goto done;
	if (has_a_run_in_each_column(&l)) {
		strbuf_puts(out,
			    "(none yet: its rows seem to be of several runs each. Make one row of "
			    "each run, with a column for what the header says of it, nodes or "
			    "repeat, and one of times)");
		goto done;
	}
	strbuf_puts(out, "lemnos ingest ");
	text_put_shell_word(out, o->path);
	strbuf_puts(out, " --app ");
	text_put_shell_word(out, app ? app : "NAME");
	if (!machine_known || o->machine) {
		strbuf_puts(out, " --machine ");
		text_put_shell_word(out, o->machine ? o->machine : "NAME");
	}
	put_what_was_said(out, o);
	put_columns(&l, "--target", 1u << GUESS_TARGET, false, "COLUMN");
	put_columns(&l, "--problem", 1u << GUESS_PROBLEM, false, NULL);
	put_columns(&l, "--tunable", 1u << GUESS_TUNABLE, false, NULL);
	put_columns(&l, "--resource", 1u << GUESS_RESOURCE, false, NULL);
	put_left_out(&l);
	put_doubt(&l);
	strbuf_puts(out, strbuf_text(&hint));
	out->failed |= hint.failed;
done:
	free(column);
	strbuf_release(&hint);
	return rc;
}
