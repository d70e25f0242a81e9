package trial

import (
	"encoding/json"
	"fmt"
	"strings"
)

// answer has the words in which agents are told of a deny.
type answer struct {
	Decision, Reason         string
	Action                   string
	Permission               string
	UserMessage              string `json:"user_message"`
	PermissionDecision       string
	PermissionDecisionReason string
	Cancel                   bool
	ErrorMessage             string
	HookSpecificOutput       struct{ PermissionDecision, PermissionDecisionReason string }
}

// Denied tells whether the agent was told to leave the tool alone, and why.
func (s Step) Denied() (reason string, denied bool) {
	if s.byExitCode() {
		return strings.TrimSpace(s.Result.Stderr), true
	}
	var a answer
	if json.Unmarshal([]byte(s.Result.Stdout), &a) != nil {
		return "", false
	}
	for _, said := range [][2]string{
		{a.Decision, a.Reason}, {a.Action, a.Reason}, {a.Permission, a.UserMessage}, {a.PermissionDecision, a.PermissionDecisionReason},
		{a.HookSpecificOutput.PermissionDecision, a.HookSpecificOutput.PermissionDecisionReason},
	} {
		if said[0] == "deny" || said[0] == "block" {
			return said[1], true
		}
	}
	return a.ErrorMessage, a.Cancel
}

// byExitCode tells a deny of Windsurf's: exit code 2, and the reason on standard error.
func (s Step) byExitCode() bool {
	return s.Agent == "windsurf" && s.Result.Exit == 2 && strings.TrimSpace(s.Result.Stderr) != ""
}

// Answer is what the agent got, as a person reads it.
func (s Step) Answer() string {
	if s.byExitCode() {
		return fmt.Sprintf("exit code %d, stderr: %s", s.Result.Exit, strings.TrimSpace(s.Result.Stderr))
	}
	return strings.TrimSpace(s.Result.Stdout)
}

// Faults lists what an agent would have been disturbed by.
func (s Step) Faults() []string {
	if s.byExitCode() {
		return nil
	}
	out := s.Result.Faults()
	for i := range out {
		out[i] = fmt.Sprintf("%s %s: %s", s.Agent, s.Event, out[i])
	}
	return out
}
