package doctor

import (
	"context"
	"fmt"
	"strings"

	localguard "github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/shellquote"
	"github.com/boathook/boathook/policy"
)

func policyChecks() []Check {
	return []Check{
		{ID: "policy.files", Title: "policy", Run: policyFiles},
		{ID: "policy.project", Title: "project's policy", Run: policyProject},
		{ID: "policy.mode", Title: "policy's mode", Run: policyMode},
		{ID: "policy.rules", Title: "policy's rules", Run: policyRules},
	}
}

// policyFiles says loudly what of a policy does not count: whoever wrote it relies on it.
func policyFiles(_ context.Context, w *World) []Result {
	p := w.Settings.Policy
	var out []Result
	count := 0
	for _, t := range localguard.ReadFiles(p) {
		l := localguard.Combine(t)
		if t.There {
			count++
		}
		for _, problem := range l.Problems {
			text := w.Foreign(localguard.ProblemText(problem))
			if l.Broken {
				out = append(out, fail(policyCure(t), "%s; nothing of this file counts, the built-in policy stands in for it", text))
			} else {
				out = append(out, warn(policyCure(t), "%s", text))
			}
		}
	}
	switch {
	case len(out) > 0:
		return out
	case count == 0:
		return info("there is no file of your own: the built-in policy counts (boathook policy init writes one)")
	}
	return ok("what counts beside the built-in policy can be read")
}

func policyCure(t localguard.Text) string {
	switch {
	case t.Layer == policy.Organisation && t.Err != nil:
		return "sudo chown root " + shellquote.Word(t.Path) + " && sudo chmod 644 " + shellquote.Word(t.Path)
	case t.Err != nil && strings.Contains(t.Err.Error(), "chmod 600"):
		return "chmod 600 " + shellquote.Word(t.Path)
	}
	return "edit " + t.Path + ", then boathook policy check"
}

func policyProject(_ context.Context, w *World) []Result {
	if w.Dir == "" {
		return nil
	}
	dirs := w.project()
	project := dirs[len(dirs)-1]
	if !isThere(localguard.ProjectFile(project)) {
		return nil
	}
	t, trusted := localguard.ReadProject(w.Settings.DataDir, project)
	switch {
	case t.Err != nil:
		return []Result{warn("edit "+t.Path, "%s: %s", t.Path, w.Foreign(t.Err.Error()))}
	case !trusted:
		return info("%s does not count, since nobody trusts it; read it, then: boathook policy trust", t.Path)
	}
	return ok("%s is trusted", t.Path)
}

func policyMode(_ context.Context, w *World) []Result {
	mode, overruled := localguard.Mode(w.Settings.Policy, localguard.ReadFiles(w.Settings.Policy))
	edit := "edit " + w.configFile() + ": policy.mode = \"enforce\""
	switch {
	case overruled:
		return info("enforce, since there is an administrator's policy; policy.mode does not change that")
	case mode == "off":
		return []Result{warn(edit, "off: no local policy judges any call")}
	case mode == "shadow":
		return []Result{warn(edit, "shadow: the local policy only records what it would have said")}
	}
	return ok("enforce")
}

// PolicyTexts are the policies that count in the working directory; untrusted is a project's that does not.
func (w *World) PolicyTexts() (texts []localguard.Text, untrusted string) {
	texts = localguard.ReadFiles(w.Settings.Policy)
	if w.Dir == "" {
		return texts, ""
	}
	dirs := w.project()
	t, trusted := localguard.ReadProject(w.Settings.DataDir, dirs[len(dirs)-1])
	switch {
	case t.There && t.Err == nil && !trusted:
		untrusted = t.Path
	case t.There:
		texts = append(texts, t)
	}
	return texts, untrusted
}

// policyRules tells of rules that do not count as they are written, or no longer: somebody may rely on them.
func policyRules(_ context.Context, w *World) []Result {
	texts, _ := w.PolicyTexts()
	l := localguard.Combine(texts...)
	n := 0
	var shadow, off, expired []string
	for _, r := range l.Set.Rules() {
		switch {
		case r.Off:
			off = append(off, r.Rule.ID)
		case r.Rule.Expired(w.Now()):
			expired = append(expired, r.Rule.ID)
		case r.Shadow:
			n++
			shadow = append(shadow, r.Rule.ID)
		default:
			n++
		}
	}
	out := ok("%s, digest %s", Count(int64(n), "rule"), l.Digest)
	if len(expired) > 0 {
		out = append(out, warn("take them out, or give them another date: boathook policy list", "expired, and without effect: %s", listText(expired)))
	}
	if len(shadow) > 0 {
		out = append(out, info("in the shadow, only recorded: %s ('boathook policy replay' says what they would stop)", listText(shadow))...)
	}
	if len(off) > 0 {
		out = append(out, info("off: %s", listText(off))...)
	}
	return out
}

// listText is a list that is not too long.
func listText(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
