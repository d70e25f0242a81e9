package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/boathook/boathook/internal/codextrust"
	"github.com/boathook/boathook/internal/install"
)

func trustChecks() []Check {
	return []Check{{ID: "codex.trust", Title: "trust of Codex", Run: codexTrust}}
}

// codexTrust tells which hooks Codex does not run since nobody has reviewed them: 'codex exec' is silent about that (0.171.0).
func codexTrust(_ context.Context, w *World) []Result {
	var out []Result
	trusted := 0
	for _, in := range w.of("codex") {
		list, _, err := install.CodexTrust(w.Install, in.Dir)
		if err != nil {
			out = append(out, fail("edit it", "whether Codex trusts the hooks can't be told: %s", w.Foreign(err.Error())))
			continue
		}
		by := map[codextrust.State][]string{}
		for _, h := range list {
			by[h.State] = append(by[h.State], h.Event)
		}
		trusted += len(by[codextrust.Trusted])
		review := "start codex and choose 'Review hooks', or boathook install codex --trust"
		for state, says := range map[codextrust.State]string{
			codextrust.Untrusted: "Codex does not run the hooks of %s: nobody has reviewed them",
			codextrust.Modified:  "Codex does not run the hooks of %s: they, or their places in the file, changed since they were reviewed",
			codextrust.Disabled:  "Codex does not run the hooks of %s: they have enabled = false in its config.toml",
		} {
			cure := review
			if state == codextrust.Disabled {
				cure = "start codex and switch them on with /hooks"
			}
			if events := by[state]; len(events) > 0 {
				out = append(out, fail(cure, says, eventList(events, len(list))))
			}
		}
	}
	if len(w.of("codex")) == 0 {
		return nil
	}
	return orOK(out, "%d hooks are trusted", trusted)
}

// eventList names events, or says that it is all of them.
func eventList(events []string, all int) string {
	if len(events) == all {
		return fmt.Sprintf("all %d events", all)
	}
	return strings.Join(events, ", ")
}
