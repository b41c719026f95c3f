#include "tests/support/check.h"

#include "base/compare.h"
#include "mining/numerics/order_statistics.h"
#include "tests/support/uniform.h"

enum { MANY = 20000 };

/* As qsort() does; the same numbers, whatever way there is to n. */
TEST(numbers_of_every_size_and_sign_are_sorted)
{
	static const size_t size[] = {0, 1, 2, 17, 2047, 2048, 2049, MANY};
	HEAP double *x = zeroed(MANY, sizeof *x), *want = zeroed(MANY, sizeof *want);
	uint64_t seed = 5;

	for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
		const size_t n = size[k];

		for (size_t i = 0; i < n; i++) {
			x[i] = pow(10, uniform_draw(&seed, -320, 308));
			if (uniform_draw(&seed, 0, 1) < 0.5)
				x[i] = -x[i];
			if (i % 7 == 3)
				x[i] = x[i / 2]; /* equal ones */
		}
		if (n > 16) {
			x[3] = INFINITY;
			x[5] = -INFINITY;
			x[9] = 0;
		}
		memcpy(want, x, n * sizeof *x);
		qsort(want, n, sizeof *want, compare_doubles);
		order_sort(x, n);
		assert_memory_equal(x, want, n * sizeof *x);
		/* sorted already, and the wrong way round */
		order_sort(x, n);
		assert_memory_equal(x, want, n * sizeof *x);
		for (size_t i = 0; i < n; i++)
			x[i] = want[n - 1 - i];
		order_sort(x, n);
		assert_memory_equal(x, want, n * sizeof *x);
	}
}
