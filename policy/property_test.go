package policy_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boathook/boathook/policy"
)

// drawCall makes a call of a few commands with effects of each kind of place.
func drawCall(t *rapid.T) policy.Call {
	c := policy.Call{Tool: rapid.SampledFrom([]string{"bash", "write_file"}).Draw(t, "tool"), Home: home, Project: project, CWD: project}
	for range rapid.IntRange(0, 3).Draw(t, "commands") {
		argv := rapid.SliceOfN(rapid.SampledFrom([]string{"git", "rm", "push", "-rf", "boathook", "\uFFFC", "main"}), 1, 4).Draw(t, "argv")
		c.Commands = append(c.Commands, policy.Command{Argv: argv})
	}
	for range rapid.IntRange(0, 4).Draw(t, "effects") {
		c.Effects = append(c.Effects, policy.Effect{
			Kind:    rapid.SampledFrom(policy.Kinds()).Draw(t, "kind").Kind,
			Verb:    rapid.SampledFrom([]string{"", "push-force", "clean", "env-file", "code"}).Draw(t, "verb"),
			Target:  rapid.SampledFrom([]string{"", "/etc/hosts", "/home/dev/shop/src", "/home/dev/x", "x.example.com"}).Draw(t, "target"),
			Where:   rapid.SampledFrom([]policy.Where{"", policy.Inside, policy.User, policy.System, policy.Nowhere}).Draw(t, "where"),
			Flags:   rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"recursive", "dynamic", "forced", "missing"}), 0, 3, rapid.ID).Draw(t, "flags"),
			Command: rapid.IntRange(-1, len(c.Commands)-1).Draw(t, "command"),
		})
	}
	return c
}

// drawFile makes a policy of a layer, of rules with all actions, overrides and packs.
func drawFile(t *rapid.T, layer policy.Layer) policy.File {
	var b strings.Builder
	pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	b.WriteString(pick("packs", "", "packs = []\n", "packs = [\"strict\"]\n", "packs = [\"rewrites\", \"git\"]\n"))
	b.WriteString(pick("mode", "", "mode = \"shadow\"\n"))
	b.WriteString(pick("override", "", "[override.delete-tree]\naction = \"off\"\n", "[override.guard-tamper]\naction = \"off\"\n", "[override.git-work-loss]\nmode = \"shadow\"\n"))
	for i := range rapid.IntRange(0, 3).Draw(t, "rules") {
		action := pick("action", "deny", "ask", "warn", "allow", "rewrite")
		b.WriteString("[[rules]]\nid = \"" + string(layer) + string(rune('a'+i)) + "\"\nreason = \"r\"\naction = \"" + action + "\"\n")
		if action == "rewrite" {
			b.WriteString("rewrite = { program = \"true\" }\n")
		}
		b.WriteString(pick("mode of it", "", "mode = \"shadow\"\n"))
		b.WriteString("when = { " + pick("when", `tool = "*"`, `tool = "bash"`, `command = "git"`, `command = "*"`, `effect = "*"`, `effect = "delete"`, `path = "~/**"`,
			`where = "!inside"`, `argv = "-rf"`, `flags = "recursive"`) + " }\n")
	}
	f, problems, broken := policy.Parse("p", []byte(b.String()), layer)
	if broken {
		t.Fatalf("%s: %+v", b.String(), problems)
	}
	return f
}

func strictness(a policy.Action) int {
	switch a {
	case policy.Deny:
		return 4
	case policy.Ask:
		return 3
	case policy.Rewrite:
		return 2
	case policy.Warn:
		return 1
	}
	return 0
}

// TestProjectOnlyTightens: with a project's policy nothing passes that would not without it.
func TestProjectOnlyTightens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call := drawCall(t)
		user, project := drawFile(t, policy.UserLayer), drawFile(t, policy.ProjectLayer)
		without, with := policy.Combine(user).Judge(call), policy.Combine(user, project).Judge(call)
		if strictness(with.Action) < strictness(without.Action) {
			t.Fatalf("%s without, %s with the project's policy:\n%s", without.Action, with.Action, show(with.Hits))
		}
	})
}

// TestOrganisationIsNotRelaxed: what an organisation's policy stops by itself, neither a user's nor a project's lets pass.
func TestOrganisationIsNotRelaxed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call := drawCall(t)
		org := drawFile(t, policy.Organisation)
		files := []policy.File{org, drawFile(t, policy.UserLayer), drawFile(t, policy.ProjectLayer)}
		bare := policy.File{Layer: policy.UserLayer, Packs: []string{}}
		alone, all := policy.Combine(org, bare).Judge(call), policy.Combine(files...).Judge(call)
		if strictness(all.Action) < strictness(alone.Action) {
			t.Fatalf("%s alone, %s with the user's and the project's:\n%s", alone.Action, all.Action, show(all.Hits))
		}
	})
}

// TestGuardIsGuarded: what touches the guard is denied whatever a user's and a project's policies say.
func TestGuardIsGuarded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call := drawCall(t)
		call.Effects = append(call.Effects, policy.Effect{Kind: policy.TamperGuard, Verb: "policy", Target: "/home/dev/.config/boathook/policy.toml", Where: policy.User, Command: -1})
		v := policy.Combine(drawFile(t, policy.UserLayer), drawFile(t, policy.ProjectLayer)).Judge(call)
		if v.Action != policy.Deny {
			t.Fatalf("%s: %s", v.Action, show(v.Hits))
		}
	})
}

// TestOrderOfFilesDoesNotCount: layers order files, not the caller.
func TestOrderOfFilesDoesNotCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call := drawCall(t)
		org, user, project := drawFile(t, policy.Organisation), drawFile(t, policy.UserLayer), drawFile(t, policy.ProjectLayer)
		a, b := policy.Combine(org, user, project), policy.Combine(project, user, org)
		if one, other := show(a.Judge(call)), show(b.Judge(call)); one != other || a.Digest() != b.Digest() {
			t.Fatalf("%s\n%s", one, other)
		}
	})
}
