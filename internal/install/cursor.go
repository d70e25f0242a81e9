package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/boathook/boathook/internal/host"
	cursorhost "github.com/boathook/boathook/internal/host/cursor"
	"github.com/boathook/boathook/internal/shellquote"
)

// Cursor reads flat lists of handlers from hooks.json, and drops the file for an event that it doesn't know, a missing
// version, or what its own way to strip comments leaves of a text with two slashes in it (@cursor/sdk 1.0.32).

func cursor() agent {
	return cursorList().agent(agent{
		id: "cursor", title: "Cursor", detect: func(env Env) bool { return here(env, cursorDir(env), "cursor-agent", "cursor") },
		restart: "restart Cursor: it reads its hooks when it starts",
		stop:    "restart Cursor: a running one keeps calling its hooks, which then do nothing",
	})
}

func cursorDir(env Env) string { return agentDir(env, "", ".cursor") }

func cursorList() listed {
	return listed{
		host: cursorhost.Host, dir: cursorDir, file: "hooks.json", entry: cursorEntry, dropped: cursorDrops, versioned: true,
		others: func(_ Env, project string) []string { return inProject(project, ".cursor/hooks.json") },
	}
}

// cursorTimeout is in seconds, Cursor's own default.
const cursorTimeout = 60

// cursorEntry is a handler. Cursor writes the payload as a here-document behind the line and gives both to the user's shell,
// so that the line has to be one command.
func cursorEntry(p *planner, ev event) object {
	return object{{"command", shellquote.Shell(shellCommand(p.env.Exe, p.plan.Config, "cursor", ev.Name))}, {"timeout", cursorTimeout}}
}

// cursorComments are what Cursor takes for comments, inside texts too.
var cursorComments = sync.OnceValue(func() [2]*regexp.Regexp {
	return [2]*regexp.Regexp{regexp.MustCompile(`(?m)//.*$`), regexp.MustCompile(`(?s)/\*.*?\*/`)}
})

func cursorDrops(data []byte) string {
	if len(bytes.TrimSpace(data)) == 0 {
		return ""
	}
	stripped := data
	for _, re := range cursorComments() {
		stripped = re.ReplaceAll(stripped, nil)
	}
	var file map[string]any
	if err := json.Unmarshal(stripped, &file); err != nil {
		if why := strictJSON(data, false); why != "" {
			return why
		}
		return `a text in it has "//" or "/*", which Cursor takes for a comment`
	}
	if why := plainObject(data); why != "" {
		return why
	}
	if !slices.Equal(cursorCommands(data), cursorCommands(stripped)) {
		return `boathook's command has "//" or "/*" in a path, which Cursor takes for a comment`
	}
	return cursorVersion(file)
}

// cursorCommands are ours in a file.
func cursorCommands(data []byte) (out []string) {
	commands(data, func(_, command string) {
		if host.Runs("cursor", command) {
			out = append(out, command)
		}
	})
	slices.Sort(out)
	return out
}

// cursorVersion looks at the version, and then at the hooks. A file that has neither holds nothing to drop.
func cursorVersion(file map[string]any) string {
	version, there := file[versionKey]
	n, ok := version.(float64)
	hooks, _ := file[hooksKey].(map[string]any)
	switch {
	case !there && len(hooks) > 0:
		return `it has no "version": 1`
	case there && (!ok || n < 1 || n != float64(int64(n))):
		return fmt.Sprintf(`its "version" is %s, and not a whole number of 1 or more`, compact(version))
	}
	r := rules{types: []string{"command", "prompt"}, flat: true, untyped: true, only: true}
	return r.broken(cursorhost.Host(), file)
}
