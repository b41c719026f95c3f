#include "acquire/slurm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acquire/launch.h"
#include "acquire/work_folder.h"
#include "base/strbuf.h"
#include "base/units.h"

/* Slurm's own clients give up after some 100 s (MessageTimeout, tried several times). */
#define SBATCH_LIMIT_S 300
#define ASK_LIMIT_S 120
/* Jobs of one command line: far below what a kernel takes, and below what slurmdbd is slow at. */
#define JOBS_A_QUESTION 256
/* Clocks of login node and controller may differ by so much. */
#define CLOCK_SKEW_S 600
#define MAX_ANSWER_BYTES ((size_t)64 << 20)
/* The end of it: banners of a site come first. */
#define MAX_WORDS_BYTES 400

/* ---- a command of Slurm ---- */

struct slurm_command {
	const char *const *argv;
	const char *folder;
	double limit_s;
	const struct progress *progress;
	struct launch_end end;
	struct strbuf out;   /* what it wrote */
	struct strbuf words; /* the end of what it wrote to stderr, as one line */
};

static void command_release(struct slurm_command *c)
{
	strbuf_release(&c->out);
	strbuf_release(&c->words);
}

/* Lines are parted by " / ", blank ones left out. */
static void put_words(struct strbuf *out, const struct strbuf *lines)
{
	const char *p = strbuf_text(lines);

	while (*p) {
		size_t length = strcspn(p, "\r\n");

		if (length > strspn(p, " \t")) {
			strbuf_puts(out, out->len > 0 ? " / " : "");
			strbuf_add(out, p, length);
		}
		p += length + strspn(p + length, "\r\n");
	}
}

static void say_end(struct slurm_command *c, const char *name)
{
	if (c->end.timed_out)
		strbuf_printf(&c->words, "%s was stopped after %g s", name, c->limit_s);
	else if (c->end.signal)
		strbuf_printf(&c->words, "%s was ended by signal %d", name, c->end.signal);
	else
		strbuf_printf(&c->words, "%s ended with exit status %d and said nothing", name,
			      c->end.exit_status);
}

static bool ended_well(const struct slurm_command *c)
{
	return !c->end.timed_out && !c->end.signal && c->end.exit_status == 0;
}

/* Where it ended otherwise, words say how. Errors: NOTFOUND, IO (it cannot be started),
 * INTERRUPTED, NOMEM. */
static enum err_code command_run(struct slurm_command *c, const struct work_folder *w,
				 const char *name, struct err *e)
{
	struct strbuf out = STRBUF_INIT, err = STRBUF_INIT, lines = STRBUF_INIT;
	struct launch l = {.argv = c->argv,
			   .folder = c->folder,
			   .limit_s = c->limit_s,
			   .progress = c->progress};
	enum err_code rc;

	strbuf_printf(&out, "%s/out", strbuf_text(&w->path));
	strbuf_printf(&err, "%s/err", strbuf_text(&w->path));
	l.stdout_path = strbuf_text(&out);
	l.stderr_path = strbuf_text(&err);
	rc = out.failed || err.failed ? err_set(e, ERR_NOMEM, "the names of two files") : ERR_OK;
	if (rc || (rc = launch_run(&l, &c->end, e)) ||
	    (rc = work_folder_read(w, "out", MAX_ANSWER_BYTES, &c->out, e)) ||
	    (rc = work_folder_read(w, "err", MAX_WORDS_BYTES, &lines, e)))
		goto done;
	put_words(&c->words, &lines);
	if (!ended_well(c) && (c->words.len == 0 || c->end.timed_out))
		say_end(c, name);
	if (c->words.failed)
		rc = err_set(e, ERR_NOMEM, "what %s says", name);
done:
	strbuf_release(&out);
	strbuf_release(&err);
	strbuf_release(&lines);
	return rc;
}

/* A growing list of arguments; each is kept as a text of its own. */
struct slurm_arguments {
	char *text[64];
	const char *argv[65];
	size_t n;
	bool failed;
};

static void arguments_release(struct slurm_arguments *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->text[i]);
}

/* Takes over the text. */
static void add_text(struct slurm_arguments *a, struct strbuf *s)
{
	if (s->failed || a->n == sizeof a->text / sizeof a->text[0]) {
		a->failed = true;
		strbuf_release(s);
		return;
	}
	a->text[a->n] = s->buf;
	a->argv[a->n++] = s->buf;
	*s = STRBUF_INIT;
}

static void add(struct slurm_arguments *a, const char *option, const char *value)
{
	struct strbuf s = STRBUF_INIT;

	strbuf_printf(&s, "%s%s", option, value);
	add_text(a, &s);
}

static double read_whole(const char *text)
{
	int64_t n;

	return integer_parse(text, 0, INT64_MAX, &n, NULL) ? (double)NAN : (double)n;
}

/* ---- submitting ---- */

/* The line "123" or "123;cluster": a site's wrapper may print more. */
static bool read_job_id(const char *text, struct slurm_job *out)
{
	bool found = false;

	while (*text) {
		size_t length = strcspn(text, "\n"), digits = strspn(text, "0123456789");

		if (digits > 0 && digits < sizeof out->id &&
		    (digits == length ||
		     (text[digits] == ';' && length - digits - 1 < sizeof out->cluster))) {
			snprintf(out->id, sizeof out->id, "%.*s", (int)digits, text);
			snprintf(out->cluster, sizeof out->cluster, "%.*s",
				 digits == length ? 0 : (int)(length - digits - 1),
				 text + digits + (digits < length));
			found = true;
		}
		text += length + (text[length] == '\n');
	}
	return found;
}

/* sbatch heard no answer: the controller may have taken the job all the same. */
static bool lost_the_answer(const struct slurm_command *c)
{
	static const char *const sign[] = {"timed out", "Zero Bytes", "missing socket"};

	if (c->end.timed_out || c->end.signal)
		return true;
	for (size_t i = 0; i < sizeof sign / sizeof sign[0]; i++) {
		if (strstr(strbuf_text(&c->words), sign[i]))
			return true;
	}
	return false;
}

static enum err_code say_unclear(const struct slurm_batch *b, const char *words, struct err *e)
{
	return err_set(e, ERR_PARSE,
		       "it is not known whether the job was submitted (look for %s%s before it is "
		       "submitted again): %s",
		       b->name ? "the name " : "it by squeue", b->name ? b->name : "", words);
}

static enum err_code read_submitted(const struct slurm_batch *b, const struct slurm_command *c,
				    struct slurm_job *out, struct err *e)
{
	struct slurm_job job = {.state = SLURM_PENDING,
				.elapsed_s = (double)NAN,
				.limit_s = (double)NAN,
				.exit_status = -1,
				.signal = -1};

	if (ended_well(c) && read_job_id(strbuf_text(&c->out), &job)) {
		snprintf(job.name, sizeof job.name, "%s", b->name ? b->name : "");
		if (!job.cluster[0] && b->cluster)
			snprintf(job.cluster, sizeof job.cluster, "%s", b->cluster);
		*out = job;
		return ERR_OK;
	}
	if (ended_well(c))
		return say_unclear(b, "sbatch printed no number of a job", e);
	if (lost_the_answer(c))
		return say_unclear(b, strbuf_text(&c->words), e);
	return err_set(e, ERR_IO, "sbatch refused the job: %s", strbuf_text(&c->words));
}

/* Variables of sbatch(1) that would change what the script asks for: where the job writes, when and
 * how often it runs, on which processors, on which cluster it is looked for. The user's account,
 * partition, quality of service and what else a site wants stay. */
static void add_submit_environment(struct slurm_arguments *a)
{
	static const char *const unset[] = {"SBATCH_ARRAY_INX",	   "SBATCH_CLUSTERS",
					    "SBATCH_CORE_SPEC",	   "SBATCH_DISTRIBUTION",
					    "SBATCH_ERROR",	   "SBATCH_EXPORT",
					    "SBATCH_GET_USER_ENV", "SBATCH_HINT",
					    "SBATCH_INPUT",	   "SBATCH_JOB_NAME",
					    "SBATCH_NO_KILL",	   "SBATCH_NO_REQUEUE",
					    "SBATCH_OPEN_MODE",	   "SBATCH_OUTPUT",
					    "SBATCH_OVERCOMMIT",   "SBATCH_REQUEUE",
					    "SBATCH_SIGNAL",	   "SBATCH_SPREAD_JOB",
					    "SBATCH_THREAD_SPEC",  "SBATCH_THREADS_PER_CORE",
					    "SBATCH_TIMELIMIT",	   "SBATCH_USE_MIN_NODES",
					    "SBATCH_WAIT"};

	add(a, "env", "");
	for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++)
		add(a, "-u", unset[i]);
}

static enum err_code submit_from(const struct slurm_batch *b, const struct work_folder *w,
				 struct slurm_job *out, struct err *e)
{
	struct slurm_command c = {
		.folder = b->folder, .limit_s = SBATCH_LIMIT_S, .progress = b->progress};
	struct slurm_arguments a = {0};
	enum err_code rc;

	add_submit_environment(&a);
	add(&a, "sbatch", "");
	add(&a, "--parsable", "");
	if (b->name)
		add(&a, "--job-name=", b->name);
	if (b->cluster)
		add(&a, "--clusters=", b->cluster);
	for (size_t i = 0; i < b->n_option; i++)
		add(&a, b->option[i], "");
	add(&a, strbuf_text(&w->path), "/job.sh");
	c.argv = a.argv;
	rc = a.failed ? err_set(e, ERR_NOMEM, "a job to submit")
		      : work_folder_write(w, "job.sh", b->script, e);
	if (!rc && !(rc = command_run(&c, w, "sbatch", e)))
		rc = read_submitted(b, &c, out, e);
	arguments_release(&a);
	command_release(&c);
	return rc;
}

/* ---- what partitions give ---- */

/* The default partition has a '*' behind its name: "short*|1:00:00|1-4". */
#define SINFO_FIELDS "%P|%l|%s"

struct partition_limits {
	char name[SLURM_NAME_SIZE];
	double limit_min; /* INFINITY: none */
	double nodes;	  /* of one job; INFINITY: any */
};

/* "1-00:00:00", "30:00", "infinite", "n/a". */
static double read_limit_min(const char *text)
{
	double s = slurm_duration_s(text);

	return isnan(s) ? INFINITY : s / 60;
}

/* "1-infinite", "1-4", "4". */
static double read_most_nodes(const char *text)
{
	const char *most = strchr(text, '-');
	double n = read_whole(most ? most + 1 : text);

	return isnan(n) ? INFINITY : n;
}

/* Cuts the line. false: it is none of a partition. */
static bool read_partition(char *line, struct partition_limits *out, bool *is_default)
{
	char *limit = strchr(line, '|'), *nodes = limit ? strchr(limit + 1, '|') : NULL;
	size_t n;

	if (!nodes)
		return false;
	*limit++ = *nodes++ = '\0';
	n = strlen(line);
	*is_default = n > 0 && line[n - 1] == '*';
	snprintf(out->name, sizeof out->name, "%.*s", (int)(n - *is_default), line);
	out->limit_min = read_limit_min(limit);
	out->nodes = read_most_nodes(nodes);
	return true;
}

static bool is_one_of(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (; *list; list += strcspn(list, ",") + (list[strcspn(list, ",")] == ',')) {
		if (strcspn(list, ",") == n && strncmp(list, name, n) == 0)
			return true;
	}
	return false;
}

static enum err_code say_too_much(const struct slurm_batch *b, const struct partition_limits *p,
				  struct err *e)
{
	if (b->limit_min > p->limit_min)
		return err_set(e, ERR_ARG,
			       "the job asks for %.0f min, and Slurm's partition %s gives a job at "
			       "most %.0f min: there it would wait for ever",
			       b->limit_min, p->name, p->limit_min);
	return err_set(e, ERR_ARG,
		       "the job asks for %.0f nodes, and Slurm's partition %s gives a job at most "
		       "%.0f: there it would wait for ever",
		       b->nodes, p->name, p->nodes);
}

/* Unless the site checks when jobs are submitted (EnforcePartLimits), sbatch takes what no
 * partition will ever run. One that gives enough will do. */
static enum err_code hold_against(const struct slurm_batch *b, char *lines, struct err *e)
{
	enum err_code rc = ERR_OK;
	struct err too_much = {0};

	for (char *line = lines, *next; line && *line; line = next) {
		struct partition_limits p;
		bool is_default;

		if ((next = strchr(line, '\n')))
			*next++ = '\0';
		if (!read_partition(line, &p, &is_default) ||
		    !(b->partition ? is_one_of(b->partition, p.name) : is_default))
			continue;
		if (b->limit_min <= p.limit_min && b->nodes <= p.nodes)
			return ERR_OK;
		rc = say_too_much(b, &p, &too_much);
	}
	return rc ? err_set(e, rc, "%s", too_much.msg) : ERR_OK;
}

/* Where sinfo does not tell, sbatch has the last word alone. */
static enum err_code check_limits(const struct slurm_batch *b, const struct work_folder *w,
				  struct err *e)
{
	struct slurm_command c = {.limit_s = ASK_LIMIT_S, .progress = b->progress};
	struct slurm_arguments a = {0};
	enum err_code rc;

	if (!launch_can_find("sinfo"))
		return ERR_OK;
	add(&a, "env", "");
	add(&a, "-u", "SINFO_PARTITION");
	add(&a, "sinfo", "");
	add(&a, "--noheader", "");
	add(&a, "--format=", SINFO_FIELDS);
	if (b->cluster)
		add(&a, "--clusters=", b->cluster);
	c.argv = a.argv;
	rc = a.failed ? err_set(e, ERR_NOMEM, "a question to Slurm")
		      : command_run(&c, w, "sinfo", e);
	if (!rc && ended_well(&c) && c.out.len > 0)
		rc = hold_against(b, c.out.buf, e);
	arguments_release(&a);
	command_release(&c);
	return rc;
}

enum err_code slurm_submit(const struct slurm_batch *b, struct slurm_job *out, struct err *e)
{
	struct work_folder w = {0};
	enum err_code rc;

	if (!launch_can_find("sbatch"))
		return err_set(e, ERR_NOTFOUND,
			       "there is no sbatch in PATH: Slurm is not installed here, or its "
			       "module not loaded");
	if (!(rc = work_folder_open(NULL, &w, e)) && !(rc = check_limits(b, &w, e)))
		rc = submit_from(b, &w, out, e);
	work_folder_close(&w);
	return rc;
}

/* ---- what sacct and squeue print ---- */

/* Fields without '|' first: a job's name is the rest of the line. */
#define SACCT_FIELDS \
	"JobID,State,ElapsedRaw,TimelimitRaw,Submit,Start,End,NNodes,ExitCode,Cluster,JobName"
#define SQUEUE_FIELDS "%i|%T|%M|%l|%V|%S|%e|%D|||%j"
enum {
	FIELD_ID,
	FIELD_STATE,
	FIELD_ELAPSED,
	FIELD_LIMIT,
	FIELD_SUBMIT,
	FIELD_START,
	FIELD_END,
	FIELD_NODES,
	FIELD_EXIT,
	FIELD_CLUSTER, /* sacct only */
	FIELD_NAME,
	N_FIELDS
};

struct table_line {
	char *text;
	const char *field[N_FIELDS]; /* "" where squeue has none */
};

/* Seconds since 1970, as SLURM_TIME_FORMAT=%s makes them. "Unknown", "None", "N/A": 0. */
static int64_t read_point(const char *text)
{
	int64_t s;

	return integer_parse(text, 0, INT64_MAX, &s, NULL) ? 0 : s;
}

/* "0:15": exit status and signal. */
static void read_exit(const char *text, struct slurm_job *job)
{
	int status, signal, end = -1;

	if (sscanf(text, "%9d:%9d%n", &status, &signal, &end) == 2 && end >= 0 && !text[end] &&
	    status >= 0 && signal >= 0) {
		job->exit_status = status;
		job->signal = signal;
	}
}

static void read_answer(const struct table_line *l, bool from_queue, struct slurm_job *job)
{
	const char *const *f = l->field;
	bool waits;
	double nodes;

	job->state = slurm_state_read(f[FIELD_STATE]);
	job->from_queue = from_queue;
	waits = job->state == SLURM_PENDING;
	snprintf(job->words, sizeof job->words, "%s", f[FIELD_STATE]);
	snprintf(job->ran_on, sizeof job->ran_on, "%s", f[FIELD_CLUSTER]);
	if (from_queue) {
		job->elapsed_s = slurm_duration_s(f[FIELD_ELAPSED]);
		job->limit_s = slurm_duration_s(f[FIELD_LIMIT]);
	} else {
		job->elapsed_s = read_whole(f[FIELD_ELAPSED]);
		job->limit_s = 60 * read_whole(f[FIELD_LIMIT]);
	}
	job->submit_s = read_point(f[FIELD_SUBMIT]);
	/* What squeue says of a job that waits or runs is when it may begin and will have to end.
	 */
	job->start_s = waits ? 0 : read_point(f[FIELD_START]);
	job->end_s = slurm_state_is_final(job->state) ? read_point(f[FIELD_END]) : 0;
	nodes = read_whole(f[FIELD_NODES]);
	job->nodes = isnan(nodes) ? 0 : (int64_t)nodes;
	job->exit_status = job->signal = -1;
	if (slurm_state_is_final(job->state))
		read_exit(f[FIELD_EXIT], job);
}

/* ---- which line is about which job ---- */

struct slurm_question {
	struct slurm_job *job; /* those that are asked about now, of one cluster */
	bool *found;
	size_t n;
	bool by_name;
};

static bool is_name_of(const struct slurm_job *job, const struct table_line *l)
{
	const char *name = l->field[FIELD_NAME];
	size_t n = strlen(job->name);

	return n == 0 || strcmp(job->name, name) == 0 ||
	       (job->name[n - 1] == '-' && strncmp(job->name, name, n) == 0);
}

/* A line of the job itself. */
static bool is_own_line(const struct slurm_question *q, const struct slurm_job *job, const char *id)
{
	int64_t task;

	if (!q->by_name)
		return strcmp(job->id, id) == 0;
	id += strcspn(id, "_");
	return job->task == 0 ||
	       (*id && !integer_parse(id + 1, 1, INT64_MAX, &task, NULL) && task == job->task);
}

/* "123_[5-9%2]" speaks for 123_7. */
static bool is_array_of(const struct slurm_question *q, const struct slurm_job *job, const char *id)
{
	size_t length = strcspn(id, "_");

	if (id[length] != '_' || id[length + 1] != '[')
		return false;
	return q->by_name ? job->task > 0
			  : strncmp(id, job->id, length) == 0 && job->id[length] == '_';
}

static void take_id(struct slurm_job *job, const char *id)
{
	if (job->task > 0)
		snprintf(job->id, sizeof job->id, "%.*s_%" PRId64, (int)strcspn(id, "_"), id,
			 job->task);
	else
		snprintf(job->id, sizeof job->id, "%s", id);
}

/* A requeued job may have several lines; the one submitted last counts. */
static void take_line(struct slurm_question *q, const struct table_line *l, bool from_queue)
{
	const char *id = l->field[FIELD_ID];
	int64_t submit_s = read_point(l->field[FIELD_SUBMIT]);

	for (size_t i = 0; i < q->n; i++) {
		struct slurm_job *job = &q->job[i];

		if (!is_name_of(job, l) ||
		    (!is_own_line(q, job, id) && (q->found[i] || !is_array_of(q, job, id))))
			continue;
		if (q->by_name && submit_s < job->since_s - CLOCK_SKEW_S)
			continue;
		if (q->found[i] && submit_s < job->submit_s)
			continue;
		read_answer(l, from_queue, job);
		q->found[i] = true;
		if (q->by_name)
			take_id(job, id);
	}
}

/* Of a step. Where the kernel ended only a step of it, the job has just failed. */
static void take_step(struct slurm_question *q, const struct table_line *l, size_t id_length)
{
	if (slurm_state_read(l->field[FIELD_STATE]) != SLURM_OUT_OF_MEMORY)
		return;
	for (size_t i = 0; i < q->n; i++) {
		struct slurm_job *job = &q->job[i];

		if (q->found[i] && job->state == SLURM_FAILED && strlen(job->id) == id_length &&
		    strncmp(job->id, l->field[FIELD_ID], id_length) == 0)
			job->state = SLURM_OUT_OF_MEMORY;
	}
}

/* The line's text is cut into its fields. */
static bool split_line(struct table_line *l)
{
	char *p = l->text;

	for (size_t i = 0; i < N_FIELDS; i++) {
		l->field[i] = p;
		if (i == N_FIELDS - 1)
			break;
		p = strchr(p, '|');
		if (!p)
			return false;
		*p++ = '\0';
	}
	return true;
}

static enum err_code read_lines(struct slurm_question *q, struct strbuf *out, bool from_queue,
				const char *name, struct err *e)
{
	char *next = out->buf, *end;
	size_t number = 0;

	for (; next && *next; next = end + 1) {
		struct table_line l = {.text = next};
		size_t id_length;

		number++;
		end = strchr(next, '\n');
		if (!end)
			return err_set(e, ERR_PARSE,
				       "line %zu of what %s says is cut short: %.200s", number,
				       name, next);
		*end = '\0';
		/* squeue puts the cluster above, where one was named. */
		if (end == next || strncmp(next, "CLUSTER: ", strlen("CLUSTER: ")) == 0)
			continue;
		if (!split_line(&l))
			return err_set(e, ERR_PARSE,
				       "line %zu of what %s says has not the %d fields that were "
				       "asked for: %.200s",
				       number, name, (int)N_FIELDS, l.text);
		id_length = strcspn(l.field[FIELD_ID], ".");
		if (l.field[FIELD_ID][id_length])
			take_step(q, &l, id_length);
		else
			take_line(q, &l, from_queue);
	}
	return ERR_OK;
}

/* ---- asking ---- */

/* The ids (or names) of those not found yet: "123,124_1". */
static void put_list(struct strbuf *s, const struct slurm_question *q)
{
	const char *separator = "";

	for (size_t i = 0; i < q->n; i++) {
		/* tasks of an array have one name */
		if (q->found[i] ||
		    (q->by_name && i > 0 && strcmp(q->job[i].name, q->job[i - 1].name) == 0 &&
		     !q->found[i - 1]))
			continue;
		strbuf_printf(s, "%s%s", separator, q->by_name ? q->job[i].name : q->job[i].id);
		separator = ",";
	}
}

/* A day before the first of them, as sacct reads it. Names are looked for from midnight on unless
 * it is told otherwise. */
static void add_since(struct slurm_arguments *a, const struct slurm_question *q)
{
	int64_t since_s = INT64_MAX;
	struct tm day;
	time_t t;
	char text[32] = "";

	for (size_t i = 0; i < q->n; i++)
		since_s = q->job[i].since_s < since_s ? q->job[i].since_s : since_s;
	t = (time_t)(since_s > 86400 ? since_s - 86400 : 0);
	if (localtime_r(&t, &day))
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &day);
	add(a, "--starttime=", text);
}

/* What people set for themselves (TIME_FORMAT=relative, only their own partition) is not for us. */
static void add_environment(struct slurm_arguments *a)
{
	static const char *const unset[] = {"SQUEUE_ACCOUNT",	"SQUEUE_LICENSES", "SQUEUE_NAMES",
					    "SQUEUE_PARTITION", "SQUEUE_QOS",	   "SQUEUE_USERS"};

	add(a, "env", "");
	for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++)
		add(a, "-u", unset[i]);
	add(a, "SLURM_TIME_FORMAT=%s", "");
}

static void add_question(struct slurm_arguments *a, const struct slurm_question *q, bool queue)
{
	struct strbuf list = STRBUF_INIT;
	const char *cluster = q->job[0].cluster;

	strbuf_puts(&list, q->by_name ? "--name=" : "--jobs=");
	put_list(&list, q);
	add_environment(a);
	if (queue) {
		add(a, "squeue", "");
		add(a, "--noheader", "");
		add(a, "--array", "");
		add(a, "--states=all", "");
		add(a, "--format=", SQUEUE_FIELDS);
	} else {
		add(a, "sacct", "");
		add(a, "--noheader", "");
		add(a, "--parsable2", "");
		add(a, "--format=", SACCT_FIELDS);
		if (q->by_name)
			add_since(a, q);
	}
	if (cluster[0])
		add(a, "--clusters=", cluster);
	add_text(a, &list);
}

/* Ask one of the two about those not found yet. *answered: it did; else why has its words. Errors:
 * those of slurm_ask(). */
static enum err_code ask_one(struct slurm_question *q, bool queue, const struct work_folder *w,
			     const struct progress *progress, bool *answered, struct strbuf *why,
			     struct err *e)
{
	const char *name = queue ? "squeue" : "sacct";
	struct slurm_command c = {.limit_s = ASK_LIMIT_S, .progress = progress};
	struct slurm_arguments a = {0};
	enum err_code rc = ERR_OK;

	*answered = false;
	if (!launch_can_find(name)) {
		strbuf_printf(why, "%sthere is no %s in PATH", why->len > 0 ? "; " : "", name);
		return ERR_OK;
	}
	add_question(&a, q, queue);
	c.argv = a.argv;
	if (a.failed)
		rc = err_set(e, ERR_NOMEM, "a question to Slurm");
	if (rc || (rc = command_run(&c, w, name, e)))
		goto done;
	/* squeue's answer to a single number that is not in the queue (any more) */
	if (queue && strstr(strbuf_text(&c.words), "Invalid job id")) {
		*answered = true;
		goto done;
	}
	*answered = ended_well(&c) && (c.out.len > 0 || c.words.len == 0);
	if (*answered)
		rc = read_lines(q, &c.out, queue, name, e);
	else
		strbuf_printf(why, "%s%s", why->len > 0 ? "; " : "", strbuf_text(&c.words));
done:
	arguments_release(&a);
	command_release(&c);
	return rc;
}

static bool all_found(const struct slurm_question *q)
{
	for (size_t i = 0; i < q->n; i++) {
		if (!q->found[i])
			return false;
	}
	return true;
}

/* No accounting is a way to run a cluster; a database that is down will come back. */
static bool has_no_accounting(const struct strbuf *why)
{
	return strstr(strbuf_text(why), "accounting storage is disabled") ||
	       strstr(strbuf_text(why), "there is no sacct");
}

/* One batch of jobs of one cluster. */
static enum err_code ask_batch(struct slurm_question *q, const struct work_folder *w,
			       const struct progress *progress, struct slurm_reply *reply,
			       struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	bool accounted, queued = true, gone;
	enum err_code rc = ask_one(q, false, w, progress, &accounted, &why, e);

	gone = accounted || has_no_accounting(&why);
	if (!rc && !all_found(q))
		rc = ask_one(q, true, w, progress, &queued, &why, e);
	if (!rc && why.failed)
		rc = err_set(e, ERR_NOMEM, "what Slurm says");
	if (!rc && !accounted && !queued)
		rc = launch_can_find("sacct") || launch_can_find("squeue")
			     ? err_set(e, ERR_IO, "Slurm does not answer: %s", strbuf_text(&why))
			     : err_set(e, ERR_NOTFOUND,
				       "there is neither sacct nor squeue in PATH: Slurm is not "
				       "installed here, or its module not loaded");
	for (size_t i = 0; i < q->n && !rc; i++) {
		if (q->found[i])
			continue;
		q->job[i].state = gone && queued ? SLURM_GONE : SLURM_UNKNOWN;
		q->job[i].words[0] = '\0';
	}
	if (!rc) {
		reply->accounted &= accounted;
		reply->queued &= queued;
		if (!reply->why[0])
			snprintf(reply->why, sizeof reply->why, "%s", strbuf_text(&why));
	}
	strbuf_release(&why);
	return rc;
}

/* The next batch: of the jobs not asked about, those that one question can be about. */
static size_t gather_batch(const struct slurm_job *job, const bool *asked, size_t n, size_t *batch)
{
	size_t n_batch = 0;

	for (size_t i = 0; i < n && n_batch < JOBS_A_QUESTION; i++) {
		const struct slurm_job *first = n_batch > 0 ? &job[batch[0]] : &job[i];

		if (!asked[i] && strcmp(job[i].cluster, first->cluster) == 0 &&
		    !job[i].id[0] == !first->id[0])
			batch[n_batch++] = i;
	}
	return n_batch;
}

static enum err_code ask_all(struct slurm_job *job, bool *asked, size_t n,
			     const struct progress *progress, struct slurm_reply *reply,
			     struct err *e)
{
	size_t batch[JOBS_A_QUESTION], n_batch;
	struct slurm_job *part = calloc(JOBS_A_QUESTION, sizeof *part);
	struct work_folder w = {0};
	enum err_code rc =
		part ? work_folder_open(NULL, &w, e) : err_set(e, ERR_NOMEM, "%zu jobs", n);

	while (!rc && (n_batch = gather_batch(job, asked, n, batch)) > 0) {
		bool found[JOBS_A_QUESTION] = {false};
		struct slurm_question q = {part, found, n_batch, !job[batch[0]].id[0]};

		for (size_t i = 0; i < n_batch; i++)
			part[i] = job[batch[i]];
		rc = ask_batch(&q, &w, progress, reply, e);
		for (size_t i = 0; i < n_batch && !rc; i++) {
			job[batch[i]] = part[i];
			asked[batch[i]] = true;
		}
	}
	work_folder_close(&w);
	free(part);
	return rc;
}

enum err_code slurm_ask(struct slurm_job *jobs, size_t n, const struct progress *progress,
			struct slurm_reply *out, struct err *e)
{
	struct slurm_reply reply = {.accounted = true, .queued = true};
	struct slurm_job *copy = calloc(n + 1, sizeof *copy);
	bool *asked = calloc(n + 1, sizeof *asked);
	enum err_code rc = ERR_OK;

	if (!copy || !asked) {
		rc = err_set(e, ERR_NOMEM, "%zu jobs", n);
		goto done;
	}
	if (n > 0) {
		memcpy(copy, jobs, n * sizeof *copy);
		rc = ask_all(copy, asked, n, progress, &reply, e);
	}
	if (!rc) {
		if (n > 0)
			memcpy(jobs, copy, n * sizeof *copy);
		*out = reply;
	}
done:
	free(copy);
	free(asked);
	return rc;
}

/* ---- cancelling ---- */

static enum err_code cancel_from(const struct slurm_job *job, const struct work_folder *w,
				 const struct progress *progress, struct err *e)
{
	struct slurm_command c = {.limit_s = ASK_LIMIT_S, .progress = progress};
	struct slurm_arguments a = {0};
	enum err_code rc;

	add(&a, "scancel", "");
	if (job->cluster[0])
		add(&a, "--clusters=", job->cluster);
	add(&a, job->id, "");
	c.argv = a.argv;
	rc = a.failed ? err_set(e, ERR_NOMEM, "a job to cancel") : command_run(&c, w, "scancel", e);
	if (!rc && !ended_well(&c) && !strstr(strbuf_text(&c.words), "already complet"))
		rc = err_set(e, ERR_IO, "job %s was not cancelled: %s", job->id,
			     strbuf_text(&c.words));
	arguments_release(&a);
	command_release(&c);
	return rc;
}

enum err_code slurm_cancel(const struct slurm_job *job, const struct progress *progress,
			   struct err *e)
{
	struct work_folder w = {0};
	enum err_code rc;

	if (!launch_can_find("scancel"))
		return err_set(e, ERR_NOTFOUND, "there is no scancel in PATH");
	if (!(rc = work_folder_open(NULL, &w, e)))
		rc = cancel_from(job, &w, progress, e);
	work_folder_close(&w);
	return rc;
}
