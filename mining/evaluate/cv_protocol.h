#ifndef MINING_CV_PROTOCOL_H
#define MINING_CV_PROTOCOL_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/expr.h"
#include "mining/training/holdout.h"

/* What a back-test holds out: by run, so that single repeats can be held out as well as whole
 * configurations (holdout.h), and as well as what somebody chose by a condition. */
enum cv_protocol_kind {
	PROTOCOL_ROWS,	 /* 30 % of the runs, whatever else is known of their configuration */
	PROTOCOL_SPLIT,	 /* 30 % of the configurations, once */
	PROTOCOL_FOLDS,	 /* the folds of holdout.h */
	PROTOCOL_LEVELS, /* those of level_folds_make(): what has one of two left-out levels, or
			    both */
	PROTOCOL_CUT	 /* chosen conditions */
};

struct cv_protocol {
	const char *name; /* as typed, and as printed */
	const char *help; /* for people */
	enum cv_protocol_kind kind;
	enum holdout holdout;	  /* of PROTOCOL_FOLDS */
	const struct expr *train; /* of PROTOCOL_CUT, over the columns of the class */
	const struct expr *test;  /* likewise; NULL: runs for which `train` is false */
};

enum { PROTOCOL_COUNT = 7 };
extern const struct cv_protocol cv_protocol_list[PROTOCOL_COUNT];
/* NULL: there is none of this name. */
const struct cv_protocol *cv_protocol_find(const char *name);
int cv_protocol_folds(const struct cv_protocol *p);
/* Is every held-out run a truth of its own? Otherwise the median of a configuration's is. */
bool cv_protocol_tests_single_runs(const struct cv_protocol *p);

enum part { PART_NEITHER, PART_TRAIN, PART_TEST };

/* part[i] of run i. t: of the same runs. Failed runs are in neither part; a run that hit its time
 * limit is never tested, and trained on unless its configuration is held out. *possible is false
 * when nothing is left to train on or to test. seed varies the random ones. Errors: NOMEM. */
enum err_code cv_protocol_split(const struct cv_protocol *p, int fold, unsigned seed,
				const struct dataset *runs, const struct config_table *t,
				unsigned char *part, bool *possible, struct err *e);

#endif
