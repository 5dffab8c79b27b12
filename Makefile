# Everything a person or CI does with chunkwright. `make help` lists it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= build
FUZZ_SECONDS ?= 60
PROFILE ?=

export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PROFILE
unexport CONDA_PREFIX PYTHONHOME PYTHONPATH

# CPU time, unless a benchmark says otherwise; the table that counts is printed by benches/conftest.py.
BENCH := $(BIN)/pytest benches -p no:cacheprovider --benchmark-only --benchmark-timer=time.process_time --benchmark-quiet -q
PEERS := $(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target $(VENV)/peers

# What the extra `models` asks for, as the installed package says it.
MODELS := import importlib.metadata as m; print(*(r.partition(';')[0] for r in m.requires('chunkwright') if 'models' in r.partition(';')[2]))

RUST_SOURCES := $(shell find rust -name '*.rs' -o -name '*.toml') Cargo.toml $(wildcard Cargo.lock)

# Which of the two builds is installed, by the file that says so.
BUILT := $(VENV)/.built$(if $(filter no,$(PROFILE)),-plain)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test setup build profile fresh lint format test-rust test-python growth bench bench-stages bench-quick bench-compare bench-check fuzz miri asan docs docs-check dist clean need

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## build, chunk the sample documents, show what came out
	@mkdir -p $(OUT)
	$(BIN)/chunkwright chunk samples --max-tokens 256 -o $(OUT)/samples.jsonl
	$(BIN)/chunkwright verify samples $(OUT)/samples.jsonl
	$(BIN)/chunkwright inspect samples/en/pump-station.md --max-tokens 256
	@echo "The chunks are in $(OUT)/samples.jsonl, one a line. Try: $(BIN)/chunkwright inspect --full samples/zh/server-room.md"

test: build test-rust test-python ## all tests, Rust and Python

setup: $(VENV)/.ready ## a virtual environment with the build tool

build: $(BUILT) ## compile the Rust core, guided by a profile (PROFILE=no: without), and install the package into the environment

profile: setup ## train the profile anew, which a change of Rust code does not do by itself, and build with it
	$(BIN)/python tools/profiling.py train
	@$(MAKE) --no-print-directory build

# What is timed, or given away, is guided by a profile of the code as it is.
fresh: setup
	@$(BIN)/python tools/profiling.py fresh
	@$(MAKE) --no-print-directory build

lint: build ## formatting, clippy, ruff, mypy, the stub, file and function sizes, workflow files
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/stubtest chunkwright._native
	$(BIN)/python tools/check_sizes.py
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

format: setup ## write all sources in the project's style
	cargo fmt --all
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only .

test-rust: need ## the Rust tests alone
	cargo test --workspace --locked

# Memory that the C library gives back costs time to get again, which is no growth of ours.
growth: need ## hostile input of 1 MB in under a second, twice the input in at most 2.5 times the time
	MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_TOP_PAD_=268435456 \
	cargo test --release --locked -p chunkwright-core --test growth -- --nocapture --test-threads 1

test-python: build ## the Python tests alone (ARGS="-k name" for some of them)
	$(BIN)/pytest $(ARGS)

bench: bench-stages bench-compare ## benchmarks: stages on all corpora, then ratios to other packages (some minutes)

bench-stages: fresh ## benchmarks by stage, strategy and corpus; ARGS="-k lex" or "-k strategy" for some of them
	$(BENCH) $(ARGS)

bench-quick: build ## benchmarks by stage and strategy on the sample documents alone, in seconds
	$(BENCH) --samples-only $(ARGS)

bench-compare: fresh $(VENV)/peers/.ready ## speed, structure, memory and cold start beside other packages; ARGS="--only strategies"
	$(BIN)/python benches/compare.py --json $(OUT)/benchmarks.json $(ARGS)

bench-check: fresh ## fails if counting, lexing or a strategy got slower than benches/baseline.json says; ARGS=--record for a new record
	$(BIN)/python benches/check.py $(ARGS)

# A package that cannot be had is left out of the comparison, which says so.
$(VENV)/peers/.ready: benches/peers.txt | $(VENV)/.ready
	@mkdir -p $(@D)
	-@$(PEERS) -r $< || grep -v '^#' $< | while read -r peer; do $(PEERS) "$$peer" || echo "skipped: $$peer cannot be installed" >&2; done
	@touch $@

fuzz: need ## random input against all laws, each target for FUZZ_SECONDS (60)
	FUZZ_SECONDS=$(FUZZ_SECONDS) bash tools/fuzz.sh

# Miri interprets SSE2 and AVX2, of AVX-512 not all.
miri: need ## the unsafe code of counting under Miri: needs a nightly toolchain with the components miri and rust-src
	RUSTFLAGS="-Ctarget-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt" cargo +nightly miri test --locked -p chunkwright-core --lib -- instruction_sets_agree

asan: need ## the tests of counting with AddressSanitizer, on the instructions of this processor: needs a nightly toolchain
	RUSTFLAGS="-Zsanitizer=address" cargo +nightly test --locked --target $$(rustc -vV | sed -n 's/^host: //p') -p chunkwright-core --lib -- tokens::

docs: build ## write the outputs in README.md and the picture anew, from what the commands print
	$(BIN)/python tools/readme.py --write
	$(BIN)/python tools/picture.py docs/inspect.svg

docs-check: build ## README.md and the picture show what the commands print
	$(BIN)/python tools/readme.py
	$(BIN)/python tools/picture.py --check docs/inspect.svg

dist: setup ## a wheel and an sdist under dist/
	$(BIN)/python tools/profiling.py fresh
	$(BIN)/python tools/profiling.py with $(BIN)/maturin build --release --sdist --locked --out dist

clean: ## remove everything that was made here
	cargo clean
	rm -rf $(VENV) $(OUT) build/profile dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find python tests tools -name __pycache__ -prune -exec rm -rf {} +
	find python -name '_native*.so' -delete

need:
	@command -v cargo >/dev/null || { echo "chunkwright needs Rust (cargo): install it with rustup or your system's packages, then run make again." >&2; exit 1; }
	@command -v $(PYTHON) >/dev/null || { echo "chunkwright needs Python 3.10 or later; $(PYTHON) was not found. Name another with make PYTHON=/path/to/python3." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "chunkwright needs Python 3.10 or later; $(PYTHON) is $$($(PYTHON) -V 2>&1). Name another with make PYTHON=/path/to/python3." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "chunkwright's build needs Python's venv module (on Debian and Ubuntu: the package python3-venv)." >&2; exit 1; }

$(VENV)/.ready: pyproject.toml | need
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet "maturin>=1.9.4,<2"
	@touch $@

$(BUILT): $(VENV)/.ready $(RUST_SOURCES) pyproject.toml $(wildcard build/profile/chunkwright.profdata)
	@echo "Building chunkwright into $(VENV); the first time takes a few minutes."
	@rm -f $(VENV)/.built*
	PIP_QUIET=1 PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python tools/profiling.py with $(BIN)/maturin develop --release --locked --quiet --extras test,bench,dev
	@{ $(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: $$($(BIN)/python -c "$(MODELS)"); } 2>/dev/null \
		|| echo "skipped: the extra models has no wheels for this Python, or none can be had; tests/test_embedders.py runs without a real model" >&2
	@touch $@
