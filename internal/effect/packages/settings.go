package packages

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// ofSettings are the effects of managers' other commands: on their configuration, their tokens, on images.
func ofSettings(name string, args []word.Arg) []policy.Effect {
	switch name {
	case "npm", "pnpm", "yarn", "pip", "docker", "podman", "go", "flutter", "dart", "mvn", "gradle", "gradlew":
	default:
		return nil
	}
	o := unit.Options(args, "registry location g global t tag")
	at := func(i int) string {
		if i < len(o.Operands) {
			return o.Operands[i].Text
		}
		return ""
	}
	switch {
	case name == "go":
		// go run of a module at a version gets and runs it
		if at(0) == "run" && strings.Contains(at(1), "@") {
			return []policy.Effect{{Kind: policy.Install, Verb: "run", Target: at(1)}}
		}
	case name == "docker" || name == "podman":
		if at(0) == "push" || at(0) == "image" && at(1) == "push" {
			image := o.Operands[len(o.Operands)-1].Text
			if host, _, ok := strings.Cut(image, "/"); ok && common("://"+host) {
				return nil // a registry on this machine
			}
			return []policy.Effect{{Kind: policy.Send, Verb: "publish", Target: image}}
		}
	case name == "flutter" || name == "dart":
		if at(0) == "pub" && (at(1) == "publish" || at(1) == "lish") && !o.Has("dry-run", "n") {
			return []policy.Effect{{Kind: policy.Send, Verb: "publish"}}
		}
	case name == "mvn" || strings.HasPrefix(name, "gradle"):
		for _, a := range o.Operands {
			if a.Text == "deploy" || a.Text == "publish" || strings.HasPrefix(a.Text, "publishAll") || strings.HasPrefix(a.Text, "publishTo") && !strings.Contains(a.Text, "MavenLocal") {
				return []policy.Effect{{Kind: policy.Send, Verb: "publish", Target: a.Text}}
			}
		}
	case at(0) == "token":
		if at(1) != "revoke" && at(1) != "" {
			return []policy.Effect{{Kind: policy.ReadSecret, Verb: "token", Target: name}}
		}
	case at(0) == "config" && at(1) == "set", at(0) == "set", at(0) == "c" && at(1) == "set":
		return ofConfig(name, strings.ToLower(join(o.Operands)))
	}
	return nil
}

// ofConfig are those of settings: where packages come from, and whether certificates are looked at.
func ofConfig(name, line string) []policy.Effect {
	switch {
	case strings.Contains(line, "strict-ssl false"), strings.Contains(line, "strict-ssl=false"), strings.Contains(line, "trusted-host"):
		return []policy.Effect{{Kind: policy.Security, Verb: "tls-verify-off", Target: name}}
	case strings.Contains(line, "registry"), strings.Contains(line, "index-url"):
		if i := strings.Index(line, "://"); i >= 0 && !common(line[i:]) {
			return []policy.Effect{{Kind: policy.Persist, Verb: "registry", Target: line, Flags: []string{"registry"}}}
		}
	}
	return nil
}
