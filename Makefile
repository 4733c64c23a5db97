PACKAGES := contracts insight memory deploy/local integration_tests
TESTED := $(filter-out integration_tests,$(PACKAGES))
PYTHON ?= python3
UV_VERSION := 0.13.9
UV := $(or $(shell command -v uv 2>/dev/null),$(CURDIR)/.tools/bin/uv)
TOOLS := $(CURDIR)/integration_tests/.venv/bin
CORTEX := $(CURDIR)/deploy/local/.venv/bin/cortex

export UV_PYTHON_DOWNLOADS := never
# The machine's own certificates, where it has some: a company's proxy is known to them alone.
export UV_SYSTEM_CERTS ?= $(if $(wildcard /etc/ssl/certs/ca-certificates.crt),true,false)
export PYTHONSAFEPATH := 1
export PYTHONDONTWRITEBYTECODE := 1
# Else every process that starts would compile its libraries anew.
export UV_COMPILE_BYTECODE := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

##@ Use

.PHONY: setup
setup: environments  ## Set everything up and put `cortex` on your path
	@deploy/local/link-command "$(CORTEX)"

.PHONY: up
up: environments  ## Start Cortex in the background
	@"$(CORTEX)" up

.PHONY: down
down: environments  ## Stop Cortex
	@"$(CORTEX)" down

.PHONY: demo
demo: environments  ## Watch Cortex learn from two sample histories and answer questions
	@"$(CORTEX)" demo

##@ Develop

.PHONY: test
test: environments lint unit integration  ## Run everything: lint, unit tests, integration tests

.PHONY: unit
unit: $(TESTED:%=unit-%)  ## Run each package's tests in its own environment

.PHONY: $(TESTED:%=unit-%)
$(TESTED:%=unit-%): unit-%: environments
	@echo "Testing $*"
	@cd $* && .venv/bin/pytest --quiet --numprocesses auto --dist worksteal

.PHONY: integration
integration: environments  ## Run the tests of the services together, as real processes
	@echo "Testing the services together"
	@cd integration_tests && .venv/bin/pytest --quiet --numprocesses auto --dist loadfile

.PHONY: lint
lint: environments $(PACKAGES:%=types-%)  ## Check format, style, types and who imports whom
	@echo "Checking format, style and imports"
	@"$(TOOLS)/ruff" format --check --quiet .
	@"$(TOOLS)/ruff" check --quiet .
	@cd integration_tests && .venv/bin/lint-imports --no-logo ../.importlinter

.PHONY: $(PACKAGES:%=types-%)
$(PACKAGES:%=types-%): types-%: environments
	@echo "Checking the types of $*"
	@cd $* && "$(TOOLS)/mypy" --no-error-summary --python-executable .venv/bin/python
	@cd $* && "$(TOOLS)/pyright" --warnings --pythonpath .venv/bin/python

.PHONY: fmt
fmt: environments  ## Format the code and fix what can be fixed
	@"$(TOOLS)/ruff" format --quiet .
	@"$(TOOLS)/ruff" check --fix --quiet .

.PHONY: bench-ingest
bench-ingest: environments  ## Measure ingest, from published to retained (ARGS="--help" for sizes)
	@cd integration_tests && PYTHONPATH=. .venv/bin/python -m benchmarks.ingest $(ARGS)

.PHONY: bench-import
bench-import: environments  ## Measure how files are read, per source, and in how much memory (ARGS)
	@cd integration_tests && PYTHONPATH=. .venv/bin/python -m benchmarks.importing $(ARGS)

.PHONY: bench-retain
bench-retain: environments  ## Measure retaining: hot subjects, late arrivals, a large store (ARGS)
	@cd integration_tests && PYTHONPATH=. .venv/bin/python -m benchmarks.retain $(ARGS)

.PHONY: bench-recall
bench-recall: environments  ## Measure how much of the evidence is served (DATA=FILE, CORRECTIONS=FILE)
	@[ -n "$(DATA)" ] || { echo "Name a file of conversations: make bench-recall DATA=FILE"; exit 2; }
	@cd integration_tests && PYTHONPATH=. .venv/bin/python -m benchmarks.recall \
	  "$(abspath $(DATA))" $(if $(CORRECTIONS),--corrections "$(abspath $(CORRECTIONS))") $(ARGS)

.PHONY: bench-context
bench-context: environments  ## Measure requests for context on large memories (ARGS)
	@cd integration_tests && PYTHONPATH=. .venv/bin/python -m benchmarks.context $(ARGS)

.PHONY: calibrate
calibrate: environments  ## Measure how well names of predicates are told apart (ARGS="--help")
	@cd memory && .venv/bin/python -m cortex_memory.calibrate $(ARGS)

.PHONY: calibrate-recall
calibrate-recall: environments  ## Measure the floor of the recall gate for a model (ARGS="--help")
	@cd memory && .venv/bin/python -m cortex_memory.calibrate.recall $(ARGS)

.PHONY: clean
clean:  ## Remove environments and caches; what Cortex stored is kept
	@rm -rf .tools $(PACKAGES:%=%/.venv)
	@find . -type d \( -name __pycache__ -o -name '.*_cache' -o -name .hypothesis \) -prune \
	  -exec rm -rf {} +

.PHONY: help
help:  ## Show this help
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: environments
environments: $(PACKAGES:%=%/.venv)

# uv decides what is stale, in well under a second.
.PHONY: $(PACKAGES:%=%/.venv)
$(PACKAGES:%=%/.venv): %/.venv: | $(UV)
	@[ -d $@ ] || echo "Setting up $*"
	@cd $* && "$(UV)" sync --quiet --locked

# The second branch is for a Python without ensurepip, as Debian ships it.
$(CURDIR)/.tools/bin/uv:
	@echo "Fetching uv"
	@$(PYTHON) -m venv .tools && .tools/bin/pip install --quiet uv==$(UV_VERSION) \
	  || { rm -rf .tools; \
	       $(PYTHON) -m pip install --quiet --target .tools/site uv==$(UV_VERSION) \
	       && mkdir -p .tools/bin && ln -s ../site/bin/uv .tools/bin/uv; }
