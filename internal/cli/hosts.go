package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/proof"
)

func newHosts(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "hosts [AGENT...]",
		Short: "Show what boathook can do on each agent, and which of it runs have shown",
		Long: `Show the agents, and what boathook can do on them. With the name of an agent, each of its events.

  observe   its events arrive and are recorded
  context   text of boathook's reaches its model
  enforce   a deny stops the call

Each is there only where a run has shown it: live is the real program of that version; replay is the documented contract
played where the program can't be driven, which shows what boathook does and nothing of the agent.

In the table of an agent a capital letter is what a run has shown, a small one what the agent's documents or source say:
D deny, A ask, R rewrite the input, C context for the model. CRASH, GARBAGE and TIMEOUT say whether the call goes on (open) or is
stopped (closed) when a hook does so; the command that install writes keeps a crash from being one.`,
		Example: `  boathook hosts
  boathook hosts claude codex
  boathook hosts --json`,
		ValidArgs: agentNames(),
		RunE: func(_ *cobra.Command, args []string) error {
			return env.failJSON(asJSON, runHosts(env, args, asJSON))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func runHosts(env *Env, args []string, asJSON bool) error {
	hosts := registry.Hosts()
	if len(args) > 0 {
		hosts = nil
		for _, name := range args {
			h, known := registry.Lookup(strings.ToLower(name))
			if !known {
				return usage("unknown agent %q; there are %s", name, strings.Join(agentNames(), ", "))
			}
			hosts = append(hosts, h)
		}
	}
	var tables []proof.Table
	for _, h := range hosts {
		tables = append(tables, proof.TableOf(h))
	}
	if asJSON {
		return env.printJSON(map[string]any{"agents": tables}, nil)
	}
	if len(args) == 0 {
		return hostsOverview(env, tables)
	}
	for i, t := range tables {
		if i > 0 {
			_, _ = fmt.Fprintln(env.Stdout) // an error shows with the table
		}
		if err := hostTable(env, t); err != nil {
			return err
		}
	}
	return nil
}

func hostsOverview(env *Env, tables []proof.Table) error {
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "AGENT\tNAME\tSHOWN\tHOW\tVERSION\tDATE") // Flush says it
	for _, t := range tables {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.Title, labels(t), dash(string(t.How)), dash(t.Version), dash(t.Date))
	}
	return w.Flush()
}

func hostTable(env *Env, t proof.Table) error {
	head := t.Title + " (" + t.ID + "): " + labels(t)
	if t.How != "" {
		head += fmt.Sprintf("; %s, version %s, %s", t.How, t.Version, t.Date)
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(env.Stdout, "%s\n\n", head) // Flush says it
	_, _ = fmt.Fprintln(w, "EVENT\tKIND\tINSTALLED\tSEEN\tCAN\tCALL ID\tCRASH\tGARBAGE\tTIMEOUT")
	for _, r := range t.Events {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Event, r.Kind, yesDash(r.Registered), yesDash(r.Arrives == proof.Seen),
			proof.Letters(r), yesDash(r.CallID), dash(string(r.Crash)), dash(string(r.Garbage)), dash(string(r.Timeout)))
	}
	return w.Flush()
}

func labels(t proof.Table) string {
	var out []string
	for _, l := range t.Labels {
		out = append(out, string(l))
	}
	return dash(strings.Join(out, " "))
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func yesDash(yes bool) string {
	if yes {
		return "yes"
	}
	return "-"
}
