package install

import (
	"path/filepath"

	windsurfhost "github.com/boathook/boathook/internal/host/windsurf"
	"github.com/boathook/boathook/internal/shellquote"
)

// Windsurf reads flat lists of handlers from hooks.json. A handler has neither type nor matcher nor timeout, and its exit
// code is all that it can say: 2 is a refusal, with the reason on standard error (documentation of 2026).

func windsurf() agent {
	return windsurfList().agent(agent{
		id: "windsurf", title: "Windsurf", detect: func(env Env) bool { return here(env, windsurfDir(env), "windsurf") },
		restart: "restart Windsurf: it reads its hooks when it starts",
		stop:    "restart Windsurf: a running one keeps calling its hooks, which then do nothing",
	})
}

func windsurfDir(env Env) string { return agentDir(env, "", filepath.Join(".codeium", "windsurf")) }

func windsurfList() listed {
	return listed{
		host: windsurfhost.Host, dir: windsurfDir, file: "hooks.json", entry: windsurfEntry, dropped: windsurfDrops,
		others: func(env Env, project string) []string {
			return append(inProject(project, ".windsurf/hooks.json"), filepath.Join(env.Home, ".codeium", "hooks.json"))
		},
	}
}

// windsurfEntry is a handler. What shell runs it is not known.
func windsurfEntry(p *planner, ev event) object {
	script := shellCommand(p.env.Exe, p.plan.Config, "windsurf", ev.Name)
	if ev.Can.Deny {
		script = refusing(p.env.Exe, p.plan.Config, "windsurf", ev.Name)
	}
	return object{{"command", shellquote.Shell(script)}}
}

// refusing is a command line that ends with exit code 2 and the reason on standard error where the program did and printed
// a reason. A Go program that crashes ends with 2 as well, but prints nothing.
func refusing(exe, config, agent, event string) string {
	return unsetRuntime + "; r=$(" + guarded(exe, config, agent, event) + " 2>/dev/null); " +
		`[ $? = 2 ] && [ -n "$r" ] && { printf '%s\n' "$r" >&2; exit 2; }; exit 0`
}

// windsurfDrops takes the file for strict JSON: nothing says that Windsurf takes more.
func windsurfDrops(data []byte) string {
	if why := strictJSON(data, false); why != "" {
		return why
	}
	return rules{flat: true, loose: true}.broken(windsurfhost.Host(), fileTree(data))
}
