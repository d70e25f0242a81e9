package conform

import (
	"testing"
	"time"

	"github.com/boathook/boathook/itest/mockmodel"
)

func TestG2Control(t *testing.T) {
	for _, a := range []Agent{copilot(), qwen(), cline()} {
		t.Run(a.ID, func(t *testing.T) {
			c := &trial{Lab: NewLab(t, a)}
			start := time.Now()
			c.withoutBoathook(t)
			t.Log(time.Since(start), c.refused.Asked)
			t.Log(c.control.report)
			t.Log(c.refused.report)
			s := c.session(t, child, "please", true)
			t.Log(s.report)
			_ = mockmodel.Say
		})
	}
}
