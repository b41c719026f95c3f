#include "cli/frame/wrapped_text.h"

#include <stdio.h>

#include "base/text_form.h"
#include "cli/frame/fold.h"

enum { LINE_WIDTH = 80 };

static size_t line_width(void)
{
	size_t given = fold_width(stdout);

	return given > 0 && given < LINE_WIDTH ? given : LINE_WIDTH;
}

void text_put_wrapped(const char *text, size_t indent, struct strbuf *out)
{
	struct strbuf safe = STRBUF_INIT, line = STRBUF_INIT;

	text_put_safe(&safe, text, false);
	strbuf_printf(&line, "%*s%s\n", safe.len ? (int)indent : 0, "", strbuf_text(&safe));
	fold_put(out, strbuf_text(&line), line_width(), 0);
	out->failed = out->failed || safe.failed || line.failed;
	strbuf_release(&line);
	strbuf_release(&safe);
}
