#include "ingest/formats/foreign_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "domain/slurm_words.h"
#include "ingest/formats/sacct_job.h"

/* Slurm's accounting as `sacct --parsable2` (and --parsable, --delimiter) prints it: a header with
 * any of its fields in any order, a row for each job, and below it one for each of the job's steps;
 * several outputs may stand one behind another. A run is a job, and where it was begun again, each
 * of its tries (--duplicates). Source: sacct(1), Slurm 24.05, "Job Accounting Fields" and "Job
 * State Codes".
 *
 * What a job counts as may depend on a row below or above: of a node that failed, on whether the
 * job was begun again. So jobs are kept first, then its tries are brought together, then rows are
 * made, in the order of the file. */

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char known_fields[] =
	"Account AdminComment AllocCPUS AllocNodes AllocTRES AssocID AveCPU AveCPUFreq AveDiskRead "
	"AveDiskWrite AvePages AveRSS AveVMSize BlockID Cluster Comment Constraints ConsumedEnergy "
	"ConsumedEnergyRaw Container CPUTime CPUTimeRAW DBIndex DerivedExitCode Elapsed ElapsedRaw "
	"Eligible End ExitCode Extra FailedNode Flags GID Group JobID JobIDRaw JobName Layout "
	"Licenses MaxDiskRead MaxDiskReadNode MaxDiskReadTask MaxDiskWrite MaxDiskWriteNode "
	"MaxDiskWriteTask MaxPages MaxPagesNode MaxPagesTask MaxRSS MaxRSSNode MaxRSSTask "
	"MaxVMSize MaxVMSizeNode MaxVMSizeTask McsLabel MinCPU MinCPUNode MinCPUTask NCPUS NNodes "
	"NodeList NTasks Partition Planned PlannedCPU PlannedCPURAW Priority QOS QOSRAW QOSREQ "
	"Reason ReqCPUFreq ReqCPUFreqGov ReqCPUFreqMax ReqCPUFreqMin ReqCPUS ReqMem ReqNodes "
	"ReqTRES Reservation ReservationId Reserved Restarts ResvCPU ResvCPURAW SLUID Start State "
	"StdErr StdIn StdOut Submit SubmitLine Suspended SystemComment SystemCPU Timelimit "
	"TimelimitRaw TotalCPU TRESUsageInAve TRESUsageInMax TRESUsageInMaxNode TRESUsageInMaxTask "
	"TRESUsageInMin TRESUsageInMinNode TRESUsageInMinTask TRESUsageInTot TRESUsageOutAve "
	"TRESUsageOutMax TRESUsageOutMaxNode TRESUsageOutMaxTask TRESUsageOutMin "
	"TRESUsageOutMinNode TRESUsageOutMinTask TRESUsageOutTot UID User UserCPU WCKey WCKeyID "
	"WorkDir";

/* Fields that a rule of ours asks for. */
enum field {
	JOB_ID,
	JOB_ID_RAW,
	JOB_NAME,
	STATE,
	DERIVED_EXIT_CODE,
	RESTARTS,
	ELAPSED,
	ELAPSED_RAW,
	TIMELIMIT,
	TIMELIMIT_RAW,
	SUBMIT,
	START,
	N_TASKS,
	N_NODES,
	ALLOC_NODES,
	N_CPUS,
	ALLOC_CPUS,
	REQ_MEM,
	MAX_RSS,
	PARTITION,
	USER,
	N_FIELDS
};
static const char *const field_name[N_FIELDS] = {
	"JobID",   "JobIDRaw",	 "JobName",    "State",	       "DerivedExitCode", "Restarts",
	"Elapsed", "ElapsedRaw", "Timelimit",  "TimelimitRaw", "Submit",	  "Start",
	"NTasks",  "NNodes",	 "AllocNodes", "NCPUS",	       "AllocCPUS",	  "ReqMem",
	"MaxRSS",  "Partition",	 "User"};

enum { SACCT_FIELDS_MAX = 500 };

/* A line split in place. */
struct sacct_row {
	struct strbuf text;
	char *field[SACCT_FIELDS_MAX];
	size_t n;
	uint64_t line;
};

enum record_kind { RECORD_HEADER, RECORD_JOB, RECORD_OF_OTHER_WIDTH };

/* A line that a row may come of, or a header. */
struct sacct_record {
	enum record_kind kind;
	uint64_t line;
	size_t at, len; /* of its text, in sacct_reader.texts */
	/* of a job: */
	size_t key_at;	      /* "ID<tab>NAME", also in texts; SIZE_MAX: no ids were asked for */
	double max_rss_bytes; /* of its steps; NaN: none says */
	struct sacct_job job;
};

struct sacct_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	char delimiter;
	struct sacct_row first; /* the first header; columns have its names */
	struct sacct_row header, row;
	const char *name[SACCT_FIELDS_MAX]; /* the column of each field of the header */
	bool trailing;			    /* --parsable: a delimiter ends each line */
	size_t at[N_FIELDS];		    /* index of the field; SIZE_MAX: not asked for */
	struct strbuf texts;
	struct sacct_record *record;
	size_t n_records, cap_records;
	size_t i_header, i_job; /* the records that hold now; SIZE_MAX: none */
	uint64_t n_steps, n_orphans, n_unfinished, n_cut, n_cut_soon, n_idle, n_step_failed;
	uint64_t n_derived, n_remainders, n_begun_again, n_repeated, n_series;
};

/* ---- rows ---- */

static enum err_code no_memory(const struct sacct_reader *r, struct err *e)
{
	return err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(r->in));
}

static enum err_code split(struct sacct_reader *r, const struct foreign_line *line,
			   struct sacct_row *row, struct err *e)
{
	strbuf_clear(&row->text);
	strbuf_add(&row->text, line->text, line->len);
	if (row->text.failed || !row->text.buf)
		return no_memory(r, e);
	row->line = line->number;
	row->n = 0;
	for (char *p = row->text.buf; p && row->n < SACCT_FIELDS_MAX; row->n++) {
		row->field[row->n] = p;
		p = strchr(p, r->delimiter);
		if (p)
			*p++ = '\0';
	}
	return ERR_OK;
}

static const char *value(const struct sacct_reader *r, const struct sacct_row *row, enum field f)
{
	return r->at[f] == SIZE_MAX ? "" : row->field[r->at[f]];
}

static const char *id_of(const struct sacct_reader *r, const struct sacct_row *row)
{
	return r->at[JOB_ID] != SIZE_MAX ? value(r, row, JOB_ID) : value(r, row, JOB_ID_RAW);
}

/* A whole number; NaN: not known. */
static double number_of(const char *text)
{
	enum { DIGITS_MAX = 12 };
	size_t n = strspn(text, "0123456789");
	double x = 0;

	if (n == 0 || n > DIGITS_MAX || text[n])
		return (double)NAN;
	for (; *text; text++)
		x = x * 10 + (*text - '0');
	return x;
}

/* NaN: not known. */
static double elapsed_s(const struct sacct_reader *r, const struct sacct_row *row)
{
	const char *elapsed = value(r, row, ELAPSED);

	return *elapsed ? slurm_duration_s(elapsed) : number_of(value(r, row, ELAPSED_RAW));
}

/* ---- a job as a row ---- */

/* The column of a field; by its own name where it was not asked for. */
static const char *column_of(const struct sacct_reader *r, enum field f)
{
	return r->at[f] == SIZE_MAX ? field_name[f] : r->name[r->at[f]];
}

/* A limit is where the scheduler began to end the job: what it took from then on is not its own. */
static void put_limit_as_time(struct sacct_reader *r)
{
	double limit_s = slurm_duration_s(value(r, &r->row, TIMELIMIT));
	char text[64];

	if (isnan(limit_s))
		limit_s = number_of(value(r, &r->row, TIMELIMIT_RAW)) * 60;
	if (!(limit_s > 0 && limit_s < elapsed_s(r, &r->row)))
		return;
	snprintf(text, sizeof text, "%.0f:%02.0f:%02.0f", floor(limit_s / 3600),
		 floor(fmod(limit_s, 3600) / 60), fmod(limit_s, 60));
	foreign_table_put(r->out, column_of(r, r->at[ELAPSED] != SIZE_MAX ? ELAPSED : ELAPSED_RAW),
			  text);
}

static void put_memory(struct sacct_reader *r, const struct sacct_record *j)
{
	const char *per, *nodes = value(r, &r->row, N_NODES), *cpus = value(r, &r->row, N_CPUS);
	/* megabytes where no letter stands: sbatch(1), --mem */
	double bytes = slurm_bytes(value(r, &r->row, REQ_MEM), 0x1p20, &per);

	if (!*nodes)
		nodes = value(r, &r->row, ALLOC_NODES);
	if (!*cpus)
		cpus = value(r, &r->row, ALLOC_CPUS);
	/* before Slurm 21.08: per node or per cpu */
	if (!strcmp(per, "n"))
		bytes *= number_of(nodes);
	else if (!strcmp(per, "c"))
		bytes *= number_of(cpus);
	else if (*per)
		bytes = (double)NAN;
	if (bytes > 0)
		foreign_table_put_number(r->out, "req_mem_bytes", bytes);
	if (!isnan(j->max_rss_bytes))
		foreign_table_put_number(r->out, "max_rss_bytes", j->max_rss_bytes);
}

static void put_wait(struct sacct_reader *r)
{
	double wait_s =
		slurm_date_s(value(r, &r->row, START)) - slurm_date_s(value(r, &r->row, SUBMIT));

	if (wait_s >= 0)
		foreign_table_put_number(r->out, "wait_s", wait_s);
}

/* What another field says as well is left out: two columns cannot both be the time. */
static bool is_second(const struct sacct_reader *r, size_t i)
{
	return (i == r->at[ELAPSED_RAW] && r->at[ELAPSED] != SIZE_MAX) ||
	       (i == r->at[TIMELIMIT_RAW] && r->at[TIMELIMIT] != SIZE_MAX) ||
	       (i == r->at[ALLOC_NODES] && r->at[N_NODES] != SIZE_MAX);
}

static void count_end(struct sacct_reader *r, const struct sacct_job *j, enum sacct_end end)
{
	r->n_unfinished += end == SACCT_UNFINISHED;
	r->n_cut += end == SACCT_CUT;
	r->n_cut_soon += end == SACCT_CUT_SOON;
	r->n_idle += end == SACCT_IDLE;
	r->n_step_failed += end == SACCT_STEP_FAILED;
	r->n_derived += end == SACCT_DERIVED_FAILED;
	r->n_remainders += end == SACCT_REMAINDER;
	if (end != SACCT_AS_SAID || j->state != SLURM_COMPLETED)
		return;
	r->n_begun_again += j->longest_cut_s >= FOREIGN_LEAST_CUT_S;
	r->n_series += sacct_job_sizes(j).n > 1;
}

static void put_size(struct strbuf *out, double nodes, double tasks)
{
	if (!isnan(nodes))
		strbuf_printf(out, "%.0f node%s%s", nodes, nodes > 1 ? "s" : "",
			      isnan(tasks) ? "" : " and ");
	if (!isnan(tasks))
		strbuf_printf(out, "%.0f task%s", tasks, tasks > 1 ? "s" : "");
}

/* Its time is that of several configurations. */
static enum err_code refuse_sizes(struct sacct_reader *r, const struct foreign_line *line,
				  const struct step_sizes *s, struct err *e)
{
	struct strbuf reason = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&reason, "its steps ran on ");
	put_size(&reason, s->nodes, s->tasks);
	strbuf_puts(&reason, ", and on ");
	put_size(&reason, s->other_nodes, s->other_tasks);
	strbuf_printf(&reason,
		      " (line %" PRIu64 "): its time is of no one configuration: load its steps as "
		      "runs of their own",
		      s->other_line);
	rc = reason.failed
		     ? no_memory(r, e)
		     : foreign_table_refuse_row(r->out, line->number, "steps of different sizes",
						strbuf_text(&reason), line->text, e);
	strbuf_release(&reason);
	return rc;
}

/* "4711+0": a job of several parts (sbatch(1), "Heterogeneous Jobs") has a row for each, with the
 * nodes of that part and the time of all. */
static bool is_component(const struct sacct_reader *r, const struct sacct_record *j)
{
	const char *id = j->key_at == SIZE_MAX ? "" : r->texts.buf + j->key_at;
	size_t n = strspn(id, "0123456789");

	return n > 0 && id[n] == '+' && isdigit((unsigned char)id[n + 1]);
}

static enum err_code put_job(struct sacct_reader *r, const struct sacct_record *j,
			     enum sacct_end end, double n_tasks, struct err *e)
{
	bool cut = end == SACCT_CUT || end == SACCT_REMAINDER;

	for (size_t i = 0; i < r->header.n; i++) {
		if (!is_second(r, i))
			foreign_table_put(r->out, r->name[i], r->row.field[i]);
	}
	if (end == SACCT_STEP_FAILED)
		foreign_table_put(r->out, column_of(r, STATE), j->job.failed_state);
	else if (end == SACCT_DERIVED_FAILED)
		foreign_table_put(r->out, column_of(r, STATE), "FAILED");
	else if (cut)
		foreign_table_put(r->out, column_of(r, STATE), "TIMEOUT");
	if (!*value(r, &r->row, N_TASKS) && !isnan(n_tasks))
		foreign_table_put_number(r->out, column_of(r, N_TASKS), n_tasks);
	if (cut || j->job.state == SLURM_TIMEOUT)
		put_limit_as_time(r);
	put_wait(r);
	put_memory(r, j);
	return foreign_table_end_row(r->out, j->line, e);
}

static enum err_code end_job(struct sacct_reader *r, const struct sacct_record *j,
			     const struct foreign_line *line, struct err *e)
{
	enum sacct_end end = sacct_job_end(&j->job);
	struct step_sizes sizes = sacct_job_sizes(&j->job);
	enum err_code rc;

	if (j->job.is_repeated) {
		r->n_repeated++;
		return ERR_OK;
	}
	if (end != SACCT_UNFINISHED && end != SACCT_CUT_SOON && end != SACCT_IDLE) {
		if (is_component(r, j))
			return foreign_table_refuse_row(
				r->out, line->number, "components of heterogeneous jobs",
				"a component of a heterogeneous job, whose nodes are none of a run",
				line->text, e);
		if (sizes.other_line)
			return refuse_sizes(r, line, &sizes, e);
		if ((rc = split(r, line, &r->row, e)) || (rc = put_job(r, j, end, sizes.tasks, e)))
			return rc;
	}
	count_end(r, &j->job, end);
	return ERR_OK;
}

/* ---- jobs and steps as they are read ---- */

/* Fields that sacct prints for jobs, never for steps. */
static const enum field job_field[] = {TIMELIMIT, TIMELIMIT_RAW, PARTITION, USER};

static bool has_id(const struct sacct_reader *r)
{
	return r->at[JOB_ID] != SIZE_MAX || r->at[JOB_ID_RAW] != SIZE_MAX;
}

static bool has_job_field(const struct sacct_reader *r)
{
	for (size_t i = 0; i < COUNT(job_field); i++) {
		if (r->at[job_field[i]] != SIZE_MAX)
			return true;
	}
	return false;
}

/* Its suffix if the row is that of a step: "batch" of 123.batch; NULL: a job. Without ids it is a
 * step if what a job has is empty. */
static const char *step_suffix(const struct sacct_reader *r, const struct sacct_row *row)
{
	const char *dot = strchr(id_of(r, row), '.');
	const char *name = value(r, row, JOB_NAME);

	if (has_id(r))
		return dot ? dot + 1 : NULL;
	for (size_t i = 0; i < COUNT(job_field); i++) {
		if (*value(r, row, job_field[i]))
			return NULL;
	}
	return strcmp(name, "batch") == 0 || strcmp(name, "extern") == 0 ? name : "0";
}

static bool is_step_of(const struct sacct_reader *r, const struct sacct_row *step,
		       const struct sacct_record *job)
{
	const char *id = id_of(r, step);
	size_t n = strcspn(id, ".");
	const char *key;

	if (job->key_at == SIZE_MAX)
		return true; /* without ids: below it */
	key = r->texts.buf + job->key_at;
	return strncmp(id, key, n) == 0 && key[n] == '\t';
}

static enum err_code keep(struct sacct_reader *r, enum record_kind kind,
			  const struct foreign_line *line, struct err *e)
{
	if (r->n_records == r->cap_records) {
		size_t cap = r->cap_records ? r->cap_records * 2 : 64;
		struct sacct_record *grown = realloc(r->record, cap * sizeof *grown);

		if (!grown)
			return no_memory(r, e);
		r->record = grown;
		r->cap_records = cap;
	}
	r->record[r->n_records++] = (struct sacct_record){.kind = kind,
							  .line = line->number,
							  .at = r->texts.len,
							  .len = line->len,
							  .key_at = SIZE_MAX};
	strbuf_add(&r->texts, line->text, line->len + 1);
	return r->texts.failed ? no_memory(r, e) : ERR_OK;
}

static enum err_code keep_job(struct sacct_reader *r, const struct foreign_line *line,
			      struct err *e)
{
	const struct sacct_row *row = &r->row;
	const char *state = value(r, row, STATE);
	enum err_code rc = keep(r, RECORD_JOB, line, e);
	struct sacct_job *j;

	if (rc)
		return rc;
	r->i_job = r->n_records - 1;
	r->record[r->i_job].max_rss_bytes = (double)NAN;
	j = &r->record[r->i_job].job;
	sacct_job_init(j);
	j->line = line->number;
	j->state = slurm_state_read(state);
	/* REQUEUED, REQUEUE_HOLD and REQUEUE_FED: pending again, but the row is of what ran */
	j->requeued = strncasecmp(state, "REQUEUE", strlen("REQUEUE")) == 0;
	j->derived_failed = strpbrk(value(r, row, DERIVED_EXIT_CODE), "123456789") != NULL;
	j->elapsed_s = elapsed_s(r, row);
	j->start_s = slurm_date_s(value(r, row, START));
	j->restarts = number_of(value(r, row, RESTARTS));
	if (!has_id(r))
		return ERR_OK;
	/* Numbers begin again some day: another name is another job. */
	r->record[r->i_job].key_at = r->texts.len;
	strbuf_printf(&r->texts, "%s\t%s", id_of(r, row), value(r, row, JOB_NAME));
	strbuf_putc(&r->texts, '\0');
	return r->texts.failed ? no_memory(r, e) : ERR_OK;
}

static void take_step(struct sacct_reader *r, struct sacct_record *job, const char *suffix)
{
	const struct sacct_row *row = &r->row;
	const char *per, *nodes = value(r, row, N_NODES);
	double rss = slurm_bytes(value(r, row, MAX_RSS), 1, &per);
	struct sacct_step step = {.line = row->line,
				  .state = value(r, row, STATE),
				  .elapsed_s = elapsed_s(r, row),
				  .tasks = number_of(value(r, row, N_TASKS))};

	r->n_steps++;
	if (rss >= 0 && !(rss <= job->max_rss_bytes))
		job->max_rss_bytes = rss;
	if (!isdigit((unsigned char)*suffix))
		return; /* the script itself, and what lay outside of steps */
	step.nodes = number_of(*nodes ? nodes : value(r, row, ALLOC_NODES));
	sacct_job_add_step(&job->job, &step);
}

/* Of a job that has not ended, a row is a try only if it says when that began: else it may be one
 * of the others, seen before its end. */
static enum err_code find_tries(struct sacct_reader *r, struct err *e)
{
	struct sacct_job **job = calloc(r->n_records + 1, sizeof(*job));
	size_t n = 0;

	if (!job)
		return no_memory(r, e);
	for (size_t i = 0; i < r->n_records; i++) {
		struct sacct_record *record = &r->record[i];

		if (record->key_at == SIZE_MAX ||
		    !(sacct_job_has_ended(&record->job) || !isnan(record->job.start_s)))
			continue;
		record->job.key = r->texts.buf + record->key_at;
		job[n++] = &record->job;
	}
	sacct_job_link(job, n);
	free(job);
	return ERR_OK;
}

/* ---- the header ---- */

static bool is_known(const char *name, size_t n)
{
	const char *at = known_fields, *field;
	size_t length;

	while ((field = text_next_word(&at, &length))) {
		if (length == n && strncasecmp(field, name, n) == 0)
			return true;
	}
	return false;
}

/* A line as a header. */
struct header_scan {
	size_t n, n_known; /* fields, and those of sacct among them */
	bool has_state, has_time, has_id;
};

static bool is_name(const char *at, size_t n, enum field f)
{
	return strlen(field_name[f]) == n && strncasecmp(at, field_name[f], n) == 0;
}

static struct header_scan scan_header(const char *line, size_t len, char delimiter)
{
	struct header_scan s = {0};
	const char *p = line, *end = line + len;

	for (;;) {
		const char *bar = memchr(p, delimiter, (size_t)(end - p));
		size_t n = (size_t)((bar ? bar : end) - p);

		if (!bar && n == 0 && s.n > 0)
			return s; /* --parsable: one bar behind the last */
		s.n++;
		s.n_known += is_known(p, n);
		s.has_state |= is_name(p, n, STATE);
		s.has_time |= is_name(p, n, ELAPSED) || is_name(p, n, ELAPSED_RAW);
		s.has_id |= is_name(p, n, JOB_ID) || is_name(p, n, JOB_ID_RAW);
		if (!bar)
			return s;
		p = bar + 1;
	}
}

/* By which it has the most fields of sacct (--delimiter), a bar if none. */
static char find_delimiter(const char *line, size_t len)
{
	static const char usual[] = "|,;\t";
	struct header_scan best = {0};
	char found = usual[0];

	for (const char *d = usual; *d; d++) {
		struct header_scan s = scan_header(line, len, *d);

		if (s.n_known > best.n_known || (s.n_known == best.n_known && s.n > best.n)) {
			best = s;
			found = *d;
		}
	}
	return found;
}

/* Nothing but fields of sacct, State among them. Where it has no bars other programs may have
 * written it: as sacct would have, with ids and times, and nothing is quoted. */
static bool sacct_recognise(const char *head, size_t n, bool whole)
{
	size_t len = strcspn(head, "\r\n");
	char delimiter = find_delimiter(head, len);
	struct header_scan s = scan_header(head, len, delimiter);

	if ((len == n && !whole) || s.n < 2 || s.n_known < s.n || !s.has_state)
		return false;
	return delimiter == '|' || (s.has_time && s.has_id && !memchr(head, '"', n));
}

/* Another header below the first, as where outputs were put one behind another. */
static bool is_header(const char *line, size_t len)
{
	struct header_scan s;

	/* most rows begin with a number: spared the search */
	if (!isalpha((unsigned char)*line) || !is_known(line, strcspn(line, "|,;\t")))
		return false;
	s = scan_header(line, len, find_delimiter(line, len));
	return s.n > 1 && s.n_known == s.n;
}

static size_t find_name(const struct sacct_row *header, const char *name)
{
	for (size_t i = 0; i < header->n; i++) {
		if (strcasecmp(header->field[i], name) == 0)
			return i;
	}
	return SIZE_MAX;
}

static const char wanted_call[] =
	"sacct --parsable2 -o JobID,JobName,State,Elapsed,Timelimit,NNodes,NTasks,Submit,Start";

static enum err_code find_fields(struct sacct_reader *r, struct err *e)
{
	uint64_t line = r->header.line;

	for (size_t f = 0; f < N_FIELDS; f++)
		r->at[f] = find_name(&r->header, field_name[f]);
	for (size_t i = 0; i < r->header.n; i++) {
		if (find_name(&r->header, r->header.field[i]) != i)
			return foreign_input_fault(r->in, line, e, "two fields are called '%.60s'",
						   r->header.field[i]);
	}
	if (r->at[STATE] == SIZE_MAX ||
	    (r->at[ELAPSED] == SIZE_MAX && r->at[ELAPSED_RAW] == SIZE_MAX))
		return foreign_input_fault(
			r->in, line, e, "without %s nothing is known of a run: %s",
			r->at[STATE] == SIZE_MAX ? "State" : "Elapsed", wanted_call);
	if (!has_id(r) && !has_job_field(r))
		return foreign_input_fault(
			r->in, line, e, "without JobID rows of steps look like those of jobs: %s",
			wanted_call);
	return ERR_OK;
}

/* A later header names the columns of the first, in any order. */
static enum err_code name_columns(struct sacct_reader *r, struct err *e)
{
	for (size_t i = 0; i < r->first.n; i++) {
		if (find_name(&r->header, r->first.field[i]) == SIZE_MAX)
			return foreign_input_fault(
				r->in, r->header.line, e,
				"this header has no %.60s, which that of line %" PRIu64
				" has: ask sacct for the same fields, or load the outputs one by "
				"one",
				r->first.field[i], r->first.line);
	}
	for (size_t i = 0; i < r->header.n; i++) {
		size_t k = find_name(&r->first, r->header.field[i]);

		if (k == SIZE_MAX)
			return foreign_input_fault(
				r->in, r->header.line, e,
				"this header has %.60s, which that of line %" PRIu64
				" has not: ask sacct for the same fields, or load the outputs one "
				"by one",
				r->header.field[i], r->first.line);
		r->name[i] = r->first.field[k];
	}
	return ERR_OK;
}

/* Its line is the header from now on. */
static enum err_code set_header(struct sacct_reader *r, const struct foreign_line *line,
				struct err *e)
{
	struct sacct_row *h = &r->header;
	enum err_code rc;

	r->delimiter = find_delimiter(line->text, line->len);
	if ((rc = split(r, line, h, e)))
		return rc;
	if (h->n == SACCT_FIELDS_MAX)
		return foreign_input_fault(r->in, line->number, e, "%d fields or more",
					   SACCT_FIELDS_MAX);
	r->trailing = h->n > 1 && !*h->field[h->n - 1];
	h->n -= r->trailing;
	if ((rc = find_fields(r, e)))
		return rc;
	if (r->first.n == 0) {
		if ((rc = split(r, line, &r->first, e)))
			return rc;
		r->first.n = h->n;
	}
	return name_columns(r, e);
}

/* The header that holds, said again. */
static bool is_header_again(const struct sacct_reader *r, const struct foreign_line *line)
{
	const struct sacct_record *now = r->i_header == SIZE_MAX ? NULL : &r->record[r->i_header];

	return now && now->len == line->len &&
	       memcmp(r->texts.buf + now->at, line->text, line->len) == 0;
}

static enum err_code take_header(struct sacct_reader *r, const struct foreign_line *line,
				 struct err *e)
{
	enum err_code rc;

	r->i_job = SIZE_MAX;
	if (is_header_again(r, line))
		return ERR_OK;
	if ((rc = set_header(r, line, e)) || (rc = keep(r, RECORD_HEADER, line, e)))
		return rc;
	r->i_header = r->n_records - 1;
	return ERR_OK;
}

static enum err_code read_header(struct sacct_reader *r, struct err *e)
{
	struct foreign_line line;
	enum err_code rc;

	do {
		if ((rc = foreign_input_line(r->in, &line, e)))
			return rc;
		if (!line.text)
			return err_set(e, ERR_PARSE, "%s: empty: the header of sacct is wanted",
				       foreign_input_name(r->in));
	} while (line.len == 0);
	foreign_table_set_header_line(r->out, line.number);
	return take_header(r, &line, e);
}

/* The columns in the order of sacct, those that are worked out behind them. */
static void make_columns(struct sacct_reader *r)
{
	for (size_t i = 0; i < r->header.n; i++) {
		if (!is_second(r, i))
			foreign_table_column(r->out, r->name[i]);
	}
}

/* ---- the file ---- */

/* The line into r->row. Has it as many fields as the header? */
static enum err_code split_row(struct sacct_reader *r, const struct foreign_line *line, bool *fits,
			       struct err *e)
{
	enum err_code rc = split(r, line, &r->row, e);

	if (rc)
		return rc;
	if (r->trailing && r->row.n == r->header.n + 1 && !*r->row.field[r->header.n])
		r->row.n--;
	*fits = r->row.n == r->header.n;
	return ERR_OK;
}

static enum err_code take_line(struct sacct_reader *r, const struct foreign_line *line,
			       struct err *e)
{
	const char *suffix;
	enum err_code rc;
	bool fits;

	if (line->text[strspn(line->text, " \t")] == '\0')
		return ERR_OK;
	if (is_header(line->text, line->len) || is_header_again(r, line))
		return take_header(r, line, e);
	if ((rc = split_row(r, line, &fits, e)))
		return rc;
	if (!fits) {
		r->i_job = SIZE_MAX;
		return keep(r, RECORD_OF_OTHER_WIDTH, line, e);
	}
	suffix = step_suffix(r, &r->row);
	if (!suffix)
		return keep_job(r, line, e);
	if (r->i_job != SIZE_MAX && is_step_of(r, &r->row, &r->record[r->i_job]))
		take_step(r, &r->record[r->i_job], suffix);
	else
		r->n_orphans++;
	return ERR_OK;
}

static enum err_code refuse_width(struct sacct_reader *r, const struct foreign_line *line,
				  struct err *e)
{
	char reason[160];
	bool fits;
	enum err_code rc = split_row(r, line, &fits, e);

	if (rc)
		return rc;
	snprintf(
		reason, sizeof reason,
		"%zu fields where the header has %zu: was the file cut off, or has a field a '%c'?",
		r->row.n, r->header.n, r->delimiter);
	return foreign_table_refuse_row(r->out, line->number,
					"another number of fields than the header", reason,
					line->text, e);
}

static enum err_code make_row(struct sacct_reader *r, const struct sacct_record *record,
			      struct err *e)
{
	const struct foreign_line line = {record->line, r->texts.buf + record->at, record->len};

	switch (record->kind) {
	case RECORD_HEADER:
		return set_header(r, &line, e);
	case RECORD_OF_OTHER_WIDTH:
		return refuse_width(r, &line, e);
	case RECORD_JOB:
		break;
	}
	return end_job(r, record, &line, e);
}

static void put_notes(const struct sacct_reader *r)
{
	foreign_table_note_count(r->out, "rows of steps folded into their jobs", r->n_steps);
	foreign_table_note_count(r->out, "rows of steps without their jobs passed over",
				 r->n_orphans);
	foreign_table_note_count(r->out, "jobs that other rows say, too, counted once",
				 r->n_repeated);
	foreign_table_note_count(r->out, "jobs that have not ended passed over", r->n_unfinished);
	foreign_table_note_count(
		r->out,
		"jobs that were cancelled, preempted or requeued within " FOREIGN_LEAST_CUT_TEXT
		" passed over",
		r->n_cut_soon);
	foreign_table_note_count(
		r->out, "jobs that were cancelled, preempted or requeued later, taken as cut there",
		r->n_cut);
	foreign_table_note_count(
		r->out, "jobs that were cancelled after all of their steps had ended passed over",
		r->n_idle);
	foreign_table_note_count(
		r->out,
		"completed jobs that may have gone on from an earlier try, taken as cut (sacct "
		"--duplicates prints all tries)",
		r->n_remainders);
	foreign_table_note_count(
		r->out, "completed jobs that an earlier try was cut of, taken as begun anew",
		r->n_begun_again);
	foreign_table_note_count(
		r->out, "completed jobs with a step that failed or met a limit, taken as such",
		r->n_step_failed);
	foreign_table_note_count(r->out,
				 "completed jobs whose DerivedExitCode is not 0, taken as failed",
				 r->n_derived);
	foreign_table_note_count(
		r->out, "completed jobs of several steps, whose time is that of all of them",
		r->n_series);
}

static enum err_code read_lines(struct sacct_reader *r, struct err *e)
{
	struct foreign_line line;
	enum err_code rc;

	while (!(rc = foreign_input_line(r->in, &line, e)) && line.text) {
		if ((rc = take_line(r, &line, e)))
			break;
	}
	return rc;
}

static enum err_code read_all(struct sacct_reader *r, struct err *e)
{
	enum { POLLED = 1024 };
	enum err_code rc = read_header(r, e);

	if (rc)
		return rc;
	make_columns(r);
	if ((rc = read_lines(r, e)) || (rc = find_tries(r, e)))
		return rc;
	for (size_t i = 0; i < r->n_records; i++) {
		if ((i % POLLED == 0 && (rc = foreign_input_poll(r->in, e))) ||
		    (rc = make_row(r, &r->record[i], e)))
			return rc;
	}
	put_notes(r);
	return ERR_OK;
}

static enum err_code sacct_read(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct sacct_reader *r = calloc(1, sizeof *r);
	enum err_code rc;

	if (!r)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(in));
	r->in = in;
	r->out = out;
	r->i_header = r->i_job = SIZE_MAX;
	rc = read_all(r, e);
	strbuf_release(&r->first.text);
	strbuf_release(&r->header.text);
	strbuf_release(&r->row.text);
	strbuf_release(&r->texts);
	free(r->record);
	free(r);
	return rc;
}

const struct foreign_format format_sacct = {
	.name = "sacct",
	.title = "accounting of Slurm (sacct --parsable2)",
	.recognise = sacct_recognise,
	.read = sacct_read,
};
