package cli

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/shellquote"
)

func newHooks(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hooks",
		Short: "Write, try and list hooks of your own, for every agent",
		Long: `A hook of yours is a program in any language that is asked about events and may object. It gets the canonical event as
JSON on stdin ('boathook schema event') and answers with a decision on stdout ('boathook schema decision'):

  nothing                             no objection
  {"action":"deny","reason":"…"}      it does not happen, and the model is told why
  {"action":"ask","reason":"…"}       a person is asked, or it is denied where the agent cannot ask
  {"input":{…}}                       the tool runs with another input
  {"context":"…"}                     text for the model

Name it in the config, and it is asked on every agent that boathook is installed in:

  [[hooks]]
  on = ["tool:before"]                kinds of event; this is the default
  tools = ["bash"]                    canonical or the agent's names; none is all
  command = ["/path/to/program"]      or a line for the shell
  timeout = 5000                      milliseconds; at that limit it is killed
  fail = "closed"                     or "open", the default: what no answer means

'boathook exec --help' says how a program is wired into an agent without any of this.`,
		Example: `  boathook hooks new --lang python ~/hooks/no-force
  boathook hooks test -- python3 ~/hooks/no-force/hook.py
  boathook hooks list`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newHooksList(env), newHooksNew(env), newHooksTest(env))
	completeNoFiles(cmd.Commands())
	return cmd
}

func newHooksList(env *Env) *cobra.Command {
	var path string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show the hooks that the config names",
		Long: `Show the hooks of the config that the installed hooks read, and of the administrator's, in the order in which their
rewrites count, and what is wrong with them. The exit code is 1 where one cannot be run.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return env.failJSON(asJSON, listHooks(env, path, asJSON)) },
	}
	cmd.Flags().StringVar(&path, "config", "", configUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}

// listedHook is a hook as it is shown.
type listedHook struct {
	config.Hook
	Timeout int64    `json:"timeout_ms"`
	Fail    string   `json:"fail"`
	Wrong   []string `json:"wrong,omitempty"`
}

func listHooks(env *Env, path string, asJSON bool) error {
	s, err := env.asWritten(path)
	if err != nil {
		return err
	}
	hooks := []listedHook{}
	bad := 0
	for _, h := range s.Hooks {
		l := listedHook{Hook: h, Timeout: h.Timeout.Milliseconds(), Fail: "open", Wrong: wrongWith(h)}
		if h.FailClosed {
			l.Fail = "closed"
		}
		if h.Broken != "" || len(l.Wrong) > 0 {
			bad++
		}
		hooks = append(hooks, l)
	}
	problems := hookProblems(s)
	var failed error
	if bad > 0 || len(problems) > 0 {
		failed = exitWith(exitFailed, nil)
	}
	if asJSON {
		return env.printJSON(map[string]any{"config": s.Path, "hooks": hooks, "problems": problems}, failed)
	}
	for _, p := range problems {
		env.warn(p)
	}
	if err := env.hookTable(s, hooks); err != nil {
		return err
	}
	return failed
}

// hookProblems are those of the config that are about hooks.
func hookProblems(s config.Settings) []string {
	out := []string{}
	for _, p := range s.Problems {
		if strings.Contains(p, ": hooks") || strings.Contains(p, "[[hooks]]") || strings.Contains(p, "key hooks.") {
			out = append(out, p)
		}
	}
	return out
}

// wrongWith looks at what only this machine and this program know: whether the program is there, and the names.
func wrongWith(h config.Hook) []string {
	var out []string
	if len(h.Command) > 0 {
		if _, err := exec.LookPath(h.Command[0]); err != nil {
			out = append(out, "the program "+h.Command[0]+" is not there, or may not be run")
		}
	}
	for _, agent := range h.Agents {
		if found, known := registry.Lookup(agent); !known || found.ID != agent {
			out = append(out, fmt.Sprintf("agent %q is none of %s", agent, strings.Join(agentNames(), ", ")))
		}
	}
	return out
}

func (e *Env) hookTable(s config.Settings, hooks []listedHook) error {
	if len(hooks) == 0 && len(hookProblems(s)) > 0 {
		_, err := fmt.Fprintf(e.Stdout, "No hook of %s is run.\n", plain(s.Path))
		return err
	}
	if len(hooks) == 0 {
		_, err := fmt.Fprintf(e.Stdout, "There are no hooks in %s. 'boathook hooks new' writes one, and says how it gets there.\n", plain(s.Path))
		return err
	}
	w := tabwriter.NewWriter(e.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tON\tTOOLS\tAGENTS\tTIMEOUT\tFAIL\tPROGRAM") // Flush says it
	for _, h := range hooks {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d ms\t%s\t%s\n", plain(h.Name), strings.Join(kindTexts(h.On), ","), all(h.Tools), all(h.Agents),
			h.Timeout, h.Fail, plain(dash(commandText(h.Command))))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, h := range hooks {
		if h.Broken != "" {
			h.Wrong = append(h.Wrong, "its command "+h.Broken+", so that it denies")
		}
		for _, text := range h.Wrong {
			e.warn(h.Source + ": " + h.Name + ": " + text)
		}
	}
	return nil
}

func kindTexts(kinds []canon.Kind) []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k)
	}
	return out
}

func all(names []string) string {
	if len(names) == 0 {
		return "all"
	}
	return plain(strings.Join(names, ","))
}

// commandText is a command as somebody would type it; of a line for the shell that line.
func commandText(words []string) string {
	if len(words) == 3 && slices.Equal(words[:2], []string{"/bin/sh", "-c"}) {
		return words[2]
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = shellquote.Word(w)
	}
	return strings.Join(out, " ")
}
