#include "tests/support/check.h"

#include "acquire/command_words.h"
#include "tests/support/failing_allocations.h"

/* The words, each in < >. */
static void check_words(const char *text, const char *want)
{
	char **word = NULL, got[256] = "";
	size_t n = 77, n_seen = 0;

	must(command_words(text, "--launch", &word, &n, &err));
	for (; word[n_seen]; n_seen++) {
		size_t at = strlen(got);

		snprintf(got + at, sizeof got - at, "<%s>", word[n_seen]);
	}
	assert_string_equal(got, want);
	assert_int_equal(n, n_seen);
	free(word);
}

/* What sh -c 'printf "<%s>" ...' prints. */
TEST(words_are_those_of_a_shell)
{
	check_words("", "");
	check_words(" \t\n ", "");
	check_words("srun -n 2", "<srun><-n><2>");
	check_words("  a\tb\n c ", "<a><b><c>");
	check_words("ssh 'a node' mpirun", "<ssh><a node><mpirun>");
	check_words("a'b c'd\"e f\"", "<ab cde f>");
	check_words("'' \"\"", "<><>");
	check_words("'a\\b\"c' \"a'b\"", "<a\\b\"c><a'b>");
	check_words("a\\ b \\'c \\\\", "<a b><'c><\\>");
	check_words("\"a\\\"b\\\\c\"", "<a\"b\\c>");
	check_words("\"a\\nb\"", "<a\\nb>");
}

TEST(nothing_is_expanded)
{
	check_words("$HOME * ~ `ls` $(ls) a|b;c>d &", "<$HOME><*><~><`ls`><$(ls)><a|b;c>d><&>");
	check_words("\"$x\"", "<$x>");
}

TEST(what_does_not_end_is_an_error)
{
	char **word = NULL;

	must_say(command_words("a 'b", "--launch", &word, NULL, &err), ERR_USAGE,
		 "--launch: a ' has no end");
	must_say(command_words("a \"b'", "--launch", &word, NULL, &err), ERR_USAGE,
		 "--launch: a \" has no end");
	must_say(command_words("a\\", "--launch", &word, NULL, &err), ERR_USAGE,
		 "--launch: it ends with a backslash");
	assert_null(word);
}

TEST(without_memory_there_is_an_error)
{
	char **word = NULL;

	failing_each_allocation (command_words("a b", "--launch", &word, NULL, &err), &err)
		assert_null(word);
	assert_string_equal(word[1], "b");
	free(word);
}
