package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/verify"
)

// selftestTime bounds a selftest; it takes some seconds on an idle machine.
const selftestTime = 3 * time.Minute

func newSelftest(env *Env) *cobra.Command {
	var agent string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Start each installed hook as its agent would",
		Long: `Start each installed hook as its agent would, and check what the agent would get and what is recorded.

It reads the files that the agents read. For each registered event it runs the installed command line, with the shell,
the environment and a recorded payload of the agent: the answer, exit code and stderr in the agent's own form when the
guard allows, denies or wants a review, and one record with the agent, event, session, directory, tool and
arguments that the payload had. A command or script that is not as install wrote it is a fault and is not started.

One thing of the command is replaced: its config, by a temporary one with the same settings, whose data directory and
guard are the selftest's own and which sends nothing. Your guard is not asked, and nothing is added to your log. Whether
your own guard and collector answer is what 'boathook doctor' tells.

The exit code is 1 if anything is wrong, and where no hooks are installed.`,
		Example: `  boathook verify selftest
  boathook verify selftest --agent claude
  boathook verify selftest --json | jq '.agents[].events[] | select(.ok | not)'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needsShell("test hooks"); err != nil {
				return err
			}
			hosts, err := chosenHosts(agent)
			if err != nil {
				return err
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			ctx, cancel := context.WithTimeout(ctx, selftestTime)
			defer cancel()
			return runSelftest(ctx, env, hosts, asJSON)
		},
	}
	agentFlag(cmd, &agent)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: agents, events, faults with their cures")
	return cmd
}

func runSelftest(ctx context.Context, env *Env, hosts []*host.Host, asJSON bool) error {
	places := installedPlaces(env)
	got, err := verify.RunSelftest(ctx, verify.SelftestOptions{
		Hosts: hosts, Home: env.Home, Lookup: env.LookupEnv, Places: places, Path: env.variable("PATH"), Tmp: env.tempDir(),
		Managed: config.ManagedPath(), Now: env.Now,
	})
	if errors.Is(err, verify.ErrManaged) {
		return exitWith(exitRefused, fmt.Errorf("test hooks: %w: they would reach your real guard and data", err))
	}
	if err != nil {
		return fmt.Errorf("test hooks: %w", err)
	}
	faults, installed := 0, false
	for _, a := range got.Agents {
		installed = installed || a.Installed
		faults += len(a.Faults)
		for _, e := range a.Events {
			faults += len(e.Faults)
		}
	}
	faults += len(got.Faults)
	if asJSON {
		err = printJSON(env, got)
	} else if installed {
		err = printSelftest(env, got)
	}
	switch {
	case err != nil:
		return err
	case !installed:
		return notInstalled(hosts, places)
	case !got.OK:
		return exitWith(exitFailed, fmt.Errorf("test hooks: %s", count(faults, "fault")))
	}
	return nil
}

// printJSON prints one object that is harmless on a terminal.
func printJSON(env *Env, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s\n", plainJSON(b))
	return err
}

func printSelftest(env *Env, s *verify.Selftest) error {
	var absent []string
	for _, a := range s.Agents {
		if !a.Installed {
			absent = append(absent, a.Agent)
			continue
		}
		if err := printTested(env, a); err != nil {
			return err
		}
		fmt.Fprintln(env.Stdout)
	}
	if len(absent) > 0 {
		if err := env.sentence("Not installed: "+strings.Join(absent, ", ")+". To put the hooks of one in place: boathook install AGENT", 0); err != nil {
			return err
		}
	}
	for _, f := range s.Faults {
		if err := printFault(env, "  ", f); err != nil {
			return err
		}
	}
	if s.OK {
		return env.sentence(fmt.Sprintf("All is well: %s, each answered and recorded as it should be.", count(s.Runs, "hook run")), 0)
	}
	return nil
}

func printTested(env *Env, a *verify.AgentResult) error {
	if err := env.sentence(a.Title+": "+plain(a.File), 2); err != nil {
		return err
	}
	for _, f := range a.Faults {
		if err := printFault(env, "  ", f); err != nil {
			return err
		}
	}
	width := testedName
	for _, e := range a.Events {
		width = max(width, columns(plain(e.Event))+1)
	}
	for _, e := range a.Events {
		if err := printTestedEvent(env, e, width); err != nil {
			return err
		}
	}
	for _, n := range a.Notes {
		if err := env.sentence("  note: "+plain(n), 4); err != nil {
			return err
		}
	}
	return nil
}

// testedName is how wide the names of events are at least.
const testedName = 20

func printTestedEvent(env *Env, e *verify.EventResult, width int) error {
	what := fmt.Sprintf("%s (%s), the slowest %.0f ms", count(e.Runs, "run"), strings.Join(e.Forms, ", "), e.SlowestMS)
	if e.Runs == 0 {
		what = "not run"
	}
	if len(e.Answers) > 0 {
		what += "; guard: " + strings.Join(e.Answers, ", ")
	}
	word := env.coloured(green, "ok")
	if !e.OK {
		word = env.coloured(red, "FAULT")
	}
	label := "  " + fill(plain(e.Event), width) + word + strings.Repeat(" ", 7-len(map[bool]string{true: "ok", false: "FAULT"}[e.OK]))
	if err := env.hanging(label, what, 2+width+7, env.columns()); err != nil {
		return err
	}
	for _, f := range e.Faults {
		if err := printFault(env, "    ", f); err != nil {
			return err
		}
	}
	return nil
}

// printFault prints what is wrong, and below it what helps.
func printFault(env *Env, lead string, f verify.Fault) error {
	if err := env.sentence(lead+env.coloured(red, "✗ ")+plain(f.Text), len(lead)+2); err != nil {
		return err
	}
	if f.Cure == "" {
		return nil
	}
	return env.sentence(lead+"  cure: "+plain(f.Cure), len(lead)+4)
}

// coloured is a text in a colour, where colours may be.
func (e *Env) coloured(colour, text string) string {
	if !e.colour() {
		return text
	}
	return colour + text + reset
}
