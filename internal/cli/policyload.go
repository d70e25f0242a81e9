package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	fsplace "github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/netfs"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/policy"
)

// policyOptions are the flags by which policy's commands say whose policy.
type policyOptions struct {
	config, file string
	builtIn      bool
}

func (o *policyOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.file, "policy", "", "this policy `FILE` in place of your own policy.toml")
	cmd.Flags().BoolVar(&o.builtIn, "built-in", false, "only the built-in packs, whatever policies there are")
	cmd.Flags().StringVar(&o.config, "config", "", configUsage)
	cmd.MarkFlagsMutuallyExclusive("policy", "built-in")
	_ = cmd.MarkFlagFilename("policy", "toml") // these are there
	_ = cmd.MarkFlagFilename("config", "toml")
}

// policies are those in force, of whichever project. They may be used concurrently.
type policies struct {
	env      *Env
	settings config.Settings
	// home is the user's, as a hook finds it.
	home string
	// base are the files that hold in every project.
	base []judge.Text
	// projects says that a project's own counts, too.
	projects bool

	mu    sync.Mutex
	known map[string]inForce
}

// inForce is what holds in one project.
type inForce struct {
	judge.Layers
	Mode string
	// Overruled says that the user's mode does not count.
	Overruled bool
	// Untrusted is a project's policy that does not count until somebody trusts it.
	Untrusted string
	Files     []judge.Text
}

// load finds the policies in force. One that was named and can't be used is an error.
func (o *policyOptions) load(env *Env) (*policies, error) {
	s, err := env.settings(o.config)
	if err != nil {
		return nil, err
	}
	home := config.Home(config.Request{Path: s.Path, Home: env.Home, Env: env.LookupEnv, Managed: config.ManagedPath()}, s)
	p := &policies{env: env, settings: s, home: cmp.Or(home, env.Home), projects: true, known: map[string]inForce{}}
	switch {
	case o.builtIn:
		p.projects = false
		return p, nil
	case o.file != "":
		s.Policy.File = ""
		text, err := readNamed(env.absolute(o.file))
		if err != nil {
			return nil, err
		}
		p.base = append(judge.ReadFiles(s.Policy), text)
		return p, nil
	}
	p.base = judge.ReadFiles(s.Policy)
	return p, nil
}

// maxPolicy bounds a policy file.
const maxPolicy = 1 << 20

// readText reads a file that somebody named.
func readText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, exitWith(exitFailed, fmt.Errorf("read policy: %w", err))
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxPolicy+1))
	if err != nil {
		return nil, exitWith(exitFailed, fmt.Errorf("read policy: %w", err))
	}
	return text, nil
}

// readNamed is a user's policy in a file that somebody named. One that is broken is an error.
func readNamed(path string) (judge.Text, error) {
	text, err := readText(path)
	if err != nil {
		return judge.Text{}, err
	}
	if _, problems, broken := policy.Parse(path, text, policy.UserLayer); broken {
		all := []error{}
		for _, p := range problems {
			all = append(all, errors.New(judge.ProblemText(p)))
		}
		return judge.Text{}, exitWith(exitFailed, errors.Join(all...))
	}
	return judge.Text{Path: path, Layer: policy.UserLayer, Text: text, There: true}, nil
}

// of are those of a project; an empty one has none of its own.
func (p *policies) of(project string) inForce {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f, ok := p.known[project]; ok {
		return f
	}
	f := inForce{Files: p.base}
	if p.projects && project != "" {
		t, trusted := judge.ReadProject(p.settings.DataDir, project)
		switch {
		case t.There && t.Err == nil && !trusted:
			f.Untrusted = t.Path
		case t.There:
			f.Files = append(f.Files[:len(f.Files):len(f.Files)], t)
		}
	}
	f.Layers = judge.Combine(f.Files...)
	f.Mode, f.Overruled = judge.Mode(p.settings.Policy, f.Files)
	p.known[project] = f
	return f
}

// asTrusted are those of a project as if its own were trusted: a test comes before anybody trusts it.
func (p *policies) asTrusted(project string) inForce {
	f := p.of(project)
	if f.Untrusted == "" {
		return f
	}
	t, _ := judge.ReadProject(p.settings.DataDir, project)
	if !t.There || t.Err != nil {
		return f
	}
	f.Files = append(f.Files[:len(f.Files):len(f.Files)], t)
	f.Layers, f.Untrusted = judge.Combine(f.Files...), ""
	return f
}

// set is what judges in a project.
func (p *policies) set(project string) *policy.Set { return p.of(project).Set }

// machine is this machine as a call in a directory is seen against it, without a look at the disk.
func (p *policies) machine(dir, project string) *fsplace.Machine {
	m := judge.Machine(p.home, dir, project)
	for _, path := range []string{p.settings.Path, p.settings.Policy.File, filepath.Dir(p.settings.Path), p.settings.DataDir, p.env.Exe} {
		if filepath.IsAbs(path) && filepath.Dir(path) != path {
			m.Guard = append(m.Guard, path)
		}
	}
	if tmp := p.env.variable("TMPDIR"); p.settings.TrustEnv && filepath.IsAbs(tmp) {
		m.Temp = append(m.Temp, filepath.Clean(tmp))
	}
	return m
}

// diskPatience is how long the disk may take for one call; a hook has far less.
const diskPatience = 5 * time.Second

// disk is the same with what the disk says.
func (p *policies) disk(dir, project string) *fsplace.Machine {
	m := p.machine(dir, project)
	mounts := netfs.ReadMounts()
	m.Facts = judge.NewDisk(diskPatience, func(dir string) bool { return mounts.Stuck(dir) != "" })
	return m
}

// tellProblems warns of what is wrong with policies, once.
func (p *policies) tellProblems(f inForce) {
	for _, problem := range f.Problems {
		p.env.warn(judge.ProblemText(problem))
	}
	if f.Untrusted != "" {
		p.env.warn(f.Untrusted + " does not count: nobody trusts it ('boathook policy trust')")
	}
}

// projectOf finds the project that holds a directory.
func projectOf(dir string) string {
	if dir == "" {
		return ""
	}
	return cmp.Or(paths.Project(filepath.Clean(dir), func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	}), dir)
}

// readAll reads a text from stdin.
func readAll(env *Env) (string, error) {
	text, err := io.ReadAll(io.LimitReader(env.Stdin, maxLine))
	if err != nil {
		return "", fmt.Errorf("read stdin: %w", err)
	}
	return string(text), nil
}
