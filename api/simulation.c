#include "api/simulation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acquire/smpi.h"
#include "api/datadir.h"
#include "domain/job_script.h"
#include "domain/template.h"

_Static_assert(SIMULATION_MAX_PROCS == SMPI_MAX_PROCS, "one limit");

/* ---- which program ---- */

enum err_code simulation_own_program(char **out, struct err *e)
{
	char *folder = program_folder_find();
	struct strbuf path = STRBUF_INIT;

	strbuf_printf(&path, "%s/wavefront_smpi", folder ? folder : "");
	free(folder);
	if (path.failed)
		return err_set(e, ERR_NOMEM, "the name of a program");
	*out = path.buf;
	if (!access(path.buf, R_OK))
		return ERR_OK;
	return err_set(e, ERR_IO,
		       "Lemnos was built without SimGrid (Debian: libsimgrid-dev), so that its own "
		       "program is not there to be simulated: build it again");
}

const char *simulation_program_name(const struct simulation *s)
{
	return s->own ? "kernels/wavefront" : s->program;
}

bool simulation_measures(const struct simulation *s)
{
	return s->cpu_scale > 0;
}

void simulation_release(struct simulation *s)
{
	free(s->program);
	strbuf_release(&s->remarks);
	*s = (struct simulation){0};
}

/* ---- its arguments and files ---- */

/* Arguments in one text, ended by NUL each. */
struct simulation_arguments {
	struct strbuf text;
	const char **argv;
};

static void arguments_release(struct simulation_arguments *a)
{
	strbuf_release(&a->text);
	free(a->argv);
}

/* Blanks part arguments. */
static enum err_code arguments_split(struct simulation_arguments *a, struct err *e)
{
	size_t n = 0;
	char *rest = NULL;

	if (!a->text.failed)
		a->argv = calloc(a->text.len / 2 + 2, sizeof *a->argv);
	if (!a->argv)
		return err_set(e, ERR_NOMEM, "the arguments of a program");
	for (char *word = a->text.buf ? strtok_r(a->text.buf, " \t\n", &rest) : NULL; word;
	     word = strtok_r(NULL, " \t\n", &rest))
		a->argv[n++] = word;
	return ERR_OK;
}

static void put_own(const struct model_input *in, bool takes_wg, struct strbuf *out)
{
	const struct sweep *s = &in->sweep;
	const struct {
		const char *name;
		int64_t value;
	} count[] = {
		{"it_g", s->it_g},   {"jt_g", s->jt_g},	  {"kt", s->kt},
		{"npe_i", s->npe_i}, {"npe_j", s->npe_j}, {"mk", s->mk},
		{"mmi", s->mmi},     {"mm", s->mm},	  {"iterations", in->run.iterations},
	};

	for (size_t i = 0; i < sizeof count / sizeof count[0]; i++)
		strbuf_printf(out, "--%s %" PRId64 " ", count[i].name, count[i].value);
	if (!takes_wg)
		return;
	strbuf_puts(out, "--wg ");
	strbuf_put_number(out, in->run.Wg_s);
	strbuf_puts(out, " --wg_fixup ");
	strbuf_put_number(out, in->run.Wg_fixup_s);
}

static enum err_code fill_args(const struct simulation *s, const struct application *a,
			       const double *row, struct strbuf *out, struct err *e)
{
	struct template *t = NULL;
	struct err why = {0};
	enum err_code rc = ERR_OK;

	if (!s->args)
		return ERR_OK;
	if ((rc = template_parse(s->args, &a->scope, &t, &why)) ||
	    (rc = template_fill(t, row, TEMPLATE_COMMAND, out, &why)))
		rc = err_set(e, rc == ERR_NOMEM ? rc : ERR_USAGE, "%s: %s", s->args_name, why.msg);
	template_free(t);
	return rc;
}

/* The input files of the application's program lie in its folder, as in a job script. */
static enum err_code write_input(const struct application *a, const double *row,
				 const struct work_folder *folder, struct err *e)
{
	const char *refusal = job_refusal(a, row);
	enum err_code rc = ERR_OK;

	if (a->job.n_input > 0 && refusal)
		return err_set(e, ERR_ARG, "%s cannot be started on this: %s", a->name, refusal);
	for (size_t i = 0; i < a->job.n_input && !rc; i++) {
		struct strbuf text = STRBUF_INIT;

		rc = template_fill(a->job.input[i].text, row, TEMPLATE_FILE, &text, e);
		if (!rc)
			rc = work_folder_write(folder, a->job.input[i].name, strbuf_text(&text), e);
		strbuf_release(&text);
	}
	return rc;
}

/* ---- the run ---- */

/* Our program tells the time of its iterations, without start and end: the seconds in the column
 * runtime_s of its CSV. Of any other it is what SMPI says of the whole. */
static enum err_code own_time(const char *printed, double *out_s, struct err *e)
{
	const char *header = strstr(printed, "app,it_g,");
	const char *column = header ? strstr(header, ",runtime_s,") : NULL;
	const char *value = header ? strchr(header, '\n') : NULL;

	if (!column || !value || value < column)
		return err_set(e, ERR_PARSE, "kernels/wavefront printed no time");
	/* as many commas before the value as before its heading, and the one behind them */
	for (const char *h = header; value && h <= column; h++) {
		if (*h == ',')
			value = strchr(value + 1, ',');
	}
	if (!value)
		return err_set(e, ERR_PARSE, "kernels/wavefront printed no time");
	*out_s = strtod(value + 1, NULL);
	return ERR_OK;
}

/* Nodes of the row, else a processor each. */
static int64_t procs_per_node(const struct application *a, const double *row, int64_t procs)
{
	int64_t nodes = a->i_nodes < a->n_columns ? (int64_t)row[a->i_nodes] : procs;

	return nodes > 0 && nodes < procs ? (procs + nodes - 1) / nodes : 1;
}

static enum err_code run_in(struct session *session, struct simulation *s,
			    const struct model_question *q, const double *row,
			    const struct work_folder *folder, double *time_s, struct err *e)
{
	const int64_t procs = q->input.sweep.npe_i * q->input.sweep.npe_j;
	const struct smpi_machine machine = {
		.remote = q->input.remote,
		.local = q->input.local,
		.procs = procs,
		.procs_per_node = procs_per_node(q->app, row, procs),
		.cpu_scale = s->cpu_scale,
	};
	struct simulation_arguments arguments = {0};
	struct smpi_result result = {0};
	struct smpi_run run = {.machine = &machine,
			       .program = s->program,
			       .no_globals = s->own,
			       .progress = session->progress};
	enum err_code rc = ERR_OK;

	if (s->own)
		put_own(&q->input, s->cpu_scale == 0, &arguments.text);
	else if (!(rc = write_input(q->app, row, folder, e)))
		rc = fill_args(s, q->app, row, &arguments.text, e);
	if (!rc && !(rc = arguments_split(&arguments, e))) {
		run.argv = arguments.argv;
		rc = smpi_run(&run, folder, &result, e);
	}
	if (!rc && s->own)
		rc = own_time(strbuf_text(&result.printed), &result.simulated_s, e);
	if (!rc) {
		*time_s = result.simulated_s;
		strbuf_release(&s->remarks);
		s->remarks = result.remarks;
		result.remarks = STRBUF_INIT;
	}
	smpi_result_release(&result);
	arguments_release(&arguments);
	return rc;
}

enum err_code simulation_run(struct session *session, struct simulation *s,
			     const struct model_question *q, const double *row, double *time_s,
			     struct err *e)
{
	struct work_folder folder;
	double one_s;
	enum err_code rc = work_folder_open(s->keep, &folder, e);

	if (rc)
		return rc;
	rc = run_in(session, s, q, row, &folder, &one_s, e);
	work_folder_close(&folder);
	/* Our program sweeps one group in one time step. */
	if (!rc)
		*time_s = s->own ? one_s * (double)(q->input.run.groups * q->input.run.timesteps)
				 : one_s;
	return rc;
}

enum err_code simulation_check(struct err *e)
{
	return smpi_check(e);
}
