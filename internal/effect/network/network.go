// Package network tells what leaves for the network, what comes from it and is run, and which secrets are read.
package network

import (
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/policy"
)

// Effects are those of one command; none for a program that is not this package's.
func Effects(u unit.Unit) []policy.Effect {
	return nil
}
