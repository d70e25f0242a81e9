// Package conform drives real agents, offline against mock models, and holds boathook to what it promises of each: events
// arrive; a deny blocks; an allow changes nothing and grants nothing; an ask never runs unasked; a rewrite replaces, and what
// the user would be asked is asked all the same; context reaches the model; without its program the agent is as without
// boathook; uninstall gives back the same bytes. What was seen is internal/proof/verified.json, which the suite compares
// and, with -update, writes. One file here drives one agent. Only tests import it.
package conform

import (
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/mockmodel"
)

// Agent drives one real agent. Its functions are called from the goroutine of the test.
type Agent struct {
	// ID is boathook's name for it, and that of its folder in itest/agents; Package the npm package whose version is pinned. An
	// agent without a package is replayed: Version is that whose documents say what it does.
	ID, Package, Version string
	// Model starts the mock model that the agent talks to: one for the life of a lab.
	Model func(tb testing.TB, plays mockmodel.Plays) Model
	// Furnish writes into a fresh home what the agent needs to run offline, and nothing of boathook.
	Furnish func(tb testing.TB, l *Lab)
	// Shell is a call of the tool that runs a command line, by the model. The suite sets the call's id.
	Shell func(l *Lab, command string) mockmodel.Call
	// Run runs one session to its end, in l.Work.
	Run func(tb testing.TB, l *Lab, s Session) Outcome

	// Config are the files below the home that install changes or makes, or that hold what a user may have written.
	Config []string
	// InstallArgs are added to "boathook install ID --yes".
	InstallArgs []string
	// Fail is a call that fails, with the words oops and context-me in its input and in what the model is told of it. Nil where a
	// command line that ends with another code than 0 is one.
	Fail func(l *Lab) mockmodel.Call
	// Normal makes equal what differs between any two results of the same call. Nil where nothing does.
	Normal func(text string) string
	// DenyEnds says that a denied call ends the run: the model never gets to its next turn.
	DenyEnds bool
	// Subagent is a call of the tool that has a prompt done by a subagent. Nil where there is none. Await is a call that waits for
	// it, where it runs in the background.
	Subagent func(l *Lab, prompt string) mockmodel.Call
	Await    *mockmodel.Call
}

// normal makes equal what differs between any two runs of this agent.
func (a Agent) normal(text string) string {
	if a.Normal == nil {
		return text
	}
	return a.Normal(text)
}

// Model is a mock model server. Its call ids are those of the calls in its plays.
type Model interface {
	// URL is where it listens, without a path.
	URL() string
	// Requests are what the agent asked since Reset, Results what it said of each call of a tool, by the call's id; Heard tells
	// whether a text was anywhere in the requests.
	Requests() []mockmodel.Request
	Results() map[string]string
	Heard(text string) bool
	// Reset forgets them.
	Reset()
}

// Session is one run of an agent.
type Session struct {
	// Prompt is the user's; it names the play.
	Prompt string
	// Permit says that every tool may run unasked. Otherwise a shell command needs the user's permission, and the user (or,
	// where nobody can be asked, the agent itself) refuses.
	Permit bool
	// Args are further arguments of the agent's program, where its driver takes them (Claude Code and Gemini CLI do).
	Args []string
}

// Outcome is how a run ended.
type Outcome struct {
	agentlab.Result
	// Asked are the shell commands for which the user was asked, as the user saw them, where the run shows that.
	Asked []string
}

// Agents are all that are driven here.
func Agents() []Agent {
	return []Agent{claude(), codex(), gemini(), copilot(), qwen(), cline(), antigravity(), cursor(), windsurf(), opencode(), amp()}
}
