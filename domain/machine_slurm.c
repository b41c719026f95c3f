#include "domain/machine_slurm.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS_AND_DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Reading input, wiring up the network, writing: minutes are what Slurm counts in, and a run that
 * is killed for a slow start is dearer than a minute asked for and not used. */
static const double usual_startup_s = 60;

static bool is_one_line(const char *text)
{
	for (; *text; text++) {
		if (((unsigned char)*text < ' ' && *text != '\t') || *text == '\x7f')
			return false;
	}
	return true;
}

/* NULL when absent, "" is refused; of these characters only. */
static char *read_plain(struct conf *c, const config_setting_t *g, const char *key,
			const char *allowed, const char *what)
{
	char *text = conf_text(c, g, key);

	if (text && (!*text || text[strspn(text, allowed)]))
		conf_fail(c, conf_at(g, key), "'%s' wants %s", key, what);
	return text;
}

/* "--qos=debug" is the option `name` if it goes on with = or ends. */
static bool is_option(const char *text, const char *name)
{
	size_t len = strlen(name);

	return strncmp(text, name, len) == 0 && (!text[len] || strchr("= \t", text[len]));
}

static void check_option(struct conf *c, const config_setting_t *at, const char *text)
{
	static const char *const ours[] = {"--job-name",	"--nodes",	   "--ntasks",
					   "--ntasks-per-node", "--cpus-per-task", "--time",
					   "--partition",	"--account",	   NULL};

	if (strncmp(text, "--", 2) != 0 || !text[2] || !is_one_line(text))
		conf_fail(c, at,
			  "'%s' is no option of sbatch: one line, \"--NAME\" or \"--NAME=VALUE\"",
			  text);
	for (const char *const *name = ours; *name; name++) {
		if (is_option(text, *name))
			conf_fail(c, at, "the job script sets %s itself", *name);
	}
}

static void read_options(struct conf *c, const config_setting_t *g, struct slurm *out)
{
	out->option = conf_texts(c, g, "options", &out->n_option);
	for (size_t i = 0; i < out->n_option; i++)
		check_option(c, conf_at(g, "options"), out->option[i]);
}

static void read_setup(struct conf *c, const config_setting_t *g, struct slurm *out)
{
	out->setup = conf_texts(c, g, "setup", &out->n_setup);
	for (size_t i = 0; i < out->n_setup; i++) {
		if (!is_one_line(out->setup[i]))
			conf_fail(c, conf_at(g, "setup"), "each item of 'setup' is one line");
	}
}

static void read_startup(struct conf *c, const config_setting_t *g, struct slurm *out)
{
	const double longest = 86400;

	out->startup_s = conf_number(c, g, "startup_s", usual_startup_s);
	if (!(out->startup_s >= 0 && out->startup_s <= longest))
		conf_fail(c, conf_at(g, "startup_s"), "'startup_s' wants seconds, 0 to %.0f",
			  longest);
}

void machine_slurm_read(struct conf *c, const config_setting_t *machine, struct slurm *out)
{
	static const char *const known[] = {"partition", "account",   "launcher", "options",
					    "setup",	 "startup_s", NULL};
	const config_setting_t *g = conf_group(c, machine, "slurm");

	conf_check_keys(c, g, known);
	out->partition = read_plain(c, g, "partition", LETTERS_AND_DIGITS "_.,+@-",
				    "letters, digits and _ . , + @ -");
	out->account = read_plain(c, g, "account", LETTERS_AND_DIGITS "_.,+@-",
				  "letters, digits and _ . , + @ -");
	out->launcher = read_plain(c, g, "launcher", LETTERS_AND_DIGITS "_.,:+=/@%- ",
				   "a command and its options, without anything that a shell would "
				   "interpret");
	read_options(c, g, out);
	read_setup(c, g, out);
	read_startup(c, g, out);
	if (!out->launcher && !(out->launcher = strdup("srun")))
		conf_fail_memory(c);
}

static void free_texts(char **text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

void machine_slurm_release(struct slurm *s)
{
	free(s->partition);
	free(s->account);
	free(s->launcher);
	free_texts(s->option, s->n_option);
	free_texts(s->setup, s->n_setup);
}
