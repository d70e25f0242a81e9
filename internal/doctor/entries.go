package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/shellquote"
)

func entryChecks() []Check {
	out := []Check{{ID: "install.manifest", Title: "manifest", Run: manifest}}
	for _, p := range programs() {
		out = append(out, Check{ID: "hooks." + p.agent, Title: "hooks of " + p.title, Run: func(ctx context.Context, w *World) []Result {
			if !w.wants(p.agent) {
				return nil
			}
			return entries(w, p)
		}})
	}
	return append(out, Check{ID: "hooks.config", Title: "config of the hooks", Run: hooksConfig})
}

func manifest(_ context.Context, w *World) []Result {
	if w.LookErr != nil {
		return []Result{fail("move the manifest away: install and uninstall then go by what they find", "%s", w.Foreign(w.LookErr.Error()))}
	}
	if !w.installed() {
		return nil
	}
	return ok("readable")
}

func entries(w *World, p program) []Result {
	places := w.of(p.agent)
	if len(places) == 0 {
		return ahead(w, p)
	}
	var out []Result
	var fine []string
	for _, in := range places {
		if len(in.Faults) == 0 {
			fine = append(fine, fmt.Sprintf("%d events in %s", len(in.Events), in.Dir))
		}
		for _, f := range in.Faults {
			out = append(out, faulty(w, in, f))
		}
		if in.Version != "" && in.Version != w.Install.Version && len(in.Faults) == 0 {
			out = append(out, Result{Status: Info, Text: fmt.Sprintf("installed by version %s, this is %s", w.Foreign(in.Version), w.Install.Version), Cure: reinstall(in)})
		}
	}
	if len(fine) > 0 {
		out = append(ok("%s", strings.Join(fine, ", ")), out...)
	}
	return out
}

func faulty(w *World, in install.Installation, f install.Fault) Result {
	text := f.Path + ": " + f.Text
	switch f.Mend {
	case install.Reinstall:
		return fail(reinstall(in), "%s", text).with("install "+in.Agent+in.Dir, "install the hooks of "+in.Title+" again", w.again(in, ""))
	case install.Register:
		return warn(reinstall(in)+" --events default", "%s", text)
	case install.Executable:
		cure := "chmod 755 " + shellquote.Word(f.Path)
		return fail(cure, "%s", text).with(cure, "make "+f.Path+" executable", executable(in, f.Path))
	}
	return fail("edit "+f.Path+", then "+reinstall(in), "%s", text)
}

// executable gives back the mode that a script had. A project's links are not followed to what it is changed of.
func executable(in install.Installation, path string) func(context.Context) error {
	if !in.Workspace {
		return chmod(path, 0o755)
	}
	return func(context.Context) error { return unlessGone(foreign.ChmodIn(filepath.Dir(in.Dir), path, 0o755)) }
}

// again installs what is there already once more. Nothing else changes: settings are not taken over, and what needs a
// person's consent is not done.
func (w *World) again(in install.Installation, exe string) func(context.Context) error {
	return func(ctx context.Context) error {
		env := w.Install
		if exe == "" && w.callable(ctx, in.Program, "") == nil {
			env.Exe = in.Program
		}
		env.Lookup = func(name string) (string, bool) {
			if !slices.Contains(install.Variables(), name) {
				return "", false
			}
			v := w.variable(name)
			return v, v != ""
		}
		req := install.Request{Agents: []string{in.Agent}, Config: in.Config, KeepPinta: true}
		if in.Workspace {
			req.Workspace = filepath.Dir(in.Dir)
		}
		err := install.ErrChanged
		for tries := 0; tries < 5 && errors.Is(err, install.ErrChanged); tries++ { // another doctor may be at it
			var plan *install.Plan
			if plan, err = install.PlanInstall(env, req); err != nil {
				return err
			}
			if len(plan.Consent) > 0 {
				return errors.New("it needs your consent; run: " + reinstall(in))
			}
			_, err = install.Install(env, req, plan)
		}
		return err
	}
}

// ahead says what an install would meet.
func ahead(w *World, p program) []Result {
	if !slices.Contains(install.Detect(w.Install), p.agent) {
		return nil
	}
	plan, err := install.PlanInstall(w.Install, install.Request{Agents: []string{p.agent}, Config: w.Config})
	if err != nil {
		return []Result{fail("do what the message says, then boathook install "+p.agent, "not installed, and install would refuse: %s", w.Foreign(err.Error()))}
	}
	out := info("not installed; 'boathook install %s' would go through", p.agent)
	for _, n := range slices.Concat(plan.Notes, plan.Consent) {
		if slices.Contains(w.Settings.Problems, n) {
			continue // the check of the config says it, with the cure
		}
		out = append(out, Result{Status: Info, Text: "install would say: " + w.Foreign(n)})
	}
	return out
}

// hooksConfig looks at the configs that the hooks name.
func hooksConfig(_ context.Context, w *World) []Result {
	if !w.installed() {
		return nil
	}
	var out []Result
	for _, in := range w.Places {
		if in.Config != "" && !isThere(in.Config) && !w.Settings.Managed {
			out = append(out, fail(reinstall(in), "%s is gone: the hooks of %s take that for an uninstall, and do nothing", in.Config, in.Title).
				with("install "+in.Agent+in.Dir, "install the hooks of "+in.Title+" again, which writes the config anew", w.again(in, "")))
		}
	}
	if len(w.Wired) > 1 {
		out = append(out, warn("boathook install "+strings.Join(install.Agents(), " ")+" --config "+shellquote.Word(w.Wired[0]),
			"the hooks read different configs: %s", strings.Join(w.Wired, ", ")))
	}
	if w.Config != "" && len(w.Wired) > 0 && !slices.Contains(w.Wired, w.Config) {
		out = append(out, Result{Status: Info, Text: "the hooks read " + strings.Join(w.Wired, ", ") + ", not " + w.Config})
	}
	return orOK(out, "%s", strings.Join(w.Wired, ", "))
}
