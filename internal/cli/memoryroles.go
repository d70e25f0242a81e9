package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

const memoryRolesLong = `A team's memory in PostgreSQL has three roles. Which rows a login sees is decided by the database itself, by row-level security:
each login belongs to a tenant, and sees no other's rows, whatever SQL it sends.

  ltm_reader   looks and searches. For people and dashboards that only read.
  ltm_writer   also keeps new rows and vectors; it can't delete. For the machines on which agents work.
  ltm_admin    also forgets, prunes and migrates. For 'boathook memory forget', 'prune' and 'migrate', and nobody's agents.

--sql prints the statements that make them, for psql; run them as the tables' owner, after 'boathook memory migrate', and again
after each migration. With --login they make logins too, without a password: psql's \password gives them one.`

func newMemoryRoles(env *Env) *cobra.Command {
	var sql, asJSON bool
	var schema string
	var logins []string
	cmd := &cobra.Command{
		Use:   "roles",
		Short: "Say what PostgreSQL's roles may do, and print what makes them",
		Long:  memoryRolesLong,
		Example: `  boathook memory roles --sql | psql "$ADMIN_DSN"
  boathook memory roles --sql --login ci=writer --login ann=reader,acme
  boathook memory roles --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(asJSON, runMemoryRoles(ctx, env, sql, asJSON, schema, logins))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&sql, "sql", false, "print the statements")
	f.StringVar(&schema, "schema", "", "the schema that has the tables (default public)")
	f.StringArrayVar(&logins, "login", nil, "make this login too: `NAME=ROLE`, or NAME=ROLE,TENANT; may be repeated")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	complete(cmd, "schema", nil)
	complete(cmd, "login", nil)
	return cmd
}

// login is one of the database's, as the second program takes it.
type login struct {
	Name   string `json:"name"`
	Role   string `json:"role"`
	Tenant string `json:"tenant,omitempty"`
}

func parseLogin(text string) (login, error) {
	name, rest, ok := strings.Cut(text, "=")
	role, tenant, _ := strings.Cut(rest, ",")
	l := login{strings.TrimSpace(name), strings.TrimPrefix(strings.TrimSpace(role), "ltm_"), strings.TrimSpace(tenant)}
	if !ok || l.Name == "" || !slices.Contains([]string{"reader", "writer", "admin"}, l.Role) {
		return l, usage("--login wants NAME=ROLE or NAME=ROLE,TENANT with the role reader, writer or admin, not %q", text)
	}
	return l, nil
}

// role is what --json tells of one.
type role struct {
	Name string   `json:"name"`
	May  []string `json:"may"`
}

func runMemoryRoles(ctx context.Context, env *Env, sql, asJSON bool, schema string, names []string) error {
	ask := struct {
		Schema string  `json:"schema"`
		Logins []login `json:"logins"`
	}{schema, []login{}}
	for _, text := range names {
		l, err := parseLogin(text)
		if err != nil {
			return err
		}
		ask.Logins = append(ask.Logins, l)
	}
	doc := struct {
		Roles []role `json:"roles"`
		SQL   string `json:"sql,omitempty"`
	}{Roles: []role{
		{"ltm_reader", []string{"search", "show", "timeline", "stats", "export"}},
		{"ltm_writer", []string{"search", "show", "timeline", "stats", "export", "keep", "embed", "backfill", "ingest"}},
		{"ltm_admin", []string{"search", "show", "timeline", "stats", "export", "keep", "embed", "backfill", "ingest", "forget", "prune", "migrate"}},
	}}
	switch {
	case !sql && (schema != "" || len(names) > 0):
		return usage("--schema and --login go with --sql")
	case !sql && !asJSON:
		_, err := fmt.Fprint(env.Stdout, layout(memoryRolesLong, env.helpWidth()))
		return err
	case sql:
		stdin, err := json.Marshal(ask)
		if err != nil {
			return fmt.Errorf("write the logins: %w", err)
		}
		text, err := beside(ctx, env, stdin, "roles")
		if err != nil {
			return err
		}
		if len(text) == 0 {
			return exitWith(exitFailed, errors.New("print the roles: there are no statements"))
		}
		doc.SQL = string(text)
	}
	if asJSON {
		return env.printJSON(doc, nil)
	}
	_, err := fmt.Fprint(env.Stdout, doc.SQL)
	return err
}
