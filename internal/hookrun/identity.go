package hookrun

import "github.com/boathook/boathook/internal/pending"

// identity is the text that stands for the exact call. Of a payload that may hold more than the one call it is all of that: whoever
// lifts a call has seen no other.
func (r *run) identity(c *call) string {
	id := pending.Identity(c.Event)
	if !c.payload.Sound() {
		return id + "\x00" + string(c.payload.Text)
	}
	if inputs, _ := r.host.Calls(c.payload.Value); len(inputs) > 1 {
		for _, in := range inputs {
			id += "\x00" + string(in.Raw())
		}
	}
	return id
}
