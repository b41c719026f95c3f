#ifndef API_ADVICE_ANSWER_H
#define API_ADVICE_ANSWER_H
#include "api/advice_json.h"
#include "api/advice_question.h"
#include "api/answer.h"
#include "api/session.h"
#include "base/strbuf.h"
#include "recommend/space/recommend.h"

/* The answer to a question for advice, in the forms in which it is shown and remembered. */
struct json_t;

struct advice_answer {
	char id[ADVICE_ID_SIZE];
	struct advice *advice;
	struct json_t *request, *json; /* what was asked, and the answer to it (advice_json.h) */
	struct answer told;	       /* as it is read back; borrows the question's application */
	struct strbuf request_text, text; /* both as they are stored */
};

/* The question is complete and put to a machine. n_next: so many runs that would teach most are
 * named besides (advice_json.h). Errors: those of advice_find(), INTERRUPTED, NOMEM. */
enum err_code advice_answer_find(const struct advice_question *q, size_t n_next,
				 struct advice_answer *out, struct err *e);
/* Remember it in the session's base, which may be open for reading only: advice never waits for an
 * import, and a writer that is at it longer than half a second wins. Errors: BUSY, those of kb. */
enum err_code advice_answer_keep(const struct session *session, const struct advice_question *q,
				 const struct advice_answer *a, struct err *e);
void advice_answer_release(struct advice_answer *a);

#endif
