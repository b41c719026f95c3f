#include "models/formula.h"

#include <math.h>
#include <string.h>

size_t formula_find_input(const struct formula *f, const char *name)
{
	size_t i = 0;

	while (i < f->n_inputs && strcmp(f->input[i].name, name) != 0)
		i++;
	return i;
}

size_t formula_find_result(const struct formula *f, const char *name)
{
	size_t i = 0;

	while (i < f->n_results && strcmp(f->result[i].name, name) != 0)
		i++;
	return i;
}

enum err_code formula_evaluate(const struct formula *f, const double *in, double *out,
			       struct err *e)
{
	double value[FORMULA_MAX_INPUTS];

	for (size_t i = 0; i < f->n_inputs; i++) {
		const struct formula_input *x = &f->input[i];

		value[i] = isnan(in[i]) ? x->dflt : in[i];
		if (isnan(value[i]))
			return err_set(e, ERR_ARG, "%s is not given (%s)", x->name, x->meaning);
		if (!(value[i] >= x->min && value[i] <= x->max))
			return err_set(e, ERR_ARG, "%s = %g must be from %g to %g (%s)", x->name,
				       value[i], x->min, x->max, x->meaning);
	}
	return f->evaluate(value, out, e);
}
