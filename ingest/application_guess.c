#include "ingest/application_guess.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"
#include "base/units.h"
#include "ingest/cell_number.h"
#include "ingest/field_names.h"
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

long application_guess_repeat_number(const char *stem)
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
	       application_guess_repeat_number(h->stem) > 0 || cell_unit_seconds(h->unit) > 0;
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
void application_guess_columns(const struct text_table *t, const struct table_record *first,
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

enum err_code application_guess_names(struct text_table *t, struct guessed_column *column,
				      struct err *e)
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

bool application_guess_is_time(const char *header)
{
	struct header_name h;

	return header_name_read_plain(header, &h) && is_time(&h);
}
