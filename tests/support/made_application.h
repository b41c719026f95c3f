#ifndef SUPPORT_MADE_APPLICATION_H
#define SUPPORT_MADE_APPLICATION_H
#include "tests/support/check.h"

#include "domain/application.h"

FREEABLE(application)

/* An application as these flags of import make it. */
static inline struct application *application_of_flags(const struct ad_hoc *flags)
{
	struct strbuf text = STRBUF_INIT;
	struct application *a = NULL;

	must(application_ad_hoc_text(flags, &text, &err));
	must(application_parse(strbuf_text(&text), flags->name, &a, &err));
	strbuf_release(&text);
	return a;
}

/* The names of a list as flags have it, "m,n". */
struct name_list {
	char text[256];
	const char *name[64];
};

static inline const char *const *names_of(struct name_list *l, const char *list)
{
	size_t n = 0;
	char *rest = NULL;

	assert_true(strlen(list) < sizeof l->text);
	strcpy(l->text, list);
	for (char *s = strtok_r(l->text, ",", &rest); s; s = strtok_r(NULL, ",", &rest)) {
		assert_true(n + 1 < sizeof l->name / sizeof *l->name);
		l->name[n++] = s;
	}
	l->name[n] = NULL;
	return l->name;
}

/* The problem columns, the tunables (those that are categorical as well hold text) and the
 * resources, which go by their own names, each "m,n" or ""; the target is time [s]. */
static inline struct application *made_application(const char *name, const char *problem,
						   const char *tunable, const char *categorical,
						   const char *resources)
{
	struct name_list list[4];
	const struct ad_hoc flags = {.name = name,
				     .target = "time",
				     .target_unit_s = 1,
				     .problem = names_of(&list[0], problem),
				     .tunable = names_of(&list[1], tunable),
				     .categorical = names_of(&list[2], categorical),
				     .resource_column = names_of(&list[3], resources),
				     .resource_field = list[3].name};

	return application_of_flags(&flags);
}

/* A categorical column has these values, "row,column,tiled", numbered from 0 in this order. */
static inline void made_levels(struct application *a, const char *column, const char *values)
{
	struct levels *levels = &a->column[application_column(a, column)].levels;
	struct name_list list;

	names_of(&list, values);
	for (size_t i = 0; list.name[i]; i++)
		assert_int_equal(levels_add(levels, list.name[i]), i);
}

#endif
