package config

import (
	"strings"

	"github.com/boathook/boathook/internal/spelling"
)

// suggest is the name of a key or a table that an unknown name may stand for, empty where none is near: one that is spelled
// alike, or the only key of that name in another table. Only broken files ask.
func suggest(name string) string {
	name = strings.ToLower(name)
	best, least := "", min(3, len(name)/2+1)
	try := func(candidate string) {
		if d := spelling.Distance(name, candidate); d < least {
			best, least = candidate, d
		}
	}
	for _, k := range known().list {
		try(k.Name)
		if table, _, dotted := strings.Cut(k.Name, "."); dotted && !strings.Contains(name, ".") {
			try(table)
		}
	}
	if best != "" {
		return best
	}
	if same := byLast()[name[strings.LastIndexByte(name, '.')+1:]]; len(same) == 1 {
		return same[0].Name
	}
	return ""
}
