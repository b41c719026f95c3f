#include "models/task_time.h"

#include <math.h>

static double data(const uint64_t by_kind[ACCESS_KINDS])
{
	return (double)by_kind[ACCESS_READ] + (double)by_kind[ACCESS_WRITE];
}

struct task_time task_time_of(const struct memory_counts *counts, const struct memory_shape *shape,
			      const struct task_processor *processor)
{
	const struct task_processor *p = processor;
	double instructions = (double)counts->access[ACCESS_INSTRUCTION];
	double accesses = data(counts->access);
	double miss_cycles = (double)counts->l1_miss[ACCESS_INSTRUCTION] * p->I1_miss_cycles +
			     data(counts->l1_miss) * p->D1_miss_cycles;
	struct task_time t = {0};

	for (size_t i = 0; i < shape->n_shared; i++) {
		const uint64_t *miss = counts->shared_miss[i];

		miss_cycles +=
			((double)miss[ACCESS_INSTRUCTION] + data(miss)) * p->shared_miss_cycles[i];
	}
	t.issue_s = instructions / p->instructions_per_cycle / p->clock_hz;
	t.miss_s = miss_cycles / p->clock_hz;
	t.tlb_s = data(counts->tlb_miss) * p->tlb_miss_cycles / p->clock_hz;
	t.time_s = t.issue_s + t.miss_s + t.tlb_s;
	t.D1_miss_rate = data(counts->l1_miss) / accesses;
	t.LL_miss_rate = data(counts->shared_miss[shape->n_shared - 1]) / accesses;
	t.tlb_miss_rate = shape->tlb.entries > 0 ? data(counts->tlb_miss) / accesses : (double)NAN;
	return t;
}
