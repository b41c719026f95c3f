# One Makefile, one dependency graph. Everything made goes under $(BUILD).
#   make             the program                 make check      install what tests need, run all
#   make quickstart  install, build, load, ask
#   make check-fast  the units of what changed   make ci         all that is checked on every push
#   make SANITIZE=address,undefined check-unit   make bench      accuracy, speed and cost against size
#   make fuzz TIME=600 TARGETS="ingest base"     fuzzers, from tests/fuzz/corpus; make fuzz-night: all, for hours
#   make mutation ROOM=models N=200 SEED=1       do the tests notice small changes of the sources?
#   make install PREFIX=... DESTDIR=...          make V=1        show full commands
#   make dist   the sources                      make bundle     all in one archive, for any Linux
#   make deb    packages of Debian               make check-deb check-bundle     and do these run?
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

comma := ,
# --- for the user and the packager: set on the command line, never edited here
CC         ?= cc
CFLAGS     ?= -O2 -g
SANITIZE   ?=
BUILD      ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
PREFIX     ?= /usr/local
bindir     ?= $(PREFIX)/bin
libexecdir ?= $(PREFIX)/libexec
datadir    ?= $(PREFIX)/share
mandir     ?= $(datadir)/man
docdir     ?= $(datadir)/doc/lemnos
bashcompdir ?= $(datadir)/bash-completion/completions
zshcompdir ?= $(datadir)/zsh/site-functions
INSTALL    ?= install
PKG_CONFIG ?= pkg-config

VERSION := 0.1.0

# --- the rooms, in layer order: a folder may include only folders to its left. A room of rooms stands
# right of those inside it: mining/mine.c uses mining/rules/, never the other way.
layers := base domain models models/taskgraph kb ingest/formats ingest mining/numerics mining/gp mining/training \
          mining/messages mining/structure mining/predictor mining/cases mining/findings mining/rules \
          mining/evaluate mining recommend/space recommend/search recommend/choose recommend/next \
          recommend/evaluate recommend acquire api cli/frame cli/data cli/answer cli/history cli/rules \
          cli/acquire cli/evaluate cli/model cli/graph cli/compose cli

# --- ours: added, so that CFLAGS=... keeps the user's
# pkg-config runs once, when the first recipe wants it: `make quickstart` may install it on the way.
pkg          = $(shell $(PKG_CONFIG) $(1))$(if $(filter 0,$(.SHELLSTATUS)),,$(error \
               a library is missing (above). `make deps` installs what the build needs, `make check` also what tests need))
pkgs        := sqlite3 gsl libconfig jansson smartcols libzstd zlib nettle hwloc
pkg_cflags   = $(eval pkg_cflags := $$(call pkg,--cflags $(pkgs)))$(pkg_cflags)
pkg_libs     = $(eval pkg_libs := $$(call pkg,--libs $(pkgs)) -lcsv)$(pkg_libs) # libcsv ships no .pc
cmocka_libs  = $(eval cmocka_libs := $$(call pkg,--libs cmocka))$(cmocka_libs)

warnings     := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wvla -Wformat=2 \
                -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings
ALL_CPPFLAGS  = -I. -I$(BUILD)/obj -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -MMD -MP \
                $(pkg_cflags) $(CPPFLAGS)
# hidden: shared libraries (libconfig has a strbuf_release, too) must not find our names
# numbers: alike on all processors (no fused operations), in loops that may become vectors; nobody
# asks for errno or flags of arithmetic
numbers      := -ffp-contract=off -fno-math-errno -fno-trapping-math
ALL_CFLAGS    = -std=c11 -fvisibility=hidden $(numbers) $(warnings) $(if $(WERROR),-Werror) \
                $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) $(CFLAGS) \
                $(counted)
ALL_LIBS      = $(pkg_libs) -lpthread -lm $(LIBS)

Q    := $(if $(V),,@)
say   = $(if $(V),,@printf '  %-5s %s\n' $(1) $@)
# For the targets that start a second make: use all processors unless told otherwise, by -j or JOBS (which
# the scripts that run tests side by side obey, too).
again = +$(Q)$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(or $(JOBS),$(shell nproc)))

# --- sources
# Objects have a folder of their own: $(BUILD)/recommend is the program, recommend/ a room.
obj       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
lib_of    = $(BUILD)/obj/lib$(subst /,-,$(1)).a
lib_src  := $(wildcard $(addsuffix /*.c,$(layers)))
# tests/unit/LAYER/test_MODULE.c links LAYER and what stands left of it, nothing else
test_src := $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c)
tests    := $(patsubst %.c,$(BUILD)/%,$(test_src))
mutate   := $(BUILD)/tests/mutation/mutate
# what several tests share; an archive, so that a test links only what it uses
support  := $(BUILD)/obj/libsupport.a
# archives in link order (rightmost layer first), up to and including layer $(1)
upto      = $(call reverse,$(call take,$(1),$(layers)))
take      = $(if $(2),$(firstword $(2)) $(if $(filter $(1),$(firstword $(2))),,$(call take,$(1),$(wordlist 2,$(words $(2)),$(2)))))
reverse   = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
libs_upto = $(foreach l,$(call upto,$(1)),$(call lib_of,$(l)))

all: $(BUILD)/lemnos $(BUILD)/recommend kernels

$(BUILD)/lemnos: $(call obj,cli/main.c) $(call libs_upto,cli)
	$(call say,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

# One binary; called under this name it is `lemnos recommend`.
$(BUILD)/recommend: | $(BUILD)/lemnos
	$(Q)ln -sf lemnos $@

$(support): $(call obj,$(wildcard tests/support/*.c))
	$(call say,AR)
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

# In unit tests the allocations of our code pass through tests/support/failing_allocations.c.
wrapped  := malloc calloc realloc strdup strndup gsl_vector_alloc gsl_vector_calloc gsl_matrix_alloc \
            gsl_permutation_alloc gsl_rng_alloc gsl_multimin_fdfminimizer_alloc gsl_multifit_nlinear_alloc
wrap     := $(addprefix -Wl$(comma)--wrap=,$(wrapped)) -Wl,--undefined=__wrap_malloc

$(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/kernels/test_*.c)): $(BUILD)/%: $(BUILD)/obj/%.o \
		$(support) $(call obj,kernels/sweep_block.c kernels/transport.c)
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(cmocka_libs) -lm

define layer_rules
$(call lib_of,$(1)): $(call obj,$(filter-out cli/main.c,$(wildcard $(1)/*.c))) $(call lib_of,$(1)).members
	$$(call say,AR)
	$$(Q)rm -f $$@ && $$(AR) rcs $$@ $$(filter %.o,$$^)
# An archive is made anew when a file leaves its room, too.
$(call lib_of,$(1)).members: FORCE
	$$(call stamp,$(filter-out cli/main.c,$(wildcard $(1)/*.c)))
$(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/$(1)/test_*.c)): $(BUILD)/%: $(BUILD)/obj/%.o $(support) $(call libs_upto,$(1))
	$$(call say,LINK)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(wrap) $$(unit_linker) $$(LDFLAGS) -o $$@ $$^ $$(cmocka_libs) $$(ALL_LIBS)
# make check-unit-LAYER: the inner loop of one room, and of the rooms inside it
check-unit-$(1): $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/$(1)/test_*.c tests/unit/$(1)/*/test_*.c))
	$$(Q)for t in $$(abspath $$^); do $$$$t 2>&1 || exit 1; done
.PHONY: check-unit-$(1)
endef
$(foreach l,$(layers),$(eval $(call layer_rules,$(l))))

# Objects follow their compiler and flags, so that one folder never mixes two kinds of build.
$(BUILD)/obj/%.o: %.c $(BUILD)/obj/flags
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(if $(filter tests/unit/%,$<),$(unit_cflags)) -c -o $@ $<

# A unit test is compiled and run once: what -O2 takes longer to make it saves nowhere. With WERROR it does, as warnings
# come with it. Lines are enough to find where it fails, and gold, if it is here, links in half the time of ld.
unit_cflags  = $(if $(filter-out file,$(origin CFLAGS)),,-g1 $(if $(WERROR),,-O0))
unit_linker := $(if $(shell command -v ld.gold 2>/dev/null),-fuse-ld=gold)

# $(call stamp,TEXT): a file that holds TEXT and is as old as its last change.
stamp = $(Q)mkdir -p $(@D); printf '%s\n' '$(strip $(subst ','\'',$(1)))' | cmp -s - $@ || \
        printf '%s\n' '$(strip $(subst ','\'',$(1)))' >$@
$(BUILD)/obj/flags: FORCE
	$(call stamp,$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(unit_cflags))

# Only the application layer knows where the shipped data are, and the command line how the program was
# built.
about = -DLEMNOS_DATADIR='"$(datadir)/lemnos"' -DLEMNOS_VERSION='"$(VERSION)"' \
        -DLEMNOS_BUILT='"$(strip $(CFLAGS))$(if $(SANITIZE), -fsanitize=$(SANITIZE))"'
$(BUILD)/obj/api/%.o $(BUILD)/obj/cli/%.o: ALL_CPPFLAGS += $(about)
$(call obj,$(filter api/% cli/%,$(lib_src))): $(BUILD)/obj/cli/about
$(BUILD)/obj/cli/about: FORCE
	$(call stamp,$(about))

# --- the schema, compiled in
$(BUILD)/obj/kb/migrations.inc: tools/embed_sql.sh $(sort $(wildcard kb/schema/*.sql))
	$(call say,SQL)
	$(Q)mkdir -p $(@D)
	$(Q)sh $^ >$@
$(BUILD)/obj/kb/kb_migrate.o: $(BUILD)/obj/kb/migrations.inc

# --- two commands on a fresh machine
deps:
	$(Q)sh tools/install_deps.sh build

quickstart: deps
	$(again) all
	$(Q)sh tools/quickstart.sh $(BUILD)

check:
	$(Q)sh tools/install_deps.sh test
	$(again) all $(tests) $(mutate) $(front_end)
	$(Q)bash tools/run_suites.sh $(BUILD)/check $(suites)

# The inner loop, within a minute: units whose binary has changed since they passed, golden files, layers.
# Left out are slow_tests where more than 40 others have to run.
slow_tests := test_planted_terms test_evaluate_rules test_kb_memory test_mining_memory test_kb_damage test_kb_imports \
              test_ingest_memory test_next_runs test_api_memory
check-fast:
	$(Q)sh tools/install_deps.sh test
	$(again) all $(tests)
	$(Q)bash tools/run_suites.sh $(BUILD)/check/fast \
		"units of what changed" "$(units) -c '$(slow_tests)' $(tests)" \
		"command line" "sh tests/cli/run.sh -c $(BUILD)" \
		"layers" "sh tests/check_layers.sh $(BUILD) $(layers)"

# What docs/adding_a_command.md shows of a front end is built and run.
front_end := $(BUILD)/docs/front_end
$(front_end): $(call obj,docs/front_end.c) $(call libs_upto,api)
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

# --- tests, each for itself. UPDATE=1 rewrites golden files and examples: review the diff.
export UPDATE
units        := bash tools/run_units.sh $(BUILD)/check/unit
suites        = "unit tests" "$(units) $(tests)" \
                "command line" "sh tests/cli/run.sh $(BUILD)" \
                "README, man pages, help" "bash tests/docs/run.sh $(BUILD)" \
                "kernels" "bash tests/kernels/run.sh $(BUILD)" \
                "layers" "sh tests/check_layers.sh $(BUILD) $(layers)" \
                "recipes of packages" "sh tests/packaging/recipes.sh" \
                "arithmetic of the benchmarks" "sh tests/bench/check.sh" \
                "mutants" "sh tests/mutation/check.sh $(BUILD)"
check-unit: $(tests)
	$(Q)$(units) $^
# PART=3/10: a tenth of them; LEAKS=3/10: under the sanitizers leaks are looked for in a tenth of them
check-cli: all
	$(Q)sh tests/cli/run.sh $(if $(PART),-p $(PART)) $(if $(LEAKS),-l $(LEAKS)) $(BUILD)
check-docs: all $(front_end)
	$(Q)bash tests/docs/run.sh $(BUILD)
# The kernels under MPI and under SimGrid, both installed for it.
check-kernels: deps-ci
	$(again) all
	$(Q)bash tests/kernels/run.sh $(BUILD)
# recommend --submit and advice sync on a Slurm of one node, if root and Slurm are here: make deps-ci installs it.
check-slurm:
	$(Q)sh tools/install_deps.sh test
	$(again) all
	$(Q)bash tests/slurm/run.sh $(BUILD)
	$(Q)bash tests/slurm/campaign.sh $(BUILD)
# What happens when something fails: allocations, system calls, the process, the disk. A sample of the
# points of failure in a minute and a half; fault-sweep tries each place in the program that allocates
# or calls the system, within the hour. make fault-sweep [POINTS=every] [FAULTS="alloc kill"]
POINTS ?= sites
faults := $(addprefix $(BUILD)/tests/faults/,fault_inject.so fault_sweep power_sweep)
injector := $(addprefix tests/faults/,fault_inject.c fault_alloc.c fault_calls.c fault_sites.c power_record.c)
$(BUILD)/tests/faults/fault_inject.so: $(injector) tests/faults/fault_inject.h tests/faults/fault_state.h \
		tests/faults/power_log.h tests/support/call_place.h
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -I. -std=c11 $(warnings) $(if $(WERROR),-Werror) $(CFLAGS) $(LDFLAGS) \
		-fPIC -shared -o $@ $(injector) -ldl
$(BUILD)/tests/faults/fault_sweep: $(call obj,$(addprefix tests/faults/,fault_sweep.c fault_run.c base_digest.c))
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)
$(BUILD)/tests/faults/power_sweep: $(call obj,$(addprefix tests/faults/,power_sweep.c power_disk.c fault_run.c base_digest.c))
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)
# A sample of the day; FAULT_SEED= draws another.
check-faults:
	$(Q)sh tools/install_deps.sh test
	$(again) all $(faults)
	$(Q)bash tests/faults/run.sh $(BUILD) sample
fault-sweep:
	$(Q)sh tools/install_deps.sh test
	$(again) all $(faults)
	$(Q)bash tests/faults/run.sh $(BUILD) $(POINTS) $(FAULTS)
# The power fails at 2 000 points; check-faults takes a sample of them.
check-power:
	$(Q)sh tools/install_deps.sh test
	$(again) all $(faults)
	$(Q)bash tests/faults/run.sh $(BUILD) $(or $(POWER_POINTS),2000) power
# A base of N runs (at 133 MiB a million, 3.3e7 make one beyond 4 GiB), and one base for two hosts.
check-big:
	$(Q)sh tools/install_deps.sh test
	$(again) all $(faults)
	$(Q)bash tests/big/run.sh $(BUILD) $(if $(filter command line environment,$(origin N)),$(N),1e6)
check-recipes:
	$(Q)sh tests/packaging/recipes.sh
check-layers:
	$(Q)sh tests/check_layers.sh $(BUILD) $(layers)
# Rewrite the output blocks of README.md and docs/tour.md from what the program prints, and draw the picture.
readme: all $(front_end)
	$(Q)UPDATE=1 bash tests/docs/run.sh $(BUILD)

# --- what every push is checked for besides: .ci/run
ci:
	$(Q).ci/run
deps-ci:
	$(Q)sh tools/install_deps.sh ci
check-compilers: deps-ci
	$(again) CC=gcc WERROR=1 BUILD=build-gcc all-and-tests
	$(again) WERROR=1 check-clang
# The second compiler's builds are those with sanitizers and of the fuzzers: which warnings clang has does not depend
# on what it instruments and how far it optimises.
check-clang: deps-ci
	$(again) sanitized-all-compiled
	$(again) fuzz-build
all-and-tests: all $(tests) $(mutate)
# Programs of the benchmarks, too, as far as a compiler warns.
all-compiled: all-and-tests $(call obj,$(wildcard tests/bench/*.c))
all-faults: all $(faults)
# What is allocated, and what is on the stack, is filled with bytes that make no good numbers, so that
# tests notice reads of what was not set where valgrind would take too long. The same runs count what the
# tests reach (coverage, below): each process adds to one of four files of its program when it ends, under a lock.
# clang, as gcc's programs have a file for each source, and thousands of short processes spend a third of their time
# on these; and it sees more that is undefined. Unit tests themselves are not counted.
# -g1 and lld as for the fuzzers: lines for reports, linked in a third of the time of ld.
# Undefined behaviour is an illegal instruction, which the address sanitizer reports with file and line, as an
# error (handle_sigill=2: also where a test catches signals); the program stands where it was linked for. Both
# spare each of thousands of starts nearly half its time. UB= tells in words what was undefined, too: make UB= sanitized-check-unit
UB ?= -fsanitize-undefined-trap-on-error
sanitized_folder := build-address-undefined
not_counted := -fno-profile-instr-generate -fno-coverage-mapping
sanitized = CC='$(clang)' SANITIZE=address,undefined BUILD=$(sanitized_folder) \
            CFLAGS='-O1 -g1 -fno-omit-frame-pointer -ftrivial-auto-var-init=pattern $(UB)' \
            counted='-fprofile-instr-generate=$(CURDIR)/$(sanitized_folder)/counts/%4m.profraw -fcoverage-mapping \
            -include tools/counted_exec.h -fno-pie' \
            LDFLAGS='$(LDFLAGS) -fuse-ld=lld -no-pie' unit_cflags='-O0 $(not_counted)'
# gcc's sanitizers, which place other checks in other code: the whole program alone.
gcc_sanitized = CC=gcc SANITIZE=address,undefined BUILD=build-gcc-address-undefined \
                CFLAGS='-O1 -g1 -fno-omit-frame-pointer -ftrivial-auto-var-init=pattern -fno-pie -no-pie $(UB)' \
                LDFLAGS='$(LDFLAGS) -fuse-ld=lld'
sanitized-% check-gcc-sanitize: export ASAN_OPTIONS := $(ASAN_OPTIONS):max_malloc_fill_size=268435456:handle_sigill=2
sanitized-%: deps-ci
	$(again) $(sanitized) $*
check-sanitize: deps-ci
	$(again) sanitized-check-unit
	$(again) sanitized-check-cli
	$(again) check-gcc-sanitize
check-gcc-sanitize: deps-ci
	$(again) $(gcc_sanitized) check-cli
# Under valgrind runs what the sanitizers cannot see: reads of what was never set. Overruns, leaks and
# use after free are theirs. Left out are the tests that take over half a second without it, and so half a minute with
# it (a startup is a second, the rest 30 times as long): sweeps over every point of failure, fits to
# thousands of runs, imports of megabytes. Each is made of parts whose own tests are run, and runs with
# filled memory under the sanitizers (above). PART=1/5: a fifth of them.
not_valgrind := $(addprefix test_, \
	text_table ingest_memory import_rows ingest_whole byte_source \
	kb_memory kb_faults kb_damage kb_imports kb_care kb_open acquire_memory adaptive \
	api api_memory scaling_answer \
	task_graph_analysis wavefront_graph address_trace \
	value_of_information evaluate_memory evaluate_rules structure_memory trend_gp hybrid mine mine_all_machines mine_rules wg_from_fit mining_memory model_compare planted_rules planted_terms \
	predictor predictor_bounds predictor_fit predictor_limits predictor_sources structure_choice terms_choice \
	evidence_index next_order next_runs recommend_memory rule_choice rule_support search neighbours term_proposal term_search instruction_pipeline)
check-valgrind: deps-ci
	$(foreach t,$(not_valgrind),$(if $(filter %/$t,$(tests)),,$(error not_valgrind names $t, which is no test)))
	$(again) $(tests)
	$(Q)UNDER_VALGRIND=1 bash tools/run_units.sh $(BUILD)/check/valgrind -w '$(valgrind)' -p $(or $(PART),0/1) \
		$(filter-out $(addprefix %/,$(not_valgrind)),$(tests))
valgrind := valgrind -q --error-exitcode=99 --leak-check=no
# --- fuzzers: clang's libFuzzer in a build of its own. make fuzz TIME=600 [TARGETS="ingest base"]
# fuzz-merge keeps in tests/fuzz/corpus what was found since and reaches new code.
# -g1: lines for reports, without the time that full debugging information takes to link; lld takes a third of it
clang         = $(if $(findstring clang,$(CC)),$(CC),clang)
fuzz_flavour  = CC='$(clang)' BUILD=build-fuzz SANITIZE=fuzzer-no-link,address,undefined \
                CFLAGS='-O1 -g1 -fno-omit-frame-pointer' LDFLAGS='$(LDFLAGS) -fuse-ld=lld'
fuzz_targets := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzzers      := $(patsubst %,$(BUILD)/fuzz/%,$(fuzz_targets))
fuzz_support := $(call obj,$(filter-out tests/fuzz/fuzz_%,$(wildcard tests/fuzz/*.c)))
TARGETS      ?= $(fuzz_targets)
$(fuzzers): $(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(fuzz_support) \
		$(support) $(call libs_upto,cli)
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(ALL_LIBS)
all-fuzzers: $(fuzzers)
# A check repeats one walk over the inputs, so that it fails for what was changed and not by luck.
check-fuzz: export SEED = 1
fuzz check-fuzz: deps-ci
	+$(Q)CC='$(clang)' MAKE="$(MAKE)" bash tests/fuzz/run.sh build-fuzz \
		$(if $(filter fuzz,$@),$(or $(TIME),60),5) $(TARGETS)
fuzz-build:
	$(again) $(fuzz_flavour) all-fuzzers
fuzz-merge: fuzz-build
	$(Q)for t in $(TARGETS); do \
		sh tests/fuzz/corpus.sh merge $$t build-fuzz/fuzz/$$t build-fuzz/corpus/$$t || exit 1; done
# All of them one after another, an hour each or TIME seconds: goes on where the last night stopped, keeps what
# reaches new code, and counts in docs/fuzzing.md.
fuzz-night: deps-ci
	+$(Q)CC='$(clang)' MAKE="$(MAKE)" bash tests/fuzz/night.sh build-fuzz $(or $(TIME),3600) $(TARGETS)
# What the sanitized tests reach, counted from nothing.
coverage: deps-ci
	$(again) uncounted
	$(again) sanitized-check-unit
	$(again) sanitized-check-cli
	$(again) coverage-report
uncounted:
	$(Q)rm -rf $(sanitized_folder)/counts
# What ran since `uncounted`.
coverage-report: deps-ci
	$(Q)$(MAKE) --no-print-directory -s $(sanitized) $(patsubst %.c,$(sanitized_folder)/obj/%.o,$(lib_src))
	$(Q)CC='$(clang)' bash tools/coverage.sh $(sanitized_folder) $(layers)

# --- do the tests notice? Small changes of a room's sources, and which of them its unit tests let pass.
# make mutation ROOM=models N=200 SEED=1
ROOM ?= models
N    ?= 200
SEED ?= 1
$(mutate): $(call obj,$(wildcard tests/mutation/*.c))
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^
mutation-build: $(mutate) $(filter $(BUILD)/tests/unit/$(ROOM)/%,$(tests))
	$(Q)echo '$(CC) $(filter-out -MMD -MP,$(ALL_CPPFLAGS)) $(ALL_CFLAGS)' >$(BUILD)/mutation-$(subst /,-,$(ROOM)).compile
	$(Q)echo '$(CC) $(ALL_CFLAGS) $(wrap) $(LDFLAGS) @OBJECTS@ $(support) $(call libs_upto,$(ROOM)) $(cmocka_libs) $(ALL_LIBS)' \
		>$(BUILD)/mutation-$(subst /,-,$(ROOM)).link
mutation-reached: $(patsubst %,%.reached,$(filter $(BUILD)/tests/unit/$(ROOM)/%,$(tests)))
$(BUILD)/%.reached: $(BUILD)/% tests/mutation/reached.sh tests/mutation/reached.awk
	$(Q)bash tests/mutation/reached.sh $(BUILD) $< >$@
mutation:
	$(Q)sh tools/install_deps.sh test
	$(again) BUILD=build-mutation CFLAGS=-O1 mutation-build
	$(again) BUILD=build-mutation-sanitized SANITIZE=address,undefined CFLAGS=-O1 mutation-build
	$(again) BUILD=build-mutation-reached CFLAGS='-O0 --coverage' mutation-reached
	$(Q)bash tests/mutation/run.sh $(ROOM) $(N) $(SEED) build-mutation build-mutation-sanitized build-mutation-reached

c_files = $(wildcard $(foreach d,$(layers) packaging/bundle kernels tests/support tests/fuzz tests/faults tests/mutation tests/unit/* tests/unit/*/*,$(d)/*.c $(d)/*.h)) docs/front_end.c
# PART=1/5: a fifth of the sources to clang's full depth, the others to a third of it.
lint: deps-ci $(BUILD)/obj/kb/migrations.inc
	$(Q)bash tools/lint.sh $(if $(PART),-p $(PART)) $(BUILD) $(c_files) -- $(filter-out -MMD -MP,$(ALL_CPPFLAGS)) \
		$(shell $(PKG_CONFIG) --cflags-only-I ompi-c) $(about)
format:
	$(Q)clang-format -i $(c_files)

# --- kernels: programs that make data, stand-alone; with MPI and with SimGrid's SMPI if they are here
MPICC      ?= mpicc
SMPICC     ?= smpicc
have        = $(shell command -v $(firstword $(1)) 2>/dev/null)
kernel_src := kernels/sweep_block.c kernels/transport.c
mpi_flags   = -std=c11 -D_POSIX_C_SOURCE=200809L -I. $(warnings) $(if $(WERROR),-Werror) $(CFLAGS)
mpi_kernels := $(if $(call have,$(MPICC)),$(BUILD)/kernels/wavefront $(BUILD)/kernels/pingpong) \
               $(if $(call have,$(SMPICC)),$(BUILD)/kernels/wavefront_smpi $(BUILD)/kernels/pingpong_smpi)
kernels: $(BUILD)/kernels/sweep_task $(mpi_kernels)
	$(if $(call have,$(MPICC)),,@echo '  left out: kernels/wavefront and pingpong, no $(MPICC) (Debian: libopenmpi-dev openmpi-bin)')
	$(if $(call have,$(SMPICC)),,@echo '  left out: kernels/wavefront_smpi and pingpong_smpi, no $(SMPICC) (Debian: libsimgrid-dev)')
$(BUILD)/kernels/sweep_task: $(call obj,kernels/sweep_task.c $(kernel_src))
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lm
$(addprefix $(BUILD)/kernels/,wavefront pingpong): compiler = $(MPICC)
$(addprefix $(BUILD)/kernels/,wavefront pingpong): without = MPICC=
$(addprefix $(BUILD)/kernels/,wavefront_smpi pingpong_smpi): compiler = $(SMPICC)
$(addprefix $(BUILD)/kernels/,wavefront_smpi pingpong_smpi): without = SMPICC=
$(addprefix $(BUILD)/kernels/,wavefront wavefront_smpi): kernels/wavefront.c $(kernel_src) $(wildcard kernels/*.h)
$(addprefix $(BUILD)/kernels/,pingpong pingpong_smpi): kernels/pingpong.c
$(BUILD)/kernels/pingpong: topology = $(call pkg,--cflags --libs hwloc)
$(addprefix $(BUILD)/kernels/,wavefront wavefront_smpi pingpong pingpong_smpi): $(BUILD)/obj/flags
	$(call say,MPI)
	$(Q)mkdir -p $(@D)
	$(Q)$(compiler) $(mpi_flags) -o $@ $(filter %.c,$^) $(topology) -lm || { \
		echo "$(compiler) cannot build it; 'make $(without)' leaves it out" >&2; exit 1; }

# --- tune: liblemnos_tune, stand-alone; where there is an MPI. Tests run under each MPI that is here.
libdir     ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
tune_src   := $(wildcard tune/*.c)
tune_obj   := $(patsubst tune/%.c,$(BUILD)/tune/%.o,$(tune_src))
tune_pure  := $(addprefix tune/tune_,filter.c selection.c elimination.c neighbourhood_model.c)
# gcc takes MPICH's MPI_STATUSES_IGNORE, the address 1, for an array that is too small
# mpicc is gcc's, which has no libFuzzer
tune_sanitize = $(subst fuzzer-no-link$(comma),,$(SANITIZE))
tune_flags  = $(mpi_flags) -Wno-stringop-overflow -fvisibility=hidden $(if $(SANITIZE),-fsanitize=$(tune_sanitize) -fno-sanitize-recover=all)
tune_libs  := $(addprefix $(BUILD)/tune/liblemnos_tune,.a .so.0 .pc)
halo_kernels := $(if $(call have,$(MPICC)),$(BUILD)/kernels/halo) \
                $(if $(call have,$(SMPICC)),$(BUILD)/kernels/halo_smpi)
mpis       := $(foreach m,openmpi mpich,$(if $(call have,mpicc.$m),$m))
tune_tests := $(foreach m,$(or $(mpis),$(if $(call have,$(MPICC)),default)),$(BUILD)/tune/tests-$m $(BUILD)/tune/halo-$m)
tune_unit  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/tune/test_*.c))
all: tune
tune: $(if $(call have,$(MPICC)),$(tune_libs)) $(halo_kernels)
tune-tests: $(tune_tests)
$(tune_obj): $(BUILD)/tune/%.o: tune/%.c $(wildcard tune/*.h) $(BUILD)/obj/flags
	$(call say,MPI)
	$(Q)mkdir -p $(@D)
	$(Q)$(MPICC) $(tune_flags) -fPIC -c -o $@ $<
$(BUILD)/tune/liblemnos_tune.a: $(tune_obj)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/tune/liblemnos_tune.so.0: $(tune_obj)
	$(call say,LINK)
	$(Q)$(MPICC) $(tune_flags) $(LDFLAGS) -shared -Wl,-soname,$(@F) -o $@ $^ -lm
	$(Q)ln -sf $(@F) $(@D)/liblemnos_tune.so
# Always: PREFIX may be another one when it is installed.
$(BUILD)/tune/liblemnos_tune.pc: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'Name: lemnos_tune' 'Version: $(VERSION)' \
		'Description: choose implementations of MPI communication at run time; compile with mpicc' \
		'Cflags: -I$(includedir)' 'Libs: -L$(libdir) -llemnos_tune' 'Libs.private: -lm' >$@
halo_deps := kernels/halo.c $(tune_src) $(wildcard tune/*.h) $(BUILD)/obj/flags
$(BUILD)/kernels/halo: compiler = $(MPICC)
$(BUILD)/kernels/halo_smpi: compiler = $(SMPICC)
$(BUILD)/tune/%-openmpi: compiler = mpicc.openmpi
$(BUILD)/tune/%-mpich: compiler = mpicc.mpich
$(BUILD)/tune/%-default: compiler = $(MPICC)
$(filter $(BUILD)/tune/halo-%,$(tune_tests)): tests/tune/yield_when_idle.c
$(BUILD)/kernels/halo $(BUILD)/kernels/halo_smpi $(filter $(BUILD)/tune/halo-%,$(tune_tests)): $(halo_deps)
	$(call say,MPI)
	$(Q)mkdir -p $(@D)
	$(Q)$(compiler) $(filter-out -fvisibility=hidden,$(tune_flags)) -o $@ $(filter %.c,$^) -lm
$(filter $(BUILD)/tune/tests-%,$(tune_tests)): $(wildcard tests/tune/*.c tests/tune/*.h) $(tune_src) $(wildcard tune/*.h) $(BUILD)/obj/flags
	$(call say,MPI)
	$(Q)mkdir -p $(@D)
	$(Q)$(compiler) $(tune_flags) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=free -o $@ $(filter %.c,$^) -lm
$(tune_unit): $(BUILD)/%: $(BUILD)/obj/%.o $(support) $(call obj,$(tune_pure))
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(cmocka_libs) $(ALL_LIBS)
check-unit-tune: $(tune_unit)
	$(Q)for t in $(abspath $^); do $$t 2>&1 || exit 1; done
suites += "tune, a few shapes" "env TUNE_QUICK=1 bash tests/tune/run.sh $(BUILD)"
check: tune-tests
check-tune: tune-tests tune
	$(Q)bash tests/tune/run.sh $(BUILD)
c_files += $(wildcard tune/*.c tune/*.h tests/tune/*.c tests/tune/*.h)
install: install-tune
install-tune: tune
	$(if $(call have,$(MPICC)),$(Q)$(INSTALL) -d $(foreach d,$(libdir)/pkgconfig $(includedir) $(mandir)/man3,$(call to,$(d))))
	$(if $(call have,$(MPICC)),$(Q)$(INSTALL) -m 644 $(BUILD)/tune/liblemnos_tune.a $(BUILD)/tune/liblemnos_tune.so.0 $(call to,$(libdir)))
	$(if $(call have,$(MPICC)),$(Q)ln -sf liblemnos_tune.so.0 $(call to,$(libdir))/liblemnos_tune.so)
	$(if $(call have,$(MPICC)),$(Q)$(INSTALL) -m 644 $(BUILD)/tune/liblemnos_tune.pc $(call to,$(libdir))/pkgconfig/lemnos_tune.pc)
	$(if $(call have,$(MPICC)),$(Q)$(INSTALL) -m 644 tune/lemnos_tune.h $(call to,$(includedir)))
	$(if $(call have,$(MPICC)),$(Q)$(INSTALL) -m 644 docs/man/lemnos_tune.3 $(call to,$(mandir))/man3)
	$(if $(strip $(halo_kernels)),$(Q)$(INSTALL) -d $(call to,$(libexecdir))/lemnos && $(INSTALL) -m 755 $(halo_kernels) $(call to,$(libexecdir))/lemnos)
uninstall: uninstall-tune
uninstall-tune:
	$(Q)rm -f $(foreach f,$(addprefix $(libdir)/,liblemnos_tune.a liblemnos_tune.so liblemnos_tune.so.0 pkgconfig/lemnos_tune.pc) \
		$(includedir)/lemnos_tune.h $(mandir)/man3/lemnos_tune.3,$(call to,$(f)))
.PHONY: tune tune-tests check-unit-tune check-tune install-tune uninstall-tune

bench_programs := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
$(bench_programs): $(BUILD)/%: $(BUILD)/obj/%.o $(support) $(call libs_upto,acquire)
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)
bench: all $(bench_programs)
	$(Q)sh tests/bench/run.sh $(BUILD)
# The runs of data/runs/campaigns/ again, about a quarter of an hour each: make campaigns CAMPAIGNS=wavefront-ib16
CAMPAIGNS ?= $(foreach m,ib16 eth16,$(foreach a,wavefront halo,$a-$m $a-$m-unseen))
campaigns: all
	$(Q)sh tools/run_campaigns.sh $(BUILD) $(CAMPAIGNS)
# Instructions of the hot paths against those kept in tests/bench/instructions.csv; UPDATE=1 keeps these.
check-instructions: deps-ci
	$(again) all
	$(Q)bash tests/bench/instructions.sh $(BUILD)

# --- for others
man_pages   := $(wildcard docs/man/*.1)
man_formats := $(wildcard docs/man/*.5)
data_files  := $(wildcard data/*.md data/*/*.* data/*/*/*.*)
completions := $(BUILD)/completions/lemnos.bash $(BUILD)/completions/_lemnos
$(BUILD)/completions/lemnos.bash: for_shell := bash
$(BUILD)/completions/_lemnos: for_shell := zsh
$(completions): $(BUILD)/lemnos
	$(Q)mkdir -p $(@D)
	$(Q)$(BUILD)/lemnos completions $(for_shell) >$@
all-completions: $(completions)

to = $(DESTDIR)$(1)
install: all $(completions)
	$(Q)$(INSTALL) -d $(foreach d,$(bindir) $(mandir)/man1 $(mandir)/man5 $(docdir) $(bashcompdir) $(zshcompdir),$(call to,$(d)))
	$(Q)$(INSTALL) -m 755 $(BUILD)/lemnos $(call to,$(bindir))
	$(Q)ln -sf lemnos $(call to,$(bindir))/recommend
	$(Q)$(INSTALL) -d $(call to,$(libexecdir))/lemnos
	$(Q)$(INSTALL) -m 755 $(BUILD)/kernels/sweep_task $(mpi_kernels) $(call to,$(libexecdir))/lemnos
	$(Q)$(INSTALL) -m 644 $(man_pages) $(call to,$(mandir))/man1
	$(Q)$(INSTALL) -m 644 $(man_formats) $(call to,$(mandir))/man5
	$(Q)ln -sf lemnos-recommend.1 $(call to,$(mandir))/man1/recommend.1
	$(Q)for f in $(data_files); do $(INSTALL) -D -m 644 $$f $(call to,$(datadir)/lemnos)/$${f#data/} || exit 1; done
	$(Q)$(INSTALL) -m 644 README.md NEWS.md LICENSE CITATION.cff $(wildcard docs/*.md docs/*.svg) $(call to,$(docdir))
	$(Q)$(INSTALL) -m 644 $(BUILD)/completions/lemnos.bash $(call to,$(bashcompdir))/lemnos
	$(Q)ln -sf lemnos $(call to,$(bashcompdir))/recommend
	$(Q)$(INSTALL) -m 644 $(BUILD)/completions/_lemnos $(call to,$(zshcompdir))
uninstall:
	$(Q)rm -f $(foreach f,$(addprefix $(bindir)/,lemnos recommend) \
		$(addprefix $(mandir)/man1/,$(notdir $(man_pages)) recommend.1) \
		$(addprefix $(mandir)/man5/,$(notdir $(man_formats))) \
		$(addprefix $(bashcompdir)/,lemnos recommend) $(zshcompdir)/_lemnos,$(call to,$(f)))
	$(Q)rm -rf $(call to,$(datadir)/lemnos) $(call to,$(docdir)) $(call to,$(libexecdir)/lemnos)
dist:
	$(Q)mkdir -p $(BUILD)
	git -c safe.directory='$(CURDIR)' archive --prefix=lemnos-$(VERSION)/ HEAD | gzip -9n >$(BUILD)/lemnos-$(VERSION).tar.gz

# Debian's packages, from the release archive; DEB_BUILD_OPTIONS=nocheck where the tests have run.
deb_tree = $(BUILD)/deb/lemnos-$(VERSION)
deb: dist
	$(Q)rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb
	$(Q)tar -xzf $(BUILD)/lemnos-$(VERSION).tar.gz -C $(BUILD)/deb
	$(Q)cd $(deb_tree) && env -u MAKEFLAGS -u MAKELEVEL -u BUILD dpkg-buildpackage -us -uc -b -j$(or $(JOBS),$(shell nproc)) >../log 2>&1 || \
		{ cat ../log; exit 1; }
	$(Q)ls $(BUILD)/deb/*.deb
# Unpacked and asked; as root on a machine that may be changed: bash tests/packaging/deb.sh --install build/deb
check-deb: deb
	$(Q)bash tests/packaging/deb.sh $(BUILD)/deb
# One relocatable archive with its own loader and libraries (tools/bundle.sh). MPI is the cluster's: no programs that
# need one. Two makes of one commit give the same bytes.
bundle_name  = lemnos-$(VERSION)-$(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
bundle_parts = $(BUILD)/bundle/parts
bundle_date  = $(or $(SOURCE_DATE_EPOCH),$(shell git -c safe.directory='$(CURDIR)' log -1 --format=%ct 2>/dev/null || stat -c %Y NEWS.md))
$(bundle_parts)/launcher: packaging/bundle/launcher.c base/program_file.h $(BUILD)/obj/flags $(BUILD)/lemnos
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -I. -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 $(warnings) $(if $(WERROR),-Werror) $(CFLAGS) -static \
		-DLOADER="\"$$(basename "$$(readelf -l $(BUILD)/lemnos | sed -n 's/.*interpreter: \(.*\)\]/\1/p')")\"" -o $@ $<
$(bundle_parts)/sweep_task: $(call obj,kernels/sweep_task.c $(kernel_src))
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -static -o $@ $^ -lm
bundle: all $(completions) $(bundle_parts)/launcher $(bundle_parts)/sweep_task
	$(if $(findstring -march,$(CC) $(CFLAGS)),$(error make bundle: -march= makes a program for some processors only; leave it out))
	$(Q)rm -rf $(BUILD)/bundle/stage $(BUILD)/bundle/root
	+$(Q)$(MAKE) --no-print-directory MPICC= SMPICC= DESTDIR=$(CURDIR)/$(BUILD)/bundle/root install >/dev/null
	$(Q)mv $(BUILD)/bundle/root$(PREFIX) $(BUILD)/bundle/stage
	$(Q)SOURCE_DATE_EPOCH=$(bundle_date) sh tools/bundle.sh $(BUILD)/bundle/stage $(bundle_parts) $(VERSION) \
		$(BUILD)/$(bundle_name).tar.gz
# Twice the same bytes, and the quick start in a root directory that holds nothing else.
check-bundle: bundle
	$(Q)mv $(BUILD)/$(bundle_name).tar.gz $(BUILD)/bundle/first
	+$(Q)$(MAKE) --no-print-directory bundle >/dev/null
	$(Q)cmp $(BUILD)/bundle/first $(BUILD)/$(bundle_name).tar.gz
	$(Q)bash tests/packaging/bundle.sh $(BUILD)

clean:
	rm -rf build build-*

FORCE:
.PHONY: FORCE all all-and-tests all-compiled deps deps-ci quickstart check check-fast check-unit check-cli check-docs \
        check-faults fault-sweep check-power check-big check-kernels check-slurm check-layers check-compilers check-sanitize check-gcc-sanitize check-valgrind check-instructions coverage coverage-report uncounted lint format readme ci \
        kernels bench campaigns install uninstall dist check-recipes deb check-deb bundle check-bundle clean all-fuzzers fuzz fuzz-build fuzz-merge fuzz-night check-fuzz check-clang all-faults all-completions mutation mutation-build mutation-reached
-include $(patsubst %.o,%.d,$(call obj,$(lib_src) $(test_src) $(wildcard tests/support/*.c tests/fuzz/*.c tests/faults/*.c tests/mutation/*.c tests/bench/*.c kernels/sweep_*.c kernels/transport.c) docs/front_end.c))
