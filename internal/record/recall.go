package record

// Recall is what memory was asked at an event, and what of it the model was told. The text itself is not kept here: it is that of
// other sessions, which may be forgotten.
type Recall struct {
	// Outcome is injected, nothing, held (a person has to approve it first), repeated (all of it was told in this session before),
	// sampled_out, deadline, failed, or waiting (the question is asked at the session's next event that can tell the model something).
	Outcome string `json:"outcome"`
	// Items are the ids of the messages and calls that it was made of, Tokens an estimate of its length.
	Items  []string `json:"items,omitempty"`
	Tokens int      `json:"tokens,omitempty"`
	// Candidates were found, Dropped left out since they read like instructions to a model.
	Candidates int `json:"candidates,omitempty"`
	Dropped    int `json:"dropped,omitempty"`
	// Embedder is what became of the question to it: ok, timeout, failed; none where none is configured.
	Embedder string  `json:"embedder,omitempty"`
	Reason   string  `json:"reason,omitempty"`
	TookMS   float64 `json:"took_ms"`
}
