#include "domain/findings.h"

#include <stdlib.h>

static void release_columns(struct findings *f)
{
	for (size_t i = 0; i < f->n_columns; i++) {
		free(f->column[i].column);
		free(f->column[i].role);
		free(f->column[i].levels);
		free(f->column[i].remark);
	}
	free(f->column);
}

static void release_effects(struct findings *f)
{
	for (size_t i = 0; i < f->n_effects; i++) {
		free(f->effect[i].column);
		free(f->effect[i].best);
		free(f->effect[i].worst);
	}
	free(f->effect);
	for (size_t i = 0; i < f->n_interactions; i++) {
		free(f->interaction[i].a);
		free(f->interaction[i].b);
		free(f->interaction[i].text);
	}
	free(f->interaction);
}

static void release_votes(struct findings *f)
{
	for (size_t i = 0; i < f->n_hypotheses; i++) {
		free(f->hypothesis[i].attribute);
		free(f->hypothesis[i].value);
	}
	free(f->hypothesis);
	for (size_t i = 0; i < f->ranking.n_choices; i++) {
		free(f->ranking.choice[i].choice);
		free(f->ranking.choice[i].ties);
	}
	free(f->ranking.choice);
}

void findings_release(struct findings *f)
{
	free(f->profile.remarks);
	release_columns(f);
	release_effects(f);
	release_votes(f);
	*f = (struct findings){0};
}
