package policy

import "time"

// Expired tells of rules whose date is over: they do not count any more.
func (f File) Expired(now time.Time) []Problem {
	var out []Problem
	for i := range f.Rules {
		if r := &f.Rules[i]; expired(r, now) {
			out = append(out, Problem{
				File: f.Path, Line: r.Line, Key: "rules.expires", Note: true,
				Text: "the rule " + quoted(r.ID) + " has expired on " + r.Expires + ", and does not count any more", Cure: "give it a later date, or take it out",
			})
		}
	}
	return out
}

// Expired tells whether a rule's date is over.
func (r *Rule) Expired(now time.Time) bool { return expired(r, now) }

// expired tells whether a rule's date is over. Where no time is known, an allow that ends some day does not count.
func expired(r *Rule, now time.Time) bool {
	if r.Expires == "" {
		return false
	}
	if now.IsZero() {
		return r.Action == Allow
	}
	end, err := expiry(r.Expires)
	return err != nil || now.After(end)
}

// expiry is the last moment of a date, or the moment itself.
func expiry(text string) (time.Time, error) {
	if len(text) == len(time.DateOnly) {
		day, err := time.Parse(time.DateOnly, text)
		return day.AddDate(0, 0, 1), err
	}
	return time.Parse(time.RFC3339, text)
}
