package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/doctor"
)

func newMemoryDoctor(env *Env) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what keeps memory from working, and what cures it",
		Long: `Look at what memory needs: whether it is on, whether its database answers and is of this version, how far it is behind, whether
the embedder answers in the time that a prompt gives it, and which project this directory is. 'boathook doctor' looks at
this too, and at all the rest.

The embedder is asked for one vector, PostgreSQL for its figures; --offline leaves both out. The exit code is 0 when nothing
fails, 1 when something does.`,
		Example: `  boathook memory doctor
  boathook memory doctor --json | jq -r '.checks[] | select(.status == "fail") | .cure'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			report := doctor.Run(ctx, doctor.Env{
				Install: installEnv(env), Dir: env.Dir, Config: env.absolute(o.config), Offline: o.offline, Now: env.Now, Only: "memory.",
			})
			if err := ctx.Err(); err != nil {
				return err
			}
			others := func(v config.Value) bool {
				return !strings.HasPrefix(v.Key, "memory.") && !strings.HasPrefix(v.Key, "llm.")
			}
			report.Settings, report.Changed = slices.DeleteFunc(report.Settings, others), slices.DeleteFunc(report.Changed, others)
			p := doctorPrinter{env: env, o: o, report: report}
			show := p.text
			if o.json {
				show = p.json
			}
			if err := show(); err != nil {
				return err
			}
			if report.Worst() == doctor.Fail {
				return exitWith(exitFailed, nil)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object: checks with stable ids, and memory's settings")
	f.BoolVar(&o.offline, "offline", false, "ask no server")
	f.StringVar(&o.config, "config", "", configUsage)
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}
