#!/usr/bin/env bash
# Coverage-guided fuzzing of text -> chunks with every law as an assert: FUZZ_SECONDS for each target (default 60).
# cargo-fuzz asks for flags that stable Rust keeps behind RUSTC_BOOTSTRAP; no other toolchain is needed.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ ! -f fuzz/Cargo.toml ]; then
  echo "no fuzz targets here (fuzz/Cargo.toml is missing)" >&2
  exit 1
fi
command -v cargo-fuzz >/dev/null || cargo install --locked --quiet cargo-fuzz
export RUSTC_BOOTSTRAP=1
for target in $(cargo fuzz list); do
  echo "fuzz $target, ${FUZZ_SECONDS:-60} s"
  mkdir -p "fuzz/corpus/$target"
  cargo fuzz run "$target" "fuzz/corpus/$target" fuzz/seeds -- -dict=fuzz/markdown.dict \
    -max_total_time="${FUZZ_SECONDS:-60}" -max_len=4096 -timeout=10 -print_final_stats=1 </dev/null
done
