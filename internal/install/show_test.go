//go:build unix

package install

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
)

func TestUnifiedDiff(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n"
	after := "a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm"
	want := []string{
		"@@ -1,5 +1,5 @@", " a", "-b", "+B", " c", " d", " e",
		"@@ -10,3 +10,4 @@", " j", " k", " l", "+m  (no line break at the end)",
	}
	if diff := cmp.Diff(want, unifiedDiff(before, after)); diff != "" {
		t.Error(diff)
	}
	if got := strings.Join(unifiedDiff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n"), "|"); got != "@@ -2,6 +2,7 @@| 2| 3| 4|+x| 5| 6| 7" {
		t.Errorf("%q", got)
	}
	if got := unifiedDiff("", "x\n"); strings.Join(got, "|") != "@@ -0,0 +1,1 @@|+x" {
		t.Errorf("%q", got)
	}
	if got := unifiedDiff("x\n", "x\n"); got != nil {
		t.Errorf("%q", got)
	}
	big := strings.Repeat("x\ny\n", 3000)
	if got := unifiedDiff(big, strings.ReplaceAll(big, "y", "z")); len(got) < 6000 {
		t.Errorf("%d lines", len(got))
	}
}

// Whatever differs, a diff has every line of both texts that its hunks cover, in order, and none outside differs.
func TestUnifiedDiffIsTrue(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		text := func() string {
			var b strings.Builder
			for range rnd.IntN(40) {
				fmt.Fprintf(&b, "%d\n", rnd.IntN(6))
			}
			return b.String()
		}
		before, after := text(), text()
		if got := patched(t, before, unifiedDiff(before, after)); got != after {
			t.Fatalf("%q to %q gives %q", before, after, got)
		}
	}
}

// patched makes what a diff says of a text, and looks whether the text is as the diff says.
func patched(t *testing.T, before string, diff []string) string {
	t.Helper()
	a, at := splitLines(before), 0
	var out []string
	for _, line := range diff {
		var from, n int
		if _, err := fmt.Sscanf(line, "@@ -%d,%d", &from, &n); err == nil {
			if n > 0 {
				from--
			}
			out = append(out, a[at:from]...)
			at = from
			continue
		}
		if line[0] != '+' {
			if a[at] != line[1:] {
				t.Fatalf("%q is not line %d", line, at+1)
			}
			at++
		}
		if line[0] != '-' {
			out = append(out, line[1:])
		}
	}
	if out = append(out, a[at:]...); len(out) == 0 {
		return ""
	}
	return strings.Join(out, "\n") + "\n"
}

// Two keys far apart are two small hunks, and each edit is shown once.
func TestAnInstallAgainShowsLittle(t *testing.T) {
	env := world(t)
	install(t, env, both)
	p := install(t, with(env, map[string]string{"PINTA_GUARD_TIMEOUT_MS": "75", "OTEL_RESOURCE_ATTRIBUTES": "team=a"}), both)
	lines := p.Lines(false)
	titles := 0
	for _, line := range lines {
		if strings.HasPrefix(line, "edit ") {
			titles++
		}
	}
	if titles != 1 || len(lines) > 22 {
		t.Errorf("%d titles, %d lines:\n%s", titles, len(lines), strings.Join(lines, "\n"))
	}
}

// Codex's marks of trust name events, and one of a session is no secret.
func TestMarksOfTrustAreShown(t *testing.T) {
	var p Plan
	for line, shown := range map[string]bool{
		`+[hooks.state."/home/me/.codex/hooks.json:session_start:0:0"]`: true,
		`-[hooks.state."/home/me/.codex/hooks.json:session_end:12:0"]`:  true,
		`+[hooks.state."https://u:pass@host/session_start:0:0"]`:        false,
		`+session_token: 0:0`: false,
	} {
		if got := p.mask(line); (got == line) != shown {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// Every directory that is made is in the plan, and a new file's text only where it was asked for.
func TestPlanNamesEveryDirectory(t *testing.T) {
	env := world(t)
	p, err := PlanInstall(env, both)
	if err != nil {
		t.Fatal(err)
	}
	short := strings.Join(p.Lines(false), "\n")
	if _, err := Install(env, both, p); err != nil {
		t.Fatal(err)
	}
	for path, kind := range tree(t, env.Home) {
		if strings.HasPrefix(kind, "d") && path != "." && filepath.Base(path) != backupsName && !strings.Contains(short, "create directory "+filepath.Join(env.Home, path)+"\n") {
			t.Errorf("%s is not in\n%s", path, short)
		}
	}
	if strings.Contains(short, "    +") {
		t.Errorf("%s", short)
	}
	if p, err = PlanUninstall(env, Request{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if short, whole := strings.Join(p.Lines(false), "\n"), strings.Join(p.Lines(true), "\n"); strings.Contains(short, "    -") || !strings.Contains(whole, "    -[guard]") {
		t.Errorf("%s", whole)
	}
}

// What the new config takes over is shown with its source, and no secret is shown, in text or JSON.
func TestImportAndMasking(t *testing.T) {
	env := with(world(t), map[string]string{
		"PINTA_GUARD_ENDPOINT": "https://guard.example/v1", "GEMINI_PLUGIN_OPTION_API_KEY": "k-SECRET1",
		"OTEL_EXPORTER_OTLP_HEADERS": "x-team=SECRET2,authorization=Bearer%20SECRET3,blue team SECRET8==", "OTEL_EXPORTER_OTLP_ENDPOINT": "https://otel.example",
		"PINTA_GUARD_TIMEOUT_MS": "75",
	})
	put(t, filepath.Join(env.Home, ".gemini", "pinta-gemini.env"), "PINTA_RELAY_TOKEN=\"SECRET4 \\\"'\"\nPINTA_GUARD_ENDPOINT=https://other\n", 0o600)
	put(t, hooksFile(env), `{"a": {"PreToolUse": [{"hooks": [{"command": "x --api-key=SECRET5 TOKEN='SECRET6' k-SECRET1"}]}], "token": "SECRET7"}}`, 0o644)
	p := install(t, env, both)
	doc, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Join(p.Lines(true), "\n")
	for _, out := range []string{shown, string(doc)} {
		if at := strings.Index(out, "SECRET"); at >= 0 {
			t.Errorf("shown: …%s…", out[max(0, at-60):min(len(out), at+20)])
		}
		if !strings.Contains(out, hidden) || !strings.Contains(out, "https://guard.example/v1") {
			t.Errorf("%s", out)
		}
	}
	sources := map[string]string{}
	for _, v := range p.Imported {
		sources[v.Key] = v.Source
	}
	want := map[string]string{
		"guard.endpoint": "environment PINTA_GUARD_ENDPOINT", "guard.token": filepath.Join(env.Home, ".gemini", "pinta-gemini.env") + " PINTA_RELAY_TOKEN",
		"guard.timeout_ms": "environment PINTA_GUARD_TIMEOUT_MS", "telemetry.endpoint": "environment OTEL_EXPORTER_OTLP_ENDPOINT",
		"telemetry.headers": "environment OTEL_EXPORTER_OTLP_HEADERS", "telemetry.api_key": "environment GEMINI_PLUGIN_OPTION_API_KEY",
		"telemetry.metrics_endpoint": "environment OTEL_EXPORTER_OTLP_ENDPOINT",
	}
	if diff := cmp.Diff(want, sources); diff != "" {
		t.Error(diff)
	}
}

// The hooks read back from the config what the environment said, without the environment.
func TestConfigSaysWhatTheEnvironmentSaid(t *testing.T) {
	vars := map[string]string{
		"PINTA_GUARD_ENDPOINT": "https://guard.example/\"q\"\\", "PINTA_RELAY_TOKEN": "t\x7f\u2028é<&>", "PINTA_GUARD_DISABLED": "1", "PINTA_GUARD_TIMEOUT_MS": "75",
		"GEMINI_PLUGIN_OPTION_HEADERS": `{"X-A b":"1=2,\"3\""}`, "GEMINI_PLUGIN_OPTION_API_KEY": "key", "GEMINI_PLUGIN_OPTION_ENDPOINT": "https://otel",
		"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json", "OTEL_EXPORTER_OTLP_TIMEOUT": "700", "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
		"OTEL_EXPORTER_OTLP_CERTIFICATE": "/ca.pem", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE": "/c.pem", "OTEL_EXPORTER_OTLP_CLIENT_KEY": "/k.pem",
		"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "https://metrics", "OTEL_RESOURCE_ATTRIBUTES": "team=a,deployment.environment=prod%20eu", "PINTA_GEMINI_DEBUG": "1",
	}
	env := with(world(t), vars)
	install(t, env, both)
	path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
	before := config.Load(config.Request{Home: env.Home, Env: env.Lookup})
	after := config.Load(config.Request{Path: path, Home: env.Home})
	if len(after.Problems) > 0 {
		t.Errorf("%q", after.Problems)
	}
	if diff := cmp.Diff(before.Guard, after.Guard); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before.Telemetry, after.Telemetry); diff != "" {
		t.Error(diff)
	}
	if len(after.Telemetry.Resource) != 2 || !after.Audit.Enabled {
		t.Errorf("%+v %+v", after.Telemetry.Resource, after.Audit)
	}
	if source(after, "data_dir") != path || source(after, "env_files") != path || after.DataDir != before.DataDir {
		t.Errorf("%+v", after.Values)
	}
}

// Every line that shows a default can be made one that counts.
func TestDefaultsInTheConfigAreValid(t *testing.T) {
	env := world(t)
	var lines []string
	for line := range strings.SplitSeq(render(map[string]any{"data_dir": "/d"}), "\n") {
		name, _, ok := strings.Cut(strings.TrimPrefix(line, "# "), " = ")
		if ok && !strings.Contains(name, " ") {
			line = strings.TrimPrefix(line, "# ")
		}
		lines = append(lines, line)
	}
	path := filepath.Join(env.Home, "config.toml")
	put(t, path, strings.Join(lines, "\n"), 0o600)
	s := config.Load(config.Request{Path: path, Home: env.Home})
	if len(s.Problems) > 0 {
		t.Errorf("%q", s.Problems)
	}
	for _, v := range s.Values {
		if v.Source != path {
			t.Errorf("%s is not in the config", v.Key)
		}
	}
}

func TestConfigOfTheUserStays(t *testing.T) {
	env := world(t)
	path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
	put(t, path, "# mine\nguard.endpoint = \"https://g\"\n", 0o644)
	before := tree(t, env.Home)
	p := install(t, env, both)
	if got := strings.Join(p.Notes, "\n"); !strings.Contains(got, "has no data_dir and stays as it is") {
		t.Errorf("%s", got)
	}
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}
