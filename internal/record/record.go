// Package record is what boathook keeps of one hook run: the canonical event, what was decided, on what evidence, and
// what the run itself cost. The hook writes it to the spool, the worker stores it, `boathook log --json` prints it.
// It imports only hook and the standard library.
package record

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boathook/boathook/hook/canon"
)

// Version is the format's version, in every record as "v". A reader refuses versions that it does not know.
const Version = 1

// Record is one hook run. Its JSON form has the event's fields at the top level.
type Record struct {
	V int `json:"v"`
	canon.Event
	Decision Decision `json:"decision"`
	Guard    *Guard   `json:"guard,omitempty"`
	// Policy is what the local policy said of a tool call.
	Policy *Policy `json:"policy,omitempty"`
	// Recall is what memory had to say.
	Recall *Recall `json:"recall,omitempty"`
	// UserHooks are the programs of [[hooks]] that were asked, in their order.
	UserHooks []UserHook `json:"user_hooks,omitempty"`
	Hook      Hook       `json:"hook"`
	// Notes are things that a person should know about this run: salvaged payloads, broken configuration, … .
	Notes []string `json:"notes,omitempty"`
}

// Decision is what was decided and what the host was told.
type Decision struct {
	// Action is the decision itself; Expressed what the host could be told (stricter where it has no word for it).
	Action    canon.Action `json:"action"`
	Expressed canon.Action `json:"expressed"`
	Reason    string       `json:"reason,omitempty"`
	Rule      string       `json:"rule,omitempty"`
	// Pack and Layer say where a rule of the local policy stands.
	Pack  string `json:"pack,omitempty"`
	Layer string `json:"layer,omitempty"`
	// Locked says that nobody can lift it for once.
	Locked bool `json:"locked,omitempty"`
	// Source is the evidence: default (nobody was asked), local_policy, policy_failed (the call could not be judged in time),
	// remote_guard, guard_failed (no verdict), on_error (the call could not be decoded), user_hook, user_hook_failed (no
	// answer). Of the latter two Rule is the hook's name.
	Source string `json:"source"`
	// Input is the rewritten input of the tool and Context the text for the model, as far as the agent was told them.
	Input   json.RawMessage `json:"input,omitempty"`
	Context string          `json:"context,omitempty"`
	// Mark is "review" when the guard asked for a review and the call was allowed all the same, "loop" when the session was
	// denied the same call for the fifth time or more.
	Mark string `json:"mark,omitempty"`
}

// Guard is what became of the question to the remote guard.
type Guard struct {
	// Outcome is allow, deny, review, or why there was no verdict: timeout, refused, status_<code>,
	// bad_body, bad_endpoint, no_endpoint (none is set and guard.fail is closed), error.
	Outcome string `json:"outcome"`
	// Fail is open or closed when there was no verdict.
	Fail       string  `json:"fail,omitempty"`
	Reason     string  `json:"reason,omitempty"`
	Rule       string  `json:"matched_rule,omitempty"`
	DurationMS float64 `json:"duration_ms"`
}

// UserHook is what became of the question to one program of [[hooks]].
type UserHook struct {
	Name string `json:"name"`
	// Outcome is allow, ask, deny, or why there was no answer: timeout, exit_<code>, killed, garbage, too_long, held (a child
	// of it held its output open and it had said nothing), not_started, broken (its table in the config).
	Outcome string `json:"outcome"`
	// Fail is open or closed when there was no answer.
	Fail   string `json:"fail,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Rewrote and Added say that its answer had another input, or text for the model.
	Rewrote    bool    `json:"rewrote,omitempty"`
	Added      bool    `json:"added,omitempty"`
	DurationMS float64 `json:"duration_ms"`
}

// Hook is the run itself.
type Hook struct {
	Version string `json:"version"`
	// LatencyMS is the time from process entry to the moment the record was written, in milliseconds.
	LatencyMS    float64 `json:"latency_ms"`
	PayloadBytes int     `json:"payload_bytes"`
	// AgentLabel is the --agent argument where it is not the agent's own id.
	AgentLabel string `json:"agent_label,omitempty"`
	// Redactions counts what was masked, by type.
	Redactions map[string]int `json:"redactions,omitempty"`
	Privacy    string         `json:"privacy,omitempty"`
}

// Parse reads a record back. The error says what is wrong with it, and quotes nothing of it; the record is then not usable.
func Parse(b []byte) (Record, error) {
	var r Record
	err := json.Unmarshal(b, &r)
	return r, r.check(err)
}

// skipped is a value that isn't read.
type skipped struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (skipped) UnmarshalJSON([]byte) error { return nil }

// ParseBare is Parse without the largest fields: the payload, the prompt and the answer.
func ParseBare(b []byte) (Record, error) {
	var r struct {
		Record
		Raw      skipped `json:"raw"`
		Prompt   skipped `json:"prompt"`
		Response skipped `json:"response"`
	}
	err := json.Unmarshal(b, &r)
	return r.Record, r.check(err)
}

func (r *Record) check(err error) error {
	if err != nil {
		return fmt.Errorf("parse record: %w", unquoted(err))
	}
	if r.V != Version {
		return fmt.Errorf("parse record: version %d, this program knows %d", r.V, Version)
	}
	if len(r.ID) != 26 {
		return errors.New("parse record: its id is not a ULID")
	}
	return nil
}

// unquoted is an error without what was read: that may be anything, and errors are logged.
func unquoted(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON, at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("%s is no %s", kind.Field, kind.Type)
	}
	return errors.New("a value has not the form that it should have")
}
