#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acquire/campaign_private.h"
#include "acquire/smpi.h"
#include "acquire/work_folder.h"
#include "domain/job_script.h"

/* ---- the command ---- */

/* SimGrid wants the file itself, wherever PATH has it. */
static enum err_code find_in_path(struct word_list *program, struct err *e)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t length = strcspn(path, ":");
		struct strbuf file = STRBUF_INIT;

		strbuf_printf(&file, "%.*s/%s", (int)length, path, program->word[0]);
		if (file.failed)
			return err_set(e, ERR_NOMEM, "the name of a program");
		if (length > 0 && !access(file.buf, R_OK)) {
			free(program->word[0]);
			program->word[0] = file.buf; /* handed over */
			return ERR_OK;
		}
		strbuf_release(&file);
		path += length + (path[length] == ':');
	}
	return ERR_OK; /* SimGrid says that it is not there */
}

/* A program beside the plan goes with it; other names are looked for in PATH. */
static enum err_code add_program(const struct campaign_launch *l, struct word_list *program,
				 struct err *e)
{
	const char *name = program->word[0];
	struct strbuf path = STRBUF_INIT;
	char *whole;

	if (!strchr(name, '/') && l->target->plan->launcher.kind == PLAN_SMPI)
		return find_in_path(program, e);
	if (*name == '/' || !strchr(name, '/') || l->target->plan->launcher.kind == PLAN_COMMAND)
		return ERR_OK;
	while (strncmp(name, "./", 2) == 0)
		name += 2;
	strbuf_printf(&path, "%s/%s", l->record->folder, name);
	if (path.failed)
		return err_set(e, ERR_NOMEM, "the name of a program");
	whole = path.buf;
	free(program->word[0]);
	program->word[0] = whole;
	return ERR_OK;
}

static enum err_code add_words(struct word_list *out, const struct word_list *words, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < words->n && !rc; i++)
		rc = word_list_add(out, words->word[i], e);
	return rc;
}

static enum err_code add_mpirun(const struct campaign_launch *l, struct word_list *out,
				struct err *e)
{
	const struct campaign_plan *plan = l->target->plan;
	struct strbuf n = STRBUF_INIT;
	enum err_code rc = word_list_add(out, "mpirun", e);

	for (size_t i = 0; i < plan->launcher.options.n && !rc; i++)
		rc = word_list_add(out, plan->launcher.options.word[i], e);
	strbuf_put_number(&n, campaign_procs(l->target->app, l->row));
	if (!rc && n.failed)
		rc = err_set(e, ERR_NOMEM, "a number of processes");
	if (!rc && !(rc = word_list_add(out, "-n", e)))
		rc = word_list_add(out, strbuf_text(&n), e);
	strbuf_release(&n);
	return rc;
}

/* argv: what the launcher starts. Of Slurm and SMPI that is the program alone. */
static enum err_code make_argv(const struct campaign_launch *l, struct word_list *argv,
			       struct err *e)
{
	const struct campaign_space *space = &l->target->space;
	size_t number = (size_t)l->run->position;
	struct word_list program = {0};
	enum err_code rc = campaign_space_command(space, l->row, number, &program, e);

	if (!rc)
		rc = add_program(l, &program, e);
	if (!rc && l->target->plan->launcher.kind == PLAN_MPIRUN)
		rc = add_mpirun(l, argv, e);
	if (!rc && l->target->plan->launcher.kind == PLAN_COMMAND)
		rc = campaign_space_with(space, l->row, number, argv, e);
	if (!rc)
		rc = add_words(argv, &program, e);
	word_list_release(&program);
	return rc;
}

static enum err_code make_variables(const struct campaign_launch *l, struct word_list *out,
				    struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = campaign_space_variables(&l->target->space, l->row,
						    (size_t)l->run->position, out, e);

	strbuf_printf(&text, "LEMNOS_PLAN_FOLDER=%s", l->record->folder);
	if (!rc)
		rc = text.failed ? err_set(e, ERR_NOMEM, "the variables of a command")
				 : word_list_add(out, strbuf_text(&text), e);
	strbuf_release(&text);
	return rc;
}

/* 'it'\''s': a word for people and shells. */
static void put_quoted(const char *word, struct strbuf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.,:+=/@%-";

	if (*word && !word[strspn(word, plain)]) {
		strbuf_puts(out, word);
		return;
	}
	strbuf_putc(out, '\'');
	for (; *word; word++)
		strbuf_puts(out, *word == '\'' ? "'\\''" : (const char[]){*word, '\0'});
	strbuf_putc(out, '\'');
}

void campaign_put_words(const struct word_list *words, struct strbuf *out)
{
	for (size_t i = 0; i < words->n; i++) {
		strbuf_puts(out, i ? " " : "");
		put_quoted(words->word[i], out);
	}
}

enum err_code campaign_launch_put(const struct campaign_launch *l, struct strbuf *out,
				  struct err *e)
{
	struct word_list argv = {0};
	enum err_code rc = make_argv(l, &argv, e);

	campaign_put_words(&argv, out);
	word_list_release(&argv);
	return rc;
}

/* ---- the folder ---- */

static enum err_code make_folder(const char *path, struct err *e)
{
	if (mkdir(path, 0777) && errno != EEXIST)
		return err_set(e, ERR_IO, "cannot make the folder %s: %s", path, strerror(errno));
	return ERR_OK;
}

/* What the application's program reads lies where it runs, as in a job script. */
static enum err_code write_inputs(const struct campaign_launch *l, struct err *e)
{
	const struct application *a = l->target->app;
	const enum plan_launcher kind = l->target->plan->launcher.kind;
	const bool inside = kind != PLAN_SLURM && kind != PLAN_SMPI;
	struct work_folder folder = {0};
	struct strbuf path = STRBUF_INIT;
	enum err_code rc;

	if (a->job.n_input == 0 || job_refusal(a, l->row))
		return ERR_OK;
	strbuf_printf(&path, "%s%s", l->folder, inside ? "/" SUPERVISED_WORK : "");
	rc = path.failed ? err_set(e, ERR_NOMEM, "the folder of a run")
			 : work_folder_open(strbuf_text(&path), &folder, e);
	for (size_t i = 0; i < a->job.n_input && !rc; i++) {
		struct strbuf text = STRBUF_INIT;

		rc = template_fill(a->job.input[i].text, l->row, TEMPLATE_FILE, &text, e);
		if (!rc)
			rc = work_folder_write(&folder, a->job.input[i].name, strbuf_text(&text),
					       e);
		strbuf_release(&text);
	}
	work_folder_close(&folder);
	strbuf_release(&path);
	return rc;
}

/* ---- SMPI ---- */

struct simulated_launch {
	const struct campaign_launch *l;
	const struct word_list *argv;
	struct message_cost remote, local;
	bool has_local;
};

static enum err_code find_costs(struct simulated_launch *s, struct err *e)
{
	const struct campaign_target *t = s->l->target;
	struct cost_segment *segment = NULL;
	size_t n = 0;
	enum err_code rc = message_cost_from_machine(t->machine, &s->remote, NULL);

	if (rc == ERR_NODATA && t->machine_id) {
		if ((rc = kb_get_message_cost(s->l->kb, t->machine_id, &segment, &n, e)))
			return rc;
		rc = n > 0 ? message_cost_from_segments(segment, n, t->machine->blocking_bytes,
							MESSAGE_COST_OVERHEAD_SHARE, &s->remote, e)
			   : message_cost_from_machine(t->machine, &s->remote, e);
		free(segment);
	} else if (rc) {
		rc = message_cost_from_machine(t->machine, &s->remote, e);
	}
	s->has_local = !rc && !message_cost_local_from_machine(t->machine, &s->local, NULL);
	return rc;
}

/* In the watching process, in the run's folder. */
static enum err_code simulate(void *arg, const struct progress *progress, double *elapsed_s,
			      struct err *e)
{
	const struct simulated_launch *s = arg;
	const struct application *a = s->l->target->app;
	double procs = campaign_procs(a, s->l->row), nodes = campaign_nodes(a, s->l->row);
	const struct smpi_machine machine = {
		.remote = &s->remote,
		.local = s->has_local ? &s->local : NULL,
		.procs = (int64_t)procs,
		.procs_per_node = (int64_t)ceil(procs / nodes),
		.cpu_scale = s->l->target->plan->launcher.cpu_scale,
	};
	const struct smpi_run run = {
		.machine = &machine,
		.program = s->argv->word[0],
		.argv = (const char *const *)s->argv->word + 1,
		.limit_s = isnan(s->l->run->limit_s) ? 0 : s->l->run->limit_s,
		.progress = progress,
	};
	struct smpi_result result = {0};
	struct work_folder folder = {0};
	enum err_code rc = work_folder_open(s->l->folder, &folder, e);

	if (!rc && !(rc = smpi_run(&run, &folder, &result, e))) {
		*elapsed_s = result.simulated_s;
		rc = work_folder_write(&folder, "stdout", strbuf_text(&result.printed), e);
	}
	smpi_result_release(&result);
	work_folder_close(&folder);
	return rc;
}

/* ---- starting, looking, stopping ---- */

static void command_release(struct expanded_command *c)
{
	word_list_release(&c->argv);
	word_list_release(&c->variables);
}

/* What it runs, where. */
static enum err_code prepare(const struct campaign_launch *l, struct expanded_command *c,
			     struct err *e)
{
	enum err_code rc;

	if ((rc = make_argv(l, &c->argv, e)) || (rc = make_variables(l, &c->variables, e)) ||
	    (rc = make_folder(l->folder, e)))
		return rc;
	return write_inputs(l, e);
}

static enum err_code start_here(const struct campaign_launch *l, const struct expanded_command *c,
				pid_t *pid, struct err *e)
{
	struct simulated_launch simulated = {.l = l, .argv = &c->argv};
	struct supervised_run run = {.folder = l->folder,
				     .argv = (const char *const *)c->argv.word,
				     .variable = (const char *const *)c->variables.word,
				     .limit_s = isnan(l->run->limit_s) ? 0 : l->run->limit_s};
	enum err_code rc;

	if (l->target->plan->launcher.kind == PLAN_SMPI) {
		if ((rc = smpi_check(e)) || (rc = find_costs(&simulated, e)))
			return rc;
		run.instead = simulate;
		run.arg = &simulated;
	}
	return supervised_run_start(&run, pid, e);
}

enum err_code campaign_launch_start(const struct campaign_launch *l, size_t n, pid_t *pid,
				    struct err *e)
{
	struct expanded_command *command = calloc(n, sizeof *command);
	enum err_code rc = command ? ERR_OK : err_set(e, ERR_NOMEM, "the commands of a campaign");

	*pid = 0;
	for (size_t i = 0; i < n && !rc; i++)
		rc = prepare(&l[i], &command[i], e);
	if (!rc)
		rc = l->target->plan->launcher.kind == PLAN_SLURM
			     ? campaign_slurm_start(l, command, n, e)
			     : start_here(l, command, pid, e);
	for (size_t i = 0; i < n && command; i++)
		command_release(&command[i]);
	free(command);
	return rc;
}

enum err_code campaign_launch_name(const struct campaign_launch *l, size_t n, struct err *e)
{
	return l->target->plan->launcher.kind == PLAN_SLURM ? campaign_slurm_name(l, n, e) : ERR_OK;
}

enum err_code campaign_launch_look(const struct campaign_launch *l, size_t n,
				   struct campaign_sight *sight, struct err *silence, struct err *e)
{
	enum err_code rc = ERR_OK;

	*silence = (struct err){0};
	if (n > 0 && l->target->plan->launcher.kind == PLAN_SLURM)
		return campaign_slurm_look(l, n, sight, silence, e);
	for (size_t i = 0; i < n && !rc; i++)
		rc = supervised_run_look(l[i].folder, &sight[i].state, &sight[i].end, e);
	return rc;
}

enum err_code campaign_launch_stop(const struct campaign_launch *l, struct err *e)
{
	return l->target->plan->launcher.kind == PLAN_SLURM ? campaign_slurm_stop(l, e)
							    : supervised_run_stop(l->folder, e);
}
