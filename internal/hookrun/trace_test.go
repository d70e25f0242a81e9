package hookrun

import (
	"regexp"
	"strings"
	"testing"
)

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestTraceParent(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"the standard's example", parent, parent},
		{"not sampled", strings.Replace(parent, "-01", "-00", 1), strings.Replace(parent, "-01", "-00", 1)},
		{"a later version", "cc" + parent[2:], parent},
		{"a later version with more", "cc" + parent[2:] + "-what-comes", parent},
		{"a later version, glued", "cc" + parent[2:] + "x", ""},
		{"version 00 with more", parent + "-x", ""},
		{"version ff", "ff" + parent[2:], ""},
		{"capitals", strings.ToUpper(parent), ""},
		{"no trace", "00-" + strings.Repeat("0", 32) + parent[35:], ""},
		{"no parent", parent[:36] + strings.Repeat("0", 16) + "-01", ""},
		{"short", parent[:54], ""},
		{"other marks", strings.ReplaceAll(parent, "-", "_"), ""},
		{"blanks", " " + parent, ""},
		{"nothing", "", ""},
	} {
		if got := traceParent(tc.in); got != tc.want {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}

func TestTraceState(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat("k%=v,", 33), ",")
	n := 0
	many = regexp.MustCompile("%").ReplaceAllStringFunc(many, func(string) string { n++; return strings.Repeat("a", n) })
	for _, tc := range []struct{ name, in, want string }{
		{"one", "rojo=00f067aa0ba902b7", "rojo=00f067aa0ba902b7"},
		{"two, with blanks and an empty one", "rojo=1 ,\t,congo=t61 rcWkgMzE", "rojo=1,congo=t61 rcWkgMzE"},
		{"a tenant", "0fw529a3039@dt=FfpWsGT1FmDV", "0fw529a3039@dt=FfpWsGT1FmDV"},
		{"a system that begins with a digit", "a@1b=x", ""},
		{"a key that begins with a digit", "1a=x", ""},
		{"capitals in a key", "Rojo=1", ""},
		{"the same key twice", "a=1,a=2", ""},
		{"no value", "a=", ""},
		{"no equals sign", "a", ""},
		{"two", "a=b=c", ""},
		{"a control", "a=b\x01", ""},
		{"not ASCII", "a=é", ""},
		{"a long key", strings.Repeat("a", 257) + "=x", ""},
		{"a long value", "a=" + strings.Repeat("x", 257), ""},
		{"33 members", many, ""},
		{"513 characters", "a=" + strings.Repeat("x", 250) + ",b=" + strings.Repeat("x", 250) + ",c=12345", ""},
		{"512 characters", "a=" + strings.Repeat("x", 250) + ",b=" + strings.Repeat("x", 250) + ",c=1234", "a=" + strings.Repeat("x", 250) + ",b=" + strings.Repeat("x", 250) + ",c=1234"},
		{"nothing", "", ""},
	} {
		if got := traceState(tc.in); got != tc.want {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}

// TestTheAgentsTraceIsJoined: in any privacy, since it is an identifier; a state without a parent, or one that holds a
// secret, is left out.
func TestTheAgentsTraceIsJoined(t *testing.T) {
	for _, tc := range []struct {
		name, settings, parent, state, wantParent, wantState string
	}{
		{"standard", "", parent, "rojo=1", parent, "rojo=1"},
		{"minimal", "privacy = 'minimal'\n", parent, "rojo=1", parent, "rojo=1"},
		{"not valid", "", "00-0-0-0", "rojo=1", "", ""},
		{"the state is not valid", "", parent, "ROJO", parent, ""},
		{"the state is a secret", "", parent, "aws=AKIAIOSFODNN7EXAMPLA", parent, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t, tc.settings)
			env := l.env(strings.NewReader(`{"session_id":"s"}`))
			env.Lookup = func(name string) (string, bool) {
				v, ok := map[string]string{"TRACEPARENT": tc.parent, "TRACESTATE": tc.state}[name]
				return v, ok
			}
			Run(env, []string{"--agent", "gemini", "--event", "SessionStart", "--config", l.config})
			if r := l.only(t); r.TraceParent != tc.wantParent || r.TraceState != tc.wantState || len(r.Notes) > 0 {
				t.Errorf("%q %q, notes %q", r.TraceParent, r.TraceState, r.Notes)
			}
		})
	}
}

var wellFormed = regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

func FuzzTrace(f *testing.F) {
	f.Add(parent, "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")
	f.Add("cc"+parent[2:]+"-more", "a@b=c")
	f.Fuzz(func(t *testing.T, p, s string) {
		got := traceParent(p)
		if got != "" && (!wellFormed.MatchString(got) || traceParent(got) != got) {
			t.Fatalf("%q becomes %q", p, got)
		}
		state := traceState(s)
		if len(state) > len(s) || traceState(state) != state || strings.Trim(state, printable) != "" {
			t.Fatalf("%q becomes %q", s, state)
		}
	})
}

var printable = func() string {
	var b strings.Builder
	for c := byte(' '); c <= '~'; c++ {
		b.WriteByte(c)
	}
	return b.String()
}()
