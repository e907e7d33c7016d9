# Everything starts from a bare clone: each target sets up what it needs, once.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check install --constraint constraints.txt
EXTRAS ?= dev,torch,plot,parquet,excel,units,docs,app,browser,dask
BENCH_EXTRAS ?= rivals,public
WORKERS ?= 2

RUN_STAMP := $(VENV)/.ready-to-run
DEV_STAMP := $(VENV)/.ready-to-develop
DOCS_STAMP := $(VENV)/.ready-for-docs

# The suite starts hundreds of processes: what Python has compiled once is kept, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo check test lint types contracts unit attack lists bench docs wheel clean

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(DEV_STAMP)  ## create .venv with everything for development

$(BIN)/python:
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ScaleSR needs Python 3.11 or newer: make PYTHON=python3.11")'
	@$(PYTHON) -m venv $(VENV)

# The build backend is installed first, under the constraints, so that nothing comes unpinned.
$(RUN_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing ScaleSR (versions as in constraints.txt)"
	@$(PIP) pip setuptools
	@$(PIP) --no-build-isolation --editable .
	@$(BIN)/scalesr warmup
	@touch $@

BENCH := ./bench$(if $(BENCH_EXTRAS),[$(BENCH_EXTRAS)])

$(DEV_STAMP): pyproject.toml bench/pyproject.toml constraints.txt | $(RUN_STAMP)
	@echo "Installing the extras $(EXTRAS), and the bench with $(or $(BENCH_EXTRAS),none)"
	@$(PIP) pip setuptools
	@$(PIP) --no-build-isolation --editable ".[$(EXTRAS)]" --editable "$(BENCH)"
	@touch $(RUN_STAMP) $@

$(DOCS_STAMP): pyproject.toml bench/pyproject.toml constraints.txt | $(RUN_STAMP)
	@echo "Installing the extras docs,plot, and the bench, which draws some of the pictures"
	@$(PIP) --no-build-isolation --editable ".[docs,plot]" --editable ./bench
	@touch $@

demo: $(RUN_STAMP)  ## find a law in a bundled table
	@$(BIN)/scalesr demo

# Formulas, records, files, kernels and the layout: what most changes touch, and nothing that searches for long.
QUICK := tests/expr tests/records tests/tables tests/model_files tests/control tests/kernels/test_fit.py \
	tests/kernels/test_evaluate.py tests/search/test_scoring.py tests/report/test_formula.py \
	tests/test_architecture.py tests/test_public_surface.py

check: lint types contracts  ## what can be checked within a minute
	@$(BIN)/pytest --numprocesses $(WORKERS) --quiet $(QUICK)

test: lint types contracts unit  ## everything that has to hold before a commit

lint: $(DEV_STAMP)  ## style and layout of the code
	@$(BIN)/ruff check --quiet src bench tests examples docs && $(BIN)/ruff format --quiet --check src bench tests examples docs
	@echo "lint: clean"

types: $(DEV_STAMP)  ## strict type check
	@$(BIN)/mypy --no-error-summary && echo "types: clean"

contracts: $(DEV_STAMP)  ## who may import whom
	@$(BIN)/lint-imports --no-cache > $(VENV)/contracts.log || (cat $(VENV)/contracts.log; false)
	@echo "contracts: kept"

unit: $(DEV_STAMP)  ## the tests alone
	@$(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal --quiet

attack: $(DEV_STAMP)  ## hostile inputs, kills and full disks; writes benchmarks/results/attack.json
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.attack --jobs $(WORKERS) --json benchmarks/results/attack.json

lists: $(RUN_STAMP)  ## make the lists of formulas that come with the package, after a change of their rules
	@$(BIN)/python -m scalesr.search.exhaustive.shipping

bench: $(DEV_STAMP)  ## measure the engine; writes benchmarks/results/engine.json
	@$(BIN)/scalesr-bench engine --json benchmarks/results/engine.json

wheel: $(RUN_STAMP)  ## build the wheel and find a law with it in an empty environment
	@rm -rf dist build/empty
	@$(BIN)/python -m pip --quiet --disable-pip-version-check wheel --no-deps --no-build-isolation --wheel-dir dist .
	@$(PYTHON) -m venv build/empty
	@build/empty/bin/python -m pip --quiet --disable-pip-version-check install --constraint constraints.txt dist/scalesr-*.whl
	@cd build && empty/bin/scalesr demo && ls ../dist

docs: $(DOCS_STAMP)  ## build the documentation into build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict && echo "docs: build/site/index.html"

clean:  ## remove everything that was built
	rm -rf $(VENV) build dist src/*.egg-info bench/build bench/dist bench/src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src bench tests examples -name __pycache__ -type d -exec rm -rf {} +
