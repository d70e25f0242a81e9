package ingest

import (
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// LineOf is the line of a row, so that Read makes the same row of it. Root is where the row's project is, empty where that is not known.
func LineOf(e memory.Entry, root string) (Line, bool) {
	switch {
	case e.Message != nil:
		m := e.Message
		l := begun(m.Session, e, root, m.Source, m.Origin, m.ID, m.Time)
		l.Role, l.Text, l.Model = m.Role, m.Text, m.Model
		l.TokensInput, l.TokensOutput, l.TokensTotal = m.TokensInput, m.TokensOutput, m.TokensTotal
		return l, m.Text != ""
	case e.Call != nil:
		c := e.Call
		l := begun(c.Session, e, root, c.Source, c.Origin, c.ID, c.Time)
		l.Role, l.Text, l.Tool, l.HostTool, l.CallID, l.Kind, l.Status = memory.RoleTool, c.Output, c.Tool, c.HostTool, c.CallID, c.Kind, c.Status
		l.Command, l.Paths, l.Args, l.Result, l.Error = c.Command, c.Paths, c.Args, c.Result, c.Error
		l.DurationMS = float64(c.Duration) / float64(time.Millisecond)
		return l, true
	}
	return Line{}, false
}

func begun(session string, e memory.Entry, root string, source memory.Source, origin, id string, at time.Time) Line {
	agent, own := memory.SplitSessionID(session)
	l := Line{Session: own, Agent: agent, ID: origin, TS: at, Project: root}
	if l.ID == "" {
		l.ID = id
	}
	if source != memory.FromImport {
		l.Source = string(source)
	}
	if l.Project == "" && e.Project != "" {
		l.Project = projectMark + e.Project
	}
	return l
}
