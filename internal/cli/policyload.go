package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	fsplace "github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/policy"
)

// policyOptions are the flags by which policy's commands say whose policy and which machine.
type policyOptions struct {
	config, file string
}

func (o *policyOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.file, "policy", "", "this policy `FILE` in place of your own policy.toml")
	cmd.Flags().StringVar(&o.config, "config", "", configUsage)
	_ = cmd.MarkFlagFilename("policy", "toml") // these are there
	_ = cmd.MarkFlagFilename("config", "toml")
}

// load gives the policies in force for a directory.
func (o *policyOptions) load(env *Env) (*policy.Set, error) {
	var files []policy.File
	if o.file != "" {
		f, err := env.readPolicy(o.file)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return policy.Combine(files...), nil
}

// maxPolicy bounds a policy file.
const maxPolicy = 4 << 20

// readPolicy reads a file that somebody named. One that is broken is an error, which says each problem.
func (e *Env) readPolicy(path string) (policy.File, error) {
	path = e.absolute(path)
	text, err := os.ReadFile(path)
	if err != nil {
		return policy.File{}, exitWith(exitFailed, fmt.Errorf("read policy: %w", err))
	}
	if len(text) > maxPolicy {
		return policy.File{}, exitWith(exitFailed, fmt.Errorf("read policy: %s is larger than 4 MiB", path))
	}
	f, problems, broken := policy.Parse(path, text, policy.UserLayer)
	var all error
	for _, p := range problems {
		all = errors.Join(all, errors.New(problemText(p)))
	}
	if broken {
		return f, exitWith(exitFailed, errors.Join(all, fmt.Errorf("read policy: nothing of %s can be used", path)))
	}
	if all != nil {
		e.warn(all.Error())
	}
	return f, nil
}

// problemText is one line: where, what, cure.
func problemText(p policy.Problem) string {
	text := p.File
	if p.Line > 0 {
		text += fmt.Sprintf(":%d", p.Line)
	}
	if p.Key != "" {
		text += ": " + p.Key
	}
	text += ": " + p.Text
	if p.Cure != "" {
		text += " (" + p.Cure + ")"
	}
	return text
}

// machine is this machine as a call in a directory is seen against it, without a look at the disk.
func (e *Env) machine(dir, project string) *fsplace.Machine {
	m := &fsplace.Machine{OS: runtime.GOOS, Home: e.Home, Dir: dir, Project: project}
	if tmp := e.variable("TMPDIR"); filepath.IsAbs(tmp) {
		m.Temp = append(m.Temp, filepath.Clean(tmp))
	}
	return m
}

// projectOf finds the project that holds a directory.
func projectOf(dir string) string {
	if dir == "" {
		return ""
	}
	return paths.Project(filepath.Clean(dir), func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	})
}

// readAll reads a text from stdin.
func readAll(env *Env) (string, error) {
	text, err := io.ReadAll(io.LimitReader(env.Stdin, maxLine))
	if err != nil {
		return "", fmt.Errorf("read stdin: %w", err)
	}
	return string(text), nil
}
