package hookrun

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// told tells the model, if what it is about goes on, or keeps it until a person has approved it.
func (r *run) told(c *call, a recollection) {
	rec := a.found.Recall
	session := memory.SessionID(r.host.ID, c.SessionID)
	switch {
	case a.skip:
		return
	case r.current().Expressed != canon.Allow:
		if a.found.Any() {
			rec.Outcome, rec.Reason = recall.Nothing, "what it was for is denied"
		}
		r.remembered(rec, "")
		return
	case r.settings.Memory.Inject == "review":
		if text, of, ok := r.approved(session, a.book); ok {
			r.remembered(of, text)
			if a.found.Any() {
				within(claimTime, func() { _, _, _ = r.claim(session, a) }) // the record is of what is told
			}
			return
		}
	}
	if !a.found.Any() {
		r.remembered(rec, "")
		return
	}
	var text string
	var of record.Recall
	var err error
	if !within(claimTime, func() { text, of, err = r.claim(session, a) }) {
		r.remembered(failedRecall(rec, "noting what the session was told takes too long"), "")
		return
	}
	if err != nil {
		text, of = "", failedRecall(rec, err.Error())
	}
	r.remembered(of, text)
}

func failedRecall(rec record.Recall, reason string) record.Recall {
	return record.Recall{Outcome: recall.Failed, Reason: reason, TookMS: rec.TookMS}
}

// approved is what a person let pass, if it is still as long as it may be: the settings may have changed since.
func (r *run) approved(session string, book recall.Book) (text string, rec record.Recall, ok bool) {
	var review recall.Review
	var is bool
	if !within(claimTime, func() { review, is = book.Approved(session) }) || !is {
		return "", record.Recall{}, false
	}
	rec = review.Recall
	rec.Outcome = recall.Injected
	if rec.Tokens = recall.Tokens(review.Block); rec.Tokens > r.settings.Memory.MaxContextTokens {
		rec.Outcome, rec.Reason, rec.Items = recall.Nothing, noRoom, nil
		return "", rec, true
	}
	return review.Block, rec, true
}

const noRoom = "memory.retrieval.maxContextTokens leaves no room"

// claim takes what the session was not told yet.
func (r *run) claim(session string, a recollection) (text string, rec record.Recall, err error) {
	now := r.env.Now()
	text, found := a.found.Block(now)
	rec = found.Recall
	if text == "" {
		rec.Outcome, rec.Reason = recall.Nothing, noRoom
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

// remembered sets what the record says of memory, and what the model is told.
func (r *run) remembered(rec record.Recall, text string) {
	if rec.Outcome == "" {
		return // it was not asked
	}
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
