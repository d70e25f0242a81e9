//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
)

func TestSetTOML(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"empty", "", "\n[guard]\nendpoint = \"new\"\n"},
		{"set", "# a\n[guard] # b\n  endpoint = 'old' # c\nfail = \"open\"\n", "# a\n[guard] # b\nendpoint = \"new\" # c\nfail = \"open\"\n"},
		{"documented", "[guard]\n# URL\n# endpoint = \"\"\r\n# fail = \"open\"\n", "[guard]\n# URL\nendpoint = \"new\"\r\n# fail = \"open\"\n"},
		{"not there", "[guard]\nfail = \"open\"\n[spool]\nmax_mb = 1", "[guard]\nendpoint = \"new\"\nfail = \"open\"\n[spool]\nmax_mb = 1"},
		{"no table", "privacy = \"minimal\"", "privacy = \"minimal\"\n\n[guard]\nendpoint = \"new\"\n"},
		{"dotted", "guard.endpoint = \"old\"\nguard.fail = \"open\"\n", "guard.endpoint = \"new\"\nguard.fail = \"open\"\n"},
		{"dotted neighbour", "guard.fail = \"open\"\n", "guard.endpoint = \"new\"\nguard.fail = \"open\"\n"},
		{"same name elsewhere", "[telemetry]\nendpoint = \"t\"\n[guard]\n", "[telemetry]\nendpoint = \"t\"\n[guard]\nendpoint = \"new\"\n"},
		{"several lines", "[guard]\nendpoint = \"\"\"\nold\"\"\"\n", ""},
		{"broken", "[guard\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := setTOML([]byte(tt.before), keyNamed("guard.endpoint"), "new")
			if (err != nil) != (tt.after == "" && tt.before != "") || err == nil && string(got) != tt.after {
				t.Errorf("%v\n%s", err, cmp.Diff(tt.after, string(got)))
			}
		})
	}
}

// A variable that is set for an install counts in a config that is there already too, shown before.
func TestVariablesReachAKnownConfig(t *testing.T) {
	env := world(t)
	install(t, env, both)
	vars := map[string]string{
		"PINTA_GUARD_ENDPOINT": "http://127.0.0.1:8787/", "PINTA_RELAY_TOKEN": "tok", "PINTA_GUARD_TIMEOUT_MS": "75",
		"GEMINI_PLUGIN_OPTION_HEADERS": "x-team=blue",
	}
	set := with(env, vars)
	p := install(t, set, both)
	out := strings.Join(p.Lines(true), "\n")
	for _, want := range []string{`-# endpoint = ""`, `+endpoint = "http://127.0.0.1:8787/"`, `+token = ` /* masked */, "+timeout_ms = 75", "+headers = "} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, `"tok"`) || strings.Contains(out, "blue") || len(p.Imported) != 4 {
		t.Errorf("%s\n%v", out, p.Imported)
	}
	path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
	s := config.Load(config.Request{Path: path, Home: env.Home})
	if len(s.Problems) > 0 || s.Guard.Endpoint != vars["PINTA_GUARD_ENDPOINT"] || s.Guard.Token != "tok" || s.Telemetry.Headers["x-team"] != "blue" {
		t.Errorf("%q %+v", s.Problems, s.Guard)
	}
	for _, again := range []Env{set, env} { // with the variables and without
		if p := install(t, again, both); !p.Empty() {
			t.Errorf("again: %s", strings.Join(p.Lines(true), "\n"))
		}
	}
	vars["PINTA_GUARD_ENDPOINT"] = "https://other/"
	out = strings.Join(install(t, set, both).Lines(true), "\n")
	if !strings.Contains(out, `-endpoint = "http://127.0.0.1:8787/"`) || !strings.Contains(out, `+endpoint = "https://other/"`) {
		t.Errorf("%s", out)
	}
	uninstall(t, env, Request{Purge: true})
	same(t, map[string]string{".": tree(t, env.Home)["."]}, tree(t, env.Home))
}

func TestConfigsThatAreWrong(t *testing.T) {
	for _, endpoint := range []string{"foo", "127.0.0.1:8787", "ftp://h/", "http://", "//h"} {
		env := with(world(t), map[string]string{"PINTA_GUARD_ENDPOINT": endpoint})
		_, err := PlanInstall(env, both)
		wantRefused(t, err, "guard.endpoint must be an http or https URL")
		install(t, with(env, nil), both)
		_, err = PlanInstall(env, both)
		wantRefused(t, err, "guard.endpoint must be an http or https URL")
	}
	env := world(t)
	put(t, filepath.Join(env.Home, ".config", "boathook", "config.toml"), "[guard]\nendpoint = \"foo\"\ntoken = [\"SECRET\"]\n[redact.patterns]\nx = \"(\"\n[telemetry]\nendpoint = \"https://u:SECRET@h/?token=SECRET\"\n", 0o644)
	p, err := PlanInstall(env, both)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(p.Notes, "\n")
	for _, want := range []string{"guard.endpoint must be", "redact", "guard.token has a value of the wrong kind", "open to other users"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%s is not in\n%s", want, notes)
		}
	}
	if strings.Contains(notes, "SECRET") {
		t.Errorf("%s", notes)
	}
}

// Configs and data where hooks are, or in what is going to be moved away, are refused.
func TestPlacesThatAreTaken(t *testing.T) {
	for name, place := range map[string]string{
		"GEMINI_PLUGIN_DATA": ".gemini/extensions/pinta-gemini/data", "XDG_DATA_HOME": ".gemini/extensions", "XDG_CONFIG_HOME": ".gemini/extensions",
	} {
		env := furnished(t)
		before := tree(t, env.Home)
		_, err := PlanInstall(with(env, map[string]string{name: filepath.Join(env.Home, place)}), both)
		wantRefused(t, err, "name another place")
		same(t, before, tree(t, env.Home))
	}
}

// No secret is shown, in whatever form it stands in a hook of others or in a variable.
func TestSecretsAreNotShown(t *testing.T) {
	for _, command := range []string{
		"curl -H 'Authorization: Bearer SECRET12' h", "curl -u me:SECRETpw h", "mysql -pSECRETpw", "x --token SECRET", "x --password=SECRET", "x --api-key=SECRET",
		"https://u:SECRETpw@h/", "http://h/?a=1&token=SECRET&b=2", "http://h/?sig=SECRET", "OPENAI_KEY=sk-SECRETaaaaaaaaaa x", "-H 'X-Api-Key: SECRET'",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THSECRET", "Cookie: a=SECRET; b=SECRET",
		"token: 'SECRET words'", "--header 'authorization: Basic SECRET=='", `curl -H "x-team: SECRET"`, "DB_PASS=SECRET x", "--cookie a=SECRET",
	} {
		env := world(t)
		put(t, hooksFile(env), string(indented(object{{"o", object{{"Stop", []any{object{{"command", command}}}}}}})), 0o644)
		p, err := PlanInstall(env, both)
		if err != nil {
			t.Fatal(err)
		}
		line := ""
		for _, l := range p.Lines(true) {
			if strings.Contains(l, "SECRET") {
				line = l
			}
		}
		if line != "" {
			t.Errorf("%s", line)
		}
	}
	env := with(world(t), map[string]string{
		"PINTA_GUARD_ENDPOINT": "http://user:SECRET@127.0.0.1:9/guard?token=SECRET&sig=SECRET", "GEMINI_PLUGIN_OPTION_ENDPOINT": "https://api:SECRET@collector/x",
		"GEMINI_PLUGIN_OPTION_HEADERS": `{"x-key":"SECRET\u0007\"q"}`, "PINTA_RELAY_TOKEN": "SE\"CRET",
	})
	p, err := PlanInstall(env, both)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := p.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{string(doc), strings.Join(p.Lines(true), "\n"), strings.Join(p.Notes, "\n")} {
		if strings.Contains(out, "SECRET") || strings.Contains(out, `SE\"CRET`) {
			t.Errorf("%s", out)
		}
	}
}

// A device or a pipe in the place of a file that is only looked at must not hang or fill the memory.
func TestOddFilesAreNotRead(t *testing.T) {
	for _, name := range []string{".gemini/settings.json", ".gemini/extensions/other/gemini-extension.json", ".gemini/pinta-gemini.env"} {
		env := world(t)
		path := filepath.Join(env.Home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/zero", path); err != nil {
			t.Fatal(err)
		}
		install(t, env, both)
	}
}

// What a variable says and what can't be used is said at the first install and at every later one, and written at none.
func TestVariablesThatCannotBeUsed(t *testing.T) {
	env := with(world(t), map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_CERTIFICATE": "ca.pem",
		"OTEL_EXPORTER_OTLP_COMPRESSION": "zstd", "OTEL_EXPORTER_OTLP_TIMEOUT": "abc", "OTEL_EXPORTER_OTLP_HEADERS": "nonsense", "OTEL_SDK_DISABLED": "true",
		"OTEL_TRACES_EXPORTER": "none", "OTEL_SERVICE_NAME": "x",
	})
	wants := []string{
		"telemetry.protocol is grpc and is ignored", "telemetry.certificate is not an absolute path; it is ignored", "telemetry.compression is none of gzip, none",
		"telemetry.timeout_ms wants a whole number", "telemetry.headers has a value of the wrong kind", "OTEL_SDK_DISABLED is not used", "OTEL_TRACES_EXPORTER is not used",
		"OTEL_SERVICE_NAME is not used", "telemetry.endpoint leads to port 4317",
	}
	judge := func(when string, env Env) {
		p := install(t, env, both)
		notes := strings.Join(p.Notes, "\n")
		for _, want := range wants {
			if !strings.Contains(notes, want) {
				t.Errorf("%s: %q is not in\n%s", when, want, notes)
			}
		}
		for _, v := range p.Imported {
			if v.Key != "telemetry.endpoint" && v.Key != "telemetry.metrics_endpoint" {
				t.Errorf("%s: takes over %+v", when, v)
			}
		}
	}
	judge("first", env)
	again := with(world(t), nil)
	again.Lookup = func(string) (string, bool) { return "", false }
	install(t, again, both)
	put(t, filepath.Join(again.Home, ".config", "boathook", "config.toml"), "data_dir = \"/"+again.Home+"/d\"\n[telemetry]\ncertificate = \"/ca.pem\"\n", 0o600)
	again.Lookup = env.Lookup
	judge("again", again)
	if got := text(t, filepath.Join(again.Home, ".config", "boathook", "config.toml")); !strings.Contains(got, `certificate = "/ca.pem"`) {
		t.Errorf("%s", got)
	}
}

// A path is shown as it is written.
func TestTakenOverAsWritten(t *testing.T) {
	env := with(world(t), map[string]string{"OTEL_EXPORTER_OTLP_CERTIFICATE": "~/x/../ca.pem"})
	p := install(t, env, both)
	if want := filepath.Join(env.Home, "ca.pem"); len(p.Imported) != 1 || p.Imported[0].Value != want {
		t.Errorf("%+v, want %s", p.Imported, want)
	}
}

// A config with a broken line is refused with the line.
func TestBrokenConfigNamesTheLine(t *testing.T) {
	env := with(world(t), map[string]string{"PINTA_GUARD_ENDPOINT": "https://g/"})
	path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
	put(t, path, "# mine\n\n[guard\nfail = \"open\"\n", 0o600)
	_, err := PlanInstall(env, both)
	wantRefused(t, err, "edit "+path+":3: this line is no TOML")
}
