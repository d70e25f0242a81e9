package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/verify"
)

func newTeardown(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "teardown",
		Short: "Remove what a killed selftest left",
		Long: `Remove what 'boathook verify' left behind. A selftest removes its throw-away home itself, also when it is interrupted;
only one that was killed leaves it. This finds such homes in the directory for temporary files ($TMPDIR, else /tmp) by
their names and the mark in them, and removes those that are yours and whose selftest no longer runs. Anything else of
such a name stays, and is named. It may be run at any time, and again.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runTeardown(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: the directories that were removed, or kept and why")
	return cmd
}

func runTeardown(env *Env, asJSON bool) error {
	dir := env.tempDir()
	found, err := verify.Teardown(dir)
	if err != nil {
		return err
	}
	kept := 0
	for _, l := range found {
		if l.Kept != "" && !l.Running {
			kept++
		}
	}
	if asJSON {
		err = printJSON(env, struct {
			OK        bool              `json:"ok"`
			Dir       string            `json:"dir"`
			Leftovers []verify.Leftover `json:"leftovers"`
		}{kept == 0, dir, append([]verify.Leftover{}, found...)})
	} else {
		err = printTeardown(env, dir, found)
	}
	if err == nil && kept > 0 {
		return exitWith(exitFailed, errors.New("remove throw-away homes: "+count(kept, "home")+" could not be removed"))
	}
	return err
}

func printTeardown(env *Env, dir string, found []verify.Leftover) error {
	if len(found) == 0 {
		return env.sentence("nothing to remove: no selftest left anything in "+plain(dir), 2)
	}
	for _, l := range found {
		text := "removed " + plain(l.Path)
		if l.Kept != "" {
			text = "kept " + plain(l.Path) + ": " + plain(l.Kept)
		}
		if _, err := fmt.Fprintln(env.Stdout, text); err != nil {
			return err
		}
	}
	return nil
}
