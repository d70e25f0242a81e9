package hookrun

import (
	"path/filepath"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/selfwatch"
)

// noteChanges says in the record of a session's start which files that decide what boathook does have changed since they were last
// looked at, by no command of its own. The worker's list says which these are, so that one that is not there says nothing.
func (r *run) noteChanges(c call, dataDir string) {
	if c.Event.Event != canon.SessionStart {
		return
	}
	var changes []selfwatch.Change
	if !within(diskTime, func() {
		book, _ := selfwatch.Read(dataDir) // one that can't be read is the worker's to write anew
		changes = selfwatch.Changes(book.Files, selfwatch.Look(book.Paths()))
	}) {
		return
	}
	for _, ch := range changes {
		r.note(selfwatch.Note + filepath.Base(filepath.Dir(ch.Path)) + "/" + filepath.Base(ch.Path) + " " + ch.Text())
	}
}
