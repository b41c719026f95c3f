#include "cli/model/simulation_options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/model/model_options.h"

const struct option_spec opt_smpi_program = {
	.name = "program",
	.arg = "FILE",
	.values = "FILE",
	.help = "smpi: an MPI program compiled by smpicc or smpif90, instead\n"
		"of Lemnos's own wavefront; the class's input files lie beside it",
};
const struct option_spec opt_smpi_args = {
	.name = "args",
	.arg = "TEXT",
	.help = "smpi: arguments of that program, filled in from the\n"
		"configuration: '-n {it_g} -p {npe_i}x{npe_j}'",
};
const struct option_spec opt_smpi_cpu_scale = {
	.name = "cpu-scale",
	.arg = "F",
	.help = "smpi: measure the computation here and let it take F times as\n"
		"long (default: as --wg says; for --program: 1)",
};
const struct option_spec opt_smpi_keep = {
	.name = "keep",
	.arg = "FOLDER",
	.help = "smpi: run there and leave platform, host file, output and log",
};

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
