#include "cli/model/model_options.h"

#include <stdlib.h>
#include <string.h>

#include "api/datadir.h"
#include "api/task_question.h"
#include "domain/configuration.h"

/* DATADIR/FOLDER/NAME.conf; *path stays NULL if there is none. */
static enum err_code find_shipped(const char *folder, const char *name, char **path, struct err *e)
{
	char *datadir = NULL;
	char **list = NULL;
	enum err_code rc;

	if ((rc = datadir_find(&datadir, e)) ||
	    (rc = datadir_list(datadir, folder, name, ".conf", &list, e)))
		goto done;
	for (char **p = list; *p && !*path; p++) {
		/* the list has every name that begins so */
		if (strlen(strrchr(*p, '/') + 1) != strlen(name) + strlen(".conf"))
			continue;
		*path = strdup(*p);
		if (!*path)
			rc = err_set(e, ERR_NOMEM, "the name of a definition");
	}
done:
	datadir_free(list);
	free(datadir);
	return rc;
}

static enum err_code shipped_application(struct context *c, const char *name,
					 struct application **out, struct err *e)
{
	char *path = NULL;
	enum err_code rc = find_shipped("applications", name, &path, e);

	if (!rc)
		rc = path ? application_read(path, out, e)
			  : err_set(e, ERR_NOTFOUND,
				    "no application %s ships with lemnos, and there is no "
				    "knowledge "
				    "base %s",
				    name, c->kb_path);
	free(path);
	return rc;
}

/* why: what the base said. */
static enum err_code shipped_machine(struct context *c, const struct err *why, struct machine **out,
				     struct err *e)
{
	const char *name = options_get(&c->opt, &opt_machine);
	char *path = NULL;
	enum err_code rc;

	if (!name)
		return err_set(e, ERR_USAGE, "which machine? Give --machine NAME");
	rc = find_shipped("machines", name, &path, e);
	if (!rc)
		rc = path ? machine_read(path, out, e)
			  : err_set(e, ERR_NOTFOUND,
				    "%s; none of that name ships with lemnos either", why->msg);
	free(path);
	return rc;
}

enum err_code model_definitions_open_base(struct context *c, struct err *e)
{
	struct err why = {0};
	enum err_code rc = context_open_kb(c, NEEDS_KB_READ, &why);

	return rc && rc != ERR_NOTFOUND ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

enum err_code model_definitions_application(struct context *c, struct application **out,
					    int64_t *id, struct err *e)
{
	const char *asked = options_get(&c->opt, &opt_app);
	enum err_code rc = model_definitions_open_base(c, e);

	if (rc)
		return rc;
	/* without a base: the application of the models */
	return c->session.kb ? context_application(c, out, id, e)
			     : shipped_application(c, asked ? asked : "sweep3d", out, e);
}

static enum err_code named_application(struct context *c, const char *name,
				       struct application **out, int64_t *id, struct err *e)
{
	struct err why = {0};
	enum err_code rc = ERR_NOTFOUND;

	if (c->session.kb)
		rc = kb_get_application(c->session.kb, name, out, id, &why);
	if (rc == ERR_NOTFOUND)
		return shipped_application(c, name, out, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* The machine that is meant for the application. */
static enum err_code find_machine(struct context *c, int64_t app_id, struct machine **out,
				  int64_t *id, struct err *e)
{
	struct err why = {0};
	enum err_code rc = ERR_NOTFOUND;

	if (c->session.kb)
		rc = context_machine(c, app_id, out, id, &why);
	else
		err_set(&why, rc, "there is no knowledge base %s", c->kb_path);
	if (rc == ERR_NOTFOUND)
		return shipped_machine(c, &why, out, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* ---- options ---- */

OPTION(opt_wg, "wg", "TIME",
       .help = "computation per cell and angle: 0.2us, 15ns, or ted:FILE, a task's\n"
	       "description (default: as mined from the machine's runs)");
OPTION(opt_wg_fixup, "wg-fixup", "TIME",
       .help = "the same in the iterations with flux fix-ups, after the 7th\n"
	       "(default: as --wg)");
OPTION(opt_wg_pre, "wg-pre", "TIME",
       .help = "plug-lu: computation per cell before the messages come");
OPTION(opt_w_before, "w-before", "TIME",
       .help = "time of each time step and group before its iterations (default 0)");
OPTION(opt_w_after, "w-after", "TIME", .help = "the same after its iterations");
OPTION(opt_nonwavefront, "nonwavefront", "TIME",
       .help = "plug-*: time of an iteration outside of its sweeps, besides\nall-reduces");
OPTION(opt_tile, "tile", "IxJ", .help = "processors of the grid that share a node (default 1x1)");

static enum err_code read_definitions(struct context *c, struct model_question *q, struct err *e)
{
	enum err_code rc;

	if ((rc = model_definitions_application(c, &q->app, &q->app_id, e)) ||
	    (rc = find_machine(c, q->app_id, &q->machine, &q->machine_id, e)))
		return rc;
	return model_question_costs(&c->session, q, e);
}

static enum err_code read_tile(struct context *c, struct model_input *in, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_tile);
	char *end = NULL;

	in->tile_i = in->tile_j = 1;
	if (!text)
		return ERR_OK;
	in->tile_i = strtol(text, &end, 10);
	if (end != text && *end == 'x')
		in->tile_j = strtol(end + 1, &end, 10);
	if (*end || in->tile_i < 1 || in->tile_j < 1 || !strchr(text, 'x'))
		return err_set(e, ERR_USAGE, "--tile %s: write it like 2x2", text);
	return ERR_OK;
}

enum err_code model_question_wg(struct context *c, struct model_question *q, struct err *e)
{
	struct sweep_run *run = &q->input.run;
	enum err_code rc;

	if (!options_has(&c->opt, &opt_wg) && options_has(&c->opt, &opt_wg_fixup))
		return err_set(e, ERR_USAGE, "--wg-fixup needs --wg beside it");
	if ((rc = task_wg_open(&c->session, options_get(&c->opt, &opt_wg), &q->task_wg, e)) ||
	    (!q->task_wg && (rc = options_duration(&c->opt, &opt_wg, &run->Wg_s, e))))
		return rc;
	q->has_wg_fixup = options_has(&c->opt, &opt_wg_fixup);
	run->Wg_fixup_s = run->Wg_s;
	return options_duration(&c->opt, &opt_wg_fixup, &run->Wg_fixup_s, e);
}

/* Without --wg it is what mining made of the machine's runs. */
static enum err_code read_mined_wg(struct context *c, struct model_question *q, struct err *e)
{
	struct err why = {0};
	enum err_code rc;

	if (options_has(&c->opt, &opt_wg))
		return ERR_OK;
	if (q->model->code)
		return err_set(e, ERR_USAGE,
			       "how long does the computation of one cell take in %s? Give --wg "
			       "0.2us",
			       q->model->code);
	rc = model_question_mined(&c->session, q, &why);
	if (rc == ERR_NOTMINED)
		return err_set(e, ERR_USAGE,
			       "how long does the computation of one cell and angle take? Give "
			       "--wg 0.2us (nothing was mined of %s on %s to take it from)",
			       q->app->name, q->machine->name);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

enum err_code model_question_application(struct context *c, const char *name,
					 struct model_question *q, struct err *e)
{
	enum err_code rc = named_application(c, name, &q->app, &q->app_id, e);

	return rc ? rc : model_question_check(q->app, e);
}

enum err_code model_question_options(struct context *c, struct model_question *q, struct err *e)
{
	struct model_input *in = &q->input;
	enum err_code rc;

	if ((rc = options_duration(&c->opt, &opt_wg_pre, &in->Wg_pre_s, e)) ||
	    (rc = options_duration(&c->opt, &opt_nonwavefront, &in->nonwavefront_s, e)) ||
	    (rc = options_duration(&c->opt, &opt_w_before, &in->run.W_before_s, e)) ||
	    (rc = options_duration(&c->opt, &opt_w_after, &in->run.W_after_s, e)) ||
	    (rc = read_tile(c, in, e)))
		return rc;
	q->row = calloc(q->app->n_columns, sizeof *q->row);
	return q->row ? ERR_OK : err_set(e, ERR_NOMEM, "a configuration");
}

/* What is left when the times are settled. */
static enum err_code read_untimed(struct context *c, struct model_question *q, struct err *e)
{
	enum err_code rc;

	if ((rc = read_definitions(c, q, e)) || (rc = model_question_check(q->app, e)) ||
	    (rc = model_question_options(c, q, e)))
		return rc;
	q->input.remote = &q->remote;
	q->input.local = q->has_local ? &q->local : NULL;
	return ERR_OK;
}

enum err_code model_question_read_untimed(struct context *c, struct model_question *out,
					  struct err *e)
{
	*out = (struct model_question){0};
	return read_untimed(c, out, e);
}

enum err_code model_question_read(struct context *c, const char *model, struct model_question *out,
				  struct err *e)
{
	struct model_question *q = out;
	enum err_code rc;

	*q = (struct model_question){0};
	if ((rc = model_find(model, &q->model, e)) || (rc = model_question_wg(c, q, e)) ||
	    (rc = read_untimed(c, q, e)))
		return rc;
	return read_mined_wg(c, q, e);
}

enum err_code model_question_read_row(struct context *c, struct model_question *q, struct err *e)
{
	enum err_code rc = context_configuration(c, q->app, true, q->row, e);

	if (!rc)
		configuration_default_workload(q->app, q->row);
	return rc;
}

enum err_code model_question_read_growing(struct context *c, struct model_question *q,
					  struct err *e)
{
	enum err_code rc = context_configuration(c, q->app, false, q->row, e);

	if (!rc)
		configuration_default_workload(q->app, q->row);
	return rc;
}

/* ---- simulation ---- */

OPTION(opt_smpi_program, "program", "FILE", .values = "FILE",
       .help = "smpi: an MPI program compiled by smpicc or smpif90, instead\n"
	       "of Lemnos's own wavefront; the application's input files lie beside it");
OPTION(opt_smpi_args, "args", "TEXT",
       .help = "smpi: arguments of that program, filled in from the\n"
	       "configuration: '-n {it_g} -p {npe_i}x{npe_j}'");
OPTION(opt_smpi_cpu_scale, "cpu-scale", "F",
       .help = "smpi: measure the computation here and let it take F times as\n"
	       "long (default: as --wg says; for --program: 1)");
OPTION(opt_smpi_keep, "keep", "FOLDER",
       .help = "smpi: run there and leave platform, host file, output and log");

/* ---- which program ---- */

bool simulation_takes_wg(const struct context *c)
{
	return !options_has(&c->opt, &opt_smpi_program) &&
	       !options_has(&c->opt, &opt_smpi_cpu_scale);
}

static enum err_code find_own(struct simulation *s, struct err *e)
{
	struct err why = {0};
	enum err_code rc = simulation_own_program(&s->program, &why);

	s->own = true;
	return rc == ERR_IO ? err_set(e, rc, "%s, or give --program", why.msg)
	       : rc	    ? err_set(e, rc, "%s", why.msg)
			    : ERR_OK;
}

static enum err_code find_program(struct context *c, struct simulation *s, struct err *e)
{
	const char *program = options_get(&c->opt, &opt_smpi_program);

	if (!program)
		return find_own(s, e);
	s->program = strdup(program);
	return s->program ? ERR_OK : err_set(e, ERR_NOMEM, "the name of a program");
}

static enum err_code check_options(const struct context *c, struct err *e)
{
	if (!simulation_takes_wg(c) && options_has(&c->opt, &opt_wg))
		return err_set(e, ERR_USAGE,
			       "--wg or a measurement, not both: with --program and with "
			       "--cpu-scale the computation is measured here");
	if (options_has(&c->opt, &opt_smpi_args) && !options_has(&c->opt, &opt_smpi_program))
		return err_set(e, ERR_USAGE, "--args are those of a --program");
	return ERR_OK;
}

enum err_code simulation_open(struct context *c, struct simulation *out, struct err *e)
{
	struct simulation s = {.keep = options_get(&c->opt, &opt_smpi_keep),
			       .args = options_get(&c->opt, &opt_smpi_args),
			       .args_name = "--args"};
	enum err_code rc;

	if (!simulation_takes_wg(c))
		s.cpu_scale = 1;
	if ((rc = check_options(c, e)) ||
	    (rc = options_number(&c->opt, &opt_smpi_cpu_scale, 1e-6, 1e6, &s.cpu_scale, e)) ||
	    (rc = simulation_check(e)) || (rc = find_program(c, &s, e))) {
		simulation_release(&s);
		return rc;
	}
	*out = s;
	return ERR_OK;
}
