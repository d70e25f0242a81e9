package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

func newPolicyInit(env *Env) *cobra.Command {
	var config string
	var project, stdout bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a policy of your own to begin with",
		Long: `Write a policy with comments beside the config, where your own is read from; with --project, .boathook/policy.toml at the root
of the project, for those who work in it. It changes nothing as it is: what it could do is commented out. A file that is there
already is never overwritten (exit code 3).

A project's policy counts for nobody before they have said 'boathook policy trust'.`,
		Example: `  boathook policy init
  boathook policy init --project
  boathook policy init --stdout > new.toml`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return initPolicy(env, config, project, stdout) },
	}
	cmd.Flags().BoolVar(&project, "project", false, "one for the project that holds this directory")
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print it instead")
	cmd.Flags().StringVar(&config, "config", "", configUsage)
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}

func initPolicy(env *Env, config string, project, stdout bool) error {
	text := policy.Starter()
	if project {
		text = projectStarter
	}
	if stdout {
		_, err := fmt.Fprint(env.Stdout, text)
		return err
	}
	path := judge.ProjectFile(projectOf(env.Dir))
	if !project {
		s, err := env.settings(config)
		if err != nil {
			return err
		}
		if path = s.Policy.File; path == "" {
			return exitWith(exitFailed, errors.New("write a policy: there is no home directory; set HOME or pass --config PATH"))
		}
	}
	if err := env.refuseAgents("policy init"); err != nil {
		return err
	}
	if err := writeNew(path, text, project); err != nil {
		return err
	}
	next := "'boathook policy check' shows what is in force."
	if project {
		next = "'boathook policy trust' makes it count for you; everybody else who works here does the same."
	}
	return env.sentence(plain("Wrote "+path+". "+next), 0)
}

// writeNew writes a file that is not there yet. A project's is for all who work in it, the user's for nobody else.
func writeNew(path, text string, shared bool) error {
	dir, file := fs.FileMode(0o700), fs.FileMode(0o600)
	if shared {
		dir, file = 0o755, 0o644
	}
	if err := os.MkdirAll(filepath.Dir(path), dir); err != nil {
		return exitWith(exitFailed, fmt.Errorf("write a policy: %w", err))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, file)
	if errors.Is(err, fs.ErrExist) {
		return exitWith(exitRefused, fmt.Errorf("write a policy: %s is there already, and is left as it is", path))
	}
	if err == nil {
		_, err = f.WriteString(text)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	if err != nil {
		return exitWith(exitFailed, fmt.Errorf("write a policy: %w", err))
	}
	return nil
}

const projectStarter = `# What agents may do in this project, beside what each of us lets them do anyway. It can only make things stricter: it allows,
# rewrites and overrides nothing. It counts for those who have looked at it and said 'boathook policy trust', as it is then.
#   boathook policy check     is it right?
#   boathook policy test      do the rules' examples come out as they say?
version = 1

# Packs that count here, beside those of each of us.
# packs = ["strict"]

# [[rules]]
# id = "migrations-by-hand"
# action = "deny"                       # deny, ask, warn
# reason = "Migrations that have run are never changed."
# advice = "Write a new one."
# mode = "shadow"                       # only noted, in boathook log, until this line goes
# when = { effect = ["overwrite", "delete"], path = "db/migrations/**" }
# examples = [
#   { command = "rm db/migrations/001.sql", expect = "deny" },
#   { command = "cat db/migrations/001.sql", expect = "allow" },
# ]
`
