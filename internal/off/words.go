package off

import (
	"time"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/shellquote"
)

// OnCommand is the command that ends what is off: everywhere, or in one project, which nothing else ends.
func OnCommand(project string) string {
	if project == "" {
		return "boathook on"
	}
	return "boathook on --project " + shellquote.Word(project)
}

// Lasts says how long something is off, by the zone of now; project is empty for everywhere. Where no time ends it, the
// command does.
func (s Span) Lasts(now time.Time, project string) string {
	if s.Until.IsZero() {
		return "until '" + OnCommand(project) + "'"
	}
	left := max(s.Until.Sub(now)+time.Second-1, 0).Truncate(time.Second)
	return "until " + s.Until.In(now.Location()).Format("2006-01-02 15:04:05") + " (" + duration.Text(left) + ")"
}

// Ends says what ends it before its time; empty where Lasts has said so.
func (s Span) Ends(project string) string {
	if s.Until.IsZero() {
		return ""
	}
	return "'" + OnCommand(project) + "' ends it"
}
