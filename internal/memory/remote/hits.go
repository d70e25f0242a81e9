package remote

import (
	"fmt"
	"strings"

	"github.com/boathook/boathook/internal/memory"
)

// found is memory.Found as it goes over the wire. Two hundred hits have a hundred thousand terms, most of them several times, since a hit
// is the neighbour of another: each list goes once, as one text, and is named by its number, from 1.
type found struct {
	memory.Found
	Lists []string `json:"lists,omitempty"`
	Hits  []hit    `json:"hits"`
}

type hit struct {
	memory.Hit
	TermsAt  int `json:"terms_at,omitempty"`
	BeforeAt int `json:"before_at,omitempty"`
	AfterAt  int `json:"after_at,omitempty"`
}

// pack leaves what it is given as it is.
func pack(f memory.Found) found {
	out := found{Found: f, Hits: make([]hit, len(f.Hits))}
	out.Found.Hits = nil
	numbers := map[string]int{}
	name := func(list []string) (rest []string, at int) {
		text, ok := packed(list)
		if !ok || text == "" {
			return list, 0
		}
		if at = numbers[text]; at == 0 {
			out.Lists = append(out.Lists, text)
			at = len(out.Lists)
			numbers[text] = at
		}
		return nil, at
	}
	for i, h := range f.Hits {
		p := hit{Hit: h}
		p.Terms, p.TermsAt = name(h.Terms)
		p.Before, p.BeforeAt = name(h.Before)
		p.After, p.AfterAt = name(h.After)
		out.Hits[i] = p
	}
	return out
}

// unpack is its inverse. Hits share their lists: nobody may change one.
func (f found) unpack() (memory.Found, error) {
	out := f.Found
	if f.Hits == nil {
		return out, nil
	}
	lists := make([][]string, len(f.Lists))
	for i, text := range f.Lists {
		lists[i] = strings.Split(text, " ")
	}
	var err error
	named := func(list []string, at int) []string {
		switch {
		case at == 0:
			return list
		case at < 0 || at > len(lists):
			err = fmt.Errorf("%w: no list %d", errFrame, at)
			return nil
		}
		return lists[at-1]
	}
	out.Hits = make([]memory.Hit, len(f.Hits))
	for i, p := range f.Hits {
		h := p.Hit
		h.Terms, h.Before, h.After = named(h.Terms, p.TermsAt), named(h.Before, p.BeforeAt), named(h.After, p.AfterAt)
		out.Hits[i] = h
	}
	return out, err
}

// packed is a list as one text with spaces between; one that has a space or nothing within has to stay a list.
func packed(list []string) (text string, ok bool) {
	n := 0
	for _, t := range list {
		if t == "" || strings.IndexByte(t, ' ') >= 0 {
			return "", false
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
	return out.String(), true
}
