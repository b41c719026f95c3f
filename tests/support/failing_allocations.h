#ifndef TESTS_SUPPORT_FAILING_ALLOCATIONS_H
#define TESTS_SUPPORT_FAILING_ALLOCATIONS_H
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* What does our code do when there is no memory? Unit tests are linked so that its allocations,
 * malloc() and its kin and the objects that it asks GSL for, come through here (Makefile,
 * `wrapped`); those of other libraries do not. A call is repeated with the first, second, ... of
 * them failing, until none is left to fail:
 *
 *	struct machine *m = NULL;
 *	struct err e;
 *
 *	failing_each_allocation(machine_parse(text, "test", &m, &e), &e)
 *		assert_null(m);
 *	assert_string_equal(machine_name(m), "blue");
 *	machine_free(m);
 *
 * Each failure must give ERR_NOMEM, with a message in e that says so, after which the body looks at
 * what was left behind; the call without a failure must give ERR_OK. A call that allocates nothing
 * is a mistake in the test. The call is any expression of type enum err_code, mostly a function of
 * the test that does several things; e is emptied before it. Leaks are for the sanitizers to find.
 */
#define failing_each_allocation(call, e) FAILING_LOOP_(call, e, FAILING_EACH)

/* For calls that take long or allocate often: of the allocations that come from one place,
 * told by the innermost 12 return addresses in our code, the first two fail, of a sample of the
 * places. FAULT_SEED in the environment draws another sample, POINTS=every spares none; of what
 * differs between compilers each draws its own. Best with a small problem. */
#define failing_each_place(call, e) FAILING_LOOP_(call, e, FAILING_PLACES)

/* For calls that may also do without: after a failure there may be ERR_OK (e.code), and the body
 * must then see that the answer is the right one. */
#define failing_each_place_tolerated(call, e) \
	FAILING_LOOP_(call, e, FAILING_PLACES | FAILING_TOLERATED)

/* Both, much faster, for a call that takes thousands of allocations and may be repeated when it
 * has succeeded. */
#define failing_each_place_repeated(call, e) \
	FAILING_LOOP_(call, e, FAILING_PLACES | FAILING_REPEATED)
#define failing_each_place_repeated_tolerated(call, e) \
	FAILING_LOOP_(call, e, FAILING_PLACES | FAILING_REPEATED | FAILING_TOLERATED)

/* By hand, for what cannot fail or is allowed to go on without memory: from now on the n-th
 * allocation fails (n = 1, 2, ...). */
void failing_allocation_start(long n);
/* No more. Did one fail? */
bool failing_allocation_stop(void);
/* How many there were. */
long failing_allocation_count(void);

/* For samples of other faults: $FAULT_SEED, or 0. With POINTS=every there is no sampling. */
uint64_t fault_seed(void);
bool every_fault(void);

/* For whoever allocates in a way of his own, as failing_sqlite.h: does this allocation fail? */
bool failing_now(void);

/* ---- what the macros are made of ---- */

enum { FAILING_EACH = 0, FAILING_PLACES = 1, FAILING_TOLERATED = 2, FAILING_REPEATED = 4 };

#define FAILING_LOOP_(call, e, how)                                                  \
	for (long failing_n_ = 1; failing_start(failing_n_, how, e),                 \
		  failing_goes_on(failing_n_, (call), e, #call, __FILE__, __LINE__); \
	     failing_n_++)

void failing_start(long n, unsigned how, struct err *e);
bool failing_goes_on(long n, enum err_code rc, const struct err *e, const char *call,
		     const char *file, int line);

#endif
