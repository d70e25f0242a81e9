package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/mcpserver"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/remote"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/version"
)

// mcpFlags are what `boathook mcp` gives, too.
type mcpFlags struct {
	config, data, project, version string
	all                            bool
}

// mcp serves memory on stdin and stdout until stdin ends. Nothing but the protocol is written to stdout.
func mcp(ctx context.Context, e env, args []string) int {
	var f mcpFlags
	flags := flag.NewFlagSet("mcp", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&f.config, "config", "", "")
	flags.StringVar(&f.data, "data", "", "")
	flags.StringVar(&f.project, "project", "", "")
	flags.BoolVar(&f.all, "all-projects", false, "")
	flags.StringVar(&f.version, "of", "", "") // boathook's own version, which starts this
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(e.stdout, help)
		return exitOK
	case err != nil:
		return e.misused(err.Error())
	case flags.NArg() > 0:
		return e.misused(fmt.Sprintf("mcp takes no arguments, and %q is one", flags.Arg(0)))
	case e.typed:
		return e.misused("mcp is started by an agent, which talks to it on stdin; a person has 'boathook memory search'")
	}
	if f.version != "" {
		if err := remote.CheckVersion(version.String(), f.version); err != nil {
			return e.failed(err)
		}
	}
	if f.project = e.abs(f.project); f.project == "" {
		f.project = e.dir
	}
	err = mcpserver.Serve(ctx, mcpserver.Options{
		Settings: func() (config.Settings, string, error) { return e.settings(f) },
		Open: func(ctx context.Context, s config.Settings, dir string) (memory.Store, error) {
			return open.Store(ctx, open.Options{DataDir: dir, Settings: s, Exe: e.exe, ReadOnly: true})
		},
		Dir: f.project, AllProjects: f.all, Who: account(), Version: version.String(), Now: e.now,
	}, e.stdin, e.stdout)
	if err != nil {
		return e.failed(err)
	}
	return exitOK
}

// abs is a path from the working directory, empty for none.
func (e env) abs(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(e.dir, path)
}

// settings are those in force, by the rules of the other commands.
func (e env) settings(f mcpFlags) (config.Settings, string, error) {
	s := config.Load(config.Request{Path: e.abs(f.config), Home: e.home, Env: e.lookup, Managed: config.ManagedPath()})
	if s.Missing {
		return s, "", fmt.Errorf("the config %s is gone", f.config)
	}
	dir, owners := e.abs(f.data), []string{}
	if dir == "" {
		s = s.Settle()
		dir, owners = s.DataDir, append(owners, s.Path)
	}
	if dir == "" {
		return s, "", errors.New("there is no data directory: set HOME, or pass --data DIR")
	}
	return s, dir, ownfile.Yield(append(owners, dir)...) // root acts as the data's owner
}

// account is whose process this is.
func account() string {
	if u, err := user.Current(); err == nil {
		return fmt.Sprintf("%s (%s)", u.Username, u.Uid)
	}
	return fmt.Sprint(os.Getuid())
}
