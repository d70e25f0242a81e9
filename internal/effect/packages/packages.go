// Package packages tells what package managers install, publish and run.
package packages

import (
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/policy"
)

// Effects are those of one command; none for a program that is not this package's.
func Effects(u unit.Unit) []policy.Effect {
	return nil
}
