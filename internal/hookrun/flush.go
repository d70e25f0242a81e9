package hookrun

import (
	"time"

	"github.com/boathook/boathook/hook/canon"
)

// flush is how long the process may wait, once its answer is out, until the worker has stored and sent everything: at the
// end of a session, for a machine that ends with the job. The hook's own deadline bounds it too.
func (r *run) flush() time.Duration {
	if r.settings.Flush <= 0 || r.worker.DataDir == "" || !r.idle {
		return 0
	}
	left := r.settings.Deadline - r.env.Now().Sub(r.env.Start)
	return max(0, min(r.settings.Flush, left))
}

// ended tells whether nothing more is to be expected of this session: the host says that it stops, or, where it has no word
// for that, that nothing of it runs any more.
func (r *run) ended(c call) bool {
	switch r.event.Kind {
	case canon.SessionStop:
		return true
	case canon.AgentStop:
		return r.host.Idle != "" && c.payload.Value.Members().Text(r.host.Idle) == "true"
	}
	return false
}
