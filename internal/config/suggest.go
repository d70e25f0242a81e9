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
		if d := spelling.Distance(name, strings.ToLower(candidate)); d < least {
			best, least = candidate, d
		}
	}
	for _, k := range known().list {
		try(k.Name)
		for table := range tablesOf(k.Name) {
			if strings.Count(table, ".") == strings.Count(name, ".") {
				try(table)
			}
		}
	}
	if best != "" {
		return best
	}
	return elsewhere(name[strings.LastIndexByte(name, '.')+1:])
}

// elsewhere is the only key whose last part is spelled like name: a line often stands below the head of another table.
func elsewhere(name string) string {
	best, least, alone := "", min(3, len(name)/2+1), false
	for _, k := range known().list {
		switch d := spelling.Distance(name, strings.ToLower(k.Name[strings.LastIndexByte(k.Name, '.')+1:])); {
		case d < least:
			best, least, alone = k.Name, d, true
		case d == least:
			alone = false
		}
	}
	if !alone {
		return ""
	}
	return best
}

// nearest suggests what a name may stand for.
func nearest(name string, of []string) string {
	best, least := "", min(4, len(name)/2+1)
	for _, candidate := range of {
		if d := spelling.Distance(strings.ToLower(name), candidate); d < least {
			best, least = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}
