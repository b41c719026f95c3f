#include "ingest/import_class.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/column_mapping.h"
#include "ingest/field_names.h"
#include "ingest/header_kin.h"
#include "ingest/header_match.h"
#include "ingest/table_style.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* ---- words ---- */

static bool is_one_of(const char *const *word, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(word[i], text) == 0)
			return true;
	}
	return false;
}

/* "Total Time [ms]" has the stem "total_time" here. */
static bool read_header(const char *header, struct header_name *h)
{
	if (!header_name_read(header, h))
		return false;
	for (char *p = h->stem; *p; p++) {
		if (*p == ' ' || *p == '-')
			*p = '_';
	}
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text);
	size_t n_end = strlen(end);

	return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* A whole run, so a better target than the part that "solve_s" names. */
static bool is_run_time(const char *stem)
{
	static const char *const word[] = {
		"runtime", "run_time",	   "wall",     "walltime", "wall_time",	 "wallclock",
		"elapsed", "elapsed_time", "duration", "time",	   "total_time", "time_total",
		"total",   "seconds",	   "secs",     "t_total",  "t_wall",	 "total_t",
		"real",	   "overall",	   "t_tot",    "tot_time", "ttot"};

	return is_one_of(word, COUNT(word), stem);
}

/* "t1", "time2", "run3": a repeat; the number of it, 0: none. */
static long repeat_number(const char *stem)
{
	static const char *const word[] = {"time",  "t",     "run", "rep",
					   "trial", "time_", "t_",  "run_"};

	for (size_t i = 0; i < COUNT(word); i++) {
		const char *digits = stem + strlen(word[i]);

		if (strncmp(stem, word[i], strlen(word[i])) == 0 && *digits &&
		    strspn(digits, "0123456789") == strlen(digits))
			return strtol(digits, NULL, 10);
	}
	return 0;
}

/* "tmin", "max": of times, if the table has several of them. */
static bool is_statistic(const char *stem)
{
	static const char *const word[] = {"min", "max", "avg", "mean", "median", "average",
					   "q1",  "q3",	 "p95", "p99",	"best",	  "worst"};

	return is_one_of(word, COUNT(word), stem + (*stem == 't' && stem[1] != '_'));
}

static bool is_time(const struct header_name *h)
{
	return is_run_time(h->stem) || strcmp(h->stem, "t") == 0 || ends_with(h->stem, "time") ||
	       strncmp(h->stem, "time_", strlen("time_")) == 0 ||
	       strncmp(h->stem, "t_", strlen("t_")) == 0 || ends_with(h->stem, "_t") ||
	       repeat_number(h->stem) > 0 || cell_unit_seconds(h->unit) > 0;
}

/* "solve", "comm": how long a part of the run took, if the cell is no whole number. */
static bool is_part_of_run(const char *stem)
{
	static const char *const word[] = {"solve",
					   "solver",
					   "compute",
					   "computation",
					   "comp",
					   "calc",
					   "calculation",
					   "comm",
					   "communication",
					   "kernel",
					   "kernels",
					   "setup",
					   "set_up",
					   "init",
					   "initialization",
					   "assembly",
					   "assemble",
					   "io",
					   "i/o",
					   "mpi",
					   "factor",
					   "factorization",
					   "factorisation",
					   "preconditioner",
					   "precond",
					   "output",
					   "write",
					   "read",
					   "finalize",
					   "overhead",
					   "wait",
					   "halo",
					   "exchange",
					   "sweep",
					   "gemm",
					   "spmv",
					   "allreduce",
					   "transfer",
					   "h2d",
					   "d2h",
					   "load",
					   "partitioning",
					   "main_loop",
					   "loop",
					   "solve_phase",
					   "user",
					   "sys"};

	return is_one_of(word, COUNT(word), stem);
}

/* What comes out of a run beside its time. */
static bool is_result(const char *stem)
{
	static const char *const word[] = {"speedup",
					   "efficiency",
					   "throughput",
					   "bandwidth",
					   "energy",
					   "power",
					   "fom",
					   "maxrss",
					   "max_rss",
					   "std",
					   "stddev",
					   "std_dev",
					   "memory_usage",
					   "performance",
					   "perf",
					   "score",
					   "bw",
					   "gbps",
					   "mbps",
					   "fps",
					   "tps",
					   "qps",
					   "iops",
					   "loss",
					   "accuracy",
					   "residual",
					   "eff",
					   "eff.",
					   "par_eff",
					   "scaling",
					   "parallel_efficiency",
					   "stdev",
					   "sd",
					   "variance",
					   "mlups",
					   "glups",
					   "teps",
					   "gteps"};

	return is_one_of(word, COUNT(word), stem) || ends_with(stem, "flops") ||
	       ends_with(stem, "flop_s") || ends_with(stem, "rate") || ends_with(stem, "_per") ||
	       ends_with(stem, "error");
}

/* What a run did not take. */
enum no_run_time {
	IS_RUN_TIME,
	IS_RESULT, /* "GFLOP/s", "speedup" */
	IS_PART,   /* "time_per_step", "ms/iter" */
	IS_SUM,	   /* "cpu_time", "core_hours": of all processes */
	IS_BEST,   /* "min_time": of several runs */
	IS_LOG,	   /* "log10_time" */
	IS_NUMBER, /* "16": the times on 16 nodes, beside others */
	IS_MOMENT, /* "end" */
	IS_LIMIT   /* "timelimit" */
};

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

static enum no_run_time what_else(const char *header)
{
	static const char *const sum[] = {
		"cpu",	     "cpu_time", "cputime",    "core",		 "node",
		"user_time", "sys_time", "cumulative", "system_time",	 "cumulative_time",
		"total_cpu", "cum_time", "cumtime",    "total_cpu_time", "totalcpu"};
	static const char *const part[] = {"step_time", "iter_time", "iteration_time",
					   "epoch_time"};
	/* ranks run side by side */
	static const char *const whole[] = {"run",  "job",     "simulation", "execution", "repeat",
					    "rank", "process", "proc",	     "task",	  "thread"};
	char small[HEADER_NAME_MAX];
	char over[HEADER_NAME_MAX];
	char under[HEADER_NAME_MAX];
	struct header_name h, of_over;
	size_t n = strlen(header);

	if (!read_header(header, &h))
		return IS_RUN_TIME;
	for (size_t i = 0; i <= n; i++)
		small[i] = (char)(header[i] >= 'A' && header[i] <= 'Z' ? header[i] - 'A' + 'a'
								       : header[i]);
	if (split_ratio(h.bracketed && strchr(h.unit, '/') ? h.unit : small, over, under,
			sizeof small) &&
	    !is_one_of(whole, COUNT(whole), under) && !header_kin_resource(over, true)) {
		if (!is_unit_of_time(under) && read_header(over, &of_over) &&
		    (is_time(&of_over) || is_unit_of_time(over)))
			return IS_PART;
		return IS_RESULT;
	}
	if (is_one_of(part, COUNT(part), h.stem))
		return IS_PART;
	/* "core_hours", but not "core" */
	if (is_one_of(sum, COUNT(sum), h.stem) && (is_unit_of_time(h.unit) || strlen(h.stem) > 4))
		return IS_SUM;
	return is_result(h.stem) ? IS_RESULT : IS_RUN_TIME;
}

/* How the work is cut up, laid out or ordered. */
static bool is_tunable(const char *stem)
{
	static const char *const word[] = {
		"nb",	 "mb",	  "kb",	    "bs",     "mk",  "mmi", "px",
		"py",	 "pz",	  "p",	    "q",      "npx", "npy", "npz",
		"npe_i", "npe_j", "grid_p", "grid_q", "ht",  "smt", "hyperthreading"};
	static const char *const part[] = {"block",  "blk",	"chunk",    "tile",   "nest",
					   "layout", "unroll",	"buffer",   "algo",   "variant",
					   "scheme", "pattern", "strategy", "stride", "schedule"};
	const char *end = strchr(stem, '_');

	if (is_one_of(word, COUNT(word), stem))
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
	static const char *const word[] = {"problem", "input", "dataset", "case",     "matrix",
					   "mesh",    "deck",  "name",	  "jobname",  "job_name",
					   "test",    "grid",  "model",	  "scenario", "benchmark"};

	return is_one_of(word, COUNT(word), stem);
}

/* ---- roles ---- */

static bool holds_words(const struct table_record *first, size_t i)
{
	return first->raw && !first->bad && i < first->n_fields && word_is_word(first->field[i]);
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
	static const char *const of_the_job[] = {
		"jobid",   "job_id",	    "id",	 "run_id",    "partition",  "queue",
		"date",	   "timestamp",	    "submit",	 "start",     "end",	    "qos",
		"index",   "reqtres",	    "alloctres", "starttime", "endtime",    "reqmem",
		"req_mem", "req_mem_bytes", "seed",	 "rng_seed",  "random_seed"};

	return field_is_personal(stem) || is_one_of(of_the_job, COUNT(of_the_job), stem) ||
	       (field_kind_of_header(stem) != FIELD_KIND_COUNT && strcmp(stem, "n") != 0);
}

/* ended: its cell says how a run ended; fraction: it is no whole number. */
static struct guessed_column guess_alone(const char *header, bool words, bool ended, bool fraction)
{
	struct guessed_column c = {.role = GUESS_NONE, .words = words};
	struct header_name h;

	if (!*header || !read_header(header, &h))
		return c;
	if ((c.resource = header_kin_resource(header, true)))
		c.role = words ? GUESS_NONE : GUESS_RESOURCE;
	else if (field_kind_of_header(h.stem) == FIELD_LIMIT)
		c.role = GUESS_NONE;
	else if (is_time(&h) || (!words && what_else(header) != IS_RUN_TIME))
		c.role = words ? GUESS_NONE : GUESS_RESULT;
	else if (is_read_by_import(h.stem))
		c.role = GUESS_NONE;
	else if (is_result(h.stem) || (fraction && is_part_of_run(h.stem)))
		c.role = GUESS_RESULT;
	else if (outcome_of_header(header) != OUTCOME_NONE || ended)
		c.role = GUESS_NONE;
	else if (is_tunable(h.stem) || split_resource(header) ||
		 (words && !is_name_of_problem(h.stem)))
		c.role = GUESS_TUNABLE;
	else
		c.role = GUESS_PROBLEM;
	return c;
}

/* One column for each resource: the first. */
static void drop_second_resources(struct guessed_column *column, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i && column[i].role == GUESS_RESOURCE; k++) {
			if (column[k].role == GUESS_RESOURCE &&
			    strcmp(column[k].resource, column[i].resource) == 0)
				column[i].role = GUESS_NONE;
		}
	}
}

/* How well a column of times may be the target: that of a whole run, a statistic of whole runs, its
 * mean or median before its best and worst, a part. 0: it is none. */
enum { TARGET_NONE, TARGET_PART, TARGET_STATISTIC, TARGET_MEAN, TARGET_WHOLE };

static int target_rank(const char *header, bool fraction)
{
	struct header_name h;

	if (!read_header(header, &h) || what_else(header) != IS_RUN_TIME)
		return TARGET_NONE;
	if (is_statistic(h.stem) || is_statistic(h.stem + 5 * (strncmp(h.stem, "time_", 5) == 0)))
		return strchr(h.stem, 'v') || strstr(h.stem, "me") ? TARGET_MEAN : TARGET_STATISTIC;
	if (strcmp(h.unit, "min") == 0 && !h.bracketed) /* "time_min": minutes, or the minimum? */
		return TARGET_STATISTIC;
	if (is_run_time(h.stem) || strcmp(h.stem, "t") == 0)
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
	if (best != SIZE_MAX && n_best == 1)
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
			    !read_header(text_table_column(t, i), &h) || !is_statistic(h.stem))
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

	return read_header(text_table_column(t, i), &h) && is_time(&h) &&
	       (cell_clock(text, CLOCK_HMS, '.', &seconds) == CLOCK_OK ||
		cell_is_lower_bound(text, bound, sizeof bound) || status_from_time_cell(text) >= 0);
}

/* column[n_columns]. first: its first row, raw NULL where there is none. */
static void class_guess(const struct text_table *t, const struct table_record *first,
			struct guessed_column *column)
{
	size_t n = text_table_n_columns(t);

	for (size_t i = 0; i < n; i++) {
		bool words = holds_words(first, i) && !is_time_in_words(t, first, i);
		bool ended = words && status_from_word(first->field[i]) >= 0;

		column[i] =
			guess_alone(text_table_column(t, i), words, ended, has_fraction(first, i));
	}
	drop_second_resources(column, n);
	find_statistics(t, column, n);
	choose_target(t, first, column, n);
}

/* ---- the command ---- */

/* A message has room for no more. */
enum { COMMAND_MAX = 600 };

static bool has_hidden(const char *text)
{
	bool hidden = false;

	while (*text && !hidden)
		text += text_character(text, &hidden);
	return hidden;
}

static void put_escaped(struct strbuf *out, const char *text)
{
	while (*text) {
		bool hidden = false;
		size_t n = text_character(text, &hidden);

		if (!hidden && (*text == '\'' || *text == '\\'))
			strbuf_putc(out, '\\');
		if (!hidden)
			strbuf_add(out, text, n);
		for (size_t i = 0; hidden && i < n; i++)
			strbuf_printf(out, "\\%03o", (unsigned char)text[i]);
		text += n;
	}
}

/* As one word of a shell; what needs no quotes gets none. */
static void put_word(struct strbuf *out, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./,=+@%:-";

	if (*text && strspn(text, plain) == strlen(text)) {
		strbuf_puts(out, text);
		return;
	}
	/* One line, which a terminal does not obey: $'...' is of bash, ksh, zsh and POSIX 2024. */
	if (has_hidden(text)) {
		strbuf_puts(out, "$'");
		put_escaped(out, text);
		strbuf_putc(out, '\'');
		return;
	}
	strbuf_putc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_puts(out, "'\\''");
		else
			strbuf_putc(out, *text);
	}
	strbuf_putc(out, '\'');
}

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
			strbuf_puts(&list, ",...");
			break;
		}
		strbuf_printf(&list, "%s%s", list.len ? "," : "", text_table_column(l->table, i));
		if (c->role == GUESS_RESOURCE)
			strbuf_printf(&list, "=%s", c->resource);
	}
	if (list.len > 0) {
		strbuf_printf(l->out, " %s ", flag);
		put_word(l->out, strbuf_text(&list));
	} else if (otherwise) {
		strbuf_printf(l->out, " %s %s", flag, otherwise);
	}
	l->out->failed |= list.failed;
	strbuf_release(&list);
}

static void put_left_out(const struct listing *l)
{
	size_t n = 0;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		if (l->column[i].role != GUESS_RESULT || l->out->len > COMMAND_MAX)
			continue;
		strbuf_puts(l->out,
			    n++ ? ", " : "\nleft out, for a result gives the answer away: ");
		text_put_safe(l->out, text_table_column(l->table, i), false);
	}
}

/* Tables that are none of runs: one column for each number of nodes, or for each repeat. */
static bool has_a_run_in_each_column(const struct listing *l)
{
	size_t n_numbers = 0, n_repeats = 0;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		struct header_name h;
		double x;

		n_numbers += cell_number(text_table_column(l->table, i), &x) == NUMBER_OK;
		n_repeats += read_header(text_table_column(l->table, i), &h) &&
			     repeat_number(h.stem) > 0;
	}
	return n_numbers > 1 || n_repeats > 1;
}

static void put_doubt(const struct listing *l)
{
	size_t n = 0;

	if (has_a_run_in_each_column(l)) {
		strbuf_puts(l->out, "\nrows of several runs? Make one row of each, with a column "
				    "for what its header says (nodes, repeat) and one of times");
		return;
	}
	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		if (!l->column[i].may_be_target || l->out->len > COMMAND_MAX)
			continue;
		strbuf_puts(l->out, n++ ? " or " : "\nwhich is the time of the whole run: ");
		text_put_safe(l->out, text_table_column(l->table, i), false);
	}
	if (n > 0)
		strbuf_puts(l->out, "? Where all are parts of it, make a column of their sum");
}

static void put_mark(struct strbuf *out, const char *flag, char mark)
{
	struct strbuf word = STRBUF_INIT;

	strbuf_printf(out, " %s ", flag);
	if (mark == '\t')
		strbuf_puts(&word, "tab");
	else
		strbuf_putc(&word, mark);
	put_word(out, strbuf_text(&word));
	out->failed |= word.failed;
	strbuf_release(&word);
}

enum err_code class_guess_put_command(const struct text_table *t, const struct table_record *first,
				      const struct ingest_options *o, const char *app,
				      bool machine_known, struct strbuf *out, struct err *e)
{
	struct guessed_column *column = calloc(text_table_n_columns(t) + 1, sizeof *column);
	const struct listing l = {t, column, out};

	if (!column)
		return err_set(e, ERR_NOMEM, "%s: no memory", text_table_name(t));
	class_guess(t, first, column);
	strbuf_puts(out, "lemnos ingest ");
	put_word(out, o->path);
	strbuf_puts(out, " --app ");
	put_word(out, app ? app : "NAME");
	if (!machine_known || o->machine) {
		strbuf_puts(out, " --machine ");
		put_word(out, o->machine ? o->machine : "NAME");
	}
	if (o->delimiter)
		put_mark(out, "--delimiter", o->delimiter);
	if (o->decimal)
		put_mark(out, "--decimal", o->decimal);
	put_columns(&l, "--target", 1u << GUESS_TARGET, false, "COLUMN");
	put_columns(&l, "--problem", 1u << GUESS_PROBLEM, false, NULL);
	put_columns(&l, "--tunable", 1u << GUESS_TUNABLE, false, NULL);
	put_columns(&l, "--resource", 1u << GUESS_RESOURCE, false, NULL);
	put_left_out(&l);
	put_doubt(&l);
	free(column);
	return ERR_OK;
}

/* ---- a class nobody knows: what to type ---- */

/* Need nobody name the machine? */
static enum err_code find_machine(struct kb *kb, const struct text_table *t,
				  const struct ingest_options *o, bool *known, struct err *e)
{
	char *dflt = NULL;
	size_t i_machine = SIZE_MAX;
	enum err_code rc = kb_get_default(kb, "machine", &dflt, e);

	if (!rc)
		rc = column_mapping_find(t, o->map, FIELD_MACHINE, &i_machine, e);
	*known = dflt || i_machine != SIZE_MAX;
	free(dflt);
	return rc;
}

/* name NULL: no class was named. */
static enum err_code suggest(const struct table_at_hand *at, const char *name, struct strbuf *out,
			     struct err *e)
{
	bool machine_known = false;
	enum err_code rc;

	strbuf_puts(out, "\n  ");
	if ((rc = find_machine(at->kb, at->table, at->o, &machine_known, e)) ||
	    (rc = class_guess_put_command(at->table, at->first, at->o, name, machine_known, out,
					  e)))
		return rc;
	return out->failed ? err_set(e, ERR_NOMEM, "a suggestion") : ERR_OK;
}

static enum err_code unknown_class(const struct table_at_hand *at, const char *name, struct err *e)
{
	struct strbuf command = STRBUF_INIT;
	enum err_code rc = suggest(at, name, &command, e);

	if (!rc)
		rc = err_set_lines(
			e, ERR_NOTFOUND, strbuf_text(&command),
			"%s knows no application class '%s'. Describe it in a file and "
			"`lemnos apps add FILE`, or make it from this table's columns, here "
			"as their names suggest (--problem: what is solved; --tunable: what "
			"may be chosen freely):",
			kb_path(at->kb), name);
	strbuf_release(&command);
	return rc;
}

enum err_code import_class_doubt(const struct table_at_hand *at, const struct import_class *class,
				 const char *why, struct err *e)
{
	struct strbuf command = STRBUF_INIT;
	enum err_code rc = suggest(at, NULL, &command, e);

	/* What to type comes first: a message that is too long is cut at its end. */
	if (!rc) {
		strbuf_printf(&command, "\nIf it is %s: %s", class->app->name, why);
		rc = err_set_lines(
			e, ERR_PARSE, strbuf_text(&command),
			"%s: its columns do not fit %s, for which it was taken. If it is of "
			"another application, name that, for instance as the columns "
			"suggest:",
			text_table_name(at->table), class->app->name);
	}
	strbuf_release(&command);
	return rc;
}

/* ---- the known ones ---- */

static enum err_code get_class(const struct table_at_hand *at, const char *name,
			       struct import_class *out, struct err *e)
{
	struct err why = {0};
	enum err_code rc = kb_get_application(at->kb, name, &out->app, &out->id, &why);

	if (rc == ERR_NOTFOUND)
		return unknown_class(at, name, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* Nobody named a class: the default, or the only one. */
static enum err_code choose_class(const struct table_at_hand *at, struct import_class *out,
				  struct err *e)
{
	struct strbuf candidates = STRBUF_INIT;
	struct strbuf command = STRBUF_INIT;
	struct kb_names names = {0};
	char *name = NULL;
	enum err_code rc;

	if ((rc = kb_get_default(at->kb, "application", &name, e)) ||
	    (rc = kb_list_applications(at->kb, &names, e)))
		goto done;
	for (size_t i = 0; i < names.n; i++)
		strbuf_printf(&candidates, "%s%s", i ? ", " : "", names.item[i].name);
	if (name || names.n == 1) {
		rc = get_class(at, name ? name : names.item[0].name, out, e);
		out->assumed = true;
	} else if (!(rc = suggest(at, NULL, &command, e))) {
		rc = err_set_lines(
			e, ERR_NOTFOUND, strbuf_text(&command),
			"%s: which application is it? Say --app NAME; %s%s. For a new one, as "
			"the columns suggest:",
			text_table_name(at->table),
			names.n ? "there are " : "the knowledge base knows none yet",
			strbuf_text(&candidates));
	}
done:
	kb_names_release(&names);
	strbuf_release(&candidates);
	strbuf_release(&command);
	free(name);
	return rc;
}

/* ---- one made from flags ---- */

/* "log2n", "log10(time)", "ln t" */
static bool is_logarithm(const char *header)
{
	const size_t n = strncasecmp(header, "log", 3) == 0  ? 3
			 : strncasecmp(header, "ln", 2) == 0 ? 2
							     : 0;

	return n > 0 &&
	       (strchr("_(- 0123456789", header[n]) || strncasecmp(header + n, "time", 4) == 0) &&
	       header[n] != '\0';
}

/* "time_min" that is not in minutes, "best" */
static bool is_best_of_several(const struct ad_hoc *spec)
{
	static const char *const word[] = {"tmin",     "best",	    "fastest", "best_time",
					   "min_time", "time_best", "minimum", "minimum_time",
					   "tbest",    "t_best",    "best_t"};
	struct header_name h;

	return read_header(spec->target, &h) &&
	       (is_one_of(word, COUNT(word), h.stem) ||
		(strcasecmp(h.unit, "min") == 0 && !h.bracketed && spec->target_unit_s != 60));
}

static enum no_run_time what_target(const struct ad_hoc *spec)
{
	static const char *const moment[] = {
		"start",      "end",	     "starttime", "endtime",   "start_time",  "end_time",
		"submit",     "submit_time", "timestamp", "date",      "finish_time", "finished_at",
		"started_at", "created_at",  "datetime",  "time_stamp"};
	struct header_name h;
	double x;

	if (cell_number(spec->target, &x) == NUMBER_OK)
		return IS_NUMBER;
	if (is_logarithm(spec->target))
		return IS_LOG;
	if (read_header(spec->target, &h) && is_one_of(moment, COUNT(moment), h.stem))
		return IS_MOMENT;
	if (field_kind_of_header(spec->target) == FIELD_LIMIT)
		return IS_LIMIT;
	return is_best_of_several(spec) ? IS_BEST : what_else(spec->target);
}

/* A rate as a time makes the slowest the best. */
static enum err_code check_target(const struct ad_hoc *spec, struct err *e)
{
	static const char *const why[] = {
		[IS_RESULT] = "that is no time but another result. The target is how long a run "
			      "took; where only a rate was kept, make a column of times from it "
			      "(work / rate) before importing",
		[IS_PART] = "that is the time of a part of a run, and deadlines are for whole "
			    "runs: make a column of it times the number of parts before importing. "
			    "To have the part predicted, give the column another name",
		[IS_SUM] = "that is a sum, over processes or runs, and no deadline is for it: the "
			   "target is how long a run took by the clock on the wall",
		[IS_BEST] = "that is the best of several runs, and the next one takes longer: name "
			    "the column of medians or means, or of all runs, one in each row",
		[IS_LOG] = "that is the logarithm of a time: make a column of times from it before "
			   "importing",
		[IS_NUMBER] = "a number is no name of a time. Is each column of times for another "
			      "number of nodes? Make one row of each run, with a column of nodes "
			      "and one of times",
		[IS_MOMENT] =
			"that is when a run began or ended: make a column of how long it took "
			"before importing",
		[IS_LIMIT] =
			"that is what a run was allowed to take: name the column of what it took",
	};
	enum no_run_time what = spec->target ? what_target(spec) : IS_RUN_TIME;

	return what == IS_RUN_TIME
		       ? ERR_OK
		       : err_set(e, ERR_ARG, "--target %s: %s", spec->target, why[what]);
}

/* Numbers of jobs and times of day grow as a series goes on, and tell the time as it does. */
static bool numbers_runs(const char *header)
{
	static const char *const word[] = {"jobid",	"job_id",      "run_id",      "runid",
					   "timestamp", "starttime",   "endtime",     "start_time",
					   "end_time",	"submit_time", "slurm_job_id"};
	char plain[HEADER_NAME_MAX];
	size_t n = strlen(header);

	if (n >= sizeof plain)
		return false;
	for (size_t i = 0; i <= n; i++)
		plain[i] = (char)(header[i] >= 'A' && header[i] <= 'Z' ? header[i] - 'A' + 'a'
				  : header[i] == ' '		       ? '_'
								       : header[i]);
	return is_one_of(word, COUNT(word), plain);
}

static enum err_code check_columns(const struct ad_hoc *spec, struct err *e)
{
	const struct {
		const char *flag;
		const char *const *list;
	} chosen[] = {{"problem", spec->problem}, {"tunable", spec->tunable}};

	for (size_t k = 0; k < COUNT(chosen); k++) {
		for (const char *const *c = chosen[k].list; c && *c; c++) {
			if (numbers_runs(*c))
				return err_set(e, ERR_ARG,
					       "--%s %s: that tells runs apart, and nobody chooses "
					       "it: leave it out, it is kept beside the runs",
					       chosen[k].flag, *c);
		}
	}
	for (size_t i = 0; spec->resource_column && spec->resource_column[i]; i++) {
		if (is_logarithm(spec->resource_column[i]))
			return err_set(
				e, ERR_ARG,
				"--resource %s=%s: a logarithm is no count: make a column of "
				"counts before importing",
				spec->resource_column[i], spec->resource_field[i]);
	}
	return ERR_OK;
}

static enum err_code make_class(struct kb *kb, const struct ad_hoc *spec, struct import_class *out,
				struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct import_class there = {0};
	struct import_class made = {0};
	enum err_code rc;

	if ((rc = check_target(spec, e)) || (rc = check_columns(spec, e)) ||
	    (rc = application_ad_hoc_text(spec, &text, e)) ||
	    (rc = application_parse(strbuf_text(&text), spec->name, &made.app, e)) ||
	    (rc = application_check_candidates(made.app, e)))
		goto done;
	if (kb_get_application(kb, spec->name, &there.app, &there.id, NULL) != ERR_OK) {
		*out = made;
		made.app = NULL;
	} else if (!there.app->ad_hoc) {
		rc = err_set(e, ERR_ARG,
			     "'%s' has a definition: leave out --target, --problem, --tunable, "
			     "--resource and --categorical, or give the new class another name",
			     spec->name);
	} else if (strcmp(there.app->sha256, made.app->sha256) == 0) {
		*out = there;
		there.app = NULL;
	} else {
		*out = made; /* kb_put_application() refuses what would change stored columns */
		made.app = NULL;
	}
done:
	import_class_release(&there);
	import_class_release(&made);
	strbuf_release(&text);
	return rc;
}

size_t import_class_whole_time(const struct text_table *t, const char *target)
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

enum err_code import_class_find(const struct table_at_hand *at, struct import_class *out,
				struct err *e)
{
	size_t i_app;
	enum err_code rc = column_mapping_find(at->table, at->o->map, FIELD_APP, &i_app, e);
	bool has_cell;

	if (rc)
		return rc;
	has_cell =
		i_app != SIZE_MAX && at->first->raw && !at->first->bad && *at->first->field[i_app];
	if (at->o->ad_hoc)
		return make_class(at->kb, at->o->ad_hoc, out, e);
	if (at->o->app)
		return get_class(at, at->o->app, out, e);
	return has_cell ? get_class(at, at->first->field[i_app], out, e) : choose_class(at, out, e);
}

enum err_code import_class_store(struct kb *kb, struct import_class *c, struct err *e)
{
	return c->id ? ERR_OK : kb_put_application(kb, c->app, &c->id, e);
}

void import_class_release(struct import_class *c)
{
	application_free(c->app);
	*c = (struct import_class){0};
}
