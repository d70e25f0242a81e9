package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/userhook"
	"github.com/boathook/boathook/internal/worker"
)

// hooksTest is `boathook hooks test`.
type hooksTest struct {
	logOptions
	files   []string
	timeout int
	asJSON  bool
}

func newHooksTest(env *Env) *cobra.Command {
	var o hooksTest
	cmd := &cobra.Command{
		Use:   "test [NAME | -- PROGRAM [ARG...]]",
		Short: "Play recorded events to a hook and show what it decides",
		Long: `Ask a hook about events that happened on this machine, or that files hold, and show its decisions. Nothing is done with
them. The hook is one of the config, by its name, or the program behind --.

Without --file the newest 20 recorded calls of tools are played; --event, --agent, --tool and --since choose others. What
is recorded is masked: a hook that looks for secrets finds none there. A file of --file holds an event, or one on each
line; or {"event":…,"decision":…}, and then the decision has to be that one.

The exit code is 1 where the hook gave no answer, or not the one that a file wants.`,
		Example: `  boathook hooks test no-force-push
  boathook hooks test --event 'tool:*' --since 1d -- python3 ~/hooks/judge.py
  boathook hooks test --file testdata/deny.json -- ./judge`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			named := cmd.ArgsLenAtDash() < 0
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.asJSON, o.run(ctx, env, args, named))
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.files, "file", nil, "play the events of these `FILES` instead of recorded ones")
	f.IntVar(&o.timeout, "timeout", 0, "milliseconds that the hook may take (default 5000, or what its table says)")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object for each event")
	f.IntVarP(&o.count, "lines", "n", 20, "how many of the newest, 0 for all")
	f.StringVar(&o.since, "since", "", "only from then on: an age (15m, 1h, 2d) or a time (2026-01-31, 14:30)")
	f.StringVar(&o.agent, "agent", "", "only this agent: "+strings.Join(agentNames(), ", "))
	f.StringSliceVar(&o.events, "event", []string{string(canon.ToolBefore)}, "only these `EVENTS`: tool:before, tool:*, BeforeTool")
	f.StringVar(&o.tool, "tool", "", "only this tool: bash, or the agent's own name, run_shell_command")
	f.StringVar(&o.config, "config", "", configUsage)
	f.StringVar(&o.data, "data", "", "data directory, instead of the config's")
	complete(cmd, "agent", agentNames())
	complete(cmd, "tool", toolNames())
	completeWith(cmd, "event", func(_ []string, typed string) []string {
		return listed(slices.Concat(kindNames(), families(), eventsOf(cmd.Flag("agent").Value.String())), typed)
	})
	for _, flag := range []string{"since", "lines", "timeout"} {
		complete(cmd, flag, nil)
	}
	_ = cmd.MarkFlagFilename("config", "toml") // these are there
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

func (o *hooksTest) run(ctx context.Context, env *Env, args []string, named bool) error {
	if o.timeout < 0 {
		return usage("--timeout wants milliseconds, not %d", o.timeout)
	}
	settings, err := env.asWritten(o.config)
	if err != nil && (named || len(o.files) == 0) {
		return err
	}
	p, err := o.program(settings, args, named)
	if err != nil {
		return err
	}
	p.Env = userhook.Environ(os.Environ())
	cases, err := o.cases(ctx, env)
	if err != nil {
		return err
	}
	if len(cases) == 0 {
		return exitWith(exitFailed, errors.New("play events: none is recorded that was asked for ('boathook log' shows what is; --event, --agent and --since choose); --file plays others"))
	}
	var results []replayed
	for _, c := range cases {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		results = append(results, c.play(ctx, p))
	}
	return o.report(env, results)
}

func (o *hooksTest) program(s config.Settings, args []string, named bool) (userhook.Program, error) {
	limit := 5 * time.Second
	if o.timeout > 0 {
		limit = time.Duration(o.timeout) * time.Millisecond
	}
	switch {
	case len(args) == 0:
		return userhook.Program{}, usage("test wants a hook: its name in the config%s, or the program behind --", hookNames(s))
	case !named:
		return userhook.Program{Command: args, Timeout: limit}, nil
	case len(args) > 1:
		return userhook.Program{}, usage("test takes the name of one hook, not %s; a program stands behind --", strings.Join(args, " and "))
	}
	for _, h := range s.Hooks {
		if h.Name == args[0] && h.Broken == "" {
			if o.timeout == 0 {
				limit = h.Timeout
			}
			return userhook.Program{Command: h.Command, Timeout: limit}, nil
		}
	}
	return userhook.Program{}, usage("no hook %q can be run of the config%s; a program stands behind --: boathook hooks test -- %s", args[0], hookNames(s), args[0])
}

func hookNames(s config.Settings) string {
	var names []string
	for _, h := range s.Hooks {
		names = append(names, h.Name)
	}
	if len(names) == 0 {
		return " (it has none)"
	}
	return " (it has " + strings.Join(names, ", ") + ")"
}

// replay is one event to play, with the decision that is wanted, if any.
type replay struct {
	from   string
	event  canon.Event
	wanted *canon.Decision
}

func (o *hooksTest) cases(ctx context.Context, env *Env) ([]replay, error) {
	if len(o.files) > 0 {
		var out []replay
		for _, path := range o.files {
			if !filepath.IsAbs(path) {
				path = filepath.Join(env.Dir, path)
			}
			more, err := replaysOf(path)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		}
		return out, nil
	}
	settings, err := env.settings(o.config)
	if err != nil {
		return nil, err
	}
	filter, match, err := o.filter(env.Now())
	if err != nil {
		return nil, err
	}
	dir, err := env.dataDir(o.data, settings)
	if err != nil {
		return nil, err
	}
	if err := o.checkData(dir); err != nil {
		return nil, err
	}
	if err := settle(ctx, env, dir, settings); err != nil {
		env.warn(err.Error())
	}
	return recorded(ctx, worker.StorePath(dir), filter, match)
}

// recorded are the newest events of the store that are wanted, oldest first.
func recorded(ctx context.Context, path string, filter store.Filter, match match) ([]replay, error) {
	s, err := store.OpenReadOnly(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // it was only read
	limit := filter.Limit
	if match != nil {
		filter.Limit = 0 // only the records tell
	}
	var out []replay
	err = s.Each(ctx, filter, func(_ int64, line []byte) error {
		var e canon.Event
		if match.line(line) && json.Unmarshal(line, &e) == nil {
			out = append(out, replay{event: e})
			if limit > 0 && len(out) > 2*limit {
				out = slices.Delete(out, 0, len(out)-limit)
			}
		}
		return nil
	})
	if limit > 0 {
		out = out[max(0, len(out)-limit):]
	}
	return out, err
}

// replaysOf reads a file: an event, several, or an event with the decision that is wanted.
func replaysOf(path string) ([]replay, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, exitWith(exitFailed, fmt.Errorf("read events: %w", err))
	}
	defer f.Close()
	var out []replay
	for in := json.NewDecoder(f); in.More(); {
		var doc struct {
			canon.Event
			Nested   json.RawMessage `json:"event"`
			Decision json.RawMessage `json:"decision"`
		}
		if err := in.Decode(&doc); err != nil {
			return nil, exitWith(exitFailed, fmt.Errorf("read events of %s: %w", path, err))
		}
		r := replay{from: path, event: doc.Event}
		if err := json.Unmarshal(doc.Nested, &r.event.Event); err != nil { // no kind: an event of its own
			if err := json.Unmarshal(doc.Nested, &r.event); err != nil {
				return nil, exitWith(exitFailed, fmt.Errorf("read events of %s: there is no event in it ('boathook schema event')", path))
			}
			d, err := canon.ParseDecision(doc.Decision)
			if err != nil {
				return nil, exitWith(exitFailed, fmt.Errorf("%s: %w", path, err))
			}
			r.wanted = &d
		}
		out = append(out, r)
	}
	return out, nil
}
