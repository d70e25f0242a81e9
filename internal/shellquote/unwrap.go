package shellquote

import "strings"

// shellStart begins a command line that hands its text to the system's own shell, for agents that use the user's shell,
// which may be none that knows POSIX.
const shellStart = "/bin/sh -c "

// Shell makes a line for any shell that runs script in /bin/sh, with the line's standard input.
func Shell(script string) string { return shellStart + Quote(script) }

// Group makes a line for a POSIX shell that runs script as one command: what is written behind the line, a here-document
// say, belongs to all of it.
func Group(script string) string { return "{ " + script + "; }" }

// Unwrap gives the script inside a line of Shell or Group, and what makes such a line of another script. Any other line is
// a script itself.
func Unwrap(line string) (script string, wrap func(script string) string) {
	if quoted, ok := strings.CutPrefix(line, shellStart); ok {
		if word, rest, ok := First(quoted); ok && strings.TrimSpace(rest) == "" {
			return word, Shell
		}
	}
	if inner, ok := strings.CutPrefix(line, "{ "); ok {
		if inner, ok = strings.CutSuffix(inner, "; }"); ok {
			return inner, Group
		}
	}
	return line, func(script string) string { return script }
}
