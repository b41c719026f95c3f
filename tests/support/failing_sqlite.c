#include "tests/support/failing_sqlite.h"

#include <stddef.h>
#include <sqlite3.h>

#include "tests/support/failing_allocations.h"

static sqlite3_mem_methods real_memory;

static void *failing_malloc(int n)
{
	return failing_now() ? NULL : real_memory.xMalloc(n);
}

static void *failing_realloc(void *p, int n)
{
	return failing_now() ? NULL : real_memory.xRealloc(p, n);
}

int failing_sqlite_set_up(void **state)
{
	sqlite3_mem_methods failing;

	(void)state;
	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory) != SQLITE_OK)
		return -1;
	failing = real_memory;
	failing.xMalloc = failing_malloc;
	failing.xRealloc = failing_realloc;
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) != SQLITE_OK)
		return -1;
	/* no store of small pieces of each connection, from which allocations could not fail */
	return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) == SQLITE_OK ? 0 : -1;
}
