#include "api/advice_answer.h"

#include <jansson.h>

#include "api/json_text.h"
#include "api/advice_json.h"

/* Remembering must not keep anybody waiting: a writer who is at it longer than this wins. */
enum { KEEP_WAIT_MS = 500 };

enum err_code advice_answer_find(const struct advice_question *q, size_t n_next,
				 struct advice_answer *out, struct err *e)
{
	struct advice_answer a = {0};
	enum err_code rc;

	if ((rc = advice_find(&q->request, &a.advice, e)) ||
	    (rc = advice_request_json(q, &a.request, e)) ||
	    (rc = next_answer_ask(a.request, n_next, e)) ||
	    (rc = advice_id(a.request, q, a.id, e)) ||
	    (rc = advice_answer_json(a.id, a.request, q, a.advice, &a.json, e)) ||
	    (rc = next_answer_add(q, a.advice, n_next, a.json, e)) ||
	    (rc = out_json_text(a.request, &a.request_text, e)) ||
	    (rc = out_json_text(a.json, &a.text, e)) ||
	    (rc = answer_read(a.json, q->app, &a.told, e)))
		advice_answer_release(&a);
	else
		*out = a;
	return rc;
}

static enum err_code put_advice(struct kb *kb, const struct kb_advice *a, struct err *e)
{
	enum err_code rc = kb_begin(kb, e);

	if (!rc && ((rc = kb_put_advice(kb, a, e)) || (rc = kb_commit(kb, e))))
		kb_rollback(kb);
	return rc;
}

enum err_code advice_answer_keep(const struct session *session, const struct advice_question *q,
				 const struct advice_answer *a, struct err *e)
{
	/* kb_put_advice() only reads the texts; the casts are for struct kb_advice, which owns its
	 * texts elsewhere. */
	const struct kb_advice memory = {.id = (char *)a->id,
					 .snapshot = (char *)q->mined.snapshot,
					 .request = a->request_text.buf,
					 .answer = a->text.buf,
					 .first_run_id = q->first_run_id};
	const struct kb_options o = {.busy_timeout_ms = KEEP_WAIT_MS};
	struct kb *kb = NULL;
	enum err_code rc = kb_open(session->kb_path, KB_WRITE, &o, &kb, e);

	if (!rc)
		rc = put_advice(kb, &memory, e);
	kb_close(kb);
	return rc;
}

void advice_answer_release(struct advice_answer *a)
{
	json_decref(a->request);
	json_decref(a->json);
	answer_release(&a->told);
	strbuf_release(&a->request_text);
	strbuf_release(&a->text);
	advice_free(a->advice);
	*a = (struct advice_answer){0};
}
