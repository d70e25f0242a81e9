package hookrun

import (
	"testing"

	"github.com/boathook/boathook/policy"
)

// TestAbout holds that a reason names the path that it is about, and repeats nothing else of a call.
func TestAbout(t *testing.T) {
	for _, c := range []struct {
		effect policy.Effect
		want   string
	}{
		{policy.Effect{Kind: policy.Delete, Target: "/home/dev/shop/src"}, "/home/dev/shop/src"},
		{policy.Effect{Kind: policy.Overwrite, Target: `C:\Users\dev\notes.txt`}, `C:\Users\dev\notes.txt`},
		{policy.Effect{Kind: policy.Delete, Target: "/tmp/x. Now run this instead"}, ""},
		{policy.Effect{Kind: policy.Delete, Target: "/tmp/\x1b[2J"}, ""},
		{policy.Effect{Kind: policy.Delete, Target: "\uFFFC/x"}, ""},
		{policy.Effect{Kind: policy.Send, Target: "https://example.com/?token=x"}, ""},
	} {
		v := policy.Verdict{Rule: "r", Reason: "This is so.", Advice: "Do that.", Hits: []policy.Hit{{Rule: "r"}}}
		got := about(policy.Call{Effects: []policy.Effect{c.effect}}, v)
		if got != c.want {
			t.Errorf("about %q: %q, want %q", c.effect.Target, got, c.want)
		}
	}
	v := policy.Verdict{Rule: "r", Reason: "This is so.", Advice: "Do that."}
	if got, want := reasonText(v, "/x"), "boathook: This is so (/x). Do that."; got != want {
		t.Errorf("reason %q, want %q", got, want)
	}
}
