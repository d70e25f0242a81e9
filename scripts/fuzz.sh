#!/bin/sh
# Runs every fuzz target of the module for the time given (default 60s) and fails with the first that finds something.
set -eu
time=${1:-60s}
cd "$(dirname "$0")/.."
grep -rl --include='*_test.go' '^func Fuzz' . | grep -v '^./itest/' | sort | while read -r file; do
	dir=$(dirname "$file")
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file" | while read -r target; do
		echo "== $dir $target"
		# Minimizing an interesting input can take longer than the run itself and would then end it with an error.
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$dir"
	done
done
