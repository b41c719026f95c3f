#ifndef MODELS_INSTRUCTION_PIPELINE_H
#define MODELS_INSTRUCTION_PIPELINE_H
#include "base/err.h"
#include "domain/instruction_loop.h"

/* Cycles per iteration of a loop, long after its begin, by following each instruction: the
 * instruction-driven simulation with instruction-level parallelism of POEMS (WOSP 1998, section
 * 4.4), on a processor as in Hennessy and Patterson, "Computer Architecture", limits of
 * instruction-level parallelism. In each cycle
 *   - at most issue_width instructions that are complete leave the window, the oldest first;
 *   - at most issue_width enter it, in the order of the program, as long as there is room;
 *   - those in it start whose sources are complete and whose unit has a place free, the oldest
 *     first; in_order: until one cannot.
 * An instruction is complete `latency` cycles after its start. Registers are renamed: only sources
 * make an instruction wait. Branches are foretold, instructions are always there, and a load takes
 * its kind's latency: misses are for whoever counts them.
 *
 * Measured from the time when the window has filled over at least 64 iterations; what does not
 * divide is an error of at most one of its periods in these. Errors: NOMEM. */
enum err_code instruction_loop_cycles(const struct instruction_loop *l, double *cycles,
				      struct err *e);

#endif
