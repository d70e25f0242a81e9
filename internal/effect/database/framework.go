package database

import (
	"path"
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// task is one command of a framework that drops or resets its database.
type task struct {
	program string
	// words are those that come first among the operands; one of them may be several with |.
	words string
	// option is one that must be there, or one of several with blanks between; empty for none.
	option string
	verb   string
}

// tasks are static data: nothing is built at start-up.
var tasks = [...]task{
	{"rails", "db:drop|db:drop:all|db:drop:_unsafe", "", "drop-database"},
	{"rails", "db:reset|db:migrate:reset|db:schema:load|db:purge|db:purge:all|db:truncate_all|db:setup|db:structure:load|db:seed:replant", "", "reset"},
	{"prisma", "migrate reset", "", "reset"},
	{"prisma", "db push", "force-reset", "reset"},
	{"prisma", "db push", "accept-data-loss", "data-loss"},
	{"drizzle-kit", "drop", "", "migrate-down"},
	{"drizzle-kit", "push", "force", "data-loss"},
	{"alembic", "downgrade base", "", "migrate-down"},
	{"flask", "db downgrade base", "", "migrate-down"},
	{"manage.py", "flush|reset_db|sqlflush|drop_db|droptable", "", "reset"},
	{"manage.py", "migrate * zero", "", "migrate-down"},
	{"artisan", "migrate:fresh|migrate:refresh|migrate:reset|db:wipe|schema:drop", "", "reset"},
	{"knex", "migrate:rollback", "all", "migrate-down"},
	{"sequelize|sequelize-cli", "db:drop", "", "drop-database"},
	{"sequelize|sequelize-cli", "db:migrate:undo:all", "", "migrate-down"},
	{"typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm", "schema:drop", "", "reset"},
	{"mikro-orm", "schema:drop|schema:fresh|migration:fresh|database:drop", "", "reset"},
	{"mix", "ecto.drop", "", "drop-database"},
	{"mix", "ecto.reset", "", "reset"},
	{"mix", "ecto.rollback", "all", "migrate-down"},
	{"flyway", "clean", "", "reset"},
	{"liquibase", "dropAll|drop-all|dropall", "", "reset"},
	{"goose", "reset", "", "migrate-down"},
	{"goose", "* * reset", "", "migrate-down"},
	{"migrate", "drop", "", "reset"},
	{"dbmate", "drop", "", "drop-database"},
	{"diesel", "database reset|drop", "", "reset"},
	{"sqlx", "database drop|reset", "", "drop-database"},
	{"sea-orm-cli", "migrate fresh|refresh|reset", "", "reset"},
	{"console|doctrine", "doctrine:database:drop|doctrine:schema:drop|orm:schema-tool:drop", "", "drop-database"},
	{"ace", "migration:fresh|migration:reset|migration:refresh|db:wipe", "", "reset"},
	{"atlas", "schema clean", "", "reset"},
	{"dbt", "run-operation drop*", "", "reset"},
	{"dotnet", "ef database drop", "", "drop-database"},
	{"dotnet-ef", "database drop", "", "drop-database"},
	{"aerich", "downgrade", "", "migrate-down"},
	{"edgedb", "database wipe", "", "reset"},
	{"encore", "db reset", "", "reset"},
	{"pocketbase", "migrate down", "", "migrate-down"},
}

// alternative tells whether a word is one of a|b; a* is any that begins so.
func alternative(pattern, s string) bool {
	for pattern != "" {
		p := pattern
		if i := strings.IndexByte(pattern, '|'); i >= 0 {
			p, pattern = pattern[:i], pattern[i+1:]
		} else {
			pattern = ""
		}
		if n := len(p) - 1; p == s || n >= 0 && p[n] == '*' && strings.HasPrefix(s, p[:n]) {
			return true
		}
	}
	return false
}

// ofFramework are the effects of frameworks' and migrations' tools, also of those that are a file of the project.
func ofFramework(name string, u unit.Unit) []policy.Effect {
	name, args := script(name, u.Args())
	if name == "" {
		return nil
	}
	var o unit.Opts
	read := false
	for i := range tasks {
		t := &tasks[i]
		if !alternative(t.program, name) {
			continue
		}
		if !read {
			if read = true; unit.Help(args) {
				return nil
			}
			o = unit.Options(args, "e env environment config c url schema settings database connection path source dir d x f n name repo r target t")
		}
		if (t.option != "" && !o.Has(strings.Fields(t.option)...)) || !leads(t.words, o.Operands) || o.Has("dry-run", "pretend", "help", "sql") {
			continue
		}
		names := allNames(word.Texts(o.Operands), o)
		return []policy.Effect{{Kind: policy.Database, Verb: t.verb, Target: strings.Join(word.Texts(o.Operands), " "), Flags: stageFlags(u, names), Command: u.I}}
	}
	return nil
}

// script is the tool that an interpreter is started for: php artisan, python manage.py, python -m alembic, bin/rails.
func script(name string, args []word.Arg) (string, []word.Arg) {
	switch name {
	case "rake", "rails":
		return "rails", args
	case "php", "node", "ruby":
		if len(args) > 0 {
			return path.Base(args[0].Text), args[1:]
		}
	case "python", "python3", "py":
		if len(args) > 1 && args[0].Text == "-m" {
			return args[1].Text, args[2:]
		}
		if len(args) > 0 {
			return path.Base(args[0].Text), args[1:]
		}
	case "yarn", "pnpm", "bun": // what the project has installed
		if len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && args[0].Text != "run" {
			return args[0].Text, args[1:]
		}
	case "django-admin", "django":
		return "manage.py", args
	}
	return name, args
}

// leads tells whether operands begin with words: * is any one, a|b one of these.
func leads(words string, operands []word.Arg) bool {
	i := 0
	for w := range strings.FieldsSeq(words) {
		if i >= len(operands) || w != "*" && !alternative(w, operands[i].Text) {
			return false
		}
		i++
	}
	return true
}
