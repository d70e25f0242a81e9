package install

import (
	"path/filepath"
	"slices"
	"unicode"

	copilothost "github.com/boathook/boathook/internal/host/copilot"
	"github.com/boathook/boathook/internal/switched"
)

// Copilot CLI reads every JSON file in its directory of hooks, so that boathook has one of its own there. A hook that ends
// with another exit code than 0 is a refusal of the call (1.0.102).

func copilot() agent {
	return copilotList().agent(agent{
		id: "copilot", title: "Copilot CLI", detect: func(env Env) bool { return here(env, copilotDir(env), "copilot") },
		restart: "restart Copilot CLI: it reads its hooks when it starts",
		stop:    "restart Copilot CLI: a running one keeps calling its hooks, which then do nothing",
	})
}

// copilotDir is Copilot CLI's directory; COPILOT_HOME stands for all of it (1.0.102).
func copilotDir(env Env) string { return agentDir(env, "COPILOT_HOME", ".copilot") }

func copilotList() listed {
	return listed{
		host: copilothost.Host, dir: func(env Env) string { return filepath.Join(copilotDir(env), "hooks") }, file: ownerName + ".json",
		entry: copilotEntry, dropped: copilotDrops, off: switched.AllOff, versioned: true, choose: once,
		others: func(env Env, project string) []string {
			files, _ := filepath.Glob(filepath.Join(globEscape(filepath.Join(copilotDir(env), "hooks")), "*.json"))
			files = append(files, filepath.Join(copilotDir(env), "settings.json"))
			if project != "" {
				more, _ := filepath.Glob(filepath.Join(globEscape(filepath.Join(project, ".github", "hooks")), "*.json"))
				files = append(files, more...)
			}
			return append(files, inProject(project, ".github/copilot/settings.json", ".github/copilot/settings.local.json")...)
		},
	}
}

// once leaves out the second names that events have, unless they were asked for: each would come twice.
func once(p *planner, list []event) []event {
	return slices.DeleteFunc(slices.Clone(list), func(e event) bool {
		return unicode.IsUpper(rune(e.Name[0])) && !slices.Contains(p.req.Events, e.Name) && slices.Contains(p.req.Events, "all")
	})
}

// copilotTimeout is in seconds.
const copilotTimeout = 60

func copilotEntry(p *planner, ev event) object {
	return object{{"type", "command"}, {"command", shellCommand(p.env.Exe, p.plan.Config, "copilot", ev.Name)}, {"timeoutSec", copilotTimeout}}
}

func copilotDrops(data []byte) string {
	if why := strictJSON(data, false); why != "" {
		return why
	}
	return rules{flat: true, loose: true}.broken(copilothost.Host(), fileTree(data))
}
