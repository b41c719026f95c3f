#ifndef SUPPORT_CHECK_H
#define SUPPORT_CHECK_H
/* cmocka wants these four first, in this order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Every test takes a state, and most do without. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* What tests take for granted: no file of tests includes it again. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* |got - want| <= rel * |want|; want != 0. */
#define check_rel(got, want, rel) \
	check_near_at((got), (want), fabs(want) * (rel), #got, __FILE__, __LINE__)
/* |got - want| <= abs_tol. */
#define check_abs(got, want, tol) check_near_at((got), (want), (tol), #got, __FILE__, __LINE__)

static inline void check_near_at(double got, double want, double tol, const char *what,
				 const char *file, int line)
{
	if (!(fabs(got - want) <= tol)) { /* written so that NaN fails */
		print_error("%s = %.17g, want %.17g within %g\n", what, got, want, tol);
		_fail(file, line);
	}
}

/* The error of the call that is tested. */
static struct err err __attribute__((unused));

/* A call that must succeed, must(kb_open(path, KB_READ, NULL, &kb, &err)), and one that must fail
 * with this code and a message that says this; err is cleared first. */
#define must(call) must_fail(call, ERR_OK, "")
#define must_fail(call, code, says) check_error(call, &err, code, says)
/* One whose message is this to the letter. */
#define must_say(call, code, message)                  \
	do {                                           \
		must_fail(call, code, "");             \
		assert_string_equal(err.msg, message); \
	} while (0)

/* For errors that are not `err`; check_ok() leaves what e tells already. */
#define check_ok(call, e) \
	check_error_at((int)(call), (e)->msg, ERR_OK, "", #call, __FILE__, __LINE__)
#define check_error(call, e, code, says)                                                          \
	do {                                                                                      \
		*(e) = (struct err){0};                                                           \
		check_error_at((int)(call), (e)->msg, (code), (says), #call, __FILE__, __LINE__); \
	} while (0)

static inline void check_error_at(int rc, const char *msg, int code, const char *says,
				  const char *call, const char *file, int line)
{
	if (rc != code || !strstr(msg, says)) {
		print_error("%s: %d, \"%s\"; not %d, \"%s\"\n", call, rc, msg, code, says);
		_fail(file, line);
	}
}

/* Variables of a test that end with their scope, the last one first:
 *
 *	FREED(dataset) *d = dataset_new(app);   dataset_free(d)
 *	CLOSED(kb) *kb = open_base(KB_READ);    kb_close(kb)
 *	RELEASED(strbuf) text = STRBUF_INIT;    strbuf_release(&text)
 *	HEAP double *x = zeroed(n, sizeof *x);  free(x)
 *
 * FREEABLE(dataset), or CLOSABLE(kb), is said once for each type before. Where a check fails
 * nothing ends: the test is over. */
#define FREED(type) __attribute__((cleanup(type##_free_at))) struct type
#define CLOSED(type) __attribute__((cleanup(type##_close_at))) struct type
#define RELEASED(type) __attribute__((cleanup(type##_release))) struct type
#define FREEABLE(type)                                      \
	static inline void type##_free_at(struct type **at) \
	{                                                   \
		type##_free(*at);                           \
	}
#define CLOSABLE(type)                                       \
	static inline void type##_close_at(struct type **at) \
	{                                                    \
		type##_close(*at);                           \
	}

#define HEAP __attribute__((cleanup(heap_free_at)))
static inline void heap_free_at(void *at)
{
	void *memory;

	memcpy(&memory, at, sizeof memory);
	free(memory);
}

/* calloc() that is never NULL. */
static inline void *zeroed(size_t n, size_t size)
{
	void *memory = calloc(n, size);

	assert_non_null(memory);
	return memory;
}

/* A step of a progress that interrupts. */
static inline bool stop_at_once(void *arg, const char *what, uint64_t done, uint64_t total)
{
	return false;
}

/* First in a test that valgrind cannot hold or that says nothing more under it. */
#define skip_under_valgrind(why)                                                   \
	do {                                                                       \
		if (getenv("UNDER_VALGRIND")) { /* set by `make check-valgrind` */ \
			print_message("not under valgrind: %s\n", (why));          \
			skip();                                                    \
		}                                                                  \
	} while (0)

/* A test; its name is the sentence that it proves. It adds itself to those of its program, which
 *run in the order of the file (test_main.c):
 *
 *	TEST(bad_time_is_named)
 *	{
 *		assert_int_equal(...);
 *	}
 *
 * TEST_WITH() has a set-up and a tear-down of its own, and TEST_GROUP() one for all of a file; NULL
 * is none, and *state is what the set-up made it. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down)                                                      \
	static void name(void **state);                                                         \
	__attribute__((constructor)) static void add_##name(void)                               \
	{                                                                                       \
		test_add(&(struct CMUnitTest){#name, name, set_up, tear_down, NULL}, __LINE__); \
	}                                                                                       \
	static void name(void **state)
#define TEST_GROUP(set_up, tear_down)                            \
	__attribute__((constructor)) static void add_group(void) \
	{                                                        \
		test_group(set_up, tear_down);                   \
	}

void test_add(const struct CMUnitTest *test, int line);
void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#endif
