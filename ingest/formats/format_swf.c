#include "ingest/formats/foreign_format.h"

#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/formats/blank_fields.h"

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

enum { SWF_FAILED = 0, SWF_COMPLETED = 1, SWF_PART_LAST = 4, SWF_CANCELLED = 5 };

struct swf_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	double max_nodes, max_procs; /* of the header; 0: not said */
	uint64_t n_parts, n_cancelled, n_unknown, n_requested;
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

/* A job that was killed, at its limit or beyond it, met the limit. */
static const char *status_of(struct swf_reader *r, const double *x)
{
	bool met_limit = x[REQUESTED_TIME] > 0 && x[RUN_TIME] >= x[REQUESTED_TIME];

	if (x[STATUS] == SWF_COMPLETED)
		return "ok";
	if (x[STATUS] == SWF_FAILED || x[STATUS] == SWF_CANCELLED)
		return met_limit ? "timeout" : "failed";
	r->n_unknown += !met_limit;
	return met_limit ? "timeout" : "ok";
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
	if (!strcmp(status, "timeout"))
		foreign_table_put_n(r->out, column_name[RUN_TIME], f[REQUESTED_TIME].at,
				    f[REQUESTED_TIME].len);
	if (procs >= 1)
		foreign_table_put_number(r->out, "procs", procs);
	if (procs >= 1 && ppn > 0)
		foreign_table_put_number(r->out, "nodes", ceil(procs / ppn));
}

/* Is it a run? Of a job that was swapped out the line of all of it counts, not those of its parts.
 */
static bool is_passed_over(struct swf_reader *r, const double *x)
{
	bool met_limit = x[REQUESTED_TIME] > 0 && x[RUN_TIME] >= x[REQUESTED_TIME];

	if (x[STATUS] > SWF_COMPLETED && x[STATUS] <= SWF_PART_LAST) {
		r->n_parts++;
		return true;
	}
	if (x[STATUS] == SWF_CANCELLED && !met_limit) {
		r->n_cancelled++;
		return true;
	}
	return false;
}

static enum err_code take_job(struct swf_reader *r, const struct foreign_line *line, struct err *e)
{
	struct blank_field f[N_SWF_FIELDS];
	double x[N_SWF_FIELDS];
	size_t n = blank_fields(line->text, f, N_SWF_FIELDS);
	char reason[160], word[40];

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
	if (is_passed_over(r, x))
		return ERR_OK;
	put_job(r, f, x);
	return foreign_table_end_row(r->out, line->number, e);
}

static void put_notes(struct swf_reader *r)
{
	if (procs_per_node(r) > 0)
		strbuf_printf(foreign_table_notes(r->out),
			      "nodes from %.0f processors a node, as the header says\n",
			      procs_per_node(r));
	foreign_table_note_count(r->out,
				 "parts of jobs passed over, for the jobs have lines of their own",
				 r->n_parts);
	foreign_table_note_count(r->out, "cancelled jobs passed over", r->n_cancelled);
	foreign_table_note_count(
		r->out, "jobs that the log does not say the end of, taken as ended by themselves",
		r->n_unknown);
	foreign_table_note_count(
		r->out,
		"jobs with the processors that were requested, as those they got are not known",
		r->n_requested);
}

static enum err_code swf_read(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct swf_reader r = {.in = in, .out = out};
	struct foreign_line line;
	enum err_code rc;

	for (size_t i = 0; i < N_SWF_FIELDS; i++) {
		if (column_name[i])
			foreign_table_column(out, column_name[i]);
	}
	foreign_table_column(out, "status");
	foreign_table_column(out, "procs");
	while (!(rc = foreign_input_line(in, &line, e)) && line.text) {
		if (is_comment(line.text))
			take_comment(&r, line.text);
		else if (!is_blank(line.text) && (rc = take_job(&r, &line, e)))
			return rc;
	}
	put_notes(&r);
	return rc;
}

const struct foreign_format format_swf = {
	.name = "swf",
	.title = "the Standard Workload Format",
	.recognise = swf_recognise,
	.read = swf_read,
};
