import os

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Lemnos(MakefilePackage):
    """Recommends configurations of parallel codes (nodes, processor grid, blocking) for a deadline, from runs that
    were measured or modelled before, with an interval and the runs and rules behind it."""

    # The archive that `make dist` makes, in the directory where spack is called.
    url = "file://{0}/lemnos-0.1.0.tar.gz".format(os.getcwd())
    manual_download = True

    license("MIT", checked_by="lemnos")

    version("0.1.0")  # no checksum: spack install --no-checksum

    variant("mpi", default=False, description="lemnos_tune for MPI programs, and kernels that make runs")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gsl")
    depends_on("hwloc")
    depends_on("jansson")
    depends_on("libconfig")
    depends_on("libcsv")
    depends_on("mpi", when="+mpi")
    depends_on("nettle")
    depends_on("sqlite")
    depends_on("util-linux")  # libsmartcols
    depends_on("zlib-api")
    depends_on("zstd")

    @property
    def settings(self):
        mpicc = self.spec["mpi"].mpicc if self.spec.satisfies("+mpi") else ""
        return ["CC={0}".format(spack_cc), "PREFIX={0}".format(self.prefix), "MPICC={0}".format(mpicc), "SMPICC="]

    def build(self, spec, prefix):
        make(*self.settings, "all", "all-completions")

    def install(self, spec, prefix):
        make(*self.settings, "install")

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def ask(self):
        lemnos = Executable(join_path(self.prefix.bin, "lemnos"))
        lemnos("init", "--with-data", "--kb", "quick.kb")
        lemnos("mine", "--kb", "quick.kb")
        lemnos("recommend", "--kb", "quick.kb", "--problem", "280x280x255", "--deadline", "1h")
