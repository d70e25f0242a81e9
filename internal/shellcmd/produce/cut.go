package produce

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// cut takes fields or characters of each line.
func cut(c word.Command) string {
	f := parse(c.Argv[1:], "d f c b delimiter fields characters bytes output-delimiter")
	in := input(c, f.rest)
	d, ok := f.get("d", "delimiter")
	if !ok {
		d = "\t"
	}
	list, fields := f.get("f", "fields")
	if !fields {
		list, _ = f.get("c", "b", "characters", "bytes")
	}
	ranges, ok := cutRanges(list)
	if !ok || len(d) != 1 || f.has("complement") {
		return word.Unknown
	}
	return eachLine(in, func(l string) string {
		if !fields {
			if uncertain(l) {
				return word.Unknown
			}
			var b strings.Builder
			for _, r := range ranges {
				if r[0] <= len(l) {
					b.WriteString(l[r[0]-1 : min(r[1], len(l))])
				}
			}
			return b.String()
		}
		parts := strings.Split(l, d)
		if len(parts) == 1 {
			return l
		}
		if uncertain(l) {
			return word.Unknown
		}
		var out []string
		for _, r := range ranges {
			if r[0] <= len(parts) {
				out = append(out, parts[r[0]-1:min(r[1], len(parts))]...)
			}
		}
		return strings.Join(out, d)
	})
}

// cutRanges reads 1,3-5,7-.
func cutRanges(list string) ([][2]int, bool) {
	const end = 1 << 24
	var out [][2]int
	if list == "" || len(list) > 1<<8 {
		return nil, false
	}
	for p := range strings.SplitSeq(list, ",") {
		a, b, dash := strings.Cut(p, "-")
		from, to := 1, end
		var ok bool
		if a != "" {
			if from, ok = number(a); !ok || from == 0 {
				return nil, false
			}
		}
		switch {
		case !dash:
			to = from
		case b != "":
			if to, ok = number(b); !ok || to < from {
				return nil, false
			}
		}
		out = append(out, [2]int{from, to})
	}
	return out, true
}
