//go:build race

package storetest

// raced says that the race detector is on: it makes a SQLite that is Go code thirty times as slow.
const raced = true
