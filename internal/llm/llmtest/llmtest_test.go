package llmtest

import "testing"

func TestPlantedMeanings(t *testing.T) {
	c := Concepts{{"port in use", "EADDRINUSE", "포트 충돌"}, {"disk full", "ENOSPC"}}
	for _, width := range []int{64, 768, 1536} {
		asked := c.Vector("the dev server says the port in use again", width)
		for text, near := range map[string]bool{
			"listen EADDRINUSE: address 0.0.0.0:3000": true, "개발 서버가 포트 충돌로 죽는다": true, "write failed: ENOSPC": false, "make lint": false,
		} {
			if got := Near(asked, c.Vector(text, width)); got > 0.6 != near {
				t.Errorf("%d: %s: %.2f", width, text, got)
			}
		}
		if self := Near(asked, asked); self < 0.9999 || self > 1.0001 {
			t.Errorf("length %f", self)
		}
	}
}
