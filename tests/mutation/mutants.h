#ifndef MUTATION_MUTANTS_H
#define MUTATION_MUTANTS_H
#include <stdbool.h>
#include <stddef.h>

#include "tests/mutation/c_tokens.h"

/* One small change of a source: len bytes at `at` become put_before, themselves if they are kept,
 * put_after. A removed statement leaves its semicolon. */
struct mutant {
	const char *kind;
	size_t line;
	size_t at, len;
	bool keeps;
	const char *put_before, *put_after;
};

/* All of a source, in its order. Left alone, because no test could tell: comments, texts,
 * preprocessor lines, assertions, {0}, the sizes of arrays, and how much more than needed is
 * allocated. false: no memory. The caller frees *out. */
bool mutants_find(const struct c_tokens *t, struct mutant **out, size_t *n);
#endif
