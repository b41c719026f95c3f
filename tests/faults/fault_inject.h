#ifndef TESTS_FAULTS_FAULT_INJECT_H
#define TESTS_FAULTS_FAULT_INJECT_H
#include <stdatomic.h>
#include <stdint.h>

/* What the preloaded library (fault_inject.c) leaves in the file $FAULT_COUNT. */
struct fault_count {
	atomic_long seen;   /* calls of the kind */
	atomic_long failed; /* of these */
};

/* And in the file $FAULT_SITES: of each call a number for where it comes from, which is the
 * innermost FAULT_SITE_DEPTH return addresses. Mostly a hole. */
enum { FAULT_SITES_MAX = 1 << 22, FAULT_SITE_DEPTH = 12 };
struct fault_sites {
	uint64_t hash[FAULT_SITES_MAX];
};

/* Exit status when the kernel does not let us watch system calls (seccomp). */
enum { FAULT_CANNOT_WATCH = 78 };

#endif
