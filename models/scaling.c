#include "models/scaling.h"

#include <math.h>

struct scaling scaling_find(const int64_t *procs, const double *time_s, size_t n)
{
	struct scaling s = {.fastest = procs[0]};
	size_t last_gain = 0, i_fastest = 0;

	for (size_t i = 1; i < n; i++) {
		double doublings = log2((double)procs[i] / (double)procs[i - 1]);

		if (time_s[i] <= pow(1 - SCALING_LEAST_GAIN, doublings) * time_s[i - 1])
			last_gain = i;
		if (time_s[i] < time_s[i_fastest])
			i_fastest = i;
	}
	s.fastest = procs[i_fastest];
	if (last_gain + 1 < n)
		s.stops_at = procs[last_gain];
	if (i_fastest + 1 < n && time_s[i_fastest + 1] > time_s[i_fastest])
		s.rises_at = procs[i_fastest + 1];
	return s;
}

int64_t scaling_efficient_to(const int64_t *procs, const double *efficiency, size_t n, double least)
{
	int64_t last = 0;

	for (size_t i = 0; i < n && efficiency[i] >= least; i++)
		last = procs[i];
	return last;
}
