package memory

import (
	"context"
	"errors"
	"time"
)

// The errors of stores. An error that is ErrUnavailable may pass by itself; one that is ErrPoison is of the rows that were
// given, which no later try would take.
var (
	ErrUnavailable = errors.New("memory store is not available")
	ErrPoison      = errors.New("memory store refuses the row")
	ErrNewer       = errors.New("memory store was made by a newer version")
	ErrOlder       = errors.New("memory store has to be migrated: run boathook memory migrate")
	ErrNoVectors   = errors.New("memory store has no vector search")
	ErrDenied      = errors.New("memory store denies it to this role")
)

// Filter selects rows. A zero field selects all, but for Projects: no project is selected unless it is named, or AllProjects says so.
type Filter struct {
	Projects    []string `json:"projects,omitempty"`
	AllProjects bool     `json:"all_projects,omitempty"`
	Session     string   `json:"session,omitempty"`
	Agent       string   `json:"agent,omitempty"`
	Role        string   `json:"role,omitempty"`
	Tool        string   `json:"tool,omitempty"`
	Status      string   `json:"status,omitempty"`
	Tag         string   `json:"tag,omitempty"`
	// Since is included, Until isn't.
	Since time.Time `json:"since,omitzero"`
	Until time.Time `json:"until,omitzero"`
	// NotSession is left out, and so are sessions that have not ended and were active after OpenSince.
	NotSession string    `json:"not_session,omitempty"`
	OpenSince  time.Time `json:"open_since,omitzero"`
}

// TakesRole tells whether the filter selects rows of a role. Gemini CLI's records call answers by the agent's name: who asks for the
// assistant's gets those too.
func (f Filter) TakesRole(role string) bool {
	return f.Role == "" || f.Role == role || f.Role == RoleAssistant && role == RoleGemini
}

// Query asks for the chunks that a text may be about: by Terms, or by Vector. What comes back is for package rank.
type Query struct {
	Filter
	// Terms are those of the question (package terms), each once.
	Terms []string `json:"terms,omitempty"`
	// Vector is the question's embedding by Model; it has that model's width.
	Vector []float32 `json:"vector,omitempty"`
	Model  string    `json:"model,omitempty"`
	// Limit is how many chunks are wanted at most.
	Limit int `json:"limit"`
	// Around, with Terms, asks for more: of the first AroundHits hits also the chunks that stand up to so many places before and
	// after them in their session and that the filter selects, whether they have a term or not. They are hits like the others, once
	// each, behind them and beyond Limit.
	Around int `json:"around,omitempty"`
}

// AroundHits is how many hits Query.Around is about.
const AroundHits = 10

// Found is the answer.
type Found struct {
	// Documents is how many chunks the projects have, and Frequency in how many of them each term stands, as far as it was
	// looked up.
	Documents int            `json:"documents"`
	Frequency map[string]int `json:"frequency,omitempty"`
	Hits      []Hit          `json:"hits"`
}

// Hit is a chunk that was found, with the terms of its neighbours in the session.
type Hit struct {
	Chunk
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
	// Distance is the cosine distance where it was found by its vector.
	Distance float64 `json:"distance,omitempty"`
	// Outcome is the session's, Ended when it ended.
	Outcome string    `json:"outcome,omitempty"`
	Ended   time.Time `json:"ended,omitzero"`
}

// Entry is a message or a tool call in a session's order.
type Entry struct {
	Message *Message  `json:"message,omitempty"`
	Call    *ToolCall `json:"call,omitempty"`
	Project string    `json:"project"`
	Agent   string    `json:"agent"`
}

// SessionOf is the session that it is of.
func (e Entry) SessionOf() string {
	switch {
	case e.Message != nil:
		return e.Message.Session
	case e.Call != nil:
		return e.Call.Session
	}
	return ""
}

// Page says where a list goes on. The zero value is its beginning; one that was returned empty is its end.
type Page string

// Embedding is a chunk's vector.
type Embedding struct {
	Chunk  int64     `json:"chunk"`
	Vector []float32 `json:"vector"`
}

// Selection says what is to be forgotten: what the filter selects, and of that, where Text is set, only rows that contain it.
type Selection struct {
	Filter
	Text string `json:"text,omitempty"`
	// Rows are ids of messages and tool calls, as a search prints them; with them nothing but those.
	Rows []string `json:"rows,omitempty"`
	// Anonymize keeps the rows without what tells of people and texts: texts, arguments, results, paths, roots.
	Anonymize bool `json:"anonymize,omitempty"`
	// DryRun only counts.
	DryRun bool `json:"dry_run,omitempty"`
}

// Removed counts rows that are gone, or would be.
type Removed struct {
	Sessions  int `json:"sessions"`
	Messages  int `json:"messages"`
	ToolCalls int `json:"tool_calls"`
	Chunks    int `json:"chunks"`
	// Origins are the ids of the hook events that had told of them, at most 100,000, so that those can go as well.
	Origins []string `json:"origins,omitempty"`
	// Pending is what is still to be done until no byte is left on the disk, as a sentence: PostgreSQL's vacuum.
	Pending string `json:"pending,omitempty"`
}

// Retention is how long which rows are kept; zero is for good. Of is other times for some projects.
type Retention struct {
	Raw, Summaries time.Duration
	Of             map[string]Retention
}

// Stats are figures of what a filter's projects have.
type Stats struct {
	Backend   string         `json:"backend"`
	Version   int            `json:"schema_version"`
	Vectors   bool           `json:"vectors"`
	Projects  int            `json:"projects"`
	Sessions  int            `json:"sessions"`
	Messages  int            `json:"messages"`
	ToolCalls int            `json:"tool_calls"`
	Chunks    int            `json:"chunks"`
	Embedded  map[string]int `json:"embedded,omitempty"` // by model
	Bytes     int64          `json:"bytes"`
	Oldest    time.Time      `json:"oldest,omitzero"`
	Newest    time.Time      `json:"newest,omitzero"`
	// Notes are what a person should know: no extension, an index that is missing.
	Notes []string `json:"notes,omitempty"`
}

// Store keeps memory. It may be used concurrently. Whatever an implementation asks another machine ends with its context.
type Store interface {
	// Write stores a batch, all of it or nothing.
	Write(ctx context.Context, b Batch) (Written, error)
	// Find looks for chunks. With both Terms and Vector it is an error.
	Find(ctx context.Context, q Query) (Found, error)
	// Sessions lists sessions, the newest first; Entries lists messages and calls in the order of their time.
	Sessions(ctx context.Context, f Filter, at Page, limit int) ([]Session, Page, error)
	Entries(ctx context.Context, f Filter, at Page, limit int) ([]Entry, Page, error)
	// Get reads messages and calls by their ids, those of the filter's projects alone.
	Get(ctx context.Context, f Filter, ids []string) ([]Entry, error)
	// Unembedded lists chunks without a vector of a model; Embed gives them theirs. Width is how many numbers a vector has.
	Unembedded(ctx context.Context, model string, width, limit int) ([]Chunk, error)
	Embed(ctx context.Context, model string, width int, vectors []Embedding) error
	// Forget removes rows; Retain those that are too old, a bounded number at once: more says that there are others.
	Forget(ctx context.Context, s Selection) (Removed, error)
	Retain(ctx context.Context, r Retention, now time.Time) (removed Removed, more bool, err error)
	// Occurs counts the places where a text stands in what the store keeps, in any of its tables and indexes.
	Occurs(ctx context.Context, text string) (int, error)
	Stats(ctx context.Context, f Filter) (Stats, error)
	Close() error
}
