#!/bin/sh
# Brings what the tests need beside Go, Node, npm, git and a C compiler, where that can be done without asking: python3, for
# the helper of hooks in Python; bash, dash and zsh, which run generated text; strace, with which a worker is killed at each of its system calls, and an OpenTelemetry Collector, built from its modules into
# the user's cache. Where strace cannot be installed, the test that needs it says so.
set -eu
cd "$(dirname "$0")/.."
if ! command -v strace >/dev/null 2>&1; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		echo "installing strace"
		{ apt-get install -y -q strace || { apt-get update -q && apt-get install -y -q strace; }; } >/dev/null 2>&1 ||
			echo "strace could not be installed; one test will be skipped" >&2
	else
		echo "strace is missing; one test will be skipped" >&2
	fi
fi
if ! command -v python3 >/dev/null 2>&1; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		echo "installing python3"
		{ apt-get install -y -q python3-minimal || { apt-get update -q && apt-get install -y -q python3-minimal; }; } >/dev/null 2>&1 ||
			echo "python3 could not be installed; the tests of its helper will be skipped" >&2
	else
		echo "python3 is missing; the tests of its helper will be skipped" >&2
	fi
fi
for shell in bash dash zsh; do
	command -v "$shell" >/dev/null 2>&1 && continue
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		echo "installing $shell"
		{ apt-get install -y -q "$shell" || { apt-get update -q && apt-get install -y -q "$shell"; }; } >/dev/null 2>&1 ||
			echo "$shell could not be installed; generated text is not run by it" >&2
	else
		echo "$shell is missing; generated text is not run by it" >&2
	fi
done
for tool in node npm git; do
	command -v "$tool" >/dev/null 2>&1 || { echo "$tool is missing: install it and run this again" >&2; exit 1; }
done
(cd itest && go run ./otelcol/fetch)
