# shellcheck shell=bash
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
