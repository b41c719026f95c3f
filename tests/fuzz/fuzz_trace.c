#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

#include "acquire/address_trace.h"
#include "acquire/smpi.h"

/* What other programs print: an address trace of valgrind's lackey, sent through small caches, and
 * the log of a simulation. */

static const struct memory_shape shape = {
	.I1 = {256, 1, 64},
	.D1 = {256, 1, 64},
	.shared = {{512, 2, 64}},
	.n_shared = 1,
};

static void replay(const char *path)
{
	struct memory_hierarchy *m = NULL;
	struct err e = {0};

	fuzz_require(!memory_hierarchy_new(&shape, &m, &e), &e);
	fuzz_check_error(address_trace_replay(path, m, NULL, &e), &e);
	for (int kind = 0; kind < ACCESS_KINDS; kind++) {
		const struct memory_counts *n = memory_hierarchy_counts(m);

		fuzz_require(n->l1_miss[kind] <= n->access[kind], &e);
		fuzz_require(n->shared_miss[0][kind] <= n->l1_miss[kind], &e);
	}
	memory_hierarchy_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *log = fuzz_text(data, size);
	struct err e = {0};
	double s = 0;

	replay(fuzz_file(data, size));
	fuzz_check_error(smpi_read_time(log, &s, &e), &e);
	fuzz_require(isfinite(s) && s >= 0, &e);
	free(log);
	return 0;
}
