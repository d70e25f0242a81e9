package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

func newPolicyTrust(env *Env) *cobra.Command {
	var config string
	var yes bool
	cmd := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Let a project's policy count",
		Long: `Let the policy of a project count: .boathook/policy.toml at the root of the project that holds DIR (default: here). It may
only make things stricter, and it is shown before you are asked.

It is this content that is trusted, at this place: as soon as the file changes it no longer counts, until you look at it
again.`,
		Example: `  boathook policy trust
  boathook policy trust ~/shop --yes`,
		Args:              oneDir,
		ValidArgsFunction: completeDirs,
		RunE:              func(_ *cobra.Command, args []string) error { return trustPolicy(env, config, args, yes) },
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "don't ask")
	cmd.Flags().StringVar(&config, "config", "", configUsage)
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}

func newPolicyUntrust(env *Env) *cobra.Command {
	var config string
	cmd := &cobra.Command{
		Use:               "untrust [DIR]",
		Short:             "Let a project's policy no longer count",
		Long:              "Let the policy of the project that holds DIR (default: here) no longer count, whatever it holds.",
		Example:           `  boathook policy untrust ~/shop`,
		Args:              oneDir,
		ValidArgsFunction: completeDirs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := env.refuseAgents("policy untrust"); err != nil {
				return err
			}
			path, dir, err := env.projectPolicy(config, args)
			if err != nil {
				return err
			}
			had, err := judge.Untrust(dir, path)
			if err != nil {
				return exitWith(exitFailed, err)
			}
			text := "It was not trusted: " + path
			if had {
				text = "No longer trusted: " + path
			}
			return env.sentence(plain(text), 0)
		},
	}
	cmd.Flags().StringVar(&config, "config", "", configUsage)
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}

func oneDir(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("%s takes one directory", nameOf(cmd))
	}
	return nil
}

func completeDirs(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// projectPolicy is where the project that was named has its policy, and the data directory.
func (e *Env) projectPolicy(config string, args []string) (path, data string, err error) {
	dir := e.Dir
	if len(args) == 1 {
		dir = e.absolute(args[0])
	}
	s, err := e.settings(config)
	if err != nil {
		return "", "", err
	}
	data, err = e.dataDir("", s)
	return judge.ProjectFile(projectOf(dir)), data, err
}

func trustPolicy(env *Env, config string, args []string, yes bool) error {
	if err := env.refuseAgents("policy trust"); err != nil {
		return err
	}
	path, data, err := env.projectPolicy(config, args)
	if err != nil {
		return err
	}
	dir := env.Dir
	if len(args) == 1 {
		dir = env.absolute(args[0])
	}
	text, err := foreign.ReadIn(projectOf(dir), path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return exitWith(exitFailed, fmt.Errorf("trust the project's policy: there is no %s", path))
	case err != nil:
		return exitWith(exitFailed, fmt.Errorf("trust the project's policy: %w", err))
	}
	f, problems, broken := policy.Parse(path, text, policy.ProjectLayer)
	for _, p := range problems {
		env.warn(judge.ProblemText(p))
	}
	if broken {
		return exitWith(exitFailed, fmt.Errorf("trust the project's policy: it is broken, and would count for nothing: %s", path))
	}
	if judge.Trusted(data, path, text) {
		return env.sentence(plain("Trusted already: "+path), 0)
	}
	if err := env.showPolicy(path, f); err != nil {
		return err
	}
	if !yes {
		if err := confirm(env, "policy trust", "Trust this policy?", "read it", false); err != nil {
			return err
		}
	}
	if err := judge.Trust(data, path, text); err != nil {
		return exitWith(exitFailed, err)
	}
	return env.sentence(plain(fmt.Sprintf("Trusted: %s, %s. A change of the file ends that.", path, count(len(f.Rules), "rule"))), 0)
}

// showPolicy shows what a person is about to trust.
func (e *Env) showPolicy(path string, f policy.File) error {
	if _, err := fmt.Fprintf(e.Stdout, "%s\n", plain(path)); err != nil {
		return err
	}
	for _, name := range f.Packs {
		if _, err := fmt.Fprintf(e.Stdout, "  pack  %s\n", plain(name)); err != nil {
			return err
		}
	}
	for _, r := range f.Rules {
		if err := e.hanging("  ", plain(fmt.Sprintf("%-5s %s: %s", r.Action, r.ID, r.Reason)), 8, e.columns()); err != nil {
			return err
		}
	}
	return nil
}
