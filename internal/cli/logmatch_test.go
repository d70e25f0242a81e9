package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/store"
)

// What has a finite set of names is not searched for in vain.
func TestFiltersRefuseUnknownNames(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"--agent", "gemni"}, `--agent "gemni" is none of gemini, antigravity`},
		{[]string{"--event", "BeforeTol"}, "--event \"BeforeTol\" is no event: did you mean BeforeTool?\nRun "},
		{[]string{"--event", "Foo"}, "  SessionStart, BeforeAgent, BeforeTool"},
		{[]string{"--event", "tool"}, "--event \"tool\" is no event: did you mean tool:before or tool:after or tool:error?"},
		{[]string{"--event", "!tol:*"}, `--event "tol:*" is no event: did you mean tool:*?`},
		{[]string{"--event", "tool:before,"}, "--event \"\" is no event. There are\nboathook:   session:start, "},
		{[]string{"--decision", "maybe"}, `--decision "maybe" is none of allow, ask, deny, review, none`},
	}
	for _, tt := range tests {
		code, out, stderr := run(t, append([]string{"log"}, tt.args...)...)
		if code != exitUsage || out != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: exit %d: %s%s", tt.args, code, out, stderr)
		}
	}
}

func TestFilterLeavesOneNameToTheStore(t *testing.T) {
	tests := []struct {
		o    logOptions
		want store.Filter
	}{
		{logOptions{agent: "AGY"}, store.Filter{Agent: "antigravity"}},
		{logOptions{events: []string{"tool:before"}}, store.Filter{Event: "tool:before"}},
		{logOptions{events: []string{"Tool:Before"}}, store.Filter{Event: "tool:before"}},
		{logOptions{events: []string{"notification"}}, store.Filter{Event: "notification"}},
		{logOptions{events: []string{"Notification"}}, store.Filter{HostEvent: "Notification"}},
		{logOptions{events: []string{"beforetool"}}, store.Filter{HostEvent: "BeforeTool"}},
		{logOptions{tool: "run_shell_command"}, store.Filter{Tool: "bash"}},
		{logOptions{tool: "server/anything"}, store.Filter{Tool: "server/anything"}},
		{logOptions{decision: "deny"}, store.Filter{Action: "deny"}},
	}
	for _, tt := range tests {
		tt.want.Newest = true
		got, m, err := tt.o.filter(time.Unix(0, 0))
		if err != nil || m != nil || got != tt.want {
			t.Errorf("%+v: %+v, match %t, %v", tt.o, got, m != nil, err)
		}
	}
}
