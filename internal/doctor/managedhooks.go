package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
	"github.com/boathook/boathook/internal/install"
)

func managedChecks() []Check {
	return []Check{
		{ID: "hooks.managed", Title: "managed hooks", Run: managedHooks},
		{ID: "hooks.lost", Title: "sessions without hooks", Run: hooksLost},
		{ID: "files.changed", Title: "files changed", Run: filesChanged},
	}
}

// managedHooks looks at what an administrator installed for everybody, which only he can mend.
func managedHooks(_ context.Context, w *World) []Result {
	var out []Result
	var fine []string
	for _, in := range install.LookManaged(w.Install) {
		if !w.wants(in.Agent) {
			continue
		}
		for _, f := range in.Faults {
			out = append(out, fail("sudo boathook install --managed "+in.Agent, "%s: %s", f.Path, f.Text))
		}
		if in.Disabled {
			out = append(out, fail("edit "+in.File+": take what switches hooks off out", "%s switches hooks off: none in it runs", in.File))
			continue
		}
		if len(in.Faults) == 0 {
			fine = append(fine, fmt.Sprintf("%s (%d events in %s)", in.Title, len(in.Events), in.File))
		}
		if places := w.of(in.Agent); len(places) > 0 && len(in.Faults) == 0 {
			out = append(out, warn("boathook uninstall "+in.Agent, "%s has managed hooks and your own in %s: yours stay silent, and only cost time", in.Title, places[0].Dir))
		}
	}
	if len(fine) > 0 {
		out = append(ok("%s", strings.Join(fine, ", ")), out...)
	}
	return out
}

// closedCommands counts boathook's handlers in a text of Cursor's hooks.json that fail closed.
func closedCommands(data []byte) int {
	text, err := confedit.Plain(data)
	var file struct {
		Hooks map[string][]struct {
			Command    string
			FailClosed bool
		}
	}
	if err != nil || json.Unmarshal(text, &file) != nil {
		return 0
	}
	n := 0
	for _, list := range file.Hooks {
		for _, h := range list {
			if h.FailClosed && strings.Contains(h.Command, " hook --agent cursor --event ") {
				n++
			}
		}
	}
	return n
}
