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
		out=$(go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$dir" 2>&1) && continue
		case $out in
		*"Failing input written"* | *panic:* | *"build failed"*) ;;
		# go reports an input that is still running when the time is over as a failure.
		*"context deadline exceeded"*) continue ;;
		esac
		printf '%s\n' "$out"
		exit 1
	done
done
