package shellquote

import "testing"

// What Quote wrote, First reads.
func TestFirstReadsWhatQuoteWrote(t *testing.T) {
	for _, s := range []string{"/usr/bin/boathook", "/a b/c", "/it's", `/a"b`, "/$HOME/x", `/back\slash`, "/é;x"} {
		word, rest, ok := First("  " + Quote(s) + " hook")
		if word != s || rest != " hook" || !ok {
			t.Errorf("%q: %q, %q, %t", s, word, rest, ok)
		}
	}
}

func TestFirst(t *testing.T) {
	tests := []struct {
		line, word, rest string
		ok               bool
	}{
		{"/bin/x --agent a", "/bin/x", " --agent a", true},
		{"/bin/x; exit 0", "/bin/x", "; exit 0", true},
		{`"/a b"`, "/a b", "", true},
		{`/a\ b c`, "/a b", " c", true},
		{"'open", "", "", false},
		{"  ", "", "", false},
	}
	for _, tt := range tests {
		word, rest, ok := First(tt.line)
		if word != tt.word || rest != tt.rest || ok != tt.ok {
			t.Errorf("%q: %q, %q, %t", tt.line, word, rest, ok)
		}
	}
}
