package config

import "strings"

// salvage reads statement by statement: a broken one costs itself alone, since a guard must not vanish because of a slip
// in another line. Tables that are there twice count both, in names the case does not matter, and the last value wins.
func (f *file) salvage() {
	heads := map[string]bool{}
	junk := false
	s := newScanner(f.text)
	for s.next() {
		st := s.st
		wasJunk := junk
		junk = false
		switch {
		case st.kind == isHead:
			f.head(st, s.lost, heads)
		case s.lost:
			f.lostBelow(st)
		case len(st.names) > 0 && strings.EqualFold(st.names[0], hooksName):
			f.hookLineOf(st)
		case st.kind == isPair:
			f.pair(st)
		default:
			if key, rest := find(st.names); key != nil && len(rest) == 0 {
				f.unreadable(*key, st.line)
			} else if junk = true; !wasJunk {
				f.problem(st.line, "not a line of TOML; it is ignored")
			}
		}
	}
}

// hookLineOf takes a line of the hooks, or notes that it is none.
func (f *file) hookLineOf(st statement) {
	if st.kind == isPair {
		f.hookPair(st)
		return
	}
	f.problem(st.line, "not a line of TOML; it is ignored")
	if len(st.names) > 1 {
		f.hookField(st.line, st.names[1:], unread{})
	}
}

func (f *file) head(st statement, lost bool, heads map[string]bool) {
	if !lost && isHooks(st.names) {
		if !st.valid {
			f.problem(st.line, "read as [[hooks]]")
		}
		f.entries = append(f.entries, newEntry(st.line))
		return
	}
	name := strings.Join(st.names, ".")
	canonical := known().canonical(name)
	switch {
	case lost:
		f.problem(st.line, "not the head of a table; what is below it is ignored, its choices are taken as the strict ones")
	case !known().tables[canonical]: // unknown keys are noted by name
		if key, _ := find(st.names); key == nil {
			f.unknown(firstUnknown(st.names))
		}
	case !st.valid || name != canonical:
		f.problem(st.line, "read as ["+canonical+"]")
	case heads[canonical]:
		f.problem(st.line, "table ["+canonical+"] is there twice; both count")
	}
	heads[canonical] = true
}

// lostBelow is a line in a table whose name cannot be read: it may be any that has such a key.
func (f *file) lostBelow(st statement) {
	if len(st.names) == 0 {
		return
	}
	for _, k := range byLast()[strings.ToLower(st.names[len(st.names)-1])] {
		if k.Strict != "" {
			f.values[k.Name] = unread{}
		}
	}
}

// pair takes the value of a key, of a table written in one line, or of an entry of a map.
func (f *file) pair(st statement) {
	key, rest := find(st.names)
	if key == nil {
		if known().tables[known().canonical(strings.Join(st.names, "."))] {
			f.pieces(st)
			return
		}
		f.unknown(firstUnknown(st.names))
		return
	}
	if len(rest) > 0 && key.Type != Map {
		f.unknown(strings.Join(st.names, "."))
		return
	}
	v, form := readValue(st.value)
	if form == lost && key.Type == Map && len(rest) == 0 && strings.HasPrefix(st.value, "{") {
		f.pieces(st)
		return
	}
	if len(rest) > 0 && form != lost {
		v = map[string]any{strings.Join(rest, "."): v}
	}
	if form == mended {
		if _, err := convert(*key, v); err != nil {
			form = lost
		}
	}
	if form == lost {
		f.unreadable(*key, st.line)
		return
	}
	exact := st.valid && strings.HasSuffix(key.Name, st.names[len(st.names)-len(rest)-1])
	f.set(*key, v, st.line, len(rest) > 0, form == plain && exact)
}

// set gives a key its value; entries of a map add to those that are there.
func (f *file) set(k Key, v any, line int, entry, exact bool) {
	before, twice := f.values[k.Name]
	old, isMap := before.(map[string]any)
	add, _ := v.(map[string]any)
	if k.Type == Map && isMap && add != nil {
		for name, item := range add {
			old[name] = item
		}
		v, twice = old, false
	}
	switch {
	case twice && !entry:
		f.problem(line, k.Name+" is there twice; the last value counts")
	case !exact:
		f.problem(line, k.Name+" is not written as it should be; it is read as what it seems to mean")
	}
	f.values[k.Name] = v
	f.line(k.Name) // makes the table of lines
	f.lines[k.Name] = line
}

// pieces reads `{ name = value, … }` piece by piece; with a table's name in front, or a map's.
func (f *file) pieces(st statement) {
	inner, braced := strings.CutPrefix(st.value, "{")
	if !braced {
		f.problem(st.line, known().canonical(strings.Join(st.names, "."))+" wants a table; it is ignored")
		return
	}
	if v, form := readValue(st.value); form == plain {
		if tree, ok := v.(map[string]any); ok && len(tree) == 0 {
			return
		}
	}
	for _, piece := range splitPieces(inner) {
		at := pairForm().FindStringSubmatch(piece)
		if at == nil {
			f.problem(st.line, "a part is no name = value; it is ignored")
			continue
		}
		names := append(st.names[:len(st.names):len(st.names)], splitName(at[1])...)
		f.pair(statement{kind: isPair, line: st.line, names: names, value: trim(behind(at[2])), valid: true})
	}
}

// unreadable notes a key that is there without a value that can be read. A choice then is the strict one.
func (f *file) unreadable(k Key, line int) {
	if k.Strict == "" {
		f.problem(line, k.Name+" has no value that can be read; it is ignored")
		return
	}
	f.problem(line, k.Name+" has no value that can be read; the strict "+k.Strict+" is used")
	f.values[k.Name] = unread{}
}

// find splits a name into a known key and what is behind it.
func find(names []string) (*Key, []string) {
	for n := 1; n <= min(len(names), 3); n++ {
		if k, ok := known().keys[known().canonical(strings.Join(names[:n], "."))]; ok {
			return &k, names[n:]
		}
	}
	return nil, nil
}

// firstUnknown is the name up to the part that no key and no table has.
func firstUnknown(names []string) string {
	for n := range names {
		if name := strings.Join(names[:n+1], "."); !known().tables[known().canonical(name)] {
			return name
		}
	}
	return strings.Join(names, ".")
}
