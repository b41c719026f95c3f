#!/bin/bash
# The documents tell the truth: the shell blocks of README.md and docs/tour.md run and print what stands
# below them; README's picture is the one that the program draws; the examples of the man pages run;
# SYNOPSIS and OPTIONS of each page agree with --help; links lead somewhere; the commands of
# docs/papers.md print the numbers beside them; docs/front_end.c runs.
# usage: run.sh BUILD_FOLDER [PART]...      PART: links man papers front_end readme tour picture;
# default: all.      UPDATE=1 rewrites output blocks and the picture instead of comparing
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 TZ=UTC
unset LEMNOS_KB LEMNOS_DATADIR LEMNOS_NOW NO_COLOR COLUMNS
# shellcheck source=tests/docs/lib.sh
. "$root/tests/docs/lib.sh"
# shellcheck source=tests/docs/documents.sh
. "$root/tests/docs/documents.sh"
# shellcheck source=tests/docs/picture.sh
. "$root/tests/docs/picture.sh"
# shellcheck source=tests/docs/man.sh
. "$root/tests/docs/man.sh"
# shellcheck source=tests/docs/papers.sh
. "$root/tests/docs/papers.sh"
# shellcheck source=tests/docs/front_end.sh
. "$root/tests/docs/front_end.sh"
# shellcheck source=tests/docs/links.sh
. "$root/tests/docs/links.sh"

shift
[ $# -gt 0 ] || set -- links man papers front_end readme tour picture
for part; do
	case $part in
	links) check_links ;;
	man)
		check_man_agreement
		check_man_examples
		check_man_definitions
		check_man_formats
		;;
	papers) check_papers "$root/docs/papers.md" ;;
	front_end) check_front_end ;;
	readme) check_document "$root/README.md" ;;
	tour) check_document "$root/docs/tour.md" empty ;;
	picture) check_picture "$root/README.md" ;;
	*) fail "run.sh: there is no part '$part'" ;;
	esac
done
echo "$n_passed passed, $n_failed failed"
[ $n_failed -eq 0 ]
