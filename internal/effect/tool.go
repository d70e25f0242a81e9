package effect

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/secret"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// OfTool are the effects of a tool that is no shell: files, fetches, MCP.
func OfTool(t canon.Tool, m *place.Machine) []policy.Effect {
	s := &sheet{Unit: unit.Unit{Command: word.Command{Dir: word.Lit(m.Dir)}, I: -1, Machine: m}}
	switch {
	case t.Kind == "shell" || t.Name == "bash":
		return nil
	case t.MCP != nil || t.Name == "mcp" || t.Kind == "mcp":
		s.foreign(mcpName(t), t)
	case !s.tool(t.Name, t):
		s.foreign(t.Name, t)
	}
	return distinct(s.out)
}

// tool notes what one of the canonical tools does, and tells whether it is one.
func (s *sheet) tool(name string, t canon.Tool) bool {
	switch name {
	case "write_file":
		s.named(t.Paths, change{kind: policy.Overwrite})
	case "edit_file", "notebook_edit":
		if !s.patched(t) {
			s.named(t.Paths, change{kind: policy.Overwrite, verb: "edit"})
		}
	case "delete_file":
		s.named(t.Paths, change{kind: policy.Delete, how: place.Entry, recursive: true})
	case "move_file":
		s.relocate(t.Paths, policy.Move)
	case "create_dir":
		s.named(t.Paths, change{kind: policy.Write, verb: "mkdir"})
	case "read_file", "image", "grep":
		s.named(t.Paths, change{kind: policy.Read})
	case "web_fetch", "browser":
		s.fetches(t.URLs)
	case "list_dir", "glob", "web_search", "diagnostics", "spawn_agent", "ask_user", "todo", "save_memory", "task_output":
	default:
		return false
	}
	return true
}

// foreign notes what a tool does whose name alone says it: one of an MCP server, or one that no agent had when this was written.
func (s *sheet) foreign(name string, t canon.Tool) {
	s.fetches(t.URLs)
	s.toolName = name
	args := s.arguments(name, t)
	if len(args.from) > 0 && len(args.to) > 0 && len(t.Paths) < 2 {
		t.Paths = slices.Concat(args.from, args.to[:1])
	}
	switch purpose(name) {
	case "delete":
		s.named(t.Paths, change{kind: policy.Delete, how: place.Entry, recursive: true})
	case "move":
		s.relocate(t.Paths, policy.Move)
	case "copy":
		s.relocate(t.Paths, policy.Read)
	case "mkdir":
		s.named(t.Paths, change{kind: policy.Write, verb: "mkdir"})
	case "write":
		if !s.patched(t) {
			s.named(t.Paths, change{kind: policy.Overwrite, verb: "edit"})
		}
	case "read":
		s.named(t.Paths, change{kind: policy.Read})
	default:
		if s.patched(t) {
			return
		}
		s.named(t.Paths, change{kind: policy.Read})
		for _, p := range t.Paths { // what it does with a kept file nobody knows
			s.tampers(s.Machine.Place(word.Lit(p), s.Dir, place.Follow), change{kind: policy.Write})
		}
	}
}

func mcpName(t canon.Tool) string {
	if t.MCP != nil && t.MCP.Tool != "" {
		return t.MCP.Tool
	}
	return t.HostName[strings.LastIndex(t.HostName, "__")+1:]
}

// purpose is what the words of a tool's name say that it does to the paths it is given.
func purpose(name string) string {
	best := ""
	for w := range words(name) {
		switch w {
		case "delete", "remove", "unlink", "rmdir", "rm", "trash", "erase", "destroy", "purge", "wipe":
			return "delete"
		case "move", "rename", "mv":
			best = "move"
		case "copy", "cp", "duplicate":
			best = "copy"
		case "directory", "folder", "dir", "mkdir":
			if best == "write" || w == "mkdir" {
				best = "mkdir"
			}
		case "write", "edit", "create", "append", "update", "patch", "save", "replace", "insert", "put", "modify", "set", "overwrite", "apply":
			if best == "" {
				best = "write"
			}
		case "read", "get", "view", "cat", "open", "list", "search", "find", "show", "stat", "info", "tree", "load", "query":
			if best == "" {
				best = "read"
			}
		}
	}
	return best
}

// words are those of a name in snake_case, kebab-case or camelCase, in lower case.
func words(name string) func(func(string) bool) {
	return func(yield func(string) bool) {
		from := 0
		for i := 0; i <= len(name); i++ {
			split := i == len(name) || !letter(name[i]) || i > from && name[i] <= 'Z' && name[i-1] >= 'a'
			if !split {
				continue
			}
			if i > from && !yield(strings.ToLower(name[from:i])) {
				return
			}
			if from = i; i < len(name) && !letter(name[i]) {
				from = i + 1
			}
		}
	}
}

// named notes a change of paths as a tool was given them.
func (s *sheet) named(paths []string, c change) {
	for _, p := range paths {
		if p = strings.TrimSpace(p); p == "" || strings.Contains(p, "://") && !strings.HasPrefix(p, "file://") {
			continue
		}
		spot := s.path(pattern(p), c)
		if c.kind == policy.Read {
			s.reads(spot)
		}
	}
}

// pattern is a path as a tool has it: no shell has looked at it, so that it is no pattern.
func pattern(p string) word.Arg { return word.Lit(p) }

// reads notes that a path that is read is a secret.
func (s *sheet) reads(spot place.Spot) {
	for _, p := range [...]string{spot.Path, spot.Real} {
		verb, ok := secret.Path(p, s.Machine.Home)
		if !ok { // a search of it, or all that is in it
			verb, ok = secret.Dir(p, s.Machine.Home)
		}
		if ok {
			s.put(policy.Effect{Kind: policy.ReadSecret, Verb: verb, Target: spot.Path, Where: spot.Where})
			return
		}
	}
}

// relocate is a move or a copy: the last path is where to.
func (s *sheet) relocate(paths []string, kind policy.Kind) {
	n := len(paths) - 1
	if n < 0 {
		return
	}
	c := change{kind: kind}
	if kind == policy.Move {
		c.how, c.recursive = place.Entry, true
	}
	s.named(paths[:max(n, 1)], c)
	if n > 0 {
		s.named(paths[n:], change{kind: policy.Overwrite})
	}
}

// fetches notes addresses that are loaded; file: is a file.
func (s *sheet) fetches(urls []string) {
	for _, u := range urls {
		if path, ok := strings.CutPrefix(u, "file://"); ok {
			s.named([]string{path}, change{kind: policy.Read})
			continue
		}
		s.add(policy.Fetch, "", u)
	}
}

// patched notes what the patches of a call do to its files, and tells whether there are any.
func (s *sheet) patched(t canon.Tool) bool {
	if !strings.Contains(string(t.Input), "*** Begin Patch") {
		return false
	}
	in := lenient.Parse(t.Input).Value
	before := len(s.out)
	s.applied(in.Text())
	for _, f := range in.Members() {
		s.applied(f.Value.Text())
	}
	return len(s.out) > before
}
