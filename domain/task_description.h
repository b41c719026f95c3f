#ifndef DOMAIN_TASK_DESCRIPTION_H
#define DOMAIN_TASK_DESCRIPTION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/expr.h"
#include "domain/instruction_loop.h"
#include "domain/memory_shape.h"
#include "domain/template.h"

/* A task execution description (TED): where the time of one task comes from, here the computation
 * of a wavefront code per cell and angle, Wg. A libconfig text (data/tasks/NAME.conf) names the
 * method and its arguments. Source: Browne et al., "POEMS: End-to-end performance design of large
 * parallel adaptive computational systems", 1998, sections 2.3 and 4.4. What the methods do is in
 * acquire/ted.h; the keys are described in lemnos-model(1). */

enum task_method {
	TASK_MEASURE,  /* run a program here */
	TASK_DATABASE, /* look among recorded times */
	TASK_SIMULATE, /* run a program under valgrind's cachegrind, with given caches */
	TASK_TRACE     /* a recorded address trace through our own model of caches */
};
const char *task_method_name(enum task_method method);

/* What a task is asked for. NaN: not given. */
enum task_variable {
	TASK_IT, /* cells of the sub-grid, i direction */
	TASK_JT,
	TASK_KT,
	TASK_MK,      /* planes of a block */
	TASK_MMI,     /* angles of a block */
	TASK_MM,      /* angles of an octant */
	TASK_REPEATS, /* how often the program does the task; ours to choose */
	TASK_VARIABLES
};
const char *task_variable_name(enum task_variable v); /* "it" */

/* measure, simulate: the program that does the task `repeats` times. */
struct task_program {
	char *program;		    /* with a '/': a path, from the TED's folder; else looked for */
	struct template **argument; /* over the variables */
	size_t n_arguments;
	struct expr *cell_angles; /* that one repeat computes */
	struct expr *only;	  /* what may be asked for at all; NULL: anything */
	/* measure only */
	int64_t repeats; /* of each run, >= 1 */
	int64_t runs;	 /* the median of so many, >= 1 */
	char *output;	 /* the column of the program's CSV output that holds seconds per cell and
			    angle; NULL: time runs of 1 + repeats and of 1, the difference counts */
};

/* simulate, trace: what misses cost. */
struct task_processor {
	double clock_hz;
	/* As long as nothing misses: given, or the smaller of two bounds, that of issue
	 * (issue_width instructions a cycle) and that of the data flow (dependent_cycles of the
	 * longest chain of dependent instructions for each instruction). Hennessy and Patterson,
	 * "Computer Architecture", limits of instruction-level parallelism. */
	double instructions_per_cycle;
	/* Or found by executing a loop (models/instruction_pipeline.h), and NaN; NULL: it is known.
	 */
	struct instruction_loop *pipeline;
	/* More cycles for each miss, beyond what the level before it cost. */
	double I1_miss_cycles, D1_miss_cycles, shared_miss_cycles[MEMORY_MAX_SHARED];
	double tlb_miss_cycles;
};

/* trace */
struct task_trace {
	char *file;			 /* of valgrind's lackey; .gz and .zst too */
	double recorded[TASK_VARIABLES]; /* NaN: any value will do */
	double cell_angles;		 /* that it computes */
	int64_t warm_passes;		 /* not counted: through caches that are empty at first */
};

/* database: rows of a CSV file that agree in `exact` and are near in `nearest`. */
struct task_attribute {
	char *column;
	char *text;	    /* exact: what the column must hold; NULL: a number */
	double number;	    /* exact, when text is NULL */
	struct expr *value; /* nearest: over the variables, > 0 */
};
struct task_database {
	char *file;
	char *time; /* its column of seconds per cell and angle */
	struct task_attribute *exact, *nearest;
	size_t n_exact, n_nearest;
	double within; /* the largest factor between what is asked and what was recorded, >= 1 */
};

struct task_description {
	char *name;
	char *title;
	char *origin; /* where its figures come from */
	char *folder; /* that relative paths start from; "" : here */
	enum task_method method;
	struct task_program run;	 /* measure, simulate */
	struct task_processor processor; /* simulate, trace */
	struct memory_shape memory;
	struct task_trace trace;
	struct task_database database;
};

/* origin names the text in messages and its folder is where relative paths start. Errors: PARSE
 * (with the line and what would be right). */
enum err_code task_description_parse(const char *text, const char *origin,
				     struct task_description **out, struct err *e);
enum err_code task_description_read(const char *path, struct task_description **out, struct err *e);
void task_description_free(struct task_description *t);

#endif
