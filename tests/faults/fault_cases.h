#ifndef TESTS_FAULTS_FAULT_CASES_H
#define TESTS_FAULTS_FAULT_CASES_H
#include <stddef.h>

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

#endif
