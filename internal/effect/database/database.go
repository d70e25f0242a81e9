// Package database tells what clients of databases, and the SQL given to them, drop or empty.
package database

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/stage"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Effects are those of one command; none for a program that is not this package's.
func Effects(u unit.Unit) []policy.Effect {
	name := u.Program()
	if name == "" || len(u.Argv) == 0 {
		return nil
	}
	var e []policy.Effect
	if c := clientOf(name, u.Args()); c != nil {
		e = c.effects(u)
	}
	e = append(e, ofAdmin(name, u)...)
	return u.Marked(append(e, ofFramework(name, u)...))
}

// effects are those of the statements that a client is given.
func (c *client) effects(u unit.Unit) []policy.Effect {
	args := c.args(u)
	if c.lang != redis && unit.Help(args) {
		return nil
	}
	o := unit.Options(args, c.code+" "+c.target+" "+c.valued)
	if o.Has("dry_run", "dry-run") {
		return nil
	}
	names, texts := c.given(u, o)
	var all []found
	cut := false
	for _, t := range texts {
		switch c.lang {
		case mongo:
			all = append(all, readMongo(t)...)
		case redis:
			all = append(all, readRedis(t)...)
		default:
			f, more := readSQL(t, c.d)
			all, cut = append(all, f...), cut || more
		}
	}
	var out []policy.Effect
	where, local := c.file0(u, o)
	flags := stageFlags(u, names)
	if local {
		flags = []string{stage.Local}
	}
	for i, f := range all {
		if i == maxFound {
			break
		}
		e := policy.Effect{Kind: policy.Database, Verb: f.verb, Target: f.target, Where: where,
			Flags: append(append([]string(nil), f.flags...), flags...), Command: u.I}
		if f.verb == "drop-database" && stage.Of(f.target) == stage.Local && !slices.Contains(flags, stage.Production) && !slices.Contains(flags, stage.Local) {
			e.Flags = append(e.Flags, stage.Local) // a database for tests, by its name
		}
		out = append(out, e)
	}
	if cut {
		out = append(out, policy.Effect{Kind: policy.Dynamic, Verb: "limit", Command: u.I})
	}
	return out
}

// args are the words behind those that must come first.
func (c *client) args(u unit.Unit) []word.Arg {
	args := u.Args()[len(strings.Fields(c.sub)):]
	if !strings.Contains(" "+c.valued+" ", " P port ") || !c.d.hash {
		return args
	}
	// MySQL's -p has its value attached or none.
	kept := make([]word.Arg, 0, len(args))
	for _, a := range args {
		if !strings.HasPrefix(a.Text, "-p") {
			kept = append(kept, a)
		}
	}
	return kept
}

// given are the names of what a client talks to, and the statements that it is given: by options, operands and its input.
func (c *client) given(u unit.Unit, o unit.Opts) (names, texts []string) {
	for n := range strings.FieldsSeq(c.target) {
		for _, v := range o.Flags[n] {
			names = append(names, v.Text)
		}
	}
	for n := range strings.FieldsSeq(c.code) {
		for _, v := range o.Flags[n] {
			if v.Text != "" {
				texts = append(texts, v.Text)
			}
		}
	}
	last := len(o.Operands)
	if c.first >= 0 && c.first < last {
		last = c.first
		words := word.Texts(o.Operands[last:])
		if c.lang == redis {
			texts = append(texts, strings.Join(words, " "))
		} else {
			texts = append(texts, strings.Join(words, "\n;"))
		}
	}
	names = append(names, word.Texts(o.Operands[:last])...)
	if u.Stdin.Given && u.Stdin.Text != "" && !(c.lang == redis && len(texts) > 0) {
		texts = append(texts, u.Stdin.Text)
	}
	return names, texts
}

// file0 is the place of the database where it is a file; local says that nobody misses it.
func (c *client) file0(u unit.Unit, o unit.Opts) (where policy.Where, local bool) {
	if !c.file || u.Host != "" {
		return "", false
	}
	if len(o.Operands) == 0 || o.Operands[0].Text == ":memory:" || o.Operands[0].Text == "" {
		return "", true
	}
	if u.Machine == nil {
		return "", false
	}
	a := o.Operands[0]
	if rest, ok := strings.CutPrefix(a.Text, "file:"); ok {
		a.Text, _, _ = strings.Cut(rest, "?")
	}
	where = u.Machine.Place(a, u.Dir, place.Follow).Where
	return where, where == policy.Temp || where == policy.Inside && stage.Of(a.Text) == stage.Local
}

// stageFlags tells whether a command is aimed at production, at a test or at this machine.
func stageFlags(u unit.Unit, names []string) []string {
	for _, a := range u.Assigns {
		switch a.Name {
		case "PGHOST", "PGDATABASE", "PGSERVICE", "DATABASE_URL", "MYSQL_HOST", "RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV",
			"DJANGO_SETTINGS_MODULE", "ENV", "ENVIRONMENT", "FLASK_ENV", "DB_HOST", "DB_NAME", "REDIS_URL", "MONGODB_URI", "DIRECT_URL":
			names = append(names, a.Value.Text)
		}
	}
	names = append(names, u.Host)
	var flags []string
	if s := stage.Of(names...); s != "" {
		flags = append(flags, s)
	}
	for _, n := range names {
		if stage.Loopback(hostOf(n)) {
			return append(flags, "localhost")
		}
	}
	return flags
}

// hostOf is the host of a URL or a name.
func hostOf(name string) string {
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name = rest
	}
	if at := strings.LastIndexByte(name, '@'); at >= 0 {
		name = name[at+1:]
	}
	if end := strings.IndexAny(name, ":/?,"); end >= 0 && !strings.HasPrefix(name, "[") {
		name = name[:end]
	}
	return name
}
