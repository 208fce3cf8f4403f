# Rubricator: `make` builds every book of sources/ into output/, `make test` runs all tests. Both do their own set-up.
.DEFAULT_GOAL := books
.DELETE_ON_ERROR:
.SUFFIXES:
# A book that cannot be built does not keep the others from being built.
MAKEFLAGS += --no-builtin-rules --no-print-directory --keep-going
SHELL := /bin/sh

VENV   := .venv
PY     := $(VENV)/bin/python
RUN    := $(VENV)/bin/rubricator
OUTPUT := output
STAMPS := $(OUTPUT)/.stamps
ifneq ($(filter books,$(or $(MAKECMDGOALS),books)),)
BOOKS  := $(shell sh .ci/stamps $(STAMPS))
endif

.PHONY: books built test test-fast lint diff handout check manual bench fuzz clean help setup lock bom

# make's own "*** [Error 3]" would be the last line otherwise, and says nothing that helps.
books: built ## build every book in sources/ to output/; the second time only what changed
	@$(if $(FAILED),$(error not built: $(FAILED) – mend what is said above and run make again),:)

FAILED = $(shell cat $(STAMPS)/*.failed 2>/dev/null | awk '{ printf "%s%s", between, $$0; between = ", " }')

built: $(BOOKS:%=$(STAMPS)/%.built) $(VENV)/.ready
	@[ -n "$(BOOKS)" ] || { echo 'there is no book in sources/ – make one: $(RUN) new-book NAME' >&2; exit 3; }
	@cat $(BOOKS:%=$(STAMPS)/%.built) 2>/dev/null | awk -F/ '{ name = $$NF; sub("/[^/]*$$", ""); if ($$0 != last) printf "%s%s/\n    ", \
		(last ? "\n" : ""), last = $$0; printf " %s", name } END { if (NR) print "" }'

# A build prints what it wrote: that list is the target, and it is only there when the build ended well.
$(STAMPS)/%.built: $(STAMPS)/%.seen $(STAMPS)/_code.seen $(VENV)/.ready
	@if $(RUN) build "$$(head -n 1 $<)" >$@.part; then mv $@.part $@; else rm -f $@ $@.part; head -n 1 $< >$(STAMPS)/$*.failed; fi

$(STAMPS)/%.seen: ;

test: $(VENV)/.ready-dev lint ## install what testing needs and run all tests
	@$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(TESTS)

test-fast: $(VENV)/.ready ## the tests that need no browser, no Java, no fonts of the system and no installing as root; in minutes
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	@$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not browser and not shared and not hostile" $(TESTS)

lint: $(VENV)/.ready-dev ## ruff and mypy --strict
	@$(VENV)/bin/ruff check --quiet pipeline tests bench .ci
	@$(VENV)/bin/mypy --no-error-summary

diff: $(VENV)/.ready ## OLD=a.pdf NEW=b.pdf: the change sheet, HTML and PDF, in output/
	@[ -n "$$OLD" ] && [ -n "$$NEW" ] || { echo 'usage: make diff OLD=old.pdf NEW=new.pdf' >&2; exit 2; }
	@name="$(OUTPUT)/changes-$$(basename "$${NEW%.*}")"; \
	$(RUN) diff "$$OLD" "$$NEW" --quiet -o "$$name.html" && $(RUN) diff "$$OLD" "$$NEW" -o "$$name.pdf" && \
	printf '%s\n' "$$name.html" "$$name.pdf"

handout: $(VENV)/.ready ## EVENT=sources/x/event.toml: the tournament handout
	@[ -n "$$EVENT" ] || { echo 'usage: make handout EVENT=sources/BOOK/event.toml' >&2; exit 2; }
	@$(RUN) handout "$$EVENT"

check: $(VENV)/.ready ## review of all sources: what was read, what was not, what needs an eye
	@set --; for book in sources/*/ sources/*.pdf; do [ ! -e "$$book" ] || set -- "$$@" "$$book"; done; $(RUN) check "$$@"

manual: $(VENV)/.ready-docs ## the manual as a site in output/manual, its reference made from the code
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --quiet
	@echo $(OUTPUT)/manual/index.html

bench: $(VENV)/.ready-bench ## measure against the tools people would use instead; writes bench/results.md
	@$(PY) -m bench

fuzz: $(VENV)/.ready-dev ## 10,000 seeded mutations of the samples, 200 disturbed runs of each command; FUZZ=n, DISTURBED=n
	@$(PY) -m tests.fuzz $(or $(FUZZ),10000)
	@$(PY) -m tests.durable $(or $(DISTURBED),200)

clean: ## remove everything made in output/
	@find $(OUTPUT) -mindepth 1 -maxdepth 1 ! -name .gitkeep -exec rm -rf {} +

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 18

setup: $(VENV)/.ready ## only the set-up: .venv and what printing needs

lock: $(VENV)/.ready-bench $(VENV)/.ready-docs ## write the lock files anew, from what pyproject.toml asks for and .venv has
	@$(PY) .ci/lock.py

bom: $(VENV)/.ready ## the bill of materials (CycloneDX) of all packages, in output/
	@$(PY) .ci/bom.py $(OUTPUT)/bom.cdx.json

$(VENV)/.ready: pyproject.toml requirements.lock .ci/setup
	@sh .ci/setup run
	@touch "$@"

$(VENV)/.ready-dev: $(VENV)/.ready requirements-dev.lock
	@sh .ci/setup dev
	@touch "$@"

$(VENV)/.ready-docs: $(VENV)/.ready requirements-docs.lock
	@sh .ci/setup docs
	@touch "$@"

$(VENV)/.ready-bench: $(VENV)/.ready-dev requirements-bench.lock
	@sh .ci/setup bench
	@touch "$@"
