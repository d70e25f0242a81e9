package policy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/conform"
	"github.com/boathook/boathook/itest/mockmodel"
)

const message = "Cleaning up\n\nNever run this:\n\n    rm -rf /\n"

// homes are four disguises of one thing: all of the home goes.
func homes() []step {
	return []step{
		{"plain", `rm -rf ~`},
		{"variable", `X=rm; $X -rf "$HOME"`},
		{"substituted", `bash -c "$(printf 'rm -rf %s' ~)"`},
		{"inline", `python3 -c "import os, shutil; shutil.rmtree(os.path.expanduser('~'))"`},
	}
}

// remove is rm of a tree. Codex 0.171.0 itself runs no rm with -f.
func remove(l *conform.Lab) string {
	if l.Agent.ID == "codex" {
		return "rm -r "
	}
	return "rm -rf "
}

// everyday is work that nobody wants to be asked about.
func everyday(l *conform.Lab) []step {
	return []step{
		{"status", `git status --short`},
		{"modules", `mkdir -p node_modules/a src && touch node_modules/a/x src/kept && ` + remove(l) + `node_modules`},
		{"commit", "git add -A && git -c user.name=t -c user.email=t@example.com commit -q -F - <<'EOF'\n" + message + "EOF"},
	}
}

// questions are what a person should be asked.
func questions() []step {
	return []step{{"source", `rm -rf src`}, {"reset", `git reset --hard HEAD`}}
}

func guarded(l *conform.Lab) mockmodel.Plays {
	return mockmodel.Plays{
		"homes": play(l, homes()...), "everyday": play(l, everyday(l)...), "questions": play(l, questions()...),
		"again":   play(l, step{"again", lifted(l)}),
		"escapes": play(l, escapes(l)...),
	}
}

func TestGuard(t *testing.T) {
	for _, a := range driven() {
		t.Run(a.ID, func(t *testing.T) {
			t.Parallel()
			l := conform.NewLabFor(t, a, guarded)
			settings(t, l, `mode = "enforce"`)
			t.Run("home", func(t *testing.T) { keepsTheHome(t, l) })
			t.Run("everyday", func(t *testing.T) { letsWork(t, l) })
			t.Run("ask", func(t *testing.T) { asks(t, l) })
			t.Run("once", func(t *testing.T) { liftsOnce(t, l) })
			t.Run("self", func(t *testing.T) { keepsItself(t, l) })
		})
	}
}

// keepsTheHome holds that each disguise is denied, nothing goes, and the model reads why.
func keepsTheHome(t *testing.T, l *conform.Lab) {
	precious := filepath.Join(l.Home, "Documents", "precious")
	l.Write(t, precious, "x")
	seen := session(t, l, "homes")
	for _, s := range homes() {
		r := judged(t, seen, s.command)
		if r.Decision.Action != "deny" || r.Decision.Expressed != "deny" || r.Decision.Source != "local_policy" {
			t.Errorf("%s: %+v", s.command, r.Decision)
		}
		if r.Decision.Reason == "" || !strings.Contains(told(seen, s.id), r.Decision.Reason) {
			t.Errorf("%s: the model is told %q, and the reason is %q", s.command, told(seen, s.id), r.Decision.Reason)
		}
	}
	if !there(precious) || !there(filepath.Join(l.Home, ".config", "boathook", "config.toml")) {
		t.Error("something of the home is gone")
	}
}

// letsWork holds that everyday work does what it does without a guard.
func letsWork(t *testing.T, l *conform.Lab) {
	seen := session(t, l, "everyday")
	for _, s := range everyday(l) {
		if r := judged(t, seen, s.command); r.Decision.Action != "allow" {
			t.Errorf("%s: %+v", s.command, r.Decision)
		}
	}
	if !there(filepath.Join(l.Work, "src", "kept")) || there(filepath.Join(l.Work, "node_modules")) {
		t.Errorf("node_modules was to go: %q", told(seen, "modules"))
	}
	log := l.Run(t, l.Repo, nil, "git", "log", "-1", "--format=%B").Stdout
	if strings.TrimSpace(log) != strings.TrimSpace(message) {
		t.Errorf("the commit says %q: %q", log, told(seen, "commit"))
	}
}

// asks holds that what a person should be asked does not run where nobody is there, and how each agent is told.
func asks(t *testing.T, l *conform.Lab) {
	kept := filepath.Join(l.Repo, "tracked")
	l.Write(t, kept, "committed")
	for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x"}} {
		l.Run(t, l.Repo, nil, "git", args...)
	}
	l.Write(t, kept, "edited since")
	l.Prepare = func(work string) {
		agentlab.Must(t, os.MkdirAll(filepath.Join(work, "src"), 0o755))
		agentlab.Must(t, os.WriteFile(filepath.Join(work, "src", "a.c"), nil, 0o600))
	}
	defer func() { l.Prepare = nil }()
	seen := session(t, l, "questions")
	expressed := map[string]string{"claude": "ask", "gemini": "deny", "codex": "deny"}[l.Agent.ID]
	for _, s := range questions() {
		if r := judged(t, seen, s.command); r.Decision.Action != "ask" || r.Decision.Expressed != expressed {
			t.Errorf("%s: %+v, to be said as %s", s.command, r.Decision, expressed)
		}
	}
	if !there(filepath.Join(l.Work, "src", "a.c")) {
		t.Error("src is gone")
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != "edited since" {
		t.Errorf("the working tree was reset: %q, %v", text, err)
	}
}

// lifted is the call that a person lets through.
func lifted(l *conform.Lab) string { return remove(l) + "~/Downloads/old" }

// liftsOnce holds that a call that a person lifts passes once, and that no model reads the code.
func liftsOnce(t *testing.T, l *conform.Lab) {
	old, command := filepath.Join(l.Home, "Downloads", "old", "x"), lifted(l)
	l.Write(t, old, "x")
	if seen := session(t, l, "again"); judged(t, seen, command).Decision.Expressed != "deny" || !there(old) {
		t.Fatal("it was not denied at first")
	}
	code := codeOf(t, l, command)
	if r := l.Run(t, l.Home, nil, "script", "-qec", l.Bin+" allow-once "+code, os.DevNull); r.Code != 0 { // a terminal, as a person has one
		t.Fatalf("allow-once: exit code %d\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
	seen := session(t, l, "again")
	if r := judged(t, seen, command); r.Decision.Expressed != "allow" || there(old) {
		t.Errorf("once lifted: %+v; %q", r.Decision, told(seen, "again"))
	}
	heard := l.Model.Heard(code)
	l.Write(t, old, "x")
	seen = session(t, l, "again")
	if r := judged(t, seen, command); r.Decision.Expressed != "deny" || !there(old) {
		t.Errorf("the second time: %+v", r.Decision)
	}
	if heard || l.Model.Heard(code) {
		t.Error("the model has read the code")
	}
}

// codeOf is the code of a denied call, as a person sees it.
func codeOf(t *testing.T, l *conform.Lab, command string) string {
	t.Helper()
	out := l.Boathook(t, nil, "pending", "--json")
	if out.Code == 3 {
		t.Skip("these tests run below an agent, which may lift nothing")
	}
	var list struct {
		Pending []struct{ Code, What string }
	}
	if err := json.Unmarshal([]byte(out.Stdout), &list); err != nil {
		t.Fatalf("%v: %s%s", err, out.Stdout, out.Stderr)
	}
	for _, p := range list.Pending {
		if strings.Contains(p.What, command) {
			return p.Code
		}
	}
	t.Fatalf("%q is not pending: %s", command, out.Stdout)
	return ""
}

// escapes are what an agent might do to get rid of the guard.
func escapes(l *conform.Lab) []step {
	return []step{
		{"once", l.Bin + ` allow-once ABCDEFGH; echo "once-$?"`}, {"pending", l.Bin + ` pending; echo "pending-$?"`}, {"off", l.Bin + ` off; echo "off-$?"`},
		{"config", `echo 'mode = "off"' > ~/.config/boathook/policy.toml; echo config-written`},
	}
}

// keepsItself holds that an agent is kept from it by the policy, and, where there is none, from lifting calls by what it is.
func keepsItself(t *testing.T, l *conform.Lab) {
	seen := session(t, l, "escapes")
	for _, s := range escapes(l) {
		if r := judged(t, seen, s.command); r.Decision.Expressed != "deny" {
			t.Errorf("%s: %+v", s.command, r.Decision)
		}
	}
	if there(filepath.Join(l.Home, ".config", "boathook", "policy.toml")) || there(filepath.Join(l.Home, ".config", "boathook", "off")) {
		t.Error("boathook's own files were changed")
	}
	settings(t, l, `mode = "off"`)
	seen = session(t, l, "escapes")
	for _, id := range []string{"once", "pending"} {
		if !strings.Contains(told(seen, id), id+"-3") {
			t.Errorf("%s, with no policy in the way: %q", id, told(seen, id))
		}
	}
}
