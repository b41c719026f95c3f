#ifndef MINING_MINE_STEPS_H
#define MINING_MINE_STEPS_H
#include "base/err.h"
#include "base/progress.h"
#include "domain/findings.h"
#include "domain/rule.h"
#include "mining/predictor/predictor.h"
#include "mining/cases/slowdown_table.h"

/* What the miners read: runs is the dataset that t was made of. machine NULL: several, and no time
 * rules. base (may be NULL): what time rules are to better. */
struct mine_input {
	const struct dataset *runs;
	const struct slowdown_table *t;
	const char *machine;
	const struct predictor *base;
};

/* Runs every miner on the input, two at a time, and adds what they find to findings and rules, in
 * an order that does not depend on the threads. After an error or an interruption both are to be
 * released. Errors: NOMEM, INTERRUPTED. */
enum err_code mine_steps(const struct mine_input *in, const struct progress *p,
			 struct findings *findings, struct rule_list *rules, struct err *e);

#endif
