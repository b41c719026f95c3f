#include "ingest/field_names.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "domain/slurm_words.h"
#include "ingest/cell_number.h"

struct word {
	const char *text;
	int meaning;
};
#define N_WORDS(list) (sizeof(list) / sizeof(list)[0])

static int meaning_of(const struct word *list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++) {
		if (strcasecmp(list[i].text, text) == 0)
			return list[i].meaning;
	}
	return -1;
}

const char *field_kind_name(enum field_kind kind)
{
	static const char *const name[FIELD_KIND_COUNT] = {
		[FIELD_COLUMN] = "",
		[FIELD_LOCAL] = "",
		[FIELD_PROCS] = "procs",
		[FIELD_PPN] = "ppn",
		[FIELD_TIME] = "wall_s",
		[FIELD_APP] = "app",
		[FIELD_MACHINE] = "machine",
		[FIELD_SOURCE] = "source",
		[FIELD_STATUS] = "status",
		[FIELD_EXIT] = "exit_code",
		[FIELD_LIMIT] = "limit_s",
		[FIELD_REPEAT] = "repeat",
		[FIELD_N_REPEATS] = "n_repeats",
		[FIELD_EXTRA] = "extra",
		[FIELD_DROP] = "drop",
	};

	assert(kind < FIELD_KIND_COUNT);
	return name[kind];
}

static const struct word field_word[] = {
	{"app", FIELD_APP},
	{"application", FIELD_APP},
	{"code", FIELD_APP},
	{"program", FIELD_APP},
	{"benchmark", FIELD_APP},
	{"machine", FIELD_MACHINE},
	{"system", FIELD_MACHINE},
	{"cluster", FIELD_MACHINE},
	{"platform", FIELD_MACHINE},
	{"source", FIELD_SOURCE},
	{"status", FIELD_STATUS},
	{"state", FIELD_STATUS},
	{"stat", FIELD_STATUS},
	{"job_state", FIELD_STATUS},
	{"jobstate", FIELD_STATUS},
	{"outcome", FIELD_STATUS},
	{"run_status", FIELD_STATUS},
	{"job_status", FIELD_STATUS},
	{"exitcode", FIELD_EXIT},
	{"exit_code", FIELD_EXIT},
	{"exit_status", FIELD_EXIT},
	{"exitstatus", FIELD_EXIT},
	{"return_code", FIELD_EXIT},
	{"returncode", FIELD_EXIT},
	{"retcode", FIELD_EXIT},
	{"rc", FIELD_EXIT},
	{"limit", FIELD_LIMIT},
	{"limit_s", FIELD_LIMIT},
	{"timelimit", FIELD_LIMIT},
	{"timelimitraw", FIELD_LIMIT},
	{"time_limit", FIELD_LIMIT},
	{"wall_limit", FIELD_LIMIT},
	{"walltime_limit", FIELD_LIMIT},
	{"requested_time", FIELD_LIMIT},
	{"requested_walltime", FIELD_LIMIT},
	{"resource_list.walltime", FIELD_LIMIT},
	{"runlimit", FIELD_LIMIT},
	{"repeat", FIELD_REPEAT},
	{"rep", FIELD_REPEAT},
	{"repetition", FIELD_REPEAT},
	{"trial", FIELD_REPEAT},
	{"n_repeats", FIELD_N_REPEATS},
	{"repeats", FIELD_N_REPEATS},
	{"reps", FIELD_N_REPEATS},
	{"n_runs", FIELD_N_REPEATS},
	{"n_samples", FIELD_N_REPEATS},
	{"samples", FIELD_N_REPEATS},
	{"count", FIELD_N_REPEATS},
	{"n", FIELD_N_REPEATS},
	{"procs", FIELD_PROCS},
	{"ntasks", FIELD_PROCS},
	{"ppn", FIELD_PPN},
	{"procs_per_node", FIELD_PPN},
	{"tasks_per_node", FIELD_PPN},
	{"ntasks_per_node", FIELD_PPN},
};

enum field_kind field_kind_of_header(const char *name)
{
	int kind = meaning_of(field_word, N_WORDS(field_word), name);

	return kind < 0 ? FIELD_KIND_COUNT : (enum field_kind)kind;
}

/* Blanks and hyphens are as good as low lines. */
static bool is_one_of(const char *const *word, const char *name)
{
	char plain[32];
	size_t n = strlen(name);

	if (n >= sizeof plain)
		return false;
	for (size_t i = 0; i <= n; i++)
		plain[i] = name[i] == ' ' || name[i] == '-' ? '_' : name[i];
	return text_list_has(word, plain);
}

bool field_is_host(const char *name)
{
	static const char *const word[] = {"host",	"hostname",  "host_name",
					   "hosts",	"nodelist",  "node_list",
					   "exec_host", "from_host", NULL};

	return is_one_of(word, name);
}

bool field_is_personal(const char *name)
{
	static const char *const word[] = {
		"user",	      "username", "user_name",	  "userid",	 "user_id",
		"uid",	      "owner",	  "login",	  "author",	 "email",
		"e_mail",     "mail",	  "account",	  "group_name",	 "ip",
		"ip_address", "command",  "command_line", "commandline", "cmd",
		"cmdline",    "cmd_line", "submitline",	  "submit_line", "argv",
		"cwd",	      "workdir",  "work_dir",	  "home",	 NULL};

	return field_is_host(name) || is_one_of(word, name);
}

bool field_is_circumstance(const char *name)
{
	static const char *const word[] = {
		"cache",       "cache_state",  "caches",  "warm",      "warmup",
		"cold",	       "start_kind",   "rep",	  "repeat",    "repetition",
		"trial",       "attempt",      "run",	  "first_run", "load",
		"system_load", "machine_load", "busy",	  "weekday",   "weekend",
		"time_of_day", "daytime",      "shift",	  "session",   "person",
		"who",	       "operator",     "comment", "note",      "remark",
		NULL};

	return is_one_of(word, name);
}

bool word_is_circumstance(const char *word)
{
	static const char *const words[] = {"cold",	  "warm",	"hot",	      "cold_start",
					    "warm_start", "cold_cache", "warm_cache", "warmed_up",
					    "warmup",	  "warm_up",	NULL};

	return is_one_of(words, word);
}

/* Words of PBS, LSF, Flux and people, and Slurm's short codes. A cancelled or preempted run says
 * nothing about how long it would have taken: failed. */
static const struct word status_word[] = {
	{"complete", RUN_OK},
	{"success", RUN_OK},
	{"succeeded", RUN_OK},
	{"successful", RUN_OK},
	{"done", RUN_OK},
	{"finished", RUN_OK},
	{"passed", RUN_OK},
	{"cd", RUN_OK},
	{"pass", RUN_OK},
	{"okay", RUN_OK},
	{"good", RUN_OK},
	{"fine", RUN_OK},
	{"normal", RUN_OK},
	{"converged", RUN_OK},
	{"correct", RUN_OK},
	{"valid", RUN_OK},
	{"verified", RUN_OK},
	{"nok", RUN_FAILED},
	{"ko", RUN_FAILED},
	{"bad", RUN_FAILED},
	{"broken", RUN_FAILED},
	{"dead", RUN_FAILED},
	{"wrong", RUN_FAILED},
	{"stalled", RUN_FAILED},
	{"terminated", RUN_FAILED},
	{"interrupted", RUN_FAILED},
	{"lost", RUN_FAILED},
	{"failure", RUN_FAILED},
	{"fail", RUN_FAILED},
	{"error", RUN_FAILED},
	{"err", RUN_FAILED},
	{"dnf", RUN_FAILED},
	{"memout", RUN_FAILED},
	{"mem_out", RUN_FAILED},
	{"mo", RUN_FAILED},
	{"t/o", RUN_TIMEOUT},
	{"tle", RUN_TIMEOUT},
	{"exit", RUN_FAILED},
	{"exited", RUN_FAILED},
	{"crash", RUN_FAILED},
	{"crashed", RUN_FAILED},
	{"aborted", RUN_FAILED},
	{"abort", RUN_FAILED},
	{"killed", RUN_FAILED},
	{"segfault", RUN_FAILED},
	{"node_failure", RUN_FAILED},
	{"nf", RUN_FAILED},
	{"bf", RUN_FAILED},
	{"oom", RUN_FAILED},
	{"oom_killed", RUN_FAILED},
	{"oomkilled", RUN_FAILED},
	{"canceled", RUN_FAILED},
	{"ca", RUN_FAILED},
	{"deleted", RUN_FAILED},
	{"removed", RUN_FAILED},
	{"pr", RUN_FAILED},
	{"rv", RUN_FAILED},
	{"term_memlimit", RUN_FAILED},
	{"term_owner", RUN_FAILED},
	{"term_admin", RUN_FAILED},
	{"term_preempt", RUN_FAILED},
	{"term_cpulimit", RUN_FAILED},
	{"term_swap", RUN_FAILED},
	{"term_external_signal", RUN_FAILED},
	{"time_out", RUN_TIMEOUT},
	{"timed_out", RUN_TIMEOUT},
	{"timedout", RUN_TIMEOUT},
	{"to", RUN_TIMEOUT},
	{"time_limit", RUN_TIMEOUT},
	{"timelimit", RUN_TIMEOUT},
	{"time_limit_exceeded", RUN_TIMEOUT},
	{"walltime_exceeded", RUN_TIMEOUT},
	{"dl", RUN_TIMEOUT},
	{"term_runlimit", RUN_TIMEOUT},
	{"term_deadline", RUN_TIMEOUT},
	{"censored", RUN_TIMEOUT},
	{"queued", STATUS_NOT_FINISHED},
	{"held", STATUS_NOT_FINISHED},
	{"run", STATUS_NOT_FINISHED},
	{"pend", STATUS_NOT_FINISHED},
	{"psusp", STATUS_NOT_FINISHED},
	{"ssusp", STATUS_NOT_FINISHED},
	{"ususp", STATUS_NOT_FINISHED},
	{"pd", STATUS_NOT_FINISHED},
	{"r", STATUS_NOT_FINISHED},
	{"q", STATUS_NOT_FINISHED},
	{"h", STATUS_NOT_FINISHED},
	{"f", STATUS_TWO_WAYS},
	{"c", STATUS_TWO_WAYS},
	{"e", STATUS_TWO_WAYS},
};

static int status_from_slurm(const char *words)
{
	switch (slurm_state_read(words)) {
	case SLURM_COMPLETED:
		return RUN_OK;
	case SLURM_FAILED:
	case SLURM_OUT_OF_MEMORY:
	case SLURM_CANCELLED:
	case SLURM_NODE_FAIL:
	case SLURM_PREEMPTED:
		return RUN_FAILED;
	case SLURM_TIMEOUT:
		return RUN_TIMEOUT;
	case SLURM_PENDING:
	case SLURM_RUNNING:
		return STATUS_NOT_FINISHED;
	case SLURM_UNKNOWN:
	case SLURM_GONE:
	case SLURM_N_STATES:
		break;
	}
	return STATUS_UNKNOWN;
}

/* Words that tell of a run that did not end well wherever they begin a word of a remark; a blank
 * behind one ends it. */
static const struct word remark_word[] = {
	{"segfault", RUN_FAILED},
	{"segmentation fault", RUN_FAILED},
	{"segv", RUN_FAILED},
	{"sigsegv", RUN_FAILED},
	{"sigkill", RUN_FAILED},
	{"sigabrt", RUN_FAILED},
	{"sigbus", RUN_FAILED},
	{"sigfpe", RUN_FAILED},
	{"sigterm", RUN_FAILED},
	{"bus error", RUN_FAILED},
	{"core dump", RUN_FAILED},
	{"oom", RUN_FAILED},
	{"out of memory", RUN_FAILED},
	{"crash", RUN_FAILED},
	{"fail", RUN_FAILED},
	{"abort", RUN_FAILED},
	{"mpi abort", RUN_FAILED},
	{"killed", RUN_FAILED},
	{"died ", RUN_FAILED},
	{"diverge", RUN_FAILED},
	{"blew up", RUN_FAILED},
	{"nan ", RUN_FAILED},
	{"nans ", RUN_FAILED},
	{"hung ", RUN_FAILED},
	{"deadlock", RUN_FAILED},
	{"dnf ", RUN_FAILED},
	{"did not finish", RUN_FAILED},
	{"did not complete", RUN_FAILED},
	{"not finished", RUN_FAILED},
	{"not converge", RUN_FAILED},
	{"no convergence", RUN_FAILED},
	{"unconverged", RUN_FAILED},
	{"incomplete", RUN_FAILED},
	{"invalid", RUN_FAILED},
	{"incorrect", RUN_FAILED},
	{"unsuccessful", RUN_FAILED},
	{"wrong result", RUN_FAILED},
	{"wrong answer", RUN_FAILED},
	{"cancelled", RUN_FAILED},
	{"canceled", RUN_FAILED},
	{"preempted", RUN_FAILED},
	{"error ", RUN_FAILED},
	{"errors ", RUN_FAILED},
	{"exception", RUN_FAILED},
	{"node failure", RUN_FAILED},
	{"timeout", RUN_TIMEOUT},
	{"timed out", RUN_TIMEOUT},
	{"time out", RUN_TIMEOUT},
	{"time limit", RUN_TIMEOUT},
	{"timelimit", RUN_TIMEOUT},
	{"walltime exceeded", RUN_TIMEOUT},
	{"exceeded walltime", RUN_TIMEOUT},
	{"walltime limit", RUN_TIMEOUT},
};

enum { REMARK_MAX = 400 }; /* characters of a remark that are looked at */

/* "Killed, by OOM!" becomes " killed by oom ". */
static void put_words(const char *text, char *out)
{
	size_t n = 0;

	out[n++] = ' ';
	for (; *text && n < REMARK_MAX - 2; text++) {
		char c = *text;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80)
			out[n++] = c;
		else if (c != '\'' && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	if (out[n - 1] != ' ')
		out[n++] = ' ';
	out[n] = '\0';
}

/* Is one of the two words before at a "no", or the one behind its word a "0" or "free"? at is the
 * blank before it. */
static bool is_denied(const char *words, const char *at)
{
	static const char *const before[] = {" no ",	" not ",   " without ", " never ",
					     " 0 ",	" zero ",  " none ",	" after ",
					     " fixed ", " didnt ", " before "};
	const char *from = at;
	const char *behind = strchr(at + 1, ' ');
	char near[REMARK_MAX];

	for (int n = 0; n < 2 && from > words; n++)
		for (from--; from > words && *from != ' ';)
			from--;
	memcpy(near, from, (size_t)(at + 1 - from));
	near[at + 1 - from] = '\0';
	for (size_t i = 0; i < N_WORDS(before); i++) {
		if (strstr(near, before[i]))
			return true;
	}
	return behind && (strncmp(behind, " 0 ", 3) == 0 || strncmp(behind, " free ", 6) == 0);
}

/* What free text says of the end of a run; STATUS_UNKNOWN: nothing. */
static int status_from_remark(const char *text)
{
	char words[REMARK_MAX];
	char stem[32] = " ";

	put_words(text, words);
	for (size_t i = 0; i < N_WORDS(remark_word); i++) {
		const char *at = words;

		strcpy(stem + 1, remark_word[i].text);
		while ((at = strstr(at, stem)) && is_denied(words, at))
			at++;
		if (at)
			return remark_word[i].meaning;
	}
	return STATUS_UNKNOWN;
}

int status_from_word(const char *word)
{
	char plain[32];
	size_t n = strlen(word);
	int status;

	for (int s = 0; s < RUN_STATUS_COUNT; s++) {
		if (strcasecmp(run_status_name((enum run_status)s), word) == 0)
			return s;
	}
	if ((status = status_from_slurm(word)) != STATUS_UNKNOWN || n >= sizeof plain)
		return status;
	for (size_t i = 0; i <= n; i++)
		plain[i] = word[i] == ' ' || word[i] == '-' ? '_' : word[i];
	for (size_t i = 0; i < N_WORDS(status_word); i++) {
		if (strcasecmp(status_word[i].text, plain) == 0)
			return status_word[i].meaning;
	}
	status = status_from_slurm(plain);
	return status != STATUS_UNKNOWN ? status : status_from_remark(word);
}

int status_from_time_cell(const char *text)
{
	const char *plain = text + (*text == '+');

	if (strcasecmp(plain, "inf") == 0 || strcasecmp(plain, "infinity") == 0 ||
	    strcmp(plain, "\xe2\x88\x9e") == 0)
		return RUN_TIMEOUT;
	/* One that finished would have its time. */
	if (strcasecmp(text, "f") == 0)
		return RUN_FAILED;
	return (*text >= '0' && *text <= '9') ? STATUS_UNKNOWN : status_from_word(text);
}

bool time_cell_is_missing(const char *text)
{
	static const char *const word[] = {"unknown", "missing", "not measured", "not run",
					   "skipped", "tbd",	 "todo",	 NULL};

	return text_list_has(word, text) || cell_is_missing(text);
}

int status_from_exit_code(const char *text)
{
	size_t n = strspn(text, "-0123456789");

	/* "-" is what LSF writes of jobs that are done */
	if (n == 0 || !strpbrk(text, "0123456789") || text[n + strspn(text + n, ":.0123456789")])
		return STATUS_UNKNOWN;
	if (strcmp(text, "-29") == 0) /* JOB_EXEC_KILL_WALLTIME of PBS Professional */
		return RUN_TIMEOUT;
	return text[strspn(text, "0:.")] ? RUN_FAILED : RUN_OK;
}

/* ---- columns beside the fields ---- */

/* "Is converged?" is converged. */
static void plain_header(const char *header, char *out, size_t size)
{
	static const char *const lead[] = {"is_", "has_", "run_", "job_", "was_"};
	size_t n = 0;

	for (; *header && n + 1 < size; header++) {
		char c = *header;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		out[n++] = c == ' ' || c == '-' ? '_' : c;
	}
	while (n > 0 && (out[n - 1] == '?' || out[n - 1] == '_'))
		n--;
	out[n] = '\0';
	for (size_t i = 0; i < N_WORDS(lead); i++) {
		if (strncmp(out, lead[i], strlen(lead[i])) == 0) {
			memmove(out, out + strlen(lead[i]), n + 1 - strlen(lead[i]));
			return;
		}
	}
}

static const struct word outcome_word[] = {
	{"result", OUTCOME_WORD},
	{"results", OUTCOME_WORD},
	{"verdict", OUTCOME_WORD},
	{"termination", OUTCOME_WORD},
	{"ending", OUTCOME_WORD},
	{"end_state", OUTCOME_WORD},
	{"final_state", OUTCOME_WORD},
	{"exit_reason", OUTCOME_BAD},
	{"status", OUTCOME_WORD},
	{"state", OUTCOME_WORD},
	{"outcome", OUTCOME_WORD},
	{"success", OUTCOME_GOOD},
	{"successful", OUTCOME_GOOD},
	{"succeeded", OUTCOME_GOOD},
	{"ok", OUTCOME_GOOD},
	{"passed", OUTCOME_GOOD},
	{"pass", OUTCOME_GOOD},
	{"converged", OUTCOME_GOOD},
	{"convergence", OUTCOME_GOOD},
	{"valid", OUTCOME_GOOD},
	{"correct", OUTCOME_GOOD},
	{"verified", OUTCOME_GOOD},
	{"verification", OUTCOME_GOOD},
	{"validation", OUTCOME_GOOD},
	{"check", OUTCOME_GOOD},
	{"completed", OUTCOME_GOOD},
	{"complete", OUTCOME_GOOD},
	{"finished", OUTCOME_GOOD},
	{"solved", OUTCOME_GOOD},
	{"failed", OUTCOME_BAD},
	{"failure", OUTCOME_BAD},
	{"fail", OUTCOME_BAD},
	{"crashed", OUTCOME_BAD},
	{"crash", OUTCOME_BAD},
	{"killed", OUTCOME_BAD},
	{"aborted", OUTCOME_BAD},
	{"oom", OUTCOME_BAD},
	{"segfault", OUTCOME_BAD},
	{"diverged", OUTCOME_BAD},
	{"hung", OUTCOME_BAD},
	{"invalid", OUTCOME_BAD},
	{"error", OUTCOME_BAD},
	{"errors", OUTCOME_BAD},
	{"n_errors", OUTCOME_BAD},
	{"err", OUTCOME_BAD},
	{"error_message", OUTCOME_BAD},
	{"exception", OUTCOME_BAD},
	{"signal", OUTCOME_BAD},
	{"core_dumped", OUTCOME_BAD},
	{"timed_out", OUTCOME_LATE},
	{"timedout", OUTCOME_LATE},
	{"timeout", OUTCOME_LATE},
	{"residual", OUTCOME_SIZE},
	{"residuals", OUTCOME_SIZE},
	{"residual_norm", OUTCOME_SIZE},
	{"final_residual", OUTCOME_SIZE},
	{"rnorm", OUTCOME_SIZE},
	{"loss", OUTCOME_SIZE},
	{"final_loss", OUTCOME_SIZE},
	{"energy", OUTCOME_SIZE},
	{"exit", OUTCOME_CODE},
	{"ret", OUTCOME_CODE},
	{"retval", OUTCOME_CODE},
	{"return", OUTCOME_CODE},
	{"return_value", OUTCOME_CODE},
	{"returned", OUTCOME_CODE},
	{"exit_value", OUTCOME_CODE},
	{"ierr", OUTCOME_CODE},
	{"errno", OUTCOME_CODE},
	{"error_code", OUTCOME_CODE},
	{"errorcode", OUTCOME_CODE},
	{"note", OUTCOME_REMARK},
	{"notes", OUTCOME_REMARK},
	{"comment", OUTCOME_REMARK},
	{"comments", OUTCOME_REMARK},
	{"remark", OUTCOME_REMARK},
	{"remarks", OUTCOME_REMARK},
	{"message", OUTCOME_REMARK},
	{"msg", OUTCOME_REMARK},
	{"info", OUTCOME_REMARK},
	{"log", OUTCOME_REMARK},
	{"reason", OUTCOME_REMARK},
	{"description", OUTCOME_REMARK},
	{"observation", OUTCOME_REMARK},
	{"observations", OUTCOME_REMARK},
	{"warning", OUTCOME_REMARK},
	{"warnings", OUTCOME_REMARK},
	{"issue", OUTCOME_REMARK},
	{"issues", OUTCOME_REMARK},
	{"details", OUTCOME_REMARK},
	{"memo", OUTCOME_REMARK},
	{"stderr", OUTCOME_REMARK},
};

enum outcome_reading outcome_of_header(const char *header)
{
	char plain[32];
	int reading;

	plain_header(header, plain, sizeof plain);
	if (field_kind_of_header(plain) == FIELD_EXIT)
		return OUTCOME_CODE;
	reading = meaning_of(outcome_word, N_WORDS(outcome_word), plain);
	return reading < 0 ? OUTCOME_NONE : (enum outcome_reading)reading;
}

/* 1: yes; 0: no; -1: neither. */
static int truth_of(const char *text)
{
	static const struct word truth[] = {{"yes", 1}, {"y", 1}, {"true", 1},	{"t", 1}, {"1", 1},
					    {"no", 0},	{"n", 0}, {"false", 0}, {"f", 0}, {"0", 0}};

	return meaning_of(truth, N_WORDS(truth), text);
}

int outcome_of_cell(enum outcome_reading reading, const char *text)
{
	bool measures =
		*text && strchr("+-.0123456789", *text) && text[strspn(text, "0123456789")] != '\0';
	int truth = truth_of(text);
	int status;

	if (reading == OUTCOME_SIZE)
		return strcasecmp(text + strspn(text, "+-"), "nan") == 0 ||
				       strncasecmp(text + strspn(text, "+-"), "inf", 3) == 0
			       ? RUN_FAILED
			       : RUN_OK;
	if (reading == OUTCOME_CODE && (status = status_from_exit_code(text)) != STATUS_UNKNOWN)
		return status;
	if ((reading == OUTCOME_BAD || reading == OUTCOME_LATE || reading == OUTCOME_REMARK) &&
	    cell_is_missing(text))
		return RUN_OK;
	status = reading == OUTCOME_REMARK ? status_from_remark(text) : status_from_word(text);
	if (reading == OUTCOME_REMARK)
		return status == STATUS_UNKNOWN ? RUN_OK : status;
	if (status != STATUS_UNKNOWN && truth < 0)
		return status;
	if (measures)
		return STATUS_MEASURE;
	switch (reading) {
	case OUTCOME_GOOD:
		return truth == 1 ? RUN_OK : truth == 0 ? RUN_FAILED : STATUS_UNKNOWN;
	case OUTCOME_LATE:
		return truth == 1 ? RUN_TIMEOUT : truth == 0 ? RUN_OK : STATUS_MEASURE;
	case OUTCOME_BAD: /* a count of errors, a message, the name of a signal */
		return truth == 0 || !text[strspn(text, "0")] ? RUN_OK : RUN_FAILED;
	default:
		return STATUS_UNKNOWN;
	}
}

int source_from_word(const char *word)
{
	static const struct word source[] = {
		{"measurement", SOURCE_MEASURED}, {"real", SOURCE_MEASURED},
		{"simulation", SOURCE_SIMULATED}, {"sim", SOURCE_SIMULATED},
		{"model", SOURCE_MODELLED},	  {"modeled", SOURCE_MODELLED},
	};

	for (int s = 0; s < SOURCE_COUNT; s++) {
		if (strcasecmp(run_source_name((enum run_source)s), word) == 0)
			return s;
	}
	return meaning_of(source, N_WORDS(source), word);
}
