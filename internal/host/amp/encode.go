package amp

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// encode gives the plugin the decision itself; where there is no objection and no context, nothing.
func encode(_ host.Event, d canon.Decision) host.Reply {
	if d.Action == canon.Allow {
		d.Action, d.Reason = "", ""
	}
	if d.Action == "" && d.Input == nil && d.Context == "" {
		return host.Reply{}
	}
	return host.JSON(d)
}
