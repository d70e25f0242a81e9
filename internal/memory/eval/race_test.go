//go:build race

package eval_test

// leakQueries is how many random questions are asked: the race detector makes each thirty times as slow. All of eval.GateLeakQueries
// are asked without it, and of PostgreSQL in itest.
const leakQueries = 200
