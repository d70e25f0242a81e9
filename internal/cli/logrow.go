package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// The sources of a decision that a row tells apart (record.Decision.Source).
const (
	sourceNobody      = "default"
	sourceGuard       = "remote_guard"
	sourceGuardFailed = "guard_failed"
	sourceHookFailed  = "user_hook_failed"
	sourceTooLate     = "policy_failed"
	sourcePolicy      = "local_policy"
)

// decisionText says what was decided and why, as briefly as can be. Where nobody was asked it is a dash: an allow is
// somebody's word.
func decisionText(r record.Record) (verdict, rule, paint string) {
	d := r.Decision
	verdict, rule = string(d.Action), ruleText(r)
	if d.Expressed != "" && d.Expressed != d.Action {
		verdict += "→" + string(d.Expressed)
	}
	switch {
	case d.Action == canon.Deny || d.Expressed == canon.Deny:
		paint = red
	case d.Source == sourceNobody:
		return "-", "", dim
	case d.Source == sourcePolicy && r.Policy != nil && (r.Policy.Action == "warn" || r.Policy.Action == "rewrite"):
		verdict, paint = r.Policy.Action, yellow
	case d.Mark != "":
		verdict, paint = d.Mark, yellow
	case d.Source == sourceGuardFailed, d.Source == sourceHookFailed, d.Source == sourceTooLate, d.Action == canon.Ask:
		paint = yellow
	default:
		paint = green
	}
	return verdict, rule, paint
}

// ruleText is the rule that the guard named, else why there is a decision without its verdict.
func ruleText(r record.Record) string {
	d := r.Decision
	switch {
	case d.Source == sourceGuardFailed && r.Guard != nil && r.Guard.Outcome != "":
		return "guard:" + r.Guard.Outcome
	case d.Source == sourceGuardFailed: // the hook itself broke while it asked
		return "guard:error"
	case d.Source == sourceHookFailed:
		for _, h := range r.UserHooks {
			if h.Name == d.Rule {
				return h.Name + ":" + h.Outcome
			}
		}
		return d.Rule
	case d.Rule != "", d.Source == sourceNobody, d.Source == sourceGuard:
		return d.Rule
	}
	return d.Source
}

func kindText(r record.Record) string {
	if r.Event.Event == canon.Other {
		return r.HostEvent
	}
	return string(r.Event.Event)
}

func toolText(r record.Record) string {
	switch {
	case r.Tool == nil:
		return ""
	case r.Tool.MCP != nil:
		return r.Tool.MCP.Server + "/" + r.Tool.MCP.Tool
	}
	return r.Tool.Name
}

func latencyText(ms float64) string {
	if ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// whatText is the one thing that a person wants to know of an event.
func whatText(r record.Record) string {
	text := subject(r)
	if r.Tool != nil && r.Tool.Error != "" {
		text = "failed: " + r.Tool.Error + " · " + text
	}
	if notes := slices.Concat(policyNotes(r), recallNotes(r), notesTexts(otherNotes(r))); len(notes) > 0 {
		text = shorten(plain(text), maxCall) + " (" + strings.Join(notes, "; ") + ")"
	}
	return strings.TrimSpace(text)
}

const (
	// maxCall is how much of a call stands before notes in a pipe's row, so that the row's end does not cut them away.
	maxCall = 700
	// maxNote and maxNotes bound what is said of notes; --json has them whole.
	maxNote  = 80
	maxNotes = 3
)

// notesTexts say briefly what was noted. What is wrong with the settings is the same in every row: it is only counted.
func notesTexts(notes []string) []string {
	var texts []string
	counted := map[string]int{}
	more := 0
	for _, note := range notes {
		topic, _, _ := strings.Cut(note, ": ")
		switch {
		case topic == "config" || topic == "redact":
			if counted[topic]++; counted[topic] == 1 {
				texts = append(texts, topic)
			}
		case len(texts) < maxNotes:
			texts = append(texts, shorten(plain(note), maxNote))
		default:
			more++
		}
	}
	for i, text := range texts {
		if n := counted[text]; n > 0 {
			texts[i] = text + ": " + count(n, "problem")
		}
	}
	if more > 0 {
		texts = append(texts, count(more, "more note"))
	}
	return texts
}

func subject(r record.Record) string {
	if t := r.Tool; t != nil {
		switch {
		case t.Command != "":
			return t.Command
		case len(t.Paths) > 0:
			return strings.Join(t.Paths, " ")
		case len(t.URLs) > 0:
			return strings.Join(t.URLs, " ")
		}
		return string(t.Input)
	}
	switch {
	case r.Notification != nil:
		return r.Notification.Message
	case r.Response != "":
		return r.Response
	case r.Prompt != "":
		return r.Prompt
	case r.Source != "":
		return r.Source
	}
	return r.Event.Reason
}
