#ifndef TESTS_FAULTS_FAULT_RUN_H
#define TESTS_FAULTS_FAULT_RUN_H
#include <stdbool.h>
#include <stddef.h>
#include "tests/faults/fault_inject.h"

enum { FAULT_MAX_ARGS = 12 };

/* How a command changes the base: in one transaction; in several, of which a second try makes up
 * for those that are missing; after its answer, so that failing to is only a warning. */
enum fault_change { AT_ONCE, IN_STEPS, ANSWERS_FIRST };

/* A command on a.kb, which is a copy of the file `from` ("": there is none). What it makes is kept
 * under `makes` for later cases. $RULE is the id of a mined rule. base: where it lies instead of
 * a.kb. */
struct fault_case {
	const char *name;
	const char *from, *makes;
	const char *arg[FAULT_MAX_ARGS];
	enum fault_change change;
	const char *base;
};

extern const struct fault_case fault_cases[];
extern const size_t n_fault_cases;

/* One run of the program under test, in the current folder. What the test itself cannot do ends
 * it. */

struct fault_runner {
	const char *lemnos, *injector;
	const char *kind; /* as in fault_inject.c */
	int at_time;	  /* instead: the signal that is sent at a moment; 0: none */
	bool sticky;
	struct fault_count *count; /* of the last run; shared with it */
};

struct fault_outcome {
	int status; /* as of waitpid() */
	double wall_s;
	char *out, *err;
};

/* Which fault: at: the call that fails, or the time in microseconds; 0: none. serial: without
 * threads. sites: record in the file "sites" where the calls come from. */
struct fault_point {
	long at;
	bool serial, sites;
};

void fault_runner_start(struct fault_runner *r, const char *lemnos, const char *injector,
			const char *kind);

/* The base as it is before the command, without a trace of the last one. */
void fault_restore_base(const struct fault_case *c);
void fault_copy_file(const char *from, const char *to);
/* With what a program that died may have left beside it. */
void fault_copy_base(const char *from, const char *to);

/* rule: what stands for $RULE. */
struct fault_outcome fault_run(const struct fault_runner *r, const struct fault_case *c,
			       const char *rule, struct fault_point point);
void fault_outcome_release(struct fault_outcome *o);
bool fault_succeeded(const struct fault_outcome *o);
bool fault_was_ended_by(const struct fault_outcome *o, int signal_number);

/* A file mapped into memory and shared with the runs, made with this size. */
void *fault_share_file(const char *path, size_t size);

void fault_die(const char *what) __attribute__((noreturn));

#endif
