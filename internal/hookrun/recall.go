package hookrun

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/project"
	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// Memory says who is asked for what was done before, by the settings and the data directory of a run.
type Memory func(s config.Settings, dataDir string) recall.Deps

// What memory may take where the settings don't say, and what it takes to note what a session was told.
const usualRecall = 250 * time.Millisecond

var claimTime = 100 * time.Millisecond // longer in tests

// askMemory begins to look for what was done before that helps with this prompt; the function it returns waits for it, and tells the
// model if the prompt goes on. Nothing of it can change what was decided.
func (r *run) askMemory(c *call) (tell func()) {
	none := func() {}
	m := r.settings.Memory
	if r.env.Memory == nil || !m.Enabled || m.Inject != "on" && m.Inject != "review" || c.SessionID == "" || r.settings.DataDir == "" {
		return none
	}
	prompt := c.Event.Event == canon.PromptSubmit && c.Prompt != ""
	switch {
	case prompt && r.event.Can.Context:
		return r.lookUp(c, recall.Asked{Prompt: c.Prompt, Event: c.ID})
	case prompt && slices.ContainsFunc(r.host.Events, tellsLater):
		return func() { r.remindLater(c) }
	case r.event.Can.Context && tellsLater(r.event) && c.SubagentID == "" && (m.Inject == "review" || !slices.ContainsFunc(r.host.Events, tellsAtPrompt)):
		return func() { r.askedBefore(c) } // not beside the policies: the data may make this process act as another user
	}
	return none
}

func tellsAtPrompt(ev host.Event) bool {
	return ev.Default && ev.Can.Context && ev.Kind == canon.PromptSubmit
}

// tellsLater are the events at which a question that the prompt's own could not answer is answered.
func tellsLater(ev host.Event) bool {
	if !ev.Default || !ev.Can.Context {
		return false
	}
	switch ev.Kind {
	case canon.ToolBefore, canon.ToolAfter, canon.ToolError, canon.ToolBatch:
		return true
	}
	return false
}

// recollection is what memory had to say.
type recollection struct {
	found recall.Found
	// approved is what a person let pass, in place of it.
	approved *recall.Review
	book     recall.Book
	project  project.Project
	asked    string // masked
	skip     bool   // nobody wants it here
}

func (r *run) recallTime() time.Duration {
	limit := r.settings.Memory.Deadline
	if limit <= 0 {
		limit = usualRecall
	}
	return min(limit, r.settings.Deadline/2)
}

// lookUp asks memory beside whatever follows.
func (r *run) lookUp(c *call, asked recall.Asked) (tell func()) {
	ctx, cancel := context.WithTimeout(context.Background(), r.recallTime())
	answer := make(chan recollection, 1)
	of := *c
	go func() {
		var a recollection
		a.found.Recall = record.Recall{Outcome: recall.Failed, Reason: "panic"}
		defer func() { answer <- a }()
		defer func() { _ = recover() }() // what it may have to say is not worth an answer
		a = r.recollect(ctx, &of, asked)
	}()
	return func() {
		defer cancel()
		defer r.lap("recall")
		select {
		case a := <-answer:
			r.told(c, a)
		case <-ctx.Done():
			select {
			case a := <-answer:
				r.told(c, a)
			case <-time.After(lateTime):
				r.remembered(record.Recall{Outcome: recall.Late, TookMS: float64(r.recallTime().Milliseconds())}, "")
			}
		}
	}
}

// lateTime is what the search has to notice that its time is over.
const lateTime = 40 * time.Millisecond

// recollect finds what helps. The disk may hang anywhere in it.
func (r *run) recollect(ctx context.Context, c *call, asked recall.Asked) recollection {
	fail := func(reason string) recollection {
		return recollection{found: recall.Found{Recall: record.Recall{Outcome: recall.Failed, Reason: reason}}}
	}
	place, ok := r.open()
	switch {
	case !ok:
		return fail("the data directory's disk hangs")
	case place.err != nil || place.keyErr != nil:
		return fail("the data directory or its key cannot be read")
	}
	a := recollection{book: recall.Book{Data: place.dir, Hash: place.key.Hash, Now: r.env.Now}}
	session := memory.SessionID(r.host.ID, c.SessionID)
	if r.settings.Memory.Inject == "review" {
		if review, ok := a.book.Approved(session); ok {
			a.approved = &review
			return a
		}
	}
	if asked.Prompt == "" {
		a.skip = true
		return a
	}
	p, err := r.memoryProject(c, place.key)
	if err != nil {
		return fail(err.Error())
	}
	if a.project = p; !r.wantsMemory(p, c) {
		a.skip = true
		return a
	}
	mask, _ := redact.New(redactOptions(r.settings.Redact)) // its problems are said where the record is made
	hide := func(s string) string { return mask.Text(s, true, redact.Counts{}) }
	a.asked = hide(recall.Question(asked.Prompt))
	q := recall.Request{
		Prompt: a.asked, Project: p.Key, Session: session, Event: asked.Event, Now: r.env.Now(), Settings: r.settings.Memory,
		Told: a.book.Told(session),
	}
	if r.settings.Memory.Redact {
		q.Mask = hide
	}
	a.found = recall.Find(ctx, r.env.Memory(r.settings, place.dir), q)
	return a
}

// memoryProject is the project under which the session is stored, too.
func (r *run) memoryProject(c *call, key []byte) (project.Project, error) {
	dir := c.CWD
	if dir != "" && !filepath.IsAbs(dir) {
		dir = filepath.Join(r.env.Dir, dir)
	}
	return project.Resolver{
		IDs: r.settings.Memory.ProjectIDs, Shared: r.settings.Memory.Provider == "postgres", Machine: key, Stuck: r.stuck, Limit: factTime,
	}.Of(dir)
}

// wantsMemory tells whether something may be told in a project.
func (r *run) wantsMemory(p project.Project, c *call) bool {
	m, home := r.settings.Memory, config.Home(r.request(), r.settings)
	if p.In(m.Exclude, home, c.CWD) || p.In(m.NoInjectProjects, home, c.CWD) {
		return false
	}
	return len(m.InjectProjects) == 0 || p.In(m.InjectProjects, home, c.CWD)
}

// told tells the model, if what it is about goes on, or keeps it until a person has approved it.
func (r *run) told(c *call, a recollection) {
	rec := a.found.Recall
	session := memory.SessionID(r.host.ID, c.SessionID)
	switch {
	case a.skip:
		return
	case a.approved == nil && !a.found.Any():
		r.remembered(rec, "")
		return
	case r.current().Expressed != canon.Allow:
		rec.Outcome, rec.Reason = recall.Nothing, "what it was for is denied"
		if a.approved == nil { // an approval that was used up is gone: the same event would be denied again
			r.remembered(rec, "")
		}
		return
	}
	var text string
	failed := "noting what the session was told takes too long"
	ok := within(claimTime, func() {
		if a.approved != nil {
			text, rec = r.approved(*a.approved)
			failed = ""
			return
		}
		var err error
		if text, rec, err = r.claim(session, a); err != nil {
			failed = err.Error()
			return
		}
		failed = ""
	})
	if !ok || failed != "" {
		r.remembered(record.Recall{Outcome: recall.Failed, Reason: failed, TookMS: a.found.Recall.TookMS}, "")
		return
	}
	r.remembered(rec, text)
}

// claim takes what the session was not told yet.
func (r *run) claim(session string, a recollection) (text string, rec record.Recall, err error) {
	now := r.env.Now()
	text, found := a.found.Block(now)
	rec = found.Recall
	if text == "" {
		rec.Outcome, rec.Reason = recall.Nothing, "memory.retrieval.maxContextTokens leaves no room"
		return "", rec, nil
	}
	fresh, err := a.book.Claim(session, found.IDs())
	if err != nil {
		return "", rec, err
	}
	if len(fresh) < len(found.IDs()) { // another hook of the session was quicker
		text, found = found.Only(fresh).Block(now)
		rec = found.Recall
	}
	switch {
	case text == "":
		rec.Outcome, rec.Items, rec.Tokens = recall.Repeated, nil, 0
		return "", rec, nil
	case r.settings.Memory.Inject != "review":
		rec.Outcome = recall.Injected
		return text, rec, nil
	}
	rec.Outcome = recall.Held
	review := recall.Review{Agent: r.host.ID, Project: a.project.Name, Block: text, Recall: rec}
	if !r.settings.Minimal {
		review.Asked = a.asked[:min(len(a.asked), 300)]
	}
	return "", rec, a.book.Hold(session, review)
}

// approved is what a person let pass. The settings may have changed since.
func (r *run) approved(review recall.Review) (string, record.Recall) {
	rec := review.Recall
	rec.Outcome = recall.Injected
	if rec.Tokens = recall.Tokens(review.Block); rec.Tokens > r.settings.Memory.MaxContextTokens {
		rec.Outcome, rec.Reason, rec.Items = recall.Nothing, "memory.retrieval.maxContextTokens leaves no room", nil
		return "", rec
	}
	return review.Block, rec
}

// remembered sets what the record says of memory, and what the model is told.
func (r *run) remembered(rec record.Recall, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recalled, r.telling = &rec, text
}

// remindLater keeps the question for an event that can tell the model something. It does not stay where nothing of content may.
func (r *run) remindLater(c *call) {
	if r.settings.Minimal || r.current().Expressed != canon.Allow {
		return
	}
	rec := record.Recall{Outcome: recall.Failed, Reason: "keeping the question takes too long"}
	var err error
	if place, ok := r.open(); ok && place.err == nil && place.keyErr == nil && within(claimTime, func() {
		mask, _ := redact.New(redactOptions(r.settings.Redact)) // its problems are said where the record is made
		book := recall.Book{Data: place.dir, Hash: place.key.Hash, Now: r.env.Now}
		text := mask.Text(recall.Question(c.Prompt), true, redact.Counts{})
		err = book.Wait(memory.SessionID(r.host.ID, c.SessionID), recall.Asked{Prompt: text, Event: c.ID, Time: r.env.Now()})
	}) {
		if rec = (record.Recall{Outcome: recall.Waiting}); err != nil {
			rec = record.Recall{Outcome: recall.Failed, Reason: err.Error()}
		}
	}
	r.remembered(rec, "")
}

// askedBefore answers the question that waits, or tells what a person has approved meanwhile.
func (r *run) askedBefore(c *call) {
	if r.current().Expressed != canon.Allow {
		return
	}
	place, ok := r.open()
	if !ok || place.err != nil || place.keyErr != nil {
		return
	}
	var asked recall.Asked
	var waits bool
	book := recall.Book{Data: place.dir, Hash: place.key.Hash, Now: r.env.Now}
	if !within(claimTime, func() { asked, waits = book.Next(memory.SessionID(r.host.ID, c.SessionID)) }) {
		return
	}
	if waits || r.settings.Memory.Inject == "review" {
		r.lookUp(c, asked)()
	}
}

// withMemory is a decision as the agent is told it: with what memory has to say, which no record keeps.
func (r *run) withMemory(d record.Decision) record.Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.telling == "" || d.Expressed != canon.Allow || !r.event.Can.Context {
		return d
	}
	d.Context = string(bytes.TrimLeft([]byte(d.Context+"\n"+r.telling), "\n"))
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
		inputs = append(inputs, c.Tool.Input)
		all, _ := r.host.Calls(c.payload.Value)
		for _, in := range all {
			inputs = append(inputs, in.Raw())
		}
		for _, in := range inputs {
			if recall.Has(in) && !bytes.Contains(c.Raw, in) {
				return c.Raw // it stands there in another form
			}
		}
	}
	return recall.StripJSON(c.Raw, inputs...)
}

// ownText is ownTold for the text of a payload that is broken.
func (r *run) ownText(c call) []byte {
	if c.Tool != nil {
		return c.payload.Text
	}
	return recall.StripJSON(c.payload.Text)
}
