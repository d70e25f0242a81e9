package cli

import (
	"fmt"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/recall"
)

// showReviews lists what waits for a person.
func showReviews(env *Env, o memoryShow) error {
	dir, _, err := o.find(env)
	if err != nil {
		return err
	}
	list, err := recall.Pending(dir, env.Now())
	if err != nil {
		return exitWith(exitFailed, err)
	}
	if o.json {
		if list == nil {
			list = []recall.Review{}
		}
		return env.printJSON(struct {
			Pending []recall.Review `json:"pending"`
		}{list}, nil)
	}
	if len(list) == 0 {
		return env.sentence("Nothing waits for your approval.", 0)
	}
	for n, r := range list {
		if n > 0 {
			fmt.Fprintln(env.Stdout)
		}
		head := fmt.Sprintf("%s  %s, %s", r.Code, r.Agent, duration.Ago(env.Now(), r.Time))
		if r.Approved {
			head += ", approved: it goes into the session's next event that can take it"
		}
		if _, err := fmt.Fprintln(env.Stdout, env.painted(yellow, plain(head))); err != nil {
			return err
		}
		if r.Asked != "" {
			if err := env.snippet("asked: "+r.Asked, 3, 2); err != nil {
				return err
			}
		}
		if err := env.block(r.Block); err != nil {
			return err
		}
	}
	fmt.Fprintln(env.Stdout)
	return env.sentence("'boathook memory show --approve CODE' lets one in, '--reject CODE' drops it.", 0)
}

// settleReview approves or rejects one block.
func settleReview(env *Env, o memoryShow) error {
	what, code, do, action, done := "memory show --reject", o.reject, recall.Reject, audit.Reject, "rejected"
	if o.approve != "" {
		what, code, do, action, done = "memory show --approve", o.approve, recall.Approve, audit.Approve, "approved"
		if err := env.refuseAgents(what); err != nil {
			return err
		}
		if err := env.refuseAbsent(what); err != nil {
			return err
		}
	}
	dir, settings, err := o.find(env)
	if err != nil {
		return err
	}
	w := bareMemory(dir, settings)
	if err := w.audit(env, audit.Entry{Action: action, Rows: []string{code}, Count: 1}); err != nil {
		return err
	}
	if err := do(dir, code); err != nil {
		return exitWith(exitFailed, fmt.Errorf("%s %s: %w; 'boathook memory show --pending' lists what waits", what, code, err))
	}
	if o.json {
		return env.printJSON(struct {
			Code string `json:"code"`
			Done string `json:"done"`
		}{code, done}, nil)
	}
	text := "Approved: it goes into the session's next event that can take it."
	if done == "rejected" {
		text = "Rejected: that session is not offered it again."
	}
	return env.sentence(text, 0)
}
