#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"

/* Options as data. A command lists pointers to struct option_spec; parsing, help, completions and
 * tests all read that list, and a value is asked for by the same pointer: no key to misspell. */
struct option_spec {
	const char *name; /* "deadline": typed --deadline */
	char letter;	  /* 'h': typed -h; 0: none */
	const char *arg;  /* "TIME"; NULL: takes no value */
	const char
		*values;  /* "table json csv": the values there are; "FILE": any file; NULL: free */
	const char *help; /* one line, or several separated by \n */
	const char *actions; /* "list export": those of the command that take it; NULL: all */
};

/* One of them: OPTION(opt_deadline, "deadline", "TIME", .help = "90s, 15m, 1h, 1:30:00 or 2d"); arg
 * NULL: takes no value. */
#define OPTION(spec, long_name, value, ...) \
	const struct option_spec spec = {.name = (long_name), .arg = (value), __VA_ARGS__}

/* Declared once, listed by the commands that take them. */
extern const struct option_spec opt_app, opt_machine, opt_problem, opt_set, opt_deadline,
	opt_confidence, opt_max_nodes, opt_format, opt_seed, opt_max_memory, opt_allow_run,
	opt_verbose;
/* Taken by every command. */
extern const struct option_spec opt_kb, opt_quiet, opt_color, opt_help;
extern const struct option_spec *const options_global[]; /* NULL-terminated */

/* A long option that the command does not declare: --mk 10, for the application's definition. */
struct app_flag {
	const char *name;  /* "mk" */
	const char *value; /* NULL: none followed */
};

/* A parsed command line; points into argv. */
struct options {
	struct option_value {
		const struct option_spec *spec;
		const char *value; /* "" for an option without value */
	} * given;
	size_t n_given;
	struct app_flag *flag;
	size_t n_flags;
	const char **operand;
	size_t n_operands;
};

/* Parse argv[0..argc-1] (without the program's and the command's name) against the global options
 * and `own` (NULL-terminated). "--name value", "--name=value", "-h"; options and operands in any
 * order, "--" ends options, "-" is an operand. Where app_flags, an unknown --name and its value
 * are collected; otherwise it is ERR_USAGE with the nearest names. *out must be released. */
enum err_code options_parse(int argc, char **argv, const struct option_spec *const *own,
			    bool app_flags, struct options *out, struct err *e);
void options_release(struct options *o);

/* The last value given, NULL when not given. */
const char *options_get(const struct options *o, const struct option_spec *spec);
bool options_has(const struct options *o, const struct option_spec *spec);
/* Every value given, split at commas ("a,b" "c" -> a b c), NULL-terminated; one block of memory,
 * the caller frees it. *n may be NULL. Empty items are ERR_USAGE. */
enum err_code options_list(const struct options *o, const struct option_spec *spec, char ***out,
			   size_t *n, struct err *e);

/* Values that must be numbers or durations; an absent option leaves *out as it is. Errors: USAGE,
 * with the option's name. */
enum err_code options_integer(const struct options *o, const struct option_spec *spec,
			      long long min, long long max, long long *out, struct err *e);
/* --seed, 1 when absent. Commands in which nothing is random take it as well, so that scripts may
 * pass the same flags everywhere; they call this to refuse what is no seed. */
enum err_code options_seed(const struct options *o, unsigned *out, struct err *e);
enum err_code options_number(const struct options *o, const struct option_spec *spec, double min,
			     double max, double *out, struct err *e);
enum err_code options_duration(const struct options *o, const struct option_spec *spec,
			       double *out_s, struct err *e);
/* Index of the value in spec->values; an absent option leaves *out as it is. */
enum err_code options_choice(const struct options *o, const struct option_spec *spec, int *out,
			     struct err *e);

/* "; did you mean --problem?" when one of name[0..n-1] is near to typed, each shown behind prefix
 * ("--"); nothing otherwise. */
void options_suggest(const char *typed, const char *prefix, const char *const *name, size_t n,
		     struct strbuf *out);

#endif
