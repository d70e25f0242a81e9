package policy

import "sync"

// Problem is one thing that is wrong with a policy file.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Key  string `json:"key,omitempty"`
	// Text says what is wrong, Cure what to write.
	Text string `json:"text"`
	Cure string `json:"cure,omitempty"`
	// Note says that the file counts all the same.
	Note bool `json:"note,omitempty"`
}

// File is one policy as it was read.
type File struct {
	Path  string
	Layer Layer
	// Packs are the packs that it wants, Rules its own; nil Packs is its layer's usual.
	Packs []string
	Rules []Rule
	// Mode is what its rules, and those of its layer's packs, do that say nothing of it.
	Mode Mode
	// Overrides change rules of built-in packs.
	Overrides []Override
	// Sum is the file's SHA-256 in hex.
	Sum string
	// Name and Text are a pack's, for people.
	Name, Text string
}

// Override changes a rule of a built-in pack.
type Override struct {
	Rule string
	// Action is what it wants instead; Off that it does not count at all. Empty fields change nothing.
	Action Action
	Off    bool
	Mode   Mode
	Line   int
}

// source is one file or one pack of a set.
type source struct {
	path  string
	pack  string
	layer Layer
	mode  Mode
	rules []Rule
	sum   string
}

// Set is all policies in force. It is immutable; its methods may be called concurrently.
type Set struct {
	files     []source
	overrides []override
	regexps   sync.Map
	digest    func() string
}

// override is one with who says it.
type override struct {
	Override
	layer Layer
}

// Hit is one rule that matched.
type Hit struct {
	Rule   string `json:"rule"`
	Pack   string `json:"pack,omitempty"`
	Layer  Layer  `json:"layer"`
	Action Action `json:"action"`
	// Shadow says that it was not enforced, Relieved names the allow that took it back.
	Shadow   bool   `json:"shadow,omitempty"`
	Relieved string `json:"relieved,omitempty"`
	// Unsure says that only a run would tell whether it matches, so that Action is what the rule says of that.
	Unsure bool `json:"unsure,omitempty"`
	// Effect and Command are the places in the call of what matched, -1 for none.
	Effect  int    `json:"effect"`
	Command int    `json:"command"`
	Reason  string `json:"reason,omitempty"`
	Advice  string `json:"advice,omitempty"`
}

// Edit replaces bytes of Call.Text.
type Edit struct {
	From, To int
	Text     string
}

// Verdict is what a set says of a call.
type Verdict struct {
	Action Action `json:"action"`
	// Rule, Pack, Layer, Reason and Advice are those of the hit that decided; empty where nothing matched.
	Rule   string `json:"rule,omitempty"`
	Pack   string `json:"pack,omitempty"`
	Layer  Layer  `json:"layer,omitempty"`
	Reason string `json:"reason,omitempty"`
	Advice string `json:"advice,omitempty"`
	// Locked says that a rule speaks against the call, whether or not it decided, that no user takes back: an organisation's, or one
	// that protects boathook itself.
	Locked bool `json:"locked,omitempty"`
	// Hits are all rules that matched, the strictest first.
	Hits []Hit `json:"hits,omitempty"`
	// Edits make the call's text the one that a rewrite wants.
	Edits []Edit `json:"-"`
}
