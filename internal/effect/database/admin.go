package database

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// admin are the commands of programs that come with databases, and of their hosts' own. They are static data: nothing is built at
// start-up.
var admin = [...]task{
	{"dropdb|pg_dropcluster", "", "", "drop-database"},
	{"dropuser", "", "", "drop-user"},
	{"mysqladmin|mariadb-admin", "drop", "", "drop-database"},
	{"pg_restore", "", "c clean", "restore-clean"},
	{"mongorestore", "", "drop", "restore-clean"},
	{"influx", "bucket|org delete", "", "drop-database"},
	{"influx", "delete", "", "delete-all"},
	{"heroku", "pg:reset|pg:push|pg:copy", "", "reset"},
	{"supabase", "db reset", "", "reset"},
	{"hasura", "metadata clear", "", "reset"},
	{"wp", "db reset|drop|clean", "", "reset"},
	{"wp", "site empty", "", "reset"},
	{"drush", "sql:drop|sql-drop", "", "reset"},
	{"rabbitmqctl", "reset|force_reset|delete_queue|delete_vhost|purge_queue", "", "reset"},
	{"neonctl|pscale|turso|gel|edgedb", "* delete|destroy|wipe", "", "drop-database"},
	{"pscale", "branch reset", "", "drop-database"},
	{"bq", "rm", "", "drop-table"},
}

// ofAdmin are the effects of these commands.
func ofAdmin(name string, u unit.Unit) []policy.Effect {
	for i := range admin {
		t := &admin[i]
		if !alternative(t.program, name) {
			continue
		}
		args := u.Args()
		if unit.Help(args) {
			return nil
		}
		o := unit.Options(args, "h host p port U username u user d dbname S socket a app r remote project-ref")
		if !leads(t.words, o.Operands) || t.option != "" && !o.Has(strings.Fields(t.option)...) {
			continue
		}
		words := word.Texts(o.Operands)
		flags := stageFlags(u, allNames(words, o))
		if name == "supabase" && !o.Has("linked", "db-url") {
			flags = append(flags, "localhost")
		}
		return []policy.Effect{{Kind: policy.Database, Verb: t.verb, Target: strings.Join(words, " "), Flags: flags, Command: u.I}}
	}
	return nil
}

// allNames are operands and the values of the options that name a target.
func allNames(words []string, o unit.Opts) []string {
	for _, n := range [...]string{"h", "host", "d", "dbname", "a", "app", "e", "env", "environment", "config", "url", "r", "settings", "profile", "schema",
		"database", "connection", "db-url"} {
		for _, v := range o.Flags[n] {
			words = append(words, v.Text)
		}
	}
	return words
}
