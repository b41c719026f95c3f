#!/bin/sh
# One archive that runs on any Linux of this processor: the installed tree, with a static launcher in place of
# bin/lemnos, and in lib/lemnos the program, its loader, its libraries and the one locale that these need. The
# licence of each library, as Debian keeps it, goes with it. Same input, same bytes: names are sorted, and every
# time is $SOURCE_DATE_EPOCH.
# usage: bundle.sh STAGE PARTS VERSION OUT
#   STAGE   an installed tree: bin, libexec, share; what is made of it goes to STAGE.tree
#   PARTS   a folder of static programs: launcher, sweep_task
set -eu
stage=$1 parts=$2 version=$3 out=$4
export LC_ALL=C
here=$(cd "$(dirname "$0")/.." && pwd)
name=$(basename "$out" .tar.gz)
machine=${name##*-}
work=$stage.tree tree=$stage.tree/$name
fail() {
	echo "make bundle: $*" >&2
	exit 1
}
for command in readelf strip ldd dpkg-query gzip; do
	command -v $command >/dev/null || fail "$command is needed (it is made on Debian or its kin)"
done
: "${SOURCE_DATE_EPOCH:?}"

rm -rf "$work"
mkdir -p "$tree/lib/lemnos/locale"
cp -a "$stage/bin" "$stage/libexec" "$stage/share" "$tree/"
libs=$tree/lib/lemnos
mv "$tree/bin/lemnos" "$libs/lemnos"
cp "$parts/launcher" "$tree/bin/lemnos"
cp "$parts/sweep_task" "$tree/libexec/lemnos/sweep_task"

# ---- the loader and all libraries that the program asks for, by the names under which it does
loader=$(readelf -l "$libs/lemnos" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
[ -n "$loader" ] || fail "$libs/lemnos has no loader"
ldd "$libs/lemnos" >"$work/ldd"
! grep 'not found' "$work/ldd" || fail "a library is missing"
awk '$2 == "=>" { print $1, $3 }' "$work/ldd" >"$work/libraries"
echo "${loader##*/} $loader" >>"$work/libraries"
sort -o "$work/libraries" "$work/libraries"

# The package of a file: dpkg knows it with or without the /usr of a merged tree.
package_of() { # FILE
	for file in "$(realpath "$1")" "$1"; do
		for path in "$file" "${file#/usr}"; do
			dpkg-query -S "$path" 2>/dev/null | sed -n '1s/:.*//p' | grep . && return
		done
	done
	fail "no Debian package has $1: its licence is not known"
}

notices=$tree/share/doc/lemnos/libraries
mkdir -p "$notices"
: >"$work/packages"
while read -r soname file; do
	cp -L "$file" "$libs/$soname"
	chmod 755 "$libs/$soname"
	echo "$soname $(package_of "$file")" >>"$work/packages"
done <"$work/libraries"
package=$(dpkg-query -S C.utf8/LC_CTYPE 2>/dev/null | sed -n '1s/:.*//p')
[ -n "$package" ] || fail "the locale C.UTF-8 is not installed (Debian: libc-bin)"
cp -RL /usr/lib/locale/C.utf8 "$libs/locale/C.utf8"
echo "locale/C.utf8 $package" >>"$work/packages"

# ---- without names for debuggers and identities of builds: the same source gives the same bytes
for file in "$libs/lemnos" "$tree/bin/lemnos" "$tree/libexec/lemnos/sweep_task"; do
	strip --strip-unneeded -R .note.gnu.build-id -R .comment "$file"
done

# ---- any x86-64 processor, any Linux since 3.2: nothing may ask for more
for file in "$libs"/*.so* "$libs/lemnos" "$tree/bin/lemnos" "$tree/libexec/lemnos/sweep_task"; do
	needs=$(readelf -nW "$file" | sed -n 's/.*x86 ISA needed: *//p')
	case $needs in
	'' | x86-64-baseline) ;;
	*) fail "$file needs a processor of the kind $needs" ;;
	esac
	kernel=$(readelf -nW "$file" | sed -n 's/.*OS: Linux, ABI: *//p' | head -n 1)
	case ${kernel:-2.6.0} in
	2.* | 3.[0-9].*) ;;
	*) fail "$file needs Linux $kernel" ;;
	esac
done

# ---- licences
while read -r soname package; do
	dpkg-query -W -f "$soname|\${Package}|\${Version}|\${source:Package}|\${source:Version}|\${Homepage}\\n" "$package"
	[ -r "/usr/share/doc/$package/copyright" ] || fail "/usr/share/doc/$package/copyright is missing"
	cp -L "/usr/share/doc/$package/copyright" "$notices/$package.copyright"
done <"$work/packages" >"$work/table"
for file in /usr/share/common-licenses/*; do # the texts that the copyright files refer to
	case ${file##*/} in
	GPL-[123] | LGPL-2 | LGPL-2.1 | LGPL-3 | GFDL-1.[23] | Artistic | Apache-2.0) cp -L "$file" "$notices/" ;;
	esac
done
{
	cat "$here/packaging/bundle/libraries.md"
	awk -F '|' '{ printf "| %s | %s %s | [%s %s](https://snapshot.debian.org/package/%s/%s/) | [%s.copyright](%s.copyright) |\n",
		$1, $2, $3, $4, $5, $4, $5, $2, $2 }' "$work/table"
} >"$notices/README.md"

# ---- what says how to use it
filled() { # FILE: with its names
	sed -e "s/@VERSION@/$version/g" -e "s/@MACHINE@/$machine/g" -e "s/@NAME@/$name/g" "$here/packaging/$1"
}
mkdir -p "$tree/share/modulefiles/lemnos"
filled bundle/INSTALL.in >"$tree/INSTALL"
filled modulefiles/lemnos.lua.in >"$tree/share/modulefiles/lemnos/$version.lua"
filled modulefiles/lemnos.tcl.in >"$tree/share/modulefiles/lemnos/$version"

tar -C "$work" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
	--mode=u=rwX,go=rX -cf "$out.tar" "$name"
gzip -9n <"$out.tar" >"$out.new"
rm -f "$out.tar"
mv "$out.new" "$out"
echo "$out: $(($(wc -c <"$out") / 1000000)) MB; INSTALL in it says where it may go"
