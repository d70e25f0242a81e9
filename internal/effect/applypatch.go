package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// applied notes what a patch of the form does that agents' apply_patch takes.
func (s *sheet) applied(text string) {
	_, text, is := strings.Cut(text, "*** Begin Patch")
	if !is {
		return
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, h := range [...]struct {
			head   string
			change change
		}{
			{"*** Update File:", change{kind: policy.Overwrite, verb: "edit"}},
			{"*** Add File:", change{kind: policy.Overwrite, verb: "edit"}},
			{"*** Move to:", change{kind: policy.Overwrite, verb: "edit"}},
			{"*** Delete File:", change{kind: policy.Delete, how: place.Entry}},
		} {
			name, ok := strings.CutPrefix(line, h.head)
			if name = strings.TrimSpace(name); ok && name != "" {
				s.path(word.Lit(name), h.change)
			}
		}
	}
}
