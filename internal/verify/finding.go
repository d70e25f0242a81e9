package verify

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// FindingKind is what was found.
type FindingKind string

// The kinds of finding. NewField alone is no fault: the record has the field all the same.
const (
	LostArgument  FindingKind = "lost_argument"
	MissingField  FindingKind = "missing_field"
	NewField      FindingKind = "new_field"
	ChangedType   FindingKind = "changed_type"
	DenyDisobeyed FindingKind = "deny_not_obeyed"
	AnswerChanged FindingKind = "answer_changed"
)

// Fault tells whether the finding is one that something depends on.
func (k FindingKind) Fault() bool { return k != NewField }

// Finding is one thing that is not as it was, however often it was seen.
type Finding struct {
	Kind  FindingKind `json:"kind"`
	Event string      `json:"event,omitempty"`
	Field string      `json:"field,omitempty"`
	// Text says it in words; no value of a payload is in it.
	Text string `json:"text"`
	// Renamed is the field that a missing one may be called now, or that a new one may have been.
	Renamed string     `json:"renamed,omitempty"`
	Count   int        `json:"count,omitempty"`
	First   *time.Time `json:"first,omitempty"`
	Last    *time.Time `json:"last,omitempty"`
	// LastID is the event that showed it last.
	LastID string `json:"last_id,omitempty"`

	types []string
}

// seen is when and in which event.
type seen struct {
	time time.Time
	id   string
}

// maxFindings bounds what is kept of one agent: a payload may have made up names without end.
const maxFindings = 256

// find counts a finding.
func (h *HostReport) find(f Finding, at seen) {
	key := strings.Join([]string{string(f.Kind), f.Event, f.Field, f.Text}, "\x00")
	have := h.found[key]
	if have == nil {
		if len(h.found) >= maxFindings {
			key, f = string(f.Kind), Finding{Kind: f.Kind, Text: "more of this kind than are listed"}
		}
		if have = h.found[key]; have == nil {
			have = &f
			h.found[key] = have
			h.Findings = append(h.Findings, have)
		}
	}
	if at.id == "" {
		return
	}
	have.Count++
	if have.First == nil || at.time.Before(*have.First) {
		have.First = &at.time
	}
	if have.Last == nil || !at.time.Before(*have.Last) {
		have.Last, have.LastID = &at.time, at.id
	}
}

// finding is a difference as it may be shown.
func (d Difference) finding(event string) Finding {
	name := fieldName(d.Field)
	f := Finding{Event: event, Field: name, types: d.Want}
	switch d.Kind {
	case Missing:
		f.Kind, f.Text = MissingField, "the payload has no "+name
	case Type:
		f.Kind, f.Text = ChangedType, name+" is "+article(d.Got)+" and was "+article(strings.Join(d.Want, " or "))
	case Unknown:
		f.Kind, f.Text, f.types = NewField, "the payload has a new field "+name+", "+article(d.Got), []string{d.Got}
	}
	return f
}

func article(typ string) string {
	switch {
	case typ == "null":
		return typ
	case strings.HasPrefix(typ, "a"), strings.HasPrefix(typ, "o"):
		return "an " + typ
	}
	return "a " + typ
}

// pair remembers which fields were missing where which were new: in one payload, one object, and of one type.
func (h *HostReport) pair(event string, differences []Difference) {
	for _, m := range differences {
		for _, u := range differences {
			if m.Kind == Missing && u.Kind == Unknown && parent(m.Field) == parent(u.Field) && slices.Contains(m.Want, u.Got) && len(h.renames) < maxFindings {
				h.renames[[3]string{event, fieldName(m.Field), fieldName(u.Field)}]++
			}
		}
	}
}

func parent(field string) string { return field[:strings.LastIndexByte(field, '.')+1] }

// name calls a missing field renamed where a new one came with each of its absences; of several the one that is spelled
// most alike.
func (h *HostReport) name() {
	for _, missing := range h.Findings {
		if missing.Kind != MissingField {
			continue
		}
		var best *Finding
		for _, fresh := range h.Findings {
			always := h.renames[[3]string{missing.Event, missing.Field, fresh.Field}] == missing.Count
			if fresh.Kind == NewField && fresh.Event == missing.Event && fresh.Renamed == "" && always &&
				(best == nil || alike(missing.Field, fresh.Field) > alike(missing.Field, best.Field)) {
				best = fresh
			}
		}
		if best != nil {
			missing.Renamed, best.Renamed = best.Field, missing.Field
		}
	}
}

// alike counts the letters that two names have in common at both ends, whatever their case and dashes.
func alike(a, b string) int {
	fold := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s[strings.LastIndexByte(s, '.')+1:]))
	}
	a, b = fold(a), fold(b)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for i := 1; i <= min(len(a), len(b))-n && a[len(a)-i] == b[len(b)-i]; i++ {
		n++
	}
	return n
}

// sort puts faults first, then by event.
func (h *HostReport) sort() {
	rank := func(f *Finding) int {
		if f.Kind.Fault() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(h.Findings, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Event, b.Event), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Field, b.Field))
	})
}
