package database

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadSQL(t *testing.T) {
	pg := dialect{dollar: true}
	my := dialect{hash: true, backslash: true}
	ms := dialect{brackets: true}
	for _, c := range []struct {
		sql  string
		d    dialect
		want string
	}{
		{"DROP TABLE users", pg, "drop-table users"},
		{"drop table if exists public.\"Users\" cascade;", pg, "drop-table public.Users"},
		{"DROP DATABASE shop", pg, "drop-database shop"},
		{"drop schema audit cascade", pg, "drop-schema audit"},
		{"DROP/**/TABLE/* x */users", pg, "drop-table users"},
		{"-- harmless\nDROP TABLE users", pg, "drop-table users"},
		{"# harmless\nDROP TABLE users", my, "drop-table users"},
		{"/*!50000 DROP TABLE users */", my, "drop-table users"},
		{"DROP TABLE [dbo].[Orders]\nGO\nSELECT 1", ms, "drop-table dbo.Orders"},
		{"SELECT 1\nGO\nDROP TABLE x", ms, "drop-table x"},
		{"IF OBJECT_ID('x') IS NOT NULL DROP TABLE x", ms, "drop-table x"},
		{"TRUNCATE orders, items", pg, "truncate orders"},
		{"truncate table orders", my, "truncate orders"},
		{"DELETE FROM users", pg, "delete-all users"},
		{"DELETE FROM users WHERE true", pg, "delete-all users"},
		{"DELETE FROM users WHERE 1=1;", pg, "delete-all users"},
		{"DELETE FROM users WHERE (1 = 1)", pg, "delete-all users"},
		{"DELETE FROM users WHERE id=3 OR 1=1", pg, "delete-all users"},
		{"DELETE FROM users WHERE 'a'='a'", pg, "delete-all users"},
		{"DELETE FROM users WHERE id = id", pg, "delete-all users"},
		{"UPDATE users SET admin = true", pg, "update-all users"},
		{"UPDATE users SET n = (SELECT 1 FROM x WHERE y = 2)", pg, "update-all users"},
		{"WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone", pg, "delete-all users"},
		{"ALTER TABLE users DROP COLUMN email", pg, "drop-column users"},
		{"ALTER TABLE users DROP email", my, "drop-column users"},
		{"ALTER TABLE users ADD x int, DROP COLUMN y", my, "drop-column users"},
		{"GRANT ALL PRIVILEGES ON *.* TO 'x'@'%'", my, "grant-all "},
		{"DO $$ BEGIN DROP TABLE users; END $$", pg, "drop-table users"},
		{"DO $do$ BEGIN EXECUTE 'DROP TABLE users'; END $do$", pg, "drop-table users"},
		{"EXEC('DROP TABLE users')", ms, "drop-table users"},
		{"SELECT 'DROP TABLE users' \\gexec", pg, "drop-table users"},
		{"BEGIN; DROP TABLE users; ROLLBACK;", pg, "drop-table users"},
		{"BEGIN; DELETE FROM users; COMMIT;", pg, "delete-all users"},
		{"SELECT 1\\; DROP TABLE users", pg, "drop-table users"},
		{"\\dt\nDROP TABLE users;", pg, "drop-table users"},
		{"COPY x TO PROGRAM 'sh'", pg, "run-program "},
		{"explain analyze delete from users", pg, "delete-all users"},
		{"DROP OWNED BY app", pg, "drop-owned app"},
		{"DROP KEYSPACE shop", dialect{}, "drop-keyspace shop"},
		{"ALTER TABLE hits DELETE WHERE 1 = 1", dialect{}, "delete-all hits"},

		{"SELECT * FROM users", pg, ""},
		{"SELECT 'DROP TABLE users'", pg, ""},
		{"SELECT \"DROP TABLE users\" FROM x", pg, ""},
		{"INSERT INTO log VALUES ('x; DROP TABLE users; --')", pg, ""},
		{"INSERT INTO log VALUES ('it''s; DROP TABLE users')", pg, ""},
		{"INSERT INTO log VALUES ('it\\'s; DROP TABLE users')", my, ""},
		{"-- DROP TABLE users", pg, ""},
		{"/* DROP TABLE users; */ SELECT 1", pg, ""},
		{"DELETE FROM users WHERE id = 7", pg, ""},
		{"DELETE FROM users WHERE id IN (SELECT id FROM gone)", pg, ""},
		{"DELETE FROM users LIMIT 5", my, ""},
		{"UPDATE users SET name = 'x' WHERE id = 1 AND 1=1", pg, ""},
		{"ALTER TABLE users ADD COLUMN x int", pg, ""},
		{"ALTER TABLE users DROP CONSTRAINT uniq", pg, ""},
		{"ALTER TABLE users ALTER COLUMN x DROP NOT NULL", pg, ""},
		{"CREATE TABLE dropped (id int)", pg, ""},
		{"CREATE FUNCTION f() RETURNS void AS $$ DELETE FROM users; $$ LANGUAGE sql", pg, ""},
		{"INSERT INTO x VALUES (1) ON CONFLICT DO UPDATE SET y = 1", pg, ""},
		{"INSERT INTO x VALUES (1) ON DUPLICATE KEY UPDATE y = 1", my, ""},
		{"SELECT * FROM x FOR UPDATE", pg, ""},
		{"SELECT TRUNCATE(1.5, 1)", my, ""},
		{"BEGIN; DELETE FROM users; ROLLBACK;", pg, ""},
		{"EXPLAIN DELETE FROM users", pg, ""},
		{"DROP TEMPORARY TABLE x", my, ""},
		{"GRANT SELECT ON x TO y", pg, ""},
		{"", pg, ""},
	} {
		found, _ := readSQL(c.sql, c.d)
		got := ""
		if len(found) > 0 {
			got = found[0].verb + " " + found[0].target
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.sql, diff)
		}
	}
}

func TestReadMongo(t *testing.T) {
	for code, want := range map[string]string{
		"db.dropDatabase()": "drop-database", "db.users.drop()": "drop-collection", "db . users . drop ( )": "drop-collection",
		"db.users.deleteMany({})": "delete-all", "db['users'].drop()": "drop-collection", "db.users.remove( { } )": "delete-all",
		"db.users.deleteMany({age: 3})": "", "print('db.users.drop()')": "", "// db.users.drop()\ndb.stats()": "", "db.users.find({})": "",
	} {
		got := ""
		if f := readMongo(code); len(f) > 0 {
			got = f[0].verb
		}
		if got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func FuzzReadSQL(f *testing.F) {
	f.Add("DROP TABLE x; DELETE FROM y WHERE 1=1", true)
	f.Add("DO $a$ BEGIN EXECUTE 'x'; END $a$", false)
	f.Add(strings.Repeat("(", 100)+"'\\", true)
	f.Fuzz(func(t *testing.T, text string, on bool) {
		for _, d := range []dialect{{dollar: on}, {hash: on, backslash: on}, {brackets: true}} {
			if found, _ := readSQL(text, d); len(found) > maxFound {
				t.Errorf("%d findings", len(found))
			}
		}
		readMongo(text)
		readRedis(text)
	})
}
