# shellcheck shell=bash
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
