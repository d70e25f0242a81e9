package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/hookrun"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/shellquote"
)

// maxPayload bounds what decode reads: a payload is at most some MiB, and a mistyped pipe may never end.
const maxPayload = 256 << 20

func newDecode(env *Env) *cobra.Command {
	var agent, event string
	var compact bool
	cmd := &cobra.Command{
		Use:   "decode --agent AGENT --event EVENT",
		Short: "Show how a hook payload is understood",
		Long: `Read an agent's hook payload on stdin and print the canonical event that boathook makes of it, as JSON.

Nothing is stored, no guard is asked, and nothing is masked: what is secret in the payload is in the output. What is
wrong with the payload is said on stderr. The exit code is 1 when there is no JSON object in it at all.`,
		Example: `  boathook decode --agent gemini --event BeforeTool < payload.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("decode reads the payload on stdin, not from an argument: write < %s", shellquote.Word(args[0]))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			if agent == "" || event == "" {
				return usage("decode wants to know who sent the payload: --agent (%s) and --event (BeforeTool, PreToolUse, …)", strings.Join(agentNames(), ", "))
			}
			ev, err := decodePayload(env, agent, event)
			if err != nil {
				return err
			}
			return printEvent(env, ev, compact)
		},
	}
	cmd.Flags().StringVar(&agent, "agent", "", "the agent that sent it: "+strings.Join(agentNames(), ", "))
	cmd.Flags().StringVar(&event, "event", "", "the agent's own name of the event: BeforeTool, PreToolUse, …")
	cmd.Flags().BoolVar(&compact, "compact", false, "print one line")
	complete(cmd, "agent", agentNames())
	completeEvents(cmd)
	return cmd
}

func decodePayload(env *Env, agent, event string) (canon.Event, error) {
	h, known := registry.Lookup(agent)
	if !known {
		env.warn("agent " + agent + " is unknown; its payload is read as one of " + h.Title)
	}
	row, known := h.Event(event)
	if !known {
		env.warn("event " + event + " is unknown; " + h.Title + " has " + eventNames(h))
	}
	if env.Typed {
		env.warn("reading the payload from stdin; end with Ctrl-D")
	}
	data, err := io.ReadAll(io.LimitReader(env.Stdin, maxPayload))
	if err != nil {
		return canon.Event{}, fmt.Errorf("read payload: %w", err)
	}
	payload := lenient.Parse(data)
	for _, p := range payload.Problems {
		env.warn(p)
	}
	if payload.Value.Kind() != lenient.Object {
		return canon.Event{}, exitWith(exitFailed, errors.New("decode payload: there is no JSON object in it"))
	}
	ev := h.Decode(row, payload.Value, host.Env{Dir: env.Dir})
	hookrun.Stamp(&ev, env.Now())
	return ev, nil
}

func printEvent(env *Env, ev canon.Event, compact bool) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(ev); err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	line := plainJSON(bytes.TrimRight(b.Bytes(), "\n"))
	if compact {
		_, err := fmt.Fprintf(env.Stdout, "%s\n", line)
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, line, "", "  "); err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	_, err := fmt.Fprintf(env.Stdout, "%s\n", pretty.Bytes())
	return err
}

func eventNames(h *host.Host) string {
	names := make([]string, len(h.Events))
	for i, e := range h.Events {
		names[i] = e.Name
	}
	return strings.Join(names, ", ")
}
