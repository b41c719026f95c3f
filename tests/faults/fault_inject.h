#ifndef TESTS_FAULTS_FAULT_INJECT_H
#define TESTS_FAULTS_FAULT_INJECT_H
#include <stdatomic.h>

/* What fault_inject.c leaves in the file $FAULT_COUNT. */
struct fault_count {
	atomic_long seen;   /* calls of the kind */
	atomic_long failed; /* of these */
};

/* Exit status when the kernel does not let us watch system calls (seccomp). */
enum { FAULT_CANNOT_WATCH = 78 };

#endif
