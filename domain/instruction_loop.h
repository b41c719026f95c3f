#ifndef DOMAIN_INSTRUCTION_LOOP_H
#define DOMAIN_INSTRUCTION_LOOP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The body of a loop as instructions, and the processor that executes them: what a task execution
 * description may say in place of a number of instructions a cycle. models/instruction_pipeline.h
 * executes it. */

enum {
	INSTRUCTION_MAX_SOURCES = 8,
	INSTRUCTION_MAX_UNITS = 32,
	INSTRUCTION_MAX_KINDS = 256,
	INSTRUCTION_MAX_LOOP = 2048,
	INSTRUCTION_MAX_WIDTH = 64, /* a cycle, of anything */
	INSTRUCTION_MAX_WINDOW = 4096,
	INSTRUCTION_MAX_CYCLES = 10000
};

/* So many of its instructions may start in a cycle. */
struct instruction_unit {
	char *name;
	int64_t per_cycle;
};

/* What instructions of a kind do to a unit. */
struct instruction_kind {
	char *name;
	size_t unit;
	int64_t latency;  /* cycles until those that need its result can start; >= 0 */
	int64_t occupies; /* cycles that its place in the unit is taken; >= 1 */
};

/* Sources are instructions of the loop, by their number: that one of this iteration if it stands
 * before, else of the iteration before. */
struct instruction {
	size_t kind;
	size_t n_sources, source[INSTRUCTION_MAX_SOURCES];
};

struct instruction_loop {
	int64_t issue_width; /* that enter and that leave the window in a cycle */
	int64_t window;	     /* under way at once */
	bool in_order;	     /* none starts before the one before it */
	struct instruction_unit *unit;
	struct instruction_kind *kind;
	struct instruction *body;
	size_t n_units, n_kinds, n;
};

void instruction_loop_free(struct instruction_loop *l);

#endif
