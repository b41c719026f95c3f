#!/bin/bash
# The documents tell the truth: README's shell blocks run and print what stands below them; the
# examples of the man pages run; SYNOPSIS and OPTIONS of each page agree with --help; links lead
# somewhere; the commands of docs/papers.md print the numbers beside them; docs/front_end.c runs.
# usage: run.sh BUILD_FOLDER      UPDATE=1 rewrites README's output blocks instead of comparing
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 TZ=UTC
unset LEMNOS_KB LEMNOS_DATADIR LEMNOS_NOW NO_COLOR COLUMNS
# shellcheck source=tests/docs/lib.sh
. "$root/tests/docs/lib.sh"
# shellcheck source=tests/docs/readme.sh
. "$root/tests/docs/readme.sh"
# shellcheck source=tests/docs/man.sh
. "$root/tests/docs/man.sh"
# shellcheck source=tests/docs/papers.sh
. "$root/tests/docs/papers.sh"
# shellcheck source=tests/docs/front_end.sh
. "$root/tests/docs/front_end.sh"
# shellcheck source=tests/docs/links.sh
. "$root/tests/docs/links.sh"

check_links
check_man_agreement
check_man_examples
check_papers "$root/docs/papers.md"
check_man_definitions
check_front_end
check_readme "$root/README.md"
echo "$n_passed passed, $n_failed failed"
[ $n_failed -eq 0 ]
