package redact

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestTextCanaries is the same for plain text.
func TestTextCanaries(t *testing.T) {
	var r *Redactor // works without options
	for i, c := range canaries() {
		t.Run(fmt.Sprintf("%s/%d", c.typ, i), func(t *testing.T) {
			counts := Counts{}
			out := r.Text("a line\n"+c.before+c.secret+c.after+"\nand more", c.shell, counts)
			quoted, _ := json.Marshal(out)
			requireGone(t, quoted, c)
			if !strings.Contains(out, c.before) || !strings.HasSuffix(out, "\nand more") {
				t.Errorf("more than the secret is masked: %q", out)
			}
			if again := r.Text(out, c.shell, nil); again != out {
				t.Errorf("masking twice gives %q, once %q", again, out)
			}
		})
	}
}
