//go:build unix

package install

import (
	"os"
	"testing"
)

// Whatever becomes of the program, the script's answer is one that lets the agent go on.
func TestScriptAlwaysAnswers(t *testing.T) {
	allow, none := `{"decision":"allow"}`, `{}`
	tests := []struct {
		name, event string
		answer      string
		spoil       func(t *testing.T, exe string)
		want        string
	}{
		{"empty", "PreToolUse", "", nil, allow},
		{"empty", "Stop", "", nil, none},
		{"garbage", "PreToolUse", "panic: x", nil, allow},
		{"garbage", "PostToolUse", "panic: x", nil, none},
		{"cut off", "PreToolUse", `{"decision":"den`, nil, allow},
		{"no decision", "PreToolUse", `{}`, nil, allow},
		{"ask", "PreToolUse", `{"decision":"ask"}`, nil, `{"decision":"ask"}`},
		{"force_ask", "PreToolUse", `{"decision":"force_ask","reason":"r"}`, nil, `{"decision":"force_ask","reason":"r"}`},
		{"deny with braces", "PreToolUse", `{"decision":"deny","reason":"not {a} {b}, \"c\"}"}`, nil, `{"decision":"deny","reason":"not {a} {b}, \"c\"}"}`},
		{"no known decision", "PreToolUse", `{"decision":"maybe"}`, nil, allow},
		{"no decision at all", "PreToolUse", `{"decision": nonsense}`, nil, allow},
		{"the word only", "PreToolUse", `{"x":"has \"decision\" in it"}`, nil, allow},
		{"more behind it", "PreToolUse", `{"decision":"deny"} panic {}`, nil, allow},
		{"two lines", "PreToolUse", "{\"decision\":\"deny\"}\n{\"decision\":\"deny\"}", nil, allow},
		{"steps", "PreInvocation", `{"injectSteps":[{"userMessage":"%s \n"}]}`, nil, `{"injectSteps":[{"userMessage":"%s \n"}]}`},
		{"gone", "PreToolUse", "", func(t *testing.T, exe string) { _ = os.Remove(exe) }, allow},
		{"gone", "Stop", "", func(t *testing.T, exe string) { _ = os.Remove(exe) }, none},
		{"not executable", "PreToolUse", "", func(t *testing.T, exe string) { put(t, exe, recorder, 0o644) }, allow},
		{"directory", "PreToolUse", "", func(t *testing.T, exe string) { _ = os.Remove(exe); _ = os.Mkdir(exe, 0o755) }, allow},
		{"foreign machine", "PreToolUse", "", func(t *testing.T, exe string) {
			put(t, exe, "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xff\xfe\x01\x00", 0o755)
		}, allow},
		{"empty file", "PreToolUse", "", func(t *testing.T, exe string) { put(t, exe, "", 0o755) }, allow},
		{"killed", "PreToolUse", "", func(t *testing.T, exe string) { put(t, exe, "#!/bin/sh\nkill -9 $$\n", 0o755) }, allow},
		{"crashed", "PreToolUse", "", func(t *testing.T, exe string) { put(t, exe, "#!/bin/sh\necho 'fatal error' >&2; exit 2\n", 0o755) }, allow},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.event, func(t *testing.T) {
			env := homeNamed(t, "a b")
			install(t, env, Request{Agents: []string{"antigravity"}})
			if tt.spoil != nil {
				tt.spoil(t, env.Exe)
			}
			out, _ := call(t, []string{"ANSWER=" + tt.answer}, split(antigravityCommand(t, env, tt.event))...)
			if out != tt.want+"\n" {
				t.Errorf("%q, want %q", out, tt.want)
			}
		})
	}
}

// A program that is gone, foreign or crashing says nothing to Gemini CLI, which takes any text for an answer.
func TestGeminiLineStaysSilent(t *testing.T) {
	spoil := map[string]func(t *testing.T, exe string){
		"gone":            func(_ *testing.T, exe string) { _ = os.Remove(exe) },
		"not executable":  func(t *testing.T, exe string) { put(t, exe, recorder, 0o644) },
		"directory":       func(_ *testing.T, exe string) { _ = os.Remove(exe); _ = os.Mkdir(exe, 0o755) },
		"foreign machine": func(t *testing.T, exe string) { put(t, exe, "\x7fELF\x02\x01\x01\x00\x00\x00\x00", 0o755) },
		"crashed":         func(t *testing.T, exe string) { put(t, exe, "#!/bin/sh\necho 'fatal error' >&2; exit 2\n", 0o755) },
		"killed":          func(t *testing.T, exe string) { put(t, exe, "#!/bin/sh\nkill -9 $$\n", 0o755) },
	}
	for name, do := range spoil {
		t.Run(name, func(t *testing.T) {
			env := homeNamed(t, "a b")
			install(t, env, Request{Agents: []string{"gemini"}})
			do(t, env.Exe)
			if out, _ := call(t, nil, "bash", "-c", geminiReads(geminiCommand(t, env, "BeforeTool"))); out != "" {
				t.Errorf("%q", out)
			}
		})
	}
}
