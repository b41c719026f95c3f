/* Small changes of C sources, each of which a test should notice.
 * usage: mutate list SEED FILE...    all mutants of all files in a random order that SEED decides,
 *                                    one a line: FILE, NUMBER, LINE, KIND, BEFORE, AFTER, with tabs
 *        mutate make FILE NUMBER     the source with that change, on standard output; lines stay */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mutation/c_tokens.h"
#include "tests/mutation/mutants.h"

struct source {
	const char *path;
	char *text;
	struct mutant *mutant;
	size_t n;
};

static _Noreturn void die(const char *path, const char *why)
{
	fprintf(stderr, "mutate: %s: %s\n", path, why);
	exit(2);
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text;
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
		die(path, "cannot be read");
	text = malloc((size_t)size + 1);
	if (!text || fread(text, 1, (size_t)size, f) != (size_t)size)
		die(path, "cannot be read");
	fclose(f);
	text[size] = '\0';
	return text;
}

static struct source read_source(const char *path)
{
	struct source s = {.path = path, .text = read_text(path)};
	struct c_tokens t;

	if (!c_tokens_read(s.text, &t) || !mutants_find(&t, &s.mutant, &s.n))
		die(path, "its brackets do not match");
	free(t.token);
	return s;
}

static void free_source(struct source *s)
{
	free(s->text);
	free(s->mutant);
}

/* The bytes as one line of a table: white space of any length is one blank. */
static void put_line(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!strchr(" \t\n", text[i]))
			putchar(text[i]);
		else if (i > 0 && !strchr(" \t\n", text[i - 1]))
			putchar(' ');
	}
}

static void put_row(const struct source *s, size_t i)
{
	const struct mutant *m = &s->mutant[i];

	printf("%s\t%zu\t%zu\t%s\t", s->path, i, m->line, m->kind);
	put_line(s->text + m->at, m->len);
	printf("\t%s", m->put_before);
	if (m->keeps)
		put_line(s->text + m->at, m->len);
	printf("%s\n", m->put_after);
}

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void list(uint64_t seed, char **path, size_t n_files)
{
	struct source *s = calloc(n_files + 1, sizeof *s);
	struct place {
		size_t file, mutant;
	} * order;
	size_t n = 0;

	if (!s)
		die(path[0], "no memory");
	for (size_t f = 0; f < n_files; f++) {
		s[f] = read_source(path[f]);
		n += s[f].n;
	}
	order = calloc(n + 1, sizeof *order);
	if (!order)
		die(path[0], "no memory");
	n = 0;
	for (size_t f = 0; f < n_files; f++) {
		for (size_t m = 0; m < s[f].n; m++)
			order[n++] = (struct place){f, m};
	}
	/* Fisher and Yates; 64 bits leave no bias that could be seen in so few */
	for (size_t i = n; i > 1; i--) {
		size_t j = splitmix64(&seed) % i;
		struct place keep = order[i - 1];

		order[i - 1] = order[j];
		order[j] = keep;
	}
	for (size_t i = 0; i < n; i++)
		put_row(&s[order[i].file], order[i].mutant);
	for (size_t f = 0; f < n_files; f++)
		free_source(&s[f]);
	free(s);
	free(order);
}

static void make(const char *path, const char *number)
{
	struct source s = read_source(path);
	size_t i = strtoul(number, NULL, 10), end;
	const struct mutant *m;

	if (i >= s.n)
		die(path, "has not so many mutants");
	m = &s.mutant[i];
	end = m->at + m->len;
	fwrite(s.text, 1, m->at, stdout);
	fputs(m->put_before, stdout);
	/* what goes leaves its lines: assertions name theirs */
	for (size_t at = m->at; at < end; at++) {
		if (m->keeps || s.text[at] == '\n')
			putchar(s.text[at]);
	}
	fputs(m->put_after, stdout);
	fputs(s.text + end, stdout);
	free_source(&s);
}

int main(int argc, char **argv)
{
	if (argc >= 4 && strcmp(argv[1], "list") == 0) {
		list(strtoull(argv[2], NULL, 10), argv + 3, (size_t)argc - 3);
	} else if (argc == 4 && strcmp(argv[1], "make") == 0) {
		make(argv[2], argv[3]);
	} else {
		fputs("usage: mutate list SEED FILE...\n       mutate make FILE NUMBER\n", stderr);
		return 2;
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
