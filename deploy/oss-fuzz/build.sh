#!/usr/bin/env bash
# Run by OSS-Fuzz in its container, in a clone: builds the fuzzing program, and puts it into $OUT once for each target, with
# seeds, dictionary and the libraries that the machines which run it do not have.
set -euo pipefail

# Sets SWIFT6_2FLAGS, the sanitizers among them.
# shellcheck source=/dev/null
. precompile_swift
read -ra flags <<<"$SWIFT6_2FLAGS"
export VEDUTA_FUZZ=list
# Tests reach into the modules, so a build with optimisation has to let them.
swift build -c release --product Fuzz -Xswiftc -enable-testing "${flags[@]}"
binary=$(swift build -c release --product Fuzz -Xswiftc -enable-testing "${flags[@]}" --show-bin-path)/Fuzz

mkdir -p "$OUT/lib"
ldd "$binary" | awk '$3 ~ /^\// {print $3}' | grep -vE '/(libc|libm|libpthread|libdl|librt|ld-linux[^/]*)\.so' |
    xargs -I{} cp -L {} "$OUT/lib"
# shellcheck disable=SC2016 # The loader expands it.
patchelf --set-rpath '$ORIGIN/lib' "$OUT"/lib/*.so* "$binary"

scripts/lib/wire-seeds seeds
# Each line is a target, the bytes of its longest input and its dictionary.
"$binary" | while read -r name longest dictionary; do
    cp "$binary" "$OUT/fuzz_$name"
    mkdir -p "seeds/$name"
    zip -q -j -r "$OUT/fuzz_${name}_seed_corpus.zip" "Tests/Corpora/$name" "seeds/$name"
    [ "$dictionary" = none ] || cp "Tests/Corpora/$dictionary.dict" "$OUT/fuzz_$name.dict"
    printf '[libfuzzer]\nmax_len = %s\n' "$longest" >"$OUT/fuzz_$name.options"
done
