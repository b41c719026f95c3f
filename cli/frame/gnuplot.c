#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): memfd_create(), pipe2() */
#include "cli/frame/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole_file.h"

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

/* In memory where that can be, so that a full disk is no matter. */
static FILE *script_file(void)
{
	int fd = memfd_create("plot", MFD_CLOEXEC);
	FILE *f = fd >= 0 ? fdopen(fd, "w+") : tmpfile();

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static enum err_code spawn(FILE *script, int output, const char *path, pid_t *pid, struct err *e)
{
	static char name[] = "gnuplot";
	char *argv[] = {name, NULL};
	posix_spawn_file_actions_t actions;
	int failed;

	if (posix_spawn_file_actions_init(&actions))
		return err_set(e, ERR_NOMEM, "starting gnuplot");
	failed = posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, output, 1);
	if (!failed)
		failed = posix_spawnp(pid, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed == ENOENT)
		return err_set(
			e, ERR_IO,
			"%s was not drawn: gnuplot is not installed (Debian: gnuplot-nox). A "
			"name that ends in .gp gets the script for it, to be drawn elsewhere",
			path);
	if (failed)
		return err_set(e, ERR_IO, "%s was not drawn: gnuplot: %s", path, strerror(failed));
	return ERR_OK;
}

/* Until gnuplot ends, or what it says cannot be written. The number of bytes. */
static size_t take_picture(int from, FILE *to)
{
	char block[4096];
	size_t n = 0;

	while (!ferror(to)) {
		ssize_t now = read(from, block, sizeof block);

		if (now == 0 || (now < 0 && errno != EINTR))
			break;
		if (now > 0)
			n += fwrite(block, 1, (size_t)now, to);
	}
	return n;
}

/* The script comes from a file and the picture goes through a pipe: gnuplot may stop reading while
 * it writes, and neither side then waits for the other; and what it writes is nowhere cut short
 * without our knowing, as it would be in a file on a full disk: gnuplot's status is 0 then. */
static enum err_code run(FILE *script, FILE *picture, const char *path, struct err *e)
{
	int ends[2], status = 0;
	size_t n;
	pid_t pid = -1;
	enum err_code rc;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set(e, ERR_IO, "%s was not drawn: %s", path, strerror(errno));
	rc = spawn(script, ends[1], path, &pid, e);
	close(ends[1]);
	n = rc ? 0 : take_picture(ends[0], picture);
	close(ends[0]);
	if (rc)
		return rc;
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return err_set(e, ERR_IO, "waiting for gnuplot: %s", strerror(errno));
	}
	if (status != 0 || n == 0)
		return err_set(e, ERR_IO, "%s was not drawn: gnuplot %s", path,
			       status != 0 ? "failed" : "drew nothing");
	return ERR_OK;
}

static enum err_code draw(const char *terminal, const char *text, FILE *picture, const char *path,
			  struct err *e)
{
	FILE *script = script_file();
	enum err_code rc = ERR_OK;

	if (!script)
		return err_set(e, ERR_IO, "no temporary file for %s: %s", path, strerror(errno));
	if (fputs(terminal, script) == EOF || fputs(text, script) == EOF || fflush(script) != 0)
		rc = err_set(e, ERR_IO, "a temporary file for %s: %s", path, strerror(errno));
	rewind(script);
	if (!rc)
		rc = run(script, picture, path, e);
	fclose(script);
	return rc;
}

enum err_code gnuplot_draw(const char *path, const char *script, struct err *e)
{
	const struct format *format = format_of(path);
	struct whole_file *to = NULL;
	struct err why = {0};
	FILE *picture;
	enum err_code rc;

	if (!format)
		return gnuplot_check(path, e);
	if ((rc = whole_file_open(path, WHOLE_FILE_REPLACES, &to, e)))
		return rc;
	picture = whole_file_stream(to);
	if (!format->terminal)
		fputs(script, picture);
	else
		rc = draw(format->terminal, script, picture, path, &why);
	/* That it could not be written explains all else. */
	if (!rc || ferror(picture))
		return whole_file_commit(to, e);
	whole_file_abandon(to);
	return err_set(e, rc, "%s", why.msg);
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
