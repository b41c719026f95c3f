#include "ingest/formats/foreign_format.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "base/units.h"
#include "domain/slurm_words.h"

/* Slurm's accounting as `sacct --parsable2` (and --parsable) prints it: a header with any of its
 * fields in any order, a row for each job, and below it one for each of the job's steps. A run is a
 * job. Source: sacct(1), Slurm 24.05, "Job Accounting Fields" and "Job State Codes". */

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
	"JobID",	"JobIDRaw", "JobName", "State",	    "Elapsed", "ElapsedRaw", "Timelimit",
	"TimelimitRaw", "Submit",   "Start",   "NTasks",    "NNodes",  "AllocNodes", "NCPUS",
	"AllocCPUS",	"ReqMem",   "MaxRSS",  "Partition", "User"};

enum { SACCT_FIELDS_MAX = 500 };

/* A line split in place. */
struct sacct_row {
	struct strbuf text;
	char *field[SACCT_FIELDS_MAX];
	size_t n;
	uint64_t line;
};

struct sacct_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	char delimiter;
	struct sacct_row header, job, step;
	bool trailing;	      /* --parsable: a delimiter ends each line */
	size_t at[N_FIELDS];  /* index of the field; SIZE_MAX: not asked for */
	bool has_job;	      /* job waits for its steps */
	double max_rss_bytes; /* of the job's steps; NaN: none says */
	double n_tasks;
	char failed_state[40]; /* of a step of it that failed or was cut; "": none */
	bool has_ended_step, has_cancelled_step;
	uint64_t n_steps, n_orphans, n_unfinished, n_cancelled, n_step_failed;
};

/* ---- values ---- */

static bool digits(const char **p, double *out)
{
	const char *from = *p;

	for (*out = 0; isdigit((unsigned char)**p); ++*p)
		*out = *out * 10 + (**p - '0');
	return *p > from && *p - from <= 12;
}

/* Days since 1970-01-01. Source: H. Hinnant, "chrono-compatible low-level date algorithms", 2013,
 * days_from_civil(). */
static double days_of_date(double y, double m, double d)
{
	double era, yoe, doy;

	y -= m <= 2;
	era = floor(y / 400);
	yoe = y - era * 400;
	doy = floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + d - 1;
	return era * 146097 + yoe * 365 + floor(yoe / 4) - floor(yoe / 100) + doy - 719468;
}

/* "2026-07-11T12:00:07" [s]; NaN: unknown, None, or another SLURM_TIME_FORMAT. */
static double date_seconds(const char *text)
{
	static const char between[] = "--T::";
	double part[6];

	for (size_t i = 0; i < COUNT(part); i++) {
		if (!digits(&text, &part[i]))
			return (double)NAN;
		if (i + 1 < COUNT(part) && *text++ != between[i])
			return (double)NAN;
	}
	if (*text || part[1] < 1 || part[1] > 12 || part[2] < 1 || part[2] > 31 || part[3] > 23 ||
	    part[4] > 59 || part[5] > 60)
		return (double)NAN;
	return days_of_date(part[0], part[1], part[2]) * 86400 + part[3] * 3600 + part[4] * 60 +
	       part[5];
}

/* "22000K", "1.50G", "4000Mc": powers of 1024, as Slurm counts; *per is what is left of the text
 * ("c", "n"). A number without a letter is in unit bytes. NaN: none. */
static double memory_bytes(const char *text, double unit, const char **per)
{
	static const char letters[] = "KMGTPE";
	size_t n = strspn(text, "0123456789.");
	char number[32];
	const char *letter;
	double x;

	*per = "";
	if (n == 0 || n >= sizeof number)
		return (double)NAN;
	memcpy(number, text, n);
	number[n] = '\0';
	if (number_parse(number, &x, NULL) != ERR_OK)
		return (double)NAN;
	letter = text[n] ? strchr(letters, toupper((unsigned char)text[n])) : NULL;
	*per = text + n + (letter != NULL);
	return x * (letter ? ldexp(1, 10 * (int)(letter - letters + 1)) : unit);
}

/* ---- rows ---- */

static enum err_code split(struct sacct_reader *r, const struct foreign_line *line,
			   struct sacct_row *row, struct err *e)
{
	strbuf_clear(&row->text);
	strbuf_add(&row->text, line->text, line->len);
	if (row->text.failed || !row->text.buf)
		return err_set(e, ERR_NOMEM, "%s: no memory for a row", foreign_input_name(r->in));
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

static enum slurm_state state_of(const struct sacct_reader *r, const struct sacct_row *row)
{
	return slurm_state_read(value(r, row, STATE));
}

static bool is_failed(enum slurm_state state)
{
	return state == SLURM_FAILED || state == SLURM_OUT_OF_MEMORY || state == SLURM_NODE_FAIL;
}

/* ---- a job and its steps ---- */

/* NaN: not known. */
static double larger(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

static double number_of(const char *text)
{
	const char *p = text;
	double x;

	return digits(&p, &x) && !*p ? x : (double)NAN;
}

static void take_step(struct sacct_reader *r, const struct sacct_row *step, const char *suffix)
{
	const char *per;
	double rss = memory_bytes(value(r, step, MAX_RSS), 1, &per);
	enum slurm_state state;

	r->n_steps++;
	if (!isnan(rss))
		r->max_rss_bytes = larger(r->max_rss_bytes, rss);
	if (!isdigit((unsigned char)*suffix))
		return; /* the script itself, and what lay outside of steps */
	if (!isnan(number_of(value(r, step, N_TASKS))))
		r->n_tasks = larger(r->n_tasks, number_of(value(r, step, N_TASKS)));
	state = state_of(r, step);
	r->has_ended_step |= state == SLURM_COMPLETED;
	r->has_cancelled_step |= state == SLURM_CANCELLED;
	if (!*r->failed_state && (is_failed(state) || state == SLURM_TIMEOUT))
		snprintf(r->failed_state, sizeof r->failed_state, "%s", value(r, step, STATE));
}

/* NaN: not known. */
static double elapsed_s(const struct sacct_reader *r)
{
	const char *elapsed = value(r, &r->job, ELAPSED);

	return *elapsed ? slurm_duration_s(elapsed) : number_of(value(r, &r->job, ELAPSED_RAW));
}

/* A limit is where the scheduler began to end the job: what it took from then on is not its own. */
static void put_limit_as_time(struct sacct_reader *r)
{
	double limit_s = slurm_duration_s(value(r, &r->job, TIMELIMIT));
	char text[64];

	if (isnan(limit_s))
		limit_s = number_of(value(r, &r->job, TIMELIMIT_RAW)) * 60;
	if (!(limit_s > 0 && limit_s < elapsed_s(r)))
		return;
	snprintf(text, sizeof text, "%.0f:%02.0f:%02.0f", floor(limit_s / 3600),
		 floor(fmod(limit_s, 3600) / 60), fmod(limit_s, 60));
	foreign_table_put(r->out, r->at[ELAPSED] != SIZE_MAX ? "Elapsed" : "ElapsedRaw", text);
}

static void put_memory(struct sacct_reader *r)
{
	const char *per, *nodes = value(r, &r->job, N_NODES), *cpus = value(r, &r->job, N_CPUS);
	/* megabytes where no letter stands: sbatch(1), --mem */
	double bytes = memory_bytes(value(r, &r->job, REQ_MEM), 0x1p20, &per);

	if (!*nodes)
		nodes = value(r, &r->job, ALLOC_NODES);
	if (!*cpus)
		cpus = value(r, &r->job, ALLOC_CPUS);
	/* before Slurm 21.08: per node or per cpu */
	if (!strcmp(per, "n"))
		bytes *= number_of(nodes);
	else if (!strcmp(per, "c"))
		bytes *= number_of(cpus);
	else if (*per)
		bytes = (double)NAN;
	if (bytes > 0)
		foreign_table_put_number(r->out, "req_mem_bytes", bytes);
	if (!isnan(r->max_rss_bytes))
		foreign_table_put_number(r->out, "max_rss_bytes", r->max_rss_bytes);
}

static void put_wait(struct sacct_reader *r)
{
	double wait_s =
		date_seconds(value(r, &r->job, START)) - date_seconds(value(r, &r->job, SUBMIT));

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

/* Has it not ended yet, or did people or the scheduler end it, which says nothing of the
 * configuration? A job whose deadline came before it could begin has no time. */
/* A script may go on, and end well, after what it runs was cancelled: then that was no run. Beside
 * a step that ended, as one that watches is cancelled, it was. */
static bool is_no_run(struct sacct_reader *r, enum slurm_state state)
{
	bool unfinished = state == SLURM_PENDING || state == SLURM_RUNNING;
	bool cancelled = state == SLURM_CANCELLED || state == SLURM_PREEMPTED ||
			 (state == SLURM_TIMEOUT && elapsed_s(r) <= 0) ||
			 (state == SLURM_COMPLETED && !*r->failed_state && r->has_cancelled_step &&
			  !r->has_ended_step);

	r->n_unfinished += unfinished;
	r->n_cancelled += cancelled;
	return unfinished || cancelled;
}

static enum err_code end_job(struct sacct_reader *r, struct err *e)
{
	enum slurm_state state;

	if (!r->has_job)
		return ERR_OK;
	r->has_job = false;
	state = state_of(r, &r->job);
	if (is_no_run(r, state))
		return ERR_OK;
	for (size_t i = 0; i < r->header.n; i++) {
		if (!is_second(r, i))
			foreign_table_put(r->out, r->header.field[i], r->job.field[i]);
	}
	if (state == SLURM_COMPLETED && *r->failed_state) {
		r->n_step_failed++;
		foreign_table_put(r->out, r->header.field[r->at[STATE]], r->failed_state);
	}
	if (!*value(r, &r->job, N_TASKS) && !isnan(r->n_tasks))
		foreign_table_put_number(r->out, "NTasks", r->n_tasks);
	if (state == SLURM_TIMEOUT)
		put_limit_as_time(r);
	put_wait(r);
	put_memory(r);
	return foreign_table_end_row(r->out, r->job.line, e);
}

static void begin_job(struct sacct_reader *r)
{
	struct sacct_row row = r->job;

	r->job = r->step; /* the line was split there: the two change places */
	r->step = row;
	r->has_job = true;
	r->max_rss_bytes = r->n_tasks = (double)NAN;
	r->failed_state[0] = '\0';
	r->has_ended_step = r->has_cancelled_step = false;
}

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
		       const struct sacct_row *job)
{
	const char *id = id_of(r, step), *job_id = id_of(r, job);
	size_t n = strcspn(id, ".");

	return strlen(job_id) == n && strncmp(id, job_id, n) == 0;
}

static enum err_code refuse_width(struct sacct_reader *r, const struct foreign_line *line,
				  struct err *e)
{
	char reason[160];

	snprintf(
		reason, sizeof reason,
		"%zu fields where the header has %zu: was the file cut off, or has a field a '%c'?",
		r->step.n, r->header.n, r->delimiter);
	return foreign_table_refuse_row(r->out, line->number,
					"another number of fields than the header", reason,
					line->text, e);
}

static enum err_code take_line(struct sacct_reader *r, const struct foreign_line *line,
			       struct err *e)
{
	const char *suffix;
	enum err_code rc;

	if (line->text[strspn(line->text, " \t")] == '\0')
		return ERR_OK;
	if ((rc = split(r, line, &r->step, e)))
		return rc;
	if (r->trailing && r->step.n == r->header.n + 1 && !*r->step.field[r->header.n])
		r->step.n--;
	if (r->step.n != r->header.n) {
		rc = end_job(r, e);
		return rc ? rc : refuse_width(r, line, e);
	}
	suffix = step_suffix(r, &r->step);
	if (!suffix) {
		rc = end_job(r, e);
		begin_job(r);
	} else if (r->has_job && is_step_of(r, &r->step, &r->job)) {
		take_step(r, &r->step, suffix);
	} else {
		r->n_orphans++;
	}
	return rc;
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

/* Nothing but fields of sacct, State among them, separated by bars. */
static bool sacct_recognise(const char *head, size_t n, bool whole)
{
	size_t len = strcspn(head, "\r\n"), n_fields = 0;
	bool has_state = false;
	const char *p = head;

	(void)whole;
	if (len == n && !whole)
		return false;
	for (;;) {
		size_t left = len - (size_t)(p - head);
		const char *bar = memchr(p, '|', left);
		size_t width = bar ? (size_t)(bar - p) : left;

		if (!bar && width == 0 && n_fields > 0)
			break; /* --parsable: one bar behind the last */
		if (!is_known(p, width))
			return false;
		has_state |= width == 5 && strncasecmp(p, "State", 5) == 0;
		n_fields++;
		if (!bar)
			break;
		p = bar + 1;
	}
	return has_state && n_fields > 1;
}

static enum err_code find_fields(struct sacct_reader *r, struct err *e)
{
	for (size_t f = 0; f < N_FIELDS; f++) {
		r->at[f] = SIZE_MAX;
		for (size_t i = 0; i < r->header.n; i++) {
			if (strcasecmp(r->header.field[i], field_name[f]) == 0)
				r->at[f] = i;
		}
	}
	for (size_t i = 0; i < r->header.n; i++) {
		for (size_t k = 0; k < i; k++) {
			if (strcasecmp(r->header.field[i], r->header.field[k]) == 0)
				return foreign_input_fault(r->in, r->header.line, e,
							   "two fields are called '%.60s'",
							   r->header.field[i]);
		}
	}
	if (r->at[STATE] == SIZE_MAX ||
	    (r->at[ELAPSED] == SIZE_MAX && r->at[ELAPSED_RAW] == SIZE_MAX))
		return foreign_input_fault(
			r->in, r->header.line, e,
			"without %s nothing is known of a run: sacct --parsable2 "
			"-o JobID,JobName,State,Elapsed,Timelimit,NNodes,NTasks,Submit,Start",
			r->at[STATE] == SIZE_MAX ? "State" : "Elapsed");
	if (!has_id(r) && !has_job_field(r))
		return foreign_input_fault(
			r->in, r->header.line, e,
			"without JobID rows of steps look like those of jobs: sacct --parsable2 "
			"-o JobID,JobName,State,Elapsed,Timelimit,NNodes,NTasks,Submit,Start");
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
	/* --delimiter */
	r->delimiter = strchr(line.text, '|') ? '|' : strchr(line.text, ',') ? ',' : '\t';
	if ((rc = split(r, &line, &r->header, e)))
		return rc;
	r->trailing = r->header.n > 1 && !*r->header.field[r->header.n - 1];
	r->header.n -= r->trailing;
	foreign_table_set_header_line(r->out, line.number);
	if (r->header.n == SACCT_FIELDS_MAX)
		return foreign_input_fault(r->in, line.number, e, "%d fields or more",
					   SACCT_FIELDS_MAX);
	return find_fields(r, e);
}

/* The columns in the order of sacct, those that are worked out behind them. */
static void make_columns(struct sacct_reader *r)
{
	for (size_t i = 0; i < r->header.n; i++) {
		if (!is_second(r, i))
			foreign_table_column(r->out, r->header.field[i]);
	}
}

static void put_notes(const struct sacct_reader *r)
{
	foreign_table_note_count(r->out, "rows of steps folded into their jobs", r->n_steps);
	foreign_table_note_count(r->out, "rows of steps without their jobs passed over",
				 r->n_orphans);
	foreign_table_note_count(r->out, "jobs that have not ended passed over", r->n_unfinished);
	foreign_table_note_count(r->out, "jobs that were cancelled or preempted passed over",
				 r->n_cancelled);
	foreign_table_note_count(
		r->out, "completed jobs with a step that failed or met a limit, taken as such",
		r->n_step_failed);
}

static enum err_code read_all(struct sacct_reader *r, struct err *e)
{
	struct foreign_line line;
	enum err_code rc = read_header(r, e);

	if (rc)
		return rc;
	make_columns(r);
	while (!(rc = foreign_input_line(r->in, &line, e)) && line.text) {
		if ((rc = take_line(r, &line, e)))
			return rc;
	}
	if (!rc && !(rc = end_job(r, e)))
		put_notes(r);
	return rc;
}

static enum err_code sacct_read(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct sacct_reader *r = calloc(1, sizeof *r);
	enum err_code rc;

	if (!r)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(in));
	r->in = in;
	r->out = out;
	rc = read_all(r, e);
	strbuf_release(&r->header.text);
	strbuf_release(&r->job.text);
	strbuf_release(&r->step.text);
	free(r);
	return rc;
}

const struct foreign_format format_sacct = {
	.name = "sacct",
	.title = "accounting of Slurm (sacct --parsable2)",
	.recognise = sacct_recognise,
	.read = sacct_read,
};
