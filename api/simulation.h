#ifndef API_SIMULATION_H
#define API_SIMULATION_H
#include <stdbool.h>
#include "api/model_question.h"
#include "api/session.h"
#include "base/err.h"
#include "base/strbuf.h"

enum { SIMULATION_MAX_PROCS = 4096 };

/* A configuration simulated by SimGrid's SMPI: which MPI program, where it runs, and how its
 * computation gets its time. */
struct simulation {
	char *program;	       /* a file, compiled by smpicc */
	bool own;	       /* kernels/wavefront, which takes Wg */
	const char *keep;      /* the folder to run in; NULL: a temporary one */
	const char *args;      /* template of the program's arguments; NULL: none */
	const char *args_name; /* of that, in messages */
	double cpu_scale;      /* computation is measured here, times this; 0: Wg instead */
	struct strbuf remarks; /* of the last run: what the platform could not express, lines */
};

/* Is SimGrid's SMPI here? Errors: IO (no: says what to install). */
enum err_code simulation_check(struct err *e);
/* The name of kernels/wavefront, compiled for SMPI; the caller's to free, also when it fails.
 * Errors: IO (this program was built without it). */
enum err_code simulation_own_program(char **out, struct err *e);
void simulation_release(struct simulation *s);

/* The program, as answers name it. */
const char *simulation_program_name(const struct simulation *s);
/* Is its computation measured here? Else Wg says what it takes. */
bool simulation_measures(const struct simulation *s);

/* The whole run of what q was last configured with by this row, with q's message costs. Errors: IO
 * (the program failed or is none for SMPI: says where the log is), ARG (the application cannot be
 * started on this row; an argument that cannot be passed), USAGE (args is no template), PARSE (no
 * simulated time), INTERRUPTED, NOMEM. */
enum err_code simulation_run(struct session *session, struct simulation *s,
			     const struct model_question *q, const double *row, double *time_s,
			     struct err *e);

#endif
