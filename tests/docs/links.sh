# shellcheck shell=bash
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
