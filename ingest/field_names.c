#include "ingest/field_names.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "domain/slurm_words.h"

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

enum field_kind field_kind_of_header(const char *name)
{
	static const struct word header[] = {
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
	int kind = meaning_of(header, N_WORDS(header), name);

	return kind < 0 ? FIELD_KIND_COUNT : (enum field_kind)kind;
}

bool field_is_personal(const char *name)
{
	static const struct word personal[] = {
		{"user", 1},	    {"username", 1},	{"user_name", 1}, {"userid", 1},
		{"user_id", 1},	    {"uid", 1},		{"owner", 1},	  {"login", 1},
		{"author", 1},	    {"email", 1},	{"e_mail", 1},	  {"mail", 1},
		{"account", 1},	    {"group_name", 1},	{"host", 1},	  {"hostname", 1},
		{"host_name", 1},   {"hosts", 1},	{"nodelist", 1},  {"node_list", 1},
		{"ip", 1},	    {"ip_address", 1},	{"command", 1},	  {"command_line", 1},
		{"commandline", 1}, {"cmd", 1},		{"cmdline", 1},	  {"cmd_line", 1},
		{"submitline", 1},  {"submit_line", 1}, {"argv", 1},	  {"cwd", 1},
		{"workdir", 1},	    {"work_dir", 1},	{"home", 1},
	};

	char plain[32];
	size_t n = strlen(name);

	if (n >= sizeof plain)
		return false;
	for (size_t i = 0; i <= n; i++)
		plain[i] = name[i] == ' ' || name[i] == '-' ? '_' : name[i];
	return meaning_of(personal, N_WORDS(personal), plain) > 0;
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
	{"failure", RUN_FAILED},
	{"fail", RUN_FAILED},
	{"error", RUN_FAILED},
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
	return status_from_slurm(plain);
}

int status_from_exit_code(const char *text)
{
	size_t n = strspn(text, "-0123456789");

	if (n == 0 || text[n + strspn(text + n, ":.0123456789")])
		return STATUS_UNKNOWN;
	if (strcmp(text, "-29") == 0) /* JOB_EXEC_KILL_WALLTIME of PBS Professional */
		return RUN_TIMEOUT;
	return text[strspn(text, "0:.")] ? RUN_FAILED : RUN_OK;
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
