#ifndef TESTS_RECOMMEND_SHARED_WORLD_H
#define TESTS_RECOMMEND_SHARED_WORLD_H
#include "tests/unit/recommend/world.h"

/* One world for all tests of a file, with TEST_GROUP(world_set_up, world_tear_down). */
static struct world world;

static inline int world_set_up(void **state)
{
	world_open(&world);
	return 0;
}

static inline int world_tear_down(void **state)
{
	world_close(&world);
	return 0;
}

#endif
