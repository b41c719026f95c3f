#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H
#include "base/err.h"
#include "base/strbuf.h"

/* Drawing by gnuplot, an optional program that is looked for when a picture is asked for. */

/* Can a file of this name be drawn? By its ending: .svg, .png or .pdf, and .gp for the script
 * itself, which needs no gnuplot here. Errors: USAGE (any other: says which there are). */
enum err_code gnuplot_check(const char *path, struct err *e);

/* Draw the script, which sets no terminal and no output, into a file, which is written only once
 * gnuplot has succeeded. Errors: USAGE, IO (no gnuplot: says what to do instead; the file cannot be
 * written), NOMEM. */
enum err_code gnuplot_draw(const char *path, const char *script, struct err *e);

/* A text in a script, in single quotes; control characters become blanks. */
void gnuplot_put_text(const char *text, struct strbuf *out);

#endif
