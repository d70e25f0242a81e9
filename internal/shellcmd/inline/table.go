package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// row says what functions do with their arguments: an operation, with ! where it goes into directories, on some of the arguments
// ("0 1", "2+" from one on), in the order of the operation's operands. run, shell, exec (a text alone is a shell's), fetch and their like are
// rows too.
type row struct{ names, op, args string }

// apply does what the table says of a function; false where it has none of it.
func (r *reader) apply(rows []row, c call, name string) bool {
	for _, w := range rows {
		if !word.Listed(w.names, name) {
			continue
		}
		vs := pick(c, w.args)
		switch w.op {
		case "run":
			r.run(words(vs...), c)
		case "shell":
			if len(vs) > 0 {
				r.shellIn(vs[0], c)
			}
		case "exec":
			r.execute(c, vs, true)
		default:
			if len(vs) > 0 {
				op, deep := strings.CutSuffix(w.op, "!")
				r.op(op, deep, vs...)
			}
		}
		return true
	}
	return false
}

// pick are the arguments that a row names.
func pick(c call, spec string) []value {
	var out []value
	for i := 0; i < len(spec); i++ {
		if spec[i] < '0' || spec[i] > '9' {
			continue
		}
		n := int(spec[i] - '0')
		if i+1 < len(spec) && spec[i+1] == '+' {
			return append(out, c.rest(n)...)
		}
		if n < len(c.args) {
			out = append(out, c.args[n])
		}
	}
	return out
}
