// Package database tells what clients of databases, and the SQL given to them, drop or empty.
package database

import (
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/policy"
)

// Effects are those of one command; none for a program that is not this package's.
func Effects(u unit.Unit) []policy.Effect {
	return nil
}
