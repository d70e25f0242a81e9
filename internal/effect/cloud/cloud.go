// Package cloud tells what tools of clouds, clusters and containers tear down.
package cloud

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/stage"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Effects are those of one command; none for a program that is not this package's.
func Effects(u unit.Unit) []policy.Effect {
	name := u.Program()
	if name == "" || len(u.Argv) < 2 {
		return nil
	}
	var out []policy.Effect
	for _, t := range tools {
		if word.Listed(t.names, name) {
			out = append(out, t.effects(name, u.Args(), u)...)
		}
	}
	switch name {
	case "docker", "podman", "nerdctl", "finch":
		out = append(out, ofRun(u)...)
	}
	return u.Marked(out)
}

func (t *tool) effects(name string, args []word.Arg, u unit.Unit) []policy.Effect {
	if len(args) == 0 || help(args) {
		return nil
	}
	if t == &docker && args[0].Text == "compose" {
		return compose.effects("docker-compose", args[1:], u)
	}
	o := unit.Options(single(name, args), t.valued)
	if dry(o) {
		return nil
	}
	if name == "k3s" {
		if len(o.Operands) == 0 || o.Operands[0].Text != "kubectl" {
			return nil
		}
		o.Operands = o.Operands[1:]
	}
	if len(o.Operands) > 0 && o.Operands[0].Text == "help" {
		return nil
	}
	for i := range t.rules {
		r := &t.rules[i]
		n, ok := fits(strings.Fields(r.words), o.Operands)
		if !ok || !optioned(r.option, o) {
			continue
		}
		if r.verb == "" {
			return nil // a harmless one that a later rule would take
		}
		e := policy.Effect{Kind: policy.Cloud, Verb: r.verb, Target: target(o.Operands[n:], o), Command: u.I}
		e.Flags = append(strings.Fields(r.flags), t.stage(name, u, o)...)
		if strings.Contains(e.Target, word.Unknown) {
			e.Flags = append(e.Flags, "dynamic")
		}
		if o.Has("force", "f", "now") && !word.Listed(r.flags, "forced") && !o.Has("filename") && name != "kubectl" {
			e.Flags = append(e.Flags, "forced")
		}
		return []policy.Effect{e}
	}
	return nil
}

// single gives the one-dash long options of HashiCorp's and Java's tools two dashes, as all else has.
func single(name string, args []word.Arg) []word.Arg {
	switch name {
	case "terraform", "tofu", "terragrunt", "nomad", "consul", "vault", "bao":
	default:
		return args
	}
	out := make([]word.Arg, len(args))
	for i, a := range args {
		if len(a.Text) > 2 && a.Text[0] == '-' && a.Text[1] != '-' {
			a.Text = "-" + a.Text
		}
		out[i] = a
	}
	return out
}

func help(args []word.Arg) bool {
	if unit.Help(args) {
		return true
	}
	switch last := args[len(args)-1].Text; last {
	case "-h", "-help", "--version":
		return true
	case "help":
		return len(args) > 1 && !strings.HasPrefix(args[len(args)-2].Text, "-")
	}
	return false
}

// dry tells whether a command only shows what it would do.
func dry(o unit.Opts) bool {
	if o.Has("dryrun", "generate-cli-skeleton", "what-if", "preview-only") {
		return true
	}
	v, ok := o.Value("dry-run")
	return ok && v.Text != "none" && v.Text != "false"
}

// fits tells whether operands begin with words, and how many of them these are.
func fits(words []string, operands []word.Arg) (n int, ok bool) {
	const deepest = 8 // words before the verb
	for i, w := range words {
		if w == "**" {
			for at := n; at < len(operands) && at < n+deepest; at++ {
				if m, ok := fits(words[i+1:], operands[at:]); ok {
					return at + m, true
				}
			}
			return 0, false
		}
		if n >= len(operands) || w != "*" && !alternative(w, operands[n].Text) {
			return 0, false
		}
		n++
	}
	return n, true
}

func alternative(pattern, s string) bool {
	for p := range strings.SplitSeq(pattern, "|") {
		head, tail, star := strings.Cut(p, "*")
		if p == s || star && len(s) >= len(head)+len(tail) && strings.HasPrefix(s, head) && strings.HasSuffix(s, tail) {
			return true
		}
	}
	return false
}

// optioned tells whether one of the options of a rule is there; name=value asks for that value.
func optioned(options string, o unit.Opts) bool {
	if options == "" {
		return true
	}
	for n := range strings.FieldsSeq(options) {
		name, value, has := strings.Cut(n, "=")
		v, ok := o.Value(name)
		switch {
		case !ok:
		case has:
			if v.Text == value {
				return true
			}
		case v.Text != "false":
			return true
		}
	}
	return false
}

// target is what a command names: its operands, or the file it is given.
func target(operands []word.Arg, o unit.Opts) string {
	if len(operands) == 0 {
		for _, n := range [...]string{"f", "filename", "name", "n", "stack-name", "bucket", "table-name", "function-name", "group", "topic"} {
			if v, ok := o.Value(n); ok {
				return v.Text
			}
		}
		return ""
	}
	const most = 8
	if len(operands) > most {
		operands = operands[:most]
	}
	return strings.Join(word.Texts(operands), " ")
}

// stage are the flags production, local and dynamic.
func (t *tool) stage(name string, u unit.Unit, o unit.Opts) []string {
	switch name {
	case "kind", "minikube", "k3d", "awslocal", "vagrant", "colima", "limactl", "multipass", "ctlptl", "microk8s":
		return []string{stage.Local}
	}
	names := make([]string, 0, 8)
	for n := range strings.FieldsSeq(t.target) {
		for _, v := range o.Flags[n] {
			names = append(names, v.Text)
		}
	}
	for _, a := range u.Assigns {
		switch a.Name {
		case "AWS_PROFILE", "KUBECONFIG", "TF_WORKSPACE", "STAGE", "ENV", "DOCKER_HOST", "NODE_ENV", "CLOUDSDK_CORE_PROJECT", "VAULT_ADDR":
			names = append(names, a.Value.Text)
		}
	}
	var flags []string
	if s := stage.Of(names...); s != "" {
		flags = append(flags, s)
	} else {
		// A resource's own name tells production, but not that nobody needs it.
		for i, a := range o.Operands {
			if i > 0 && i < 8 && stage.Of(a.Text) == stage.Production {
				flags = append(flags, stage.Production)
				break
			}
		}
	}
	if v, ok := o.Value("endpoint-url"); ok && strings.Contains(v.Text, "localhost") {
		flags = append(flags, stage.Local)
	}
	return flags
}
