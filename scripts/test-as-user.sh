#!/bin/sh
# Runs, where the tests run as root, those that root skips since file modes do not bind it, as a user whom they bind.
set -eu
[ "$(id -u)" = 0 ] || exit 0
command -v setpriv >/dev/null 2>&1 || { echo "setpriv is missing: the tests that root skips are not run" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/install.test" ./internal/install
go test -c -o "$dir/spool.test" ./internal/spool
mkdir "$dir/tmp"
chmod 755 "$dir"
chmod 1777 "$dir/tmp"
cd "$dir"
run() {
	out=$(HOME=$dir/tmp TMPDIR=$dir/tmp setpriv --reuid=65534 --regid=65534 --clear-groups "$dir/$1" -test.v -test.run "$2") || { echo "$out"; exit 1; }
	case $out in
	*"--- PASS: $3"*) echo "ok  	$1 $3, not as root" ;;
	*) echo "$out"; exit 1 ;;
	esac
}
run install.test '^TestFailureTakesBack$' TestFailureTakesBack
run spool.test '^TestReadRefusesAndQuarantineTakes$/^unreadable$' TestReadRefusesAndQuarantineTakes/unreadable
