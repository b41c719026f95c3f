# shellcheck shell=bash
# README.md is written anew, with what its commands print today, and compared with what stands there.
#   ```sh      a block to run, in order, all in one sandbox; exit status 0 is demanded
#   ```text    directly after it: what it printed
#   <!-- set-up: ... -->  above a block: not run here (CI runs it)

is_set_up='^<!-- set-up:'

check_readme() { # FILE
	local line fence='' above='' printed='' have_printed=no
	new_sandbox || return
	: >"$work/readme"
	while IFS= read -r line; do
		case $fence,$line in
		sh,'```')
			fence=
			run_block
			;;
		sh,*) printf '%s\n' "$line" >>"$work/block" ;;
		text,'```')
			fence=
			[ -z "$printed" ] || printf '%s\n' "$printed" >>"$work/readme"
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
		printf '%s\n' "$line" >>"$work/readme"
	done <"$1"
	compare_readme "$1"
}

run_block() {
	if [[ $above =~ $is_set_up ]]; then
		above=
	elif printed=$(run_example "$work/block"); then
		have_printed=yes
		pass
	else
		fail "README.md: $(cat "$work/block")" "$printed"
	fi
}

compare_readme() { # FILE
	if [ -n "${UPDATE-}" ]; then
		cmp -s "$work/readme" "$1" || cp "$work/readme" "$1"
	elif ! diff -u "$1" "$work/readme" >"$work/readme.diff"; then
		fail "README.md shows other output than the program prints (make readme rewrites it)" \
			"$(cat "$work/readme.diff")"
		return
	fi
	pass
}
