# Every command of the project. `make help` lists those with a comment of two hashes. NAME=… names the document slides/NAME.qmd;
# without it a command works on the first document of its kind in _quarto.yml.

PYTHON ?= python3
ENGINE ?=
RUN := .venv/bin/python
A ?= HEAD
B ?= .
MARKDOWN ?=
ACCEPT ?=
ALL ?=
NAME =
PORT =
DIR =
EDITION ?=
TITLE =
NAMED = $(if $(NAME),--name "$(NAME)")
export ENGINE

.DEFAULT_GOAL := help
.PHONY: help all deck chapter lab lab-mutants grade solutions new preview pdf handout site cost third-party audit approve translations diff verify mutants bench test test-slow check fix setup doctor

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

deck: ## the slides: _output/slides/atencao.html (ENGINE=quarto or ENGINE=embedded forces one)
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build deck $(NAMED)

chapter: ## the page to read, with the same examples: _output/slides/
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build chapter $(NAMED)

lab: ## the lab, a notebook, and the same as a page: _output/slides/
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build lab $(NAMED)

solutions: ## for who teaches: the lab with its gaps filled, _teaching/
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build solutions $(NAMED)

pdf: deck ## the slides on paper, one a page: _output/slides/atencao-slides.pdf
	@$(PYTHON) build/set_up.py paper
	@$(RUN) build pdf $(NAMED)

handout: ## the slides to read, atencao-apostila.pdf, and the list of their numbers; with the notes, for who teaches, in _teaching/
	@$(PYTHON) build/set_up.py deck paper
	@$(RUN) build handout $(NAMED)

preview: ## the documents in a browser, patched as you save; w tries other values of data/ (NAME=… opens that one, PORT=…)
	@$(PYTHON) build/set_up.py deck preview
	@$(RUN) build preview $(NAMED) $(if $(PORT),--port $(PORT))

all: ## everything: deck, handout, chapter, lab, and the slides on paper
	@$(PYTHON) build/set_up.py deck paper
	@$(RUN) build everything
	@$(RUN) build pdf

site: all ## what is published, and nothing else: _site/, for students (EDITION=instructor: with notes and solutions)
	@$(RUN) build site $(if $(EDITION),--edition "$(EDITION)")

cost: ## what each lecture costs in time and bytes, and what a hundred would: a table
	@$(PYTHON) build/set_up.py deck paper
	@$(RUN) build cost

third-party: ## what others made, with versions and licences: THIRD_PARTY.md
	@$(PYTHON) build/set_up.py deck paper preview test check
	@$(RUN) build third-party

doctor: ## what is installed, what is missing and how to get it; what the project lacks
	@$(PYTHON) build/doctor.py

new: ## a lecture, small and working, to start from: NAME=kmeans TITLE="K-means", beside this one, or DIR=… in a repository of its own
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build new "$(NAME)" --title "$(TITLE)" $(if $(DIR),--folder "$(DIR)")

audit: ## every numeral is computed or declared: reads the sources, and the pages, PDFs and notebook that were rendered
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build audit $(NAMED)

approve: ## shows each sentence of the rendered pages that isn't the approved one, and asks (ALL=1 takes all)
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build approve $(if $(ALL),--all) $(NAMED)

translations: ## what was translated from an earlier text, or not yet (ACCEPT=FILE, after reading both, renews it)
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build translations $(if $(ACCEPT),--accept "$(ACCEPT)")

diff: ## what changed between two builds: A=main B=. (git refs, ledger files, `.` for the checkout; MARKDOWN=1)
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build diff "$(A)" "$(B)" $(if $(MARKDOWN),--markdown) $(NAMED)

verify: ## whether a page that somebody holds says what its commit computes: PAGE=FILE (a page, a PDF or a ledger; COMMIT=… if it names none)
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build verify "$(PAGE)" $(if $(COMMIT),--commit "$(COMMIT)")

# This lecture alone
mutants: ## the share of small faults, put into figures/ one at a time, that the tests notice (every one; COUNT=… SEED=… for some; KEEP=… a file to go on from)
	@$(PYTHON) build/set_up.py deck test
	@$(RUN) tests/helpers/mutants.py $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(if $(KEEP),--keep $(KEEP))

# This lecture alone
grade: ## for who teaches: a folder of notebooks becomes a table of marks, each run again on hidden numbers (FOLDER=… OUT=… SEED=…)
	@$(PYTHON) build/set_up.py deck
	@$(RUN) build grade "$(FOLDER)" $(if $(OUT),--out "$(OUT)") $(if $(SEED),--seed $(SEED))

# This lecture alone
lab-mutants: ## the share of a student's slips that the lab's checkpoints refuse, and of how many they say what is wrong (SHOW=1 lists the rest)
	@$(PYTHON) build/set_up.py deck test
	@PYTHONPATH=tests/helpers:. $(RUN) tests/helpers/lab_mutants.py $(if $(SHOW),--show)

bench: ## how long a build takes after each kind of change, and a page to open: a table, and _output/bench.json (TIMES=5)
	@$(PYTHON) build/set_up.py deck test
	@$(RUN) tests/helpers/bench.py $(if $(TIMES),--times $(TIMES))

test: ## the tests, browser included, about 8 minutes on two cores (NAME=… runs those of tests/NAME)
	@$(PYTHON) build/set_up.py deck paper preview test
	@$(RUN) build pre-render
	@$(RUN) -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(if $(NAME),$(or $(wildcard tests/$(NAME)),$(error there is no folder tests/$(NAME): `make test` runs every test)))

test-slow: ## the tests that take longer
	@$(PYTHON) build/set_up.py deck paper preview test
	@$(RUN) -m pytest -m slow

check: ## style, types, layers, and nothing that nobody uses: changes nothing, renders nothing
	@$(PYTHON) build/set_up.py deck paper preview test check
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy
	@$(RUN) -m pytest -q -m "not pages" $(addprefix tests/laws/test_,layers.py kit_apart.py docs.py) $(wildcard tests/pages/test_nothing_dead.py)
	@$(RUN) -m pytest -q -m shipped tests/laws/lecture/test_shipped.py  # this lecture alone

fix: ## what ruff can put right by itself
	@$(PYTHON) build/set_up.py check
	@$(RUN) -m ruff check --fix .
	@$(RUN) -m ruff format .

setup: ## install everything again, for instance weights that could not be had before
	@$(PYTHON) build/set_up.py --again deck test check
