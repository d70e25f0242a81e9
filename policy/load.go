package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bounds of a file.
const (
	maxFile     = 1 << 20
	maxRules    = 2000
	maxPatterns = 500
	maxPattern  = 512
	maxText     = 1000
	maxID       = 64
	maxProblems = 64
)

// loader reads one file.
type loader struct {
	file     File
	problems []Problem
	broken   bool
	ids      map[string]int
}

// Parse reads one policy file. It never fails: what is wrong is in the problems, each with its line and its cure. broken says that
// nothing of the file may be used; problems that are notes alone do not break it.
func Parse(path string, data []byte, layer Layer) (f File, problems []Problem, broken bool) {
	l := loader{file: File{Path: path, Layer: layer}, ids: map[string]int{}}
	sum := sha256.Sum256(data)
	l.file.Sum = hex.EncodeToString(sum[:])
	l.read(data)
	if l.broken {
		return File{Path: path, Layer: layer, Sum: l.file.Sum}, l.problems, true
	}
	return l.file, l.problems, false
}

func (l *loader) read(data []byte) {
	if len(data) > maxFile {
		l.bad(0, "", fmt.Sprintf("the file is longer than %d bytes", maxFile), "use fewer rules")
		return
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if !utf8.Valid(data) {
		l.bad(1+bytes.Count(data[:firstInvalid(data)], []byte("\n")), "", "the file is not UTF-8", "save it as UTF-8")
		return
	}
	root, wrong := readTOML(data)
	if wrong != nil {
		l.bad(wrong.Line, wrong.Key, wrong.Text, wrong.Cure)
		return
	}
	l.top(root)
}

func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

// bad notes what breaks the file, note what does not.
func (l *loader) bad(line int, key, what, cure string) {
	l.broken = true
	l.problem(Problem{Line: line, Key: key, Text: what, Cure: cure})
}

func (l *loader) note(line int, key, what, cure string) {
	l.problem(Problem{Line: line, Key: key, Text: what, Cure: cure, Note: true})
}

func (l *loader) problem(p Problem) {
	p.File = l.file.Path
	switch {
	case len(l.problems) < maxProblems:
		l.problems = append(l.problems, p)
	case len(l.problems) == maxProblems:
		l.problems = append(l.problems, Problem{File: p.File, Text: "more is wrong than is listed", Cure: "correct what is listed first", Note: p.Note})
	}
}

// top reads the keys of the file itself.
func (l *loader) top(root *value) {
	for i, name := range root.names {
		v := root.list[i]
		switch name {
		case "version":
			if v.form != number || v.text != "1" {
				l.bad(v.line, name, "version is to be 1; this boathook reads no other", "version = 1")
			}
		case "packs":
			l.file.Packs = l.packs(v)
		case "mode":
			l.file.Mode = Mode(l.choice(v, name, "enforce", "shadow"))
		case "name", "description":
			l.named(name, v)
		case "rules":
			l.rules(v)
		case "override":
			l.overrides(v)
		default:
			l.unknown(v.line, "", name, topKeys[:]...)
		}
	}
}

// named reads what a file says of itself.
func (l *loader) named(name string, v *value) {
	s := l.text(v, name, maxText)
	if name == "name" {
		l.file.Name = s
	} else {
		l.file.Text = s
	}
}

func (l *loader) packs(v *value) []string {
	out := []string{}
	for _, one := range l.list(v, "packs") {
		switch {
		case pack(one.text) == nil && l.file.Layer != BuiltIn:
			l.bad(one.line, "packs", "there is no pack "+quoted(one.text)+l.near(one.text, packNames()), "packs = [\"default\"]; the packs are "+strings.Join(packNames(), ", "))
		case l.file.Layer == ProjectLayer && one.text == rewriting:
			l.note(one.line, "packs", "a project's policy rewrites nothing: the pack rewrites is left out", "take it out")
		default:
			out = append(out, one.text)
		}
	}
	return out
}

func packNames() []string {
	out := make([]string, 0, len(builtin))
	for i := range builtin {
		out = append(out, builtin[i].Name)
	}
	return out
}

// overrides read what a file changes of built-in rules.
func (l *loader) overrides(v *value) {
	if v.form != table {
		l.bad(v.line, "override", "override is a table by the rules' ids", "[override.\"rule-id\"]")
		return
	}
	if l.file.Layer == ProjectLayer {
		l.note(v.line, "override", "a project's policy changes no built-in rule: its overrides are ignored", "add rules of its own")
		return
	}
	for i, id := range v.names {
		l.override(id, v.list[i])
	}
}

func (l *loader) override(id string, v *value) {
	key := "override." + id
	o := Override{Rule: id, Line: v.line}
	if v.form != table {
		l.bad(v.line, key, key+" is a table", "["+key+"]\naction = \"ask\"")
		return
	}
	for i, name := range v.names {
		switch name {
		case "action":
			switch action := l.choice(v.list[i], key+".action", "deny", "ask", "warn", "allow", "off"); action {
			case "off":
				o.Off = true
			default:
				o.Action = Action(action)
			}
		case "mode":
			o.Mode = Mode(l.choice(v.list[i], key+".mode", "enforce", "shadow"))
		default:
			l.unknown(v.list[i].line, key, name, "action", "mode")
		}
	}
	r := builtinRule(id)
	switch {
	case r == nil:
		l.note(v.line, key, "there is no built-in rule "+quoted(id)+l.near(id, ruleIDs())+"; the override is ignored", "'boathook policy list' lists them")
		return
	case r.locked() && l.file.Layer != Organisation:
		l.note(v.line, key, "what protects boathook itself can be changed by the organisation's policy alone; the override is ignored", "take it out")
		return
	}
	l.file.Overrides = append(l.file.Overrides, o)
}

func builtinRule(id string) *Rule {
	for i := range builtin {
		for k := range builtin[i].Rules {
			if builtin[i].Rules[k].ID == id {
				return &builtin[i].Rules[k]
			}
		}
	}
	return nil
}

func ruleIDs() (out []string) {
	for i := range builtin {
		for k := range builtin[i].Rules {
			out = append(out, builtin[i].Rules[k].ID)
		}
	}
	return out
}
