package config

import "strings"

// suggest is the name of a key or a table that an unknown name may stand for, empty where none is near: one that is spelled
// alike, or the only key of that name in another table. Only broken files ask.
func suggest(name string) string {
	name = strings.ToLower(name)
	best, least := "", min(3, len(name)/2+1)
	try := func(candidate string) {
		if d := distance(name, candidate); d < least {
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

// distance counts the letters that are to be added, taken out, replaced or swapped with the next to make b of a.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			differs := 1
			if a[i-1] == b[j-1] {
				differs = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differs)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
