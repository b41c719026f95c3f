#include "domain/application_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A template that must be there; the message gets the definition's file and line. */
static struct template *read_template(struct conf *c, const config_setting_t *g, const char *key,
				      const struct application *a)
{
	char *text = conf_required_text(c, g, key);
	struct template *t = NULL;
	struct err inner = {0};
	char remark[80];

	snprintf(remark, sizeof remark, "'%s': ", key);
	if (text && c->rc == ERR_OK && template_parse(text, &a->scope, &t, &inner) != ERR_OK)
		conf_fail_inner(c, conf_at(g, key), remark, &inner);
	free(text);
	return t;
}

/* The text becomes a line of a shell script. */
static void check_command(struct conf *c, const config_setting_t *job)
{
	char *text = conf_text(c, job, "command");

	for (const char *p = text; p && *p; p++) {
		if ((unsigned char)*p < ' ' || *p == '\x7f') {
			conf_fail(c, conf_at(job, "command"), "'command' is one line");
			break;
		}
	}
	free(text);
}

static void read_input_file(struct conf *c, const config_setting_t *g, const struct application *a,
			    struct input_file *out)
{
	static const char *const known[] = {"name", "text", NULL};

	conf_check_keys(c, g, known);
	out->name = conf_required_text(c, g, "name");
	if (out->name && !application_name_is_legal(out->name))
		conf_fail(
			c, conf_at(g, "name"),
			"the file name '%s' wants a letter or digit, then letters, digits, _ . or "
			"-",
			out->name);
	out->text = read_template(c, g, "text", a);
}

static void read_input_files(struct conf *c, const config_setting_t *job, struct application *a)
{
	const config_setting_t *list = conf_list(c, job, "input_files");
	struct job_template *out = &a->job;

	if (conf_length(list) == 0)
		return;
	out->input = calloc(conf_length(list), sizeof *out->input);
	if (!out->input) {
		conf_fail_memory(c);
		return;
	}
	while (out->n_input < conf_length(list) && c->rc == ERR_OK) {
		const config_setting_t *g = conf_item(list, out->n_input);
		struct input_file *file = &out->input[out->n_input++];

		read_input_file(c, g, a, file);
		for (struct input_file *f = out->input; f < file && c->rc == ERR_OK; f++) {
			if (strcmp(f->name, file->name) == 0)
				conf_fail(c, g, "the file '%s' is declared twice", f->name);
		}
	}
}

void application_read_job(struct conf *c, const config_setting_t *top, struct application *a)
{
	static const char *const known[] = {"command", "input_files", "required", NULL};
	const config_setting_t *g = conf_group(c, top, "job");

	if (!g)
		return;
	conf_check_keys(c, g, known);
	a->job.command = read_template(c, g, "command", a);
	check_command(c, g);
	read_input_files(c, g, a);
	application_read_rules(c, g, "required", a, &a->job.required, &a->job.n_required);
}

void application_free_job(struct job_template *job)
{
	template_free(job->command);
	for (size_t i = 0; i < job->n_input; i++) {
		free(job->input[i].name);
		template_free(job->input[i].text);
	}
	free(job->input);
	application_free_rules(job->required, job->n_required);
}
