package metrics

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/otlp"
)

// stateVersion is that of the form and of the bounds. A state of another version is as good as none.
const stateVersion = 1

// maxSets bounds how many sets of attributes are counted apart.
const maxSets = 1000

// overflow is the key of what is beyond; no other key is empty.
const overflow = ""

// state is what the cursor keeps: the counts, and when they were sent. Times are nanoseconds since 1970.
type state struct {
	V        int    `json:"v"`
	Instance string `json:"instance"`
	// Start is when counting began; Base are the store's counters at that time.
	Start int64            `json:"start"`
	Base  map[string]int64 `json:"base,omitempty"`
	// Sent is when the endpoint last took the counts, Dirty says that there are others since. Wait is until when it is to be
	// left alone after a failure, Retry that this one may pass by itself.
	Sent  int64 `json:"sent,omitempty"`
	Dirty bool  `json:"dirty,omitempty"`
	Wait  int64 `json:"wait,omitempty"`
	Retry bool  `json:"retry,omitempty"`
	// Ingest is what memory had taken when the endpoint last took the counts.
	Ingest ingest `json:"ingest,omitzero"`
	// Sums and Histograms have for each metric the counts by the attributes' values, joined by separator.
	Sums       map[string]map[string]int64      `json:"sums,omitempty"`
	Histograms map[string]map[string]*histogram `json:"histograms,omitempty"`

	sets int
}

type histogram struct {
	Sum    float64  `json:"sum"`
	Counts []uint64 `json:"counts"`
}

// newState begins to count.
func newState(now time.Time, base map[string]int64) *state {
	return &state{V: stateVersion, Instance: newInstance(), Start: now.UnixNano(), Base: base}
}

// readState reads what encode wrote; nil where that can't be used.
func readState(text []byte) *state {
	var s state
	if json.Unmarshal(text, &s) != nil || s.V != stateVersion || s.Start <= 0 || s.Instance == "" {
		return nil
	}
	count := func(key string) {
		if key != overflow {
			s.sets++
		}
	}
	for _, sets := range s.Sums {
		for key := range sets {
			count(key)
		}
	}
	for name, sets := range s.Histograms {
		for key, h := range sets {
			count(key)
			if h == nil || len(h.Counts) != len(boundsOf(name))+1 {
				return nil
			}
		}
	}
	return &s
}

// Rested is a cursor's state without the wait after a failure, for somebody who has mended what it was about.
func Rested(text []byte) []byte {
	s := readState(text)
	if s == nil || s.Wait == 0 {
		return text
	}
	s.Wait = s.Sent // in the past: there is still something to be tried again
	out, err := s.encode()
	if err != nil {
		return text
	}
	return out
}

// Look tells of a cursor's state when the endpoint last took the counts, whether there are others since, and until when
// it is left alone after a failure; zero times where there was none.
func Look(text []byte) (sent time.Time, held bool, rest time.Time) {
	s := readState(text)
	if s == nil {
		return time.Time{}, false, time.Time{}
	}
	at := func(nano int64) time.Time {
		if nano == 0 {
			return time.Time{}
		}
		return time.Unix(0, nano).UTC()
	}
	return at(s.Sent), s.Dirty, at(s.Wait)
}

func (s *state) encode() ([]byte, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode metrics: %w", err)
	}
	return b, nil
}

const separator = "|"

// add counts n for a metric and the values of its attributes.
func (s *state) add(name string, n int64, values ...string) {
	s.Dirty = true
	if s.Sums == nil {
		s.Sums = map[string]map[string]int64{}
	}
	key := keyOf(values)
	if _, ok := s.Sums[name][key]; !ok {
		key = s.room(key)
		if s.Sums[name] == nil {
			s.Sums[name] = map[string]int64{}
		}
	}
	s.Sums[name][key] += n
}

// observe adds one value to a histogram.
func (s *state) observe(name string, value float64, values ...string) {
	s.Dirty = true
	if s.Histograms == nil {
		s.Histograms = map[string]map[string]*histogram{}
	}
	key := keyOf(values)
	if s.Histograms[name][key] == nil {
		key = s.room(key)
		if s.Histograms[name] == nil {
			s.Histograms[name] = map[string]*histogram{}
		}
	}
	bounds := boundsOf(name)
	h := s.Histograms[name][key]
	if h == nil {
		h = &histogram{Counts: make([]uint64, len(bounds)+1)}
		s.Histograms[name][key] = h
	}
	value = max(value, 0) // a clock that was set meanwhile
	at, _ := slices.BinarySearch(bounds, value)
	h.Counts[at]++
	h.Sum += value
}

// room returns the key if there is room for another set.
func (s *state) room(key string) string {
	if s.sets >= maxSets {
		return overflow
	}
	s.sets++
	return key
}

func keyOf(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = word(v)
	}
	return strings.Join(out, separator)
}

const (
	maxWord = 64
	other   = "_OTHER"
)

// word is a value that can't be content.
func word(s string) string {
	bad := func(r rune) bool {
		letter := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && !strings.ContainsRune("_.:@-", r)
	}
	if s == "" || len(s) > maxWord || strings.ContainsFunc(s, bad) {
		return other
	}
	return s
}

// attrsOf are the attributes that a key stands for.
func attrsOf(names []string, key string) []otlp.Attr {
	if key == overflow {
		return []otlp.Attr{{Key: "otel.metric.overflow", Value: true}}
	}
	values := strings.Split(key, separator)
	out := make([]otlp.Attr, 0, len(names))
	for i, name := range names[:min(len(names), len(values))] {
		out = append(out, otlp.Attr{Key: name, Value: values[i]})
	}
	return out
}

// newInstance is a random UUID.
func newInstance() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
