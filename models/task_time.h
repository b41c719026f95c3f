#ifndef MODELS_TASK_TIME_H
#define MODELS_TASK_TIME_H
#include "base/err.h"
#include "domain/task_description.h"
#include "models/memory_hierarchy.h"

/* The time of a task from what it did to the memory hierarchy:
 *
 *   cycles = instructions / instructions per cycle + sum over levels of misses * miss cycles
 *
 * (Hennessy and Patterson, "Computer Architecture", the CPU time equation with memory stalls.)
 * Nothing overlaps: a processor that hides a part of its misses is described by fewer cycles. */
struct task_time {
	double time_s;
	double issue_s; /* time without misses */
	double miss_s;	/* of caches */
	double tlb_s;
	/* Misses / data accesses (reads and writes); NaN without any, and for a TLB that there is
	 * not. As cachegrind does, LL is related to all data accesses, too. */
	double D1_miss_rate, LL_miss_rate, tlb_miss_rate;
};

struct task_time task_time_of(const struct memory_counts *counts, const struct memory_shape *shape,
			      const struct task_processor *processor);

#endif
