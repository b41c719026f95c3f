#ifndef TILE_QUESTIONS_H
#define TILE_QUESTIONS_H
#include "acquire/adaptive.h"
#include "mining/numerics/mining_init.h"
#include "tests/unit/acquire/tile_application.h"

/* The questions that the tiles of a machine answer: TEST_GROUP(make_tile_questions,
 * free_tile_questions). */
static struct machine machine;
static struct adaptive_question *question;
static size_t n_questions;

static inline int make_tile_questions(void **state)
{
	static char name[] = "testbed";

	mining_init();
	make_tiles(state);
	machine.name = name;
	must(adaptive_questions_of_space(tiles.app, tiles.row, TILE_POINTS, &question, &n_questions,
					 &err));
	return 0;
}

static inline int free_tile_questions(void **state)
{
	free(question);
	free_tiles(state);
	return 0;
}

#endif
