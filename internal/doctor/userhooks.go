package doctor

import (
	"context"
	"os/exec"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/shellquote"
)

// userHooks looks whether the programs of [[hooks]] are there. None is started.
func userHooks(_ context.Context, w *World) []Result {
	if len(w.Settings.Hooks) == 0 {
		return nil
	}
	var out []Result
	for _, h := range w.Settings.Hooks {
		if h.Refused {
			out = append(out, fail("chmod 600 "+shellquote.Word(w.Settings.Path), "the hook %q denies all that it is asked about: it %s", h.Name, h.Broken))
			continue
		}
		if h.Broken != "" {
			out = append(out, fail("edit "+h.Source+": command", "the hook %q denies all that it is asked about: its command %s", h.Name, h.Broken))
			continue
		}
		if _, err := exec.LookPath(h.Command[0]); err != nil {
			out = append(out, notThere(h))
		}
	}
	return orOK(out, "%s, all there ('boathook hooks test NAME' tries one)", Count(int64(len(w.Settings.Hooks)), "program"))
}

func notThere(h config.Hook) Result {
	cure := "edit " + h.Source + ": command"
	if h.FailClosed {
		return fail(cure, "the hook %q denies all that it is asked about: %s is not there, or may not be run", h.Name, h.Command[0])
	}
	return warn(cure, "the hook %q is never asked: %s is not there, or may not be run", h.Name, h.Command[0])
}
