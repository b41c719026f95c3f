#ifndef CLI_SIMULATION_H
#define CLI_SIMULATION_H
#include <stdbool.h>
#include "acquire/smpi.h"
#include "cli/frame/context.h"
#include "cli/model/model_options.h"

/* A configuration simulated by SimGrid's SMPI: which MPI program, where it runs, and how its
 * computation gets its time. */
struct simulation {
	char *program;	       /* a file, compiled by smpicc */
	bool own;	       /* kernels/wavefront, which takes Wg */
	const char *keep;      /* the folder to run in; NULL: a temporary one */
	const char *args;      /* template of the program's arguments; NULL: none */
	double cpu_scale;      /* computation is measured here, times this; 0: Wg instead */
	struct strbuf remarks; /* of the last run: what the platform could not express, lines */
};

extern const struct option_spec opt_smpi_program, opt_smpi_args, opt_smpi_cpu_scale, opt_smpi_keep;

/* From the options. Errors: IO (SimGrid is not here, or our program was built without it: says what
 * to install), USAGE (options that do not go together). */
enum err_code simulation_open(struct context *c, struct simulation *out, struct err *e);
void simulation_release(struct simulation *s);

/* Does the computation take Wg, which the question must then have? */
bool simulation_takes_wg(const struct context *c);

/* The whole run of what q was last configured with by this row, with q's message costs. Errors:
 * those of smpi_run(); ARG (the class cannot be started on this row). */
enum err_code simulation_run(struct context *c, struct simulation *s,
			     const struct model_question *q, const double *row, double *time_s,
			     struct err *e);

#endif
