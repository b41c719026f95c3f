#ifndef SUPPORT_MINING_SET_UP_H
#define SUPPORT_MINING_SET_UP_H
#include "mining/numerics/mining_init.h"

/* TEST_GROUP(mining_set_up, NULL) */
static inline int mining_set_up(void **state)
{
	(void)state;
	mining_init();
	return 0;
}

#endif
