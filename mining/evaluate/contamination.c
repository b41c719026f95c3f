#include "mining/evaluate/contamination.h"

#include <stdbool.h>
#include <stdint.h>

#include "mining/numerics/splitmix.h"

#define MAX_FACTOR 25.0

void disturb_runs(struct dataset *runs, double share, unsigned seed)
{
	uint64_t state = seed;

	for (size_t i = 0; i < runs->n; i++) {
		bool disturbed = splitmix_uniform(&state) < share;
		double factor = 1 + (MAX_FACTOR - 1) * splitmix_uniform(&state);

		if (disturbed)
			runs->wall_s[i] *= factor;
	}
}
