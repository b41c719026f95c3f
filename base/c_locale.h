#ifndef BASE_C_LOCALE_H
#define BASE_C_LOCALE_H
#include <locale.h>

/* Numbers in files, SQL and machine formats have a decimal point whatever the user's locale says.
 * Between enter and leave, this thread's strtod() and printf() follow the C locale:
 *
 *	locale_t old = c_locale_enter();
 *	...
 *	c_locale_leave(old);
 */
locale_t c_locale_enter(void);
void c_locale_leave(locale_t old);

#endif
