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
# shellcheck source=tests/docs/man.sh
. "$root/tests/docs/man.sh"

n_passed=0
n_failed=0
pass() { n_passed=$((n_passed + 1)); }
fail() { # WHAT [DETAIL]
	n_failed=$((n_failed + 1))
	printf '  FAIL  %s\n' "$1"
	[ -z "${2-}" ] || printf '%s\n' "$2" | sed 's/^/        /'
}

# A place that looks like the tree to somebody who types an example, with the knowledge base that
# `make quickstart` leaves behind, but where nothing real can be changed. Every page gets a new one.
new_sandbox() {
	if [ ! -d "$work/prepared" ]; then
		prepare_base "$work/prepared" || return 1
	fi
	rm -rf "$work/sandbox"
	mkdir -p "$work/sandbox/tree"
	cp -R "$work/prepared" "$work/sandbox/data"
	ln -s "$build" "$work/sandbox/tree/build"
	cp -R "$root/data" "$work/sandbox/tree/data"
	cp "$root"/tests/fixtures/formats/*/* "$root"/tests/docs/fixtures/* "$work/sandbox/tree"
	export XDG_DATA_HOME=$work/sandbox/data
}

prepare_base() { # FOLDER
	if ! { XDG_DATA_HOME=$1 "$build/lemnos" init --with-data &&
		XDG_DATA_HOME=$1 "$build/lemnos" mine; } >"$work/prepare.log" 2>&1; then
		fail "lemnos init --with-data && lemnos mine" "$(cat "$work/prepare.log")"
		return 1
	fi
}

# Run the lines of a file as somebody would type them; prints what a terminal would show.
run_example() { # SCRIPT
	(cd "$work/sandbox/tree" && PATH="$build:$PATH" timeout 600 bash -e -o pipefail "$1" 2>&1 </dev/null)
}

# README.md and docs/tour.md are written anew, with what their commands print today, and compared with
# what stands there.
#   ```sh      a block to run, in order, all in one sandbox; exit status 0 is demanded
#   ```text    directly after it: what it printed
#   <!-- set-up: ... -->  above a block: not run here (CI runs it)

is_set_up='^<!-- set-up:'

# empty: nothing was loaded before the first block.
check_document() { # FILE [empty]
	local name line fence='' above='' printed='' have_printed=no
	name=$(basename "$1")
	new_sandbox || return
	[ "${2-}" != empty ] || rm -rf "$work/sandbox/data/lemnos"
	: >"$work/document"
	while IFS= read -r line; do
		case $fence,$line in
		sh,'```')
			fence=
			run_block
			;;
		sh,*) printf '%s\n' "$line" >>"$work/block" ;;
		text,'```')
			fence=
			[ -z "$printed" ] || printf '%s\n' "$printed" >>"$work/document"
			have_printed=no
			;;
		text,*) continue ;; # what stood there; what was printed takes its place
		other,'```') fence= ;;
		other,*) ;;
		,'```sh')
			fence=sh have_printed=no
			: >"$work/block"
			;;
		,'```text') if [ $have_printed = yes ]; then fence=text; else fence=other; fi ;;
		,'```'*) fence=other ;;
		,) ;;
		,*) above=$line have_printed=no ;;
		esac
		printf '%s\n' "$line" >>"$work/document"
	done <"$1"
	compare_document "$1"
}

run_block() {
	if [[ $above =~ $is_set_up ]]; then
		above=
	elif printed=$(run_example "$work/block"); then
		have_printed=yes
		printed=${printed//"$XDG_DATA_HOME"/'~/.local/share'} # where it is for everybody else
		pass
	else
		fail "$name: $(cat "$work/block")" "$printed"
	fi
}

compare_document() { # FILE
	if [ -n "${UPDATE-}" ]; then
		cmp -s "$work/document" "$1" || cp "$work/document" "$1"
	elif ! diff -u "$1" "$work/document" >"$work/document.diff"; then
		fail "$name shows other output than the program prints (make readme rewrites it)" \
			"$(cat "$work/document.diff")"
		return
	fi
	pass
}

# README's picture is drawn again, by the command in the comment above it, and compared byte by byte:
#   <!-- drawn by: lemnos evaluate ... --plot PREFIX -->  then  ![...](docs/PREFIX-predicted.svg)
# Another gnuplot than the one that drew it (the picture names it) may place things otherwise: of those
# it is only asked that they draw one.

check_picture() { # FILE
	local command picture
	command=$(sed -n 's/^<!-- drawn by: \(.*\) -->$/\1/p' "$1")
	picture=$(grep -oE '\]\(docs/[^)]*\.svg\)' "$1" | sed 's/^](//; s/)$//')
	new_sandbox || return
	printf '%s\n' "$command" >"$work/draw"
	if [ -z "$command" ] || ! run_example "$work/draw" >"$work/drawn" ||
		! grep -q '</svg>' "$work/sandbox/tree/${picture##*/}"; then
		fail "the picture of $(basename "$1"): '$command'" "$(cat "$work/drawn")"
	elif [ -n "${UPDATE-}" ]; then
		cp "$work/sandbox/tree/${picture##*/}" "$root/$picture"
		pass
	elif ! same_gnuplot "$root/$picture" "$work/sandbox/tree/${picture##*/}"; then
		echo "  note  $picture was drawn by another gnuplot: not compared"
	elif cmp "$root/$picture" "$work/sandbox/tree/${picture##*/}"; then
		pass
	else
		fail "$picture is not what '$command' draws today (make readme draws it again)"
	fi
}

same_gnuplot() { # PICTURE PICTURE
	[ "$(grep -o 'Produced by GNUPLOT.*' "$1")" = "$(grep -o 'Produced by GNUPLOT.*' "$2")" ]
}

# docs/papers.md: what stands in `code` in the last column of a row is printed by the row's command.
check_papers() { # FILE
	local line command ours out n_rows=0
	while IFS= read -r line; do
		case $line in
		'| '*'| `lemnos '*) ;;
		*) continue ;;
		esac
		command=$(awk -F '[|]' '{ print $3 }' <<<"$line" | sed 's/^ *`//; s/` *$//')
		ours=$(awk -F '[|]' '{ print $5 }' <<<"$line" | grep -oE '`[^`]+`')
		[ -n "$ours" ] || continue
		n_rows=$((n_rows + 1))
		out=$(cd "$work" && mkdir -p papers && cd papers && ln -sfn "$root/data" data &&
			HOME=$work PATH=$build:$PATH LEMNOS_DATADIR=$root/data LEMNOS_KB=$work/papers/none.kb \
				bash -c "$command" 2>&1)
		while IFS= read -r number; do
			number=${number//\`/}
			if grep -qF -- "$number" <<<"$out"; then
				pass
			else
				fail "papers.md: '$command' does not print '$number'" "$out"
			fi
		done <<<"$ours"
	done <"$1"
	[ $n_rows -gt 0 ] && return
	fail "papers.md: no row was found" ""
}

# docs/front_end.c, the example of docs/adding_a_command.md, does what it says.
check_front_end() {
	local said
	new_sandbox || return
	said=$(LEMNOS_DATADIR=$root/data "$build/docs/front_end" "$work/front_end.kb" \
		"$root/data/runs/simulated_sp2like.csv" 100x100x100 3600 2>&1)
	case $said in
	*" runs taken"*"sp2like: learnt"*"submit, support "*"  npe_i = "*) pass ;;
	*) fail "docs/front_end.c" "$said" ;;
	esac
	said=$("$build/docs/front_end" "$work/front_end.kb" /nonexistent 1x1x1 1 2>&1)
	case $said in
	*/nonexistent*) pass ;;
	*) fail "docs/front_end.c, about a file that is not there" "$said" ;;
	esac
}

# Relative links in the Markdown files lead to files that exist.
check_links() {
	local file target
	while IFS=: read -r file target; do
		if [ -e "$(dirname "$root/$file")/$target" ]; then
			pass
		else
			fail "$file links to $target, which does not exist"
		fi
	done < <(cd "$root" && grep -oE '\]\([^)#: ]+' README.md NEWS.md docs/*.md data/*.md |
		sed 's/](//')
}

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
