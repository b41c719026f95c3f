#include "cli/frame/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/whole_file.h"

extern char **environ;

/* noenhanced: mk_2 is no subscript. */
static const struct format {
	const char *ending;
	const char *terminal; /* NULL: the script itself */
} formats[] = {
	{".svg", "set terminal svg size 860,560 noenhanced background rgb 'white'\n"},
	{".png", "set terminal pngcairo size 860,560 noenhanced\n"},
	{".pdf", "set terminal pdfcairo size 17cm,11cm noenhanced\n"},
	{".gp", NULL},
};
enum { N_FORMATS = sizeof formats / sizeof formats[0] };

static const struct format *format_of(const char *path)
{
	size_t length = strlen(path);

	for (int i = 0; i < N_FORMATS; i++) {
		size_t n = strlen(formats[i].ending);

		if (length > n && !strcmp(path + length - n, formats[i].ending))
			return &formats[i];
	}
	return NULL;
}

enum err_code gnuplot_check(const char *path, struct err *e)
{
	if (format_of(path))
		return ERR_OK;
	return err_set(e, ERR_USAGE,
		       "%s: the ending of a plot's name says its format: .svg, .png, .pdf, or .gp "
		       "for the gnuplot script",
		       path);
}

/* Run gnuplot from one file to the other. Files, not pipes: gnuplot may stop reading while it
 * writes, and neither side then waits for the other. */
static enum err_code run(FILE *script, FILE *picture, const char *path, struct err *e)
{
	static char name[] = "gnuplot";
	char *argv[] = {name, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status, failed;

	if (posix_spawn_file_actions_init(&actions))
		return err_set(e, ERR_NOMEM, "starting gnuplot");
	failed = posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, fileno(picture), 1);
	if (!failed)
		failed = posix_spawnp(&pid, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed == ENOENT)
		return err_set(
			e, ERR_IO,
			"%s was not drawn: gnuplot is not installed (Debian: gnuplot-nox). A "
			"name that ends in .gp gets the script for it, to be drawn elsewhere",
			path);
	if (failed)
		return err_set(e, ERR_IO, "%s was not drawn: gnuplot: %s", path, strerror(failed));
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return err_set(e, ERR_IO, "waiting for gnuplot: %s", strerror(errno));
	}
	if (status != 0)
		return err_set(e, ERR_IO, "%s was not drawn: gnuplot failed", path);
	return ERR_OK;
}

static enum err_code copy(FILE *from, const char *path, struct err *e)
{
	struct whole_file *to = NULL;
	char block[4096];
	size_t n;
	enum err_code rc = whole_file_open(path, WHOLE_FILE_REPLACES, &to, e);

	if (rc)
		return rc;
	rewind(from);
	while ((n = fread(block, 1, sizeof block, from)) > 0)
		fwrite(block, 1, n, whole_file_stream(to));
	if (!ferror(from))
		return whole_file_commit(to, e);
	rc = err_set(e, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	whole_file_abandon(to);
	return rc;
}

static enum err_code draw(FILE *script, FILE *picture, const struct format *format,
			  const char *text, const char *path, struct err *e)
{
	enum err_code rc;

	if (!script || !picture)
		return err_set(e, ERR_IO, "no temporary file for %s: %s", path, strerror(errno));
	if (format->terminal)
		fputs(format->terminal, script);
	fputs(text, script);
	if (fflush(script) != 0)
		return err_set(e, ERR_IO, "a temporary file for %s: %s", path, strerror(errno));
	if (!format->terminal)
		return copy(script, path, e);
	rewind(script);
	if ((rc = run(script, picture, path, e)))
		return rc;
	return copy(picture, path, e);
}

enum err_code gnuplot_draw(const char *path, const char *script, struct err *e)
{
	const struct format *format = format_of(path);
	FILE *text, *picture;
	enum err_code rc;

	if (!format)
		return gnuplot_check(path, e);
	text = tmpfile();
	picture = tmpfile();
	rc = draw(text, picture, format, script, path, e);
	if (text)
		fclose(text);
	if (picture)
		fclose(picture);
	return rc;
}

void gnuplot_put_text(const char *text, struct strbuf *out)
{
	strbuf_putc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_putc(out, '\'');
		strbuf_putc(out, (unsigned char)*text < ' ' ? ' ' : *text);
	}
	strbuf_putc(out, '\'');
}
