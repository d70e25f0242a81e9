package conform

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
)

func (l *Lab) version(tb testing.TB) agentlab.Result {
	tb.Helper()
	if !l.brought() {
		return agentlab.Result{Code: -1}
	}
	return l.Boathook(tb, nil, "version")
}

// report is a session for whoever has to find out what went wrong in it.
func (l *Lab) report(s Session, seen Seen) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s, prompt %q, everything permitted: %v\nexit code %d, files %q, the user was asked for %q\n",
		l.Agent.ID, s.Prompt, s.Permit, seen.Code, seen.Files, seen.Asked)
	for _, id := range slices.Sorted(maps.Keys(seen.Results)) {
		fmt.Fprintf(&b, "the model was told of %s: %s\n", id, cut(seen.Results[id], 600))
	}
	for _, r := range seen.Records {
		decision, _ := json.Marshal(r.Decision)
		fmt.Fprintf(&b, "record %s (%s)", r.HostEvent, r.Event)
		if r.Tool != nil {
			fmt.Fprintf(&b, " %s %q", r.Tool.HostName, r.Tool.Command)
		}
		fmt.Fprintf(&b, " %s %q\n", decision, r.Notes)
	}
	if asked := l.Model.Requests(); len(asked) > 0 {
		last := asked[len(asked)-1]
		fmt.Fprintf(&b, "%d requests to the model, the last to %s:\n%s", len(asked), last.Path, talk(last.Body))
	}
	fmt.Fprintf(&b, "the end of stdout: %s\nthe end of stderr: %s\n---", tail(seen.Stdout, 2500), tail(seen.Stderr, 2000))
	return b.String()
}

// normal makes equal what differs between two runs of one session in one place.
func (l *Lab) normal(text string) string { return l.Agent.normal(agentlab.Normalize(text)) }

// talk is the end of a request's conversation, which each protocol has in a list of its own.
func talk(body string) string {
	var request struct{ Messages, Input, Contents []json.RawMessage }
	if json.Unmarshal([]byte(body), &request) != nil {
		return tail(body, 1000) + "\n"
	}
	entries := slices.Concat(request.Messages, request.Input, request.Contents)
	var b strings.Builder
	for _, e := range entries[max(0, len(entries)-4):] {
		fmt.Fprintf(&b, "    %s\n", cut(string(e), 700))
	}
	return b.String()
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "…"
}

func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[len(s)-n:]
}
