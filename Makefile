PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
COMPILE := $(BIN)/uv pip compile --quiet --no-cache --generate-hashes --universal --python-version 3.11 \
	--fork-strategy fewest --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

# Each stamp says what .venv holds: the locked packages, this project, and what developing adds.
LOCKED := .venv/.locked
INSTALLED := .venv/.installed
DEVELOP := .venv/.develop

# pip warns about, or as root even makes, a home folder that is not there.
ifneq ($(shell test -w "$$HOME" && echo yes),yes)
export PIP_NO_CACHE_DIR := 1
endif

.DEFAULT_GOAL := help
.PHONY: help install run test tools lint format bench golden lock clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

install: $(INSTALLED)  ## Install what the service needs into .venv (PYTHON=python3 chooses the interpreter)

$(LOCKED): requirements.txt
	@echo "Installing the locked packages into .venv (about half a minute, once)"
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	@$(PYTHON) -m venv --clear .venv
	@$(PIP) install --require-hashes -r requirements.txt
	@touch $@

$(INSTALLED): $(LOCKED) setup.cfg pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(DEVELOP): $(LOCKED) requirements-dev.txt
	@echo "Installing the locked tools for developing into .venv (about half a minute, once)"
	@$(PIP) install --require-hashes -r requirements-dev.txt
	@touch $@

run: $(INSTALLED)  ## Serve on PORT (8000)
	@echo "Starting traincost on http://127.0.0.1:$(PORT)"
	@PORT=$(PORT) exec $(BIN)/traincost serve

test: lint tools  ## Lint, then run the tests (ARGS="-k words" goes to pytest)
	@$(BIN)/python -m pytest $(ARGS)

tools:  ## Install the Debian packages that some tests talk to, where that is possible
	@scripts/install_tools.sh

lint: $(INSTALLED) $(DEVELOP)  ## Check style, types, layers and spelling
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/codespell

format: $(DEVELOP)  ## Rewrite the code in the project's style
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format .

bench: $(INSTALLED) $(DEVELOP)  ## Measure the speed
	@$(BIN)/python -m tests.benchmarks $(ARGS)

golden: $(INSTALLED) $(DEVELOP)  ## Rewrite the golden answers; their diff is the review
	@$(BIN)/python -m pytest --golden $(ARGS)

lock: $(DEVELOP)  ## Lock the requirements with hashes (ARGS=--upgrade for newer versions)
	@echo "Locking requirements.in and requirements-dev.in"
	@$(COMPILE) $(ARGS) requirements.in -o requirements.txt
	@$(COMPILE) $(ARGS) requirements-dev.in -o requirements-dev.txt

clean:  ## Remove .venv, caches and what was built
	@rm -rf .venv build dist *.egg-info .*_cache .hypothesis .coverage htmlcov
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
