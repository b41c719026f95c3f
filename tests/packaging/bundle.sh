#!/bin/bash
# The archive of `make bundle`, unpacked into an empty root directory that holds nothing else: no loader, no
# libraries, no /proc, no /dev, no shell. The quick start's questions are answered there as they are here. Then what
# users do with it: symbolic links, blanks in names, modules, their own locale, what clusters put into the environment.
# Skipped, and said so: the empty root where neither chroot nor user namespaces are allowed, modules without Lmod.
# usage: bundle.sh BUILD_FOLDER
set -u
build=$(cd "$1" && pwd) || exit 2
tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
archives=("$build"/lemnos-*-"$(uname -m)".tar.gz)
archive=${archives[0]}
[ ${#archives[@]} = 1 ] && [ -f "$archive" ] || {
	echo "there is not one archive in $build: make bundle" >&2
	exit 2
}
name=$(basename "$archive" .tar.gz)
version=${name#lemnos-}
version=${version%-*}
cd "$work" || exit 2
unset LEMNOS_KB LEMNOS_DATADIR LEMNOS_NOW LEMNOS_USER LEMNOS_PROGRAM NO_COLOR COLUMNS LOCPATH MODULEPATH
export LC_ALL=C TZ=UTC

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
same() { # NAME GOT_FILE WANTED_FILE
	diff "$3" "$2" >"$work/diff" 2>&1
	set -- "$1" $?
	head -n 30 "$work/diff" >"$work/log"
	verdict "$@"
}
says() { # NAME TEXT COMMAND...: the output holds the text
	"${@:3}" >"$work/log" 2>&1
	grep -qF -- "$2" "$work/log"
	verdict "$1" $?
}

# ---- what is in it
tar -tvzf "$archive" >listing
! awk '{ print $2 }' listing | grep -v '^0/0$' >log
verdict "no names of who made it" $?
awk '{ print $NF }' listing | sort -c 2>log || awk '{ print $6 }' listing | sort -c 2>log
verdict "names are sorted" $?
[ "$(awk '{ print $4, $5 }' listing | sort -u | wc -l)" = 1 ]
verdict "all are of one time" $?
for file in INSTALL bin/lemnos bin/recommend libexec/lemnos/sweep_task share/man/man1/lemnos.1 share/man/man1/recommend.1 \
	share/man/man5/lemnos-csv.5 share/lemnos/applications/sweep3d.conf share/bash-completion/completions/lemnos \
	share/zsh/site-functions/_lemnos "share/modulefiles/lemnos/$version" "share/modulefiles/lemnos/$version.lua" \
	share/doc/lemnos/LICENSE share/doc/lemnos/libraries/README.md share/doc/lemnos/libraries/GPL-3; do
	grep -qE " $name/$file( |\$)" listing
	verdict "it holds $file" $?
done
mkdir unpacked
tar -xzf "$archive" -C unpacked
! grep -rl '@[A-Z]*@' "unpacked/$name/INSTALL" "unpacked/$name/share/modulefiles" >log
verdict "every name was filled in" $?
while read -r file; do # by every program and library, the libraries it asks for are there
	readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
done < <(find "unpacked/$name/lib/lemnos" -type f ! -path '*/locale/*') | sort -u >needed
while read -r soname; do
	[ -f "unpacked/$name/lib/lemnos/$soname" ] && grep -qF "| $soname | " "unpacked/$name/share/doc/lemnos/libraries/README.md"
	verdict "$soname and its licence are in it" $?
done <needed
[ -s needed ]
verdict "the program needs libraries" $?

# ---- an empty root
questions=(
	"init --with-data"
	"mine --quiet"
	"recommend --problem 280x280x255 --deadline 1h"
	"explain LAST"
	"predict --problem 100x100x100 --grid 4x4 --mk 10 --mmi 3"
	"rules --limit 3"
	"ingest /data/my-runs.csv --machine mycluster"
	"mine"
	"runs --machine mycluster"
	"predict --machine mycluster --problem 100x100x100 --grid 2x4 --nodes 4 --mk 10 --mmi 3"
	"status"
)
ask() { # COMMAND...: all questions, with their exit statuses
	local question last=
	for question in "${questions[@]}"; do
		printf '%s\n' "\$ lemnos $question"
		# shellcheck disable=SC2086 # words of a question
		"$@" ${question/LAST/$last} >answer 2>&1
		echo "status $?" >>answer
		last=$(sed -n 's/.*lemnos explain \([0-9a-f]\+\)$/\1/p' answer)
		sed -E 's/given [0-9TZ:-]+/given WHEN/' answer
	done
}
mkdir -p root/home root/data "root/opt/a b"
cp "$tree/tests/docs/fixtures/my-runs.csv" root/data/
tar -xzf "$archive" -C "root/opt/a b"
in_root() { # PROGRAM ARGUMENT...: in the empty root, with an environment of three words
	env -i HOME=/home LANG=xx_YY.UTF-8 TMPDIR=/home LEMNOS_NOW=2026-11-22T12:00 "${enter[@]}" "$@"
}
enter=()
if [ "$(id -u)" = 0 ] && chroot / true 2>/dev/null; then
	enter=("$(command -v chroot)" "$work/root")
elif unshare -r chroot / true 2>/dev/null; then
	enter=("$(command -v unshare)" -r "$(command -v chroot)" "$work/root")
fi
if [ ${#enter[@]} -gt 0 ]; then
	ask in_root "/opt/a b/$name/bin/lemnos" | sed "s|/opt/a b/$name|ROOT|g; s|/home/|HOME/|g; s|/data/|DATA/|g" >got
	mkdir here
	cp -r root/data here/
	questions=("${questions[@]/ \/data\// $work/here/data/}")
	at_home() { env -i "PATH=$PATH" HOME="$work/here" LANG=C.UTF-8 LEMNOS_NOW=2026-11-22T12:00 "$build/lemnos" "$@"; }
	ask at_home | sed "s|$work/here/data/|DATA/|g; s|$work/here/|HOME/|g; s|$tree/data|ROOT/share/lemnos|g" >wanted
	same "in an empty root, every answer is the usual one" got wanted
	[ "$(grep -c '^status 0' got)" = "${#questions[@]}" ]
	verdict "every question was answered with exit status 0" $?
	in_root "/opt/a b/$name/bin/recommend" --problem 280x280x255 --deadline 1h >log 2>&1
	grep -q '^Submit' log
	verdict "bin/recommend is lemnos recommend" $?
	mkdir root/dev
	: >root/dev/null # which the measured program reads
	in_root "/opt/a b/$name/bin/lemnos" model task sweep-measure --allow-run --format csv \
		--set it=4,jt=4,kt=4,mk=2,mmi=3,mm=6 >log 2>&1
	grep -q '^sweep-measure,measure,[0-9]' log
	verdict "it measures a task with the program that comes with it" $?
	ln -s "../opt/a b/$name/bin/recommend" root/home/link
	ln -s link root/home/recommend
	in_root /home/recommend --problem 280x280x255 --deadline 1h >log 2>&1
	grep -q '^Submit' log
	verdict "a symbolic link to a symbolic link runs it" $?
else
	echo "  skip  the empty root: neither chroot nor user namespaces are allowed here"
fi

# ---- as users call it
moved="$work/it's \"here\" now"
mv "unpacked/$name" "$moved"
export HOME=$work/home XDG_DATA_HOME=
mkdir -p "$HOME" links
says "from PATH" "added: applications 1" env PATH="$moved/bin:$PATH" lemnos init --with-data
ln -s "../it's \"here\" now/bin/lemnos" links/lemnos
says "by a link, from elsewhere" "runs 2019" sh -c 'cd links && exec ./lemnos init --with-data --kb other.kb'
says "from the folder itself" "lemnos $version" sh -c 'cd "$0/bin" && exec ./lemnos --version' "$moved"
mkdir "$work/a:b"
cp -a "$moved/." "$work/a:b/"
says "a folder whose name the loader would split is named" "':', ';' or '\$'" "$work/a:b/bin/lemnos" --version
mkdir -p alone/bin
cp "$moved/bin/lemnos" alone/bin/
says "the launcher alone says what it misses" "cannot run $work/alone/lib/lemnos/ld-linux" alone/bin/lemnos --version
says "libraries and preloads of the cluster are left alone" "lemnos $version" \
	env LD_LIBRARY_PATH="$work/nowhere" LD_PRELOAD="$work/no.so" LD_AUDIT="$work/no.so" "$moved/bin/lemnos" --version
! env LD_PRELOAD="$work/no.so" "$moved/bin/lemnos" --version 2>&1 | grep -F no.so >log
verdict "nothing is said about them" $?
# What it starts is the system's: it must find neither the bundle's locale nor its place.
mkdir fake
printf '#!/bin/sh\n{ echo "LOCPATH=$LOCPATH LD_LIBRARY_PATH=$LD_LIBRARY_PATH"; "%s" init --with-data --kb "%s"; } >"%s" 2>&1\n' \
	"$build/lemnos" "$work/child.kb" "$work/child" >fake/gnuplot
chmod +x fake/gnuplot
"$moved/bin/lemnos" mine --quiet >log 2>&1
env PATH="$work/fake:$PATH" LOCPATH=/its/own LD_LIBRARY_PATH=/of/mine LC_ALL=xx_YY.UTF-8 "$moved/bin/recommend" \
	--problem 280x280x255 --deadline 1h --plot frontier.svg >log 2>&1
says "what it starts keeps the environment" "LOCPATH=/its/own LD_LIBRARY_PATH=/of/mine" cat child
says "what it starts knows its own place" "applications 1" cat child
printf 'size,nodes,runtime_s\n10,1,1\n20,1,2\n' >sizes.csv
"$moved/bin/lemnos" ingest sizes.csv --app a --machine größe --kb utf8.kb --problem size --target runtime_s \
	--resource nodes=nodes >log 2>&1
says "text is UTF-8 in a locale that the system lacks" "machine größe" env LC_ALL=xx_YY.UTF-8 "$moved/bin/lemnos" \
	runs --kb utf8.kb --app a
bash -n "$moved/share/bash-completion/completions/lemnos" >log 2>&1
verdict "bash reads its completions" $?
if command -v mandoc >/dev/null; then
	says "its man pages are found" "lemnos-ingest" man -M "$moved/share/man" -w lemnos-ingest
fi

# ---- merged into ~/.local, and removed, with the commands of INSTALL
mkdir -p "$HOME/.local/share"
echo mine >"$HOME/.local/share/mine"
cp "$archive" "$HOME/"
indented() { # HEADING: the commands below it, as they stand in INSTALL
	awk -v heading="$1" 'index($0, heading) == 1 { on = 1; next } /^[^ ]/ { on = 0 } on' "$moved/INSTALL"
}
sh -e <<<"$(indented "For one user" | grep '^    ')" >log 2>&1 && [ ! -e "$HOME/.local/INSTALL" ]
verdict "the commands of INSTALL put it into ~/.local" $?
says "there it runs" "lemnos $version" "$HOME/.local/bin/lemnos" --version
LEMNOS_KB='' "$HOME/.local/bin/lemnos" init --with-data >log 2>&1
sh -e <<<"$(indented "To remove it there" | grep '^    ')" >log 2>&1
[ "$(find "$HOME/.local" -type f -o -type l | sort)" = "$HOME/.local/share/lemnos/lemnos.kb
$HOME/.local/share/mine" ]
verdict "the commands of INSTALL remove it, and neither the knowledge base nor anything else" $?

# ---- module files
lmod=/usr/share/lmod/lmod/libexec/lmod
tcl=/usr/lib/$(uname -m)-linux-gnu/modulecmd.tcl
module_loads() { # NAME COMMAND...: prints shell commands that lead to the program and to its man pages
	"${@:2}" >set.sh 2>log
	says "$1: the program is in PATH" "lemnos $version" sh -c '. ./set.sh >/dev/null; lemnos --version'
	says "$1: its man pages are in MANPATH, before the system's" "$moved/share/man:" sh -c '. ./set.sh >/dev/null; echo "$MANPATH"'
}
mv "$moved" "$work/with blanks"
moved="$work/with blanks" modules=$moved/share/modulefiles
if [ -x $lmod ]; then
	module_loads "Lmod" env MODULEPATH="$modules" $lmod sh load lemnos
	mv "$moved" "$work/tcl" # from which Lmod 8 loads none below a folder with blanks
	moved=$work/tcl modules=$work/tcl/share/modulefiles
	rm "$modules/lemnos/$version.lua"
	module_loads "Lmod, from the Tcl file" env MODULEPATH="$modules" $lmod sh load lemnos
else
	echo "  skip  Lmod is not installed"
fi
if [ -r "$tcl" ]; then
	module_loads "Environment Modules" env MODULEPATH="$modules" tclsh "$tcl" sh load lemnos
else
	echo "  skip  Environment Modules are not installed (they and Lmod exclude each other)"
fi

echo "bundle: $n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
