package hookrun

import (
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
	found   recall.Found
	book    recall.Book
	project project.Project
	asked   string // masked
	skip    bool   // nobody wants it here
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
	p, err := r.memoryProject(c, place.key)
	if err != nil {
		return fail(err.Error())
	}
	if a.project = p; !r.wantsMemory(p, c) {
		a.skip = true
		return a
	}
	if asked.Prompt == "" {
		return a // it is only about what a person approved
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
