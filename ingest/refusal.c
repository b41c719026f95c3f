#include "ingest/refusal.h"

void refusal_begin(struct refusal *r, const char *column, const char *value, const char *kind)
{
	r->column = column ? column : "";
	r->value = value ? value : "";
	r->ends_import = false;
	strbuf_clear(&r->kind);
	strbuf_clear(&r->reason);
	if (kind && *r->column)
		strbuf_printf(&r->kind, "%s: ", r->column);
	if (kind)
		strbuf_puts(&r->kind, kind);
}

void refusal_release(struct refusal *r)
{
	strbuf_release(&r->kind);
	strbuf_release(&r->reason);
}
