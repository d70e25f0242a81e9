package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/off"
)

func newOn(env *Env) *cobra.Command {
	var f switchFlags
	cmd := &cobra.Command{
		Use:   "on [--project [DIR]]",
		Short: "End what 'boathook off' began",
		Long: `End what 'boathook off' began, and say what is still off. Without --project that is the switch for everything; projects
that were switched off on their own stay so. With it, that of the project which holds the directory.

A project of off.projects in the config is switched on there.`,
		Example: `  boathook on
  boathook on --project
  boathook on --project ~/play`,
		RunE: func(_ *cobra.Command, args []string) error {
			return switchEach(env, f, func(s *hookSwitch) error { return s.on(args) })
		},
	}
	f.add(cmd)
	return cmd
}

func (s *hookSwitch) on(args []string) error {
	if !s.flags.project {
		return s.change(func(state *off.State) { state.All = nil })
	}
	dir := s.env.Dir
	if len(args) > 0 {
		dir = s.env.absolute(args[0]) // it may be gone
	}
	err := s.change(func(state *off.State) {
		for old := range state.Projects {
			if _, in := off.In(dir, []string{old}); in || old == dir {
				delete(state.Projects, old)
			}
		}
	})
	if err != nil {
		return err
	}
	if at, in := off.In(dir, s.settings.Off.Projects); in {
		return exitWith(exitRefused, fmt.Errorf("%s stays off: take it out of off.projects (%s)", at, sourceOf(s.settings, "off.projects")))
	}
	return nil
}
