#ifndef TESTS_SUPPORT_FAILING_SQLITE_H
#define TESTS_SUPPORT_FAILING_SQLITE_H

/* From now on SQLite's allocations are among those that fail (failing_allocations.h). A set-up
 * function of cmocka, to be called before SQLite is first used. Of its allocations there are many,
 * and it can do without some: failing_each_place_tolerated() goes with it. */
int failing_sqlite_set_up(void **state);

#endif
