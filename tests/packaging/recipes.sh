#!/bin/sh
# The recipes of Spack and EasyBuild are Python: they are read with stand-ins for what those two define, and say one
# version, all libraries of the Makefile and files that exist. Neither tool is asked: they are not packaged in Debian.
# All that is packaged says the version of the Makefile.
# usage: recipes.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
version=$(sed -n 's/^VERSION := //p' Makefile)
n_passed=0 n_failed=0
verdict() { # NAME STATUS: 0 is well
	if [ "$2" -eq 0 ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		printf '  FAIL  %s\n' "$1"
	fi
}
grep -q "^lemnos ($version-" debian/changelog
verdict "debian/changelog is of version $version" $?
grep -qx "version: $version" CITATION.cff
verdict "CITATION.cff is of version $version" $?
grep -q "^version = '$version'" "packaging/easybuild/lemnos-$version-"*.eb
verdict "the easyconfig is of version $version" $?
grep -q "version(\"$version\"" packaging/spack/spack_repo/lemnos/packages/lemnos/package.py
verdict "package.py is of version $version" $?
# shellcheck disable=SC2046 # names are words
for library in $(sed -n 's/^pkgs *:= //p' Makefile) csv; do
	case $library in
	sqlite3) names='sqlite SQLite libsqlite3-dev' ;;
	gsl) names='gsl GSL libgsl-dev' ;;
	jansson) names='jansson Jansson libjansson-dev' ;;
	smartcols) names='util-linux util-linux libsmartcols-dev' ;;
	libzstd) names='zstd zstd libzstd-dev' ;;
	zlib) names='zlib-api zlib zlib1g-dev' ;;
	csv) names='libcsv libcsv libcsv-dev' ;;
	libconfig) names='libconfig libconfig libconfig-dev' ;;
	nettle) names='nettle nettle nettle-dev' ;;
	hwloc) names='hwloc hwloc libhwloc-dev' ;;
	*) names='? ? ?' ;;
	esac
	set -- $names
	grep -q "depends_on(\"$1\")" packaging/spack/spack_repo/lemnos/packages/lemnos/package.py &&
		grep -q "('$2', " "packaging/easybuild/lemnos-$version-"*.eb && grep -qx " $3," debian/control
	verdict "every recipe has $library" $?
done

if command -v python3 >/dev/null; then
	python3 - packaging/spack/spack_repo/*/packages/*/package.py <<'END'
import sys, types

class Base:
    pass

calls = []
directives = ["version", "variant", "depends_on", "license"]
def directive(name):
    return lambda *args, **more: calls.append((name, args, more))
def decorator(*args, **more):
    return lambda function: function

api = types.ModuleType("spack.package")
api.__dict__.update({name: directive(name) for name in directives}, run_after=decorator, on_package_attributes=decorator)
api.__all__ = directives + ["run_after", "on_package_attributes"]
for name in ["spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"]:
    sys.modules[name] = types.ModuleType(name)
sys.modules["spack.package"] = api
for kind, base in [("makefile", "MakefilePackage"), ("autotools", "AutotoolsPackage")]:
    module = types.ModuleType(kind)
    setattr(module, base, type(base, (Base,), {}))
    sys.modules["spack_repo.builtin.build_systems." + kind] = module

for path in sys.argv[1:]:
    calls.clear()
    names = {}
    exec(compile(open(path).read(), path, "exec"), names)
    wanted = path.split("/")[-2].capitalize()
    package = names.get(wanted)
    assert package and issubclass(package, Base) and package.__doc__, path + ": no class " + wanted
    assert {"version", "license"} <= {name for name, _, _ in calls}, path + ": a version and a licence"
    assert ("depends_on", ("c",), {"type": "build"}) in calls, path + ": no compiler"
END
	verdict "Spack's recipes are read, with stand-ins for its names" $?
	python3 - packaging/easybuild/*.eb <<'END'
import sys

for path in sys.argv[1:]:
    values = {"SOURCE_TAR_GZ": "%(name)s-%(version)s.tar.gz", "SHLIB_EXT": "so"}
    exec(compile(open(path).read(), path, "exec"), values)
    for key in ["easyblock", "name", "version", "homepage", "description", "toolchain", "sources", "moduleclass",
                "sanity_check_paths"]:
        assert values.get(key), path + ": no " + key
    chain = values["toolchain"]
    assert path.endswith("/%s-%s-%s-%s.eb" % (values["name"], values["version"], chain["name"], chain["version"])), path
    assert set(values["sanity_check_paths"]) == {"files", "dirs"}, path
    for name, version in values.get("dependencies", []) + values["builddependencies"]:
        assert isinstance(name, str) and isinstance(version, str), path
END
	verdict "EasyBuild's recipes are read, with stand-ins for its names" $?
else
	echo "  skip  Python 3 is not installed: the recipes of Spack and EasyBuild are not read"
fi
echo "recipes: $n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
