package install

import (
	"bytes"
	"strings"

	"github.com/boathook/boathook/internal/shellquote"
)

// stubName is the script that Antigravity runs. Some of its programs give a hook's command to a shell and some split it
// themselves, so that the first word has to be a program; and an empty answer to PreToolUse is a refusal there.
const stubName = "boathook-hook.sh"

// stubMark begins the line of the script that holds the mark.
const stubMark = "# boathook: "

const stubScript = `#!/bin/sh
# Written by 'boathook install antigravity', removed by 'boathook uninstall antigravity'.
MARK
# It always gives an answer, since Antigravity takes none, or one without a decision, for a refusal on PreToolUse.
exec 2>/dev/null
UNSET
program=PROGRAM
event= previous=
for argument in "$@"; do
	[ "$previous" = --event ] && event=$argument
	previous=$argument
done
answer=
[ -x "$program" ] && answer=$("$program" hook "$@" --config CONFIG)
case $answer in
*'
'*) answer= ;; # more than one thing
esac
case $event:$answer in
PreToolUse:'{"decision":"allow"}' | PreToolUse:'{"decision":"deny"}' | PreToolUse:'{"decision":"deny","reason":"'*'"}') ;;
PreToolUse:'{"decision":"ask"}' | PreToolUse:'{"decision":"ask","reason":"'*'"}') ;;
PreToolUse:'{"decision":"force_ask"}' | PreToolUse:'{"decision":"force_ask","reason":"'*'"}') ;;
PreToolUse:*) answer='{"decision":"allow"}' ;;
*:'{'*'}') ;;
*) answer='{}' ;;
esac
printf '%s\n' "$answer"
exit 0
`

func (p *planner) stub() []byte {
	return []byte(strings.NewReplacer(
		"MARK", stubMark+string(p.mark()),
		"UNSET", unsetRuntime,
		"PROGRAM", shellquote.Quote(p.env.Exe),
		"CONFIG", shellquote.Quote(p.plan.Config),
	).Replace(stubScript))
}

// stubOwner finds the mark in a script.
func stubOwner(script []byte) (mark, bool) {
	for line := range bytes.Lines(script) {
		if text, ok := bytes.CutPrefix(line, []byte(stubMark)); ok {
			return readMark(text)
		}
	}
	return mark{}, false
}
