package effect

import (
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/policy"
)

// special notes what a change means beside itself, by the path that it is of.
func (s *sheet) special(spot place.Spot, c change) {
	if c.kind == policy.Read {
		return
	}
	if place.Device(spot.Path) || place.Device(spot.Real) {
		switch c.kind {
		case policy.Overwrite, policy.Write:
			s.add(policy.Device, "write", spot.Path)
		}
	}
}
