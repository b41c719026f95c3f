#ifndef DOMAIN_INSTRUCTION_LOOP_READ_H
#define DOMAIN_INSTRUCTION_LOOP_READ_H
#include "domain/conf.h"
#include "domain/instruction_loop.h"

/* Private to domain/: the group `pipeline` of a processor,
 *
 *   { issue_width = 4; window = 128; in_order = false;
 *     units = ( { name = "load"; per_cycle = 2; }, ... );
 *     kinds = ( { name = "ld"; unit = "load"; latency = 5; occupies = 1; }, ... );
 *     loop = [ "ld x = p", "fma s = x y s", "st = s p" ]; }
 *
 * in which an instruction is KIND RESULTS = SOURCES; names of results and sources are anything
 * without a space. A source that no instruction of the loop makes is there from the start. As all
 * readers of conf.h: NULL after an error, which c has. */
struct instruction_loop *instruction_loop_read(struct conf *c, const config_setting_t *g);

#endif
