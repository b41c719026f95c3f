#ifndef DESK_H
#define DESK_H
#include "acquire/work_folder.h"
#include "tests/support/check.h"

/* A folder of its own for each test: TEST_WITH(f, open_desk, close_desk). */
static struct work_folder desk;

static int open_desk(void **state)
{
	must(work_folder_open(NULL, &desk, &err));
	return 0;
}

static int close_desk(void **state)
{
	work_folder_close(&desk);
	return 0;
}

#endif
