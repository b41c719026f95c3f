# One Makefile, one dependency graph. Everything made goes under $(BUILD).
#   make             the program                 make check      install what tests need, run all
#   make quickstart  install, build, load, ask   make V=1        show full commands
#   make SANITIZE=address,undefined check-unit   make bench      accuracy and speed, measured
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
datadir    ?= $(PREFIX)/share
mandir     ?= $(datadir)/man
INSTALL    ?= install
PKG_CONFIG ?= pkg-config

VERSION := 0.1.0

# --- the rooms, in layer order: a folder may include only folders to its left
layers := base domain models kb ingest mining recommend

# --- ours: added, so that CFLAGS=... keeps the user's
pkgs         := sqlite3 gsl libconfig jansson smartcols libzstd zlib libmd
ALL_CPPFLAGS  = -I. -I$(BUILD) -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -MMD -MP \
                -DLEMNOS_DATADIR='"$(datadir)/lemnos"' \
                $(shell $(PKG_CONFIG) --cflags $(pkgs)) $(CPPFLAGS)
warnings     := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wvla -Wformat=2 \
                -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings
ALL_CFLAGS    = -std=c11 $(warnings) $(if $(WERROR),-Werror) \
                $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) $(CFLAGS)
ALL_LIBS      = $(shell $(PKG_CONFIG) --libs $(pkgs)) -lcsv -lpthread -lm $(LIBS) # libcsv ships no .pc

Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-5s %s\n' $(1) $@)

# --- sources
obj       = $(patsubst %.c,$(BUILD)/%.o,$(1))
lib_of    = $(BUILD)/$(1)/lib$(1).a
lib_src  := $(wildcard $(addsuffix /*.c,$(layers)))
cli_src  := $(wildcard cli/*.c)
# tests/unit/LAYER/test_MODULE.c links LAYER and what stands left of it, nothing else
test_src := $(wildcard tests/unit/*/test_*.c)
tests    := $(patsubst %.c,$(BUILD)/%,$(test_src))
# archives in link order (rightmost layer first), up to and including layer $(1)
upto      = $(call reverse,$(call take,$(1),$(layers)))
take      = $(if $(2),$(firstword $(2)) $(if $(filter $(1),$(firstword $(2))),,$(call take,$(1),$(wordlist 2,$(words $(2)),$(2)))))
reverse   = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
libs_upto = $(foreach l,$(call upto,$(1)),$(call lib_of,$(l)))

all: $(BUILD)/lemnos $(BUILD)/recommend

$(BUILD)/lemnos: $(call obj,$(cli_src)) $(call libs_upto,recommend)
	$(call say,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

# One binary; called under this name it is `lemnos recommend`.
$(BUILD)/recommend.link $(BUILD)/recommend: $(BUILD)/lemnos
	$(Q)ln -sf lemnos $(BUILD)/recommend

define layer_rules
$(call lib_of,$(1)): $(call obj,$(wildcard $(1)/*.c))
	$$(call say,AR)
	$$(Q)rm -f $$@ && $$(AR) rcs $$@ $$^
$(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/$(1)/test_*.c)): $(BUILD)/%: $(BUILD)/%.o $(call libs_upto,$(1))
	$$(call say,LINK)
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(shell $$(PKG_CONFIG) --libs cmocka) $$(ALL_LIBS)
# make check-unit-LAYER: the inner loop of one room
check-unit-$(1): $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/$(1)/test_*.c))
	$$(Q)for t in $$^; do ./$$$$t 2>&1 || exit 1; done
.PHONY: check-unit-$(1)
endef
$(foreach l,$(layers),$(eval $(call layer_rules,$(l))))

$(BUILD)/%.o: %.c Makefile
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

# --- the schema, compiled in
$(BUILD)/kb/migrations.inc: tools/embed_sql.sh $(sort $(wildcard kb/schema/*.sql))
	$(call say,SQL)
	$(Q)mkdir -p $(@D)
	$(Q)sh $^ >$@
$(BUILD)/kb/kb_migrate.o: $(BUILD)/kb/migrations.inc

check-unit: $(addprefix check-unit-,$(layers))
check-layers:
	$(Q)sh tests/check_layers.sh $(layers)

clean:
	rm -rf build build-*

.PHONY: all check-unit check-layers clean
-include $(patsubst %.o,%.d,$(call obj,$(lib_src) $(cli_src) $(test_src)))
