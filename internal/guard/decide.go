package guard

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/record"
)

// noReason is what a deny without any text says (SPEC §7.3).
const noReason = "guard_deny"

// Decide turns a verdict into a decision. A REVIEW is an allow that is marked, as existing guards mean it, unless the
// configuration makes it an ask.
func Decide(cfg config.Guard, v Verdict) record.Decision {
	d := record.Decision{Action: canon.Allow, Source: "remote_guard", Rule: v.Rule}
	switch {
	case v.Outcome == "deny":
		d.Action, d.Reason = canon.Deny, firstOf(v.Reason, noReason)
	case v.Outcome == "review":
		d.Mark, d.Reason = "review", v.Reason
		if cfg.ReviewAsks {
			d.Action, d.Reason = canon.Ask, firstOf(v.Reason, "the guard asks for a review")
		}
	case v.Outcome == "allow":
		d.Reason = v.Reason
	case cfg.FailClosed:
		d.Action, d.Source = canon.Deny, "guard_failed"
		d.Reason = "boathook: the guard gave no verdict (" + v.Outcome + ") and guard.fail is closed"
	default:
		d.Source = "guard_failed"
	}
	return d
}

// Evidence is the verdict as the record keeps it.
func Evidence(cfg config.Guard, v Verdict) *record.Guard {
	g := &record.Guard{
		Outcome: v.Outcome, Reason: v.Reason, Rule: v.Rule,
		DurationMS: float64(v.Duration.Microseconds()) / 1000,
	}
	if !v.Decided() {
		g.Fail = "open"
		if cfg.FailClosed {
			g.Fail = "closed"
		}
	}
	return g
}
