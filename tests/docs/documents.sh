# shellcheck shell=bash
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
