package spelling

import "testing"

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"drain", "drain", 0}, {"drian", "drain", 1}, {"dran", "drain", 1}, {"draain", "drain", 1},
		{"brain", "drain", 1}, {"kitten", "sitting", 3}, {"tool", "stop", 3},
	} {
		if got, back := Distance(tc.a, tc.b), Distance(tc.b, tc.a); got != tc.want || back != tc.want {
			t.Errorf("%s, %s: %d and %d, want %d", tc.a, tc.b, got, back, tc.want)
		}
	}
}
