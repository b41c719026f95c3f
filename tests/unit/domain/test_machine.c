#include "tests/support/check.h"

#include "base/digest.h"
#include "domain/machine.h"
#include "tests/support/failing_allocations.h"

FREEABLE(machine)

static const char loggp[] = "loggp = { L_us = 23; o_small_us = 16; o_large_us = 36.0; "
			    "G_small_us_per_byte = 0.07; G_large_us_per_byte = 0.03; "
			    "small_max_bytes = 1024; handshake_bytes = 4096; };";

/* machine = { name = "m"; BODY }; on lines 1 and 2 */
static enum err_code parse_body(const char *body, struct machine **out, struct err *e)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_printf(&text, "machine = { name = \"m\";\n%s };", body);
	return machine_parse(strbuf_text(&text), "m.conf", out, e);
}

static void check_refused(const char *body, const char *word)
{
	struct machine *m = NULL;
	struct err e = {0};

	if (parse_body(body, &m, &e) != ERR_PARSE)
		fail_msg("this was taken: %s", body);
	assert_null(m);
	if (!strstr(e.msg, word))
		fail_msg("\"%s\" is not in \"%s\"", word, e.msg);
}

TEST(what_is_not_said_is_not_known)
{
	FREED(machine) *m = NULL;

	must(parse_body("", &m, &err));
	assert_string_equal(m->name, "m");
	assert_string_equal(m->title, "");
	assert_string_equal(m->origin, "");
	assert_false(m->simulated || m->has_loggp || m->has_loggp_local);
	assert_true(m->nodes == 0 && m->cores_per_node == 0 && m->memory_bytes_per_node == 0 &&
		    m->blocking_bytes == 0 && m->n_segment == 0);
	machine_free(NULL);
}

TEST(costs_are_given_in_microseconds_and_kept_in_seconds)
{
	FREED(machine) *m = NULL;

	must(parse_body(loggp, &m, &err));
	assert_true(m->has_loggp && !m->has_loggp_local);
	check_rel(m->loggp.L_s, 23e-6, 1e-15);
	check_rel(m->loggp.o_small_s, 16e-6, 1e-15);
	check_rel(m->loggp.o_large_s, 36e-6, 1e-15);
	check_rel(m->loggp.G_small_s_per_byte, 0.07e-6, 1e-15);
	check_rel(m->loggp.G_large_s_per_byte, 0.03e-6, 1e-15);
	assert_true(m->loggp.small_max_bytes == 1024 && m->loggp.handshake_bytes == 4096);
}

TEST(segments_are_read_in_order)
{
	FREED(machine) *m = NULL;

	must(parse_body("simulated = true; nodes = 256; cores_per_node = 16;\n"
			"memory_per_node = \"64 GiB\"; blocking_bytes = 4096; segments = (\n"
			"{ from_bytes = 0; intercept_us = 24; us_per_byte = 0.05; },\n"
			"{ from_bytes = 4096; intercept_us = -8.5; us_per_byte = 0.03; } );",
			&m, &err));
	assert_int_equal(m->n_segment, 2);
	assert_true(m->segment[1].from_bytes == 4096);
	check_rel(m->segment[1].intercept_s, -8.5e-6, 1e-15);
	check_rel(m->segment[1].s_per_byte, 0.03e-6, 1e-15);
	assert_true(m->segment[0].se_intercept_s == 0 && m->segment[0].se_s_per_byte == 0);
	assert_true(m->memory_bytes_per_node == 68719476736.0); /* 64 * 2^30 */
	assert_true(m->simulated && m->nodes == 256 && m->cores_per_node == 16);
}

TEST(costs_inside_a_node_stand_beside_those_between_nodes)
{
	struct machine *m = NULL;

	must(parse_body("overhead_us = 2.5; overhead_local_us = 0.25; blocking_local_bytes = 257;\n"
			"segments_local = (\n"
			"{ from_bytes = 0; intercept_us = 0.5; us_per_byte = 0.001; } );",
			&m, &err));
	assert_int_equal(m->n_segment, 0);
	assert_int_equal(m->n_segment_local, 1);
	check_rel(m->segment_local[0].intercept_s, 0.5e-6, 1e-15);
	check_rel(m->segment_local[0].s_per_byte, 1e-9, 1e-15);
	check_rel(m->overhead_s, 2.5e-6, 1e-15);
	check_rel(m->overhead_local_s, 0.25e-6, 1e-15);
	check_abs(m->blocking_local_bytes, 257, 0);
	check_abs(m->blocking_bytes, 0, 0);
	machine_free(m);
	check_refused(
		"segments_local = ( { from_bytes = 8; intercept_us = 1; us_per_byte = 0; } );",
		"the first segment starts at 'from_bytes = 0'");
	check_refused("overhead_us = -1;", "'overhead_us' wants a number >= 0");
	check_refused("blocking_local_bytes = 1.5;", "'blocking_local_bytes' wants a whole number");
}

TEST(a_machine_without_memory_is_none_and_says_so)
{
	const char *text =
		"machine = { name = \"m\";title = \"a\"; origin = \"b\"; nodes = 4;\n"
		"segments = ( { from_bytes = 0; intercept_us = 24; us_per_byte = 0.05; } );\n"
		"slurm = { partition = \"big\"; account = \"c\"; }; };";
	FREED(machine) *m = NULL;

	failing_each_allocation (machine_parse(text, "m.conf", &m, &err), &err)
		assert_null(m);
	assert_string_equal(m->title, "a");
	assert_string_equal(m->slurm.launcher, "srun"); /* when none is given */
	assert_int_equal(m->n_segment, 1);
}

TEST(errors_name_line_and_remedy)
{
	check_refused("node = 4;", "m.conf:2: unknown key 'node'; known here: name, title");
	check_refused("nodes = -1;", "m.conf:2: 'nodes' wants a whole number >= 0");
	check_refused("nodes = 1.5;", "wants a whole number");
	check_refused("nodes = 1e300;", "wants a whole number");
	check_refused("nodes = \"4\";", "m.conf:2: a number is wanted");
	check_refused("simulated = 1;", "true or false");
	check_refused("memory_per_node = \"64 G\";", "m.conf:2: '64 G': units of size are");
	check_refused("memory_per_node = \"64 GiB\"; memory_bytes_per_node = 1;", "say the same");
	check_refused("loggp = { L_us = 23; };", "m.conf:2: 'o_small_us' is missing");
	check_refused("loggp = { L = 23; };", "unknown key 'L'; known here: L_us");
	check_refused("loggp = 5;", "wants a group");
	check_refused("segments = { };", "list in parentheses");
	check_refused("segments = ( 5 );", "each item of 'segments' is a group");
	check_refused("segments = ( { from_bytes = 1; intercept_us = 1; us_per_byte = 1; } );",
		      "the first segment starts at");
	check_refused("segments = ( { from_bytes = 0; intercept_us = 1; us_per_byte = 1; },\n"
		      "{ from_bytes = 0; intercept_us = 1; us_per_byte = 1; } );",
		      "m.conf:3: 'from_bytes' must grow: 0 comes after 0");
	check_refused("segments = ( { from_bytes = 0; intercept_us = -1; us_per_byte = 1; } );",
		      "a message of 0 bytes would be negative");
	check_refused("segments = ( { from_bytes = 0; intercept_us = 1; us_per_byte = -1; } );",
		      "'us_per_byte' wants a number >= 0");
	check_refused("name = \"again\";", "duplicate");
}

TEST(a_handshake_below_the_small_messages_is_refused)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	char *at;

	strbuf_puts(&text, loggp);
	at = strstr(text.buf, "4096");
	memcpy(at, "0512", 4);
	check_refused(strbuf_text(&text), "'handshake_bytes' = 512 is less than");
}

TEST(a_machine_of_which_only_the_name_is_known_has_a_definition)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	struct machine *m = NULL;
	char hex[DIGEST_HEX_SIZE];

	must(machine_unknown_text("Rosa's \"new\" \\ box", &text, &err));
	must(machine_parse(strbuf_text(&text), "import", &m, &err));
	assert_string_equal(m->name, "Rosa's \"new\" \\ box");
	assert_string_equal(m->definition, strbuf_text(&text));
	digest_text(m->definition, strlen(m->definition), hex);
	assert_string_equal(m->sha256, hex);
	machine_free(m);
	assert_int_equal(machine_unknown_text("", &text, &err), ERR_ARG);
}

TEST(names_that_terminals_or_people_stumble_over_are_refused)
{
	static const struct {
		const char *name;
		const char *fault; /* NULL: fine */
	} example[] = {
		{"Rosa's new box, 2\xc3\xa9me", NULL},
		{"", "empty"},
		{"\xff", "not valid UTF-8"},
		{"a\033[31mb", "has a control character"},
		{"a\nb", "has a control character"},
		{"a\x7f", "has a control character"},
		{"a\xc2\x9b"
		 "31m",
		 "has a control character"}, /* U+009B: ESC [ in one */
		{"a\xc2\xa0"
		 "b",
		 NULL}, /* U+00A0: a no-break space */
		{" a", "begins or ends with a blank"},
		{"a ", "begins or ends with a blank"},
	};
	struct strbuf text = STRBUF_INIT;
	struct machine *m = NULL;
	char name[102];

	for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
		const char *fault = machine_name_fault(example[i].name);

		if (example[i].fault)
			assert_string_equal(fault, example[i].fault);
		else
			assert_null(fault);
	}
	memset(name, 'x', 101);
	name[101] = '\0';
	assert_string_equal(machine_name_fault(name), "longer than 100 bytes");
	name[100] = '\0';
	assert_null(machine_name_fault(name));
	must_fail(machine_parse("machine = { name = \"a\\nb\"; };", "m.conf", &m, &err), ERR_PARSE,
		  "m.conf:1: the name 'a\\x0ab': has a control character");
	assert_int_equal(machine_unknown_text("a ", &text, &err), ERR_ARG);
}

TEST(settings_for_slurm_are_optional_and_have_defaults)
{
	struct machine *m = NULL;

	must(parse_body("", &m, &err));
	assert_true(!m->slurm.partition && !m->slurm.account && m->slurm.n_option == 0 &&
		    m->slurm.n_setup == 0 && m->slurm.startup_s == 60);
	assert_string_equal(m->slurm.launcher, "srun");
	machine_free(m);
	m = NULL;
	must(parse_body("slurm = { partition = \"skx,icx\"; account = \"a-1\"; launcher = "
			"\"mpirun --map-by=core\"; options = [ \"--qos=x y\" ]; setup = [ "
			"\"module load a\", \"ulimit -s unlimited; env\" ]; startup_s = 0; };",
			&m, &err));
	assert_string_equal(m->slurm.partition, "skx,icx");
	assert_string_equal(m->slurm.account, "a-1");
	assert_string_equal(m->slurm.launcher, "mpirun --map-by=core");
	assert_int_equal(m->slurm.n_option, 1);
	assert_int_equal(m->slurm.n_setup, 2);
	assert_true(m->slurm.startup_s == 0);
	machine_free(m);
}

/* A partition is a word of a directive, a launcher one or more words of a command: neither can
 * smuggle in a line or a command. */
TEST(settings_for_slurm_cannot_be_more_than_they_are)
{
	check_refused("slurm = { queue = \"x\"; };", "unknown key 'queue'");
	check_refused("slurm = { partition = \"\"; };", "m.conf:2: 'partition' wants letters");
	check_refused("slurm = { partition = \"a b\"; };", "'partition' wants letters");
	check_refused("slurm = { partition = \"a\\n#SBATCH --nodes=9\"; };", "'partition' wants");
	check_refused("slurm = { account = \"$(id)\"; };", "'account' wants letters");
	check_refused("slurm = { launcher = \"srun; id\"; };", "'launcher' wants a command");
	check_refused("slurm = { launcher = \"srun `id`\"; };", "'launcher' wants a command");
	check_refused("slurm = { options = [ \"-N 9\" ]; };", "'-N 9' is no option of sbatch");
	check_refused("slurm = { options = [ \"--a\\nid\" ]; };", "is no option of sbatch");
	check_refused("slurm = { options = [ \"--time=9\" ]; };", "sets --time itself");
	check_refused("slurm = { options = [ \"--nodes 9\" ]; };", "sets --nodes itself");
	check_refused("slurm = { setup = [ \"a\\nb\" ]; };", "each item of 'setup' is one line");
	check_refused("slurm = { startup_s = -1; };", "'startup_s' wants seconds, 0 to 86400");
	check_refused("slurm = { startup_s = 1e9; };", "'startup_s' wants seconds, 0 to 86400");
}

TEST(the_shipped_machine_is_read_from_its_file)
{
	struct machine *m = NULL;

	must(machine_read("data/machines/sp2like.conf", &m, &err));
	assert_string_equal(m->name, "sp2like");
	assert_true(m->simulated && m->blocking_bytes == 4096);
	machine_free(m);
	assert_int_equal(machine_read("data/machines/none.conf", &m, &err), ERR_NOTFOUND);
}

/* ---- a machine as text ---- */

static char name[] = "a \"good\" one", origin[] = "measured\there";
static struct cost_segment between[] = {{1, 15.016e-6, 1e-9, 1e-9, 1e-12},
					{16384, -2.5e-6, 1.25e-9, 0, 0},
					{4294967296.0, 7, 0, 0, 0}};
static struct cost_segment inside[] = {{2, 0.121438e-6, 6.75923e-10, 0, 0}};

static struct machine made(void)
{
	return (struct machine){.name = name,
				.origin = origin,
				.simulated = true,
				.cores_per_node = 2,
				.memory_bytes_per_node = 25276502016.0,
				.segment = between,
				.n_segment = 3,
				.blocking_bytes = 16384,
				.overhead_s = 2.5e-6,
				.segment_local = inside,
				.n_segment_local = 1,
				.blocking_local_bytes = 257,
				.overhead_local_s = 0.0475e-6};
}

static void check_segments(const struct cost_segment *got, const struct cost_segment *want,
			   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		/* the first range reaches down to nothing */
		check_abs(got[i].from_bytes, i ? want[i].from_bytes : 0, 0);
		check_rel(got[i].intercept_s, want[i].intercept_s, 1e-6); /* 6 digits */
		check_abs(got[i].s_per_byte, want[i].s_per_byte, 1e-6 * want[i].s_per_byte);
	}
}

TEST(what_is_written_is_what_is_read)
{
	struct machine m = made(), *back = NULL;
	RELEASED(strbuf) text = STRBUF_INIT;

	must(machine_put_text(&m, "one line\nand \"another\"\n", &text, &err));
	assert_non_null(strstr(strbuf_text(&text), "# one line\n# and \"another\"\nmachine = {\n"));
	must(machine_parse(strbuf_text(&text), "test", &back, &err));
	assert_string_equal(back->name, name);
	assert_string_equal(back->origin, origin);
	assert_string_equal(back->title, "");
	assert_true(back->simulated && !back->has_loggp && !back->has_loggp_local);
	assert_int_equal(back->nodes, 0);
	assert_int_equal(back->cores_per_node, 2);
	check_abs(back->memory_bytes_per_node, 25276502016.0, 0);
	check_abs(back->blocking_bytes, 16384, 0);
	check_rel(back->overhead_s, 2.5e-6, 1e-12);
	assert_int_equal(back->n_segment, 3);
	check_segments(back->segment, between, 3);
	check_abs(back->blocking_local_bytes, 257, 0);
	check_rel(back->overhead_local_s, 0.0475e-6, 1e-12);
	assert_int_equal(back->n_segment_local, 1);
	check_segments(back->segment_local, inside, 1);
	machine_free(back);
}

TEST(what_is_not_known_is_not_written)
{
	struct machine m = {.name = name};
	RELEASED(strbuf) text = STRBUF_INIT;

	must(machine_put_text(&m, "", &text, &err));
	assert_string_equal(
		strbuf_text(&text),
		"machine = {\n  name = \"a \\\"good\\\" one\";\n  simulated = false;\n};\n");
}

TEST(a_name_that_is_none_is_refused)
{
	char bad[] = "two\nlines";
	struct machine m = {.name = bad};
	RELEASED(strbuf) text = STRBUF_INIT;

	must_fail(machine_put_text(&m, "", &text, &err), ERR_ARG, "has a control character");
}

TEST(without_memory_there_is_an_error)
{
	struct machine m = made();
	struct strbuf text = STRBUF_INIT;

	failing_each_allocation (machine_put_text(&m, "comment\n", &text, &err), &err)
		strbuf_release(&text);
	assert_non_null(strstr(strbuf_text(&text), "segments_local"));
	strbuf_release(&text);
}
