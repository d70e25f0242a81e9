package policy

// Problem is one thing that is wrong with a policy file.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Key  string `json:"key,omitempty"`
	// Text says what is wrong, Cure what to write.
	Text string `json:"text"`
	Cure string `json:"cure,omitempty"`
}

// File is one policy as it was read.
type File struct {
	Path  string
	Layer Layer
	// Packs are the packs that it wants, Rules its own; nil Packs is its layer's usual.
	Packs []string
	Rules []Rule
}

// Rule is one rule.
type Rule struct {
	ID     string
	Pack   string
	Action Action
	Reason string
	Advice string
}

// Set is all policies in force. It is immutable; its methods may be called concurrently.
type Set struct {
	files []File
}

// Parse reads one policy file. It never fails: what is wrong is in the problems. broken says that nothing of the file may be used.
func Parse(path string, text []byte, layer Layer) (f File, problems []Problem, broken bool) {
	return File{Path: path, Layer: layer}, nil, false
}

// Combine makes a set of the built-in packs and these files.
func Combine(files ...File) *Set { return &Set{files: files} }

// Hit is one rule that matched.
type Hit struct {
	Rule   string `json:"rule"`
	Pack   string `json:"pack,omitempty"`
	Layer  Layer  `json:"layer"`
	Action Action `json:"action"`
	// Shadow says that it was not enforced, Relieved names the allow that took it back.
	Shadow   bool   `json:"shadow,omitempty"`
	Relieved string `json:"relieved,omitempty"`
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
	// Hits are all rules that matched, the strictest first.
	Hits []Hit `json:"hits,omitempty"`
	// Edits make the call's text the one that a rewrite wants.
	Edits []Edit `json:"-"`
}

// Judge tells what the set says of a call.
func (s *Set) Judge(c Call) Verdict { return Verdict{Action: Allow} }
