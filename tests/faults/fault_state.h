#ifndef TESTS_FAULTS_FAULT_STATE_H
#define TESTS_FAULTS_FAULT_STATE_H
#include <stdbool.h>

/* What the parts of the preloaded library share; fault_inject.c says what it does. */

enum fault_kind { KIND_NONE, KIND_ALLOC, KIND_IO, KIND_FULL, KIND_LOCK, KIND_KILL, KIND_POWER };

/* A call of our own is told by this in its sixth argument, which none of them takes. */
#define FAULT_OURS 0x4c454d4eL

extern struct fault_state {
	enum fault_kind kind;
	long at; /* the call that fails, from 1; 0: none */
} fault;

/* Count a call of the kind: is it its turn to fail? */
bool fault_is_now(void);

/* Find out where the code of libconfig lies, whose allocations are spared. */
void fault_alloc_start(void);

/* From now on the system calls are watched that the kind needs. False: the kernel does not allow
 * it. */
bool fault_calls_watch(enum fault_kind kind);

/* Record in the file `path` what is done to files; false: it cannot be made. */
bool power_record_start(const char *path);
/* A system call was made and gave rc; created: it was an open, and the file was not there before.
 */
void power_record(long number, const long arg[6], long rc, bool created);

/* Keep in the file `path` from where each call comes; NULL: nowhere. */
void fault_sites_start(const char *path);
/* The n-th call is made now. */
void fault_sites_record(long n);

#endif
