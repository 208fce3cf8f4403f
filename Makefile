# Rubricator: `make` builds every book of sources/ into output/, `make test` runs all tests. Both do their own set-up.
.DEFAULT_GOAL := books
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/sh

VENV   := .venv
PY     := $(VENV)/bin/python
RUN    := $(VENV)/bin/rubricator
OUTPUT := output
STAMPS := $(OUTPUT)/.stamps
CODE   := $(wildcard pipeline/*.py pipeline/*/*.py pipeline/vocabulary/*.toml)
LOOKS  := $(shell find templates -type f ! -name '.*')
# A folder's name may hold spaces, which make takes for a separator: they travel as ␣.
BOOKS  := $(shell for d in sources/*/; do [ -d "$$d" ] && basename "$$d" | sed 's/ /␣/g'; done)

# A stamp a book, touched when anything in its folder is newer (or gone: the folder's own time changes then).
ifneq ($(filter books $(BOOKS),$(or $(MAKECMDGOALS),books)),)
_ := $(shell mkdir -p $(STAMPS); for d in sources/*/; do \
	s="$(STAMPS)/$$(basename "$$d" | sed 's/ /␣/g').seen"; \
	if [ ! -e "$$s" ] || [ -n "$$(find "$$d" -newer "$$s" -print | head -n 1)" ]; then touch "$$s"; fi; done)
endif

.PHONY: books test lint diff handout check bench fuzz clean help setup

books: $(BOOKS:%=$(STAMPS)/%.built) ## build every book in sources/ to output/; the second time only what changed
	@for d in $(OUTPUT)/*/; do [ -d "$$d" ] && echo "  $$d" && ls "$$d" | sed 's/^/      /'; done; true

$(STAMPS)/%.built: $(STAMPS)/%.seen $(CODE) $(LOOKS) $(VENV)/.ready
	@$(RUN) build "sources/$(subst ␣, ,$*)"
	@touch "$@"

$(STAMPS)/%.seen: ;

test: $(VENV)/.ready-dev lint ## install what testing needs and run all tests
	@$(PY) -m pytest -n 2 --dist loadfile $(TESTS)

lint: $(VENV)/.ready-dev ## ruff and mypy --strict
	@$(VENV)/bin/ruff check --quiet pipeline tests bench
	@$(VENV)/bin/mypy --no-error-summary

diff: $(VENV)/.ready ## OLD=a.pdf NEW=b.pdf: the change sheet, HTML and PDF, in output/
	@[ -n "$(OLD)" ] && [ -n "$(NEW)" ] || { echo 'usage: make diff OLD=old.pdf NEW=new.pdf' >&2; exit 2; }
	@$(RUN) diff "$(OLD)" "$(NEW)" --format html -o "$(OUTPUT)/changes-$(basename $(notdir $(NEW))).html"
	@$(RUN) diff "$(OLD)" "$(NEW)" --format pdf -o "$(OUTPUT)/changes-$(basename $(notdir $(NEW))).pdf"

handout: $(VENV)/.ready ## EVENT=sources/x/event.toml: the tournament handout
	@[ -n "$(EVENT)" ] || { echo 'usage: make handout EVENT=sources/BOOK/event.toml' >&2; exit 2; }
	@$(RUN) handout "$(EVENT)"

check: $(VENV)/.ready ## review of all sources: what was read, what was not, what needs an eye
	@$(RUN) check sources/*/

bench: $(VENV)/.ready-bench ## measure against the tools people would use instead; writes bench/results.md
	@$(PY) -m bench

fuzz: $(VENV)/.ready-dev ## 10,000 seeded mutations of the samples; FUZZ=n for another number
	@$(PY) -m tests.fuzz $(or $(FUZZ),10000)

clean: ## remove everything made in output/
	@rm -rf $(OUTPUT)/* $(STAMPS) $(OUTPUT)/.cache

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 16

setup: $(VENV)/.ready ## only the set-up: .venv and what printing needs

$(VENV)/.ready: pyproject.toml requirements.lock .ci/setup
	@sh .ci/setup run
	@touch "$@"

$(VENV)/.ready-dev: $(VENV)/.ready requirements-dev.lock
	@sh .ci/setup dev
	@touch "$@"

$(VENV)/.ready-bench: $(VENV)/.ready-dev requirements-bench.lock
	@sh .ci/setup bench
	@touch "$@"
