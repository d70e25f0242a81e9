package conform

import (
	"testing"

	"github.com/boathook/boathook/itest/build"
)

// TestQwenOneTurn: Qwen Code tells of a prompt for each result of a tool, with an empty one. A session with one prompt has one.
func TestQwenOneTurn(t *testing.T) {
	c := &trial{Lab: NewLab(t, qwen())}
	c.Configure(t, build.Fixture(t, "judge"))
	c.Lab.Install(t)
	seen := c.session(t, calm, "please", true)
	prompts, continued := 0, 0
	for _, r := range seen.Records {
		switch {
		case r.HostEvent != "UserPromptSubmit":
		case r.Event == "prompt:submit":
			prompts++
		case r.Event == "notification" && r.Source == "continuation":
			continued++
		default:
			t.Errorf("a prompt is told as %s", r.Event)
		}
	}
	if prompts != 1 || continued != 3 {
		t.Errorf("%d prompts and %d continuations, want 1, and one for each of 3 turns with tools", prompts, continued)
	}
}
