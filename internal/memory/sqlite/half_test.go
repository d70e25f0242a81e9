package sqlite

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A number in half is the nearest that there is.
func TestHalf(t *testing.T) {
	for want, x := range map[float32]float32{0: 1e-9, 1: 1, -1: -1, 0.5: 0.5, 1.0 / (1 << 24): 1.0 / (1 << 24), 65504: 1e9, 0.33325195: 1.0 / 3} {
		if got := halfAt(appendHalf(nil, x), 0); got != want {
			t.Errorf("%g is %g", x, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float32Range(-1, 1).Draw(t, "x")
		got := halfAt(appendHalf(nil, x), 0)
		if d := math.Abs(float64(got - x)); d > math.Max(math.Abs(float64(x))/2048, 1.0/(1<<25)) {
			t.Fatalf("%g is %g", x, got)
		}
		if again := halfAt(appendHalf(nil, got), 0); again != got {
			t.Fatalf("%g is %g", got, again)
		}
	})
}
