// Package packages tells what package managers install, publish and run.
package packages

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Effects are those of one command; none for a program that is not this package's.
func Effects(u unit.Unit) []policy.Effect {
	name, args := called(u)
	if name == "" {
		return nil
	}
	var out []policy.Effect
	for i := range managers {
		if m := &managers[i]; word.Listed(m.names, name) {
			if len(args) > 0 && unit.Help(args) {
				return nil
			}
			if e, ok := m.effect(name, args, u); ok {
				out = append(out, e)
			}
			break
		}
	}
	out = append(out, ofSettings(name, args)...)
	return u.Marked(out)
}

// called is the manager and its arguments, also where another program is its door: python -m pip, uv pip, corepack npm.
func called(u unit.Unit) (string, []word.Arg) {
	name, args := u.Program(), u.Args()
	switch {
	case strings.HasPrefix(name, "python"), name == "py":
		for i, a := range args {
			if a.Text == "-m" && i+1 < len(args) {
				return args[i+1].Text, args[i+2:]
			}
			if !strings.HasPrefix(a.Text, "-") {
				return "", nil
			}
		}
		return "", nil
	case strings.HasPrefix(name, "pip") && strings.Trim(name, "pi0123456789.") == "":
		return "pip", args
	case name == "corepack":
		if len(args) > 0 {
			at, _, _ := strings.Cut(args[0].Text, "@")
			return at, args[1:]
		}
	case name == "uv" && len(args) > 0 && args[0].Text == "pip":
		return "pip", args[1:]
	case name == "uv" && len(args) > 0 && args[0].Text == "tool":
		return "uv-tool", args[1:]
	case name == "yarn" && len(args) > 0 && args[0].Text == "global":
		return "yarn-global", args[1:]
	case name == "composer" && len(args) > 0 && args[0].Text == "global":
		return "composer-global", args[1:]
	case name == "dotnet" && len(args) > 0 && (args[0].Text == "tool" || args[0].Text == "nuget"):
		return "dotnet-" + args[0].Text, args[1:]
	}
	return name, args
}

// effect is what a manager's command does.
func (m *manager) effect(name string, args []word.Arg, u unit.Unit) (policy.Effect, bool) {
	o := unit.Options(args, m.valued)
	if o.Has("dry-run", "simulate", "just-print", "recon", "help", "download-only") || strings.HasPrefix(name, "apt") && o.Has("s") {
		return policy.Effect{}, false
	}
	sub, rest := "", o.Operands
	verb := m.always
	if verb == "" {
		if len(rest) > 0 && m.installOption == "" {
			sub, rest = rest[0].Text, rest[1:]
		}
		verb = m.verb(sub, o)
	}
	if verb == "" {
		return policy.Effect{}, false
	}
	e := policy.Effect{Kind: policy.Install, Verb: verb}
	switch verb {
	case "publish":
		e.Kind = policy.Send
	case "unpublish":
		e.Kind = policy.Cloud
	case "run":
		if len(rest) > 1 {
			rest = rest[:1] // the others are the program's own
		}
	}
	if v, ok := o.Value("p", "package"); ok && verb == "run" && v.Text != "" {
		rest = []word.Arg{v}
	}
	e.Target = join(rest)
	if verb == "add-repository" && name == "brew" && (len(rest) == 0 || strings.HasPrefix(strings.ToLower(e.Target), "homebrew/")) {
		return policy.Effect{}, false // Homebrew's own, or the list
	}
	e.Flags = m.flags(name, verb, rest, o, u)
	return e, true
}

// flags say where packages come from and how far they reach.
func (m *manager) flags(name, verb string, rest []word.Arg, o unit.Opts, u unit.Unit) []string {
	var out []string
	add := func(on bool, flag string) {
		if on {
			out = append(out, flag)
		}
	}
	url, file, dynamic := false, false, false
	for _, a := range slices.Concat(rest, sources(o, m.from)) {
		url = url || isURL(a.Text, m.short)
		file = file || isFile(a.Text)
		dynamic = dynamic || !a.Known()
	}
	add(url || m.git && o.Has("git"), "url")
	add(file || m.git && o.Has("path"), "file")
	add(dynamic, "dynamic")
	add(m.system, "system")
	add(m.global || o.Has("g", "global") && !m.system || word.Listed("yarn-global composer-global uv-tool dotnet-tool", name), "global")
	add(registry(o, u), "registry")
	add(o.Has("ignore-scripts"), "ignore-scripts")
	add(o.Has("allow-unauthenticated", "force-yes", "nogpgcheck", "no-gpg-checks", "allow-untrusted", "no-check-certificate"), "unauthenticated")
	add(o.Has("break-system-packages"), "system")
	add(verb == "remove" && m.system && critical(rest), "critical")
	return out
}

// sources are the values of the options that name a source: pip's -r and -e.
func sources(o unit.Opts, from string) []word.Arg {
	var out []word.Arg
	for n := range strings.FieldsSeq(from) {
		out = append(out, o.Flags[n]...)
	}
	return out
}

func join(args []word.Arg) string {
	const most = 8
	if len(args) > most {
		args = args[:most]
	}
	return strings.Join(word.Texts(args), " ")
}
