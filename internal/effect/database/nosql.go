package database

import "strings"

// readMongo finds the calls of MongoDB's shell that drop or empty, in code and not in its texts and comments.
func readMongo(code string) []found {
	const most = 256 << 10
	if len(code) > most {
		code = code[:most]
	}
	code = bare(code)
	var out []found
	add := func(verb string) {
		for _, f := range out {
			if f.verb == verb {
				return
			}
		}
		out = append(out, found{verb: verb})
	}
	for _, c := range [...]struct{ call, verb string }{
		{".dropdatabase(", "drop-database"}, {"dropdatabase:", "drop-database"}, {".drop(", "drop-collection"}, {".dropcollection(", "drop-collection"},
		{".deletemany()", "delete-all"}, {".deletemany({})", "delete-all"}, {".remove({})", "delete-all"}, {".remove()", "delete-all"},
		{".deletemany({},", "delete-all"}, {".remove({},", "delete-all"}, {".dropuser(", "drop-user"}, {".dropallusers", "drop-user"},
		{".shutdownserver(", "shutdown"}, {"runcommand({drop:", "drop-collection"},
	} {
		if strings.Contains(code, c.call) {
			add(c.verb)
		}
	}
	return out
}

// bare is code in lower case without blanks and comments and with nothing in its quotes.
func bare(code string) string {
	out := make([]byte, 0, len(code))
	for i := 0; i < len(code); i++ {
		c := code[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c == '\'' || c == '"' || c == '`':
			out = append(out, c)
			for i++; i < len(code) && code[i] != c; i++ {
				if code[i] == '\\' {
					i++
				}
			}
			out = append(out, c)
		case c == '/' && i+1 < len(code) && code[i+1] == '/':
			for i < len(code) && code[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(code) && code[i+1] == '*':
			end := strings.Index(code[i+2:], "*/")
			if end < 0 {
				return string(out)
			}
			i += end + 3
		case 'A' <= c && c <= 'Z':
			out = append(out, c|0x20)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// readRedis finds the commands of Redis that empty it or move where it writes; one a line.
func readRedis(text string) []found {
	var out []found
	for row := range strings.SplitSeq(text, "\n") {
		if len(row) > 4096 {
			row = row[:4096]
		}
		words := strings.Fields(strings.ToUpper(row))
		if len(words) == 0 || len(out) == maxFound {
			continue
		}
		first, second := strings.Trim(words[0], `"'`), ""
		if len(words) > 1 {
			second = strings.Trim(words[1], `"'`)
		}
		switch {
		case first == "FLUSHALL", first == "FLUSHDB":
			out = append(out, found{verb: strings.ToLower(first)})
		case first == "CONFIG" && second == "SET" && len(words) > 2 && (words[2] == "DIR" || words[2] == "DBFILENAME"):
			out = append(out, found{verb: "write-file"})
		case first == "SHUTDOWN":
			out = append(out, found{verb: "shutdown"})
		case first == "EVAL" && (strings.Contains(row, "flushall") || strings.Contains(row, "FLUSHALL") || strings.Contains(row, "flushdb")):
			out = append(out, found{verb: "flushall"})
		}
	}
	return out
}
