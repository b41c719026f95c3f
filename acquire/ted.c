#include "acquire/ted.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "acquire/address_trace.h"
#include "acquire/launch.h"
#include "acquire/ted_private.h"
#include "acquire/work_folder.h"
#include "ingest/cell_number.h"
#include "ingest/text_table.h"
#include "mining/numerics/order_statistics.h"
#include "models/instruction_pipeline.h"
#include "models/memory_hierarchy.h"

/* The program with its arguments for so many repeats, as words; NULL-terminated argv is made of
 * them by ted_words_argv(). */
struct ted_words {
	struct strbuf *word;
	size_t n;
};

static enum err_code ted_words_add(struct ted_words *w, const char *text, struct err *e)
{
	struct strbuf *grown = realloc(w->word, (w->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "the arguments of a program");
	w->word = grown;
	grown[w->n] = STRBUF_INIT;
	strbuf_puts(&grown[w->n], text);
	return grown[w->n++].failed ? err_set(e, ERR_NOMEM, "the arguments of a program") : ERR_OK;
}

/* A description is data that somebody sends: what it names is run only for those who say so. */
static enum err_code refuse_to_run(const struct task_description *t, struct err *e)
{
	return err_set(e, ERR_ARG,
		       "%s: wants to run %s, a program that does not come with lemnos; --allow-run "
		       "lets descriptions do so",
		       t->name, t->run.program);
}

/* Absolute, for the program runs in a folder of its own. Without '/': in the programs' folder if it
 * is there, else left to PATH. */
static enum err_code add_program(struct ted_words *w, const struct task_description *t,
				 const struct ted_options *o, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	bool is_path = strchr(t->run.program, '/') != NULL;
	char *absolute = NULL;
	enum err_code rc;

	errno = 0;
	if (is_path)
		ted_path(t, t->run.program, &path);
	else if (o->program_folder)
		strbuf_printf(&path, "%s/%s", o->program_folder, t->run.program);
	if (!path.failed && path.len > 0 && access(path.buf, X_OK) == 0)
		absolute = realpath(path.buf, NULL);
	/* Without memory for it, a program of this name in PATH would be another one. */
	if (path.failed || (!absolute && errno == ENOMEM))
		rc = err_set(e, ERR_NOMEM, "the path of %s", t->run.program);
	else if (!o->allow_run && (is_path || !absolute))
		rc = refuse_to_run(t, e);
	else if (is_path && !absolute)
		rc = err_set(e, ERR_NOTFOUND, "%s: there is no program %s", t->name,
			     strbuf_text(&path));
	else
		rc = ted_words_add(w, absolute ? absolute : t->run.program, e);
	free(absolute);
	strbuf_release(&path);
	return rc;
}

/* The first variable that an argument needs and nobody gave. */
static enum err_code say_missing(const struct task_description *t, const double *row,
				 const struct err *why, struct err *e)
{
	for (int v = 0; v < TASK_VARIABLES; v++) {
		if (isnan(row[v]))
			return err_set(e, ERR_ARG, "%s: '%s' is not known: %s", t->name,
				       task_variable_name((enum task_variable)v), why->msg);
	}
	return err_set(e, ERR_ARG, "%s: %s", t->name, why->msg);
}

static enum err_code ted_words_program(struct ted_words *w, const struct task_description *t,
				       const double *asked, int64_t repeats,
				       const struct ted_options *o, struct err *e)
{
	double row[TASK_VARIABLES];
	enum err_code rc = add_program(w, t, o, e);

	memcpy(row, asked, sizeof row);
	row[TASK_REPEATS] = (double)repeats;
	for (size_t i = 0; i < t->run.n_arguments && !rc; i++) {
		struct strbuf text = STRBUF_INIT;
		struct err why = {0};

		rc = template_fill(t->run.argument[i], row, TEMPLATE_COMMAND, &text, &why);
		if (rc == ERR_NOMEM)
			err_set(e, rc, "%s: %s", t->name, why.msg);
		else if (rc)
			rc = say_missing(t, row, &why, e);
		else
			rc = ted_words_add(w, strbuf_text(&text), e);
		strbuf_release(&text);
	}
	return rc;
}

/* One block of memory, for the caller to free(). NULL: out of memory. */
static const char **ted_words_argv(const struct ted_words *w)
{
	const char **argv = calloc(w->n + 1, sizeof *argv);

	for (size_t i = 0; argv && i < w->n; i++)
		argv[i] = strbuf_text(&w->word[i]);
	return argv;
}

static void ted_words_release(struct ted_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		strbuf_release(&w->word[i]);
	free(w->word);
	*w = (struct ted_words){0};
}

/* The last line that says something; cut off at the front if it is long. */
static const char *last_line(struct strbuf *text)
{
	char *start;

	while (text->len > 0 && strchr("\r\n ", text->buf[text->len - 1]))
		text->buf[--text->len] = '\0';
	start = text->len > 0 ? strrchr(text->buf, '\n') : NULL;
	return start ? start + 1 : strbuf_text(text);
}

static enum err_code say_why(const struct work_folder *folder, const struct err *how,
			     enum err_code rc, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	const char *said;

	if (work_folder_read(folder, "err", 500, &text, NULL))
		strbuf_clear(&text);
	said = last_line(&text);
	err_set(e, rc, "%s%s%s", how->msg, *said ? ": " : "", said);
	strbuf_release(&text);
	return rc;
}

/* Run the words in the folder; what they print goes to its files "out" and "err". A failure is
 * told with the last line of "err". Errors: NOTFOUND, IO, INTERRUPTED, NOMEM. */
static enum err_code ted_run(const struct ted_words *w, const struct work_folder *folder,
			     const struct ted_options *o, struct err *e)
{
	const char **argv = ted_words_argv(w);
	struct launch job = {.argv = argv,
			     .folder = strbuf_text(&folder->path),
			     .stdout_path = "out",
			     .stderr_path = "err",
			     .limit_s = o->limit_s,
			     .progress = o->progress};
	struct launch_end end;
	struct err how = {0};
	enum err_code rc;

	if (!argv)
		return err_set(e, ERR_NOMEM, "the arguments of a program");
	rc = launch_run(&job, &end, e);
	if (!rc && (rc = launch_check(&job, &end, &how)))
		say_why(folder, &how, rc, e);
	free(argv);
	return rc;
}

/* The one record's value of the column that holds seconds per cell and angle. */
static enum err_code read_time(const struct task_description *t, struct text_table *table,
			       double *time_s, struct err *e)
{
	size_t column = text_table_find(table, t->run.output);
	struct table_record record;
	enum err_code rc;
	double x = 0;

	if (column == SIZE_MAX)
		return err_set(e, ERR_PARSE, "%s: %s prints no column '%s'", t->name,
			       t->run.program, t->run.output);
	if ((rc = text_table_next(table, &record, e)))
		return rc;
	if (!record.raw || record.bad)
		return err_set(e, ERR_PARSE, "%s: %s prints no row of results%s%s", t->name,
			       t->run.program, record.bad ? ": " : "",
			       record.bad ? record.bad : "");
	if (cell_number(record.field[column], &x) != NUMBER_OK || !(x > 0))
		return err_set(e, ERR_PARSE, "%s: %s prints %s = '%.40s', which is no time > 0",
			       t->name, t->run.program, t->run.output, record.field[column]);
	*time_s = x;
	return ERR_OK;
}

static enum err_code run_once(const struct task_description *t, const struct ted_words *w,
			      const struct work_folder *folder, const struct ted_options *o,
			      double *time_s, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	struct text_table *table = NULL;
	enum err_code rc = ted_run(w, folder, o, e);

	strbuf_printf(&path, "%s/out", strbuf_text(&folder->path));
	if (!rc && path.failed)
		rc = err_set(e, ERR_NOMEM, "a path");
	if (!rc && !(rc = text_table_open(path.buf, 0, &table, e)))
		rc = read_time(t, table, time_s, e);
	text_table_close(table);
	strbuf_release(&path);
	return rc;
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

static enum err_code ted_measure(const struct task_description *t, const double *asked,
				 const struct ted_options *o, struct ted_result *out, struct err *e)
{
	size_t runs = (size_t)t->run.runs;
	double *time_s = calloc(runs, sizeof *time_s);
	struct work_folder folder = {0};
	struct ted_words w = {0};
	enum err_code rc = time_s ? ERR_OK : err_set(e, ERR_NOMEM, "times of a task");

	if (rc || (rc = ted_words_program(&w, t, asked, t->run.repeats, o, e)) ||
	    (rc = work_folder_open(NULL, &folder, e)))
		goto done;
	for (size_t i = 0; i < runs && !rc; i++) {
		if (!progress_step(o->progress, "runs", i, runs))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
		else
			rc = run_once(t, &w, &folder, o, &time_s[i], e);
	}
	if (rc)
		goto done;
	ted_summarise(time_s, runs, out);
	strbuf_printf(&out->evidence, "the median of %zu runs of %s on this machine", runs,
		      t->run.program);
done:
	work_folder_close(&folder);
	ted_words_release(&w);
	free(time_s);
	return rc;
}

enum { EVENTS = 9 };
/* In the order of struct memory_counts. */
static const char *const event[EVENTS] = {"Ir",	  "I1mr", "ILmr", "Dr",	 "D1mr",
					  "DLmr", "Dw",	  "D1mw", "DLmw"};

/* The numbers after "summary:" in the order that "events:" gives. */
static enum err_code read_counts(const char *text, uint64_t count[EVENTS], struct err *e)
{
	const char *names = strstr(text, "events: "), *values = strstr(text, "\nsummary: ");

	if (!names || !values)
		return err_set(e, ERR_PARSE, "cachegrind's output has no events or no summary");
	names += strlen("events: ");
	values += strlen("\nsummary: ");
	for (int i = 0; i < EVENTS; i++) {
		size_t length = strcspn(names, " \n");
		char *end;

		if (length != strlen(event[i]) || strncmp(names, event[i], length) != 0)
			return err_set(e, ERR_PARSE, "cachegrind counts '%.*s', not '%s'",
				       (int)length, names, event[i]);
		names += length + strspn(names + length, " ");
		count[i] = strtoull(values, &end, 10);
		if (end == values)
			return err_set(e, ERR_PARSE, "cachegrind's summary has no %s", event[i]);
		values = end;
	}
	return ERR_OK;
}

static void put_cache(struct strbuf *out, const char *name, const struct cache_shape *s)
{
	strbuf_clear(out);
	strbuf_printf(out, "--%s=%" PRIu64 ",%" PRIu64 ",%" PRIu64, name, s->size_bytes,
		      s->associativity, s->line_bytes);
}

static enum err_code add_cachegrind(struct ted_words *w, const struct memory_shape *m,
				    struct err *e)
{
	static const char *const fixed[] = {"valgrind", "--tool=cachegrind",
					    "--command-line-only=yes", "--cache-sim=yes",
					    "--cachegrind-out-file=counts"};
	const struct cache_shape *shape[] = {&m->I1, &m->D1, &m->shared[0]};
	static const char *const name[] = {"I1", "D1", "LL"};
	struct strbuf option = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0] && !rc; i++)
		rc = ted_words_add(w, fixed[i], e);
	for (size_t i = 0; i < 3 && !rc; i++) {
		put_cache(&option, name[i], shape[i]);
		rc = ted_words_add(w, strbuf_text(&option), e);
	}
	strbuf_release(&option);
	return rc;
}

static enum err_code simulate(const struct task_description *t, const double *asked,
			      int64_t repeats, const struct ted_options *o, uint64_t count[EVENTS],
			      struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct work_folder folder = {0};
	struct ted_words w = {0};
	enum err_code rc;

	if ((rc = add_cachegrind(&w, &t->memory, e)) ||
	    (rc = ted_words_program(&w, t, asked, repeats, o, e)) ||
	    (rc = work_folder_open(NULL, &folder, e)) || (rc = ted_run(&w, &folder, o, e)) ||
	    (rc = work_folder_read(&folder, "counts", SIZE_MAX, &text, e)))
		goto done;
	rc = read_counts(strbuf_text(&text), count, e);
done:
	work_folder_close(&folder);
	ted_words_release(&w);
	strbuf_release(&text);
	return rc;
}

/* Start-up is the same to a few instructions, of which a rare event may have more. */
static uint64_t rise(const uint64_t *once, const uint64_t *twice, int i)
{
	return twice[i] > once[i] ? twice[i] - once[i] : 0;
}

/* Wg and rates of counts that stand for so many cells times angles. */
static enum err_code ted_take_counts(const struct memory_counts *counts,
				     const struct task_description *t, double cell_angles,
				     struct ted_result *out, struct err *e)
{
	struct task_processor processor = t->processor;
	struct task_time time;
	double cycles;
	enum err_code rc;

	if (processor.pipeline) {
		if ((rc = instruction_loop_cycles(processor.pipeline, &cycles, e)))
			return rc;
		processor.instructions_per_cycle = (double)processor.pipeline->n / cycles;
	}
	time = task_time_of(counts, &t->memory, &processor);
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
	return ERR_OK;
}

static enum err_code ted_simulate(const struct task_description *t, const double *asked,
				  const struct ted_options *o, struct ted_result *out,
				  struct err *e)
{
	uint64_t once[EVENTS], twice[EVENTS];
	struct memory_counts counts = {0};
	double row[TASK_VARIABLES], cell_angles;
	enum err_code rc;

	memcpy(row, asked, sizeof row);
	row[TASK_REPEATS] = 1;
	cell_angles = expr_eval(t->run.cell_angles, row);
	if (!(cell_angles > 0 && isfinite(cell_angles)))
		return err_set(e, ERR_ARG,
			       "%s: 'cell_angles' is %g for this configuration; it "
			       "must be known and > 0",
			       t->name, cell_angles);
	if (!launch_can_find("valgrind"))
		return err_set(e, ERR_NOTFOUND,
			       "%s: the method 'simulate' needs valgrind, which is not in PATH; a "
			       "recorded trace (method 'trace') does without",
			       t->name);
	if ((rc = simulate(t, asked, 1, o, once, e)) || (rc = simulate(t, asked, 2, o, twice, e)))
		return rc;
	for (int kind = 0; kind < ACCESS_KINDS; kind++) {
		counts.access[kind] = rise(once, twice, 3 * kind);
		counts.l1_miss[kind] = rise(once, twice, 3 * kind + 1);
		counts.shared_miss[0][kind] = rise(once, twice, 3 * kind + 2);
	}
	if (counts.access[ACCESS_INSTRUCTION] == 0)
		return err_set(e, ERR_PARSE,
			       "%s: doing the task twice takes no more instructions than once; "
			       "do the arguments use {repeats}?",
			       t->name);
	if ((rc = ted_take_counts(&counts, t, cell_angles, out, e)))
		return rc;
	strbuf_printf(&out->evidence, "cachegrind's counts of %s on the processor described",
		      t->run.program);
	return ERR_OK;
}

static enum err_code check_recorded(const struct task_description *t, const double *asked,
				    struct err *e)
{
	for (int v = 0; v < TASK_REPEATS; v++) {
		double recorded = t->trace.recorded[v];

		if (!isnan(recorded) && !isnan(asked[v]) && asked[v] != recorded)
			return err_set(e, ERR_ARG,
				       "%s: the trace was recorded with %s = %g, and says nothing "
				       "about %g",
				       t->name, task_variable_name((enum task_variable)v), recorded,
				       asked[v]);
	}
	return ERR_OK;
}

static enum err_code replay(const struct task_description *t, const char *path,
			    struct memory_hierarchy *m, const struct progress *p, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int64_t pass = 0; pass <= t->trace.warm_passes && !rc; pass++) {
		memory_hierarchy_clear_counts(m);
		rc = address_trace_replay(path, m, p, e);
	}
	return rc;
}

static enum err_code ted_trace(const struct task_description *t, const double *asked,
			       const struct ted_options *o, struct ted_result *out, struct err *e)
{
	struct memory_hierarchy *m = NULL;
	struct strbuf path = STRBUF_INIT;
	enum err_code rc;

	ted_path(t, t->trace.file, &path);
	rc = path.failed ? err_set(e, ERR_NOMEM, "a path") : check_recorded(t, asked, e);
	if (!rc && !(rc = memory_hierarchy_new(&t->memory, &m, e)) &&
	    !(rc = replay(t, path.buf, m, o->progress, e)) &&
	    !(rc = ted_take_counts(memory_hierarchy_counts(m), t, t->trace.cell_angles, out, e))) {
		strbuf_printf(&out->evidence, "the trace %s through the caches described",
			      t->trace.file);
	}
	memory_hierarchy_free(m);
	strbuf_release(&path);
	return rc;
}

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
