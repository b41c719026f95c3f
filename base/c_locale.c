#include "base/c_locale.h"

/* strtod_l() would be shorter but is not in POSIX. glibc and musl keep one static object for the C
 * locale: newlocale() neither allocates nor fails there, and freeing it does nothing. Were it to
 * fail elsewhere, uselocale(0) changes nothing and the caller sees the user's locale. */

locale_t c_locale_enter(void)
{
	return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void c_locale_leave(locale_t old)
{
	locale_t c = uselocale(old);

	if (c != LC_GLOBAL_LOCALE && c != old)
		freelocale(c);
}
