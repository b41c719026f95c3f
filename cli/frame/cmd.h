#ifndef CLI_CMD_H
#define CLI_CMD_H
#include <stdio.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "cli/frame/options.h"

/* The commands, in the order of `lemnos help`. This list and the struct cmd that each
 * cli/ROOM/cmd_NAME.c defines feed dispatch, help, completions, man page checks and tests: adding a
 * command is one file and one word here. */
#define CMD_MAP(X)   \
	X(init)      \
	X(ingest)    \
	X(imports)   \
	X(apps)      \
	X(machines)  \
	X(runs)      \
	X(mine)      \
	X(rules)     \
	X(predict)   \
	X(recommend) \
	X(explain)   \
	X(advice)    \
	X(evaluate)  \
	X(model)     \
	X(acquire)   \
	X(calibrate) \
	X(status)    \
	X(completions)

struct context;

/* How main opens the knowledge base before run is called. */
enum cmd_needs {
	NEEDS_NOTHING, /* not at all; run may call context_open_kb() itself */
	NEEDS_KB_READ,
	NEEDS_KB_WRITE,
	NEEDS_KB_CREATE,
	NEEDS_KB_INSPECT /* also one that somebody else changed */
};

enum { OPERANDS_ANY = -1 };

/* One thing a command does. A command with subcommands has several actions; the first is also done
 * when no operand follows. */
struct action {
	const char *name;     /* "undo"; NULL: the command itself, the only action */
	const char *synopsis; /* what follows the command (and the action's name): "ID..." */
	const char *summary;  /* one line for help; NULL for an only action */
	int min_operands, max_operands; /* after the action's name */
	enum cmd_needs needs;
	/* Returns ERR_OK (exit 0), or an error. Main prints its message, unless that is empty: then
	 * the command has said all there is to say and only the exit status counts (predict with
	 * invalid rows: ERR_PARSE; the honest no: ERR_INFEASIBLE). */
	enum err_code (*run)(struct context *c, struct err *e);
};

struct cmd {
	const char *name;
	const char *summary;			  /* one line in `lemnos help`, no full stop */
	const char *description;		  /* paragraphs for `lemnos help NAME` */
	void (*put_more)(FILE *f);		  /* a section of its help; NULL: none */
	const char *examples;			  /* command lines, one a line; NULL: none */
	const struct option_spec *const *options; /* its own, NULL-terminated; may be NULL */
	const struct action *action;
	size_t n_actions;
	const char
		*less_memory; /* of a command with --max-memory: how to need less, "ask about..." */
	/* "add remove": actions that print no table, and take no --format; NULL: none. */
	const char *plain_actions;
	bool app_flags; /* takes the flags of the application's definition: --mk 10, --grid 8x16 */
};

#define CMD_DECLARE(name) extern const struct cmd cmd_##name;
CMD_MAP(CMD_DECLARE)
#undef CMD_DECLARE

extern const struct cmd *const cmd_table[];
extern const size_t cmd_table_size;

/* NULL: no such command. */
const struct cmd *cmd_find(const char *name);
/* The action that operands ask for: *n_skip is 1 when operand[0] names it, else 0. Operands are
 * counted. Errors: USAGE. */
enum err_code cmd_find_action(const struct cmd *cmd, const struct options *o,
			      const struct action **out, size_t *n_skip, struct err *e);

#endif
