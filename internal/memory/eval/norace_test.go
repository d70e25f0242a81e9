//go:build !race

package eval_test

import "github.com/boathook/boathook/internal/memory/eval"

// leakQueries is how many random questions are asked.
const leakQueries = eval.GateLeakQueries
