#include "tests/support/check.h"

#include <inttypes.h>

#include "acquire/address_trace.h"
#include "acquire/launch.h"
#include "acquire/work_folder.h"

FREEABLE(memory_hierarchy)

static const struct memory_shape small = {
	.I1 = {1024, 1, 32},
	.D1 = {2048, 4, 64},
	.shared = {{16384, 16, 32}},
	.n_shared = 1,
};

static struct memory_hierarchy *hierarchy(const struct memory_shape *s)
{
	struct memory_hierarchy *m = NULL;

	must(memory_hierarchy_new(s, &m, &err));
	return m;
}

/* Replay a text of our own. */
static enum err_code replay(const char *text, struct memory_hierarchy *m, struct err *e)
{
	struct work_folder folder = {0};
	char path[4096];
	enum err_code rc;

	check_ok(work_folder_open(NULL, &folder, e), e);
	check_ok(work_folder_write(&folder, "trace", text, e), e);
	snprintf(path, sizeof path, "%s/trace", strbuf_text(&folder.path));
	rc = address_trace_replay(path, m, NULL, e);
	work_folder_close(&folder);
	return rc;
}

TEST(each_kind_of_line_is_counted_and_a_modify_is_a_read)
{
	FREED(memory_hierarchy) *m = hierarchy(&small);
	const struct memory_counts *c = memory_hierarchy_counts(m);

	must(replay("==123== Lackey, an example Valgrind tool\n\nI  04001000,3\n"
		    " L 1ffefffe10,8\n S 1ffefffe18,8\n M 1ffefffe14,4\n==123== done",
		    m, &err));
	assert_int_equal(c->access[ACCESS_INSTRUCTION], 1);
	assert_int_equal(c->access[ACCESS_READ], 2);
	assert_int_equal(c->access[ACCESS_WRITE], 1);
	assert_int_equal(c->l1_miss[ACCESS_READ], 1); /* 0x...10 to 0x...1f: one line */
}

TEST(the_last_line_counts_without_its_end)
{
	FREED(memory_hierarchy) *m = hierarchy(&small);

	must(replay(" S 10,8", m, &err));
	assert_int_equal(memory_hierarchy_counts(m)->access[ACCESS_WRITE], 1);
}

TEST(what_is_no_trace_is_refused_with_its_line)
{
	static const char *const bad[] = {
		"X 10,8\n",
		" L 10\n",
		" L ,8\n",
		" L 10,\n",
		" L 10,8 \n",
		" L 11112222333344445,8\n",
		" L 10,1234567890\n",
		" L -10,8\n",
		"I\n",
		"  \n",
		"\x1b[31m\n",
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		FREED(memory_hierarchy) *m = hierarchy(&small);
		char text[256];
		struct err e = {0};

		snprintf(text, sizeof text, "I  04001000,3\n%s L 10,8\n", bad[i]);
		if (replay(text, m, &e) != ERR_PARSE || !strstr(e.msg, "trace:2: "))
			fail_msg("case %zu: \"%s\"", i, e.msg);
	}
}

TEST(a_file_without_accesses_or_that_is_not_there_is_an_error)
{
	FREED(memory_hierarchy) *m = hierarchy(&small);

	must_fail(replay("==1== nothing\n", m, &err), ERR_PARSE, "no access at all");
	assert_int_equal(address_trace_replay("/nonexistent", m, NULL, &err), ERR_PARSE);
}

/* ---- against cachegrind ---- */

/* valgrind's tool on a program that does the same each time; what it prints goes nowhere. */
static void run_tool(const struct work_folder *folder, const char *const *options, size_t n)
{
	const char *argv[16] = {"valgrind", "--command-line-only=yes"};
	struct launch job = {.argv = argv, .folder = strbuf_text(&folder->path), .limit_s = 600};
	struct launch_end end;

	for (size_t i = 0; i < n; i++)
		argv[2 + i] = options[i];
	argv[2 + n] = "cksum";
	argv[3 + n] = "input";
	must(launch_run(&job, &end, &err));
	must(launch_check(&job, &end, &err));
}

/* Cachegrind's summary: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw. */
static void cachegrind_counts(const struct work_folder *folder, const struct memory_shape *s,
			      char *out, size_t size)
{
	const struct cache_shape *shape[] = {&s->I1, &s->D1, &s->shared[0]};
	const char *options[6] = {"--tool=cachegrind", "--cache-sim=yes",
				  "--cachegrind-out-file=counts"};
	RELEASED(strbuf) text = STRBUF_INIT;
	char cache[3][100];
	const char *summary;

	for (int i = 0; i < 3; i++) {
		snprintf(cache[i], sizeof cache[i], "--%s=%" PRIu64 ",%" PRIu64 ",%" PRIu64,
			 i == 0	  ? "I1"
			 : i == 1 ? "D1"
				  : "LL",
			 shape[i]->size_bytes, shape[i]->associativity, shape[i]->line_bytes);
		options[3 + i] = cache[i];
	}
	run_tool(folder, options, 6);
	must(work_folder_read(folder, "counts", SIZE_MAX, &text, &err));
	summary = strstr(strbuf_text(&text), "summary: ");
	assert_non_null(summary);
	snprintf(out, size, "%s", summary);
	out[strcspn(out, "\n")] = '\0';
}

static void our_counts(const struct work_folder *folder, const struct memory_shape *s, char *out,
		       size_t size)
{
	FREED(memory_hierarchy) *m = hierarchy(s);
	const struct memory_counts *c = memory_hierarchy_counts(m);
	RELEASED(strbuf) text = STRBUF_INIT;
	char path[4096];

	snprintf(path, sizeof path, "%s/trace", strbuf_text(&folder->path));
	must(address_trace_replay(path, m, NULL, &err));
	strbuf_puts(&text, "summary:");
	for (int k = 0; k < ACCESS_KINDS; k++)
		strbuf_printf(&text, " %" PRIu64 " %" PRIu64 " %" PRIu64, c->access[k],
			      c->l1_miss[k], c->shared_miss[0][k]);
	snprintf(out, size, "%s", strbuf_text(&text));
}

/* Two runs that see the same, lackey's and cachegrind's: do they have the same misses? */
static bool agree(const struct work_folder *folder, const struct memory_shape *s, char *ours,
		  char *theirs, size_t size)
{
	static const char *const lackey[] = {"--tool=lackey", "--trace-mem=yes",
					     "--basic-counts=no", "--log-file=trace"};

	run_tool(folder, lackey, 4);
	our_counts(folder, s, ours, size);
	cachegrind_counts(folder, s, theirs, size);
	return !strcmp(ours, theirs);
}

/* lackey and cachegrind instrument the same events, and valgrind lays out a program without regard
 * to address space randomisation: two runs of a program whose work depends on nothing else (neither
 * time nor process id) have the same addresses. sweep_task prints its time, so it is not such a
 * one. What is left is the dynamic linker, which looks up a few of the random bytes that the system
 * gives each process in a table: hardly ever a line more or less, so a pair that differs is tried
 * again. Lines of 16 bytes are ours alone: cachegrind wants 32. */
TEST(misses_are_those_of_cachegrind_on_the_same_trace_to_the_last_one)
{
	static const struct memory_shape shapes[] = {
		{.I1 = {1024, 1, 32},
		 .D1 = {2048, 4, 64},
		 .shared = {{16384, 16, 32}},
		 .n_shared = 1},
		{.I1 = {32768, 8, 64},
		 .D1 = {49152, 12, 64},
		 .shared = {{1048576, 16, 64}},
		 .n_shared = 1},
		{.I1 = {1024, 1, 32},
		 .D1 = {1024, 32, 32},
		 .shared = {{8192, 128, 64}},
		 .n_shared = 1},
	};
	struct work_folder folder = {0};
	RELEASED(strbuf) input = STRBUF_INIT;

	skip_under_valgrind("valgrind does not run itself");
	if (!launch_can_find("valgrind")) {
		print_message("SKIPPED: there is no valgrind to compare with\n");
		skip();
	}
	must(work_folder_open(NULL, &folder, &err));
	for (int i = 0; i < 3000; i++)
		strbuf_printf(&input, "%d\n", i * i);
	must(work_folder_write(&folder, "input", strbuf_text(&input), &err));
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		char ours[512], theirs[512];
		int tries = 5;

		while (!agree(&folder, &shapes[i], ours, theirs, sizeof ours) && --tries > 0)
			;
		assert_string_equal(ours, theirs);
	}
	work_folder_close(&folder);
}
