#!/bin/bash
# The packages that dpkg-buildpackage made: lintian finds no error, versions agree, and the quick start runs from
# them. Without --install they are unpacked into an empty folder, with what the system has for libraries; with it
# they are installed on this machine by dpkg, which sees to their dependencies, and purged again, so that nothing
# is left: for root, on a machine of which only this is asked.
# usage: deb.sh [--install] FOLDER_OF_PACKAGES
set -u
install=no
[ "${1-}" != --install ] || { install=yes; shift; }
folder=$(cd "$1" && pwd) || exit 2
tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export HOME=$work/home XDG_DATA_HOME='' LC_ALL=C.UTF-8 TZ=UTC
unset LEMNOS_KB LEMNOS_DATADIR LEMNOS_NOW LEMNOS_USER NO_COLOR COLUMNS
mkdir home
names="lemnos lemnos-kernels liblemnos-tune0 liblemnos-tune-dev"
version=$(sed -n 's/^VERSION := //p' "$tree/Makefile")

n_passed=0 n_failed=0
verdict() { # NAME STATUS: 0 is well
	if [ "$2" -eq 0 ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		printf '  FAIL  %s\n' "$1"
		[ ! -s "$work/log" ] || sed 's/^/        /' "$work/log"
	fi
	: >"$work/log"
}

packages=()
for name in $names; do
	file=$(echo "$folder/${name}_"*.deb)
	[ -f "$file" ] && [[ $(dpkg-deb -f "$file" Version) = "$version"-* ]]
	verdict "$name is of version $version" $?
	packages+=("$file")
done

if command -v lintian >/dev/null; then
	lintian --fail-on error --tag-display-limit 0 "$folder"/lemnos_*.changes >log 2>&1
	verdict "lintian finds no error" $?
else
	echo "  skip  lintian is not installed"
fi

# What a package has is found where Debian's policy wants it.
root=$work/root
for file in "${packages[@]}"; do
	dpkg-deb -x "$file" "$root" 2>log
	verdict "${file##*/} unpacks" $?
done
if [ $install = yes ]; then
	for name in $names; do
		if dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -q '^installed'; then
			echo "$name is installed here: nothing was touched" >&2
			exit 2
		fi
	done
	if [ -e /usr/bin/lemnos ] || [ -e /usr/share/lemnos ]; then
		echo "lemnos is installed in /usr without dpkg: nothing was touched" >&2
		exit 2
	fi
	(cd "$root" && find . ! -type d) | sed 's/^\.//' >files
	trap 'dpkg --purge $names >/dev/null 2>&1; rm -rf "$work"' EXIT
	dpkg -i "${packages[@]}" >log 2>&1
	verdict "dpkg installs them, and their dependencies are there" $?
	lemnos=/usr/bin/lemnos recommend=/usr/bin/recommend
	missing=$(while read -r file; do [ -e "$file" ] || echo "$file"; done <files | grep -v '^/usr/share/\(doc\|man\)/') || true
	[ -z "$missing" ]
	verdict "all of their files are installed${missing:+, but for $missing}" $?
else
	lemnos=$root/usr/bin/lemnos recommend=$root/usr/bin/recommend
fi

asked() { # NAME PATTERN COMMAND...: ends well, and a line of its answer is like the pattern
	"${@:3}" >log 2>&1 && grep -qE "$2" log
	verdict "$1" $?
}
asked "lemnos says its version" "^lemnos $version\$" "$lemnos" --version
asked "the shipped data are found" "runs 2019" "$lemnos" init --with-data
asked "mine" "sp2like" "$lemnos" mine
asked "recommend" "^Submit 14 nodes" "$recommend" --problem 280x280x255 --deadline 1h
asked "runs of one's own" "33 taken" "$lemnos" ingest --machine mycluster "$tree/tests/docs/fixtures/my-runs.csv"
asked "a task is measured with the program that comes with it" '^sweep-measure,measure,[0-9]' "$lemnos" model task \
	sweep-measure --allow-run --format csv --set it=4,jt=4,kt=4,mk=2,mmi=3,mm=6
bash -n "$root/usr/share/bash-completion/completions/lemnos" >log 2>&1
verdict "bash reads its completions" $?
[ "$(zcat "$root/usr/share/man/man1/lemnos.1.gz")" = "$(cat "$tree/docs/man/lemnos.1")" ]
verdict "the man page is this tree's" $?
readelf -d "$root"/usr/lib/*/liblemnos_tune.so.0 | grep -q 'SONAME.*liblemnos_tune.so.0'
verdict "the library has its name" $?

if [ $install = yes ]; then
	# shellcheck disable=SC2086 # names are words
	dpkg --purge $names >log 2>&1
	verdict "dpkg purges them" $?
	left=$(while read -r file; do [ ! -e "$file" ] || echo "$file"; done <files)
	[ -z "$left" ] && [ ! -e /usr/share/lemnos ] && [ ! -e /usr/share/doc/lemnos ]
	verdict "nothing is left${left:+ but $left}" $?
fi

echo "packages: $n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
