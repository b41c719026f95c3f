#ifndef CLI_RULE_KEYS_H
#define CLI_RULE_KEYS_H
#include <stdbool.h>
#include <termios.h>
#include "base/err.h"
#include "base/strbuf.h"

/* Single keys from the terminal on standard input. Between rule_keys_open() and _close() it is in
 * raw mode: nothing is echoed, a key need not be followed by Return, and ^C is a key like others,
 * so that no signal can end the program before the terminal is as it was. */
struct rule_keys {
	struct termios before;
	bool raw;
};

enum { KEY_END = -1 }; /* end of input, the terminal went away */

/* Errors: USAGE (standard input or output is no terminal), IO. */
enum err_code rule_keys_open(struct rule_keys *k, struct err *e);
/* May be called at any time, also twice. */
void rule_keys_close(struct rule_keys *k);
/* The next key; the sequences that arrow and function keys send are passed over. Errors:
 * INTERRUPTED (^C, or a signal). */
enum err_code rule_keys_next(struct rule_keys *k, int *key, struct err *e);
/* A line of text, edited as the terminal does it; empty: none was wanted. Errors: INTERRUPTED. */
enum err_code rule_keys_line(struct rule_keys *k, struct strbuf *line, struct err *e);

#endif
