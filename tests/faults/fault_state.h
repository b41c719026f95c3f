#ifndef TESTS_FAULTS_FAULT_STATE_H
#define TESTS_FAULTS_FAULT_STATE_H
#include <stdbool.h>

/* What the parts of the preloaded library share; fault_inject.c says what it does. */

enum fault_kind { KIND_NONE, KIND_ALLOC, KIND_IO, KIND_FULL, KIND_LOCK, KIND_KILL };

extern struct fault_state {
	enum fault_kind kind;
	long at; /* the call that fails, from 1; 0: none */
} fault;

/* Count a call of the kind: is it its turn to fail? */
bool fault_is_now(void);

/* Find out where the code of libconfig lies, whose allocations are spared. */
void fault_alloc_start(void);

/* From now on system calls are watched. False: the kernel does not allow it. */
bool fault_calls_watch(void);

/* Keep in the file `path` from where each call comes; NULL: nowhere. */
void fault_sites_start(const char *path);
/* The n-th call is made now. */
void fault_sites_record(long n);

#endif
