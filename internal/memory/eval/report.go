package eval

import (
	"math"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/memory/rank"
)

// depth is how many items of an answer are looked at.
const depth = 20

// Report is what a run came to.
type Report struct {
	Turns    int               `json:"turns"`
	Sessions int               `json:"sessions"`
	All      Scores            `json:"all"`
	Korean   Scores            `json:"korean"`
	Kinds    map[string]Scores `json:"kinds,omitempty"`
	Latency  Latency           `json:"latency_ms"`
}

// Scores are shares, 0 to 1, over a number of questions.
type Scores struct {
	Questions int `json:"questions"`
	// Turn is which share of a question's gold turns is among the first 1, 5, 10, 20 items; Session the same of their sessions, with
	// each session counted once.
	Turn    Recall `json:"turn_recall"`
	Session Recall `json:"session_recall"`
	// MRR is the mean of 1/place of the first gold turn, 0 where none is among the first 20.
	MRR float64 `json:"mrr"`
}

// Recall is what is found at four depths.
type Recall struct {
	At1  float64 `json:"at_1"`
	At5  float64 `json:"at_5"`
	At10 float64 `json:"at_10"`
	At20 float64 `json:"at_20"`
}

// Latency is what questions took, the store and the ranking together, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// marks are what one answer scores.
type marks struct {
	turn, session Recall
	reciprocal    float64
}

func mark(items []rank.Item, gold []place) marks {
	wanted := map[place]bool{}
	sessions := map[string]bool{}
	for _, g := range gold {
		wanted[g], sessions[g.session] = true, true
	}
	var m marks
	turns, of := float64(len(wanted)), float64(len(sessions))
	seen := map[string]bool{}
	for n, i := range items[:min(len(items), depth)] {
		if p := placeOf(i.Session, i.Time); wanted[p] {
			delete(wanted, p)
			m.turn.add(n, 1/turns)
			if m.reciprocal == 0 {
				m.reciprocal = 1 / float64(n+1)
			}
		}
		if !seen[i.Session] {
			seen[i.Session] = true
			if sessions[i.Session] {
				m.session.add(len(seen)-1, 1/of)
			}
		}
	}
	return m
}

// add counts a share that stands at a place, from 0.
func (r *Recall) add(at int, share float64) {
	for _, d := range []struct {
		depth int
		sum   *float64
	}{{1, &r.At1}, {5, &r.At5}, {10, &r.At10}, {20, &r.At20}} {
		if at < d.depth {
			*d.sum += share
		}
	}
}

func (r *Recall) plus(o Recall) {
	r.At1 += o.At1
	r.At5 += o.At5
	r.At10 += o.At10
	r.At20 += o.At20
}

func (r Recall) over(n float64) Recall {
	return Recall{round(r.At1 / n), round(r.At5 / n), round(r.At10 / n), round(r.At20 / n)}
}

// tally adds up marks.
type tally struct {
	questions int
	sum       marks
}

func (t *tally) add(m marks) {
	t.questions++
	t.sum.turn.plus(m.turn)
	t.sum.session.plus(m.session)
	t.sum.reciprocal += m.reciprocal
}

func (t *tally) scores() Scores {
	if t.questions == 0 {
		return Scores{}
	}
	n := float64(t.questions)
	return Scores{
		Questions: t.questions, Turn: t.sum.turn.over(n), Session: t.sum.session.over(n), MRR: round(t.sum.reciprocal / n),
	}
}

func round(x float64) float64 { return math.Round(x*10000) / 10000 }

func quantiles(took []time.Duration) Latency {
	if len(took) == 0 {
		return Latency{}
	}
	took = slices.Clone(took)
	slices.Sort(took)
	at := func(q float64) float64 {
		n := int(math.Ceil(q*float64(len(took)))) - 1
		return math.Round(float64(took[max(0, n)].Microseconds())) / 1000
	}
	return Latency{P50: at(0.50), P95: at(0.95), P99: at(0.99)}
}
