package hookrun

import (
	"bytes"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/internal/record"
)

// withMemory is a decision as the agent is told it: with what memory has to say, which no record keeps.
func (r *run) withMemory(d record.Decision) record.Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.telling == "" || d.Expressed != canon.Allow || !r.event.Can.Context {
		return d
	}
	d.Context = strings.TrimLeft(d.Context+"\n"+r.telling, "\n")
	return d
}

// recallRecord is what the record says of memory.
func (r *run) recallRecord(hide func(*string)) *record.Recall {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.recalled == nil {
		return nil
	}
	kept := *r.recalled
	hide(&kept.Reason)
	if r.settings.Minimal {
		kept.Items = nil // an id tells who guesses its text that the guess is right
	}
	return &kept
}

// ownTold takes out of a payload what memory told the model before, but for what a tool is to do.
func (r *run) ownTold(c *call) []byte {
	if !recall.Has(c.Raw) {
		return c.Raw
	}
	var inputs [][]byte
	if c.Tool != nil {
		add := func(in []byte) {
			if recall.Has(in) {
				inputs = append(inputs, in)
			}
		}
		add(c.Tool.Input)
		all, _ := r.host.Calls(c.payload.Value)
		for _, in := range all {
			add(in.Raw())
		}
		if len(inputs) > maxQuoting {
			return c.Raw
		}
		for _, in := range inputs {
			if !bytes.Contains(c.Raw, in) {
				return c.Raw // it stands there in another form
			}
		}
	}
	return recall.StripJSON(c.Raw, inputs...)
}

// maxQuoting is in how many calls of one payload memory's own lines are looked for.
const maxQuoting = 32

// ownText is ownTold for the text of a payload that is broken.
func (r *run) ownText(c call) []byte {
	if c.Tool != nil {
		return c.payload.Text
	}
	return recall.StripJSON(c.payload.Text)
}
