package config

import (
	"strings"
	"testing"
	"time"
)

func FuzzLoad(f *testing.F) {
	f.Add("[guard]\nendpoint = \"x\"", "A=b")
	f.Add("[[guard]]\n[guard", "export =\n=")
	f.Add("a = \"\"\"\nguard = { fail = 'x', }\n[Guard] fail: x\n\"a.b\" = [ { ] }", "\ufeff=")
	f.Fuzz(func(t *testing.T, toml, env string) {
		s := newPlace(t, map[string]string{configFile: toml, ownEnv: env}, nil).load(true)
		if s.Deadline < 100*time.Millisecond || s.Guard.Timeout <= 0 || s.SpoolMax <= 0 {
			t.Fatalf("unusable settings from %q %q: %+v", toml, env, s)
		}
	})
}

// FuzzSalvage: a table of ours that is whole counts whatever stands before it, if that is no open text with it inside.
func FuzzSalvage(f *testing.F) {
	f.Add("x = \"\"\"")
	f.Add("[redact]\npatterns = {")
	f.Fuzz(func(t *testing.T, before string) {
		before = strings.ReplaceAll(before, "\x00", "")
		file := parseFile("f", before+"\n"+whole, false)
		if len(file.problems) == 0 {
			return // it is all valid
		}
		_, isList := file.values["guard.fail"].([]any)
		if v := file.values["guard.fail"]; v != "closed" && !isList && !strings.Contains(before, "\"\"\"") && !strings.Contains(before, "'''") {
			t.Fatalf("fail is %v, problems %q", v, file.problems)
		}
	})
}
