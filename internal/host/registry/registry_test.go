package registry

import "testing"

func TestLookup(t *testing.T) {
	for _, tc := range []struct {
		label, id  string
		registered bool
	}{
		{"gemini", "gemini", true},
		{"antigravity", "antigravity", true},
		{"antigravity1", "antigravity", true},
		{"antigravity2", "antigravity", true},
		{"agy", "antigravity", true},
		{"copilot", "copilot", true},
		{"cursor", "cursor", true},
		{"windsurf", "windsurf", true},
		{"cline", "cline", true},
		{"Gemini", "antigravity", false},
		{"somebody-else", "antigravity", false},
		{"", "antigravity", false},
	} {
		h, registered := Lookup(tc.label)
		if h.ID != tc.id || registered != tc.registered {
			t.Errorf("Lookup(%q) = %s, %v; want %s, %v", tc.label, h.ID, registered, tc.id, tc.registered)
		}
	}
}

func TestEveryHostIsFoundByItsID(t *testing.T) {
	for _, h := range Hosts() {
		if got, ok := Lookup(h.ID); !ok || got.ID != h.ID {
			t.Errorf("Lookup(%q) = %s, %v", h.ID, got.ID, ok)
		}
	}
}
