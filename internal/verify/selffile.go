package verify

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/codextrust"
	"github.com/boathook/boathook/internal/confedit"
	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/install"
)

// file looks at what makes an agent drop the file as a whole.
func (p place) file() {
	h, hooks, a := p.host, p.hooks, p.result
	if hooks.Disabled {
		a.fault("the file switches the hooks off ("+switchOf(h.ID)+")", "take that line out of "+hooks.File)
	}
	for _, f := range p.known.Faults {
		if f.Mend == install.ByHand && h.ID != "antigravity" {
			a.fault(f.Text, "mend "+f.Path)
		}
	}
	if h.ID != "antigravity" {
		return
	}
	if text, err := foreign.Read(hooks.File); err == nil {
		if err := confedit.Strict(text); err != nil {
			a.fault("line "+strings.TrimSpace(err.Error())+": Antigravity drops the whole file for that", "mend "+hooks.File)
		}
	}
}

// trust tells of hooks that Codex does not run though they are in its file: their user has not reviewed them (0.171.0).
func (t *tester) trust(p place) {
	if p.host.ID != "codex" {
		return
	}
	list, off, err := install.CodexTrust(install.Env{Home: t.Home, Lookup: t.Lookup}, p.known.Dir)
	if err != nil {
		p.result.Notes = append(p.result.Notes, "whether Codex trusts the hooks can't be told: "+err.Error())
		return
	}
	if off {
		p.result.fault("Codex's config.toml switches all hooks off", "boathook doctor")
	}
	waiting := 0
	for _, h := range list {
		if h.State != codextrust.Trusted {
			waiting++
		}
	}
	if waiting > 0 {
		p.result.Notes = append(p.result.Notes, fmt.Sprintf("Codex does not run %d of these hooks until its user trusts them; 'boathook doctor' says which, and how", waiting))
	}
}

// switchOf is the line with which a file switches its hooks off.
func switchOf(agent string) string {
	if agent == "antigravity" {
		return "enabled: false"
	}
	return "disableAllHooks: true"
}

// form is one way in which an agent may start a command; argv is nil where it has it started as a command line.
type form struct {
	name string
	argv []string
}

// forms: some of Antigravity's programs give the command to a shell and some split it themselves.
func forms(agent, command string, runner agentrun.Agent) []form {
	argv, _ := runner.Start(command, nil)
	out := []form{{filepath.Base(argv[0]), nil}}
	if argv := words(command); agent == "antigravity" && len(argv) > 0 {
		out = append(out, form{"words", argv})
	}
	return out
}
