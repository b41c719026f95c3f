#!/bin/sh
# Make sure that what a purpose needs is installed; say what is missing and why before installing.
# usage: install_deps.sh build|test|ci   (each set includes the ones before it)
# Debian and its kin: apt-get, through sudo when not root. Elsewhere: names what to install, and
# fails only if it is really not there. When everything is there this writes and fetches nothing.
set -eu

# SET  PACKAGE  PROBE  WHY. The probe finds what was installed without apt: pc:MODULE asks
# pkg-config, cmd:NAME looks in PATH, h:HEADER asks the compiler, deb: only the package tells.
needed() {
	cat <<-'TABLE'
		build gcc             cmd:cc          C11 compiler
		build pkg-config      cmd:pkg-config  finds the libraries below
		build libsqlite3-dev  pc:sqlite3      the knowledge base
		build libgsl-dev      pc:gsl          statistics and fits
		build libcsv-dev      h:csv.h         reads CSV
		build libconfig-dev   pc:libconfig    reads application and machine definitions
		build libjansson-dev  pc:jansson      writes JSON
		build libsmartcols-dev pc:smartcols   prints tables
		build libzstd-dev     pc:libzstd      reads .zst
		build zlib1g-dev      pc:zlib         reads .gz
		build nettle-dev      pc:nettle       SHA-256 of what was imported
		build libhwloc-dev    pc:hwloc        cores and caches of the machine
		test  libcmocka-dev   pc:cmocka       unit tests
		test  sqlite3         cmd:sqlite3     opens the knowledge base without our program
		test  jq              cmd:jq          reads our JSON with a foreign reader
		test  zstd            cmd:zstd        makes .zst input
		test  mandoc          cmd:mandoc      compares man pages with --help
		test  gnuplot-nox     cmd:gnuplot     draws README's picture again
		ci    clang           cmd:clang       second compiler
		ci    libclang-rt-14-dev deb:         sanitizers of the second compiler
		ci    clang-tidy      cmd:clang-tidy  static analysis
		ci    clang-format    cmd:clang-format layout of the code
		ci    cppcheck        cmd:cppcheck    static analysis
		ci    shellcheck      cmd:shellcheck  lint of the shell scripts
		ci    valgrind        cmd:valgrind    memory errors of the unit tests
		ci    llvm            cmd:llvm-cov    coverage
		ci    lld             cmd:ld.lld      links the instrumented builds, in less time
		ci    zsh             cmd:zsh         parses the zsh completion
		ci    libopenmpi-dev  cmd:mpicc       builds kernels/wavefront
		ci    openmpi-bin     cmd:mpirun      runs it
		ci    libmpich-dev    cmd:mpicc.mpich builds tune/ with a second MPI
		ci    mpich           cmd:mpirun.mpich runs its tests
		ci    libsimgrid-dev  cmd:smpicc      simulates it
		ci    slurm-wlm       deb:            runs submitted recommendations
		ci    slurmdbd        deb:            keeps what became of them
		ci    munge           deb:            tells Slurm who asks
		ci    mariadb-server  deb:            the database of slurmdbd
		ci    debhelper       cmd:dh          makes the packages
		ci    lintian         cmd:lintian     checks them
		ci    lmod            deb:            loads the module files
	TABLE
}

case ${1-} in
build) sets=' build ' ;;
test) sets=' build test ' ;;
ci) sets=' build test ci ' ;;
*)
	echo "usage: ${0##*/} build|test|ci" >&2
	exit 2
	;;
esac

has() { # PACKAGE PROBE
	case $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) in
	installed) return 0 ;;
	esac
	case $2 in
	pc:*) pkg-config --exists "${2#pc:}" 2>/dev/null ;;
	cmd:*) command -v "${2#cmd:}" >/dev/null ;;
	h:*) echo "#include <${2#h:}>" | cc -E - >/dev/null 2>&1 ;;
	*) return 1 ;;
	esac
}

missing=$(needed | while read -r set package probe why; do
	case $sets in
	*" $set "*) has "$package" "$probe" || printf '  %-20s %s\n' "$package" "$why" ;;
	esac
done)
[ -n "$missing" ] || exit 0
packages=$(echo "$missing" | awk '{ printf "%s%s", sep, $1; sep = " " }')

if ! command -v apt-get >/dev/null; then
	{
		echo "These are missing (Debian's names), and there is no apt-get to install them with:"
		echo "$missing"
	} >&2
	exit 1
fi
root=
if [ "$(id -u)" -ne 0 ]; then
	root=sudo
	if ! command -v sudo >/dev/null; then
		echo "Missing, and installing needs root or sudo. As root: apt-get install $packages" >&2
		exit 1
	fi
fi
echo "Installing with $root${root:+ }apt-get what is missing:"
echo "$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { # what apt says is of interest only if it fails
	$root env DEBIAN_FRONTEND=noninteractive apt-get -q=2 "$@" </dev/null >"$log" 2>&1 || {
		cat "$log" >&2
		return 1
	}
}
# The lists may be empty or old. If they cannot be had, the install tells whether that matters.
apt update || true
# shellcheck disable=SC2086 # one word per package is what is wanted
apt -y --no-install-recommends install $packages
echo "Installed."
