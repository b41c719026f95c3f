#include "ingest/formats/foreign_format.h"

#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The Standard Workload Format, in which logs of whole machines are kept: comments that begin with
 * a semicolon, then 18 numbers a line, -1 where one is not known. Source: Chapin, Cirne, Feitelson,
 * Jones, Leutenegger, Schwiegelshohn, Smith and Talby, "Benchmarks and Standards for the Evaluation
 * of Parallel Job Schedulers", JSSPP 1999, and the archive's definition of version 2.2. */

enum swf_field {
	JOB_NUMBER,
	SUBMIT_TIME,
	WAIT_TIME,
	RUN_TIME,
	PROCS,
	CPU_TIME,
	USED_MEMORY, /* kB per processor */
	REQUESTED_PROCS,
	REQUESTED_TIME,
	REQUESTED_MEMORY,
	STATUS,
	USER_ID,
	GROUP_ID,
	EXECUTABLE,
	QUEUE,
	PARTITION,
	PRECEDING_JOB,
	THINK_TIME,
	N_SWF_FIELDS
};

/* Those that a column has as they are; NULL: see put_job(). */
static const char *const column_name[N_SWF_FIELDS] = {
	[JOB_NUMBER] = "job",
	[SUBMIT_TIME] = "submit_s",
	[WAIT_TIME] = "wait_s",
	[RUN_TIME] = "run_time",
	[REQUESTED_TIME] = "time_limit_s",
	[CPU_TIME] = "cpu_time_s",
	[USED_MEMORY] = "used_memory_kb_per_proc",
	[REQUESTED_MEMORY] = "requested_memory_kb_per_proc",
	[USER_ID] = "user_id",
	[GROUP_ID] = "group_id",
	[EXECUTABLE] = "executable",
	[QUEUE] = "queue",
	[PARTITION] = "partition",
	[PRECEDING_JOB] = "preceding_job",
	[THINK_TIME] = "think_time_s",
};

/* Field 11. A job that was swapped out or checkpointed has a line that sums it up, whose run time
 * is that of all of its parts and whose status is 0 or 1 by how the whole ended, and beside it one
 * for each part: 2 where it is to be continued, 3 for the last part of a job that completed, 4 for
 * that of one that was killed. Studies of what programs take use the sums (usage notes of the
 * archive's definition). Where a log has no sum, a part says that its job took longer, and no more.
 */
enum {
	SWF_FAILED = 0,
	SWF_COMPLETED = 1,
	SWF_PART = 2,
	SWF_PART_LAST = 4, /* 3: completed, 4: killed */
	SWF_CANCELLED = 5  /* before it began (its run time is 0 or -1), or while it ran */
};

/* A line of a part, until it is known whether its job has a line of its own. */
struct swf_part {
	uint64_t line;
	size_t at, len; /* of its text, in swf_reader.texts */
};

struct swf_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	double max_nodes, max_procs; /* of the header; 0: not said */
	double *whole;		     /* whole[n_whole]: numbers of jobs that have a line */
	size_t n_whole, cap_whole;
	struct swf_part *part;
	size_t n_parts, cap_parts;
	struct strbuf texts;
	uint64_t n_told_parts, n_cut, n_cut_soon, n_unknown, n_requested;
};

static bool is_comment(const char *line)
{
	return line[strspn(line, " \t")] == ';';
}

static bool is_blank(const char *line)
{
	return !line[strspn(line, " \t\r")];
}

static bool is_job(const char *line)
{
	struct blank_field f[N_SWF_FIELDS];
	double x;

	if (blank_fields(line, f, N_SWF_FIELDS) != N_SWF_FIELDS)
		return false;
	for (size_t i = 0; i < N_SWF_FIELDS; i++) {
		if (!blank_field_number(&f[i], &x))
			return false;
	}
	return true;
}

/* A job below nothing but comments; or a header so long that none is seen, which says what it is.
 */
static bool swf_recognise(const char *head, size_t n, bool whole)
{
	bool said = false;
	char line[1024];

	for (const char *p = head; *p;) {
		size_t len = strcspn(p, "\n");

		if (p + len == head + n && !whole)
			return said;
		if (len >= sizeof line)
			return false;
		memcpy(line, p, len);
		line[len] = '\0';
		if (len > 0 && line[len - 1] == '\r')
			line[len - 1] = '\0';
		if (!is_comment(line) && !is_blank(line))
			return is_job(line);
		said |= is_comment(line) &&
			(strstr(line, "MaxProcs:") || strstr(line, "MaxNodes:"));
		p += len + (p[len] == '\n');
	}
	return said;
}

/* "; MaxNodes: 338" */
static void take_comment(struct swf_reader *r, const char *line)
{
	static const char *const word[] = {"MaxNodes:", "MaxProcs:"};
	double *value[] = {&r->max_nodes, &r->max_procs};

	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
		const char *at = strstr(line, word[i]);
		struct blank_field f;
		double x;

		if (at && blank_fields(at + strlen(word[i]), &f, 1) > 0 &&
		    blank_field_number(&f, &x) && x >= 1 && x < 1e9 && floor(x) == x)
			*value[i] = x;
	}
}

/* Processors per node, where all nodes have as many; 0: not known. */
static double procs_per_node(const struct swf_reader *r)
{
	double ppn = r->max_nodes > 0 ? r->max_procs / r->max_nodes : 0;

	return ppn >= 1 && floor(ppn) == ppn ? ppn : 0;
}

static bool is_part(const double *x)
{
	return x[STATUS] >= SWF_PART && x[STATUS] <= SWF_PART_LAST;
}

static bool met_limit(const double *x)
{
	return x[REQUESTED_TIME] > 0 && x[RUN_TIME] >= x[REQUESTED_TIME];
}

/* A job that was killed, at its limit or beyond it, met the limit. */
static const char *status_of(struct swf_reader *r, const double *x)
{
	if (x[STATUS] == SWF_COMPLETED)
		return "ok";
	if (x[STATUS] == SWF_CANCELLED || is_part(x))
		return "timeout";
	if (x[STATUS] == SWF_FAILED)
		return met_limit(x) ? "timeout" : "failed";
	r->n_unknown += !met_limit(x);
	return met_limit(x) ? "timeout" : "ok";
}

static void put_job(struct swf_reader *r, const struct blank_field *f, const double *x)
{
	double ppn = procs_per_node(r);
	double procs = x[PROCS];
	const char *status = status_of(r, x);

	for (size_t i = 0; i < N_SWF_FIELDS; i++) {
		if (column_name[i] && x[i] >= 0)
			foreign_table_put_n(r->out, column_name[i], f[i].at, f[i].len);
	}
	if (procs < 1 && x[REQUESTED_PROCS] >= 1) {
		procs = x[REQUESTED_PROCS];
		r->n_requested++;
	}
	foreign_table_put(r->out, "status", status);
	/* It was killed from the limit on: the bound is the limit. */
	if (!strcmp(status, "timeout") && met_limit(x))
		foreign_table_put_n(r->out, column_name[RUN_TIME], f[REQUESTED_TIME].at,
				    f[REQUESTED_TIME].len);
	if (procs >= 1)
		foreign_table_put_number(r->out, "procs", procs);
	if (procs >= 1 && ppn > 0)
		foreign_table_put_number(r->out, "nodes", ceil(procs / ppn));
}

/* Does a line that was cut, by somebody or by being swapped out, tell too little? */
static bool is_cut_soon(struct swf_reader *r, const double *x)
{
	bool cut = (x[STATUS] == SWF_CANCELLED || is_part(x)) && !met_limit(x);
	bool soon = cut && !(x[RUN_TIME] >= FOREIGN_LEAST_CUT_S);

	r->n_cut += cut && !soon;
	r->n_cut_soon += soon;
	return soon;
}

/* A line as 18 numbers; *good: it was not refused. */
static enum err_code read_job(struct swf_reader *r, const struct foreign_line *line,
			      struct blank_field *f, double *x, bool *good, struct err *e)
{
	size_t n = blank_fields(line->text, f, N_SWF_FIELDS);
	char reason[160], word[40];

	*good = false;
	if (n != N_SWF_FIELDS) {
		snprintf(reason, sizeof reason,
			 "%zu fields where the format has %d: was the file cut off?", n,
			 N_SWF_FIELDS);
		return foreign_table_refuse_row(r->out, line->number, "not 18 fields", reason,
						line->text, e);
	}
	for (size_t i = 0; i < N_SWF_FIELDS; i++) {
		if (blank_field_number(&f[i], &x[i]))
			continue;
		snprintf(reason, sizeof reason, "field %zu, '%s', is not a number", i + 1,
			 blank_field_copy(&f[i], word, sizeof word));
		return foreign_table_refuse_row(r->out, line->number, "not a number", reason,
						line->text, e);
	}
	*good = true;
	return ERR_OK;
}

static enum err_code no_memory(const struct swf_reader *r, struct err *e)
{
	return err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(r->in));
}

static enum err_code keep_part(struct swf_reader *r, const struct foreign_line *line, struct err *e)
{
	if (r->n_parts == r->cap_parts) {
		size_t cap = r->cap_parts ? r->cap_parts * 2 : 64;
		struct swf_part *grown = realloc(r->part, cap * sizeof *grown);

		if (!grown)
			return no_memory(r, e);
		r->part = grown;
		r->cap_parts = cap;
	}
	r->part[r->n_parts++] = (struct swf_part){line->number, r->texts.len, line->len};
	strbuf_add(&r->texts, line->text, line->len + 1);
	return r->texts.failed ? no_memory(r, e) : ERR_OK;
}

static enum err_code keep_whole(struct swf_reader *r, double job, struct err *e)
{
	if (r->n_whole == r->cap_whole) {
		size_t cap = r->cap_whole ? r->cap_whole * 2 : 64;
		double *grown = realloc(r->whole, cap * sizeof *grown);

		if (!grown)
			return no_memory(r, e);
		r->whole = grown;
		r->cap_whole = cap;
	}
	r->whole[r->n_whole++] = job;
	return ERR_OK;
}

static enum err_code take_job(struct swf_reader *r, const struct foreign_line *line, struct err *e)
{
	struct blank_field f[N_SWF_FIELDS];
	double x[N_SWF_FIELDS];
	enum err_code rc;
	bool good;

	if ((rc = read_job(r, line, f, x, &good, e)) || !good)
		return rc;
	if (is_part(x))
		return keep_part(r, line, e);
	if ((rc = keep_whole(r, x[JOB_NUMBER], e)) || is_cut_soon(r, x))
		return rc;
	put_job(r, f, x);
	return foreign_table_end_row(r->out, line->number, e);
}

static int compare_numbers(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Parts of jobs that have no line of their own. */
static enum err_code take_parts(struct swf_reader *r, struct err *e)
{
	struct blank_field f[N_SWF_FIELDS];
	double x[N_SWF_FIELDS];
	enum err_code rc;
	bool good;

	if (r->n_whole > 0)
		qsort(r->whole, r->n_whole, sizeof *r->whole, compare_numbers);
	for (size_t i = 0; i < r->n_parts; i++) {
		const struct swf_part *p = &r->part[i];
		const struct foreign_line line = {p->line, r->texts.buf + p->at, p->len};

		if ((rc = read_job(r, &line, f, x, &good, e)) || !good)
			return rc;
		if (r->n_whole > 0 && bsearch(&x[JOB_NUMBER], r->whole, r->n_whole,
					      sizeof *r->whole, compare_numbers)) {
			r->n_told_parts++;
			continue;
		}
		if (is_cut_soon(r, x))
			continue;
		put_job(r, f, x);
		if ((rc = foreign_table_end_row(r->out, line.number, e)))
			return rc;
	}
	return ERR_OK;
}

static void put_notes(struct swf_reader *r)
{
	if (procs_per_node(r) > 0)
		strbuf_printf(foreign_table_notes(r->out),
			      "nodes from %.0f processors a node, as the header says\n",
			      procs_per_node(r));
	foreign_table_note_count(r->out,
				 "parts of jobs passed over, for the jobs have lines of their own",
				 r->n_told_parts);
	foreign_table_note_count(
		r->out,
		"jobs that were cancelled, and parts of jobs, within " FOREIGN_LEAST_CUT_TEXT
		" passed over",
		r->n_cut_soon);
	foreign_table_note_count(r->out,
				 "jobs that were cancelled, and parts of jobs, taken as cut there",
				 r->n_cut);
	foreign_table_note_count(
		r->out, "jobs that the log does not say the end of, taken as ended by themselves",
		r->n_unknown);
	foreign_table_note_count(
		r->out,
		"jobs with the processors that were requested, as those they got are not known",
		r->n_requested);
}

static enum err_code read_all(struct swf_reader *r, struct err *e)
{
	struct foreign_line line;
	enum err_code rc;

	for (size_t i = 0; i < N_SWF_FIELDS; i++) {
		if (column_name[i])
			foreign_table_column(r->out, column_name[i]);
	}
	foreign_table_column(r->out, "status");
	foreign_table_column(r->out, "procs");
	while (!(rc = foreign_input_line(r->in, &line, e)) && line.text) {
		if (is_comment(line.text))
			take_comment(r, line.text);
		else if (!is_blank(line.text) && (rc = take_job(r, &line, e)))
			return rc;
	}
	if (rc || (rc = take_parts(r, e)))
		return rc;
	put_notes(r);
	return ERR_OK;
}

static enum err_code swf_read(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct swf_reader r = {.in = in, .out = out};
	enum err_code rc = read_all(&r, e);

	strbuf_release(&r.texts);
	free(r.part);
	free(r.whole);
	return rc;
}

const struct foreign_format format_swf = {
	.name = "swf",
	.title = "the Standard Workload Format",
	.recognise = swf_recognise,
	.read = swf_read,
};
