#include <math.h>
#include <string.h>

#include "mining/structure/structure_choice.h"
#include "models/model_list.h"

const struct structure_candidate structure_formula = {"wavefront", "the mined wavefront formula",
						      NAN};

/* A choice in words, and as named numbers in the knowledge base. */

void structure_choice_explain(const struct structure_choice *c, struct strbuf *out)
{
	const struct structure_candidate *chosen = &c->candidate[c->chosen];

	strbuf_printf(out, "Structure: %s (%s", chosen->name, chosen->title);
	if (c->n == 1) {
		strbuf_puts(out, "; other models are not compared without known message costs and "
				 "enough measured or simulated runs to hold out). ");
		return;
	}
	strbuf_printf(out, "; held-out error %.1f %%);", 100 * chosen->held_out_error);
	for (size_t k = 0, n = 0; k < c->n; k++) {
		if (k != c->chosen)
			strbuf_printf(out, "%s %s %.1f %%", n++ ? "," : "", c->candidate[k].name,
				      100 * c->candidate[k].held_out_error);
	}
	strbuf_puts(out, ". ");
}

#define CHOSEN "structure_chosen"
#define ERROR_OF "structure_error_"

/* Where nothing was compared, only what was chosen. */
enum err_code structure_choice_store(const struct structure_choice *c, struct kb_fit *fit,
				     struct err *e)
{
	enum err_code rc = kb_fit_add(fit, CHOSEN, (double)c->chosen, NAN, "",
				      "structural part: place in the candidates that follow", e);

	for (size_t k = 0; k < c->n && c->n > 1 && !rc; k++) {
		struct strbuf name = STRBUF_INIT;

		strbuf_printf(&name, "%s%s", ERROR_OF, c->candidate[k].name);
		if (name.failed)
			rc = err_set(e, ERR_NOMEM, "fit");
		else
			rc = kb_fit_add(fit, strbuf_text(&name), c->candidate[k].held_out_error,
					NAN, "1", "held-out error of a structural part", e);
		strbuf_release(&name);
	}
	return rc;
}

/* false: a model that this program does not know. */
static bool load_candidate(const struct kb_param *q, struct structure_choice *out)
{
	const char *name = q->name + strlen(ERROR_OF);
	const struct model *model;

	if (out->n == 0 && !strcmp(name, structure_formula.name)) {
		out->candidate[out->n] = structure_formula;
	} else {
		if (out->n == STRUCTURE_CANDIDATES || model_find(name, &model, NULL))
			return false;
		out->candidate[out->n] =
			(struct structure_candidate){model->name, model->title, NAN};
	}
	out->candidate[out->n++].held_out_error = q->value;
	return true;
}

enum err_code structure_choice_load(const struct kb_fit *fit, struct structure_choice *out,
				    struct err *e)
{
	struct structure_choice choice = {.n = 0};
	const double chosen = kb_fit_value(fit, CHOSEN);
	bool known = true;

	for (size_t i = 0; i < fit->n_param && known; i++) {
		if (!strncmp(fit->param[i].name, ERROR_OF, strlen(ERROR_OF)))
			known = load_candidate(&fit->param[i], &choice);
	}
	if (choice.n == 0)
		choice.candidate[choice.n++] = structure_formula;
	if (!known || !(chosen >= 0 && chosen < (double)choice.n))
		return err_set(e, ERR_NOTMINED,
			       "the fit does not tell a structural part that this program knows: "
			       "run `lemnos mine`");
	choice.chosen = (size_t)chosen;
	*out = choice;
	return ERR_OK;
}
