#include "cli/frame/program_locale.h"

#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/program_file.h"

/* The first of them that is set and not empty decides (POSIX.1-2008, 8.2). */
static bool utf8_is_wanted(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]);

		if (value && *value) {
			const char *charset = strchr(value, '.');

			return charset && (!strncasecmp(charset + 1, "utf-8", 5) ||
					   !strncasecmp(charset + 1, "utf8", 4));
		}
	}
	return false;
}

/* A bundle brings the one locale that its C library needs, as the system's are files of another
 * version of that library, whose formats differ. The variable that leads there is put back: the
 * programs that this one starts are the system's. */
static void set_from_bundle(void)
{
	char *folder = program_file_beside("../lib/lemnos/locale");
	const char *given = getenv("LOCPATH");
	char *kept = given ? strdup(given) : NULL;

	if (folder && (kept || !given) && utf8_is_wanted() && !setenv("LOCPATH", folder, 1)) {
		setlocale(LC_ALL, "C.UTF-8");
		if (kept)
			setenv("LOCPATH", kept, 1);
		else
			unsetenv("LOCPATH");
	}
	free(kept);
	free(folder);
	errno = 0;
}

void program_locale_set(void)
{
	if (program_file_is_launched())
		set_from_bundle();
	else if (!setlocale(LC_ALL, "") && utf8_is_wanted())
		setlocale(LC_ALL, "C.UTF-8");
	/* Text of files and bases is UTF-8 whatever the environment says, and libsmartcols 2.38
	 * never ends with a table that holds such text in the locale C. */
	if (MB_CUR_MAX == 1)
		setlocale(LC_CTYPE, "C.UTF-8");
	setlocale(LC_NUMERIC, "C"); /* a number reads and prints alike for everybody */
}
