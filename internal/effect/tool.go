package effect

import (
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// OfTool are the effects of a tool that is no shell: files, fetches, MCP.
func OfTool(t canon.Tool, m *place.Machine) []policy.Effect {
	s := &sheet{Unit: unit.Unit{Command: word.Command{Dir: word.Lit(m.Dir)}, I: -1, Machine: m}}
	switch t.Name {
	case "write_file":
		s.named(t.Paths, change{kind: policy.Overwrite})
	case "edit_file", "notebook_edit":
		s.named(t.Paths, change{kind: policy.Overwrite, verb: "edit"})
	case "delete_file":
		s.named(t.Paths, change{kind: policy.Delete, how: place.Entry, recursive: true})
	case "create_dir":
		s.named(t.Paths, change{kind: policy.Write, verb: "mkdir"})
	case "read_file":
		s.named(t.Paths, change{kind: policy.Read})
	case "web_fetch":
		for _, u := range t.URLs {
			s.add(policy.Fetch, "", u)
		}
	}
	return distinct(s.out)
}

// named notes a change of paths as a tool was given them.
func (s *sheet) named(paths []string, c change) {
	for _, p := range paths {
		if strings.TrimSpace(p) != "" {
			s.path(word.Lit(p), c)
		}
	}
}
