package install

import (
	"bytes"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
	qwenhost "github.com/boathook/boathook/internal/host/qwen"
	"github.com/boathook/boathook/internal/switched"
)

// Qwen Code reads groups of handlers from settings.json, with everything else that is set there. The file may have comments
// and a byte order mark, but no trailing comma: then Qwen Code moves it aside and begins with an empty one (0.24.4).

func qwen() agent {
	return qwenList().agent(agent{
		id: "qwen", title: "Qwen Code", detect: func(env Env) bool { return here(env, qwenDir(env), "qwen") },
		restart: "restart Qwen Code: it reads its hooks when it starts",
		stop:    "restart Qwen Code: a running one keeps calling its hooks, which then do nothing",
	})
}

// qwenDir is Qwen Code's directory; QWEN_HOME stands for all of it (0.24.4).
func qwenDir(env Env) string { return agentDir(env, "QWEN_HOME", ".qwen") }

func qwenList() listed {
	return listed{
		host: qwenhost.Host, dir: qwenDir, file: "settings.json", entry: qwenEntry, dropped: qwenDrops, off: switched.AllOff,
		adds:   []string{"$version"}, // of the form that its settings have
		others: func(_ Env, project string) []string { return inProject(project, ".qwen/settings.json") },
	}
}

// qwenTimeout is in milliseconds, Qwen Code's own default.
const qwenTimeout = 60000

// qwenEntry is a group. Qwen Code loads a project's .env as Gemini CLI does, of which it is a fork, and gives the command
// to bash.
func qwenEntry(p *planner, ev event) object {
	group := object{{hooksKey, []any{object{
		{"type", "command"}, {"name", ownerName}, {"command", shellCommand(p.env.Exe, p.plan.Config, "qwen", ev.Name)},
		{"timeout", qwenTimeout}, {"env", geminiShell},
	}}}}
	if ev.Tool {
		group = append(object{{"matcher", everyTool}}, group...)
	}
	return group
}

func qwenDrops(data []byte) string {
	if err := confedit.StrictWithComments(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))); err != nil {
		return "line " + strings.TrimSpace(err.Error())
	}
	return plainObject(data)
}
