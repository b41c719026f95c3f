#ifndef CLI_HELP_H
#define CLI_HELP_H
#include <stdio.h>
#include "cli/frame/cmd.h"

/* Help, made from the command table. */
void help_program(FILE *f);
void help_command(const struct cmd *cmd, FILE *f);
void help_version(FILE *f);

#endif
