package database

import "github.com/boathook/boathook/internal/shellcmd/word"

// language is what a client is given.
type language int

const (
	sql language = iota
	mongo
	redis
)

// client is a program that sends statements to a database.
type client struct {
	name string
	lang language
	d    dialect
	// sub are words that must come first: cockroach sql.
	sub string
	// code are the options whose values are statements, target those that name host, database or URL, valued all others that have a
	// value.
	code, target, valued string
	// first is which operand is the first that is statements, -1 for none; those before it are targets.
	first int
	// file says that the first operand is a database's file.
	file bool
}

// clients are static data: nothing is built at start-up.
var clients = [...]client{
	{name: "psql", d: dialect{dollar: true}, code: "c command", target: "h host d dbname", valued: "p port U username f file o output v set variable L log-file F R P T", first: -1},
	{name: "pgcli", d: dialect{dollar: true}, code: "c e", target: "h host d dbname", valued: "p port U username u user", first: -1},
	{name: "mysql", d: dialect{hash: true, backslash: true}, code: "e execute", target: "h host D database", valued: "u user P port S socket", first: -1},
	{name: "mariadb", d: dialect{hash: true, backslash: true}, code: "e execute", target: "h host D database", valued: "u user P port S socket", first: -1},
	{name: "mycli", d: dialect{hash: true, backslash: true}, code: "e execute", target: "h host D database", valued: "u user P port S socket", first: -1},
	{name: "sqlite3", d: dialect{brackets: true}, code: "cmd", valued: "init separator nullvalue newline maxsize vfs A", first: 1, file: true},
	{name: "litecli", d: dialect{brackets: true}, code: "e execute", first: -1, file: true},
	{name: "sqlite-utils", d: dialect{brackets: true}, first: 2},
	{name: "duckdb", d: dialect{dollar: true}, code: "c s cmd", valued: "init separator nullvalue newline f", first: 1, file: true},
	{name: "mongosh", lang: mongo, code: "eval", target: "host", valued: "port u username p password authenticationDatabase f file", first: -1},
	{name: "mongo", lang: mongo, code: "eval", target: "host", valued: "port u username p password authenticationDatabase", first: -1},
	{name: "redis-cli", lang: redis, code: "eval", target: "h u", valued: "p a n i r s user pass D d", first: 0},
	{name: "valkey-cli", lang: redis, code: "eval", target: "h u", valued: "p a n i r s user pass D d", first: 0},
	{name: "keydb-cli", lang: redis, code: "eval", target: "h u", valued: "p a n i r s user pass D d", first: 0},
	{name: "cockroach", d: dialect{dollar: true}, sub: "sql", code: "e execute", target: "host url d database", valued: "port user", first: -1},
	{name: "clickhouse-client", code: "q query", target: "h host d database", valued: "port u user password f format", first: -1},
	{name: "clickhouse", sub: "client", code: "q query", target: "h host d database", valued: "port u user password f format", first: -1},
	{name: "clickhouse", sub: "local", code: "q query", valued: "f format", first: -1},
	{name: "sqlcmd", d: dialect{brackets: true}, code: "Q q query", target: "S d", valued: "U P i o", first: -1},
	{name: "mssql-cli", d: dialect{brackets: true}, code: "Q query", target: "S d", valued: "U P i o", first: -1},
	{name: "cqlsh", code: "e execute", target: "k keyspace", valued: "u p f file", first: -1},
	{name: "snowsql", code: "q query", target: "a d s dbname", valued: "u o f w r", first: -1},
	{name: "snow", sub: "sql", code: "q query", target: "database c connection", first: -1},
	{name: "bq", d: dialect{hash: true, backslash: true}, sub: "query", target: "project_id dataset_id", first: 0},
	{name: "influx", code: "execute", target: "host database", valued: "port username password", first: -1},
	{name: "trino", code: "execute", target: "server catalog schema", first: -1},
	{name: "presto", code: "execute", target: "server catalog schema", first: -1},
	{name: "hive", d: dialect{backslash: true}, code: "e", target: "database h", valued: "f", first: -1},
	{name: "beeline", d: dialect{backslash: true}, code: "e", target: "u", valued: "n p f", first: -1},
	{name: "spark-sql", d: dialect{backslash: true}, code: "e", target: "database", valued: "f master conf", first: -1},
	{name: "impala-shell", d: dialect{backslash: true}, code: "q query", target: "i impalad d database", valued: "f", first: -1},
	{name: "sqlplus", valued: "M", first: -1},
	{name: "usql", d: dialect{dollar: true}, code: "c command", valued: "f o", first: -1},
	{name: "vsql", code: "c command", target: "h d", valued: "U w p", first: -1},
	{name: "turso", d: dialect{brackets: true}, sub: "db shell", first: 1},
	{name: "wrangler", d: dialect{brackets: true}, sub: "d1 execute", code: "command", valued: "file c config e env", first: -1},
	{name: "mysqlsh", d: dialect{hash: true, backslash: true}, code: "e execute", target: "h host D database uri", valued: "u user P port", first: -1},
	{name: "surreal", sub: "sql", target: "endpoint e conn ns db", valued: "u p user pass", first: -1},
	{name: "heroku", d: dialect{dollar: true}, sub: "pg:psql", code: "c command", target: "a app r remote", first: -1},
	{name: "supabase", d: dialect{dollar: true}, sub: "db query", first: 0},
	{name: "drush", d: dialect{hash: true, backslash: true}, sub: "sql:query", first: 0},
	{name: "drush", d: dialect{hash: true, backslash: true}, sub: "sqlq", first: 0},
	{name: "wp", d: dialect{hash: true, backslash: true}, sub: "db query", first: 0},
}

// clientOf gives the client that a program is; args are its own, for programs that are one only with a word behind.
func clientOf(program string, args []word.Arg) *client {
	for i := range clients {
		if c := &clients[i]; c.name == program && leads(c.sub, args) {
			return c
		}
	}
	return nil
}
