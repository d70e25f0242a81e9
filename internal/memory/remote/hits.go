package remote

import (
	"strings"

	"github.com/boathook/boathook/internal/memory"
)

// found is memory.Found as it goes over the wire. Two hundred hits have a hundred thousand terms: as one text for each list they
// are parsed ten times faster than as texts of their own.
type found struct {
	memory.Found
	Hits []hit `json:"hits"`
}

type hit struct {
	memory.Hit
	TermsText  string `json:"terms_text,omitempty"`
	BeforeText string `json:"before_text,omitempty"`
	AfterText  string `json:"after_text,omitempty"`
}

// pack leaves what it is given as it is.
func pack(f memory.Found) found {
	out := found{Found: f, Hits: make([]hit, len(f.Hits))}
	out.Found.Hits = nil
	for i, h := range f.Hits {
		p := hit{Hit: h}
		p.Terms, p.TermsText = packed(h.Terms)
		p.Before, p.BeforeText = packed(h.Before)
		p.After, p.AfterText = packed(h.After)
		out.Hits[i] = p
	}
	return out
}

func (f found) unpack() memory.Found {
	out := f.Found
	if f.Hits == nil {
		return out
	}
	out.Hits = make([]memory.Hit, len(f.Hits))
	for i, p := range f.Hits {
		h := p.Hit
		h.Terms = unpacked(h.Terms, p.TermsText)
		h.Before = unpacked(h.Before, p.BeforeText)
		h.After = unpacked(h.After, p.AfterText)
		out.Hits[i] = h
	}
	return out
}

// packed is a list as one text with spaces between; one that has a space or nothing within stays a list.
func packed(list []string) (rest []string, text string) {
	n := 0
	for _, t := range list {
		if t == "" || strings.IndexByte(t, ' ') >= 0 {
			return list, ""
		}
		n += len(t) + 1
	}
	var out strings.Builder
	out.Grow(n)
	for i, t := range list {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(t)
	}
	return nil, out.String()
}

func unpacked(list []string, text string) []string {
	if text == "" {
		return list
	}
	return strings.Split(text, " ")
}
