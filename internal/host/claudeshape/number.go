package claudeshape

import (
	"math"
	"strconv"

	"github.com/boathook/boathook/internal/lenient"
)

// duration is a number of milliseconds that can be one: what is none, or can't be written as JSON, is not known.
func duration(v lenient.Value) float64 {
	if v.Kind() != lenient.Number {
		return 0
	}
	ms, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil || ms < 0 || math.IsInf(ms, 0) || math.IsNaN(ms) {
		return 0
	}
	return ms
}
