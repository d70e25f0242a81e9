package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/paths"
)

// maxOff bounds --for: whoever wants longer wants no end.
const maxOff = 366 * 24 * time.Hour

// switchFlags are those of 'off' and 'on'.
type switchFlags struct {
	config        string
	project, json bool
}

func (f *switchFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.project, "project", false, "only in one project: `DIR`, else the one that holds the working directory")
	cmd.Flags().StringVar(&f.config, "config", "", configUsage)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if f.project {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) > 1 || len(args) == 1 && !f.project:
			return usage("%s takes no arguments but the directory behind --project, and %q is one", nameOf(cmd), args[len(args)-1])
		case len(args) == 1 && args[0] == "":
			return usage("the directory behind --project is empty")
		}
		return nil
	}
}

func newOff(env *Env) *cobra.Command {
	var f switchFlags
	var length string
	cmd := &cobra.Command{
		Use:   "off [--for TIME] [--project [DIR]]",
		Short: "Switch the hooks off, for a while or in one project",
		Long: `Switch the hooks off: they give the agent's neutral answer, ask no guard and record nothing, also where guard.fail is
closed. It counts from the next hook on, in sessions that run already too. 'boathook on' ends it, and so does the time
that --for gives. The hooks stay installed.

With --project it counts in one project and below it alone. Nothing in a project can switch hooks off: this is kept in
the file "off" beside the config that the hooks read; where they read several, beside each. Where off.switch is refused
in the settings, this changes nothing and ends with code 3.`,
		Example: `  boathook off --for 1h               everywhere, for an hour
  boathook off --project              in the project around this directory, until 'boathook on --project'
  boathook off --for 2d --project ~/play`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("for") && length == "" {
				return usage("--for wants a value")
			}
			return switchEach(env, f, func(s *hookSwitch) error { return s.off(length, args) })
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&length, "for", "", "how long, like 30m, 1h or 2d (default until 'boathook on')")
	complete(cmd, "for", []string{"15m", "1h", "8h", "1d"})
	return cmd
}

// hookSwitch is the switch that belongs to a config.
type hookSwitch struct {
	env      *Env
	flags    switchFlags
	settings config.Settings
	state    off.State
	clock    off.Clock
	changed  bool
}

// switchEach changes the switch of the config that was named, else of each that the installed hooks read, and says what is
// off then.
func switchEach(env *Env, f switchFlags, change func(*hookSwitch) error) error {
	configs := []string{f.config}
	if f.config == "" {
		found, err := env.hookConfigs()
		if err != nil {
			return err
		}
		if len(found) > 1 {
			configs = found
		}
	}
	var done []*hookSwitch
	var errs error
	for _, path := range configs {
		f.config = path
		s, err := openSwitch(env, f)
		if err == nil {
			err = change(s)
			if s.changed {
				done = append(done, s)
			}
		}
		if err != nil && codeOf(err) == exitUsage {
			return err // it would be the same for all
		}
		errs = errors.Join(errs, err)
	}
	return errors.Join(sayEach(env, f, done, len(configs) > 1), errs)
}

// sayEach says what is off by each switch, under its config where there are several.
func sayEach(env *Env, f switchFlags, done []*hookSwitch, several bool) error {
	if len(done) == 0 {
		return nil
	}
	if f.json {
		doc := done[0].inForce()
		for _, s := range done[1:] {
			doc.Others = append(doc.Others, s.inForce())
		}
		return json.NewEncoder(env.Stdout).Encode(doc)
	}
	for _, s := range done {
		if several {
			if err := env.sentence(plain("hooks of "+s.settings.Path+":"), 0); err != nil {
				return err
			}
		}
		if err := s.say(); err != nil {
			return err
		}
	}
	return nil
}

func openSwitch(env *Env, f switchFlags) (*hookSwitch, error) {
	settings, err := env.settings(f.config)
	if err != nil {
		return nil, err
	}
	if off.Path(settings.Path) == "" {
		return nil, exitWith(exitFailed, errors.New("find the config: there is no home directory; set HOME or pass --config PATH"))
	}
	if err := ownfile.Yield(settings.Path); err != nil { // a file of root's would switch nothing off
		return nil, exitWith(exitFailed, err)
	}
	return &hookSwitch{env: env, flags: f, settings: settings, clock: off.At(env.Now())}, nil
}

func (s *hookSwitch) off(length string, args []string) error {
	if !s.settings.Off.Allowed {
		return exitWith(exitRefused, fmt.Errorf("off.switch is refused (%s): the hooks go on as before", sourceOf(s.settings, "off.switch")))
	}
	var d time.Duration
	if length != "" {
		var ok bool
		if d, ok = duration.Parse(length); !ok || d < time.Second || d > maxOff {
			return usage("--for wants a time from 1s to 366d, %s, not %q", duration.Forms, length)
		}
	}
	span := s.clock.Begin(d)
	if !s.flags.project {
		return s.change(func(state *off.State) { state.All = &span })
	}
	dir, err := s.project(args)
	if err != nil {
		return err
	}
	return s.change(func(state *off.State) {
		if state.Projects == nil {
			state.Projects = map[string]off.Span{}
		}
		for old := range state.Projects { // the same directory by another name
			if s.same(old, dir) {
				delete(state.Projects, old)
			}
		}
		state.Projects[dir] = span
	})
}

// project is the directory that --project means: the one that was named, else the repository around the working directory.
func (s *hookSwitch) project(args []string) (string, error) {
	dir := paths.Project(s.env.Dir, func(path string) bool { _, err := os.Lstat(path); return err == nil })
	if len(args) > 0 {
		dir = s.env.absolute(args[0])
	}
	at, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("find project: %w", err)
	}
	if info, err := os.Stat(at); err != nil || !info.IsDir() {
		return "", fmt.Errorf("find project: %s is no directory", at)
	}
	return at, nil
}

func (s *hookSwitch) same(a, b string) bool {
	one, err := os.Stat(a)
	other, oerr := os.Stat(b)
	return err == nil && oerr == nil && os.SameFile(one, other)
}

// change changes what is off, while no other command does.
func (s *hookSwitch) change(change func(*off.State)) error {
	unread := func(err error) { s.env.warn(err.Error() + "; nothing was off by it, and it is replaced") }
	state, err := off.Change(s.settings.Path, s.clock, unread, change)
	if err != nil {
		return err
	}
	s.state, s.changed = state, true
	return nil
}

// switched is what is off, and its JSON.
type switched struct {
	Off      bool              `json:"off"`
	Until    time.Time         `json:"until,omitzero"`
	Projects []switchedProject `json:"projects"`
	// Refused says that the settings leave the switch without effect.
	Refused bool   `json:"refused,omitempty"`
	File    string `json:"file"`
	// Others are the same of the other configs that installed hooks read.
	Others []switched `json:"others,omitempty"`
}

type switchedProject struct {
	Dir    string    `json:"dir"`
	Until  time.Time `json:"until,omitzero"`
	Source string    `json:"source"`
}

// inForce lists what is off now, by the switch and by the config.
func (s *hookSwitch) inForce() switched {
	out := switched{Refused: !s.settings.Off.Allowed, File: off.Path(s.settings.Path), Projects: []switchedProject{}}
	if !out.Refused {
		if all := s.state.All; all != nil {
			out.Off, out.Until = true, all.Until
		}
		for _, dir := range slices.Sorted(maps.Keys(s.state.Projects)) {
			out.Projects = append(out.Projects, switchedProject{Dir: dir, Until: s.state.Projects[dir].Until, Source: out.File})
		}
	}
	for _, dir := range s.settings.Off.Projects {
		out.Projects = append(out.Projects, switchedProject{Dir: dir, Source: sourceOf(s.settings, "off.projects")})
	}
	return out
}

func (s *hookSwitch) say() error {
	now := s.inForce()
	lines := []string{}
	if now.Off {
		lines = append(lines, s.words("off everywhere", ": hooks answer neutrally, ask no guard and record nothing", now.Until, ""))
	}
	for _, p := range now.Projects {
		if p.Source == now.File {
			lines = append(lines, plain(s.words("off in "+p.Dir, "", p.Until, p.Dir)))
		} else {
			lines = append(lines, "off in "+plain(p.Dir)+", by off.projects ("+plain(p.Source)+")")
		}
	}
	if !now.Off {
		lines = append(lines, map[bool]string{true: "on: nothing is switched off", false: "on everywhere else"}[len(lines) == 0])
	}
	for _, line := range lines {
		if err := s.env.sentence(line, 2); err != nil {
			return err
		}
	}
	if g := s.settings.Guard; g.FailClosed && !g.Disabled && (now.Off || len(now.Projects) > 0) {
		s.env.warn("guard.fail = closed does not count while hooks are off: nothing is denied")
	}
	return nil
}

// warnOff tells why there may be no new records: hooks are off, everywhere or where one is.
func (e *Env) warnOff(settings config.Settings) {
	s := &hookSwitch{env: e, settings: settings, clock: off.At(e.Now())}
	state, err := off.Load(settings.Path)
	if err != nil {
		e.warn(err.Error() + "; nothing is off by it")
	}
	s.state = state.Current(s.clock)
	now := s.inForce()
	if now.Off {
		e.warn(s.words("hooks are off everywhere", "", now.Until, ""))
	}
	for _, p := range now.Projects {
		at, in := off.In(e.Dir, []string{p.Dir})
		switch {
		case in && p.Source == now.File:
			e.warn(s.words("hooks are off in "+at, "", p.Until, at))
		case in:
			e.warn("hooks are off in " + at + ", by off.projects (" + p.Source + ")")
		}
	}
}

// words say what is off, how long, what that means, and what ends it before.
func (s *hookSwitch) words(what, meaning string, until time.Time, project string) string {
	span := off.Span{Until: until}
	text := what + " " + span.Lasts(s.env.Now(), project) + meaning
	if ends := span.Ends(project); ends != "" {
		text += "; " + ends
	}
	return text
}

func sourceOf(s config.Settings, key string) string {
	for _, v := range s.Values {
		if v.Key == key {
			return v.Source
		}
	}
	return "default"
}
