package database

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// ofAdmin are the effects of the programs that come with databases and of their hosts' own.
func ofAdmin(name string, u unit.Unit) []policy.Effect {
	const valued = "h host p port U username u user d dbname S socket a app r remote project-ref"
	args := u.Args()
	var verb string
	switch name {
	case "dropdb", "dropuser", "mysqladmin", "mariadb-admin", "pg_restore", "mongorestore", "psql-drop", "influx", "heroku", "supabase", "neonctl",
		"pscale", "turso", "bq", "rabbitmqctl", "wp", "drush", "hasura", "dolt", "redis-cli", "pg_dropcluster", "gel", "edgedb", "nodetool":
	default:
		return nil
	}
	if unit.Help(args) {
		return nil
	}
	o := unit.Options(args, valued)
	words := word.Texts(o.Operands)
	at := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	switch first := at(0) + " " + at(1); name {
	case "dropdb", "pg_dropcluster":
		verb = "drop-database"
	case "dropuser":
		verb = "drop-user"
	case "mysqladmin", "mariadb-admin":
		if slices.Contains(words, "drop") {
			verb = "drop-database"
		}
	case "pg_restore":
		if o.Has("c", "clean") {
			verb = "restore-clean"
		}
	case "mongorestore":
		if o.Has("drop") {
			verb = "restore-clean"
		}
	case "influx":
		switch first {
		case "bucket delete", "org delete":
			verb = "drop-database"
		case "delete ":
			verb = "delete-all"
		}
	case "heroku":
		if at(0) == "pg:reset" || at(0) == "pg:push" || at(0) == "pg:copy" {
			verb = "reset"
		}
	case "supabase":
		if first == "db reset" {
			verb = "reset"
		}
	case "hasura":
		if at(0) == "metadata" && at(1) == "clear" {
			verb = "reset"
		}
	case "wp", "drush":
		if first == "db reset" || first == "db drop" || first == "db clean" || at(0) == "sql:drop" || at(0) == "sql-drop" || first == "site empty" {
			verb = "reset"
		}
	case "rabbitmqctl":
		if at(0) == "reset" || at(0) == "force_reset" || at(0) == "delete_queue" || at(0) == "delete_vhost" || at(0) == "purge_queue" {
			verb = "reset"
		}
	case "neonctl", "pscale", "turso", "gel", "edgedb":
		if at(1) == "delete" || at(1) == "destroy" || at(1) == "wipe" || first == "branch reset" {
			verb = "drop-database"
		}
	case "bq":
		if at(0) == "rm" {
			verb = "drop-table"
		}
	}
	if verb == "" {
		return nil
	}
	if name == "supabase" && !o.Has("linked", "db-url") {
		return []policy.Effect{{Kind: policy.Database, Verb: verb, Flags: []string{"localhost"}, Command: u.I}}
	}
	return []policy.Effect{{Kind: policy.Database, Verb: verb, Target: strings.Join(words, " "), Flags: stageFlags(u, allNames(words, o)), Command: u.I}}
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
