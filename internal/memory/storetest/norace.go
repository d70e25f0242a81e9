//go:build !race

package storetest

// raced says that the race detector is on.
const raced = false
