#include "cli/compose/compose_options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/datadir.h"
#include "cli/model/model_options.h"

OPTION(opt_network, "network", "NAME,...",
       .help = "compose: what models the messages; of several, each in turn");
OPTION(opt_cpu, "cpu", "NAME", .help = "compose: where Wg comes from (--wg alone means given)");
OPTION(opt_choose, "choose", "REQUEST=NAME,...",
       .help = "compose: which component serves any request");
OPTION(opt_paradigm, "paradigm", "REQUEST=PARADIGM,...",
       .help = "compose: serve it by one that is analytic, simulated or\nmeasured");
OPTION(opt_components, "components", "PATH,...", .values = "FILE",
       .help = "compose: further definitions, a file or a folder of *.conf");

/* ---- wishes ---- */

static const struct {
	const char *request;
	const struct option_spec *option;
	const char *flag;
} flags[] = {
	{"app", &opt_app, "--app"},
	{"network", NULL, "--network"},
	{"machine", &opt_machine, "--machine"},
	{"cpu", &opt_cpu, "--cpu"},
};

struct composition_wish *compose_wishes_find(struct compose_wishes *w, const char *request)
{
	for (size_t i = 0; i < w->n; i++) {
		if (strcmp(w->item[i].request, request) == 0)
			return &w->item[i];
	}
	return NULL;
}

/* --wg alone is an answer to where Wg comes from. */
static enum err_code read_wg(const struct context *c, struct composition_wish *cpu, struct err *e)
{
	const char *wg = options_get(&c->opt, &opt_wg);

	if (!options_has(&c->opt, &opt_wg) && !options_has(&c->opt, &opt_wg_fixup))
		return ERR_OK;
	if (cpu->component && strcmp(cpu->component, "given") != 0)
		return err_set(e, ERR_USAGE,
			       "--wg gives what --cpu %s was to find; keep one of them",
			       cpu->component);
	if (!cpu->component) {
		cpu->component = wg && strncmp(wg, "ted:", 4) == 0 ? wg : "given";
		cpu->flag = "--wg";
	}
	return ERR_OK;
}

static enum err_code read_flags(const struct context *c, struct compose_wishes *w, struct err *e)
{
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		w->item[w->n++] = (struct composition_wish){
			.request = flags[i].request,
			.component = flags[i].option ? options_get(&c->opt, flags[i].option) : NULL,
			.flag = flags[i].flag,
		};
	}
	return read_wg(c, compose_wishes_find(w, "cpu"), e);
}

/* "REQUEST=VALUE" is cut in two; the wish about the request, which may be new. */
static enum err_code split(struct compose_wishes *w, const struct option_spec *option, char *item,
			   char **value, struct composition_wish **out, struct err *e)
{
	char *equals = strchr(item, '=');
	struct composition_wish *wish;

	if (!equals || equals == item || !equals[1])
		return err_set(e, ERR_USAGE, "--%s %s: write %s", option->name, item, option->arg);
	*equals = '\0';
	*value = equals + 1;
	wish = compose_wishes_find(w, item);
	if (!wish && w->n == MAX_WISHES)
		return err_set(e, ERR_USAGE, "--%s: %d requests at most", option->name, MAX_WISHES);
	if (!wish) {
		wish = &w->item[w->n++];
		*wish = (struct composition_wish){.request = item, .flag = "--choose"};
	}
	*out = wish;
	return ERR_OK;
}

static enum err_code read_chosen(const struct context *c, struct compose_wishes *w, struct err *e)
{
	struct composition_wish *wish;
	char *value;
	enum err_code rc = options_list(&c->opt, &opt_choose, &w->chosen, NULL, e);

	for (char **item = w->chosen; item && *item && !rc; item++) {
		if ((rc = split(w, &opt_choose, *item, &value, &wish, e)))
			break;
		if (wish->component && strcmp(wish->component, value) != 0)
			rc = err_set(e, ERR_USAGE, "%s is given as %s and as %s", wish->request,
				     wish->component, value);
		wish->component = value;
		wish->flag = "--choose";
	}
	return rc;
}

static enum err_code read_paradigms(const struct context *c, struct compose_wishes *w,
				    struct err *e)
{
	struct composition_wish *wish;
	char *value;
	enum err_code rc = options_list(&c->opt, &opt_paradigm, &w->paradigms, NULL, e);

	for (char **item = w->paradigms; item && *item && !rc; item++) {
		enum component_paradigm *paradigm;
		struct err why = {0};

		if ((rc = split(w, &opt_paradigm, *item, &value, &wish, e)))
			break;
		paradigm = &w->paradigm[wish - w->item];
		if (component_paradigm_parse(value, paradigm, &why))
			rc = err_set(e, ERR_USAGE, "--paradigm %s: %s", wish->request, why.msg);
		wish->paradigm = paradigm;
	}
	return rc;
}

enum err_code compose_wishes_read(const struct context *c, struct compose_wishes *out,
				  struct err *e)
{
	enum err_code rc;

	*out = (struct compose_wishes){0};
	if ((rc = read_flags(c, out, e)) || (rc = read_chosen(c, out, e)) ||
	    (rc = read_paradigms(c, out, e)))
		return rc;
	return options_list(&c->opt, &opt_network, &out->network, &out->n_networks, e);
}

static enum err_code settle(const struct context *c, struct compose_wishes *w, const char *request,
			    const char *what, char **dflt, struct err *e)
{
	struct composition_wish *wish = compose_wishes_find(w, request);
	enum err_code rc = kb_get_default(c->session.kb, what, dflt, e);

	wish->dflt = *dflt;
	wish->dflt_by = "the knowledge base's default";
	return rc;
}

enum err_code compose_wishes_settle(const struct context *c, struct compose_wishes *w,
				    struct err *e)
{
	enum err_code rc;

	if (!c->session.kb)
		return ERR_OK;
	rc = settle(c, w, "app", "application", &w->application, e);
	return rc ? rc : settle(c, w, "machine", "machine", &w->machine, e);
}

void compose_wishes_release(struct compose_wishes *w)
{
	free(w->application);
	free(w->machine);
	free(w->network);
	free(w->chosen);
	free(w->paradigms);
	*w = (struct compose_wishes){0};
}

/* ---- definitions ---- */

static enum err_code read_folder(const char *parent, const char *folder, struct component_set *set,
				 struct err *e)
{
	char **path = NULL;
	enum err_code rc = datadir_list(parent, folder, "", ".conf", &path, e);

	if (!rc && !*path)
		rc = err_set(e, ERR_NOTFOUND, "%s/%s: no definitions (*.conf) in it", parent,
			     folder);
	for (char **p = path; p && *p && !rc; p++)
		rc = component_read(*p, set, e);
	datadir_free(path);
	return rc;
}

/* PATH, a file or a folder. */
static enum err_code read_path(char *path, struct component_set *set, struct err *e)
{
	size_t len = strlen(path);
	struct stat st;
	char *slash;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return component_read(path, set, e);
	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	slash = strrchr(path, '/');
	if (!slash || slash == path)
		return read_folder(slash ? "" : ".", slash ? path + 1 : path, set, e);
	*slash = '\0';
	return read_folder(path, slash + 1, set, e);
}

enum err_code compose_read_components(const struct context *c, struct component_set *set,
				      struct err *e)
{
	char *datadir = NULL;
	char **own = NULL;
	enum err_code rc;

	if (!(rc = datadir_find(&datadir, e)) && !(rc = read_folder(datadir, "components", set, e)))
		rc = options_list(&c->opt, &opt_components, &own, NULL, e);
	for (char **p = own; p && *p && !rc; p++)
		rc = read_path(*p, set, e);
	free(own);
	free(datadir);
	return rc;
}
