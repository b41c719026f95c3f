#ifndef CLI_FRAME_PROGRAM_LOCALE_H
#define CLI_FRAME_PROGRAM_LOCALE_H

/* Text is shown in the user's locale, numbers alike for everybody. Where the system does not have
 * the user's locale, as on login nodes and in containers, UTF-8 stays UTF-8. */
void program_locale_set(void);

#endif
